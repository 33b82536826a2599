//! `void sincos(const uint32_t angles[], uint32_t n, float out[][2])`: sine and cosine of BAMS angles (FSCA).
//!
//! 65,536 is a full turn; only the low 16 bits of an angle are used. `out` is 8-byte aligned.

use crate::bound::SINE;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "sincos",
    symbol: "_sincos",
    summary: "sine and cosine of BAMS angles",
    params: &[
        Param::words("angles"),
        Param::value("n"),
        Param::words_mut("out").aligned(8),
    ],
    reference,
    generate,
    deviation,
};

/// Returns sine and cosine of each angle.
///
/// # Errors
/// See [`KernelError`].
pub fn sincos<const N: usize>(
    kernels: &mut dyn Kernels,
    angles: [u32; N],
) -> Result<[[f32; 2]; N], KernelError> {
    let mut out = [[0.0_f32; 2]; N];
    let mut args = [
        Arg::Words(&angles),
        Arg::Value(N as u32),
        Arg::WordsMut(bytemuck::cast_slice_mut(out.as_flattened_mut())),
    ];
    kernels.call(&KERNEL, &mut args)?;
    Ok(out)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [Arg::Words(angles), Arg::Value(n), Arg::WordsMut(out)] = args else {
        return Err(KERNEL.signature("angles, n, out"));
    };
    let n = *n as usize;
    if angles.len() < n || out.len() < 2 * n {
        return Err(KERNEL.signature("n is beyond the buffers"));
    }
    for i in 0..n {
        let (sin, cos) = fpu::sincos(angles[i] as u16);
        out[2 * i] = sin.to_bits();
        out[2 * i + 1] = cos.to_bits();
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(32);
    let angles = (0..n)
        .map(|_| {
            if rng.below(4) == 0 {
                rng.below(16) << 12
            } else {
                rng.word()
            }
        })
        .collect();
    Case(vec![
        Value::Words(angles),
        Value::Value(n),
        Value::output(2 * n as usize),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    for (i, (&angle, out)) in case
        .words(0)
        .iter()
        .zip(case.floats(2).chunks_exact(2))
        .enumerate()
    {
        let radians = f64::from(angle & 0xFFFF) * std::f64::consts::TAU / 65536.0;
        worst.note(2 * i, out[0], radians.sin(), SINE);
        worst.note(2 * i + 1, out[1], radians.cos(), SINE);
    }
    worst
}
