//! Instruction sets: eight lanes, as arrays for every processor, or as registers of AVX2 or of WebAssembly.
//!
//! Loops are generic over [`Isa`] and compiled for each instruction set. All give the same bits: they use no
//! fused multiplication, and division is exact. Operations take lanes by value, because compilers split
//! arrays in memory into single elements.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod baseline;
#[cfg(target_feature = "simd128")]
mod simd128;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

use super::cover::{self, Cover};
use super::depth::{self, Layer, Opaque, PADDED};
use super::pixels;
use super::shade::{self, ShadeTask};
use super::shape::Shape;
use super::sorted::{self, Flush, Insertion};
use super::tags::{self, RunEdges};
use crate::core::objects::Triangle;
use crate::core::output::{Bands, Output};
use crate::core::setup::Source;
use crate::core::surface::Surface;
use crate::param::DepthMode;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
pub(super) use baseline::Baseline;
#[cfg(target_feature = "simd128")]
pub(crate) use simd128::Simd128;

/// The representation of lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lanes {
    Arrays,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_feature = "simd128")]
    Simd128(Simd128),
}

impl Lanes {
    /// Returns the representations that this processor supports, the fastest last.
    pub(crate) fn available() -> Vec<Self> {
        let arrays = [Self::Arrays].into_iter();
        #[cfg(target_arch = "x86_64")]
        let arrays = arrays.chain(Avx2::detect().map(Self::Avx2));
        #[cfg(target_feature = "simd128")]
        let arrays = arrays.chain([Self::Simd128(Simd128)]);
        arrays.collect()
    }
}

impl Default for Lanes {
    fn default() -> Self {
        Self::available().pop().unwrap_or(Self::Arrays)
    }
}

/// Pixels per group. The loops compute whole groups and discard the pixels beyond the end of a run.
pub(super) const LANES: usize = 8;

/// Rows per group, in double precision.
pub(super) const FOUR: usize = 4;

/// Operations on eight lanes, and the loops that use them. An instruction set beyond the compiler's default
/// overrides the loops, to compile them with its target features.
///
/// A word contains a 32-bit number, or two half words with channels of colours. A word of a mask is all ones
/// or 0.
pub(super) trait Isa: Copy + Send + Sync + 'static {
    /// Eight floats.
    type F: Copy;
    /// Eight words.
    type W: Copy;

    /// Four doubles.
    type D: Copy;

    /// Copies a float to all lanes.
    fn splat_float(self, value: f32) -> Self::F;
    /// Loads floats.
    fn load_floats(self, values: &[f32; LANES]) -> Self::F;
    /// Stores floats.
    fn store_floats(self, values: Self::F, out: &mut [f32; LANES]);
    /// Sum, rounded.
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    /// Product, rounded.
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// Quotient, rounded.
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    /// `if a > b { a } else { b }`
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// `if a < b { a } else { b }`
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// `value as i32` of two groups, also for values outside of that range.
    fn to_ints(self, values: [Self::F; 2]) -> [Self::W; 2];
    /// `value as i32` of values between -2^31 and 2^31.
    fn truncate(self, value: Self::F) -> Self::W;
    /// Bits of floats.
    fn floats_to_bits(self, value: Self::F) -> Self::W;
    /// Floats of bits.
    fn bits_to_floats(self, bits: Self::W) -> Self::F;
    /// Mask of [`crate::core::scalar::passes`].
    fn passes(self, mode: DepthMode, new: Self::F, old: Self::F) -> Self::W;

    /// Copies a word to all lanes.
    fn splat(self, value: u32) -> Self::W;
    /// Loads words.
    fn load_words(self, values: &[u32; LANES]) -> Self::W;
    /// Stores words.
    fn store(self, words: Self::W, out: &mut [u32; LANES]);
    /// `a & b`
    fn and(self, a: Self::W, b: Self::W) -> Self::W;
    /// `a & !b`
    fn and_not(self, a: Self::W, b: Self::W) -> Self::W;
    /// `a | b`
    fn or(self, a: Self::W, b: Self::W) -> Self::W;
    /// `a ^ b`
    fn xor(self, a: Self::W, b: Self::W) -> Self::W;
    /// Words shifted left.
    fn shl<const N: i32>(self, a: Self::W) -> Self::W;
    /// Words shifted right, filled with zeros.
    fn shr<const N: i32>(self, a: Self::W) -> Self::W;
    /// Words shifted right, filled with the sign.
    fn sar<const N: i32>(self, a: Self::W) -> Self::W;
    /// Sum of words, wrapping.
    fn add32(self, a: Self::W, b: Self::W) -> Self::W;
    /// Product of words below 2^15.
    fn mul15(self, a: Self::W, b: Self::W) -> Self::W;
    /// The larger of signed words.
    fn max32(self, a: Self::W, b: Self::W) -> Self::W;
    /// The smaller of signed words.
    fn min32(self, a: Self::W, b: Self::W) -> Self::W;
    /// Mask: equal words.
    fn equal(self, a: Self::W, b: Self::W) -> Self::W;
    /// Mask: `a > b`, signed.
    fn greater(self, a: Self::W, b: Self::W) -> Self::W;
    /// `a` where the mask is set, else `b`.
    fn select(self, mask: Self::W, a: Self::W, b: Self::W) -> Self::W;
    /// Converts eight bits to a mask.
    fn lanes(self, bits: u32) -> Self::W;
    /// Highest bit of each lane.
    fn bits(self, mask: Self::W) -> u32;

    /// Sum of half words, wrapping.
    fn add16(self, a: Self::W, b: Self::W) -> Self::W;
    /// Sum of half words, at most 65535.
    fn add16_saturated(self, a: Self::W, b: Self::W) -> Self::W;
    /// Difference of half words, at least 0.
    fn sub16_saturated(self, a: Self::W, b: Self::W) -> Self::W;
    /// Difference of half words, wrapping.
    fn sub16(self, a: Self::W, b: Self::W) -> Self::W;
    /// Low half of the product of half words.
    fn mul16(self, a: Self::W, b: Self::W) -> Self::W;
    /// High half of the product of half words.
    fn mul16_high(self, a: Self::W, b: Self::W) -> Self::W;
    /// Mask: equal half words.
    fn equal16(self, a: Self::W, b: Self::W) -> Self::W;
    /// The larger of half words.
    fn max16(self, a: Self::W, b: Self::W) -> Self::W;
    /// The smaller of half words.
    fn min16(self, a: Self::W, b: Self::W) -> Self::W;
    /// Half words shifted left.
    fn shl16<const N: i32>(self, a: Self::W) -> Self::W;
    /// Half words shifted right.
    fn shr16<const N: i32>(self, a: Self::W) -> Self::W;
    /// The lowest byte of each word in both halves.
    fn low_bytes(self, a: Self::W) -> Self::W;
    /// The upper half of each word in both halves.
    fn upper(self, a: Self::W) -> Self::W;

    /// Copies a double to all four lanes.
    fn splat_double(self, value: f64) -> Self::D;
    /// `start`, `start + 1` and so on.
    fn counted(self, start: f64) -> Self::D;
    /// Sum, rounded.
    fn add4(self, a: Self::D, b: Self::D) -> Self::D;
    /// Difference, rounded.
    fn sub4(self, a: Self::D, b: Self::D) -> Self::D;
    /// Product, rounded.
    fn mul4(self, a: Self::D, b: Self::D) -> Self::D;
    /// `if a > b { a } else { b }`
    fn max4(self, a: Self::D, b: Self::D) -> Self::D;
    /// `if a < b { a } else { b }`
    fn min4(self, a: Self::D, b: Self::D) -> Self::D;
    /// Rounded down.
    fn floor4(self, a: Self::D) -> Self::D;
    /// Bit n: `a[n].abs() > b`.
    fn exceeds4(self, a: Self::D, b: f64) -> u32;
    /// Words with the bits `before + 1` to `last` set. Both are whole numbers from -1 to 31.
    fn span_masks(self, before: Self::D, last: Self::D) -> [u32; FOUR];

    /// `(c + d * at) as f32`
    fn along(self, c: &[f64; LANES], d: &[f64; LANES], at: f64) -> [f32; LANES];
    /// Low words at eight indices. An index beyond the end reads the last element.
    fn gather(self, texels: &[u64], places: Self::W) -> Self::W;
    /// Low and high words at eight indices, then low and high words at the next indices. An index beyond the
    /// last pair reads the last pair.
    fn gather_pairs(self, texels: &[u64], places: Self::W) -> [Self::W; 4];

    /// Prefetches the cache line of a byte.
    fn prefetch(self, byte: &u8);

    /// See [`Shape::set_up`].
    fn shape(self, shape: &mut Shape, source: &Source<'_>, triangle: &Triangle) {
        shape.set_up(source, triangle);
    }

    /// See [`Surface::set_up`].
    fn surface(self, surface: &mut Surface, source: &Source<'_>, triangle: &Triangle, volume: u32) {
        surface.set_up(source, triangle, volume);
    }

    /// See [`pixels::count`].
    fn count(self, masks: &[u32]) -> u64 {
        pixels::count(masks)
    }

    /// See [`cover::cover`].
    fn cover(self, shape: &Shape, x: f64, y: f64, cover: &mut Cover) -> bool {
        cover::cover(self, shape, x, y, cover)
    }

    /// See [`depth::opaque`].
    fn opaque(self, task: Opaque<'_>) {
        depth::opaque(self, task);
    }

    /// See [`depth::layer`].
    fn layer(self, task: Layer<'_>) {
        depth::layer(self, task);
    }

    /// See [`tags::run_edges`].
    fn run_edges(
        self,
        tags: &[u32; PADDED],
        backdrop: Option<u32>,
        colours: &mut [u32; PADDED],
        out: &mut RunEdges,
    ) -> u64 {
        tags::run_edges(self, tags, backdrop, colours, out)
    }

    /// See [`shade::shade`].
    fn shade(self, task: ShadeTask<'_>) {
        shade::shade(self, task);
    }

    /// See [`sorted::insert`].
    fn insert(self, task: Insertion<'_>) {
        sorted::insert(self, task);
    }

    /// See [`Output::write_band`].
    fn write_band(self, output: &Output, bands: &Bands<'_>, [x, y]: [u32; 2], colours: &[u32]) {
        output.write_band(bands, x, y, colours);
    }

    /// See [`sorted::flush`].
    fn flush(self, task: Flush<'_>) {
        sorted::flush(self, task);
    }
}
