//! `void resample_linear(const int16_t *src, uint32_t n, uint32_t *phase, uint32_t step, int16_t *dst)`:
//! computes `n` samples by linear interpolation, starting at position `phase`.
//!
//! Positions are in samples of `src` with 16 fraction bits, of which the kernel uses 15. `src` must also hold
//! the sample after the last position. The kernel advances `phase` past the last sample, so that the next
//! call continues the stream; with `n` = 0 `phase` does not change.

use sh4_kernels::{Arg, Case, Deviation, Kernel, Param, Rng, Signature, Value};

use super::{sample, set_sample, signature};

/// Row of this kernel in the manifest.
pub static KERNEL: Kernel = Kernel {
    name: "resample_linear",
    symbol: "resample_linear",
    summary: "16-bit samples resampled to another rate by linear interpolation",
    params: &[
        Param::halfwords("src"),
        Param::value("n"),
        Param::words_mut("phase"),
        Param::value("step"),
        Param::words_mut("dst"),
    ],
    reference,
    generate,
    deviation,
};

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Halfwords(src),
        Arg::Value(n),
        Arg::WordsMut(phase),
        Arg::Value(step),
        Arg::WordsMut(dst),
    ] = args
    else {
        return Err(signature(&KERNEL, "src, n, phase, step, dst"));
    };
    let n = *n as usize;
    if phase.is_empty() || 2 * dst.len() < n {
        return Err(signature(&KERNEL, "n is beyond dst, or phase is empty"));
    }
    for i in 0..n {
        let (at, fraction) = ((phase[0] >> 16) as usize, phase[0] & 0xFFFF);
        let (Some(&here), Some(&next)) = (src.get(at), src.get(at + 1)) else {
            return Err(signature(&KERNEL, "a position is beyond src"));
        };
        let (here, next) = (i32::from(here as i16), i32::from(next as i16));
        let value = here + (((next - here) * (fraction >> 1) as i32) >> 15);
        set_sample(dst, i, value);
        phase[0] = phase[0].wrapping_add(*step);
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = rng.below(40);
    let (phase, step) = (rng.below(0x4_0000), rng.below(0x3_0000));
    let last = (phase + step * n.saturating_sub(1)) >> 16;
    let src = (0..last + 2).map(|_| match rng.below(4) {
        0 => 0x7FFF + (rng.word() as u16 & 1),
        _ => rng.word() as u16,
    });
    Case(vec![
        Value::Halfwords(src.collect()),
        Value::Value(n),
        Value::WordsMut(vec![phase]),
        Value::Value(step),
        Value::output(n.div_ceil(2).max(1) as usize),
    ])
}

/// Compares with an interpolation that uses all 16 fraction bits. The bit that the kernel ignores changes the
/// result by 2^-16 of the difference of two samples; rounding changes it by less than 1.
fn deviation(before: &Case, after: &Case) -> Deviation {
    let Some(Value::Halfwords(src)) = before.0.first() else {
        return Deviation::default();
    };
    let mut worst = Deviation::default();
    let n = before.value(1) as usize;
    for i in 0..n {
        let phase = before.words(2)[0] + before.value(3) * i as u32;
        let at = (phase >> 16) as usize;
        let [here, next] = [at, at + 1].map(|at| f64::from(src[at] as i16));
        let exact = here + (next - here) * f64::from(phase & 0xFFFF) / 65536.0;
        let result = f32::from(sample(after.words(4), i));
        worst.note(i, result, exact, 1.0 + (next - here).abs() / 65536.0);
    }
    let end = before.words(2)[0].wrapping_add(before.value(3).wrapping_mul(n as u32));
    worst.note_exact(0, after.words(2)[0] == end);
    worst
}
