//! Four sums of four products: with the bits that an addition of the chip keeps, or exact.

use super::BIAS;
use std::arch::x86_64::*;

/// Fraction bits that survive the hardware model's alignment.
const KEPT: i64 = 26;
/// The bias of a double's exponent.
const WIDE_BIAS: i64 = 1023;
/// The bits of a double below half a unit of the single.
const BELOW_TIE: i64 = (1 << 28) - 1;
/// A sum of two that is larger than the total by more than this factor may have lost too much to know the
/// total's rounding.
const REACH: f64 = 1024.0;
/// Units of a total in double precision that cannot be lost within [`REACH`]: half a unit of that size at
/// each of the first two additions, and half of the total's own, are less.
const MARGIN: i64 = 2048;

/// Totals in double precision that round to the right singles, except the sign of a zero; and the mask of
/// inexact ones.
pub(super) struct Sums {
    pub(super) totals: __m256d,
    pub(super) lost: __m256d,
}

/// The products, each cut toward zero at 2^-26 times the largest of the operands' powers of two (`powers`,
/// both biases still in): here all are divided by that, a power of two, so that cutting is rounding to
/// integers, and the sum of four of those is exact. Nothing if a lane of `special` is set: an operand that is
/// no number or infinite.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn cut(products: [__m256d; 4], [a, b, c, d]: [__m128i; 4], special: __m128i) -> Option<Sums> {
    let largest = _mm_max_epi32(_mm_max_epi32(a, b), _mm_max_epi32(c, d));
    // Of nothing but zeros any power will do.
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

/// The exact sums, as far as additions in double precision determine their rounding; else nothing. With
/// `LOSSLESS`, any totals where something is lost. Infinities and NaNs stay what they are.
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

/// A sum, and where it is not exact. If neither operand comes back when the other is taken away again, it has
/// lost something; if both do, it has not: taking away the larger one is exact.
#[target_feature(enable = "avx2")]
#[inline]
fn add(x: __m256d, y: __m256d) -> (__m256d, __m256d) {
    let sum = _mm256_add_pd(x, y);
    let other = _mm256_cmp_pd::<_CMP_NEQ_UQ>(_mm256_sub_pd(sum, x), y);
    let one = _mm256_cmp_pd::<_CMP_NEQ_UQ>(_mm256_sub_pd(sum, y), x);
    (sum, _mm256_or_pd(one, other))
}

/// The inexact totals that are so near a single, or the middle of two, that the lost bits may matter.
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
