//! `void transform_points(const float matrix[16], const float src[], float dst[][4], uint32_t n, uint32_t
//! stride, float_bits w)`:
//! `dst[i] = matrix * (x, y, z, w)` (FTRV).
//!
//! `src` is any array of elements that start with three floats, such as a vertex list in place. `stride` is
//! the distance in bytes between elements. `dst` is 8-byte aligned. `w` is the bit pattern of the fourth
//! component: 1.0 for points, 0.0 for normals.

use crate::bound::{exact, inner, row};
use crate::{
    Arg, Case, Deviation, Kernel, KernelError, Kernels, Matrix, Param, Rng, Signature, Value, columns,
};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "transform_points",
    symbol: "_transform_points",
    summary: "4x4 matrix times points or normals",
    params: &[
        Param::words("matrix").aligned(8),
        Param::words("src"),
        Param::words_mut("dst").aligned(8),
        Param::value("n"),
        Param::value("stride"),
        Param::value("w"),
    ],
    reference,
    generate,
    deviation,
};

/// Transforms `dst.len()` vectors of three words each, `stride` words apart, the first at `src[0]`.
///
/// # Errors
/// See [`KernelError`]; a signature error if `src` is too short.
pub fn transform_points(
    kernels: &mut dyn Kernels,
    matrix: &Matrix,
    src: &[u32],
    stride: usize,
    w: f32,
    dst: &mut [[f32; 4]],
) -> Result<(), KernelError> {
    let n = dst.len() as u32;
    let mut args = [
        Arg::Words(bytemuck::cast_slice(matrix.as_flattened())),
        Arg::Words(src),
        Arg::WordsMut(bytemuck::cast_slice_mut(dst.as_flattened_mut())),
        Arg::Value(n),
        Arg::Value(4 * stride as u32),
        Arg::Value(w.to_bits()),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(matrix),
        Arg::Words(src),
        Arg::WordsMut(dst),
        Arg::Value(n),
        Arg::Value(stride),
        Arg::Value(w),
    ] = args
    else {
        return Err(KERNEL.signature("matrix, src, dst, n, stride, w"));
    };
    let (n, stride) = (*n as usize, *stride as usize / 4);
    KERNEL.check_vectors(matrix.len(), src.len(), stride, n)?;
    if dst.len() < 4 * n {
        return Err(KERNEL.signature("dst is too short"));
    }
    let m = columns(matrix);
    let src: &[f32] = bytemuck::cast_slice(src);
    for (i, out) in dst.as_chunks_mut().0.iter_mut().take(n).enumerate() {
        let [x, y, z] = [src[i * stride], src[i * stride + 1], src[i * stride + 2]];
        *out = fpu::transform(&m, [x, y, z, f32::from_bits(*w)]).map(f32::to_bits);
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(48);
    let stride = [3, 4, 6, 7, 8][rng.below(5) as usize];
    let src: Vec<f32> = (0..n * stride).map(|_| rng.finite()).collect();
    let w = if rng.below(3) == 0 { 0.0_f32 } else { 1.0 };
    Case(vec![
        Value::floats(&rng.matrix()),
        Value::floats(&src),
        Value::output(4 * n as usize),
        Value::Value(n),
        Value::Value(4 * stride),
        Value::Value(w.to_bits()),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let stride = case.value(4) as usize / 4;
    let w = exact(f32::from_bits(case.value(5)));
    for (i, &out) in case.floats(2).iter().enumerate() {
        let component = |k| {
            case.floats(1)
                .get(i / 4 * stride + k)
                .map_or(f64::NAN, |v| exact(*v))
        };
        let (value, bound) = inner(
            row(case.floats(0), i % 4),
            [component(0), component(1), component(2), w],
        );
        worst.note(i, out, value, bound);
    }
    worst
}
