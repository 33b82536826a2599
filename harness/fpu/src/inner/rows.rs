//! Hardware model in double precision, for the usual case: DN = 1, every operand a number, every result
//! clearly inside the normal range. In other cases the functions return `None`, and
//! [`aligned`](super::aligned) computes the result.
//!
//! A product of singles is exact in double precision. The product of the operands' powers of two is exact as
//! well; the largest such product is the power for the alignment. The last place of a power of two in double
//! precision is 2^-52 of its value. A double of 2^26 times the power for the alignment therefore ends at
//! 2^-26 times the power, the last bit that the hardware keeps. So adding that double to a product rounds the
//! product to this bit. The sum of four terms is exact again, and rounded once.

use super::{INFINITY, KEPT};
use crate::{Rounding, host};

/// FIPR: returns the result, and whether bits were lost.
#[inline(always)]
pub(super) fn one_row(a: &[u32; 4], b: &[u32; 4], rounding: Rounding) -> Option<(u32, bool)> {
    let mut products = [0.0f64; 4];
    let (mut largest, mut specials) = (0.0, 0);
    for i in 0..4 {
        let ((x, x_power), (y, y_power)) = (halves(a[i], &mut specials), halves(b[i], &mut specials));
        products[i] = x * y;
        largest = larger(largest, x_power * y_power);
    }
    if specials != 0 {
        return None;
    }
    let (mut total, mut lost) = (0.0, false);
    for product in products {
        let cut = cut(product, largest);
        total += cut;
        lost |= cut != product;
    }
    let (bits, exact) = narrow(total, rounding)?;
    Some((bits, lost || !exact))
}

/// FTRV: returns four results, and whether bits were lost. The loops run over rows, so that the compiler
/// vectorises them.
#[inline(always)]
pub(super) fn four_rows(matrix: &[u32; 16], v: &[u32; 4], rounding: Rounding) -> Option<([u32; 4], bool)> {
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

/// Returns a number and its power of two, both 0 for a denormal. Sets `specials` for infinities and NaNs.
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

/// Truncates `product` to a multiple of 2^-26 times `power`. Adding and subtracting 2^26 times `power` rounds
/// to the nearest multiple; a result that is too large is reduced by one.
#[inline(always)]
fn cut(product: f64, power: f64) -> f64 {
    const UP: f64 = (1u64 << KEPT) as f64;
    const DOWN: f64 = 1.0 / UP;
    let magnitude = product.abs();
    let nearest = (magnitude + power * UP) - power * UP;
    let back = if nearest > magnitude { power * DOWN } else { 0.0 };
    (nearest - back).copysign(product)
}

/// Rounds a sum of four terms to single; also returns whether this is exact. Returns `None` near the ends of
/// the range. A zero is positive.
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
