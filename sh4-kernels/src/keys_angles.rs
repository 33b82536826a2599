//! `void keys_angles(float_bits frame, const uint32_t records[][8], uint32_t n, uint32_t short_way, int32_t
//! out[][3])`: interpolates BAMS angles between two keys.
//!
//! A record is the span (start, length), the key before and the key after, three signed angles each. The
//! result is `before + t * (after - before)`, truncated toward zero. Keys of 32 bits include the number of
//! turns, so the kernel uses their full difference. With `short_way` (keys of 16 bits) it uses the low 16
//! bits as a signed number.

use crate::bounded::Bounded;
use crate::keys::{Span, check_records, generate_frame};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "keys_angles",
    symbol: "_keys_angles",
    summary: "BAMS angles between two keys",
    params: &[
        Param::value("frame"),
        Param::words("records"),
        Param::value("n"),
        Param::value("short_way"),
        Param::words_mut("out"),
    ],
    reference,
    generate,
    deviation,
};

/// Number of words of a record.
const RECORD: usize = 8;

/// Three angles to interpolate: the key before and the key after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keys {
    /// Keys around the frame.
    pub span: Span,
    /// Values at the key before and the key after.
    pub values: [[i32; 3]; 2],
}

/// Returns the angles of all `keys` at `frame`.
///
/// # Errors
/// See [`KernelError`].
pub fn keys_angles(
    kernels: &mut dyn Kernels,
    frame: f32,
    keys: &[Keys],
    short_way: bool,
) -> Result<Vec<[i32; 3]>, KernelError> {
    let mut out = vec![[0; 3]; keys.len()];
    let records: Vec<u32> = keys.iter().flat_map(Keys::words).collect();
    let mut args = [
        Arg::Value(frame.to_bits()),
        Arg::Words(&records),
        Arg::Value(keys.len() as u32),
        Arg::Value(short_way.into()),
        Arg::WordsMut(bytemuck::cast_slice_mut(out.as_flattened_mut())),
    ];
    kernels.call(&KERNEL, &mut args)?;
    Ok(out)
}

impl Keys {
    fn words(&self) -> [u32; RECORD] {
        let mut words = [0; RECORD];
        words[..2].copy_from_slice(&self.span.words());
        words[2..].copy_from_slice(bytemuck::cast_slice(self.values.as_flattened()));
        words
    }
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Value(frame),
        Arg::Words(records),
        Arg::Value(n),
        Arg::Value(short_way),
        Arg::WordsMut(out),
    ] = args
    else {
        return Err(KERNEL.signature("frame, records, n, short_way, out"));
    };
    let n = *n as usize;
    let error = KERNEL.signature("a record has 8 words, its value 3");
    check_records(error, records, RECORD, n, out.len(), 3)?;
    for (record, out) in records.chunks_exact(RECORD).zip(out.chunks_exact_mut(3)).take(n) {
        let t = Span::of(record).time(f32::from_bits(*frame));
        for (k, out) in out.iter_mut().enumerate() {
            let (before, after) = (record[2 + k] as i32, record[5 + k] as i32);
            let start = fpu::from_int(before);
            let difference = if *short_way != 0 {
                fpu::from_int(i32::from(after.wrapping_sub(before) as i16))
            } else {
                fpu::sub(fpu::from_int(after), start)
            };
            *out = fpu::trunc(fpu::mac(start, t, difference)) as u32;
        }
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(24);
    let frame = generate_frame(rng);
    let angle = |rng: &mut Rng| match rng.below(16) {
        0 => rng.word() as i32,
        1 => 0x8000,
        2 => -0x8000,
        _ => rng.below(1 << 19) as i32 - (1 << 18),
    };
    let records = (0..n).flat_map(|_| {
        let span = Span::generate(rng, frame);
        let values = std::array::from_fn(|_| std::array::from_fn(|_| angle(rng)));
        Keys { span, values }.words()
    });
    let records = records.collect();
    Case(vec![
        Value::Value(frame.to_bits()),
        Value::Words(records),
        Value::Value(n),
        Value::Value(rng.below(2)),
        Value::output(3 * n as usize),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let frame = f32::from_bits(case.value(0));
    for (i, record) in case.words(1).chunks_exact(RECORD).enumerate() {
        let t = Span::of(record).bounded_time(frame);
        for k in 0..3 {
            let (before, after) = (record[2 + k] as i32, record[5 + k] as i32);
            let start = Bounded::integer(before);
            let difference = if case.value(3) != 0 {
                Bounded::integer(i32::from(after.wrapping_sub(before) as i16))
            } else {
                Bounded::integer(after).sub(start)
            };
            let at = 3 * i + k;
            let result = case.words(4)[at] as i32;
            worst.note_exact(at, start.mac(t, difference).truncates_to(result));
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::{Keys, keys_angles};
    use crate::Reference;
    use crate::keys::Span;

    fn middle(before: i32, after: i32, short_way: bool) -> i32 {
        let keys = Keys {
            span: Span { start: 10, length: 2 },
            values: [[before, 0, 0], [after, 0, 0]],
        };
        keys_angles(&mut Reference, 11.0, &[keys], short_way).unwrap()[0][0]
    }

    /// From 0x7000 to 0x9000 both rules give 0x8000. The 16-bit format reads 0x9000 as -0x7000, and only the
    /// short way gives 0x8000 for this key (docs/formats/ninja.md, section 2.5).
    #[test]
    fn the_two_rules() {
        assert_eq!(middle(0x7000, 0x9000, false), 0x8000);
        assert_eq!(middle(0x7000, -0x7000, false), 0);
        assert_eq!(middle(0x7000, -0x7000, true), 0x8000);
        // A full turn is a full turn in 32 bits, and 0 in 16 bits.
        assert_eq!(middle(0, 0x10000, false), 0x8000);
        assert_eq!(middle(0, 0x10000, true), 0);
    }

    #[test]
    fn halves_are_cut_toward_zero() {
        assert_eq!(middle(0, 5, false), 2);
        assert_eq!(middle(0, -5, false), -2);
        // -5 + 2.5 = -2.5
        assert_eq!(middle(-5, 0, false), -2);
    }
}
