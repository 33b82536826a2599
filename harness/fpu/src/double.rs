//! Double-precision arithmetic (FPSCR.PR = 1).
//!
//! Each function first tries the host's arithmetic; the rest goes through `soft`.
//!
//! Values are whole 64-bit patterns: `FR[2n]` is the high word of DRn and `FR[2n+1]` the low one.
//!
//! Known deviation: a usage note of the SH7751 hardware manual says that the chip's double adder
//! loses bits below 1/256 ulp for some exponent differences (nearest within 129/256 ulp, I not set).
//! When exactly is unknown, so FADD and FSUB are IEEE here.

use crate::host_double as host;
use crate::single::usual;
use crate::soft::{self, Class, Double};
use crate::{Cause, Control, Outcome};

const SIGN: u64 = 1 << 63;
const INFINITY: u64 = 0x7FF0_0000_0000_0000;

/// FADD: `a + b`.
#[must_use]
pub fn add(a: u64, b: u64, control: Control) -> Outcome<u64> {
    usual(host::add(a, b), control).unwrap_or_else(|| soft::add::<Double>(a, b, control))
}

/// FSUB: `a - b`.
#[must_use]
pub fn sub(a: u64, b: u64, control: Control) -> Outcome<u64> {
    add(a, b ^ SIGN, control)
}

/// FMUL: `a * b`.
#[must_use]
pub fn mul(a: u64, b: u64, control: Control) -> Outcome<u64> {
    usual(host::mul(a, b), control).unwrap_or_else(|| soft::mul::<Double>(a, b, control))
}

/// FDIV: `a / b`.
#[must_use]
pub fn div(a: u64, b: u64, control: Control) -> Outcome<u64> {
    usual(host::div(a, b), control).unwrap_or_else(|| soft::div::<Double>(a, b, control))
}

/// FSQRT.
#[must_use]
pub fn sqrt(a: u64, control: Control) -> Outcome<u64> {
    usual(host::sqrt(a), control).unwrap_or_else(|| soft::sqrt::<Double>(a, control))
}

/// FLOAT: a signed integer to double, always exact.
#[must_use]
pub fn float(integer: u32) -> Outcome<u64> {
    Outcome::exact(f64::from(integer as i32).to_bits())
}

/// FTRC: to a signed integer, always truncating, never inexact. Beyond the range V and 7FFFFFFF or
/// 80000000; a NaN is 80000000.
#[must_use]
pub fn ftrc(a: u64) -> Outcome<u32> {
    // -(2^31 + 1): everything between it and -2^31 truncates to the latter.
    const TOO_NEGATIVE: u64 = 0xC1E0_0000_0020_0000;
    const TWO_TO_31: u64 = 0x41E0_0000_0000_0000;
    if a > INFINITY && a < SIGN || a >= TOO_NEGATIVE {
        Outcome::new(0x8000_0000, Cause::INVALID)
    } else if (TWO_TO_31..SIGN).contains(&a) {
        Outcome::new(0x7FFF_FFFF, Cause::INVALID)
    } else {
        Outcome::exact(f64::from_bits(a) as i32 as u32)
    }
}

fn seen(bits: u64, control: Control) -> f64 {
    let flushed = control.flush && bits & INFINITY == 0;
    f64::from_bits(if flushed { bits & SIGN } else { bits })
}

fn is_signalling(bits: u64) -> bool {
    soft::classify::<Double>(bits) == Class::Signalling
}

/// FCMP/EQ. A quiet NaN is unequal to everything; a signalling one is invalid too.
#[must_use]
pub fn equal(a: u64, b: u64, control: Control) -> Outcome<bool> {
    if is_signalling(a) || is_signalling(b) {
        return Outcome::new(false, Cause::INVALID);
    }
    Outcome::exact(seen(a, control) == seen(b, control))
}

/// FCMP/GT as `a > b`. Any NaN is invalid.
#[must_use]
pub fn greater(a: u64, b: u64, control: Control) -> Outcome<bool> {
    let (x, y) = (seen(a, control), seen(b, control));
    if x.is_nan() || y.is_nan() {
        return Outcome::new(false, Cause::INVALID);
    }
    Outcome::exact(x > y)
}
