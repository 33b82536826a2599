//! `void unpack_normals(const uint32_t src[], uint32_t n, uint32_t stride, float dst[][4])`: converts packed
//! normals of the vertex kinds CV_VNX to floats.
//!
//! A word has x in bits 29-20, y in 19-10, z in 9-0, each signed and divided by 512. `stride` is in bytes;
//! the fourth float of an element is zero. `dst` is 8-byte aligned.

use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "unpack_normals",
    symbol: "_unpack_normals",
    summary: "10-bit normals as floats",
    params: &[
        Param::words("src"),
        Param::value("n"),
        Param::value("stride"),
        Param::words_mut("dst").aligned(8),
    ],
    reference,
    generate,
    deviation,
};

/// Unpacks one word of `src` to each element of `dst`. The words are `stride` words apart.
///
/// # Errors
/// See [`KernelError`]; a signature error if `src` is too short.
pub fn unpack_normals(
    kernels: &mut dyn Kernels,
    src: &[u32],
    stride: usize,
    dst: &mut [[f32; 4]],
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Words(src),
        Arg::Value(dst.len() as u32),
        Arg::Value(4 * stride as u32),
        Arg::WordsMut(bytemuck::cast_slice_mut(dst.as_flattened_mut())),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(src),
        Arg::Value(n),
        Arg::Value(stride),
        Arg::WordsMut(dst),
    ] = args
    else {
        return Err(KERNEL.signature("src, n, stride, dst"));
    };
    let (n, stride) = (*n as usize, *stride as usize / 4);
    let last = n.saturating_sub(1).checked_mul(stride);
    if n > 0 && last.is_none_or(|last| last >= src.len()) || dst.len() / 4 < n {
        return Err(KERNEL.signature("src has fewer than n words at the stride, or dst fewer than 4 n"));
    }
    for i in 0..n {
        let word = src[i * stride];
        for (k, shift) in [2, 12, 22].into_iter().enumerate() {
            let part = (word << shift) as i32 >> 22;
            dst[4 * i + k] = fpu::mul(fpu::from_int(part), 1.0 / 512.0).to_bits();
        }
        dst[4 * i + 3] = 0;
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let (n, stride) = (1 + rng.below(48), 1 + rng.below(5));
    Case(vec![
        Value::Words((0..n * stride).map(|_| rng.word()).collect()),
        Value::Value(n),
        Value::Value(4 * stride),
        Value::output(4 * n as usize),
    ])
}

/// Ten bits divided by a power of two must be exact.
fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let stride = case.value(2) as usize / 4;
    for (at, &found) in case.floats(3).iter().enumerate() {
        let word = case.words(0)[at / 4 * stride];
        let part = match at % 4 {
            3 => 0,
            k => word >> (20 - 10 * k) & 0x3FF,
        };
        let signed = i64::from(part) - if part >= 512 { 1024 } else { 0 };
        worst.note(at, found, signed as f64 / 512.0, 0.0);
    }
    worst
}
