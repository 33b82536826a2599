//! Integer arithmetic on packed ARGB8888 colours: combining, offset, clamp, blending
//! (`docs/hardware/pvr2.md`, "Blending").

use crate::param::{BlendFactor, Shading};
use crate::settings::WeightScale;

/// Applies `f` to each pair of channels.
#[inline(always)]
fn each(a: u32, b: u32, f: impl Fn(u32, u32) -> u32) -> u32 {
    let part = |shift: u32| f(a >> shift & 0xFF, b >> shift & 0xFF) << shift;
    part(24) | part(16) | part(8) | part(0)
}

/// Returns an 8-bit weight as a factor over 256.
#[inline(always)]
pub(super) fn weight(scale: WeightScale, f: u32) -> u32 {
    match scale {
        WeightScale::Scaled256 => f + (f >> 7),
        WeightScale::Raw => f,
    }
}

/// Replaces the alpha channel.
#[inline(always)]
pub(super) fn with_alpha(colour: u32, alpha_of: u32) -> u32 {
    colour & 0x00FF_FFFF | alpha_of & 0xFF00_0000
}

/// Combines texel `t` and vertex colour `b`.
#[inline(always)]
pub(super) fn combine(shading: Shading, scale: WeightScale, t: u32, b: u32) -> u32 {
    let product = |t: u32, b: u32| (t * weight(scale, b)) >> 8;
    match shading {
        Shading::Decal => t,
        Shading::Modulate => with_alpha(each(t, b, product), t),
        Shading::ModulateAlpha => each(t, b, product),
        Shading::DecalAlpha => {
            let a = weight(scale, t >> 24);
            with_alpha(each(t, b, |t, b| (t * a + b * (256 - a)) >> 8), b)
        }
    }
}

/// `(a * weight_a + b * weight_b) >> 8` in each channel; the weights add up to 256 at most.
#[inline(always)]
pub(super) fn mix(a: u32, weight_a: u32, b: u32, weight_b: u32) -> u32 {
    each(a, b, |a, b| (a * weight_a + b * weight_b) >> 8)
}

/// `c * factor >> 8` in each channel, for a factor up to 256.
#[inline(always)]
pub(super) fn scale(colour: u32, factor: u32) -> u32 {
    each(colour, 0, |c, _| (c * factor) >> 8)
}

/// Adds red, green and blue, saturated.
#[inline(always)]
pub(super) fn add_offset(colour: u32, offset: u32) -> u32 {
    each(colour, offset & 0x00FF_FFFF, |c, o| (c + o).min(255))
}

/// Clamps every channel to the range from `low` to `high`; `high` has priority if `low` exceeds it.
#[inline(always)]
pub(super) fn clamp(colour: u32, low: u32, high: u32) -> u32 {
    each(each(colour, low, u32::max), high, u32::min)
}

/// Returns the factors of all channels as a packed word.
#[inline(always)]
pub(super) fn factors(factor: BlendFactor, other: u32, source: u32, dest: u32) -> u32 {
    let alpha = |colour: u32| (colour >> 24) * 0x0101_0101;
    match factor {
        BlendFactor::Zero => 0,
        BlendFactor::One => u32::MAX,
        BlendFactor::Other => other,
        BlendFactor::InverseOther => !other,
        BlendFactor::SrcAlpha => alpha(source),
        BlendFactor::InverseSrcAlpha => !alpha(source),
        BlendFactor::DstAlpha => alpha(dest),
        BlendFactor::InverseDstAlpha => !alpha(dest),
    }
}

/// `min(255, (s * F + d * G) >> 8)` in each channel.
#[inline(always)]
pub(super) fn blend(scale: WeightScale, src: BlendFactor, dst: BlendFactor, s: u32, d: u32) -> u32 {
    weighted_sum(scale, s, factors(src, d, s, d), d, factors(dst, s, s, d))
}

/// `min(255, (s * f + d * g) >> 8)` in each channel; the factors are colours.
#[inline(always)]
pub(super) fn weighted_sum(scale: WeightScale, s: u32, f: u32, d: u32, g: u32) -> u32 {
    let part = |shift: u32| {
        let at = |word: u32| word >> shift & 0xFF;
        let sum = at(s) * weight(scale, at(f)) + at(d) * weight(scale, at(g));
        (sum >> 8).min(255) << shift
    };
    part(24) | part(16) | part(8) | part(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combining_by_hand() {
        let (t, b) = (0x80_40_20_FF, 0xFF_80_FF_10);
        let by = |s| combine(s, WeightScale::Scaled256, t, b);
        assert_eq!(by(Shading::Decal), t);
        // 0x40 * 129 >> 8 = 32, 0x20 * 256 >> 8 = 32, 0xFF * 16 >> 8 = 15
        assert_eq!(by(Shading::Modulate), 0x80_20_20_0F);
        assert_eq!(by(Shading::ModulateAlpha), 0x80_20_20_0F);
        // a = 129: (64*129 + 128*127) >> 8 = 95, (32*129 + 255*127) >> 8 = 142, (255*129 + 16*127) >> 8 = 136
        assert_eq!(by(Shading::DecalAlpha), 0xFF_5F_8E_88);
    }

    #[test]
    fn offset_saturates_and_keeps_alpha() {
        assert_eq!(add_offset(0x10_F0_20_00, 0xFF_20_20_01), 0x10_FF_40_01);
    }

    #[test]
    fn clamp_applies_to_alpha_too() {
        assert_eq!(clamp(0x00_80_FF_20, 0x10_10_10_30, 0xF0_70_F0_FF), 0x10_70_F0_30);
    }
}
