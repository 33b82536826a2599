//! FTRV and FIPR with AVX2, for DN = 1: the models of `sh4_fpu::inner` for four sums at a time.
//!
//! A product of singles is exact in double precision. [`sums`] adds four products in double precision
//! according to one of two models, and rounds once. Denormal operands are zeros. The functions refuse
//! infinities, NaNs, results near the ends of the range, and sums with an uncertain rounding.

mod sums;
#[cfg(test)]
mod tests;

use super::{Context, DONE, REFUSED};
use std::arch::x86_64::*;
use sums::Sums;

/// Exponent bias of a single.
const BIAS: i64 = 127;
const INFINITY: i32 = 0x7F80_0000;
/// Exponent of a zero, smaller than the exponent of any product.
const ZERO_EXPONENT: i32 = -4096;
/// Twice the bit pattern of the smallest number that cannot be a rounded-up denormal.
const LEAST: i32 = 0x0080_0001 << 1;
/// Twice the number of bit patterns from [`LEAST`] to infinity.
const SETTLED: i32 = (0x7F80_0000u32 << 1) as i32 - LEAST;

/// Four numbers in double precision with their biased exponents as singles.
#[derive(Clone, Copy)]
struct Wide {
    values: __m256d,
    exponents: __m128i,
}

/// Value of [`Context::matrix_known`] while [`Context::matrix`] is XMTRX.
const KNOWN: u32 = 1;

/// Columns of XMTRX.
pub(super) struct Matrix([Wide; 4]);

/// Converts singles to doubles. Also returns a mask of infinities and NaNs.
#[target_feature(enable = "avx2")]
#[inline]
fn widen(bits: __m128i) -> (Wide, __m128i) {
    let infinity = _mm_set1_epi32(INFINITY);
    let exponent = _mm_and_si128(bits, infinity);
    let denormal = _mm_cmpeq_epi32(exponent, _mm_setzero_si128());
    let lowered = _mm_and_si128(denormal, _mm_set1_epi32(ZERO_EXPONENT));
    let wide = Wide {
        values: doubles(bits, denormal),
        exponents: _mm_add_epi32(_mm_srli_epi32::<23>(exponent), lowered),
    };
    (wide, _mm_cmpeq_epi32(exponent, infinity))
}

/// Converts singles to doubles. Denormals become zeros; `denormal` is the mask of zeros and denormals.
#[target_feature(enable = "avx2")]
#[inline]
fn doubles(bits: __m128i, denormal: __m128i) -> __m256d {
    let digits = _mm_srli_epi32::<1>(denormal);
    _mm256_cvtps_pd(_mm_castsi128_ps(_mm_andnot_si128(digits, bits)))
}

/// Converts singles to doubles without exponents.
#[target_feature(enable = "avx2")]
#[inline]
fn exactly(singles: __m128) -> __m256d {
    let bits = _mm_castps_si128(singles);
    let exponent = _mm_and_si128(bits, _mm_set1_epi32(INFINITY));
    doubles(bits, _mm_cmpeq_epi32(exponent, _mm_setzero_si128()))
}

/// Converts the matrix of a CPU. Returns `None` if an element is infinite or NaN.
#[target_feature(enable = "avx2")]
#[inline]
fn columns(elements: &[u32; 16]) -> Option<[Wide; 4]> {
    let mut special = _mm_setzero_si128();
    let columns = elements.as_chunks::<4>().0;
    let columns = [0, 1, 2, 3].map(|i| {
        let [a, b, c, d] = columns[i].map(|word| word as i32);
        let (wide, odd) = widen(_mm_setr_epi32(a, b, c, d));
        special = _mm_or_si128(special, odd);
        wide
    });
    (_mm_movemask_epi8(special) == 0).then_some(columns)
}

/// Multiplies XMTRX by the vector `v`. Sets [`Context::status`] to 0 if the result is exact, 1 if it is
/// inexact, or [`REFUSED`]; then returns `v`. See [`Call::Product`](super::Call::Product).
///
/// # Safety
/// The caller must be compiled code that runs with `context`, on a host with AVX2.
#[target_feature(enable = "avx2")]
// The calling convention passes the type in a vector register; the lint only knows C structures.
#[allow(improper_ctypes_definitions)]
pub(super) unsafe extern "sysv64" fn transform<const EXACT: bool, const LOSSLESS: bool>(
    context: *mut Context,
    v: __m128,
) -> __m128 {
    // SAFETY: compiled code waits for the answer and holds no references.
    let context = unsafe { &mut *context };
    if context.matrix_known == 0 && !take_matrix(context) {
        context.status = REFUSED as u32;
        return v;
    }
    let Some(Matrix(columns)) = &context.matrix else {
        context.status = REFUSED as u32;
        return v;
    };
    let toward_zero = context.modes.is_toward_zero();
    let (result, status) = product::<EXACT, LOSSLESS>(columns, v, toward_zero);
    context.status = status;
    // A refused vector is unchanged.
    if status == REFUSED as u32 { v } else { result }
}

/// Loads XMTRX. Returns false if an element is infinite or NaN.
#[target_feature(enable = "avx2")]
#[cold]
fn take_matrix(context: &mut Context) -> bool {
    // SAFETY: the CPU is borrowed during the whole run.
    let Some(columns) = columns(unsafe { &(*context.cpu).xf }) else {
        return false;
    };
    context.matrix = Some(Matrix(columns));
    context.matrix_known = KNOWN;
    true
}

#[target_feature(enable = "avx2")]
#[inline]
fn product<const EXACT: bool, const LOSSLESS: bool>(
    columns: &[Wide; 4],
    v: __m128,
    toward_zero: bool,
) -> (__m128, u32) {
    if EXACT {
        let values = spread(exactly(v));
        let products = [0, 1, 2, 3].map(|i| _mm256_mul_pd(columns[i].values, values[i]));
        return finish::<LOSSLESS>(sums::exact::<LOSSLESS>(products), toward_zero);
    }
    let (wide, special) = widen(_mm_castps_si128(v));
    let (values, exponents) = (spread(wide.values), spread_words(wide.exponents));
    let products = [0, 1, 2, 3].map(|i| _mm256_mul_pd(columns[i].values, values[i]));
    let powers = [0, 1, 2, 3].map(|i| _mm_add_epi32(columns[i].exponents, exponents[i]));
    finish::<LOSSLESS>(sums::cut(products, powers, special), toward_zero)
}

/// Returns the inner product of `a` and `b` in all lanes. Sets the status like [`transform`].
///
/// # Safety
/// See [`transform`].
#[target_feature(enable = "avx2")]
#[allow(improper_ctypes_definitions)]
pub(super) unsafe extern "sysv64" fn inner<const EXACT: bool, const LOSSLESS: bool>(
    context: *mut Context,
    a: __m128,
    b: __m128,
) -> __m128 {
    // SAFETY: compiled code waits for the answer and holds no references.
    let context = unsafe { &mut *context };
    let toward_zero = context.modes.is_toward_zero();
    let (result, status) = inner_product::<EXACT, LOSSLESS>(a, b, toward_zero);
    context.status = status;
    result
}

#[target_feature(enable = "avx2")]
#[inline]
fn inner_product<const EXACT: bool, const LOSSLESS: bool>(
    a: __m128,
    b: __m128,
    toward_zero: bool,
) -> (__m128, u32) {
    if EXACT {
        let products = _mm256_mul_pd(exactly(a), exactly(b));
        return finish::<LOSSLESS>(sums::exact::<LOSSLESS>(spread(products)), toward_zero);
    }
    let (a, special) = widen(_mm_castps_si128(a));
    let (b, odd) = widen(_mm_castps_si128(b));
    let products = spread(_mm256_mul_pd(a.values, b.values));
    let powers = spread_words(_mm_add_epi32(a.exponents, b.exponents));
    let sums = sums::cut(products, powers, _mm_or_si128(special, odd));
    finish::<LOSSLESS>(sums, toward_zero)
}

/// Copies each lane to all lanes of one vector.
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

/// Rounds four sums to nearest or toward zero. Returns them with the common status. Rounding toward zero
/// needs exact totals; [`sums::cut`] has them.
#[target_feature(enable = "avx2")]
#[inline]
fn finish<const LOSSLESS: bool>(sums: Option<Sums>, toward_zero: bool) -> (__m128, u32) {
    let Some(Sums { totals, lost }) = sums else {
        return (_mm_setzero_ps(), REFUSED as u32);
    };
    let rounded = _mm256_cvtpd_ps(totals);
    let off = _mm256_cmp_pd::<_CMP_NEQ_UQ>(_mm256_cvtps_pd(rounded), totals);
    let inexact = _mm256_movemask_pd(_mm256_or_pd(lost, off)) != 0;
    if LOSSLESS && inexact {
        return (rounded, REFUSED as u32);
    }
    let status = DONE as u32 | u32::from(inexact);
    let unsettled = unsettled(_mm_castps_si128(rounded));
    let rounded = if toward_zero {
        truncated(rounded, totals)
    } else {
        rounded
    };
    if unsettled == 0 {
        return (rounded, status);
    }
    // Exact zeros are allowed and become positive. A result that rounding has made zero is refused.
    let zero = _mm_setzero_ps();
    let zeros = _mm_movemask_ps(_mm_cmpeq_ps(rounded, zero)) & !_mm256_movemask_pd(off);
    let refused = unsettled & !zeros != 0;
    (
        _mm_add_ps(rounded, zero),
        if refused { REFUSED as u32 } else { status },
    )
}

/// Singles rounded toward zero, from totals and the nearest singles.
#[target_feature(enable = "avx2")]
#[inline]
fn truncated(nearest: __m128, totals: __m256d) -> __m128 {
    let sign = _mm256_set1_pd(-0.0);
    let [found, exact] = [_mm256_cvtps_pd(nearest), totals].map(|number| _mm256_andnot_pd(sign, number));
    let above = _mm256_castpd_ps(_mm256_cmp_pd::<_CMP_GT_OQ>(found, exact));
    // The lower half of each mask of 64 bits; -1 decreases the magnitude.
    let halves = _mm256_permutevar8x32_ps(above, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    let step = _mm_castps_si128(_mm256_castps256_ps128(halves));
    _mm_castsi128_ps(_mm_add_epi32(_mm_castps_si128(nearest), step))
}

/// Mask of lanes near the ends of the range.
#[target_feature(enable = "avx2")]
#[inline]
fn unsettled(bits: __m128i) -> i32 {
    let above = _mm_sub_epi32(_mm_add_epi32(bits, bits), _mm_set1_epi32(LEAST));
    // Unsigned comparison above >= SETTLED: the maximum of both equals `above`.
    let larger = _mm_max_epu32(above, _mm_set1_epi32(SETTLED));
    _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(larger, above)))
}
