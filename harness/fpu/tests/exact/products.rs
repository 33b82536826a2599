//! FIPR on exact numbers, in three models.

use num_bigint::{BigInt, BigUint};
use sh4_fpu::inner::{InnerModel, InnerProduct, ProductExponent};
use sh4_fpu::{Cause, Control, NAN_SINGLE, Outcome};

use crate::exact::rational::{Exact, Float, Kind, SINGLE, outcome, round};

type Vector = [u32; 4];

/// Applies the list of special cases, then the model.
pub(crate) fn inner(a: &Vector, b: &Vector, model: InnerModel, control: Control) -> Outcome<u64> {
    let pairs: Vec<(Float, Float)> = a
        .iter()
        .zip(b)
        .map(|(&a, &b)| {
            let read = |bits: u32| Float::read(SINGLE, bits.into(), control);
            (read(a), read(b))
        })
        .collect();
    let any = |kind| pairs.iter().any(|(a, b)| a.kind == kind || b.kind == kind);
    let both = |x, y| {
        pairs
            .iter()
            .any(|(a, b)| (a.kind, b.kind) == (x, y) || (b.kind, a.kind) == (x, y))
    };
    let infinite = |negative| {
        pairs.iter().any(|(a, b)| {
            (a.kind == Kind::Infinity || b.kind == Kind::Infinity) && (a.negative != b.negative) == negative
        })
    };
    let nan = u64::from(NAN_SINGLE);
    if any(Kind::Signalling) || both(Kind::Zero, Kind::Infinity) {
        return outcome(nan, Cause::INVALID);
    }
    if any(Kind::Quiet) {
        return outcome(nan, Cause::NONE);
    }
    match (infinite(false), infinite(true)) {
        (true, true) => outcome(nan, Cause::INVALID),
        (false, false) => finite(&pairs, a, b, model, control),
        (_, negative) => outcome(SINGLE.signed(negative, SINGLE.infinity()), Cause::NONE),
    }
}

fn finite(
    pairs: &[(Float, Float)],
    a: &Vector,
    b: &Vector,
    model: InnerModel,
    control: Control,
) -> Outcome<u64> {
    match model.product {
        InnerProduct::Hardware => aligned(a, b, model.exponent, control),
        InnerProduct::Exact => {
            let sum: BigInt = pairs
                .iter()
                .map(|(a, b)| signed(a.negative != b.negative, &a.steps * &b.steps))
                .sum();
            rounded(sum, -2 * i64::from(SINGLE.scale()), control)
        }
        InnerProduct::Sequential => sequential(a, b, control),
    }
}

fn signed(negative: bool, magnitude: BigUint) -> BigInt {
    let value = BigInt::from(magnitude);
    if negative { -value } else { value }
}

/// Rounds `sum * 2^exponent`; a zero is positive.
fn rounded(sum: BigInt, exponent: i64, control: Control) -> Outcome<u64> {
    let negative = sum < BigInt::ZERO;
    let up = exponent + i64::from(SINGLE.scale());
    let (numerator, denominator) = (sum.into_parts().1, BigUint::from(1u32));
    let value = if up >= 0 {
        Exact::quotient(numerator << up, denominator)
    } else {
        Exact::quotient(numerator, denominator << -up)
    };
    round(SINGLE, negative, &value, control)
}

/// A product: exponent without biases, and product of the significands in units of 2^-46.
struct Term {
    exponent: i64,
    product: BigInt,
}

fn term(a: u32, b: u32, control: Control) -> Term {
    let split = |bits: u32| match (bits >> 23 & 0xFF, i64::from(bits & 0x7F_FFFF)) {
        (0, _) if control.flush => (-126, 0),
        (0, fraction) => (-126, fraction),
        (e, fraction) => (i64::from(e) - 127, fraction + 0x80_0000),
    };
    let ((ea, ma), (eb, mb)) = (split(a), split(b));
    let product = BigInt::from(ma) * BigInt::from(mb);
    let negative = (a ^ b) >> 31 == 1;
    Term {
        exponent: ea + eb,
        product: if negative { -product } else { product },
    }
}

/// Five steps of the hardware model: find the largest exponent, truncate every product to 26 fraction bits
/// relative to it, add exactly, round once.
fn aligned(a: &Vector, b: &Vector, rule: ProductExponent, control: Control) -> Outcome<u64> {
    let terms: Vec<Term> = a.iter().zip(b).map(|(&a, &b)| term(a, b, control)).collect();
    let counted = |t: &&Term| t.product != BigInt::ZERO;
    let exponent = |t: &Term| {
        let two_or_more = t.product.magnitude().bits() == 48;
        t.exponent + i64::from(two_or_more && rule == ProductExponent::AfterNormalising)
    };
    let Some(largest) = terms.iter().filter(counted).map(exponent).max() else {
        return outcome(0, Cause::NONE);
    };
    let (mut sum, mut lost) = (BigInt::ZERO, false);
    for t in terms.iter().filter(counted) {
        // Integer division truncates toward zero.
        let divisor = BigInt::from(1) << (20 + largest - t.exponent);
        let cut = &t.product / &divisor;
        lost |= &cut * &divisor != t.product;
        sum += cut;
    }
    let result = rounded(sum, largest - 26, control);
    outcome(
        result.bits,
        if lost {
            result.cause.with(Cause::INEXACT)
        } else {
            result.cause
        },
    )
}

/// Rounds each product and partial sum, left to right. Denormals count with their value.
fn sequential(a: &Vector, b: &Vector, control: Control) -> Outcome<u64> {
    let read = |bits: u64| Float::read(SINGLE, bits, control);
    let scale = i64::from(SINGLE.scale());
    let mut total: Option<Outcome<u64>> = None;
    for (&a, &b) in a.iter().zip(b) {
        let (x, y) = (read(a.into()), read(b.into()));
        let product = Exact::quotient(&x.steps * &y.steps, BigUint::from(1u32) << scale);
        let product = round(SINGLE, x.negative != y.negative, &product, control);
        total = Some(match total {
            None => product,
            Some(total) => {
                let sum = sum_of_rounded(&read(total.bits), &read(product.bits), control);
                outcome(sum.bits, total.cause.with(product.cause).with(sum.cause))
            }
        });
    }
    total.unwrap()
}

/// A partial sum may have overflowed to infinity, even to infinities of both signs.
fn sum_of_rounded(a: &Float, b: &Float, control: Control) -> Outcome<u64> {
    let infinity = |negative| outcome(SINGLE.signed(negative, SINGLE.infinity()), Cause::NONE);
    match (a.kind, b.kind) {
        (Kind::Quiet, _) | (_, Kind::Quiet) => outcome(NAN_SINGLE.into(), Cause::NONE),
        (Kind::Infinity, Kind::Infinity) if a.negative != b.negative => {
            outcome(NAN_SINGLE.into(), Cause::INVALID)
        }
        (Kind::Infinity, _) => infinity(a.negative),
        (_, Kind::Infinity) => infinity(b.negative),
        _ => {
            let sum = signed(a.negative, a.steps.clone()) + signed(b.negative, b.steps.clone());
            if sum == BigInt::ZERO && a.negative && b.negative {
                return outcome(SINGLE.signed(true, 0), Cause::NONE);
            }
            rounded(sum, -i64::from(SINGLE.scale()), control)
        }
    }
}
