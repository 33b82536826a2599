//! Texels of eight pixels: coordinates, point and bilinear filter, as [`crate::core::sample`] defines them for one.

use super::channels::{Channels, across, down};
use crate::core::fast::isa::Isa;
use crate::core::fast::textures::Decoded;
use crate::core::sample::{Axis, Outside};

/// The nearest texels at coordinates in 1/256 texel.
#[inline(always)]
pub(super) fn point<I: Isa>(texture: &Decoded, axes: &[Axis; 2], [u, v]: [I::W; 2]) -> Channels<I::W> {
    let (x, y) = (nearest::<I>(axes[0], u), nearest::<I>(axes[1], v));
    Channels::of::<I>(I::gather(&texture.texels, place::<I>(texture, x, y)))
}

/// Four texels weighted by the fractions of the coordinates: [`crate::core::sample::one_sum`] in two steps. As its weights are
/// products, the sum is the same along u, exactly, and then along v.
#[inline(always)]
pub(super) fn bilinear<I: Isa>(texture: &Decoded, axes: &[Axis; 2], [u, v]: [I::W; 2]) -> Channels<I::W> {
    let ((x, wu), (y, wv)) = (pairs::<I>(axes[0], u), pairs::<I>(axes[1], v));
    let [a, c, b, d] = I::gather_pairs(&texture.texels, place::<I>(texture, x, y));
    let (a, b) = (Channels::of::<I>(a), Channels::of::<I>(b));
    let (c, d) = (Channels::of::<I>(c), Channels::of::<I>(d));
    Channels {
        rb: down::<I>(across::<I>(a.rb, b.rb, wu), across::<I>(c.rb, d.rb, wu), wv),
        ag: down::<I>(across::<I>(a.ag, b.ag, wu), across::<I>(c.ag, d.ag, wu), wv),
    }
}

#[inline(always)]
fn place<I: Isa>(texture: &Decoded, x: I::W, y: I::W) -> I::W {
    I::add32(I::mul32(y, I::word(texture.stride())), x)
}

/// [`Axis::texel`]
#[inline(always)]
fn nearest<I: Isa>(axis: Axis, at: I::W) -> I::W {
    let whole = I::sar::<8>(at);
    let mask = I::word(axis.size as u32 - 1);
    match axis.outside {
        Outside::Repeat => I::and(whole, mask),
        Outside::Clamp => I::max32(I::min32(whole, mask), I::word(0)),
        Outside::Flip => I::and(I::xor(whole, is_back::<I>(axis, whole)), mask),
    }
}

/// Mask of the coordinates in a repetition that runs backwards.
#[inline(always)]
fn is_back<I: Isa>(axis: Axis, whole: I::W) -> I::W {
    let size = I::word(axis.size as u32);
    I::equal(I::and(whole, size), size)
}

/// Of each coordinate: the first of two neighbouring texels, and the weight of the second over 256, in both half words.
/// Behind the last texel stands a copy of the first. Where the second one is not the neighbour that counts, the first has all
/// the weight, or they change places.
#[inline(always)]
fn pairs<I: Isa>(axis: Axis, at: I::W) -> (I::W, I::W) {
    let whole = I::sar::<8>(at);
    let fraction = I::and(at, I::word(0xFF));
    let weight = I::add32(fraction, I::shr::<7>(fraction));
    let last = I::word(axis.size as u32 - 1);
    let (first, weight) = match axis.outside {
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
            // 256 - w as 257 + !w
            let turned = I::add32(I::xor(weight, I::word(u32::MAX)), I::word(257));
            let weight = I::select(back, turned, weight);
            (
                I::select(back, behind, forth),
                I::and_not(weight, I::equal(forth, last)),
            )
        }
    };
    (first, I::or(weight, I::shl::<16>(weight)))
}
