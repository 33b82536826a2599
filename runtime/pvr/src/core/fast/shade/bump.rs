//! Bump maps of eight pixels, as [`crate::core::bump`] defines them for one.
//!
//! A half word belongs to one texel, so that an operation works on two texels of each pixel.

use super::channels::Channels;
use crate::core::bump::{COS_ELEVATION, SIN_ELEVATION};
use crate::core::fast::isa::Isa;

/// Returns two texels in the form that [`intensities`] takes. Each half word belongs to one texel; the lower
/// half words belong to the first. The lower word contains rotations in the lower bytes and sines of
/// elevations in the upper bytes. The upper word contains cosines of elevations.
pub(in crate::core::fast) fn prepared(texels: [u32; 2]) -> u64 {
    let [first, second] = texels.map(|texel| {
        let elevation = (texel >> 8 & 0xFF) as usize;
        let rotation_and_sine = texel & 0xFF | (SIN_ELEVATION[elevation] as u32) << 8;
        u64::from(rotation_and_sine) | (COS_ELEVATION[elevation] as u64) << 32
    });
    first | second << 16
}

/// Coefficients of a polynomial in `t * t / 2^13` that approximates `127 * cos(pi * t / 128)` for `t` from 0
/// to 64. They are in units of 1/128, and their signs alternate. The constant term includes half a unit for
/// rounding. The coefficients are the result of a search: with truncated products, all 65 values equal
/// [`crate::core::bump::COS_ROTATION`].
const COSINE: [u32; 4] = [16_318, 40_085, 16_497, 2_773];

/// Copies a number into both half words.
const fn twice(number: u32) -> u32 {
    number << 16 | number
}

/// Returns the absolute value of the cosine of rotations, and a mask of the cosines at or above zero. The
/// rotations are in the upper bytes of the half words.
#[inline(always)]
fn cosines<I: Isa>(isa: I, rotations: I::W) -> [I::W; 2] {
    // The cosine is even: from here on rotations are 0 to 180 degrees.
    let half = isa.min16(rotations, isa.sub16(isa.splat(0), rotations));
    let quarter = isa.min16(half, isa.sub16(isa.splat(twice(0x8000)), half));
    // Shifts the factors instead of the product: compilers would compute a shifted product in 32 bits.
    let square = isa.mul16(isa.shr16::<5>(quarter), isa.shr16::<8>(quarter));
    let [c0, c1, c2, c3] = COSINE.map(|c| isa.splat(twice(c)));
    let sum = isa.sub16(c2, isa.mul16_high(square, c3));
    let sum = isa.sub16(c1, isa.mul16_high(square, sum));
    let sum = isa.sub16(c0, isa.mul16_high(square, sum));
    [isa.shr16::<7>(sum), isa.equal16(half, quarter)]
}

/// Divides products of 7-bit numbers by 127 and truncates the quotients.
#[inline(always)]
fn small_quotients<I: Isa>(isa: I, products: I::W) -> I::W {
    let rounded = isa.add16(isa.add16(products, isa.shr16::<7>(products)), isa.splat(twice(1)));
    isa.shr16::<7>(rounded)
}

/// Returns `(n - 1) / 127` for each half word `n`, truncated; 0 for 0.
#[inline(always)]
fn quotients<I: Isa>(isa: I, numbers: I::W) -> I::W {
    // 33,026 is 2^22 / 127, rounded down. Because of the rounding, the result is the quotient of `n - 1`.
    isa.shr16::<6>(isa.mul16_high(numbers, isa.splat(twice(33_026))))
}

/// Returns the intensity of two texels for each pixel, the first in the lower half word. Texels have the form
/// of [`prepared`].
#[inline(always)]
pub(super) fn intensities<I: Isa>(isa: I, texels: [I::W; 2], offset: Channels<I::W>) -> I::W {
    let k1 = isa.upper(offset.ag);
    let k2 = isa.upper(offset.rb);
    let k3 = isa.low_bytes(offset.ag);
    let q = isa.low_bytes(offset.rb);
    let [turns, cos_elevation] = texels;
    let [cosine, positive] = cosines::<I>(isa, isa.shl16::<8>(isa.sub16(turns, q)));
    let across = small_quotients::<I>(isa, isa.mul16(cos_elevation, cosine));
    let across = isa.mul16(k3, across);
    let (plus, minus) = (isa.and(across, positive), isa.and_not(across, positive));
    let up = isa.mul16(k2, isa.shr16::<8>(turns));
    // The sum is 127 times the intensity, plus 1. The reference renderer truncates the part of K2 and K3
    // towards zero, so the sum needs up to 126 more if that part is negative.
    let base = isa.add16(isa.mul16(k1, isa.splat(twice(127))), isa.splat(twice(1)));
    let sum = isa.add16_saturated(isa.add16(base, up), plus);
    let below = isa.min16(isa.sub16_saturated(minus, up), isa.splat(twice(126)));
    let sum = isa.add16(isa.sub16_saturated(sum, minus), below);
    isa.min16(quotients::<I>(isa, sum), isa.splat(twice(0xFF)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::bump;
    use crate::core::fast::isa::Baseline;

    /// Every elevation and rotation, with offset colours of all signs and sizes.
    #[test]
    fn intensities_match_the_reference() {
        let offsets = [
            0,
            u32::MAX,
            0x00FF_FF00,
            0x80FF_FF40,
            0x2040_8033,
            0x0180_7F01,
            0xFF00_FFC8,
        ];
        for offset in offsets {
            let channels = Channels::of::<Baseline>(Baseline, [offset; 8]);
            for texel in 0..0x1_0000 {
                let texels = [texel, texel ^ 0x5AA5];
                let pair = prepared(texels);
                let words = [pair as u32, (pair >> 32) as u32].map(|word| [word; 8]);
                let found = intensities::<Baseline>(Baseline, words, channels)[0];
                let [first, second] = texels.map(|texel| bump::intensity(texel, offset) >> 24);
                assert_eq!(found, second << 16 | first, "{texel:04x} {offset:08x}");
            }
        }
    }

    #[test]
    fn cosines_match_the_reference() {
        for rotation in 0..256 {
            let [cosine, positive] =
                cosines::<Baseline>(Baseline, [rotation << 8; 8]).map(|words| words[0] & 0xFFFF);
            let expected = bump::COS_ROTATION[rotation as usize];
            assert_eq!(cosine, expected.unsigned_abs(), "{rotation}");
            assert!(expected == 0 || (positive != 0) == (expected > 0), "{rotation}");
        }
    }

    #[test]
    fn quotients_are_cut_off() {
        for number in 0..=65_535_u32 {
            let found = quotients::<Baseline>(Baseline, [number; 8])[0];
            assert_eq!(found & 0xFFFF, number.saturating_sub(1) / 127, "{number}");
        }
        for number in 0..=127 * 127 {
            let found = small_quotients::<Baseline>(Baseline, [number; 8])[0];
            assert_eq!(found & 0xFFFF, number / 127, "{number}");
        }
    }
}
