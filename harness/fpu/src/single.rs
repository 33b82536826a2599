//! Single-precision arithmetic (FPSCR.PR = 0).
//!
//! Each function first tries the host: with round to nearest, operands normal or zero, and a result
//! that is normal or an exact zero, the host's IEEE arithmetic gives the same bits, and what was lost
//! in rounding is recovered without error to set I. The rest goes through `soft`.

use crate::soft::{self, Class, Single};
use crate::{Cause, Control, Outcome, Rounding};

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7F80_0000;

#[inline]
fn narrow(outcome: Outcome<u64>) -> Outcome<u32> {
    Outcome::new(outcome.bits as u32, outcome.cause)
}

/// Neither denormal, infinity nor NaN.
#[inline]
fn plain(bits: u32) -> bool {
    let exponent = bits & INFINITY;
    exponent != INFINITY && (exponent != 0 || bits & !SIGN == 0)
}

/// Whether a host result is far enough from both ends of the range to be taken as it is. The
/// smallest normal is left out: it may have been rounded up to.
#[inline]
fn settled(value: f32) -> bool {
    let magnitude = value.abs();
    magnitude > f32::MIN_POSITIVE && magnitude < f32::INFINITY
}

/// What `sum = a + b` lost in rounding, exactly (Knuth's two-sum).
#[inline]
fn lost(a: f32, b: f32, sum: f32) -> f32 {
    let part = sum - a;
    (a - (sum - part)) + (b - part)
}

/// FADD: `a + b`.
#[inline]
#[must_use]
pub fn add(a: u32, b: u32, control: Control) -> Outcome<u32> {
    if control.rounding == Rounding::Nearest && plain(a) && plain(b) {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        let sum = x + y;
        // A zero sum of normal numbers is exact.
        if settled(sum) || sum == 0.0 {
            return Outcome::new(sum.to_bits(), Cause::inexact(lost(x, y, sum) != 0.0));
        }
    }
    add_exact(a, b, control)
}

#[cold]
fn add_exact(a: u32, b: u32, control: Control) -> Outcome<u32> {
    narrow(soft::add::<Single>(a.into(), b.into(), control))
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
    if control.rounding == Rounding::Nearest && plain(a) && plain(b) {
        // 24 x 24 bits fit 53: the wide product is exact.
        let wide = f64::from(f32::from_bits(a)) * f64::from(f32::from_bits(b));
        let product = wide as f32;
        if settled(product) || wide == 0.0 {
            return Outcome::new(product.to_bits(), Cause::inexact(f64::from(product) != wide));
        }
    }
    mul_exact(a, b, control)
}

#[cold]
fn mul_exact(a: u32, b: u32, control: Control) -> Outcome<u32> {
    narrow(soft::mul::<Single>(a.into(), b.into(), control))
}

/// FMAC: `a * b + c`, rounded once. (`FMAC FR0,FRm,FRn` is `FR0 * FRm + FRn`.)
#[inline]
#[must_use]
pub fn mac(a: u32, b: u32, c: u32, control: Control) -> Outcome<u32> {
    if control.rounding == Rounding::Nearest && plain(a) && plain(b) && plain(c) {
        let product = f64::from(f32::from_bits(a)) * f64::from(f32::from_bits(b));
        let (sum, inexact) = sum_to_odd(product, f64::from(f32::from_bits(c)));
        let rounded = sum as f32;
        if settled(rounded) || sum == 0.0 {
            return Outcome::new(
                rounded.to_bits(),
                Cause::inexact(inexact || f64::from(rounded) != sum),
            );
        }
    }
    mac_exact(a, b, c, control)
}

#[cold]
fn mac_exact(a: u32, b: u32, c: u32, control: Control) -> Outcome<u32> {
    narrow(soft::mac::<Single>(a.into(), b.into(), c.into(), control))
}

/// `a + b` rounded to odd, so that a second rounding to 24 bits is the only one that counts
/// (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008), and whether it lost bits.
#[inline]
pub(crate) fn sum_to_odd(a: f64, b: f64) -> (f64, bool) {
    let sum = a + b;
    let part = sum - a;
    let lost = (a - (sum - part)) + (b - part);
    (to_odd(sum, lost), lost != 0.0)
}

/// The odd neighbour of `value` on the side where the non-zero remainder `lost` points.
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
    if control.rounding == Rounding::Nearest && plain(a) && plain(b) {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        let quotient = x / y;
        if settled(quotient) {
            let back = f64::from(quotient) * f64::from(y);
            return Outcome::new(quotient.to_bits(), Cause::inexact(back != f64::from(x)));
        }
    }
    narrow(soft::div::<Single>(a.into(), b.into(), control))
}

/// FSQRT. -0 gives -0; other negative numbers are invalid.
#[inline]
#[must_use]
pub fn sqrt(a: u32, control: Control) -> Outcome<u32> {
    let x = f32::from_bits(a);
    if control.rounding == Rounding::Nearest && (f32::MIN_POSITIVE..f32::INFINITY).contains(&x) {
        let root = x.sqrt();
        let back = f64::from(root) * f64::from(root);
        return Outcome::new(root.to_bits(), Cause::inexact(back != f64::from(x)));
    }
    narrow(soft::sqrt::<Single>(a.into(), control))
}

/// FLOAT: a signed integer to single, rounded by RM.
#[inline]
#[must_use]
pub fn float(integer: u32, control: Control) -> Outcome<u32> {
    let value = integer as i32;
    if control.rounding == Rounding::Nearest {
        let rounded = value as f32;
        return Outcome::new(
            rounded.to_bits(),
            Cause::inexact(f64::from(rounded) != f64::from(value)),
        );
    }
    let number = soft::Number {
        negative: value < 0,
        significand: value.unsigned_abs().into(),
        exponent: 0,
    };
    narrow(soft::round::<Single>(number, control))
}

/// FTRC: to a signed integer, always truncating, never inexact. Beyond the range V and 7FFFFFFF or
/// 80000000; a NaN is 80000000.
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

/// A denormal as the compares see it: zero with DN = 1.
#[inline]
fn seen(bits: u32, control: Control) -> f32 {
    let flushed = control.flush && bits & INFINITY == 0;
    f32::from_bits(if flushed { bits & SIGN } else { bits })
}

fn is_signalling(bits: u32) -> bool {
    soft::classify::<Single>(bits.into()) == Class::Signalling
}

/// FCMP/EQ. A quiet NaN is unequal to everything; a signalling one is invalid too.
#[inline]
#[must_use]
pub fn equal(a: u32, b: u32, control: Control) -> Outcome<bool> {
    let (x, y) = (seen(a, control), seen(b, control));
    if (x.is_nan() || y.is_nan()) && (is_signalling(a) || is_signalling(b)) {
        return Outcome::new(false, Cause::INVALID);
    }
    Outcome::exact(x == y)
}

/// FCMP/GT as `a > b`. Any NaN is invalid. (`FCMP/GT FRm,FRn` is `FRn > FRm`.)
#[inline]
#[must_use]
pub fn greater(a: u32, b: u32, control: Control) -> Outcome<bool> {
    let (x, y) = (seen(a, control), seen(b, control));
    if x.is_nan() || y.is_nan() {
        return Outcome::new(false, Cause::INVALID);
    }
    Outcome::exact(x > y)
}
