//! FIPR and FTRV: inner products with four terms.
//!
//! The manual (SH7750, 6.6.1) specifies: multiply all terms, align the products to fit 30 bits, add,
//! normalise and round once. The [`InnerProduct::Hardware`] model completes this:
//!
//! 1. For every non-zero product, `E` is the sum of the operands' exponents. `M` is the exact 48-bit product
//!    of their significands (two integer bits, 46 fraction bits).
//! 2. `Emax` is the largest `E`. Every `M` is aligned to it and truncated to 26 fraction bits, toward zero in
//!    magnitude, without a sticky bit.
//! 3. The four terms are added exactly, normalised, and rounded once by RM; DN flushes the result.
//!
//! Evidence: of 5,625 tested ways to align and truncate, only ways with 26 fraction bits and truncation give
//! the published hardware result 3F66CC00 (exact arithmetic: 3F66C9EA). The confidence is medium-high for
//! these two points, and medium for the rest. Assumptions where no evidence exists: a zero sum is +0. Cause I
//! means that alignment or rounding lost a bit. A denormal operand with DN = 0 has the exponent 1 - 127 and
//! no hidden bit, and does not set E, because the manual does not list E for these instructions.

mod aligned;
mod rows;
mod sums;
#[cfg(test)]
mod tests;

use crate::{Cause, Control, NAN_SINGLE, Outcome};

settings::choices! {
    /// The sum of the four products.
    pub enum InnerProduct {
        /// Products are aligned to the largest exponent, truncated and added, as docs/hardware/sh4.md says.
        Hardware = "hardware",
        /// The exact sum, rounded once.
        Exact = "exact",
        /// Left to right in single precision with rounding at every step, as most emulators compute.
        Sequential = "sequential",
    }
}

settings::choices! {
    /// Exponent of a product in the search for the largest one (`fipr_emax`). The only hardware datum fits
    /// both choices.
    pub enum ProductExponent {
        /// The sum of the operands' exponents, before the product is normalised.
        BeforeNormalising = "before_normalising",
        /// The sum of the operands' exponents, plus 1 if the product of the significands is at least 2.
        AfterNormalising = "after_normalising",
    }
}

/// Settings of FIPR and FTRV.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InnerModel {
    /// Method of summing the products.
    pub product: InnerProduct,
    /// Exponent to align to, for [`InnerProduct::Hardware`].
    pub exponent: ProductExponent,
}

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7F80_0000;
const FRACTION: u32 = 0x007F_FFFF;
/// Number of fraction bits that remain after the alignment.
const KEPT: i32 = 26;
/// Number of fraction bits of a product of two 24-bit significands.
const PRODUCT: i32 = 46;

/// FIPR: `a . b`.
#[inline]
#[must_use]
pub fn inner(a: &[u32; 4], b: &[u32; 4], model: InnerModel, control: Control) -> Outcome<u32> {
    if model == InnerModel::default()
        && control.flush
        && let Some((bits, inexact)) = rows::one_row(a, b, control.rounding)
    {
        return Outcome::new(bits, Cause::inexact(inexact));
    }
    inner_unusual(a, b, model, control)
}

#[cold]
fn inner_unusual(a: &[u32; 4], b: &[u32; 4], model: InnerModel, control: Control) -> Outcome<u32> {
    if a.iter().chain(b).any(|&bits| bits & INFINITY == INFINITY) {
        return with_specials(a, b, model, control);
    }
    finite(a, b, model, control)
}

/// FTRV: the matrix times the vector. `matrix` is XF0 to XF15, column by column. Component `r` of the result
/// is FIPR of `XF[r], XF[r+4], XF[r+8], XF[r+12]` with the old vector. The causes of all components
/// accumulate.
#[inline]
#[must_use]
pub fn transform(matrix: &[u32; 16], v: &[u32; 4], model: InnerModel, control: Control) -> Outcome<[u32; 4]> {
    if model == InnerModel::default()
        && control.flush
        && let Some((bits, inexact)) = rows::four_rows(matrix, v, control.rounding)
    {
        return Outcome::new(bits, Cause::inexact(inexact));
    }
    transform_unusual(matrix, v, model, control)
}

#[cold]
fn transform_unusual(
    matrix: &[u32; 16],
    v: &[u32; 4],
    model: InnerModel,
    control: Control,
) -> Outcome<[u32; 4]> {
    let row = |r: usize| [matrix[r], matrix[r + 4], matrix[r + 8], matrix[r + 12]];
    let mut bits = [0; 4];
    let mut cause = Cause::NONE;
    for (r, bits) in bits.iter_mut().enumerate() {
        let part = inner_unusual(&row(r), v, model, control);
        *bits = part.bits;
        cause = cause.with(part.cause);
    }
    Outcome::new(bits, cause)
}

fn finite(a: &[u32; 4], b: &[u32; 4], model: InnerModel, control: Control) -> Outcome<u32> {
    match model.product {
        InnerProduct::Hardware => aligned::hardware(a, b, model.exponent, control),
        InnerProduct::Exact => sums::exact(a, b, control),
        InnerProduct::Sequential => sums::sequential(a, b, control),
    }
}

/// Handles infinities and NaNs in the order of the manual's list. A signalling NaN, or 0 times infinity, is
/// invalid. Otherwise a quiet NaN gives a NaN. Otherwise infinities of both signs are invalid. Otherwise the
/// result is an infinity with its sign.
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
