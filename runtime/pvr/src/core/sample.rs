//! Texture sampling: addressing, point and bilinear filters (`facts/pvr2.md` section 7, UV and Bilinear).

use super::colour::{spread, weight};
use super::plane::LANES;
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

impl Axis {
    /// The texels on both sides of coordinates in 1/256 texel: [`Self::texel`] of each and of the next.
    #[inline(always)]
    fn pairs(self, at: &[i32; LANES]) -> [[u32; LANES]; 2] {
        // One loop for each mode, so that it is not chosen for each pixel.
        let axis = |outside| Self { outside, ..self };
        match self.outside {
            Outside::Repeat => axis(Outside::Repeat).each_pair(at),
            Outside::Clamp => axis(Outside::Clamp).each_pair(at),
            Outside::Flip => axis(Outside::Flip).each_pair(at),
        }
    }

    #[inline(always)]
    fn each_pair(self, at: &[i32; LANES]) -> [[u32; LANES]; 2] {
        let mut pairs = [[0; LANES]; 2];
        for n in 0..LANES {
            let texel = at[n] >> 8;
            pairs[0][n] = self.texel(texel) as u32;
            pairs[1][n] = self.texel(texel.wrapping_add(1)) as u32;
        }
        pairs
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

    /// Four texels weighted by the fractions of the coordinates, for as many pixels as `out` has.
    #[inline(always)]
    pub(super) fn bilinear(&self, u: &[i32; LANES], v: &[i32; LANES], out: &mut [u32]) {
        let (x, y) = (self.u.pairs(u), self.v.pairs(v));
        for (n, out) in out.iter_mut().enumerate().take(LANES) {
            let (top, bottom) = (y[0][n] as usize * self.width, y[1][n] as usize * self.width);
            let (left, right) = (x[0][n] as usize, x[1][n] as usize);
            let texels = [top + left, top + right, bottom + left, bottom + right]
                .map(|at| self.texels.get(at).copied().unwrap_or_default());
            let fractions = [(u[n] & 0xFF) as u32, (v[n] & 0xFF) as u32];
            *out = match self.sum {
                BilinearSum::OneSum => one_sum(texels, fractions),
                BilinearSum::TwoLerps => two_lerps(texels, fractions),
            };
        }
    }
}

/// Sum of the four products, over 65536. As the weights are products themselves, the exact sum is that of two
/// steps: along u with four channels of 16 bits side by side, along v with two of 32 bits.
#[inline(always)]
fn one_sum(texels: [u32; 4], [fu, fv]: [u32; 2]) -> u32 {
    let wu = u64::from(weight(WeightScale::Scaled256, fu));
    let wv = u64::from(weight(WeightScale::Scaled256, fv));
    let [a, b, c, d] = texels.map(spread);
    // a * (256 - w) + b * w; the difference may borrow between channels, the sum has none left.
    let mix = |a: u64, b: u64, w: u64| (a << 8).wrapping_add(b.wrapping_sub(a).wrapping_mul(w));
    let (top, bottom) = (mix(a, b, wu), mix(c, d, wu));
    const HALVES: u64 = 0x0000_FFFF_0000_FFFF;
    // Blue and green, then red and alpha.
    let low = mix(top & HALVES, bottom & HALVES, wv);
    let high = mix(top >> 16 & HALVES, bottom >> 16 & HALVES, wv);
    let part = |sum: u64, shift: u32, place: u32| (sum >> shift) as u32 & 0xFF << place;
    part(low, 16, 0) | part(low, 40, 8) | part(high, 0, 16) | part(high, 24, 24)
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

    /// The definition: each channel is the sum of four products over 65536.
    fn sum_by_channel(texels: [u32; 4], [fu, fv]: [u32; 2]) -> u32 {
        let [wu, wv] = [fu, fv].map(|f| weight(WeightScale::Scaled256, f));
        let weights = [(256 - wu) * (256 - wv), wu * (256 - wv), (256 - wu) * wv, wu * wv];
        [24, 16, 8, 0].into_iter().fold(0, |colour, shift| {
            let products = texels.iter().zip(weights).map(|(t, w)| (t >> shift & 0xFF) * w);
            colour << 8 | products.sum::<u32>() >> 16
        })
    }

    #[test]
    fn two_steps_equal_one_sum() {
        let mut random = 0x1234_5678_u32;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            random
        };
        for fu in 0..256 {
            for fv in 0..256 {
                let texels = [next(), next(), next(), next()];
                for texels in [
                    texels,
                    [texels[0], 0, u32::MAX, texels[3]],
                    [u32::MAX, 0, 0, u32::MAX],
                ] {
                    assert_eq!(one_sum(texels, [fu, fv]), sum_by_channel(texels, [fu, fv]));
                }
            }
        }
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
