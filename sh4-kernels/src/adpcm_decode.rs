//! `void adpcm_decode(const uint8_t src[], uint32_t n, int16_t dst[], int32_t state[2], uint32_t limit)`:
//! decodes Yamaha's 4-bit ADPCM as played by the AICA. `n` bytes give `2 * n` samples; the low four bits of a
//! byte come first.
//!
//! `state` is the last sample, -32768 to 32767, and the step, 0 to 24576 (at least 127 after a nibble). A
//! sound begins with 0 and [`FIRST_STEP`]. Each nibble multiplies the step by 230/256 to 614/256, selected by
//! its low three bits. Public encoders and decoders use these factors, and so does the published description
//! of Creative's variant.
//!
//! `limit` is the largest allowed difference between two samples. Without it, a nibble at the largest step
//! gives 46080. The chip clamps the difference to 32767 (`docs/hardware/aica.md`, "Sample formats"). With
//! [`NO_LIMIT`] the difference is not clamped, as in decoders of other software.
//!
//! The sound block's ARM7 has a kernel with the same prototype. Tests compare it with this reference, too.

use crate::bytes::field;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "adpcm_decode",
    symbol: "_adpcm_decode",
    summary: "Yamaha 4-bit ADPCM to 16-bit samples",
    params: &[
        Param::words("src"),
        Param::value("n"),
        Param::words_mut("dst"),
        Param::words_mut("state"),
        Param::value("limit"),
    ],
    reference,
    generate,
    deviation,
};

/// Step at the beginning of a sound.
pub const FIRST_STEP: u32 = 127;
/// Disables the limit on the difference.
pub const NO_LIMIT: u32 = u32::MAX;

/// Decodes `n` bytes of `src`, the lowest byte of a word first. Each output word has two samples, the earlier
/// one in the low half. `state` continues from call to call.
///
/// # Errors
/// See [`KernelError`]; a signature error if `src` or `dst` is too short.
pub fn adpcm_decode(
    kernels: &mut dyn Kernels,
    src: &[u32],
    n: usize,
    dst: &mut [u32],
    state: &mut [u32; 2],
    limit: u32,
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Words(src),
        Arg::Value(n as u32),
        Arg::WordsMut(dst),
        Arg::WordsMut(state),
        Arg::Value(limit),
    ];
    kernels.call(&KERNEL, &mut args)
}

/// Largest step; the smallest is [`FIRST_STEP`].
const LARGEST_STEP: i32 = 24576;
/// Factors of the step in units of 1/256, by the low three bits of a nibble.
const SCALE: [i32; 8] = [230, 230, 230, 230, 307, 409, 512, 614];

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(src),
        Arg::Value(n),
        Arg::WordsMut(dst),
        Arg::WordsMut(state),
        Arg::Value(limit),
    ] = args
    else {
        return Err(KERNEL.signature("src, n, dst, state, limit"));
    };
    let n = *n as usize;
    if src.len() * 4 < n || dst.len() < n || state.len() < 2 {
        return Err(KERNEL.signature("n is beyond the buffers"));
    }
    let (mut last, mut step) = (state[0] as i32, state[1] as i32);
    if i16::try_from(last).is_err() || !(0..=LARGEST_STEP).contains(&step) {
        return Err(KERNEL.signature("state is not a sample of 16 bits and a step of 0 to 24576"));
    }
    for (i, out) in dst[..n].iter_mut().enumerate() {
        let [first, second] = [2 * i, 2 * i + 1].map(|at| {
            let nibble = field(src, 4, at);
            let size = (nibble & 7) as i32;
            let difference = (step * (2 * size + 1) / 8).min(i32::try_from(*limit).unwrap_or(i32::MAX));
            let next = if nibble & 8 == 0 {
                last + difference
            } else {
                last - difference
            };
            last = next.clamp(i16::MIN.into(), i16::MAX.into());
            step = (step * SCALE[size as usize] / 256).clamp(FIRST_STEP as i32, LARGEST_STEP);
            last as u16
        });
        *out = u32::from(first) | u32::from(second) << 16;
    }
    state[0] = last as u32;
    state[1] = step as u32;
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = rng.below(40);
    // Some cases have only large or only small nibbles, to reach both ends of the step's range.
    let mask = [u32::MAX, u32::MAX, 0x8888_8888, 0x7777_7777][rng.below(4) as usize];
    let loud = if rng.below(3) == 0 { 0x7777_7777 } else { 0 };
    let src: Vec<u32> = (0..n.div_ceil(4).max(1))
        .map(|_| rng.word() & mask | loud)
        .collect();
    let (last, step) = match rng.below(3) {
        0 => (0, FIRST_STEP),
        1 => (i32::from(rng.word() as i16) as u32, 24576 - rng.below(40)),
        _ => (i32::from(rng.word() as i16) as u32, 127 + rng.below(24450)),
    };
    let limit = [NO_LIMIT, 0x7FFF, 1000][rng.below(3) as usize];
    Case(vec![
        Value::Words(src),
        Value::Value(n),
        Value::output(n.max(1) as usize),
        Value::WordsMut(vec![last, step]),
        Value::Value(limit),
    ])
}

/// Applies the rule to real numbers, truncated where the format truncates. Every sample must be exact.
fn deviation(before: &Case, after: &Case) -> Deviation {
    let sample = |i: usize| (after.words(2)[i / 2] >> (16 * (i % 2))) as i16;
    let (src, limit) = (before.words(0), f64::from(before.value(4)));
    let (mut last, mut step) = (
        f64::from(before.words(3)[0] as i32),
        f64::from(before.words(3)[1]),
    );
    let mut worst = Deviation::default();
    for i in 0..2 * before.value(1) as usize {
        let nibble = src[i / 8] >> (4 * (i % 8)) & 15;
        let size = f64::from(nibble & 7);
        let sign = if nibble >= 8 { -1.0 } else { 1.0 };
        last += sign * (step * (size + 0.5) / 4.0).floor().min(limit);
        last = last.clamp(-32768.0, 32767.0);
        step = (step * f64::from(SCALE[(nibble & 7) as usize]) / 256.0)
            .floor()
            .clamp(127.0, 24576.0);
        worst.note_exact(i / 2, f64::from(sample(i)) == last);
    }
    let state = after.words(3);
    worst.note_exact(
        0,
        f64::from(state[0] as i32) == last && f64::from(state[1]) == step,
    );
    worst
}
