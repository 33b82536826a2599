//! `void project_points(const float viewport[4], const float src[], uint32_t n, float dst[][4], uint32_t
//! stride)`:
//! perspective divide and viewport.
//!
//! Points are in view space: the eye at the origin looks along -z, y is up. `viewport` is the scale of x, the
//! scale of y (negative if y points down), and the centre's x and y, all in pixels. `dst[i]` is the pixel's x
//! and y, 1/w and w, with w = -z. `stride` is in bytes, a multiple of 8; all pointers are 8-byte aligned.

use crate::bound::{HALF_ULP, TINY, exact};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "project_points",
    symbol: "_project_points",
    summary: "perspective divide and viewport",
    params: &[
        Param::words("viewport").aligned(8),
        Param::words("src").aligned(8),
        Param::value("n"),
        Param::words_mut("dst").aligned(8),
        Param::value("stride"),
    ],
    reference,
    generate,
    deviation,
};

/// Projects `dst.len()` points in view space.
///
/// # Errors
/// See [`KernelError`]; a signature error if `src` is too short.
pub fn project_points(
    kernels: &mut dyn Kernels,
    viewport: &[f32; 4],
    src: &[[f32; 4]],
    dst: &mut [[f32; 4]],
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Words(bytemuck::cast_slice(viewport)),
        Arg::Words(bytemuck::cast_slice(src.as_flattened())),
        Arg::Value(dst.len() as u32),
        Arg::WordsMut(bytemuck::cast_slice_mut(dst.as_flattened_mut())),
        Arg::Value(16),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(viewport),
        Arg::Words(src),
        Arg::Value(n),
        Arg::WordsMut(dst),
        Arg::Value(stride),
    ] = args
    else {
        return Err(KERNEL.signature("viewport, src, n, dst, stride"));
    };
    let (n, stride) = (*n as usize, *stride as usize / 4);
    KERNEL.check_vectors(16, src.len(), stride, n)?;
    if stride % 2 != 0 {
        return Err(KERNEL.signature("stride is a multiple of 8"));
    }
    if dst.len() < 4 * n || viewport.len() < 4 {
        return Err(KERNEL.signature("viewport has 4 words, dst 4 for each point"));
    }
    let [scale_x, scale_y, centre_x, centre_y] = [0, 1, 2, 3].map(|i| f32::from_bits(viewport[i]));
    let src: &[f32] = bytemuck::cast_slice(src);
    for i in 0..n {
        let [x, y, z] = [src[i * stride], src[i * stride + 1], src[i * stride + 2]];
        let w = fpu::neg(z);
        let inverse = fpu::div(1.0, w);
        dst[4 * i] = fpu::mac(centre_x, inverse, fpu::mul(x, scale_x)).to_bits();
        dst[4 * i + 1] = fpu::mac(centre_y, inverse, fpu::mul(y, scale_y)).to_bits();
        dst[4 * i + 2] = inverse.to_bits();
        dst[4 * i + 3] = w.to_bits();
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(48);
    let mut src = Vec::new();
    for _ in 0..n {
        // Zero is excluded, since its bound in f64 would be infinite. Points with negative w are included.
        let depth = if rng.below(8) == 0 {
            rng.range(0.001, 1000.0)
        } else {
            -rng.range(0.1, 2000.0)
        };
        src.extend([rng.finite(), rng.finite(), depth, 1.0]);
    }
    let viewport = [rng.range(100.0, 2000.0), rng.range(-2000.0, -100.0), 320.0, 240.0];
    Case(vec![
        Value::floats(&viewport),
        Value::floats(&src),
        Value::Value(n),
        Value::output(4 * n as usize),
        Value::Value(16),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let viewport: Vec<f64> = case.floats(0).iter().map(|v| exact(*v)).collect();
    let stride = case.value(4) as usize / 4;
    for (i, (point, out)) in case
        .floats(1)
        .chunks_exact(stride)
        .zip(case.floats(3).chunks_exact(4))
        .enumerate()
    {
        let w = -exact(point[2]);
        for axis in 0..2 {
            let offset = exact(point[axis]) * viewport[axis] / w;
            let value = offset + viewport[2 + axis];
            // The SH4 rounds the scaled coordinate, the reciprocal and the sum.
            let bound = offset.abs() * 2.1 * HALF_ULP + value.abs() * HALF_ULP + TINY * (1.0 + 1.0 / w.abs());
            worst.note(4 * i + axis, out[axis], value, bound);
        }
        worst.note(4 * i + 2, out[2], 1.0 / w, (1.0 / w).abs() * HALF_ULP + TINY);
        worst.note(4 * i + 3, out[3], w, 0.0);
    }
    worst
}
