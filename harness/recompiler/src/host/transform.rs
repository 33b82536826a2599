//! FTRV and FIPR by AVX2, for RM = 0 and DN = 1: the models of `sh4_fpu::inner` on four sums at a time.
//!
//! A product of singles is exact in double precision. In the hardware model the products of a sum are cut toward zero at
//! 2^-26 times the largest of the operands' powers of two: here all are divided by that, a power of two, so that cutting is
//! rounding to integers, and the sum of four of those is exact. In the exact model the sum is formed with what every
//! addition loses, and is known if that cannot matter. Either is then rounded once. Infinities, NaNs, results near the ends
//! of the range, and sums that are not known are not for this.

use super::{Context, DONE, REFUSED};
use std::arch::x86_64::*;

/// Fraction bits that survive the hardware model's alignment.
const KEPT: i64 = 26;
/// The bias of a single's exponent, and of a double's.
const BIAS: i64 = 127;
const WIDE_BIAS: i64 = 1023;
const INFINITY: i32 = 0x7F80_0000;
/// The exponent of a zero: below that of any product, even with the largest other operand.
const NOTHING: i32 = -4096;
/// Twice the pattern of the least number that is surely not rounded up from a denormal.
const LEAST: i32 = 0x0080_0001 << 1;
/// How many patterns, twice, from there up to infinity.
const SETTLED: i32 = (0x7F80_0000u32 << 1) as i32 - LEAST;
/// The bits of a double below half a unit of the single.
const BELOW_TIE: i64 = (1 << 28) - 1;
/// Units of a double that what is lost in three additions cannot reach, and that sum's relative size.
const MARGIN: i64 = 16;
const LITTLE: f64 = 1.0 / (1u64 << 50) as f64;

/// Four numbers in double precision, denormals being 0, and their biased exponents.
#[derive(Clone, Copy)]
struct Wide {
    values: __m256d,
    exponents: __m128i,
}

/// XMTRX as the sums need it, column by column; kept while nothing writes to it.
pub(super) struct Matrix([Wide; 4]);

impl Matrix {
    pub(super) fn empty() -> Matrix {
        // SAFETY: all of these are plain numbers, for which zeros are fine.
        Matrix(unsafe { std::mem::zeroed() })
    }
}

/// Also which are infinite or no numbers.
#[target_feature(enable = "avx2")]
#[inline]
fn widen(bits: __m128i) -> (Wide, __m128i) {
    let infinity = _mm_set1_epi32(INFINITY);
    let exponent = _mm_and_si128(bits, infinity);
    let denormal = _mm_cmpeq_epi32(exponent, _mm_setzero_si128());
    let number = _mm_andnot_si128(denormal, bits);
    let nothing = _mm_and_si128(denormal, _mm_set1_epi32(NOTHING));
    let wide = Wide {
        values: _mm256_cvtps_pd(_mm_castsi128_ps(number)),
        exponents: _mm_add_epi32(_mm_srli_epi32::<23>(exponent), nothing),
    };
    (wide, _mm_cmpeq_epi32(exponent, infinity))
}

/// The matrix of a CPU; nothing if not all of it are numbers.
#[target_feature(enable = "avx2")]
#[inline]
fn matrix(elements: &[u32; 16]) -> Option<Matrix> {
    let mut special = _mm_setzero_si128();
    let columns = elements.as_chunks::<4>().0;
    let columns = [0, 1, 2, 3].map(|i| {
        let [a, b, c, d] = columns[i].map(|word| word as i32);
        let (wide, odd) = widen(_mm_setr_epi32(a, b, c, d));
        special = _mm_or_si128(special, odd);
        wide
    });
    (_mm_movemask_epi8(special) == 0).then_some(Matrix(columns))
}

/// The vector `v` times XMTRX, under the hardware model or the exact one; in [`Context::status`] 0 if that is exact, 1 if
/// not, [`REFUSED`] if it is unusual: the answer is `v` then.
///
/// # Safety
/// `context` must be that of running compiled code, and the host have AVX2.
#[target_feature(enable = "avx2")]
// A vector register is what the calling convention has for it; the lint knows only structures of one layout.
#[allow(improper_ctypes_definitions)]
pub(super) unsafe extern "sysv64" fn transform<const EXACT: bool>(
    context: *mut Context,
    v: __m128,
) -> __m128 {
    // SAFETY: compiled code waits for the answer and holds no references.
    let context = unsafe { &mut *context };
    if context.matrix_known == 0 && !know_matrix(context) {
        context.status = REFUSED as u32;
        return v;
    }
    let columns = &context.matrix.0;
    let (wide, special) = widen(_mm_castps_si128(v));
    let (values, exponents) = (spread(wide.values), spread_words(wide.exponents));
    let products = [0, 1, 2, 3].map(|i| _mm256_mul_pd(columns[i].values, values[i]));
    let powers = [0, 1, 2, 3].map(|i| _mm_add_epi32(columns[i].exponents, exponents[i]));
    let (result, status) = finish::<EXACT>(products, powers, special);
    context.status = status;
    if status == REFUSED as u32 { v } else { result }
}

/// Whether all of the matrix are numbers; it is known then.
#[target_feature(enable = "avx2")]
#[cold]
#[inline(never)]
fn know_matrix(context: &mut Context) -> bool {
    // SAFETY: borrowed for longer than the call that asks for this.
    let known = matrix(unsafe { &(*context.cpu).xf });
    let Some(known) = known else {
        return false;
    };
    (context.matrix, context.matrix_known) = (known, 1);
    true
}

/// The inner product of `a` and `b` in all lanes; the rest as in [`transform`].
///
/// # Safety
/// As for that.
#[target_feature(enable = "avx2")]
#[allow(improper_ctypes_definitions)]
pub(super) unsafe extern "sysv64" fn inner<const EXACT: bool>(
    context: *mut Context,
    a: __m128,
    b: __m128,
) -> __m128 {
    let (a, special) = widen(_mm_castps_si128(a));
    let (b, odd) = widen(_mm_castps_si128(b));
    let products = spread(_mm256_mul_pd(a.values, b.values));
    let powers = spread_words(_mm_add_epi32(a.exponents, b.exponents));
    let (result, status) = finish::<EXACT>(products, powers, _mm_or_si128(special, odd));
    // SAFETY: compiled code waits for the answer and holds no references.
    unsafe { (*context).status = status };
    result
}

/// Each lane in all.
#[target_feature(enable = "avx2")]
#[inline]
fn spread(lanes: __m256d) -> [__m256d; 4] {
    [
        _mm256_permute4x64_pd::<0x00>(lanes),
        _mm256_permute4x64_pd::<0x55>(lanes),
        _mm256_permute4x64_pd::<0xAA>(lanes),
        _mm256_permute4x64_pd::<0xFF>(lanes),
    ]
}

#[target_feature(enable = "avx2")]
#[inline]
fn spread_words(lanes: __m128i) -> [__m128i; 4] {
    [
        _mm_shuffle_epi32::<0x00>(lanes),
        _mm_shuffle_epi32::<0x55>(lanes),
        _mm_shuffle_epi32::<0xAA>(lanes),
        _mm_shuffle_epi32::<0xFF>(lanes),
    ]
}

/// Four sums, rounded, and the status of all.
#[target_feature(enable = "avx2")]
#[inline]
fn finish<const EXACT: bool>(
    products: [__m256d; 4],
    powers: [__m128i; 4],
    special: __m128i,
) -> (__m128, u32) {
    let zero = _mm256_setzero_pd();
    let (total, lost, unknown) = if EXACT {
        exact_sum(products)
    } else {
        let (total, lost) = cut_sum(products, powers);
        (total, lost, zero)
    };
    let rounded = _mm256_cvtpd_ps(total);
    let off = _mm256_cmp_pd::<_CMP_NEQ_UQ>(_mm256_cvtps_pd(rounded), total);
    let inexact = _mm256_movemask_pd(_mm256_or_pd(lost, off)) != 0;
    let is_zero = narrow(_mm256_cmp_pd::<_CMP_EQ_OQ>(total, zero));
    let bits = _mm_castps_si128(rounded);
    let fine = _mm_andnot_si128(special, _mm_or_si128(is_zero, settled(bits)));
    let usual = _mm_movemask_epi8(fine) == 0xFFFF && _mm256_movemask_pd(unknown) == 0;
    let status = if usual {
        DONE as u32 | u32::from(inexact)
    } else {
        REFUSED as u32
    };
    (rounded, status)
}

/// The sum of the products, each cut at its place, and which sums have lost bits by that. A zero is positive.
#[target_feature(enable = "avx2")]
#[inline]
fn cut_sum(products: [__m256d; 4], powers: [__m128i; 4]) -> (__m256d, __m256d) {
    let [a, b, c, d] = powers;
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
        let cut = _mm256_round_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(scaled);
        lost = _mm256_or_pd(lost, _mm256_cmp_pd::<_CMP_NEQ_UQ>(cut, scaled));
        total = _mm256_add_pd(total, cut);
    }
    (_mm256_mul_pd(total, down), lost)
}

/// The sum of the products rounded to double precision, which sums have lost bits by that, and for which it is not sure
/// that the exact sum rounds to the same single.
#[target_feature(enable = "avx2")]
#[inline]
fn exact_sum([a, b, c, d]: [__m256d; 4]) -> (__m256d, __m256d, __m256d) {
    let (first, low) = two_sum(a, b);
    let (second, middle) = two_sum(first, c);
    let (total, high) = two_sum(second, d);
    let total = _mm256_add_pd(total, _mm256_setzero_pd());
    let sign = _mm256_set1_pd(-0.0);
    let [low, middle, high] = [low, middle, high].map(|part| _mm256_andnot_pd(sign, part));
    let most = _mm256_add_pd(_mm256_add_pd(low, middle), high);
    let lost = _mm256_cmp_pd::<_CMP_NEQ_UQ>(most, _mm256_setzero_pd());
    let limit = _mm256_mul_pd(_mm256_andnot_pd(sign, total), _mm256_set1_pd(LITTLE));
    let large = _mm256_cmp_pd::<_CMP_NLE_UQ>(most, limit);
    // Near a single or the middle of two.
    let margin = _mm256_set1_epi64x(MARGIN);
    let low = _mm256_add_epi64(_mm256_castpd_si256(total), margin);
    let low = _mm256_and_si256(low, _mm256_set1_epi64x(BELOW_TIE));
    let near = _mm256_cmpgt_epi64(_mm256_add_epi64(margin, margin), low);
    let unknown = _mm256_or_pd(large, _mm256_castsi256_pd(near));
    (total, lost, _mm256_and_pd(lost, unknown))
}

/// A sum, and what it has lost, exactly (Knuth).
#[target_feature(enable = "avx2")]
#[inline]
fn two_sum(x: __m256d, y: __m256d) -> (__m256d, __m256d) {
    let sum = _mm256_add_pd(x, y);
    let part = _mm256_sub_pd(sum, x);
    let rest = _mm256_sub_pd(x, _mm256_sub_pd(sum, part));
    (sum, _mm256_add_pd(rest, _mm256_sub_pd(y, part)))
}

/// Masks of 64 bits as masks of 32.
#[target_feature(enable = "avx2")]
#[inline]
fn narrow(mask: __m256d) -> __m128i {
    let (low, high) = (_mm256_castpd256_pd128(mask), _mm256_extractf128_pd::<1>(mask));
    _mm_castps_si128(_mm_shuffle_ps::<0x88>(_mm_castpd_ps(low), _mm_castpd_ps(high)))
}

/// Which numbers are far enough from both ends of the range.
#[target_feature(enable = "avx2")]
#[inline]
fn settled(bits: __m128i) -> __m128i {
    let above = _mm_sub_epi32(_mm_add_epi32(bits, bits), _mm_set1_epi32(LEAST));
    // Unsigned: above < SETTLED, by the larger of both being another than `above`.
    let larger = _mm_max_epu32(above, _mm_set1_epi32(SETTLED));
    _mm_xor_si128(_mm_cmpeq_epi32(larger, above), _mm_set1_epi32(-1))
}
