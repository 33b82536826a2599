//! Instructions on exact numbers: special cases in the order of the manual's instruction descriptions, then
//! one rounding.

use num_bigint::{BigInt, BigUint, Sign};
use sh4_fpu::{Cause, Control, Outcome};

use crate::exact::rational::{DOUBLE, Exact, Float, Kind, Layout, SINGLE, outcome, round};

fn one_shifted(bits: u32) -> BigUint {
    BigUint::from(1u32) << bits
}

fn signed(negative: bool, magnitude: BigUint) -> BigInt {
    BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, magnitude)
}

fn invalid(layout: Layout) -> Outcome<u64> {
    outcome(layout.nan, Cause::INVALID)
}

fn infinity(layout: Layout, negative: bool) -> Outcome<u64> {
    outcome(layout.signed(negative, layout.infinity()), Cause::NONE)
}

fn any(operands: &[&Float], kind: Kind) -> bool {
    operands.iter().any(|operand| operand.kind == kind)
}

/// Result if an operand is a NaN: signalling NaNs have priority over quiet ones.
fn nan(layout: Layout, operands: &[&Float]) -> Option<Outcome<u64>> {
    if any(operands, Kind::Signalling) {
        return Some(invalid(layout));
    }
    any(operands, Kind::Quiet).then(|| outcome(layout.nan, Cause::NONE))
}

/// Adds an FPU error if an operand is denormal.
fn unless_denormal(operands: &[&Float], result: Outcome<u64>) -> Outcome<u64> {
    if any(operands, Kind::Denormal) {
        outcome(result.bits, Cause::FPU_ERROR)
    } else {
        result
    }
}

/// Rounds a signed sum over a denominator. A zero is positive unless `negative_zero`.
fn round_sum(
    layout: Layout,
    sum: BigInt,
    denominator: BigUint,
    negative_zero: bool,
    control: Control,
) -> Outcome<u64> {
    let negative = match sum.sign() {
        Sign::Minus => true,
        Sign::Plus => false,
        Sign::NoSign => negative_zero,
    };
    round(
        layout,
        negative,
        &Exact::quotient(sum.into_parts().1, denominator),
        control,
    )
}

pub(crate) fn add(layout: Layout, a: u64, b: u64, control: Control) -> Outcome<u64> {
    let (a, b) = (Float::read(layout, a, control), Float::read(layout, b, control));
    if let Some(result) = nan(layout, &[&a, &b]) {
        return result;
    }
    let result = match (a.kind, b.kind) {
        (Kind::Infinity, Kind::Infinity) if a.negative != b.negative => return invalid(layout),
        (Kind::Infinity, _) => infinity(layout, a.negative),
        (_, Kind::Infinity) => infinity(layout, b.negative),
        _ => {
            let both_negative = a.negative && b.negative;
            let sum = signed(a.negative, a.steps.clone()) + signed(b.negative, b.steps.clone());
            round_sum(layout, sum, BigUint::from(1u32), both_negative, control)
        }
    };
    unless_denormal(&[&a, &b], result)
}

pub(crate) fn sub(layout: Layout, a: u64, b: u64, control: Control) -> Outcome<u64> {
    add(layout, a, b ^ layout.sign(), control)
}

pub(crate) fn mul(layout: Layout, a: u64, b: u64, control: Control) -> Outcome<u64> {
    let (a, b) = (Float::read(layout, a, control), Float::read(layout, b, control));
    if let Some(result) = nan(layout, &[&a, &b]) {
        return result;
    }
    let negative = a.negative != b.negative;
    let result = match (a.kind, b.kind) {
        (Kind::Infinity, Kind::Zero) | (Kind::Zero, Kind::Infinity) => return invalid(layout),
        (Kind::Infinity, _) | (_, Kind::Infinity) => infinity(layout, negative),
        _ => {
            let product = Exact::quotient(&a.steps * &b.steps, one_shifted(layout.scale()));
            round(layout, negative, &product, control)
        }
    };
    unless_denormal(&[&a, &b], result)
}

/// `a / b`. The check for a zero divisor precedes the check for a denormal dividend.
pub(crate) fn div(layout: Layout, a: u64, b: u64, control: Control) -> Outcome<u64> {
    let (a, b) = (Float::read(layout, a, control), Float::read(layout, b, control));
    if let Some(result) = nan(layout, &[&a, &b]) {
        return result;
    }
    let negative = a.negative != b.negative;
    let result = match (a.kind, b.kind) {
        (Kind::Zero, Kind::Zero) | (Kind::Infinity, Kind::Infinity) => return invalid(layout),
        (Kind::Infinity, Kind::Zero) => return infinity(layout, negative),
        (_, Kind::Zero) => {
            let result = infinity(layout, negative);
            return outcome(result.bits, Cause::DIVIDE_BY_ZERO);
        }
        (Kind::Infinity, _) => infinity(layout, negative),
        (_, Kind::Infinity) => outcome(layout.signed(negative, 0), Cause::NONE),
        _ => {
            let quotient = Exact::quotient(&a.steps << layout.scale(), b.steps.clone());
            round(layout, negative, &quotient, control)
        }
    };
    unless_denormal(&[&a, &b], result)
}

/// `a * b + c`. The addend is checked after the factors, except for a signalling NaN.
pub(crate) fn mac(a: u64, b: u64, c: u64, control: Control) -> Outcome<u64> {
    let [a, b, c] = [a, b, c].map(|bits| Float::read(SINGLE, bits, control));
    if any(&[&a, &b, &c], Kind::Signalling) {
        return invalid(SINGLE);
    }
    if any(&[&a, &b], Kind::Quiet) {
        return outcome(SINGLE.nan, Cause::NONE);
    }
    let error = any(&[&a, &b], Kind::Denormal);
    let zero_times_infinity = any(&[&a, &b], Kind::Zero) && any(&[&a, &b], Kind::Infinity);
    if !error && zero_times_infinity {
        return invalid(SINGLE);
    }
    let result = mac_without_factor_errors(&a, &b, &c, control);
    if error {
        return outcome(result.bits, Cause::FPU_ERROR);
    }
    result
}

fn mac_without_factor_errors(a: &Float, b: &Float, c: &Float, control: Control) -> Outcome<u64> {
    let negative = a.negative != b.negative;
    if c.kind == Kind::Quiet {
        return outcome(SINGLE.nan, Cause::NONE);
    }
    let result = match (any(&[a, b], Kind::Infinity), c.kind) {
        (true, Kind::Infinity) if negative != c.negative => return invalid(SINGLE),
        (true, _) => infinity(SINGLE, negative),
        (_, Kind::Infinity) => infinity(SINGLE, c.negative),
        _ => {
            let scale = SINGLE.scale();
            let sum = signed(negative, &a.steps * &b.steps) + signed(c.negative, &c.steps << scale);
            round_sum(SINGLE, sum, one_shifted(scale), negative && c.negative, control)
        }
    };
    unless_denormal(&[c], result)
}

pub(crate) fn sqrt(layout: Layout, a: u64, control: Control) -> Outcome<u64> {
    let a = Float::read(layout, a, control);
    if let Some(result) = nan(layout, &[&a]) {
        return result;
    }
    match (a.kind, a.negative) {
        (Kind::Zero, _) => outcome(layout.signed(a.negative, 0), Cause::NONE),
        (_, true) => invalid(layout),
        (Kind::Infinity, _) => infinity(layout, false),
        _ => {
            let root = Exact::root(&a.steps << layout.scale(), BigUint::from(1u32));
            unless_denormal(&[&a], round(layout, false, &root, control))
        }
    }
}

/// Reciprocal root nearest to the true one. The model claims this, the chip does not.
pub(crate) fn rsqrt(a: u64, control: Control) -> Outcome<u64> {
    let a = Float::read(SINGLE, a, control);
    if let Some(result) = nan(SINGLE, &[&a]) {
        return result;
    }
    match (a.kind, a.negative) {
        (Kind::Zero, _) => {
            let result = infinity(SINGLE, a.negative);
            outcome(result.bits, Cause::DIVIDE_BY_ZERO)
        }
        (_, true) => invalid(SINGLE),
        (Kind::Infinity, _) => outcome(0, Cause::NONE),
        _ => {
            let nearest = Control {
                rounding: sh4_fpu::Rounding::Nearest,
                ..control
            };
            let root = Exact::root(one_shifted(3 * SINGLE.scale()), a.steps.clone());
            let result = round(SINGLE, false, &root, nearest);
            unless_denormal(&[&a], outcome(result.bits, Cause::INEXACT))
        }
    }
}

pub(crate) fn float_single(integer: u32, control: Control) -> Outcome<u64> {
    let value = BigInt::from(integer as i32) << SINGLE.scale();
    round_sum(SINGLE, value, BigUint::from(1u32), false, control)
}

pub(crate) fn float_double(integer: u32) -> Outcome<u64> {
    let value = BigInt::from(integer as i32) << DOUBLE.scale();
    round_sum(DOUBLE, value, BigUint::from(1u32), false, Control::default())
}

/// Truncates toward zero. A number out of range, or a NaN, is invalid. Denormals need no flushing: they
/// truncate to zero.
pub(crate) fn ftrc(layout: Layout, a: u64) -> Outcome<u32> {
    let a = Float::read(layout, a, Control::default());
    let lowest = outcome(0x8000_0000, Cause::INVALID);
    let highest = outcome(0x7FFF_FFFF, Cause::INVALID);
    match a.kind {
        Kind::Quiet | Kind::Signalling => return lowest,
        Kind::Infinity if a.negative => return lowest,
        Kind::Infinity => return highest,
        _ => {}
    }
    match i32::try_from(signed(a.negative, &a.steps >> layout.scale())) {
        Ok(integer) => outcome(integer as u32, Cause::NONE),
        Err(_) if a.negative => lowest,
        Err(_) => highest,
    }
}

/// Position of an operand on the number line; NaNs have none.
fn position(layout: Layout, bits: u64, control: Control) -> Result<BigInt, Kind> {
    let a = Float::read(layout, bits, control);
    match a.kind {
        Kind::Quiet | Kind::Signalling => Err(a.kind),
        Kind::Infinity => Ok(signed(a.negative, layout.steps(layout.infinity()))),
        _ => Ok(signed(a.negative, a.steps)),
    }
}

pub(crate) fn equal(layout: Layout, a: u64, b: u64, control: Control) -> Outcome<bool> {
    match [a, b].map(|bits| position(layout, bits, control)) {
        [Ok(a), Ok(b)] => outcome(a == b, Cause::NONE),
        [Err(Kind::Signalling), _] | [_, Err(Kind::Signalling)] => outcome(false, Cause::INVALID),
        _ => outcome(false, Cause::NONE),
    }
}

pub(crate) fn greater(layout: Layout, a: u64, b: u64, control: Control) -> Outcome<bool> {
    match [a, b].map(|bits| position(layout, bits, control)) {
        [Ok(a), Ok(b)] => outcome(a > b, Cause::NONE),
        _ => outcome(false, Cause::INVALID),
    }
}

/// Converts from one format to the other.
pub(crate) fn convert(from: Layout, to: Layout, a: u64, control: Control) -> Outcome<u64> {
    let a = Float::read(from, a, control);
    if let Some(result) = nan(to, &[&a]) {
        return result;
    }
    if a.kind == Kind::Infinity {
        return infinity(to, a.negative);
    }
    let value = Exact::quotient(&a.steps << to.scale(), one_shifted(from.scale()));
    unless_denormal(&[&a], round(to, a.negative, &value, control))
}
