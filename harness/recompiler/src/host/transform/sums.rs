//! Four sums of four products: truncated like the chip's addition, or exact.

use super::BIAS;
use std::arch::x86_64::*;

/// Fraction bits that survive the hardware model's alignment.
const KEPT: i64 = 26;
/// Exponent bias of a double.
const WIDE_BIAS: i64 = 1023;
/// Bits of a double below half a unit in the last place of a single.
const BELOW_TIE: i64 = (1 << 28) - 1;
/// If a partial sum is larger than the total by more than this factor, rounding errors may change the total's
/// rounding to single precision.
const REACH: f64 = 1024.0;
/// Bound of the rounding errors within [`REACH`], in units of the last place of the total. The first two
/// additions lose up to half of [`REACH`] units each, the last one half a unit.
const MARGIN: i64 = 2048;

/// Totals that round to the correct singles, except for the sign of a zero. `lost` is the mask of inexact
/// totals.
pub(super) struct Sums {
    pub(super) totals: __m256d,
    pub(super) lost: __m256d,
}

/// Adds products, each truncated at 2^-26 times the largest power of two among the products. The second
/// argument has their exponents with two biases. Dividing by that power turns the truncation into rounding to
/// integers, and four integers add exactly. Returns `None` if a lane of `special` is set: an operand is
/// infinite or NaN.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn cut(products: [__m256d; 4], [a, b, c, d]: [__m128i; 4], special: __m128i) -> Option<Sums> {
    let largest = _mm_max_epi32(_mm_max_epi32(a, b), _mm_max_epi32(c, d));
    // If all products are zero, any power is correct.
    let power = _mm256_cvtepi32_epi64(_mm_max_epi32(largest, _mm_setzero_si128()));
    let up = _mm256_sub_epi64(_mm256_set1_epi64x(WIDE_BIAS + KEPT + 2 * BIAS), power);
    let down = _mm256_add_epi64(_mm256_set1_epi64x(WIDE_BIAS - KEPT - 2 * BIAS), power);
    let up = _mm256_castsi256_pd(_mm256_slli_epi64::<52>(up));
    let down = _mm256_castsi256_pd(_mm256_slli_epi64::<52>(down));
    let (mut total, mut lost) = (_mm256_setzero_pd(), _mm256_setzero_pd());
    for product in products {
        let scaled = _mm256_mul_pd(product, up);
        let whole = _mm256_round_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(scaled);
        lost = _mm256_or_pd(lost, _mm256_cmp_pd::<_CMP_NEQ_UQ>(whole, scaled));
        total = _mm256_add_pd(total, whole);
    }
    let sums = Sums {
        totals: _mm256_mul_pd(total, down),
        lost,
    };
    (_mm_movemask_epi8(special) == 0).then_some(sums)
}

/// Adds products exactly. Returns `None` if double precision does not determine the rounding. With
/// `LOSSLESS`, the totals of inexact sums are undefined. Infinities and NaNs propagate.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn exact<const LOSSLESS: bool>([a, b, c, d]: [__m256d; 4]) -> Option<Sums> {
    let (first, first_lost) = add(a, b);
    let (second, second_lost) = add(c, d);
    let (total, total_lost) = add(first, second);
    let lost = _mm256_or_pd(_mm256_or_pd(first_lost, second_lost), total_lost);
    let any = _mm256_movemask_pd(lost);
    let known = LOSSLESS || any == 0 || any & doubtful(first, second, total) == 0;
    known.then_some(Sums { totals: total, lost })
}

/// Returns a sum and a mask of inexact lanes. Subtracting the larger operand from the sum is exact. So the
/// sum is exact only if subtracting either operand gives the other.
#[target_feature(enable = "avx2")]
#[inline]
fn add(x: __m256d, y: __m256d) -> (__m256d, __m256d) {
    let sum = _mm256_add_pd(x, y);
    let other = _mm256_cmp_pd::<_CMP_NEQ_UQ>(_mm256_sub_pd(sum, x), y);
    let one = _mm256_cmp_pd::<_CMP_NEQ_UQ>(_mm256_sub_pd(sum, y), x);
    (sum, _mm256_or_pd(one, other))
}

/// Mask of totals for which rounding errors may change the rounding to single precision.
#[target_feature(enable = "avx2")]
#[inline]
fn doubtful(first: __m256d, second: __m256d, total: __m256d) -> i32 {
    let sign = _mm256_set1_pd(-0.0);
    let [first, second, size] = [first, second, total].map(|sum| _mm256_andnot_pd(sign, sum));
    let limit = _mm256_mul_pd(size, _mm256_set1_pd(REACH));
    let far = _mm256_cmp_pd::<_CMP_NLE_UQ>(_mm256_max_pd(first, second), limit);
    let margin = _mm256_set1_epi64x(MARGIN);
    let above = _mm256_add_epi64(_mm256_castpd_si256(total), margin);
    let above = _mm256_and_si256(above, _mm256_set1_epi64x(BELOW_TIE));
    let near = _mm256_cmpgt_epi64(_mm256_add_epi64(margin, margin), above);
    _mm256_movemask_pd(_mm256_or_pd(far, _mm256_castsi256_pd(near)))
}
