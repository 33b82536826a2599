//! `void quaternion_matrix(const float quaternions[][4], uint32_t n, float out[][16])`: converts quaternions
//! to rotation matrices.
//!
//! The real part comes first. A quaternion of length one is the rotation about its imaginary part,
//! counter-clockwise for a viewer at the end of that vector. Zeros give the identity. Matrices are
//! column-major.

use crate::bounded::Bounded;
use crate::keys_quaternion::quaternion;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Matrix, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "quaternion_matrix",
    symbol: "_quaternion_matrix",
    summary: "rotation matrices of quaternions",
    params: &[
        Param::words("quaternions").aligned(8),
        Param::value("n"),
        Param::words_mut("out").aligned(8),
    ],
    reference,
    generate,
    deviation,
};

/// Returns the matrices of `quaternions`, real part first.
///
/// # Errors
/// See [`KernelError`].
pub fn quaternion_matrix<const N: usize>(
    kernels: &mut dyn Kernels,
    quaternions: [[f32; 4]; N],
) -> Result<[Matrix; N], KernelError> {
    let mut out = [Matrix::default(); N];
    let mut args = [
        Arg::Words(bytemuck::cast_slice(quaternions.as_flattened())),
        Arg::Value(N as u32),
        Arg::WordsMut(bytemuck::cast_slice_mut(
            out.as_flattened_mut().as_flattened_mut(),
        )),
    ];
    kernels.call(&KERNEL, &mut args)?;
    Ok(out)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [Arg::Words(quaternions), Arg::Value(n), Arg::WordsMut(out)] = args else {
        return Err(KERNEL.signature("quaternions, n, out"));
    };
    let n = *n as usize;
    if quaternions.len() / 4 < n || out.len() / 16 < n {
        return Err(KERNEL.signature("a quaternion has 4 words, its matrix 16"));
    }
    for (q, out) in quaternions
        .as_chunks::<4>()
        .0
        .iter()
        .zip(out.chunks_exact_mut(16))
        .take(n)
    {
        let [w, x, y, z] = q.map(f32::from_bits);
        let (x2, y2, z2) = (fpu::add(x, x), fpu::add(y, y), fpu::add(z, z));
        let (xx, yy, zz) = (fpu::mul(x, x2), fpu::mul(y, y2), fpu::mul(z, z2));
        let (xy, xz, yz) = (fpu::mul(x, y2), fpu::mul(x, z2), fpu::mul(y, z2));
        let (wx, wy, wz) = (fpu::mul(w, x2), fpu::mul(w, y2), fpu::mul(w, z2));
        let diagonal = |a, b| fpu::sub(1.0, fpu::add(a, b));
        let columns = [
            [diagonal(yy, zz), fpu::add(xy, wz), fpu::sub(xz, wy), 0.0],
            [fpu::sub(xy, wz), diagonal(xx, zz), fpu::add(yz, wx), 0.0],
            [fpu::add(xz, wy), fpu::sub(yz, wx), diagonal(xx, yy), 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ];
        out.copy_from_slice(bytemuck::cast_slice(columns.as_flattened()));
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(12);
    let words = (0..n).flat_map(|_| match rng.below(8) {
        0 => rng.finites().map(f32::to_bits),
        _ => quaternion(rng).map(f32::to_bits),
    });
    Case(vec![
        Value::Words(words.collect()),
        Value::Value(n),
        Value::output(16 * n as usize),
    ])
}

/// Compares with the textbook matrix. Its elements are sums of doubled products of two components.
fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    for (i, q) in case.words(0).as_chunks::<4>().0.iter().enumerate() {
        let [w, x, y, z] = q.map(Bounded::bits);
        let twice = |a: Bounded, b: Bounded| a.mul(b.add(b));
        let one = Bounded::constant(1.0);
        let diagonal = |a: Bounded, b: Bounded| one.sub(twice(a, a).add(twice(b, b)));
        let zero = Bounded::default();
        let columns = [
            diagonal(y, z),
            twice(x, y).add(twice(w, z)),
            twice(x, z).sub(twice(w, y)),
            zero,
            twice(x, y).sub(twice(w, z)),
            diagonal(x, z),
            twice(y, z).add(twice(w, x)),
            zero,
            twice(x, z).add(twice(w, y)),
            twice(y, z).sub(twice(w, x)),
            diagonal(x, y),
            zero,
            zero,
            zero,
            zero,
            one,
        ];
        for (k, exact) in columns.into_iter().enumerate() {
            let at = 16 * i + k;
            worst.note(at, case.floats(2)[at], exact.value, exact.slack);
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::quaternion_matrix;
    use crate::{IDENTITY, Reference};

    /// A third of a turn about (1, 1, 1) maps x to y, y to z and z to x.
    #[test]
    fn a_third_of_a_turn_about_the_diagonal() {
        let [matrix] = quaternion_matrix(&mut Reference, [[0.5; 4]]).unwrap();
        assert_eq!(
            matrix,
            [
                [0.0, 1.0, 0.0, 0.0],
                [0.0, 0.0, 1.0, 0.0],
                [1.0, 0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0, 1.0]
            ]
        );
    }

    #[test]
    fn zeros_turn_nothing() {
        assert_eq!(quaternion_matrix(&mut Reference, [[0.0; 4]]).unwrap(), [IDENTITY]);
    }
}
