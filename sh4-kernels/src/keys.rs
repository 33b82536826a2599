//! Shared code of the key kernels: the position of a frame between two keys.
//!
//! A record of a key kernel begins with two words: the frame of the key before, and the number of frames to
//! the key after. `t = (frame - start) / length`; it exceeds 1 if the frame is past the motion's last key.

use crate::bounded::Bounded;
use crate::{Arg, Rng, Signature};
use sh4_fpu::startup as fpu;

/// Interval between two keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Frame of the key before.
    pub start: u32,
    /// Number of frames to the key after; at least 1.
    pub length: u32,
}

impl Span {
    /// Returns the first two words of a record.
    pub(crate) fn words(self) -> [u32; 2] {
        [self.start, self.length]
    }

    pub(crate) fn of(record: &[u32]) -> Self {
        Self {
            start: record[0],
            length: record[1],
        }
    }

    /// Position of `frame` between the keys: 0 at the key before, 1 at the key after.
    pub(crate) fn time(self, frame: f32) -> f32 {
        let elapsed = fpu::sub(frame, fpu::from_int(self.start as i32));
        fpu::div(elapsed, fpu::from_int(self.length as i32))
    }

    pub(crate) fn bounded_time(self, frame: f32) -> Bounded {
        let elapsed = Bounded::single(frame).sub(Bounded::integer(self.start as i32));
        elapsed.div(Bounded::integer(self.length as i32))
    }

    /// Generates a span that usually contains the frame. Sometimes the frame is on a key or after the span.
    pub(crate) fn generate(rng: &mut Rng, frame: f32) -> Self {
        let whole = frame as u32;
        match rng.below(8) {
            0 => Self {
                start: whole,
                length: 1,
            },
            1 => Self {
                start: whole.saturating_sub(rng.below(100)),
                length: 1 + rng.below(4),
            },
            _ => {
                let before = rng.below(60).min(whole);
                let length = before + 1 + rng.below(60);
                Self {
                    start: whole - before,
                    length,
                }
            }
        }
    }
}

/// A frame number, with or without a fraction.
pub(crate) fn generate_frame(rng: &mut Rng) -> f32 {
    let whole = rng.below(3000) as f32;
    if rng.below(4) == 0 {
        whole
    } else {
        whole + rng.range(0.0, 1.0)
    }
}

/// `(1 - t) * a + t * b`; the second product and the sum are rounded once, together.
pub(crate) fn lerp(t: f32, a: f32, b: f32) -> f32 {
    fpu::mac(fpu::mul(a, fpu::sub(1.0, t)), b, t)
}

pub(crate) fn bounded_lerp(t: Bounded, a: Bounded, b: Bounded) -> Bounded {
    a.mul(Bounded::constant(1.0).sub(t)).mac(b, t)
}

/// Checks that the buffers have room for `n` records of `stride` words and `n` outputs of `width` words.
pub(crate) fn check_records(
    error: Signature,
    records: &[u32],
    stride: usize,
    n: usize,
    out: usize,
    width: usize,
) -> Result<(), Signature> {
    if records.len() / stride < n || out / width < n {
        return Err(error);
    }
    Ok(())
}

/// Arguments of most key kernels: frame, records, n, out.
pub(crate) fn frame_records_out<'a>(
    args: &'a mut [Arg<'_>],
) -> Option<(f32, &'a [u32], usize, &'a mut [u32])> {
    match args {
        [
            Arg::Value(frame),
            Arg::Words(records),
            Arg::Value(n),
            Arg::WordsMut(out),
        ] => Some((f32::from_bits(*frame), records, *n as usize, out)),
        _ => None,
    }
}
