//! `void mix_stereo(const void *samples, const uint32_t channels[][4], uint32_t n, uint32_t frames, uint32_t
//! out[])`: mixes `n` channels to stereo frames.
//!
//! A channel has four words: the offset of its first sample in bytes from `samples`, 0 for 16-bit or 1 for
//! 8-bit samples, and the left and right volume, 0 to 256. Samples are signed and little-endian; 16-bit
//! samples are at even offsets. The volume 256 keeps a 16-bit sample unchanged and multiplies an 8-bit sample
//! by 256. Each product is rounded down to an integer; the sums saturate at the end. A frame is one word,
//! with the left sample in the low half.
//!
//! The sound block's ARM7 has a kernel with the same prototype. Tests compare it with this reference, too.

use crate::bytes::{byte, field};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "mix_stereo",
    symbol: "_mix_stereo",
    summary: "16-bit and 8-bit channels into saturated stereo frames",
    params: &[
        Param::words("samples"),
        Param::words("channels"),
        Param::value("n"),
        Param::value("frames"),
        Param::words_mut("out"),
    ],
    reference,
    generate,
    deviation,
};

/// Words of a channel.
const CHANNEL: usize = 4;
/// Largest volume; it keeps a 16-bit sample unchanged.
const FULL: u32 = 256;

/// Mixes `out.len()` frames of `channels`: offset in bytes, 0 for 16 bits or 1 for 8, left and right volume.
///
/// # Errors
/// See [`KernelError`]; a signature error if a channel's samples are beyond `samples`, or a volume is above
/// 256.
pub fn mix_stereo(
    kernels: &mut dyn Kernels,
    samples: &[u32],
    channels: &[[u32; CHANNEL]],
    out: &mut [u32],
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Words(samples),
        Arg::Words(channels.as_flattened()),
        Arg::Value(channels.len() as u32),
        Arg::Value(out.len() as u32),
        Arg::WordsMut(out),
    ];
    kernels.call(&KERNEL, &mut args)
}

/// Sample `frame` of a channel.
fn value(samples: &[u32], channel: &[u32], frame: usize) -> i32 {
    let start = channel[0] as usize;
    match channel[1] & 1 {
        0 => i32::from(field(samples, 16, start / 2 + frame) as i16),
        _ => i32::from(byte(samples, start + frame) as i8) << 8,
    }
}

/// Returns true if all samples of a channel are inside the buffer.
fn fits(samples: &[u32], channel: &[u32], frames: usize) -> bool {
    let (start, size) = (channel[0] as usize, if channel[1] & 1 == 0 { 2 } else { 1 });
    start.is_multiple_of(size) && start + size * frames <= 4 * samples.len()
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(samples),
        Arg::Words(channels),
        Arg::Value(n),
        Arg::Value(frames),
        Arg::WordsMut(out),
    ] = args
    else {
        return Err(KERNEL.signature("samples, channels, n, frames, out"));
    };
    let (n, frames) = (*n as usize, *frames as usize);
    if channels.len() / CHANNEL < n || out.len() < frames {
        return Err(KERNEL.signature("n or frames is beyond the buffers"));
    }
    let channels = || channels.chunks_exact(CHANNEL).take(n);
    if !channels().all(|channel| fits(samples, channel, frames)) {
        return Err(KERNEL.signature("a channel's samples are beyond the buffer"));
    }
    if channels().any(|channel| channel[2].max(channel[3]) > FULL) {
        return Err(KERNEL.signature("a volume is above 256"));
    }
    for (frame, out) in out[..frames].iter_mut().enumerate() {
        let [left, right] = [2, 3].map(|volume| {
            let scaled = |channel: &[u32]| (value(samples, channel, frame) * channel[volume] as i32) >> 8;
            let sum: i32 = channels().map(scaled).sum();
            sum.clamp(i16::MIN.into(), i16::MAX.into()) as u16
        });
        *out = u32::from(left) | u32::from(right) << 16;
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let (n, frames) = (rng.below(7), rng.below(24));
    let words = (frames / 2 + 8) as usize;
    let quiet = rng.below(2) == 0;
    let samples: Vec<u32> = (0..words)
        .map(|_| match quiet {
            // Each half is a signed number of 12 bits.
            true => (rng.word() as i32 >> 20) as u16 as u32 | (rng.word() as i32 >> 20 << 16) as u32,
            false => rng.word(),
        })
        .collect();
    let mut channels = Vec::new();
    for _ in 0..n {
        let eight = rng.below(2);
        let offset = rng.below(4 * words as u32 - frames * (2 - eight)) & !(1 - eight);
        channels.extend([offset, eight, rng.below(FULL + 1), rng.below(FULL + 1)]);
    }
    // The array has one more channel than the count.
    channels.extend([0, 0, FULL, FULL]);
    Case(vec![
        Value::Words(samples),
        Value::Words(channels),
        Value::Value(n),
        Value::Value(frames),
        Value::output(frames.max(1) as usize),
    ])
}

/// Compares with the sum of exact products. Rounding reduces each product by less than one.
fn deviation(before: &Case, after: &Case) -> Deviation {
    let (samples, n) = (before.words(0), before.value(2) as usize);
    let mut worst = Deviation::default();
    for i in 0..2 * before.value(3) as usize {
        let channels = before.words(1).chunks_exact(CHANNEL).take(n);
        let exact: f64 = channels
            .map(|channel| {
                let volume = f64::from(channel[2 + i % 2]) / f64::from(FULL);
                f64::from(value(samples, channel, i / 2)) * volume
            })
            .sum();
        let result = f32::from(field(after.words(4), 16, i) as i16);
        worst.note(i / 2, result, exact.clamp(-32768.0, 32767.0), n as f64);
    }
    worst
}
