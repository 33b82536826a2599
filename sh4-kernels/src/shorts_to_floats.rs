//! `void shorts_to_floats(const int16_t src[], uint32_t n, uint32_t count, uint32_t stride, float_bits scale,
//! float dst[][4])`: converts signed half-words of a polygon list (texture coordinates, normals) to floats.
//!
//! Element `i` of `dst` consists of the `count` (1 to 4) half-words at `src + i * stride` bytes, each times
//! `scale`, followed by zeros. `dst` is 8-byte aligned.

use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "shorts_to_floats",
    symbol: "_shorts_to_floats",
    summary: "half-words of strips as floats",
    params: &[
        Param::halfwords("src"),
        Param::value("n"),
        Param::value("count"),
        Param::value("stride"),
        Param::value("scale"),
        Param::words_mut("dst").aligned(8),
    ],
    reference,
    generate,
    deviation,
};

/// Converts `count` half-words at every `stride` of `src`, one element for each of `dst`.
///
/// # Errors
/// See [`KernelError`]; a signature error if `src` is too short or `count` is not 1 to 4.
pub fn shorts_to_floats(
    kernels: &mut dyn Kernels,
    src: &[u16],
    count: usize,
    stride: usize,
    scale: f32,
    dst: &mut [[f32; 4]],
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Halfwords(src),
        Arg::Value(dst.len() as u32),
        Arg::Value(count as u32),
        Arg::Value(2 * stride as u32),
        Arg::Value(scale.to_bits()),
        Arg::WordsMut(bytemuck::cast_slice_mut(dst.as_flattened_mut())),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Halfwords(src),
        Arg::Value(n),
        Arg::Value(count),
        Arg::Value(stride),
        Arg::Value(scale),
        Arg::WordsMut(dst),
    ] = args
    else {
        return Err(KERNEL.signature("src, n, count, stride, scale, dst"));
    };
    let (n, count, stride) = (*n as usize, *count as usize, *stride as usize / 2);
    let needed = n.saturating_sub(1).checked_mul(stride).map(|start| start + count);
    if n > 0 && needed.is_none_or(|needed| needed > src.len())
        || !(1..=4).contains(&count)
        || dst.len() / 4 < n
    {
        return Err(KERNEL.signature("1 to 4 half-words at each stride, 4 words of dst for each"));
    }
    for i in 0..n {
        for k in 0..4 {
            dst[4 * i + k] = if k < count {
                let raw = fpu::from_int(i32::from(src[i * stride + k] as i16));
                fpu::mul(raw, f32::from_bits(*scale)).to_bits()
            } else {
                0
            };
        }
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let (n, count) = (1 + rng.below(48), 1 + rng.below(4));
    let stride = count + rng.below(3);
    let scale = [1.0_f32 / 256.0, 1.0 / 1024.0, 1.0 / 32767.0][rng.below(3) as usize];
    Case(vec![
        Value::Halfwords((0..n * stride).map(|_| rng.word() as u16).collect()),
        Value::Value(n),
        Value::Value(count),
        Value::Value(2 * stride),
        Value::Value(scale.to_bits()),
        Value::output(4 * n as usize),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let Some(Value::Halfwords(src)) = case.0.first() else {
        return worst;
    };
    let (count, stride) = (case.value(2) as usize, case.value(3) as usize / 2);
    let scale = f64::from(f32::from_bits(case.value(4)));
    for (at, &found) in case.floats(5).iter().enumerate() {
        let (i, k) = (at / 4, at % 4);
        let exact = if k < count {
            f64::from(src[i * stride + k] as i16) * scale
        } else {
            0.0
        };
        worst.note(at, found, exact, exact.abs() * crate::bound::HALF_ULP);
    }
    worst
}
