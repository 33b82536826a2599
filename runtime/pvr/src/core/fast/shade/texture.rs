//! Texels of eight pixels: coordinates, point and bilinear filter, as [`crate::core::sample`] defines them for one.

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
pub(super) struct Four<W> {
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
    fn new<I: Isa<W = W>>(axis: Axis) -> Self {
        Self {
            outside: axis.outside,
            size: I::word(axis.size as u32),
            last: I::word(axis.size as u32 - 1),
        }
    }
}

impl<'a, W: Copy> Texels<'a, W> {
    #[inline(always)]
    pub(super) fn new<I: Isa<W = W>>(texture: &'a Decoded, axes: &[Axis; 2]) -> Self {
        Self {
            texels: &texture.texels,
            axes: [WideAxis::new::<I>(axes[0]), WideAxis::new::<I>(axes[1])],
            stride: I::word(texture.stride()),
        }
    }

    /// The nearest texels at coordinates in 1/256 texel.
    #[inline(always)]
    pub(super) fn point<I: Isa<W = W>>(&self, [u, v]: [W; 2]) -> Channels<W> {
        let (x, y) = (nearest::<I>(self.axes[0], u), nearest::<I>(self.axes[1], v));
        Channels::of::<I>(I::gather(self.texels, self.place::<I>(x, y)))
    }

    /// Four texels weighted by the fractions of the coordinates: [`crate::core::sample::one_sum`] in two steps. As its weights
    /// are products, the sum is the same along u, exactly, and then along v.
    #[inline(always)]
    pub(super) fn bilinear<I: Isa<W = W>>(&self, at: [W; 2]) -> Channels<W> {
        self.weighted::<I>(self.four::<I, false>(at))
    }

    /// Which four texels, and their weights. `REPEAT`: known to be repeated along both axes.
    #[inline(always)]
    pub(super) fn four<I: Isa<W = W>, const REPEAT: bool>(&self, [u, v]: [W; 2]) -> Four<W> {
        let (x, wu) = pairs::<I, REPEAT>(self.axes[0], u);
        let (y, wv) = pairs::<I, REPEAT>(self.axes[1], v);
        Four {
            place: self.place::<I>(x, y),
            wu,
            wv,
        }
    }

    #[inline(always)]
    pub(super) fn weighted<I: Isa<W = W>>(&self, four: Four<W>) -> Channels<W> {
        let [a, c, b, d] = I::gather_pairs(self.texels, four.place);
        let (a, b) = (Channels::of::<I>(a), Channels::of::<I>(b));
        let (c, d) = (Channels::of::<I>(c), Channels::of::<I>(d));
        let wu = [rest::<I>(four.wu), four.wu];
        let wv = [rest::<I>(four.wv), four.wv];
        Channels {
            rb: down::<I>(across::<I>(a.rb, b.rb, wu), across::<I>(c.rb, d.rb, wu), wv),
            ag: down::<I>(across::<I>(a.ag, b.ag, wu), across::<I>(c.ag, d.ag, wu), wv),
        }
    }

    /// Sides are 1,024 texels at most.
    #[inline(always)]
    fn place<I: Isa<W = W>>(&self, x: W, y: W) -> W {
        I::add32(I::mul15(y, self.stride), x)
    }
}

/// [`Axis::texel`]
#[inline(always)]
fn nearest<I: Isa>(axis: WideAxis<I::W>, at: I::W) -> I::W {
    let whole = I::sar::<8>(at);
    match axis.outside {
        Outside::Repeat => I::and(whole, axis.last),
        Outside::Clamp => I::max32(I::min32(whole, axis.last), I::word(0)),
        Outside::Flip => I::and(I::xor(whole, is_back::<I>(axis, whole)), axis.last),
    }
}

/// Mask of the coordinates in a repetition that runs backwards.
#[inline(always)]
fn is_back<I: Isa>(axis: WideAxis<I::W>, whole: I::W) -> I::W {
    I::equal(I::and(whole, axis.size), axis.size)
}

/// Of each coordinate: the first of two neighbouring texels, and the weight of the second over 256, in both half words.
/// Behind the last texel stands a copy of the first. Where the second one is not the neighbour that counts, the first has all
/// the weight, or they change places.
#[inline(always)]
fn pairs<I: Isa, const REPEAT: bool>(axis: WideAxis<I::W>, at: I::W) -> (I::W, I::W) {
    let whole = I::sar::<8>(at);
    let weight = weight::<I>(I::low_bytes(at));
    let last = axis.last;
    match axis.outside {
        _ if REPEAT => (I::and(whole, last), weight),
        Outside::Repeat => (I::and(whole, last), weight),
        Outside::Clamp => {
            let first = I::max32(I::min32(whole, last), I::word(0));
            let between = I::and_not(I::equal(first, whole), I::equal(first, last));
            (first, I::and(weight, between))
        }
        Outside::Flip => {
            let back = is_back::<I>(axis, whole);
            let forth = I::and(whole, last);
            // Backwards the pair begins with the right neighbour, but at the end that is the texel itself.
            let mirrored = I::and(I::xor(whole, I::word(u32::MAX)), last);
            let behind = I::max32(I::add32(mirrored, I::word(u32::MAX)), I::word(0));
            let weight = I::select(back, rest::<I>(weight), weight);
            (
                I::select(back, behind, forth),
                I::and_not(weight, I::equal(forth, last)),
            )
        }
    }
}
