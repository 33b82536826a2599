//! FIPR and FTRV: inner products of four terms.
//!
//! The manual (SH7750, 6.6.1) says: multiply all terms, align the products to fit 30 bits, add,
//! normalise and round once. The [`InnerProduct::Hardware`] model fills in the rest:
//!
//! 1. For every non-zero product, `E` is the sum of the operands' exponents and `M` the exact 48-bit
//!    product of their significands (two integer bits, 46 of fraction).
//! 2. `Emax` is the largest `E`; every `M` is aligned to it and cut to 26 bits of fraction, toward
//!    zero in magnitude, without a sticky bit.
//! 3. The four are added exactly, normalised, and rounded once by RM; DN flushes the result.
//!
//! Evidence: of 5,625 ways to cut and align, the ones that give the published hardware result
//! 3F66CC00 (exact arithmetic: 3F66C9EA) align to 26 bits with truncation. Confidence medium-high for
//! that, medium for the rest. Open, and decided here as written: a zero sum is +0; I means that
//! alignment or rounding lost a bit; a denormal operand with DN = 0 enters with the exponent 1 - 127
//! and no hidden bit, without E (which the manual does not list for these instructions).

use crate::host;
use crate::single::{self, to_odd};
use crate::soft::{self, Number, Single};
use crate::{Cause, Control, NAN_SINGLE, Outcome, Rounding};

/// How the four products are summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InnerProduct {
    /// The aligned-and-truncated model of the module's documentation. Default.
    #[default]
    Hardware,
    /// The exact sum, rounded once.
    Exact,
    /// Left to right in single precision, every step rounded: what most emulators compute.
    Sequential,
}

/// Which exponent of a product takes part in finding the largest (`fipr_emax`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProductExponent {
    /// The sum of the operands' exponents, before the product is normalised. Default, confidence
    /// low: the one hardware datum does not tell the two apart.
    #[default]
    BeforeNormalising,
    /// One more where the product of the significands reaches 2.
    AfterNormalising,
}

/// The switches of FIPR and FTRV.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InnerModel {
    /// How the products are summed.
    pub product: InnerProduct,
    /// For [`InnerProduct::Hardware`]: the exponent to align to.
    pub exponent: ProductExponent,
}

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7F80_0000;
const FRACTION: u32 = 0x007F_FFFF;
/// Fraction bits that survive the alignment.
const KEPT: i32 = 26;
/// Fraction bits of a product of two 24-bit significands.
const PRODUCT: i32 = 46;

/// FIPR: `a . b`.
#[inline]
#[must_use]
pub fn inner(a: &[u32; 4], b: &[u32; 4], model: InnerModel, control: Control) -> Outcome<u32> {
    if a.iter().chain(b).any(|&bits| special(bits)) {
        return with_specials(a, b, model, control);
    }
    finite(a, b, model, control)
}

/// FTRV: the matrix times the vector. `matrix` is XF0 to XF15, that is, column by column; component
/// `r` of the result is FIPR of `XF[r], XF[r+4], XF[r+8], XF[r+12]` with the old vector. Causes are
/// collected.
#[inline]
#[must_use]
pub fn transform(matrix: &[u32; 16], v: &[u32; 4], model: InnerModel, control: Control) -> Outcome<[u32; 4]> {
    if model == InnerModel::default()
        && control.flush
        && let Some((bits, inexact)) = four_rows(matrix, v, control.rounding)
    {
        return Outcome::new(bits, Cause::inexact(inexact));
    }
    by_rows(matrix, v, model, control)
}

#[cold]
fn by_rows(matrix: &[u32; 16], v: &[u32; 4], model: InnerModel, control: Control) -> Outcome<[u32; 4]> {
    let row = |r: usize| [matrix[r], matrix[r + 4], matrix[r + 8], matrix[r + 12]];
    let mut bits = [0; 4];
    let mut cause = Cause::NONE;
    for (r, bits) in bits.iter_mut().enumerate() {
        let part = inner(&row(r), v, model, control);
        *bits = part.bits;
        cause = cause.with(part.cause);
    }
    Outcome::new(bits, cause)
}

/// The four rows of FTRV at once, for DN = 1; nothing if an operand is infinite or a NaN, or a result not clearly
/// inside the normal range. Otherwise the results, and whether bits were lost.
///
/// A product of singles is exact in double precision. So is the product of the operands' powers of two, the
/// largest of which is the power to align to; 2^26 times that is where a double's last place is the last one
/// kept, and 2^-26 times that its weight. The loops run over rows, so that they become vector instructions.
#[inline(always)]
fn four_rows(matrix: &[u32; 16], v: &[u32; 4], rounding: Rounding) -> Option<([u32; 4], bool)> {
    let mut products = [[0.0f64; 4]; 4];
    let mut powers = [0.0f64; 4];
    let mut specials = 0;
    for (column, (&component, products)) in v.iter().zip(&mut products).enumerate() {
        let (value, power) = halves(component, &mut specials);
        for row in 0..4 {
            let (element, weight) = halves(matrix[4 * column + row], &mut specials);
            products[row] = element * value;
            powers[row] = larger(powers[row], weight * power);
        }
    }
    if specials != 0 {
        return None;
    }
    let mut totals = [0.0f64; 4];
    let mut lost = [false; 4];
    for products in &products {
        for row in 0..4 {
            let cut = cut(products[row], powers[row]);
            totals[row] += cut;
            lost[row] |= cut != products[row];
        }
    }
    let mut bits = [0; 4];
    let mut inexact = lost != [false; 4];
    for (bits, total) in bits.iter_mut().zip(totals) {
        let (rounded, exact) = narrow(total, rounding)?;
        *bits = rounded;
        inexact |= !exact;
    }
    Some((bits, inexact))
}

/// A number and its power of two, both 0 for a denormal. Infinities and NaNs leave a mark.
#[inline(always)]
fn halves(bits: u32, specials: &mut u32) -> (f64, f64) {
    let exponent = bits & INFINITY;
    *specials |= u32::from(exponent == INFINITY);
    let number = if exponent == 0 { 0 } else { bits };
    (f32::from_bits(number).into(), f32::from_bits(exponent).into())
}

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// `product` cut toward zero to a multiple of 2^-26 times `power`. Adding and taking away 2^26 times `power`
/// rounds to the nearest one; what came out too large goes back by one.
#[inline(always)]
fn cut(product: f64, power: f64) -> f64 {
    const UP: f64 = (1u64 << KEPT) as f64;
    const DOWN: f64 = 1.0 / UP;
    let magnitude = product.abs();
    let nearest = (magnitude + power * UP) - power * UP;
    let back = if nearest > magnitude { power * DOWN } else { 0.0 };
    (nearest - back).copysign(product)
}

/// A sum of four, rounded to single, and whether that is exact; nothing near the ends of the range. A zero is
/// positive.
#[inline(always)]
fn narrow(total: f64, rounding: Rounding) -> Option<(u32, bool)> {
    if total == 0.0 {
        return Some((0, true));
    }
    let nearest = total as f32;
    let too_far = rounding == Rounding::Zero && f64::from(nearest).abs() > total.abs();
    let bits = nearest.to_bits() - u32::from(too_far);
    let settled = host::settled(nearest.to_bits()) && host::settled(bits);
    settled.then_some((bits, f64::from(nearest) == total))
}

/// A finite operand of the hardware model, taken apart.
#[derive(Clone, Copy)]
struct Factor {
    /// With its bias; far below all others if the number is zero, so that zero products take no part.
    exponent: i32,
    significand: u32,
    /// All ones if negative.
    sign: i32,
}

impl Factor {
    /// The exponent of zero. Twice this and any shift still fit.
    const ZERO: i32 = -4096;

    #[inline(always)]
    fn new(bits: u32, flush: bool) -> Self {
        let biased = (bits >> 23 & 0xFF) as i32;
        let sign = bits as i32 >> 31;
        let (exponent, significand) = match (biased, flush) {
            (0, true) => (Self::ZERO, 0),
            (0, false) if bits & FRACTION == 0 => (Self::ZERO, 0),
            (0, false) => (1, bits & FRACTION),
            _ => (biased, bits & FRACTION | 0x0080_0000),
        };
        Self {
            exponent,
            significand,
            sign,
        }
    }
}

/// The hardware model with [`ProductExponent::BeforeNormalising`], as [`hardware`] does it, without a branch in the
/// common case.
#[inline(always)]
fn aligned_sum(a: &[Factor; 4], b: &[Factor; 4], control: Control) -> Outcome<u32> {
    let exponents = [0, 1, 2, 3].map(|i| a[i].exponent + b[i].exponent);
    let largest = exponents[0].max(exponents[1]).max(exponents[2].max(exponents[3]));
    let (mut total, mut lost) = (0i32, 0u64);
    for i in 0..4 {
        let product = u64::from(a[i].significand) * u64::from(b[i].significand);
        let shift = (PRODUCT - KEPT + largest - exponents[i]).min(63) as u32;
        let aligned = product >> shift;
        lost |= product ^ aligned << shift;
        let sign = a[i].sign ^ b[i].sign;
        total += (aligned as i32 ^ sign) - sign;
    }
    normalise(total, largest - 2 * 127 - KEPT, lost != 0, control)
}

/// Infinity or NaN.
#[inline]
fn special(bits: u32) -> bool {
    bits & INFINITY == INFINITY
}

#[inline]
fn finite(a: &[u32; 4], b: &[u32; 4], model: InnerModel, control: Control) -> Outcome<u32> {
    match model.product {
        InnerProduct::Hardware if model.exponent == ProductExponent::BeforeNormalising => {
            let factors = |bits: &[u32; 4]| bits.map(|bits| Factor::new(bits, control.flush));
            aligned_sum(&factors(a), &factors(b), control)
        }
        InnerProduct::Hardware => hardware(a, b, model.exponent, control),
        InnerProduct::Exact => exact(a, b, control),
        InnerProduct::Sequential => sequential(a, b, control),
    }
}

/// Exponent and significand of a finite number; zero has no significand.
#[inline]
fn split(bits: u32, flush: bool) -> (i32, u32) {
    let biased = bits >> 23 & 0xFF;
    let fraction = bits & FRACTION;
    match (biased, flush) {
        (0, true) => (1, 0),
        (0, false) => (1, fraction),
        _ => (biased as i32, fraction | 0x0080_0000),
    }
}

/// A product: exponent (both biases still in), 48-bit magnitude, sign.
#[derive(Clone, Copy)]
struct Term {
    exponent: i32,
    magnitude: u64,
    negative: bool,
}

#[inline]
fn term(a: u32, b: u32, flush: bool) -> Term {
    let ((ea, ma), (eb, mb)) = (split(a, flush), split(b, flush));
    Term {
        exponent: ea + eb,
        magnitude: u64::from(ma) * u64::from(mb),
        negative: (a ^ b) & SIGN != 0,
    }
}

#[inline]
fn hardware(a: &[u32; 4], b: &[u32; 4], rule: ProductExponent, control: Control) -> Outcome<u32> {
    let terms = [0, 1, 2, 3].map(|i| term(a[i], b[i], control.flush));
    let mut largest = 0;
    for t in terms {
        let carry = i32::from(rule == ProductExponent::AfterNormalising && t.magnitude >> (PRODUCT + 1) != 0);
        largest = largest.max(if t.magnitude == 0 { 0 } else { t.exponent + carry });
    }
    let (mut total, mut lost) = (0i32, 0);
    for t in terms {
        // Beyond 48 places nothing is left; a zero term may lie above `largest`.
        let shift = (PRODUCT - KEPT + largest - t.exponent).clamp(0, 63);
        let aligned = (t.magnitude >> shift) as i32;
        lost |= t.magnitude & ((1 << shift) - 1);
        total += if t.negative { -aligned } else { aligned };
    }
    // Both biases and the fraction come off.
    normalise(total, largest - 2 * 127 - KEPT, lost != 0, control)
}

/// `total * 2^exponent`, rounded. Four 28-bit magnitudes fit 31 bits.
#[inline]
fn normalise(total: i32, exponent: i32, lost: bool, control: Control) -> Outcome<u32> {
    if total == 0 {
        return Outcome::new(0, Cause::inexact(lost));
    }
    let rounded = total as f32;
    let biased = (rounded.to_bits() & INFINITY) >> 23;
    let scaled = biased as i32 + exponent;
    if control.rounding == Rounding::Nearest && scaled > 1 && scaled < 0xFF {
        let bits = (rounded.to_bits() & !INFINITY) | (scaled as u32) << 23;
        // At most 2^30, so the conversion back is exact.
        let inexact = lost || rounded as i32 != total;
        return Outcome::new(bits, Cause::inexact(inexact));
    }
    normalise_exact(total, exponent, lost, control)
}

#[cold]
fn normalise_exact(total: i32, exponent: i32, lost: bool, control: Control) -> Outcome<u32> {
    let number = Number {
        negative: total < 0,
        significand: total.unsigned_abs().into(),
        exponent,
    };
    let outcome = soft::round::<Single>(number, control);
    Outcome::new(outcome.bits as u32, outcome.cause.with(Cause::inexact(lost)))
}

/// Products of singles are exact in double precision; their sum is formed without error and rounded
/// to odd, then once to single.
fn exact(a: &[u32; 4], b: &[u32; 4], control: Control) -> Outcome<u32> {
    let wide = |bits: u32| {
        let flushed = control.flush && bits & INFINITY == 0;
        f64::from(f32::from_bits(if flushed { bits & SIGN } else { bits }))
    };
    let products = [0, 1, 2, 3].map(|i| wide(a[i]) * wide(b[i]));
    let (value, lost) = sum_exactly(products);
    let outcome = soft::round::<Single>(number_of(value), control);
    Outcome::new(outcome.bits as u32, outcome.cause.with(Cause::inexact(lost)))
}

/// The sum of four doubles, rounded to odd, and whether it lost bits. The expansion grows without
/// error (Shewchuk, "Adaptive precision floating-point arithmetic", 1997, section 2.4).
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

/// A non-overlapping expansion, smallest part first, to one double rounded to odd.
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

/// A finite double as an integer and an exponent. A zero is +0.
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

/// Every step rounded. Denormals are taken at their value, as by the other models.
fn sequential(a: &[u32; 4], b: &[u32; 4], control: Control) -> Outcome<u32> {
    let first = single::mul_any(a[0], b[0], control);
    (1..4).fold(first, |total, i| {
        let product = single::mul_any(a[i], b[i], control);
        let sum = single::add_any(total.bits, product.bits, control);
        Outcome::new(sum.bits, total.cause.with(product.cause).with(sum.cause))
    })
}

/// Infinities and NaNs, in the order of the manual's list: a signalling NaN or 0 times infinity is invalid;
/// else a quiet NaN answers itself; else infinities of both signs are invalid; else the infinity of its sign.
#[cold]
fn with_specials(a: &[u32; 4], b: &[u32; 4], model: InnerModel, control: Control) -> Outcome<u32> {
    let is_zero = |bits: u32| bits & !SIGN == 0 || (control.flush && bits & INFINITY == 0);
    let is_infinite = |bits: u32| bits & !SIGN == INFINITY;
    let is_nan = |bits: u32| bits & !SIGN > INFINITY;
    let is_signalling = |bits: u32| is_nan(bits) && bits & 0x0040_0000 != 0;
    let (mut quiet, mut plus, mut minus, mut invalid) = (false, false, false, false);
    for (&x, &y) in a.iter().zip(b) {
        invalid |= is_signalling(x) || is_signalling(y);
        invalid |= is_zero(x) && is_infinite(y) || is_infinite(x) && is_zero(y);
        quiet |= is_nan(x) || is_nan(y);
        if (is_infinite(x) || is_infinite(y)) && !is_nan(x) && !is_nan(y) {
            plus |= (x ^ y) & SIGN == 0;
            minus |= (x ^ y) & SIGN != 0;
        }
    }
    match (invalid, quiet, plus, minus) {
        (true, ..) | (_, false, true, true) => Outcome::new(NAN_SINGLE, Cause::INVALID),
        (_, true, ..) => Outcome::exact(NAN_SINGLE),
        (_, _, true, _) => Outcome::exact(INFINITY),
        (_, _, _, true) => Outcome::exact(SIGN | INFINITY),
        _ => finite(a, b, model, control),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Finite singles, zeros, denormals and neighbouring exponents among them.
    fn finite_bits() -> impl Strategy<Value = u32> {
        (any::<u32>(), 0..8u32).prop_map(|(bits, class)| match class {
            0 => bits & SIGN,
            1 => bits & (SIGN | FRACTION),
            2..5 => bits & (SIGN | FRACTION) | (120 + (bits >> 23 & 15)) << 23,
            _ => bits & (SIGN | FRACTION) | (bits >> 23 & 0xFF).min(254) << 23,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// The branch-free sum against the model as it is written down.
        #[test]
        fn the_fast_sum_is_the_model(
            a in proptest::array::uniform4(finite_bits()),
            b in proptest::array::uniform4(finite_bits()),
            flush: bool,
            to_zero: bool,
        ) {
            let rounding = if to_zero { Rounding::Zero } else { Rounding::Nearest };
            let control = Control { rounding, flush, ..Control::STARTUP };
            let factors = |bits: &[u32; 4]| bits.map(|bits| Factor::new(bits, flush));
            let fast = aligned_sum(&factors(&a), &factors(&b), control);
            let model = hardware(&a, &b, ProductExponent::BeforeNormalising, control);
            prop_assert_eq!(fast, model);
        }

        /// Four rows at once against the model, row by row.
        #[test]
        fn the_four_sums_are_the_model(
            rows in proptest::array::uniform4(proptest::array::uniform4(finite_bits())),
            v in proptest::array::uniform4(finite_bits()),
        ) {
            let matrix: [u32; 16] = std::array::from_fn(|i| rows[i % 4][i / 4]);
            let control = Control::STARTUP;
            let found = transform(&matrix, &v, InnerModel::default(), control);
            let expected = rows.map(|row| hardware(&row, &v, ProductExponent::BeforeNormalising, control));
            prop_assert_eq!(found.bits, expected.map(|outcome| outcome.bits));
            let cause = expected.iter().fold(Cause::NONE, |all, outcome| all.with(outcome.cause));
            prop_assert_eq!(found.cause, cause);
        }
    }
}
