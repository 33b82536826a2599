//! FTRV by AVX2: the hardware model of `sh4_fpu::inner` on four rows at a time, for RM = 0 and DN = 1.
//!
//! A product of singles is exact in double precision, and so is the product of the operands' powers of two. The largest of
//! those gives the place that products are cut at: adding and taking away 2^26 times it rounds to a multiple of 2^-26
//! times it, and what came out too large goes back by one. The sum of four is exact again, and rounded once. Infinities,
//! NaNs and results near the ends of the range are not for this.

use super::{Context, DONE, REFUSED};
use std::arch::x86_64::*;

/// Fraction bits that survive the alignment.
const KEPT: f64 = (1 << 26) as f64;
const INFINITY: i32 = 0x7F80_0000;
/// Twice the pattern of the least number that is surely not rounded up from a denormal.
const LEAST: i32 = 0x0080_0001 << 1;
/// How many patterns, twice, from there up to infinity.
const SETTLED: i32 = (0x7F80_0000u32 << 1) as i32 - LEAST;

/// Numbers and their powers of two in double precision, 0 for denormals; and what is infinite or no number.
#[target_feature(enable = "avx2")]
fn halves(bits: __m128i) -> (__m256d, __m256d, __m128i) {
    let infinity = _mm_set1_epi32(INFINITY);
    let exponent = _mm_and_si128(bits, infinity);
    let denormal = _mm_cmpeq_epi32(exponent, _mm_setzero_si128());
    let number = _mm_andnot_si128(denormal, bits);
    (
        _mm256_cvtps_pd(_mm_castsi128_ps(number)),
        _mm256_cvtps_pd(_mm_castsi128_ps(exponent)),
        _mm_cmpeq_epi32(exponent, infinity),
    )
}

/// The vector `v` times XMTRX; in [`Context::status`] 0 if that is exact, 1 if not, [`REFUSED`] if it is unusual.
///
/// # Safety
/// `context` must be that of running compiled code, and the host have AVX2.
#[target_feature(enable = "avx2")]
// A vector register is what the calling convention has for it; the lint knows only structures of one layout.
#[allow(improper_ctypes_definitions)]
pub(super) unsafe extern "sysv64" fn transform(context: *mut Context, v: __m128) -> __m128 {
    // SAFETY: compiled code waits for the answer and holds no references.
    let context = unsafe { &mut *context };
    // SAFETY: likewise; it is borrowed for longer than the call.
    let matrix = unsafe { &(*context.cpu).xf };
    let bits = _mm_castps_si128(v);
    let (values, weights, mut special) = halves(bits);
    let mut products = [_mm256_setzero_pd(); 4];
    let mut power = _mm256_setzero_pd();
    for (column, product) in matrix.as_chunks::<4>().0.iter().zip(0..4) {
        let [a, b, c, d] = column.map(|word| word as i32);
        let (element, weight, odd) = halves(_mm_setr_epi32(a, b, c, d));
        let (value, other) = (spread(values, product), spread(weights, product));
        products[product as usize] = _mm256_mul_pd(element, value);
        power = _mm256_max_pd(power, _mm256_mul_pd(weight, other));
        special = _mm_or_si128(special, odd);
    }
    let (total, lost) = sum(products, power);
    let rounded = _mm256_cvtpd_ps(total);
    let inexact = _mm256_cmp_pd::<_CMP_NEQ_UQ>(_mm256_cvtps_pd(rounded), total);
    let inexact = _mm256_movemask_pd(_mm256_or_pd(lost, inexact)) != 0;
    // A zero is positive.
    let zero = narrow(_mm256_cmp_pd::<_CMP_EQ_OQ>(total, _mm256_setzero_pd()));
    let rounded = _mm_andnot_si128(zero, _mm_castps_si128(rounded));
    let fine = _mm_andnot_si128(special, _mm_or_si128(zero, settled(rounded)));
    let usual = _mm_movemask_epi8(fine) == 0xFFFF;
    context.status = if usual {
        DONE as u32 | u32::from(inexact)
    } else {
        REFUSED as u32
    };
    _mm_castsi128_ps(rounded)
}

/// One lane in all.
#[target_feature(enable = "avx2")]
fn spread(lanes: __m256d, which: i32) -> __m256d {
    match which {
        0 => _mm256_permute4x64_pd::<0x00>(lanes),
        1 => _mm256_permute4x64_pd::<0x55>(lanes),
        2 => _mm256_permute4x64_pd::<0xAA>(lanes),
        _ => _mm256_permute4x64_pd::<0xFF>(lanes),
    }
}

/// The sum of the products, each cut toward zero at its place, and which sums have lost bits by that.
#[target_feature(enable = "avx2")]
fn sum(products: [__m256d; 4], power: __m256d) -> (__m256d, __m256d) {
    let sign = _mm256_set1_pd(-0.0);
    let up = _mm256_mul_pd(power, _mm256_set1_pd(KEPT));
    let down = _mm256_mul_pd(power, _mm256_set1_pd(1.0 / KEPT));
    let (mut total, mut lost) = (_mm256_setzero_pd(), _mm256_setzero_pd());
    for product in products {
        let magnitude = _mm256_andnot_pd(sign, product);
        let nearest = _mm256_sub_pd(_mm256_add_pd(magnitude, up), up);
        let above = _mm256_cmp_pd::<_CMP_GT_OQ>(nearest, magnitude);
        let cut = _mm256_sub_pd(nearest, _mm256_and_pd(above, down));
        lost = _mm256_or_pd(lost, _mm256_cmp_pd::<_CMP_NEQ_UQ>(cut, magnitude));
        total = _mm256_add_pd(total, _mm256_or_pd(cut, _mm256_and_pd(sign, product)));
    }
    (total, lost)
}

/// Masks of 64 bits as masks of 32.
#[target_feature(enable = "avx2")]
fn narrow(mask: __m256d) -> __m128i {
    let (low, high) = (_mm256_castpd256_pd128(mask), _mm256_extractf128_pd::<1>(mask));
    _mm_castps_si128(_mm_shuffle_ps::<0x88>(_mm_castpd_ps(low), _mm_castpd_ps(high)))
}

/// Which numbers are far enough from both ends of the range.
#[target_feature(enable = "avx2")]
fn settled(bits: __m128i) -> __m128i {
    let above = _mm_sub_epi32(_mm_add_epi32(bits, bits), _mm_set1_epi32(LEAST));
    // Unsigned: above < SETTLED, by the larger of both being another than `above`.
    let larger = _mm_max_epu32(above, _mm_set1_epi32(SETTLED));
    _mm_xor_si128(_mm_cmpeq_epi32(larger, above), _mm_set1_epi32(-1))
}
