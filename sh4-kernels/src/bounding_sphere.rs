//! `void bounding_sphere(const float matrix[16], const float sphere[4], float out[4])`: transforms a bounding
//! sphere by a matrix (FTRV, FIPR, FSQRT).
//!
//! Centre and radius are x, y, z, r; all pointers are 8-byte aligned. The factor of the radius is the square
//! root of the largest row sum of |M^T M|, where M is the matrix without its translation. No vector grows by
//! more than this factor. If M's columns are at right angles, one vector grows by exactly this factor.

use crate::bound::{inner, row};
use crate::bounded::Bounded;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Matrix, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "bounding_sphere",
    symbol: "_bounding_sphere",
    summary: "bounding sphere in view space",
    params: &[
        Param::words("matrix").aligned(8),
        Param::words("sphere").aligned(8),
        Param::words_mut("out").aligned(8),
    ],
    reference,
    generate,
    deviation,
};

/// Returns centre and radius of a sphere that contains `matrix * sphere`.
///
/// # Errors
/// See [`KernelError`].
pub fn bounding_sphere(
    kernels: &mut dyn Kernels,
    matrix: &Matrix,
    sphere: &[f32; 4],
) -> Result<[f32; 4], KernelError> {
    let mut out = [0.0_f32; 4];
    let mut args = [
        Arg::Words(bytemuck::cast_slice(matrix.as_flattened())),
        Arg::Words(bytemuck::cast_slice(sphere)),
        Arg::WordsMut(bytemuck::cast_slice_mut(&mut out)),
    ];
    kernels.call(&KERNEL, &mut args)?;
    Ok(out)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [Arg::Words(matrix), Arg::Words(sphere), Arg::WordsMut(out)] = args else {
        return Err(KERNEL.signature("matrix, sphere, out"));
    };
    if matrix.len() < 16 || sphere.len() < 4 || out.len() < 4 {
        return Err(KERNEL.signature("a matrix has 16 words, a sphere 4"));
    }
    let m: &[f32] = bytemuck::cast_slice(matrix);
    let s: &[f32] = bytemuck::cast_slice(sphere);
    for k in 0..3 {
        out[k] = fpu::inner([m[k], m[4 + k], m[8 + k], m[12 + k]], [s[0], s[1], s[2], 1.0]).to_bits();
    }
    let column = |k: usize| [m[4 * k], m[4 * k + 1], m[4 * k + 2], 0.0];
    let product = |a: usize, b: usize| fpu::inner(column(a), column(b));
    let [ab, ac, bc] = [product(0, 1), product(0, 2), product(1, 2)].map(fpu::abs);
    let mut most = fpu::add(fpu::add(product(0, 0), ab), ac);
    for sum in [
        fpu::add(fpu::add(product(1, 1), ab), bc),
        fpu::add(fpu::add(product(2, 2), ac), bc),
    ] {
        if fpu::greater(sum, most) {
            most = sum;
        }
    }
    out[3] = fpu::mul(fpu::sqrt(most), s[3]).to_bits();
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let centre: [f32; 3] = rng.finites();
    Case(vec![
        Value::floats(&rng.matrix()),
        Value::floats(&[centre[0], centre[1], centre[2], rng.range(0.0, 100.0)]),
        Value::output(4),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let (matrix, sphere, out) = (case.floats(0), case.floats(1), case.floats(2));
    let [x, y, z, radius] = [0, 1, 2, 3].map(|k| Bounded::single(sphere[k]));
    for (k, &found) in out.iter().take(3).enumerate() {
        let (value, bound) = inner(row(matrix, k), [x.value, y.value, z.value, 1.0]);
        worst.note(k, found, value, bound);
    }
    let column = |k: usize| {
        let [x, y, z] = [0, 1, 2].map(|row| matrix[4 * k + row]);
        [x, y, z, 0.0].map(Bounded::single)
    };
    let gram = |a: usize, b: usize| Bounded::inner(column(a), column(b));
    let sums = [0, 1, 2].map(|a| {
        let absolute = |b: usize| {
            let product = gram(a, b);
            Bounded {
                value: product.value.abs(),
                ..product
            }
        };
        absolute(0).add(absolute(1)).add(absolute(2))
    });
    let most = Bounded {
        value: sums.iter().fold(0.0, |m: f64, s| m.max(s.value)),
        slack: sums.iter().fold(0.0, |m: f64, s| m.max(s.slack)),
    };
    let grown = most.sqrt().mul(radius);
    worst.note(3, out[3], grown.value, grown.slack);
    worst
}
