//! Single precision on the host's arithmetic, where the result is provably the chip's: round to nearest,
//! operands normal or zero, a result that is normal or an exact zero. In other cases the functions return
//! `None`, and [`single`](crate::single) computes the result.
//!
//! Every function returns the result's bits and whether bits were lost. That is cause I, the only possible
//! one here; compares never lose bits. The functions assume round to nearest: call them only if FPSCR.RM is
//! 0.

/// A result, and whether it is inexact.
pub type Usual<T> = Option<(T, bool)>;

/// Bits of a double that exceed a single's precision.
const LOW: u64 = (1 << 29) - 1;
/// Half a unit of the single. Only this pattern can make a second rounding wrong.
const TIE: u64 = 1 << 28;

/// True if an operand is denormal. Infinities and NaNs need no test, because they give no normal result.
#[inline(always)]
fn denormal(bits: u32) -> bool {
    (bits << 1).wrapping_sub(1) < 0x00FF_FFFF
}

/// True if a result is far enough from both ends of the range to be final. The smallest normal number is
/// excluded, because it may be rounded up.
#[inline(always)]
pub(crate) fn settled(bits: u32) -> bool {
    const LOWEST: u32 = 0x0080_0001 << 1;
    (bits << 1).wrapping_sub(LOWEST) < (0x7F80_0000 << 1) - LOWEST
}

/// FADD: `a + b`.
#[inline(always)]
#[must_use]
pub fn add(a: u32, b: u32) -> Usual<u32> {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    let sum = x + y;
    // A zero sum of normal numbers is exact.
    if denormal(a) || denormal(b) || !(settled(sum.to_bits()) || sum == 0.0) {
        return None;
    }
    // Exact rounding error (Knuth's two-sum).
    let part = sum - x;
    let lost = (x - (sum - part)) + (y - part);
    Some((sum.to_bits(), lost != 0.0))
}

/// FSUB: `a - b`.
#[inline(always)]
#[must_use]
pub fn sub(a: u32, b: u32) -> Usual<u32> {
    add(a, b ^ 0x8000_0000)
}

/// FMUL: `a * b`.
#[inline(always)]
#[must_use]
pub fn mul(a: u32, b: u32) -> Usual<u32> {
    // 24 x 24 bits fit 53 bits, so the wide product is exact.
    let wide = f64::from(f32::from_bits(a)) * f64::from(f32::from_bits(b));
    let product = (wide as f32).to_bits();
    if denormal(a) || denormal(b) || !(settled(product) || wide == 0.0) {
        return None;
    }
    Some((product, wide.to_bits() & LOW != 0))
}

/// FMAC: `a * b + c`, rounded once.
#[inline(always)]
#[must_use]
pub fn mac(a: u32, b: u32, c: u32) -> Usual<u32> {
    let product = f64::from(f32::from_bits(a)) * f64::from(f32::from_bits(b));
    let addend = f64::from(f32::from_bits(c));
    let sum = product + addend;
    let rounded = (sum as f32).to_bits();
    let low = sum.to_bits() & LOW;
    if denormal(a) || denormal(b) || denormal(c) || !(settled(rounded) || sum == 0.0) {
        return None;
    }
    let part = sum - product;
    let lost = (product - (sum - part)) + (addend - part);
    // The sum's own rounding can move it to a tie, never past one.
    if lost != 0.0 && low == TIE {
        return None;
    }
    Some((rounded, lost != 0.0 || low != 0))
}

/// FDIV: `a / b`.
#[inline(always)]
#[must_use]
pub fn div(a: u32, b: u32) -> Usual<u32> {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    let quotient = x / y;
    // An infinite divisor gives zero; a zero divisor gives infinity or NaN.
    if denormal(a) || denormal(b) || !settled(quotient.to_bits()) {
        return None;
    }
    let back = f64::from(quotient) * f64::from(y);
    Some((quotient.to_bits(), back != f64::from(x)))
}

/// FSQRT: square root of a positive number.
#[inline(always)]
#[must_use]
pub fn sqrt(a: u32) -> Usual<u32> {
    let x = f32::from_bits(a);
    if !(f32::MIN_POSITIVE..f32::INFINITY).contains(&x) {
        return None;
    }
    let root = x.sqrt();
    let back = f64::from(root) * f64::from(root);
    Some((root.to_bits(), back != f64::from(x)))
}

/// FLOAT: converts a signed integer to single.
#[inline(always)]
#[must_use]
pub fn float(integer: u32) -> Usual<u32> {
    let value = integer as i32;
    let rounded = value as f32;
    Some((rounded.to_bits(), f64::from(rounded) != f64::from(value)))
}

/// FTRC: converts to a signed integer by truncation, within its range.
#[inline(always)]
#[must_use]
pub fn ftrc(a: u32) -> Usual<u32> {
    // The magnitude must be below 2^31.
    if a & 0x7FFF_FFFF >= 0x4F00_0000 {
        return None;
    }
    Some((f32::from_bits(a) as i32 as u32, false))
}

/// FCMP/EQ.
#[inline(always)]
#[must_use]
pub fn equal(a: u32, b: u32) -> Usual<bool> {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    if denormal(a) || denormal(b) || x.is_nan() || y.is_nan() {
        return None;
    }
    Some((x == y, false))
}

/// FCMP/GT as `a > b`.
#[inline(always)]
#[must_use]
pub fn greater(a: u32, b: u32) -> Usual<bool> {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    if denormal(a) || denormal(b) || x.is_nan() || y.is_nan() {
        return None;
    }
    Some((x > y, false))
}
