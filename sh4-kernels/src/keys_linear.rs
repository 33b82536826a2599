//! `void keys_linear(float_bits frame, const uint32_t records[][8], uint32_t n, float out[][3])`:
//! interpolates positions and scales between two keys.
//!
//! A record is the span (start, length), the key before and the key after, three floats each.
//! `out = (1 - t) * before + t * after`.

use crate::bounded::Bounded;
use crate::keys::{Span, bounded_lerp, check_records, frame_records_out, generate_frame, lerp};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "keys_linear",
    symbol: "_keys_linear",
    summary: "positions and scales between two keys",
    params: &[
        Param::value("frame"),
        Param::words("records"),
        Param::value("n"),
        Param::words_mut("out"),
    ],
    reference,
    generate,
    deviation,
};

/// Number of words of a record.
const RECORD: usize = 8;

/// One value to interpolate: the key before and the key after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keys {
    /// Keys around the frame.
    pub span: Span,
    /// Values at the key before and the key after.
    pub values: [[f32; 3]; 2],
}

/// Returns the values of all `keys` at `frame`.
///
/// # Errors
/// See [`KernelError`].
pub fn keys_linear(
    kernels: &mut dyn Kernels,
    frame: f32,
    keys: &[Keys],
) -> Result<Vec<[f32; 3]>, KernelError> {
    let mut out = vec![[0.0; 3]; keys.len()];
    let records: Vec<u32> = keys.iter().flat_map(Keys::words).collect();
    let mut args = [
        Arg::Value(frame.to_bits()),
        Arg::Words(&records),
        Arg::Value(keys.len() as u32),
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
    let (frame, records, n, out) =
        frame_records_out(args).ok_or(KERNEL.signature("frame, records, n, out"))?;
    check_records(
        KERNEL.signature("a record has 8 words, its value 3"),
        records,
        RECORD,
        n,
        out.len(),
        3,
    )?;
    for (record, out) in records.chunks_exact(RECORD).zip(out.chunks_exact_mut(3)).take(n) {
        let t = Span::of(record).time(frame);
        for (k, out) in out.iter_mut().enumerate() {
            *out = lerp(t, f32::from_bits(record[2 + k]), f32::from_bits(record[5 + k])).to_bits();
        }
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(24);
    let frame = generate_frame(rng);
    let records = (0..n).flat_map(|_| {
        let span = Span::generate(rng, frame);
        let values = [rng.finites(), rng.finites()];
        Keys { span, values }.words()
    });
    Case(vec![
        Value::Value(frame.to_bits()),
        Value::Words(records.collect()),
        Value::Value(n),
        Value::output(3 * n as usize),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let frame = f32::from_bits(case.value(0));
    for (i, record) in case.words(1).chunks_exact(RECORD).enumerate() {
        let t = Span::of(record).bounded_time(frame);
        for k in 0..3 {
            let exact = bounded_lerp(t, Bounded::bits(record[2 + k]), Bounded::bits(record[5 + k]));
            worst.note(3 * i + k, case.floats(3)[3 * i + k], exact.value, exact.slack);
        }
    }
    worst
}
