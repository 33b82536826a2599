//! Single-precision arithmetic (FPSCR.PR = 0).
//!
//! Each function first tries [`host`] and otherwise uses `soft`.

use crate::host::{self, Usual};
use crate::soft::{self, Class, Single};
use crate::{Cause, Control, Outcome, Rounding};

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7F80_0000;

#[inline]
fn narrow(outcome: Outcome<u64>) -> Outcome<u32> {
    Outcome::new(outcome.bits as u32, outcome.cause)
}

/// Returns the host's result if it exists and the rounding mode is nearest.
#[inline(always)]
pub(crate) fn usual<T>(answer: Usual<T>, control: Control) -> Option<Outcome<T>> {
    let (bits, inexact) = answer.filter(|_| control.rounding == Rounding::Nearest)?;
    Some(Outcome::new(bits, Cause::inexact(inexact)))
}

/// FADD: `a + b`.
#[inline]
#[must_use]
pub fn add(a: u32, b: u32, control: Control) -> Outcome<u32> {
    usual(host::add(a, b), control).unwrap_or_else(|| add_exact(a, b, control))
}

#[cold]
fn add_exact(a: u32, b: u32, control: Control) -> Outcome<u32> {
    narrow(soft::add::<Single>(a.into(), b.into(), control))
}

/// Adds as a step of a longer sum. Unlike [`add`], it computes with denormals if DN = 0, and it passes on a
/// NaN from an earlier step.
pub(crate) fn add_any(a: u32, b: u32, control: Control) -> Outcome<u32> {
    usual(host::add(a, b), control).unwrap_or_else(|| {
        let (a, b) = (
            soft::unpack::<Single>(a.into(), control),
            soft::unpack::<Single>(b.into(), control),
        );
        narrow(soft::screen::<Single>(&[a, b]).unwrap_or_else(|| soft::add_any::<Single>(a, b, control)))
    })
}

/// Multiplies as a step of a longer sum; see [`add_any`].
pub(crate) fn mul_any(a: u32, b: u32, control: Control) -> Outcome<u32> {
    usual(host::mul(a, b), control).unwrap_or_else(|| {
        let (a, b) = (
            soft::unpack::<Single>(a.into(), control),
            soft::unpack::<Single>(b.into(), control),
        );
        narrow(soft::mul_any::<Single>(a, b, control))
    })
}

/// FSUB: `a - b`. (`FSUB FRm,FRn` is `FRn - FRm`.)
#[inline]
#[must_use]
pub fn sub(a: u32, b: u32, control: Control) -> Outcome<u32> {
    add(a, b ^ SIGN, control)
}

/// FMUL: `a * b`.
#[inline]
#[must_use]
pub fn mul(a: u32, b: u32, control: Control) -> Outcome<u32> {
    usual(host::mul(a, b), control).unwrap_or_else(|| mul_exact(a, b, control))
}

#[cold]
fn mul_exact(a: u32, b: u32, control: Control) -> Outcome<u32> {
    narrow(soft::mul::<Single>(a.into(), b.into(), control))
}

/// FMAC: `a * b + c`, rounded once. (`FMAC FR0,FRm,FRn` is `FR0 * FRm + FRn`.)
#[inline]
#[must_use]
pub fn mac(a: u32, b: u32, c: u32, control: Control) -> Outcome<u32> {
    usual(host::mac(a, b, c), control).unwrap_or_else(|| mac_exact(a, b, c, control))
}

#[cold]
fn mac_exact(a: u32, b: u32, c: u32, control: Control) -> Outcome<u32> {
    narrow(soft::mac::<Single>(a.into(), b.into(), c.into(), control))
}

/// Rounds to odd. Returns `value` if its last bit is 1 or the remainder `lost` is 0, otherwise its neighbour
/// in the direction of `lost`.
#[inline]
pub(crate) fn to_odd(value: f64, lost: f64) -> f64 {
    let bits = value.to_bits();
    if lost == 0.0 || bits & 1 == 1 {
        return value;
    }
    let outward = (lost > 0.0) == (value > 0.0);
    f64::from_bits(if outward { bits + 1 } else { bits - 1 })
}

/// FDIV: `a / b`. (`FDIV FRm,FRn` is `FRn / FRm`.)
#[inline]
#[must_use]
pub fn div(a: u32, b: u32, control: Control) -> Outcome<u32> {
    usual(host::div(a, b), control)
        .unwrap_or_else(|| narrow(soft::div::<Single>(a.into(), b.into(), control)))
}

/// FSQRT: square root of `a`. -0 gives -0; other negative numbers are invalid.
#[inline]
#[must_use]
pub fn sqrt(a: u32, control: Control) -> Outcome<u32> {
    usual(host::sqrt(a), control).unwrap_or_else(|| narrow(soft::sqrt::<Single>(a.into(), control)))
}

/// FLOAT: converts a signed integer to single, rounded by RM.
#[inline]
#[must_use]
pub fn float(integer: u32, control: Control) -> Outcome<u32> {
    let value = integer as i32;
    if let Some(outcome) = usual(host::float(integer), control) {
        return outcome;
    }
    let number = soft::Number {
        negative: value < 0,
        significand: value.unsigned_abs().into(),
        exponent: 0,
    };
    narrow(soft::round::<Single>(number, control))
}

/// FTRC: converts to a signed integer by truncation, never inexact. Out of range it sets V and gives 7FFFFFFF
/// or 80000000; a NaN gives 80000000.
#[inline]
#[must_use]
pub fn ftrc(a: u32) -> Outcome<u32> {
    let magnitude = a & !SIGN;
    if a > INFINITY && a < SIGN || a > 0xCF00_0000 {
        Outcome::new(0x8000_0000, Cause::INVALID)
    } else if a < SIGN && magnitude > 0x4EFF_FFFF {
        Outcome::new(0x7FFF_FFFF, Cause::INVALID)
    } else {
        Outcome::exact(f32::from_bits(a) as i32 as u32)
    }
}

/// Value of an operand in compares. With DN = 1, a denormal is zero.
#[inline]
fn seen(bits: u32, control: Control) -> f32 {
    let flushed = control.flush && bits & INFINITY == 0;
    f32::from_bits(if flushed { bits & SIGN } else { bits })
}

fn is_signalling(bits: u32) -> bool {
    soft::classify::<Single>(bits.into()) == Class::Signalling
}

/// FCMP/EQ. A quiet NaN is unequal to all numbers; a signalling NaN also sets V.
#[inline]
#[must_use]
pub fn equal(a: u32, b: u32, control: Control) -> Outcome<bool> {
    let (x, y) = (seen(a, control), seen(b, control));
    if (x.is_nan() || y.is_nan()) && (is_signalling(a) || is_signalling(b)) {
        return Outcome::new(false, Cause::INVALID);
    }
    Outcome::exact(x == y)
}

/// FCMP/GT as `a > b`. Any NaN sets V. (`FCMP/GT FRm,FRn` is `FRn > FRm`.)
#[inline]
#[must_use]
pub fn greater(a: u32, b: u32, control: Control) -> Outcome<bool> {
    let (x, y) = (seen(a, control), seen(b, control));
    if x.is_nan() || y.is_nan() {
        return Outcome::new(false, Cause::INVALID);
    }
    Outcome::exact(x > y)
}
