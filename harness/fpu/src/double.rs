//! Double-precision arithmetic (FPSCR.PR = 1).
//!
//! Each function first tries the host's arithmetic and otherwise uses `soft`.
//!
//! Values are complete 64-bit patterns: `FR[2n]` is the high word of DRn and `FR[2n+1]` the low word.
//!
//! Known deviation: a usage note of the SH7751 hardware manual says that the chip's double adder loses bits
//! below 1/256 ulp for some exponent differences. The error of rounding to nearest is then up to 129/256 ulp,
//! and I is not set. The exact condition is unknown, so FADD and FSUB follow IEEE here.

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

/// FSQRT: square root of `a`.
#[must_use]
pub fn sqrt(a: u64, control: Control) -> Outcome<u64> {
    usual(host::sqrt(a), control).unwrap_or_else(|| soft::sqrt::<Double>(a, control))
}

/// FLOAT: converts a signed integer to double, always exactly.
#[must_use]
pub fn float(integer: u32) -> Outcome<u64> {
    Outcome::exact(f64::from(integer as i32).to_bits())
}

/// FTRC: converts to a signed integer by truncation, never inexact. Out of range it sets V and gives 7FFFFFFF
/// or 80000000; a NaN gives 80000000.
#[must_use]
pub fn ftrc(a: u64) -> Outcome<u32> {
    // -(2^31 + 1): all numbers between this and -2^31 truncate to -2^31.
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

/// FCMP/EQ. A quiet NaN is unequal to all numbers; a signalling NaN also sets V.
#[must_use]
pub fn equal(a: u64, b: u64, control: Control) -> Outcome<bool> {
    if is_signalling(a) || is_signalling(b) {
        return Outcome::new(false, Cause::INVALID);
    }
    Outcome::exact(seen(a, control) == seen(b, control))
}

/// FCMP/GT as `a > b`. Any NaN sets V.
#[must_use]
pub fn greater(a: u64, b: u64, control: Control) -> Outcome<bool> {
    let (x, y) = (seen(a, control), seen(b, control));
    if x.is_nan() || y.is_nan() {
        return Outcome::new(false, Cause::INVALID);
    }
    Outcome::exact(x > y)
}
