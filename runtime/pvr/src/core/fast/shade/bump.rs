//! Bump maps of eight pixels, as [`crate::core::bump`] defines them for one.

use super::channels::Channels;
use crate::core::bump::{COS_ELEVATION, SIN_ELEVATION};
use crate::core::fast::isa::Isa;

/// The form in which [`intensity`] takes a texel: its rotation, then sine and cosine of its elevation.
pub(in crate::core::fast) fn prepared(texel: u32) -> u32 {
    let elevation = (texel >> 8 & 0xFF) as usize;
    texel & 0xFF | (SIN_ELEVATION[elevation] as u32) << 8 | (COS_ELEVATION[elevation] as u32) << 16
}

/// Coefficients of a polynomial for `127 cos(pi sqrt(x))`, highest first. Its rounded values equal
/// [`crate::core::bump::COS_ROTATION`].
const COSINE: [f32; 6] = [
    -2.612_607,
    29.163_834,
    -169.209_34,
    515.370_67,
    -626.712_6,
    126.9999,
];

/// The least float above 1/127. Products with whole numbers below 2^16, cut off, are quotients cut off.
const BY_127: f32 = 0.007_874_016;

/// The cosine of a rotation, the low byte.
#[inline(always)]
fn cosine<I: Isa>(isa: I, rotation: I::W) -> I::F {
    let half_turns = isa.mul(
        isa.to_floats(isa.sar::<24>(isa.shl::<24>(rotation))),
        isa.splat_float(1.0 / 128.0),
    );
    let x = isa.mul(half_turns, half_turns);
    let mut sum = isa.splat_float(COSINE[0]);
    for coefficient in &COSINE[1..] {
        sum = isa.add(isa.mul(sum, x), isa.splat_float(*coefficient));
    }
    // Rounded: cut off above zero.
    let whole = isa.truncate(isa.add(sum, isa.splat_float(128.5)));
    isa.add(isa.to_floats(whole), isa.splat_float(-128.0))
}

/// A whole number over 127, cut off.
#[inline(always)]
fn quotient<I: Isa>(isa: I, number: I::F) -> I::W {
    isa.truncate(isa.mul(number, isa.splat_float(BY_127)))
}

/// Alpha and green of [`crate::core::bump::intensity`] for texels in the form of [`prepared`] and for offset
/// colours. Red and blue are 255. All numbers are whole and below 2^24, so floats hold them exactly.
#[inline(always)]
pub(super) fn intensity<I: Isa>(isa: I, texels: I::W, offset: Channels<I::W>) -> I::W {
    let (low, byte) = (isa.splat(0xFFFF), isa.splat(0xFF));
    let (k1, k2) = (isa.shr::<16>(offset.ag), isa.shr::<16>(offset.rb));
    let (k3, q) = (isa.and(offset.ag, low), isa.and(offset.rb, low));
    // -q is the complement plus 1.
    let minus_q = isa.add32(isa.xor(q, isa.splat(u32::MAX)), isa.splat(1));
    let sine = isa.to_floats(isa.and(isa.shr::<8>(texels), byte));
    let level = isa.to_floats(isa.shr::<16>(texels));
    let product = isa.mul(level, cosine::<I>(isa, isa.add32(texels, minus_q)));
    let across = isa.to_floats(quotient::<I>(isa, product));
    let sum = isa.add(
        isa.mul(isa.to_floats(k2), sine),
        isa.mul(isa.to_floats(k3), across),
    );
    let value = isa.add32(k1, quotient::<I>(isa, sum));
    let value = isa.max32(isa.min32(value, byte), isa.splat(0));
    isa.or(isa.shl::<16>(value), byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::bump;
    use crate::core::fast::isa::Baseline;

    /// Every elevation and rotation, with offset colours of all signs and sizes.
    #[test]
    fn intensities_are_those_of_the_definition() {
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
                let found = intensity::<Baseline>(Baseline, [prepared(texel); 8], channels)[0];
                let expected = bump::intensity(texel, offset);
                assert_eq!(found, expected >> 8 & 0x00FF_00FF, "{texel:04x} {offset:08x}");
            }
        }
    }

    #[test]
    fn quotients_are_cut_off() {
        for number in -65_535..=65_535 {
            let found = quotient::<Baseline>(Baseline, [number as f32; 8])[0];
            assert_eq!(found as i32, number / 127, "{number}");
        }
    }
}
