//! `void shade_colours(const struct shade *shade, const float lit[][4], const float gloss[][4], uint32_t n,
//! const uint32_t diffuse[], const uint32_t specular[], uint32_t base[], uint32_t offset[])`:
//! combines light and material to packed colours.
//!
//! A channel of the base colour is `ambient + lit * diffuse`; a channel of the offset colour is `gloss *
//! specular`. With `fold` the offset is added to the base, for polygons without offset colour. Channels are
//! clamped to 0 to 255 and truncated. The alphas come from `diffuse` and `specular`.

use crate::bounded::Bounded;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "shade_colours",
    symbol: "_shade_colours",
    summary: "light times material to packed colours",
    params: &[
        Param::words("shade"),
        Param::words("lit"),
        Param::words("gloss"),
        Param::value("n"),
        Param::words("diffuse"),
        Param::words("specular"),
        Param::words_mut("base"),
        Param::words_mut("offset"),
    ],
    reference,
    generate,
    deviation,
};

/// Parameters common to all vertices of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shade {
    /// Ambient light times material, red, green, blue, 0 to 255.
    pub ambient: [f32; 3],
    /// Adds the specular colour to the base colour.
    pub fold: bool,
}

/// Computes `base` and `offset`, with one element for each of `lit`.
///
/// # Errors
/// See [`KernelError`]; a signature error if the slices differ in length.
#[expect(clippy::too_many_arguments, reason = "they are the kernel's own")]
pub fn shade_colours(
    kernels: &mut dyn Kernels,
    shade: &Shade,
    lit: &[[f32; 4]],
    gloss: &[[f32; 4]],
    diffuse: &[u32],
    specular: &[u32],
    base: &mut [u32],
    offset: &mut [u32],
) -> Result<(), KernelError> {
    let [red, green, blue] = shade.ambient.map(f32::to_bits);
    let words = [red, green, blue, u32::from(shade.fold)];
    let mut args = [
        Arg::Words(&words),
        Arg::Words(bytemuck::cast_slice(lit.as_flattened())),
        Arg::Words(bytemuck::cast_slice(gloss.as_flattened())),
        Arg::Value(lit.len() as u32),
        Arg::Words(diffuse),
        Arg::Words(specular),
        Arg::WordsMut(base),
        Arg::WordsMut(offset),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(shade),
        Arg::Words(lit),
        Arg::Words(gloss),
        Arg::Value(n),
        Arg::Words(diffuse),
        Arg::Words(specular),
        Arg::WordsMut(base),
        Arg::WordsMut(offset),
    ] = args
    else {
        return Err(KERNEL.signature("shade, lit, gloss, n, diffuse, specular, base, offset"));
    };
    let n = *n as usize;
    let short = [diffuse.len(), specular.len(), base.len(), offset.len()]
        .iter()
        .any(|len| *len < n);
    if short || shade.len() < 4 || lit.len() / 4 < n || gloss.len() / 4 < n {
        return Err(KERNEL.signature("shade has 4 words, lit and gloss 4 for each vertex, the others one"));
    }
    for i in 0..n {
        base[i] = diffuse[i] >> 24 << 24;
        offset[i] = specular[i] >> 24 << 24;
        for (k, shift) in [16, 8, 0].into_iter().enumerate() {
            let float = |words: &[u32]| f32::from_bits(words[4 * i + k]);
            let byte = |word: u32| fpu::from_int((word >> shift & 0xFF) as i32);
            let mut d = fpu::mac(f32::from_bits(shade[k]), float(lit), byte(diffuse[i]));
            let mut s = fpu::mul(float(gloss), byte(specular[i]));
            if shade[3] != 0 {
                d = fpu::add(d, s);
                s = 0.0;
            }
            base[i] |= channel(d) << shift;
            offset[i] |= channel(s) << shift;
        }
    }
    Ok(())
}

/// Clamps to 0 to 255 and truncates; a NaN gives 0.
fn channel(value: f32) -> u32 {
    if !fpu::greater(value, 0.0) {
        0
    } else if fpu::greater(value, 255.0) {
        255
    } else {
        fpu::trunc(value) as u32
    }
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(48);
    let ambient: [f32; 3] = std::array::from_fn(|_| rng.range(0.0, 128.0));
    let shade = [
        ambient[0].to_bits(),
        ambient[1].to_bits(),
        ambient[2].to_bits(),
        rng.below(2),
    ];
    let mut floats = || -> Vec<f32> { (0..4 * n).map(|_| rng.range(-0.1, 1.5)).collect() };
    let (lit, gloss) = (floats(), floats());
    let mut colours = || Value::Words((0..n).map(|_| rng.word()).collect());
    let (diffuse, specular) = (colours(), colours());
    Case(vec![
        Value::Words(shade.to_vec()),
        Value::floats(&lit),
        Value::floats(&gloss),
        Value::Value(n),
        diffuse,
        specular,
        Value::output(n as usize),
        Value::output(n as usize),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let ambient = case.floats(0);
    for i in 0..case.value(3) as usize {
        let words = |argument: usize| case.words(argument)[i];
        for (k, shift) in [16, 8, 0].into_iter().enumerate() {
            let byte = |argument: usize| f32::from((words(argument) >> shift) as u8);
            let float = |argument: usize| Bounded::single(case.floats(argument)[4 * i + k]);
            let lit = Bounded::single(ambient[k]).add(float(1).mul(Bounded::single(byte(4))));
            let gloss = float(2).mul(Bounded::single(byte(5)));
            let (base, offset) = if case.words(0)[3] != 0 {
                (lit.add(gloss), Bounded::single(0.0))
            } else {
                (lit, gloss)
            };
            for (argument, exact) in [(6, base), (7, offset)] {
                // The channel is truncated: it is between value - 1 and value, plus or minus the slack.
                let exact = exact.clamp(0.0, 255.0);
                worst.note(i, byte(argument), exact.value - 0.5, 0.5 + exact.slack);
            }
        }
        worst.note_exact(
            i,
            words(6) >> 24 == words(4) >> 24 && words(7) >> 24 == words(5) >> 24,
        );
    }
    worst
}
