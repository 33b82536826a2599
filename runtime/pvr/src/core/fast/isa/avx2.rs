//! Lanes as registers of 256 bits.

// Unsafe code: AVX2 operations that a token permits, loads from checked indices, and an `asm!` without
// instructions.
#![allow(unsafe_code)]

mod texels;

use super::{
    Bands, Cover, DepthMode, FOUR, Flush, Insertion, Isa, LANES, Layer, Opaque, Output, PADDED, RunEdges,
    ShadeTask, Shape, Source, Surface, Triangle,
};
use crate::core::fast::{cover, depth, pixels, shade, sorted, tags};
use bytemuck::cast;
use std::arch::x86_64::*;

/// Lanes as registers of AVX2. A value proves that the processor has AVX2, because only [`Self::detect`]
/// creates one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Returns a token if the processor has AVX2 and the other features that loops are compiled with.
    pub(in crate::core::fast) fn detect() -> Option<Self> {
        let has = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt");
        has.then_some(Self(()))
    }
}

type F = __m256;
type W = __m256i;
type D = __m256d;

/// Operations of one or a few instructions.
macro_rules! operations {
    ($($name:ident $(<const $n:ident>)? ($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {
        $(#[inline(always)]
        #[allow(unused_unsafe)] // some are no more than casts
        fn $name $(<const $n: i32>)? (self, $($a: $t),*) -> $r {
            // SAFETY: `self` proves that the processor has AVX2.
            unsafe { $e }
        })*
    };
}

/// Loops compiled for AVX2.
macro_rules! loops {
    ($($name:ident($($a:ident: $t:ty),*) -> $r:ty = |$isa:ident| $body:expr;)*) => {
        $(fn $name(self, $($a: $t),*) -> $r {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn compiled($isa: Avx2, $($a: $t),*) -> $r {
                $body
            }
            // SAFETY: `self` proves that the processor has these features.
            unsafe { compiled(self, $($a),*) }
        })*
    };
}

impl Isa for Avx2 {
    type F = F;
    type W = W;
    type D = D;

    operations! {
        splat_float(value: f32) -> F = _mm256_set1_ps(value);
        load_floats(values: &[f32; LANES]) -> F = cast(*values);
        store_floats(values: F, out: &mut [f32; LANES]) -> () = *out = cast(values);
        add(a: F, b: F) -> F = _mm256_add_ps(a, b);
        mul(a: F, b: F) -> F = _mm256_mul_ps(a, b);
        div(a: F, b: F) -> F = _mm256_div_ps(a, b);
        max(a: F, b: F) -> F = _mm256_max_ps(a, b);
        min(a: F, b: F) -> F = _mm256_min_ps(a, b);
        to_ints(values: [F; 2]) -> [W; 2] = to_ints(values);
        truncate(value: F) -> W = _mm256_cvttps_epi32(value);
        floats_to_bits(value: F) -> W = _mm256_castps_si256(value);
        bits_to_floats(bits: W) -> F = _mm256_castsi256_ps(bits);
        passes(mode: DepthMode, new: F, old: F) -> W = passes(mode, new, old);

        splat(value: u32) -> W = _mm256_set1_epi32(value as i32);
        load_words(values: &[u32; LANES]) -> W = cast(*values);
        store(words: W, out: &mut [u32; LANES]) -> () = *out = cast(words);
        and(a: W, b: W) -> W = _mm256_and_si256(a, b);
        and_not(a: W, b: W) -> W = _mm256_andnot_si256(b, a);
        or(a: W, b: W) -> W = _mm256_or_si256(a, b);
        xor(a: W, b: W) -> W = _mm256_xor_si256(a, b);
        shl<const N>(a: W) -> W = _mm256_slli_epi32::<N>(a);
        shr<const N>(a: W) -> W = _mm256_srli_epi32::<N>(a);
        sar<const N>(a: W) -> W = _mm256_srai_epi32::<N>(a);
        add32(a: W, b: W) -> W = _mm256_add_epi32(a, b);
        mul15(a: W, b: W) -> W = _mm256_madd_epi16(a, b);
        max32(a: W, b: W) -> W = _mm256_max_epi32(a, b);
        min32(a: W, b: W) -> W = _mm256_min_epi32(a, b);
        equal(a: W, b: W) -> W = _mm256_cmpeq_epi32(a, b);
        greater(a: W, b: W) -> W = _mm256_cmpgt_epi32(a, b);
        select(mask: W, a: W, b: W) -> W = _mm256_blendv_epi8(b, a, mask);
        lanes(bits: u32) -> W = lanes(bits);
        bits(mask: W) -> u32 = _mm256_movemask_ps(_mm256_castsi256_ps(mask)) as u32;

        add16(a: W, b: W) -> W = _mm256_add_epi16(a, b);
        add16_saturated(a: W, b: W) -> W = _mm256_adds_epu16(a, b);
        sub16_saturated(a: W, b: W) -> W = _mm256_subs_epu16(a, b);
        sub16(a: W, b: W) -> W = _mm256_sub_epi16(a, b);
        mul16(a: W, b: W) -> W = _mm256_mullo_epi16(a, b);
        mul16_high(a: W, b: W) -> W = _mm256_mulhi_epu16(a, b);
        equal16(a: W, b: W) -> W = _mm256_cmpeq_epi16(a, b);
        max16(a: W, b: W) -> W = _mm256_max_epu16(a, b);
        min16(a: W, b: W) -> W = _mm256_min_epu16(a, b);
        shl16<const N>(a: W) -> W = _mm256_slli_epi16::<N>(a);
        shr16<const N>(a: W) -> W = _mm256_srli_epi16::<N>(a);
        low_bytes(a: W) -> W = low_bytes(a);
        upper(a: W) -> W = upper(a);

        splat_double(value: f64) -> D = _mm256_set1_pd(value);
        counted(start: f64) -> D = _mm256_add_pd(_mm256_set1_pd(start), _mm256_setr_pd(0.0, 1.0, 2.0, 3.0));
        add4(a: D, b: D) -> D = _mm256_add_pd(a, b);
        sub4(a: D, b: D) -> D = _mm256_sub_pd(a, b);
        mul4(a: D, b: D) -> D = _mm256_mul_pd(a, b);
        max4(a: D, b: D) -> D = _mm256_max_pd(a, b);
        min4(a: D, b: D) -> D = _mm256_min_pd(a, b);
        floor4(a: D) -> D = _mm256_floor_pd(a);
        exceeds4(a: D, b: f64) -> u32 = beyond4(a, b);
        span_masks(before: D, last: D) -> [u32; FOUR] = bits_between(before, last);

        along(c: &[f64; LANES], d: &[f64; LANES], at: f64) -> [f32; LANES] = along(c, d, at);
        gather(texels: &[u64], places: W) -> W = texels::gather(texels, places);
        gather_pairs(texels: &[u64], places: W) -> [W; 4] = texels::gather_pairs(texels, places);
        prefetch(byte: &u8) -> () = _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast());
    }

    loops! {
        shape(shape: &mut Shape, source: &Source<'_>, triangle: &Triangle) -> ()
            = |_isa| shape.set_up(source, triangle);
        surface(surface: &mut Surface, source: &Source<'_>, triangle: &Triangle, volume: u32) -> ()
            = |_isa| surface.set_up(source, triangle, volume);
        count(masks: &[u32]) -> u64 = |_isa| pixels::count(masks);
        run_edges(
            tags: &[u32; PADDED], backdrop: Option<u32>, colours: &mut [u32; PADDED], out: &mut RunEdges
        ) -> u64
            = |isa| tags::run_edges(isa, tags, backdrop, colours, out);
        cover(shape: &Shape, x: f64, y: f64, out: &mut Cover) -> bool
            = |isa| cover::cover(isa, shape, x, y, out);
        opaque(task: Opaque<'_>) -> () = |isa| depth::opaque(isa, task);
        layer(task: Layer<'_>) -> () = |isa| depth::layer(isa, task);
        shade(task: ShadeTask<'_>) -> () = |isa| shade::shade(isa, task);
        insert(task: Insertion<'_>) -> () = |isa| sorted::insert(isa, task);
        write_band(output: &Output, bands: &Bands<'_>, at: [u32; 2], colours: &[u32]) -> ()
            = |_isa| output.write_band(bands, at[0], at[1], colours);
        flush(task: Flush<'_>) -> () = |isa| sorted::flush(isa, task);
    }
}

/// The instruction returns -2^31 for NaN and for every value outside the range of `i32`. `far_to_int`
/// converts the rare groups with this result again.
#[inline]
#[target_feature(enable = "avx2")]
fn to_ints([a, b]: [F; 2]) -> [W; 2] {
    let (whole_a, whole_b) = (_mm256_cvttps_epi32(a), _mm256_cvttps_epi32(b));
    let least = _mm256_set1_epi32(i32::MIN);
    let doubtful = _mm256_or_si256(
        _mm256_cmpeq_epi32(whole_a, least),
        _mm256_cmpeq_epi32(whole_b, least),
    );
    if _mm256_testz_si256(doubtful, doubtful) != 0 {
        return [whole_a, whole_b];
    }
    [far_to_int(a), far_to_int(b)]
}

#[cold]
#[inline(never)]
#[target_feature(enable = "avx2")]
fn far_to_int(value: F) -> W {
    cast(cast::<F, [f32; LANES]>(value).map(|value| value as i32))
}

#[inline]
#[target_feature(enable = "avx2")]
fn passes(mode: DepthMode, new: F, old: F) -> W {
    _mm256_castps_si256(match mode {
        DepthMode::Never => _mm256_setzero_ps(),
        DepthMode::Less => _mm256_cmp_ps::<_CMP_LT_OQ>(new, old),
        DepthMode::Equal => _mm256_cmp_ps::<_CMP_EQ_OQ>(new, old),
        DepthMode::LessEqual => _mm256_cmp_ps::<_CMP_LE_OQ>(new, old),
        DepthMode::Greater => _mm256_cmp_ps::<_CMP_GT_OQ>(new, old),
        DepthMode::NotEqual => _mm256_cmp_ps::<_CMP_NEQ_UQ>(new, old),
        DepthMode::GreaterEqual => _mm256_cmp_ps::<_CMP_GE_OQ>(new, old),
        DepthMode::Always => _mm256_cmp_ps::<_CMP_TRUE_UQ>(new, old),
    })
}

#[inline]
#[target_feature(enable = "avx2")]
fn lanes(bits: u32) -> W {
    let own = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(bits as i32), own), own)
}

#[inline]
#[target_feature(enable = "avx2")]
fn low_bytes(a: W) -> W {
    let bytes = _mm_setr_epi8(0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1);
    _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(bytes))
}

#[inline]
#[target_feature(enable = "avx2")]
fn upper(a: W) -> W {
    let bytes = _mm_setr_epi8(2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15);
    _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(bytes))
}

#[inline]
#[target_feature(enable = "avx2")]
fn beyond4(a: D, b: f64) -> u32 {
    let size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
    _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(size, _mm256_set1_pd(b))) as u32
}

/// Implements `span_masks`. Shifts by more than 31 give 0.
#[inline]
#[target_feature(enable = "avx2")]
fn bits_between(before: D, last: D) -> [u32; FOUR] {
    let (all, one) = (_mm_set1_epi32(-1), _mm_set1_epi32(1));
    let above = |n: D| _mm_sllv_epi32(all, _mm_add_epi32(_mm256_cvttpd_epi32(n), one));
    cast(_mm_andnot_si128(above(last), above(before)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn along(c: &[f64; LANES], d: &[f64; LANES], at: f64) -> [f32; LANES] {
    let at = _mm256_set1_pd(at);
    let [c0, c1]: [__m256d; 2] = cast(*c);
    let [d0, d1]: [__m256d; 2] = cast(*d);
    cast([
        _mm256_cvtpd_ps(_mm256_add_pd(c0, _mm256_mul_pd(d0, at))),
        _mm256_cvtpd_ps(_mm256_add_pd(c1, _mm256_mul_pd(d1, at))),
    ])
}
