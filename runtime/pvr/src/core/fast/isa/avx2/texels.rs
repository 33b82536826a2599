//! Loads of texels at eight indices.

use super::{LANES, W};
use bytemuck::cast;
use std::arch::x86_64::*;

/// Converts lanes to indices of at most `last`.
#[inline]
#[target_feature(enable = "avx2")]
fn clamped(places: W, last: usize) -> [usize; LANES] {
    let last = _mm256_set1_epi32(u32::try_from(last).unwrap_or(u32::MAX) as i32);
    // Shifts separate the lanes, because shuffles limit the speed of the loops around this.
    let [ab, cd, ef, gh]: [u64; 4] = cast(_mm256_min_epu32(places, last));
    [ab, ab >> 32, cd, cd >> 32, ef, ef >> 32, gh, gh >> 32].map(|n| n as u32 as usize)
}

/// Returns the index unchanged. The compiler cannot see this, and therefore does not combine eight loads into
/// a gather instruction, which is no faster.
#[inline(always)]
fn keep_separate(mut place: usize) -> usize {
    // SAFETY: the text contains no instruction, and the register does not change.
    unsafe {
        std::arch::asm!("/* {0} */", inout(reg) place, options(pure, nomem, nostack, preserves_flags));
    }
    place
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn gather(texels: &[u64], places: W) -> W {
    let Some(last) = texels.len().checked_sub(1) else {
        return _mm256_setzero_si256();
    };
    let at = |place: usize| {
        // SAFETY: `clamped` limits places to the last index.
        unsafe { *texels.get_unchecked(place) as i32 }
    };
    let [a, b, c, d, e, f, g, h] = clamped(places, last).map(keep_separate);
    _mm256_setr_epi32(at(a), at(b), at(c), at(d), at(e), at(f), at(g), at(h))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn gather_pairs(texels: &[u64], places: W) -> [W; 4] {
    let Some(last) = texels.len().checked_sub(2) else {
        return [_mm256_setzero_si256(); 4];
    };
    let at = |place: usize| {
        // SAFETY: `clamped` limits indices to the last but one, so the slice contains two texels from there.
        unsafe { _mm_loadu_si128(texels.as_ptr().add(place).cast()) }
    };
    let [a, b, c, d, e, f, g, h] = clamped(places, last);
    // Each register pairs a lane of the lower half with one of the upper half, so that shuffles within halves
    // keep the order of lanes.
    let ae = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(at(a)), at(e));
    let bf = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(at(b)), at(f));
    let cg = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(at(c)), at(g));
    let dh = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(at(d)), at(h));
    let (ab_low, ab_high) = (_mm256_unpacklo_epi32(ae, bf), _mm256_unpackhi_epi32(ae, bf));
    let (cd_low, cd_high) = (_mm256_unpacklo_epi32(cg, dh), _mm256_unpackhi_epi32(cg, dh));
    [
        _mm256_unpacklo_epi64(ab_low, cd_low),
        _mm256_unpackhi_epi64(ab_low, cd_low),
        _mm256_unpacklo_epi64(ab_high, cd_high),
        _mm256_unpackhi_epi64(ab_high, cd_high),
    ]
}
