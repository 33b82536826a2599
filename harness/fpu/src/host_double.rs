//! Double precision on the host's arithmetic, under the conditions of [`host`](crate::host).

use crate::host::Usual;

/// Number of stored fraction bits, and the hidden bit above them.
const FRACTION: u32 = 52;
const HIDDEN: u64 = 1 << FRACTION;

/// True if an operand is denormal. Infinities and NaNs need no test, because they give no normal result.
#[inline(always)]
fn denormal(bits: u64) -> bool {
    (bits << 1).wrapping_sub(1) < (HIDDEN << 1) - 1
}

/// True if a result is far enough from both ends of the range to be final. The smallest normal number is
/// excluded, because it may be rounded up.
#[inline(always)]
fn settled(bits: u64) -> bool {
    const LOWEST: u64 = (HIDDEN + 1) << 1;
    (bits << 1).wrapping_sub(LOWEST) < (0x7FF0_0000_0000_0000 << 1) - LOWEST
}

/// Significand of a normal number, without its trailing zeros.
#[inline(always)]
fn odd_part(bits: u64) -> u64 {
    let significand = bits & (HIDDEN - 1) | HIDDEN;
    significand >> significand.trailing_zeros()
}

/// Product of two significands, without its trailing zeros.
#[inline(always)]
fn odd_product(a: u64, b: u64) -> u128 {
    u128::from(odd_part(a)) * u128::from(odd_part(b))
}

/// FADD: `a + b`.
#[inline]
pub(crate) fn add(a: u64, b: u64) -> Usual<u64> {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
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

/// FMUL: `a * b`.
#[inline]
pub(crate) fn mul(a: u64, b: u64) -> Usual<u64> {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    let product = x * y;
    if denormal(a) || denormal(b) {
        return None;
    }
    if product == 0.0 && (x == 0.0 || y == 0.0) {
        return Some((product.to_bits(), false));
    }
    settled(product.to_bits()).then(|| (product.to_bits(), odd_product(a, b) >> (FRACTION + 1) != 0))
}

/// FDIV: `a / b`.
#[inline]
pub(crate) fn div(a: u64, b: u64) -> Usual<u64> {
    let quotient = f64::from_bits(a) / f64::from_bits(b);
    // An infinite divisor gives zero; a zero divisor gives infinity or NaN.
    if denormal(a) || denormal(b) || !settled(quotient.to_bits()) {
        return None;
    }
    let exact = odd_product(quotient.to_bits(), b) == u128::from(odd_part(a));
    Some((quotient.to_bits(), !exact))
}

/// FSQRT: square root of a positive number.
#[inline]
pub(crate) fn sqrt(a: u64) -> Usual<u64> {
    let x = f64::from_bits(a);
    if !(f64::MIN_POSITIVE..f64::INFINITY).contains(&x) {
        return None;
    }
    let root = x.sqrt().to_bits();
    Some((root, odd_product(root, root) != u128::from(odd_part(a))))
}
