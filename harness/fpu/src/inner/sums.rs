//! Alternatives to the hardware model: the exact sum, and the sum step by step.

use super::{INFINITY, SIGN};
use crate::single::{self, to_odd};
use crate::soft::{self, Number, Single};
use crate::{Cause, Control, Outcome};

/// Exact sum. Products of singles are exact in double precision. Their sum is computed without error and
/// rounded to odd, then once to single.
pub(super) fn exact(a: &[u32; 4], b: &[u32; 4], control: Control) -> Outcome<u32> {
    let wide = |bits: u32| {
        let flushed = control.flush && bits & INFINITY == 0;
        f64::from(f32::from_bits(if flushed { bits & SIGN } else { bits }))
    };
    let products = [0, 1, 2, 3].map(|i| wide(a[i]) * wide(b[i]));
    let (value, lost) = sum_exactly(products);
    let outcome = soft::round::<Single>(number_of(value), control);
    Outcome::new(outcome.bits as u32, outcome.cause.with(Cause::inexact(lost)))
}

/// Adds four doubles, rounding to odd; also returns whether bits were lost. The expansion grows without error
/// (Shewchuk, "Adaptive precision floating-point arithmetic", 1997, section 2.4).
fn sum_exactly(values: [f64; 4]) -> (f64, bool) {
    let mut parts = [0.0f64; 4];
    for (count, &value) in values.iter().enumerate() {
        let mut carry = value;
        for part in parts.iter_mut().take(count) {
            let sum = carry + *part;
            let virtual_part = sum - carry;
            let low = (carry - (sum - virtual_part)) + (*part - virtual_part);
            (*part, carry) = (low, sum);
        }
        parts[count] = carry;
    }
    collapse(parts)
}

/// Converts a non-overlapping expansion, smallest component first, to one double rounded to odd.
fn collapse(parts: [f64; 4]) -> (f64, bool) {
    let mut value = 0.0;
    let mut rest = 0.0;
    for &part in parts.iter().rev() {
        if rest != 0.0 {
            break;
        }
        let sum = value + part;
        rest = part - (sum - value);
        value = sum;
    }
    (to_odd(value, rest), rest != 0.0)
}

/// Decomposes a finite double into an integer and an exponent. A zero is +0.
fn number_of(value: f64) -> Number {
    let bits = value.to_bits();
    let biased = (bits >> 52 & 0x7FF) as i32;
    let fraction = u128::from(bits & ((1 << 52) - 1));
    let hidden = u128::from(biased != 0) << 52;
    Number {
        negative: value < 0.0,
        significand: fraction | hidden,
        exponent: biased.max(1) - 1075,
    }
}

/// Rounds after every step. Like the other models, it computes with denormal operands if DN = 0.
pub(super) fn sequential(a: &[u32; 4], b: &[u32; 4], control: Control) -> Outcome<u32> {
    let first = single::mul_any(a[0], b[0], control);
    (1..4).fold(first, |total, i| {
        let product = single::mul_any(a[i], b[i], control);
        let sum = single::add_any(total.bits, product.bits, control);
        Outcome::new(sum.bits, total.cause.with(product.cause).with(sum.cause))
    })
}
