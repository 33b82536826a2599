//! Texture sampling: addressing, point and bilinear filters (`facts/pvr2.md` section 7, UV and Bilinear).

use super::colour::weight;
use crate::param::TspWord;
use crate::settings::{BilinearSum, WeightScale};
use crate::texture::Texture;

/// What lies outside of 0..size along one axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outside {
    Repeat,
    Clamp,
    Flip,
}

/// One axis of a texture.
#[derive(Debug, Clone, Copy)]
struct Axis {
    outside: Outside,
    /// Size in texels, a power of two.
    size: i32,
}

impl Axis {
    /// Clamp beats flip.
    fn new(clamp: bool, flip: bool, size: u32) -> Self {
        let outside = match (clamp, flip) {
            (true, _) => Outside::Clamp,
            (false, true) => Outside::Flip,
            (false, false) => Outside::Repeat,
        };
        Self {
            outside,
            size: size as i32,
        }
    }

    /// The texel that a coordinate names.
    #[inline(always)]
    fn texel(self, at: i32) -> usize {
        let mask = self.size - 1;
        let inside = match self.outside {
            Outside::Repeat => at & mask,
            Outside::Clamp => at.clamp(0, mask),
            // Mirrored at every second repetition.
            Outside::Flip => (at ^ if at & self.size != 0 { -1 } else { 0 }) & mask,
        };
        inside as usize
    }
}

/// A texture with its addressing mode.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sampler<'a> {
    texels: &'a [u32],
    width: usize,
    u: Axis,
    v: Axis,
    sum: BilinearSum,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(texture: &'a Texture, tsp: TspWord, sum: BilinearSum) -> Self {
        Self {
            texels: &texture.texels,
            width: texture.width as usize,
            u: Axis::new(tsp.clamp_u(), tsp.flip_u(), texture.width),
            v: Axis::new(tsp.clamp_v(), tsp.flip_v(), texture.height),
            sum,
        }
    }

    #[inline(always)]
    fn fetch(&self, x: usize, y: usize) -> u32 {
        self.texels.get(y * self.width + x).copied().unwrap_or_default()
    }

    /// The nearest texel; coordinates in 1/256 texel.
    #[inline(always)]
    pub(super) fn point(&self, u: i32, v: i32) -> u32 {
        self.fetch(self.u.texel(u >> 8), self.v.texel(v >> 8))
    }

    /// Four texels weighted by the fractions of the coordinates.
    #[inline(always)]
    pub(super) fn bilinear(&self, u: i32, v: i32) -> u32 {
        let (x, y) = (u >> 8, v >> 8);
        let (x0, x1) = (self.u.texel(x), self.u.texel(x.wrapping_add(1)));
        let (y0, y1) = (self.v.texel(y), self.v.texel(y.wrapping_add(1)));
        let texels = [
            self.fetch(x0, y0),
            self.fetch(x1, y0),
            self.fetch(x0, y1),
            self.fetch(x1, y1),
        ];
        let fractions = [(u & 0xFF) as u32, (v & 0xFF) as u32];
        match self.sum {
            BilinearSum::OneSum => one_sum(texels, fractions),
            BilinearSum::TwoLerps => two_lerps(texels, fractions),
        }
    }
}

/// Sum of the four products, over 65536; two channels at a time in 32-bit halves.
#[inline(always)]
fn one_sum(texels: [u32; 4], [fu, fv]: [u32; 2]) -> u32 {
    let (wu, wv) = (
        weight(WeightScale::Scaled256, fu),
        weight(WeightScale::Scaled256, fv),
    );
    let weights = [(256 - wu) * (256 - wv), wu * (256 - wv), (256 - wu) * wv, wu * wv];
    let mut even = 0u64;
    let mut odd = 0u64;
    for (texel, weight) in texels.into_iter().zip(weights) {
        let (t, w) = (u64::from(texel), u64::from(weight));
        even += (t & 0xFF | (t & 0xFF_0000) << 16) * w;
        odd += (t >> 8 & 0xFF | (t & 0xFF00_0000) << 8) * w;
    }
    let pick = |sum: u64| (sum >> 16 & 0xFF | sum >> 32 & 0xFF_0000) as u32;
    pick(even) | pick(odd) << 8
}

/// Horizontally, then vertically, raw weights over 256.
#[inline]
fn two_lerps([a, b, c, d]: [u32; 4], [fu, fv]: [u32; 2]) -> u32 {
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
        let repeat = Axis::new(false, false, 8);
        let flip = Axis::new(false, true, 8);
        let clamp = Axis::new(true, true, 8);
        let all = |axis: Axis| [-9, -8, -1, 0, 7, 8, 15, 16].map(|n| axis.texel(n));
        assert_eq!(all(repeat), [7, 0, 7, 0, 7, 0, 7, 0]);
        assert_eq!(all(flip), [7, 7, 0, 0, 7, 7, 0, 0]);
        assert_eq!(all(clamp), [0, 0, 0, 0, 7, 7, 7, 7]);
    }

    #[test]
    fn bilinear_by_hand() {
        // Halves of 0x00, 0xFF and of 0x80, 0x40: weights are 129 and 127, none and all.
        let texels = [0xFF00_0080, 0x00FF_0040, 0, 0];
        // 127/256 * 255 = 126.5, 129/256 * 255 = 128.5, (128 * 127 + 64 * 129) / 256 = 95.75
        assert_eq!(one_sum(texels, [0x80, 0]), 0x7E80_005F);
        assert_eq!(one_sum([0xFFFF_FFFF; 4], [0x33, 0xC7]), 0xFFFF_FFFF);
        // 255 * 128 / 256 = 127.5, (128 * 128 + 64 * 128) / 256 = 96
        assert_eq!(two_lerps(texels, [0x80, 0]), 0x7F7F_0060);
    }
}
