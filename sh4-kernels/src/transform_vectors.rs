//! `void transform_vectors(const float matrix[16], const float src[][4], float dst[][4], uint32_t n)`:
//! `dst[i] = matrix * src[i]` (FTRV), for contiguous vectors of four components.
//!
//! [`crate::transform_points`] reads points or normals from any array. Here the fourth component is in
//! memory, which is faster.

use crate::bound::{exact, inner, row};
use crate::{
    Arg, Case, Deviation, Kernel, KernelError, Kernels, Matrix, Param, Rng, Signature, Value, columns,
};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "transform_vectors",
    symbol: "_transform_vectors",
    summary: "4x4 matrix times 4-component vectors",
    params: &[
        Param::words("matrix").aligned(8),
        Param::words("src").aligned(8),
        Param::words_mut("dst").aligned(8),
        Param::value("n"),
    ],
    reference,
    generate,
    deviation,
};

/// Transforms `src` into `dst`.
///
/// # Errors
/// See [`KernelError`]; a signature error if `dst` is longer than `src`.
pub fn transform_vectors(
    kernels: &mut dyn Kernels,
    matrix: &Matrix,
    src: &[[f32; 4]],
    dst: &mut [[f32; 4]],
) -> Result<(), KernelError> {
    let n = dst.len() as u32;
    let mut args = [
        Arg::Words(bytemuck::cast_slice(matrix.as_flattened())),
        Arg::Words(bytemuck::cast_slice(src.as_flattened())),
        Arg::WordsMut(bytemuck::cast_slice_mut(dst.as_flattened_mut())),
        Arg::Value(n),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(matrix),
        Arg::Words(src),
        Arg::WordsMut(dst),
        Arg::Value(n),
    ] = args
    else {
        return Err(KERNEL.signature("matrix, src, dst, n"));
    };
    let n = *n as usize;
    if matrix.len() < 16 || dst.len().min(src.len()) / 4 < n {
        return Err(KERNEL.signature("a matrix has 16 words, src and dst four for each vector"));
    }
    let m = columns(matrix);
    let vectors = src.as_chunks().0.iter().take(n);
    for (vector, out) in vectors.zip(dst.as_chunks_mut().0) {
        *out = fpu::transform(&m, vector.map(f32::from_bits)).map(f32::to_bits);
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = rng.below(49);
    let src: Vec<f32> = (0..4 * n).map(|_| rng.finite()).collect();
    Case(vec![
        Value::floats(&rng.matrix()),
        Value::floats(&src),
        Value::output(4 * n as usize + 2),
        Value::Value(n),
    ])
}

fn deviation(before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let end = 4 * case.value(3) as usize;
    for (i, &out) in case.floats(2)[..end].iter().enumerate() {
        let vector = [0, 1, 2, 3].map(|k| exact(case.floats(1)[i / 4 * 4 + k]));
        let (value, bound) = inner(row(case.floats(0), i % 4), vector);
        worst.note(i, out, value, bound);
    }
    worst.note_exact(end, before.words(2)[end..] == case.words(2)[end..]);
    worst
}
