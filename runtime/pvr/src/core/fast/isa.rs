//! The one choice of instruction set: the same code compiled for what every processor of the architecture has, and for AVX2.
//!
//! Both leave the same bits: there is no fused multiplication in either, and division is exact.

#![allow(unsafe_code)] // calls of functions compiled for AVX2, each after the processor was asked; nothing else

use super::cover::{Cover, cover};
use super::depth::{self, Layer, Opaque};
use super::lanes::{F32, I32, LANES};
use super::shade::{Run, shade};
use crate::core::setup::Figure;

/// What differs between instruction sets, and the loops that are compiled for each.
pub(super) trait Isa: Copy + Send + Sync {
    /// `value as i32` of values between -2^31 and 2^31.
    fn truncate(values: &F32) -> I32;
    /// Bit n: `a[n] >= b[n]`.
    fn greater_equal(a: &F32, b: &F32) -> u32;

    /// See [`cover`].
    fn cover(figure: &Figure, x: f64, y: f64, cover: &mut Cover) -> bool;
    /// See [`depth::opaque`].
    fn opaque(job: Opaque<'_>);
    /// See [`depth::layer`].
    fn layer(job: Layer<'_>);
    /// See [`shade`].
    fn shade(run: Run<'_>);
}

/// What every processor has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Baseline;

impl Isa for Baseline {
    #[inline(always)]
    fn truncate(values: &F32) -> I32 {
        super::lanes::truncate(values)
    }

    #[inline(always)]
    fn greater_equal(a: &F32, b: &F32) -> u32 {
        (0..LANES).fold(0, |mask, n| mask | u32::from(a[n] >= b[n]) << n)
    }

    fn cover(figure: &Figure, x: f64, y: f64, out: &mut Cover) -> bool {
        cover(figure, x, y, out)
    }

    fn opaque(job: Opaque<'_>) {
        depth::opaque(job);
    }

    fn layer(job: Layer<'_>) {
        depth::layer::<Self>(job);
    }

    fn shade(run: Run<'_>) {
        shade::<Self>(run);
    }
}

/// AVX2; made only where the processor has it.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::*;
    use std::arch::x86_64::{_CMP_GE_OQ, _mm256_cmp_ps, _mm256_cvttps_epi32, _mm256_movemask_ps};

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn truncate(values: &F32) -> I32 {
        bytemuck::cast(_mm256_cvttps_epi32(bytemuck::cast(*values)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn greater_equal(a: &F32, b: &F32) -> u32 {
        let mask = _mm256_cmp_ps::<_CMP_GE_OQ>(bytemuck::cast(*a), bytemuck::cast(*b));
        _mm256_movemask_ps(mask) as u32
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn cover_rows(figure: &Figure, x: f64, y: f64, out: &mut Cover) -> bool {
        cover(figure, x, y, out)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn opaque(job: Opaque<'_>) {
        depth::opaque(job);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn layer(job: Layer<'_>) {
        depth::layer::<Avx2>(job);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn shade_run(run: Run<'_>) {
        shade::<Avx2>(run);
    }
}

// Sound: a function compiled for AVX2 may be called where the processor has it. Who uses `Avx2` has asked for it first, in
// `available`, the only place from which it is chosen.
#[cfg(target_arch = "x86_64")]
impl Isa for Avx2 {
    #[inline(always)]
    fn truncate(values: &F32) -> I32 {
        unsafe { avx2::truncate(values) }
    }

    #[inline(always)]
    fn greater_equal(a: &F32, b: &F32) -> u32 {
        unsafe { avx2::greater_equal(a, b) }
    }

    fn cover(figure: &Figure, x: f64, y: f64, out: &mut Cover) -> bool {
        unsafe { avx2::cover_rows(figure, x, y, out) }
    }

    fn opaque(job: Opaque<'_>) {
        unsafe { avx2::opaque(job) }
    }

    fn layer(job: Layer<'_>) {
        unsafe { avx2::layer(job) }
    }

    fn shade(run: Run<'_>) {
        unsafe { avx2::shade_run(run) }
    }
}

/// Whether [`Avx2`] may be used.
#[cfg(target_arch = "x86_64")]
pub(super) fn available() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}
