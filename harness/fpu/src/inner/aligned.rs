//! Hardware model in integers, as the parent module documents it: for all finite operands, and with both
//! rules for the largest exponent.

use super::{FRACTION, KEPT, PRODUCT, ProductExponent, SIGN};
use crate::soft::{self, Number, Single};
use crate::{Cause, Control, Outcome};

/// Returns exponent and significand of a finite number; zero has significand 0.
fn split(bits: u32, flush: bool) -> (i32, u32) {
    let biased = bits >> 23 & 0xFF;
    let fraction = bits & FRACTION;
    match (biased, flush) {
        (0, true) => (1, 0),
        (0, false) => (1, fraction),
        _ => (biased as i32, fraction | 0x0080_0000),
    }
}

/// A product: exponent (with both biases), 48-bit magnitude, sign.
#[derive(Clone, Copy)]
struct Term {
    exponent: i32,
    magnitude: u64,
    negative: bool,
}

fn term(a: u32, b: u32, flush: bool) -> Term {
    let ((ea, ma), (eb, mb)) = (split(a, flush), split(b, flush));
    Term {
        exponent: ea + eb,
        magnitude: u64::from(ma) * u64::from(mb),
        negative: (a ^ b) & SIGN != 0,
    }
}

pub(super) fn hardware(a: &[u32; 4], b: &[u32; 4], rule: ProductExponent, control: Control) -> Outcome<u32> {
    let terms = [0, 1, 2, 3].map(|i| term(a[i], b[i], control.flush));
    let mut largest = 0;
    for t in terms {
        let carry = i32::from(rule == ProductExponent::AfterNormalising && t.magnitude >> (PRODUCT + 1) != 0);
        largest = largest.max(if t.magnitude == 0 { 0 } else { t.exponent + carry });
    }
    let (mut total, mut lost) = (0i32, 0);
    for t in terms {
        // A shift beyond 48 places leaves no bits. A zero term may have an exponent above `largest`.
        let shift = (PRODUCT - KEPT + largest - t.exponent).clamp(0, 63);
        let aligned = (t.magnitude >> shift) as i32;
        lost |= t.magnitude & ((1 << shift) - 1);
        total += if t.negative { -aligned } else { aligned };
    }
    // Subtract both biases and the fraction bits.
    normalise(total, largest - 2 * 127 - KEPT, lost != 0, control)
}

/// Rounds `total * 2^exponent`. Four 28-bit magnitudes fit 31 bits. A zero is positive.
fn normalise(total: i32, exponent: i32, lost: bool, control: Control) -> Outcome<u32> {
    let number = Number {
        negative: total < 0,
        significand: total.unsigned_abs().into(),
        exponent,
    };
    let outcome = soft::round::<Single>(number, control);
    Outcome::new(outcome.bits as u32, outcome.cause.with(Cause::inexact(lost)))
}
