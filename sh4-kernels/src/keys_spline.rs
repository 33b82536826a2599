//! `void keys_spline(float_bits frame, const uint32_t records[][14], uint32_t n, float out[][3])`:
//! interpolates positions and scales on a uniform Catmull-Rom spline through four keys.
//!
//! A record is the span (start, length) and, for x, y and z in turn, the values of the two keys before and of
//! the two keys after. Weights in `t`: `(2t^2 - t - t^3)/2`, `(2 - 5t^2 + 3t^3)/2`, `(t + 4t^2 - 3t^3)/2`,
//! `(t^3 - t^2)/2`. The weighted sum is one inner product (FIPR).

use crate::bounded::Bounded;
use crate::keys::{Span, check_records, frame_records_out, generate_frame};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "keys_spline",
    symbol: "_keys_spline",
    summary: "positions and scales on a spline through four keys",
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
const RECORD: usize = 14;

/// One value to interpolate: the four keys around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keys {
    /// Interval from the second to the third key, which contains the frame.
    pub span: Span,
    /// Values at the keys in the order of time.
    pub values: [[f32; 3]; 4],
}

/// Returns the values of all `keys` at `frame`.
///
/// # Errors
/// See [`KernelError`].
pub fn keys_spline(
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
        for (i, word) in words[2..].iter_mut().enumerate() {
            *word = self.values[i % 4][i / 4].to_bits();
        }
        words
    }
}

fn weights(t: f32) -> [f32; 4] {
    let half = |value| fpu::mul(value, 0.5);
    let t_and = |value| fpu::mul(value, t);
    [
        half(t_and(fpu::sub(t_and(fpu::sub(2.0, t)), 1.0))),
        half(fpu::add(t_and(t_and(fpu::sub(t_and(3.0), 5.0))), 2.0)),
        half(t_and(fpu::add(t_and(fpu::sub(4.0, t_and(3.0))), 1.0))),
        half(t_and(t_and(fpu::sub(t, 1.0)))),
    ]
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let (frame, records, n, out) =
        frame_records_out(args).ok_or(KERNEL.signature("frame, records, n, out"))?;
    check_records(
        KERNEL.signature("a record has 14 words, its value 3"),
        records,
        RECORD,
        n,
        out.len(),
        3,
    )?;
    for (record, out) in records.chunks_exact(RECORD).zip(out.chunks_exact_mut(3)).take(n) {
        let weights = weights(Span::of(record).time(frame));
        for (values, out) in record[2..].as_chunks::<4>().0.iter().zip(out) {
            *out = fpu::inner(weights, values.map(f32::from_bits)).to_bits();
        }
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(16);
    let frame = generate_frame(rng);
    let records = (0..n).flat_map(|_| {
        let span = Span::generate(rng, frame);
        let values = std::array::from_fn(|_| rng.finites());
        Keys { span, values }.words()
    });
    Case(vec![
        Value::Value(frame.to_bits()),
        Value::Words(records.collect()),
        Value::Value(n),
        Value::output(3 * n as usize),
    ])
}

/// Evaluates the polynomials of the module documentation in the order of the reference, so that roundings are
/// counted.
fn bounded_weights(t: Bounded) -> [Bounded; 4] {
    let number = Bounded::constant;
    let half = |value: Bounded| value.mul(number(0.5));
    [
        half(number(2.0).sub(t).mul(t).sub(number(1.0)).mul(t)),
        half(number(3.0).mul(t).sub(number(5.0)).mul(t).mul(t).add(number(2.0))),
        half(number(4.0).sub(number(3.0).mul(t)).mul(t).add(number(1.0)).mul(t)),
        half(t.sub(number(1.0)).mul(t).mul(t)),
    ]
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let frame = f32::from_bits(case.value(0));
    for (i, record) in case.words(1).chunks_exact(RECORD).enumerate() {
        let weights = bounded_weights(Span::of(record).bounded_time(frame));
        for (k, values) in record[2..].as_chunks::<4>().0.iter().enumerate() {
            let exact = Bounded::inner(weights, values.map(Bounded::bits));
            let at = 3 * i + k;
            worst.note(at, case.floats(3)[at], exact.value, exact.slack);
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::weights;

    /// Computed by hand from the polynomials in docs/formats/ninja.md, section 2.5: halves have exact binary
    /// fractions.
    #[test]
    fn weights_at_the_keys_and_in_the_middle() {
        assert_eq!(weights(0.0), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(weights(0.5), [-0.0625, 0.5625, 0.5625, -0.0625]);
        assert_eq!(weights(1.0), [0.0, 0.0, 1.0, 0.0]);
        // (2/16 - 1/4 - 1/64) / 2, (2 - 5/16 + 3/64) / 2, (1/4 + 4/16 - 3/64) / 2, (1/64 - 1/16) / 2
        assert_eq!(
            weights(0.25),
            [-9.0 / 128.0, 111.0 / 128.0, 29.0 / 128.0, -3.0 / 128.0]
        );
    }
}
