//! Texels of eight pixels: coordinates, point and bilinear filter. [`crate::core::sample`] defines them.

use super::bump;
use super::channels::{Channels, across, down, rest, weight};
use crate::core::fast::isa::Isa;
use crate::core::fast::textures::Decoded;
use crate::core::sample::{Axis, Outside};

/// A texture, with the values that all groups of pixels need.
pub(super) struct Texels<'a, W> {
    texture: &'a Decoded,
    /// Level 0.
    whole: Level<W>,
}

/// A level of a texture. Each lane may have a different level.
#[derive(Clone, Copy)]
pub(super) struct Level<W> {
    axes: [WideAxis<W>; 2],
    stride: W,
    /// Index of the first texel.
    start: W,
}

/// Four texels: the index of the upper left one, and the weights of the right column and the lower row.
#[derive(Clone, Copy)]
pub(super) struct TexelQuad<W> {
    place: W,
    wu: W,
    wv: W,
}

/// An [`Axis`] in all lanes.
#[derive(Clone, Copy)]
struct WideAxis<W> {
    outside: Outside,
    size: W,
    last: W,
}

impl<W: Copy> WideAxis<W> {
    #[inline(always)]
    fn new<I: Isa<W = W>>(isa: I, axis: Axis) -> Self {
        Self {
            outside: axis.outside,
            size: isa.splat(axis.size as u32),
            last: isa.splat(axis.size as u32 - 1),
        }
    }
}

impl<'a, W: Copy> Texels<'a, W> {
    #[inline(always)]
    pub(super) fn new<I: Isa<W = W>>(isa: I, texture: &'a Decoded, axes: &[Axis; 2]) -> Self {
        Self {
            texture,
            whole: Level {
                axes: [WideAxis::new::<I>(isa, axes[0]), WideAxis::new::<I>(isa, axes[1])],
                stride: isa.splat(texture.stride()),
                start: isa.splat(0),
            },
        }
    }

    /// Level 0.
    #[inline(always)]
    pub(super) fn whole(&self) -> Level<W> {
        self.whole
    }

    /// Returns the levels with the given numbers, and the factors from level 0 coordinates to coordinates of
    /// these levels. Textures with more than one level are square.
    #[inline(always)]
    pub(super) fn levels<I: Isa<W = W>>(&self, isa: I, levels: W) -> (Level<W>, I::F) {
        let size = isa.truncate(power::<I>(isa, self.texture.width.ilog2(), levels));
        let last = isa.add32(size, isa.splat(u32::MAX));
        let [u, v] = self.whole.axes;
        let level = Level {
            axes: [WideAxis { size, last, ..u }, WideAxis { size, last, ..v }],
            stride: isa.add32(size, isa.splat(1)),
            start: isa.gather(&self.texture.levels, levels),
        };
        (level, power::<I>(isa, 0, levels))
    }

    /// Returns filtered texels at coordinates in 1/256 texel of a level. For a bump map, `bump` is the offset
    /// colour.
    #[inline(always)]
    pub(super) fn sample<I: Isa<W = W>>(
        &self,
        isa: I,
        level: &Level<W>,
        at: [W; 2],
        bilinear: bool,
        bump: Option<Channels<W>>,
    ) -> Channels<W> {
        if !bilinear {
            let x = nearest::<I>(isa, level.axes[0], at[0]);
            let y = nearest::<I>(isa, level.axes[1], at[1]);
            let (texels, place) = (&self.texture.texels, level.place::<I>(isa, x, y));
            let Some(offset) = bump else {
                return Channels::of::<I>(isa, isa.gather(texels, place));
            };
            let [low, high, ..] = isa.gather_pairs(texels, place);
            return white::<I>(isa, bump::intensities::<I>(isa, [low, high], offset));
        }
        self.weighted::<I>(isa, level.quad::<I, false>(isa, at), bump)
    }

    /// Returns the weighted sum of four texels, like [`crate::core::sample::one_sum`]. The weights there are
    /// products. So an exact sum along u, then a sum along v, gives the same result.
    #[inline(always)]
    pub(super) fn weighted<I: Isa<W = W>>(
        &self,
        isa: I,
        quad: TexelQuad<W>,
        bump: Option<Channels<W>>,
    ) -> Channels<W> {
        let [a, c, b, d] = isa.gather_pairs(&self.texture.texels, quad.place);
        let wu = [rest::<I>(isa, quad.wu), quad.wu];
        let wv = [rest::<I>(isa, quad.wv), quad.wv];
        if let Some(offset) = bump {
            let left = bump::intensities::<I>(isa, [a, c], offset);
            let right = bump::intensities::<I>(isa, [b, d], offset);
            // The upper row is in the lower half words.
            let rows = across::<I>(isa, left, right, wu);
            return white::<I>(isa, down::<I>(isa, rows, isa.shr::<16>(rows), wv));
        }
        let (a, b) = (Channels::of::<I>(isa, a), Channels::of::<I>(isa, b));
        let (c, d) = (Channels::of::<I>(isa, c), Channels::of::<I>(isa, d));
        Channels {
            rb: down::<I>(
                isa,
                across::<I>(isa, a.rb, b.rb, wu),
                across::<I>(isa, c.rb, d.rb, wu),
                wv,
            ),
            ag: down::<I>(
                isa,
                across::<I>(isa, a.ag, b.ag, wu),
                across::<I>(isa, c.ag, d.ag, wu),
                wv,
            ),
        }
    }
}

impl<W: Copy> Level<W> {
    /// Returns the index and weights of four texels. `REPEAT` means that the texture repeats along both axes.
    #[inline(always)]
    pub(super) fn quad<I: Isa<W = W>, const REPEAT: bool>(&self, isa: I, [u, v]: [W; 2]) -> TexelQuad<W> {
        let (x, wu) = pairs::<I, REPEAT>(isa, self.axes[0], u);
        let (y, wv) = pairs::<I, REPEAT>(isa, self.axes[1], v);
        TexelQuad {
            place: self.place::<I>(isa, x, y),
            wu,
            wv,
        }
    }

    /// Returns indices of texels. Coordinates and strides are at most 1,025, so that `mul15` can multiply
    /// them.
    #[inline(always)]
    fn place<I: Isa<W = W>>(&self, isa: I, x: W, y: W) -> W {
        isa.add32(isa.add32(isa.mul15(y, self.stride), self.start), x)
    }
}

/// Returns 2 to the power of `n - lanes`, by setting the exponent of a float.
#[inline(always)]
fn power<I: Isa>(isa: I, n: u32, lanes: I::W) -> I::F {
    // The complement of a number is its negative minus 1.
    let exponent = isa.add32(isa.splat(127 + n + 1), isa.xor(lanes, isa.splat(u32::MAX)));
    isa.bits_to_floats(isa.shl::<23>(exponent))
}

/// Returns white with the alphas in the lower half words.
#[inline(always)]
fn white<I: Isa>(isa: I, alphas: I::W) -> Channels<I::W> {
    Channels {
        rb: isa.splat(0x00FF_00FF),
        ag: isa.or(isa.shl::<16>(alphas), isa.splat(0xFF)),
    }
}

/// Returns the nearest texels, as [`Axis::texel`] defines them.
#[inline(always)]
fn nearest<I: Isa>(isa: I, axis: WideAxis<I::W>, at: I::W) -> I::W {
    let whole = isa.sar::<8>(at);
    match axis.outside {
        Outside::Repeat => isa.and(whole, axis.last),
        Outside::Clamp => isa.max32(isa.min32(whole, axis.last), isa.splat(0)),
        Outside::Flip => isa.and(isa.xor(whole, is_back::<I>(isa, axis, whole)), axis.last),
    }
}

/// Returns a mask of the coordinates in a mirrored repetition.
#[inline(always)]
fn is_back<I: Isa>(isa: I, axis: WideAxis<I::W>, whole: I::W) -> I::W {
    isa.equal(isa.and(whole, axis.size), axis.size)
}

/// Returns for each coordinate the first of two neighbouring texels, and the weight of the second over 256 in
/// both half words. A copy of the first texel follows the last texel. Where the filter needs another second
/// texel, the first gets the full weight, or the two are exchanged.
#[inline(always)]
fn pairs<I: Isa, const REPEAT: bool>(isa: I, axis: WideAxis<I::W>, at: I::W) -> (I::W, I::W) {
    let whole = isa.sar::<8>(at);
    let weight = weight::<I>(isa, isa.low_bytes(at));
    let last = axis.last;
    match axis.outside {
        _ if REPEAT => (isa.and(whole, last), weight),
        Outside::Repeat => (isa.and(whole, last), weight),
        Outside::Clamp => {
            let first = isa.max32(isa.min32(whole, last), isa.splat(0));
            let between = isa.and_not(isa.equal(first, whole), isa.equal(first, last));
            (first, isa.and(weight, between))
        }
        Outside::Flip => {
            let back = is_back::<I>(isa, axis, whole);
            let forth = isa.and(whole, last);
            // In a mirrored repetition, the right neighbour of a texel precedes it in memory, so the pair
            // begins with the neighbour. Texel 0 has none: its pair begins with texel 0.
            let mirrored = isa.and(isa.xor(whole, isa.splat(u32::MAX)), last);
            let backward = isa.max32(isa.add32(mirrored, isa.splat(u32::MAX)), isa.splat(0));
            let weight = isa.select(back, rest::<I>(isa, weight), weight);
            (
                isa.select(back, backward, forth),
                isa.and_not(weight, isa.equal(forth, last)),
            )
        }
    }
}
