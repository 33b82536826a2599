//! `void transform_normals_and_light(const struct light *light, const float src[], uint32_t n, uint32_t
//! colours[], uint32_t stride)`:
//! computes a packed colour for each normal under one directional light and ambient light (FTRV, FIPR).
//!
//! A colour channel is `min(255, ambient + diffuse * max(0, normal . direction))`, truncated; alpha comes
//! from the light block. `stride` is the distance in bytes between normals. [`Light::words`] defines the
//! block.

use crate::bound::{HALF_ULP, exact, inner, row};
use crate::{
    Arg, Case, Deviation, Kernel, KernelError, Kernels, Matrix, Param, Rng, Signature, Value, columns,
};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "transform_normals_and_light",
    symbol: "_transform_normals_and_light",
    summary: "directional light and ambient to ARGB",
    params: &[
        Param::words("light").aligned(8),
        Param::words("src"),
        Param::value("n"),
        Param::words_mut("colours"),
        Param::value("stride"),
    ],
    reference,
    generate,
    deviation,
};

/// Light parameters, combined with one material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Transforms from the normals' space to the light's space.
    pub matrix: Matrix,
    /// Unit vector to the light.
    pub direction: [f32; 3],
    /// Light times material, red, green, blue, 0 to 255, at full incidence.
    pub diffuse: [f32; 3],
    /// Ambient light times material, red, green, blue, 0 to 255.
    pub ambient: [f32; 3],
    /// Alpha of the result.
    pub alpha: u8,
}

impl Light {
    /// The block in memory: 16 words of matrix, direction and 0, diffuse and 0, ambient and 0, alpha in bits
    /// 31-24, and three words of padding.
    pub fn words(&self) -> [u32; 32] {
        let mut words = [0; 32];
        words[..16].copy_from_slice(bytemuck::cast_slice(self.matrix.as_flattened()));
        for (start, vector) in [(16, self.direction), (20, self.diffuse), (24, self.ambient)] {
            words[start..start + 3].copy_from_slice(bytemuck::cast_slice(&vector));
        }
        words[28] = u32::from(self.alpha) << 24;
        words
    }
}

/// Computes a colour for each of `colours`, from normals of four words each.
///
/// # Errors
/// See [`KernelError`]; a signature error if `normals` is too short.
pub fn transform_normals_and_light(
    kernels: &mut dyn Kernels,
    light: &Light,
    normals: &[[f32; 4]],
    colours: &mut [u32],
) -> Result<(), KernelError> {
    let n = colours.len() as u32;
    let words = light.words();
    let mut args = [
        Arg::Words(&words),
        Arg::Words(bytemuck::cast_slice(normals.as_flattened())),
        Arg::Value(n),
        Arg::WordsMut(colours),
        Arg::Value(16),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(light),
        Arg::Words(src),
        Arg::Value(n),
        Arg::WordsMut(colours),
        Arg::Value(stride),
    ] = args
    else {
        return Err(KERNEL.signature("light, src, n, colours, stride"));
    };
    let (n, stride) = (*n as usize, *stride as usize / 4);
    KERNEL.check_vectors(16, src.len(), stride, n)?;
    if light.len() < 29 || colours.len() < n {
        return Err(KERNEL.signature("light has 29 words, colours one for each normal"));
    }
    let l: &[f32] = bytemuck::cast_slice(light);
    let src: &[f32] = bytemuck::cast_slice(src);
    let m = columns(light);
    for i in 0..n {
        let normal = [src[i * stride], src[i * stride + 1], src[i * stride + 2], 0.0];
        let turned = fpu::transform(&m, normal);
        let incidence = fpu::inner([l[16], l[17], l[18], l[19]], turned);
        let incidence = if fpu::greater(incidence, 0.0) {
            incidence
        } else {
            0.0
        };
        let mut colour = light[28];
        for channel in 0..3 {
            let value = fpu::mac(l[24 + channel], incidence, l[20 + channel]);
            let value = if fpu::greater(value, 255.0) { 255.0 } else { value };
            colour |= (fpu::trunc(value) as u32 & 0xFF) << (16 - 8 * channel);
        }
        colours[i] = colour;
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(48);
    let mut matrix: Matrix = Matrix::default();
    for column in matrix.iter_mut().take(3) {
        column[..3].copy_from_slice(&rng.unit());
    }
    let light = Light {
        matrix,
        direction: rng.unit(),
        diffuse: std::array::from_fn(|_| rng.range(0.0, 300.0)),
        ambient: std::array::from_fn(|_| rng.range(0.0, 100.0)),
        alpha: rng.word() as u8,
    };
    let stride = [3, 4, 6, 7][rng.below(4) as usize];
    let mut src = Vec::new();
    for _ in 0..n {
        let normal = rng.unit();
        src.extend((0..stride).map(|k| normal.get(k).copied().unwrap_or_else(|| rng.finite())));
    }
    Case(vec![
        Value::Words(light.words().to_vec()),
        Value::floats(&src),
        Value::Value(n),
        Value::output(n as usize),
        Value::Value(4 * stride as u32),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let light = case.floats(0);
    let vector = |start: usize| [0, 1, 2].map(|k| light.get(start + k).map_or(f64::NAN, |v| exact(*v)));
    let (direction, diffuse, ambient) = (vector(16), vector(20), vector(24));
    let stride = case.value(4) as usize / 4;
    for (i, (normal, &colour)) in case.floats(1).chunks_exact(stride).zip(case.words(3)).enumerate() {
        let normal = [exact(normal[0]), exact(normal[1]), exact(normal[2]), 0.0];
        let turned = [0, 1, 2].map(|k| inner(row(light, k), normal));
        let [x, y, z] = turned.map(|(value, _)| value);
        let (incidence, mut slack) = inner([direction[0], direction[1], direction[2], 0.0], [x, y, z, 0.0]);
        slack += turned.iter().map(|(_, bound)| bound).sum::<f64>();
        let incidence = incidence.max(0.0);
        for channel in 0..3 {
            let value = (ambient[channel] + diffuse[channel] * incidence).min(255.0);
            let bound = diffuse[channel] * slack + value * HALF_ULP;
            // The channel is the truncated value: between value - 1 and value, plus or minus the bound.
            let byte = (colour >> (16 - 8 * channel)) as u8;
            worst.note(i, f32::from(byte), value - 0.5, 0.5 + bound);
        }
        worst.note_exact(
            i,
            colour >> 24 == case.words(0).get(28).map_or(0, |word| word >> 24),
        );
    }
    worst
}
