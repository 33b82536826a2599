//! Texels of eight pixels: coordinates, point and bilinear filter, as [`crate::core::sample`] defines them
//! for one.

use super::channels::{Channels, across, down, rest, weight};
use crate::core::fast::isa::Isa;
use crate::core::fast::textures::Decoded;
use crate::core::sample::{Axis, Outside};

/// A texture, with what all groups of pixels need of it in all lanes.
pub(super) struct Texels<'a, W> {
    texels: &'a [u64],
    axes: [WideAxis<W>; 2],
    stride: W,
}

/// Four texels: the place of the upper left one, and the weights of those right and below.
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
            texels: &texture.texels,
            axes: [WideAxis::new::<I>(isa, axes[0]), WideAxis::new::<I>(isa, axes[1])],
            stride: isa.splat(texture.stride()),
        }
    }

    /// The nearest texels at coordinates in 1/256 texel.
    #[inline(always)]
    pub(super) fn point<I: Isa<W = W>>(&self, isa: I, [u, v]: [W; 2]) -> Channels<W> {
        let (x, y) = (
            nearest::<I>(isa, self.axes[0], u),
            nearest::<I>(isa, self.axes[1], v),
        );
        Channels::of::<I>(isa, isa.gather(self.texels, self.place::<I>(isa, x, y)))
    }

    /// Four texels weighted by the fractions of the coordinates: [`crate::core::sample::one_sum`] in two
    /// steps. As its weights are products, the sum is the same along u, exactly, and then along v.
    #[inline(always)]
    pub(super) fn bilinear<I: Isa<W = W>>(&self, isa: I, at: [W; 2]) -> Channels<W> {
        self.weighted::<I>(isa, self.quad::<I, false>(isa, at))
    }

    /// The places and weights of four texels. `REPEAT`: the texture repeats along both axes.
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

    #[inline(always)]
    pub(super) fn weighted<I: Isa<W = W>>(&self, isa: I, quad: TexelQuad<W>) -> Channels<W> {
        let [a, c, b, d] = isa.gather_pairs(self.texels, quad.place);
        let (a, b) = (Channels::of::<I>(isa, a), Channels::of::<I>(isa, b));
        let (c, d) = (Channels::of::<I>(isa, c), Channels::of::<I>(isa, d));
        let wu = [rest::<I>(isa, quad.wu), quad.wu];
        let wv = [rest::<I>(isa, quad.wv), quad.wv];
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

    /// Sides are 1,024 texels at most.
    #[inline(always)]
    fn place<I: Isa<W = W>>(&self, isa: I, x: W, y: W) -> W {
        isa.add32(isa.mul15(y, self.stride), x)
    }
}

/// [`Axis::texel`]
#[inline(always)]
fn nearest<I: Isa>(isa: I, axis: WideAxis<I::W>, at: I::W) -> I::W {
    let whole = isa.sar::<8>(at);
    match axis.outside {
        Outside::Repeat => isa.and(whole, axis.last),
        Outside::Clamp => isa.max32(isa.min32(whole, axis.last), isa.splat(0)),
        Outside::Flip => isa.and(isa.xor(whole, is_back::<I>(isa, axis, whole)), axis.last),
    }
}

/// Mask of the coordinates in a repetition that runs backwards.
#[inline(always)]
fn is_back<I: Isa>(isa: I, axis: WideAxis<I::W>, whole: I::W) -> I::W {
    isa.equal(isa.and(whole, axis.size), axis.size)
}

/// Of each coordinate: the first of two neighbouring texels, and the weight of the second over 256, in both
/// half words. Behind the last texel stands a copy of the first. Where the second one is not the neighbour
/// that counts, the first has all the weight, or they change places.
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
            // Backwards the pair begins with the right neighbour, but at the end that is the texel itself.
            let mirrored = isa.and(isa.xor(whole, isa.splat(u32::MAX)), last);
            let behind = isa.max32(isa.add32(mirrored, isa.splat(u32::MAX)), isa.splat(0));
            let weight = isa.select(back, rest::<I>(isa, weight), weight);
            (
                isa.select(back, behind, forth),
                isa.and_not(weight, isa.equal(forth, last)),
            )
        }
    }
}
