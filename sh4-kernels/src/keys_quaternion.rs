//! `void keys_quaternion(float_bits frame, const uint32_t records[][10], uint32_t n, float out[][4])`:
//! interpolates rotations between two quaternion keys.
//!
//! A record is the span (start, length), the key before and the key after, four floats each, real part first.
//! The result is `(1 - t) * before + t * after`, normalised to length one. The second weight is negated if
//! the keys' inner product is negative. A result of length zero, possible only with keys of zeros, stays
//! zero.

use crate::bounded::Bounded;
use crate::keys::{Span, check_records, frame_records_out, generate_frame};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "keys_quaternion",
    symbol: "_keys_quaternion",
    summary: "rotations between two quaternion keys",
    params: &[
        Param::value("frame"),
        Param::words("records").aligned(8),
        Param::value("n"),
        Param::words_mut("out").aligned(8),
    ],
    reference,
    generate,
    deviation,
};

/// Number of words of a record.
const RECORD: usize = 10;

/// One rotation to interpolate: the key before and the key after, real part first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keys {
    /// Keys around the frame.
    pub span: Span,
    /// Values at the key before and the key after.
    pub values: [[f32; 4]; 2],
}

/// Returns the rotations of all `keys` at `frame`.
///
/// # Errors
/// See [`KernelError`].
pub fn keys_quaternion(
    kernels: &mut dyn Kernels,
    frame: f32,
    keys: &[Keys],
) -> Result<Vec<[f32; 4]>, KernelError> {
    let mut out = vec![[0.0; 4]; keys.len()];
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

/// Returns the two keys of a record.
fn ends<T>(record: &[u32], of: impl Fn(u32) -> T) -> [[T; 4]; 2] {
    [2, 6].map(|at| std::array::from_fn(|k| of(record[at + k])))
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let (frame, records, n, out) =
        frame_records_out(args).ok_or(KERNEL.signature("frame, records, n, out"))?;
    check_records(
        KERNEL.signature("a record has 10 words, its value 4"),
        records,
        RECORD,
        n,
        out.len(),
        4,
    )?;
    for (record, out) in records.chunks_exact(RECORD).zip(out.chunks_exact_mut(4)).take(n) {
        let t = Span::of(record).time(frame);
        let [before, after] = ends(record, f32::from_bits);
        let nearer = if fpu::greater(0.0, fpu::inner(before, after)) {
            fpu::neg(t)
        } else {
            t
        };
        let away = fpu::sub(1.0, t);
        let mut mixed = [0, 1, 2, 3].map(|k| fpu::mac(fpu::mul(before[k], away), after[k], nearer));
        let square = fpu::inner(mixed, mixed);
        if !fpu::equal(square, 0.0) {
            mixed = mixed.map(|part| fpu::mul(part, fpu::rsqrt(square)));
        }
        out.copy_from_slice(&mixed.map(f32::to_bits));
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(16);
    let frame = generate_frame(rng);
    let records = (0..n).flat_map(|_| {
        // The frame is never after the later key: with t > 1, the terms may cancel, and no error bound holds.
        // Motions do not need such frames, because their rotations end with a key.
        let whole = frame as u32;
        let before = rng.below(60).min(whole);
        let span = Span {
            start: whole - before,
            length: before + 1 + rng.below(60),
        };
        let values = [quaternion(rng), quaternion(rng)];
        Keys { span, values }.words()
    });
    Case(vec![
        Value::Value(frame.to_bits()),
        Value::Words(records.collect()),
        Value::Value(n),
        Value::output(4 * n as usize),
    ])
}

/// A random quaternion of length one, up to rounding.
pub(crate) fn quaternion(rng: &mut Rng) -> [f32; 4] {
    let [x, y, z] = rng.unit();
    let half = rng.range(0.0, std::f32::consts::TAU);
    let (sin, cos) = half.sin_cos();
    [cos, x * sin, y * sin, z * sin]
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let frame = f32::from_bits(case.value(0));
    for (i, record) in case.words(1).chunks_exact(RECORD).enumerate() {
        let t = Span::of(record).bounded_time(frame);
        let keys = ends(record, Bounded::bits);
        let out = &case.floats(3)[4 * i..4 * i + 4];
        let cosine = Bounded::inner(keys[0], keys[1]);
        // If the inner product is nearly 0, rounding on the chip can give it either sign.
        let mut signs = vec![cosine.value < 0.0];
        if cosine.value.abs() <= cosine.slack {
            signs.push(cosine.value >= 0.0);
        }
        let of_sign = |negative: bool| {
            let exact = mixed(t, keys, negative);
            let mut deviation = Deviation::default();
            for k in 0..4 {
                deviation.note(4 * i + k, out[k], exact[k].value, exact[k].slack);
            }
            deviation
        };
        let best = signs
            .into_iter()
            .map(of_sign)
            .min_by(|a, b| a.worst.total_cmp(&b.worst));
        if let Some(best) = best.filter(|best| best.worst > worst.worst) {
            worst = best;
        }
    }
    worst
}

fn mixed(t: Bounded, [before, after]: [[Bounded; 4]; 2], negative: bool) -> [Bounded; 4] {
    let nearer = if negative { t.neg() } else { t };
    let away = Bounded::constant(1.0).sub(t);
    let mixed = [0, 1, 2, 3].map(|k| before[k].mul(away).mac(after[k], nearer));
    let factor = Bounded::inner(mixed, mixed).rsqrt();
    mixed.map(|part| part.mul(factor))
}

#[cfg(test)]
mod tests {
    use super::{Keys, keys_quaternion};
    use crate::Reference;
    use crate::keys::Span;

    fn middle(before: [f32; 4], after: [f32; 4]) -> [f32; 4] {
        let keys = Keys {
            span: Span { start: 0, length: 2 },
            values: [before, after],
        };
        keys_quaternion(&mut Reference, 1.0, &[keys]).unwrap()[0]
    }

    /// Halfway between no turn and a half turn about y is a quarter turn: cos 45 and sin 45 degrees.
    #[test]
    fn the_middle_is_of_length_one_and_on_the_near_side() {
        let expected = std::f32::consts::FRAC_1_SQRT_2;
        for sign in [1.0, -1.0] {
            // Both signs are the same rotation. An inner product of 0 is not negative, so the test uses
            // slightly less than a half turn.
            let [re, x, y, z] = middle([1.0, 0.0, 0.0, 0.0], [sign * 1.0e-6, 0.0, sign, 0.0]);
            assert!(
                (re - expected).abs() < 1.0e-6 && (y - expected).abs() < 1.0e-6,
                "{re} {y}"
            );
            assert_eq!([x, z], [0.0; 2]);
        }
    }

    #[test]
    fn zeros_stay_zeros() {
        assert_eq!(middle([0.0; 4], [0.0; 4]), [0.0; 4]);
    }
}
