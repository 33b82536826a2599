//! Texture sampling: addressing, point and bilinear filters (`docs/hardware/pvr2.md`, "Texture coordinates"
//! and "Filters").

use super::bump;
use super::colour::weight;
use crate::param::{Filter, PixelFormat, TextureWord, TspWord};
use crate::settings::{BilinearSum, WeightScale};
use crate::texture::Texels;

/// Addressing mode outside 0..size along one axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Outside {
    #[default]
    Repeat,
    Clamp,
    Flip,
}

/// One axis of a texture.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Axis {
    pub(super) outside: Outside,
    /// Size in texels, a power of two.
    pub(super) size: i32,
}

impl Axis {
    /// Creates the axes u and v of a texture of this size. Clamp has priority over flip.
    pub(super) fn both(tsp: TspWord, [width, height]: [u32; 2]) -> [Self; 2] {
        let axis = |clamp, flip, size: u32| Self {
            outside: match (clamp, flip) {
                (true, _) => Outside::Clamp,
                (false, true) => Outside::Flip,
                (false, false) => Outside::Repeat,
            },
            size: size as i32,
        };
        [
            axis(tsp.clamp_u(), tsp.flip_u(), width),
            axis(tsp.clamp_v(), tsp.flip_v(), height),
        ]
    }

    /// Returns the texel at a coordinate.
    #[inline(always)]
    pub(super) fn texel(self, at: i32) -> u32 {
        let mask = self.size - 1;
        let inside = match self.outside {
            Outside::Repeat => at & mask,
            Outside::Clamp => at.clamp(0, mask),
            // Mirrored in every second repetition.
            Outside::Flip => (at ^ if at & self.size != 0 { -1 } else { 0 }) & mask,
        };
        inside as u32
    }
}

/// A texture of a polygon, prepared for sampling.
#[derive(Debug)]
pub(super) struct Sampler<'a> {
    pub(super) texels: Texels<'a>,
    pub(super) tsp: TspWord,
    pub(super) sum: BilinearSum,
    /// Offset added to texture coordinates, in 1/256 texel.
    pub(super) texel_offset: i32,
    /// Offset colour, which contains the parameters of a bump map.
    pub(super) bump: Option<u32>,
}

impl Sampler<'_> {
    /// True if the texture is a bump map.
    pub(super) fn is_bump(tcw: TextureWord) -> bool {
        tcw.format() == PixelFormat::Bump
    }

    /// Returns the filtered colour at coordinates in 1/256 texel of level 0.
    pub(super) fn sample(&self, level: u32, uv: [f32; 2]) -> u32 {
        // A power of two changes only the exponent.
        let scale = 1.0 / (1u32 << level) as f32;
        let [u, v] = uv.map(|at| ((at * scale) as i32).wrapping_add(self.texel_offset));
        let axes = Axis::both(self.tsp, self.texels.size(level));
        let texel = |u: i32, v: i32| {
            let texel = self.texels.texel(level, axes[0].texel(u), axes[1].texel(v));
            self.bump.map_or(texel, |offset| bump::intensity(texel, offset))
        };
        let (x, y) = (u >> 8, v >> 8);
        if self.tsp.filter() == Filter::Point {
            return texel(x, y);
        }
        let (right, below) = (x.wrapping_add(1), y.wrapping_add(1));
        let four = [texel(x, y), texel(right, y), texel(x, below), texel(right, below)];
        let fractions = [u & 0xFF, v & 0xFF].map(|f| f as u32);
        match self.sum {
            BilinearSum::OneSum => one_sum(four, fractions),
            BilinearSum::TwoLerps => two_lerps(four, fractions),
        }
    }
}

/// Computes each channel as the sum of four products over 65536.
pub(super) fn one_sum(texels: [u32; 4], [fu, fv]: [u32; 2]) -> u32 {
    let [wu, wv] = [fu, fv].map(|f| weight(WeightScale::Scaled256, f));
    let weights = [(256 - wu) * (256 - wv), wu * (256 - wv), (256 - wu) * wv, wu * wv];
    [24, 16, 8, 0].into_iter().fold(0, |colour, shift| {
        let products = texels.iter().zip(weights).map(|(t, w)| (t >> shift & 0xFF) * w);
        colour << 8 | products.sum::<u32>() >> 16
    })
}

/// Interpolates horizontally, then vertically, with raw weights over 256.
pub(super) fn two_lerps([a, b, c, d]: [u32; 4], [fu, fv]: [u32; 2]) -> u32 {
    let mix = |a: u32, b: u32, f: u32| {
        let part = |shift: u32| ((a >> shift & 0xFF) * (256 - f) + (b >> shift & 0xFF) * f) >> 8 << shift;
        part(24) | part(16) | part(8) | part(0)
    };
    mix(mix(a, b, fu), mix(c, d, fu), fv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes() {
        let all = |outside| {
            let axis = Axis { outside, size: 8 };
            [-9, -8, -1, 0, 7, 8, 15, 16].map(|n| axis.texel(n))
        };
        assert_eq!(all(Outside::Repeat), [7, 0, 7, 0, 7, 0, 7, 0]);
        assert_eq!(all(Outside::Flip), [7, 7, 0, 0, 7, 7, 0, 0]);
        assert_eq!(all(Outside::Clamp), [0, 0, 0, 0, 7, 7, 7, 7]);
    }

    #[test]
    fn clamp_beats_flip() {
        let [u, v] = Axis::both(
            TspWord(0).with_clamp_u(true).with_flip_u(true).with_flip_v(true),
            [8, 16],
        );
        assert_eq!((u.outside, u.size), (Outside::Clamp, 8));
        assert_eq!((v.outside, v.size), (Outside::Flip, 16));
    }

    #[test]
    fn bilinear_by_hand() {
        // Horizontal midpoints of 0x00, 0xFF and of 0x80, 0x40. The weights are 127 (left) and 129 (right),
        // vertically 256 (upper) and 0 (lower).
        let texels = [0xFF00_0080, 0x00FF_0040, 0, 0];
        // 127/256 * 255 = 126.5, 129/256 * 255 = 128.5, (128 * 127 + 64 * 129) / 256 = 95.75
        assert_eq!(one_sum(texels, [0x80, 0]), 0x7E80_005F);
        assert_eq!(one_sum([0xFFFF_FFFF; 4], [0x33, 0xC7]), 0xFFFF_FFFF);
        // 255 * 128 / 256 = 127.5, (128 * 128 + 64 * 128) / 256 = 96
        assert_eq!(two_lerps(texels, [0x80, 0]), 0x7F7F_0060);
    }
}
