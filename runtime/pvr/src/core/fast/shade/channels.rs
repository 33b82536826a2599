//! [`crate::core::colour`] for eight colours: every channel in a half word, so that products of 8-bit numbers have room.

use crate::core::fast::isa::Isa;
use crate::param::{BlendFactor, Shading};

/// Eight colours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Channels<W> {
    /// Red in the upper halves, blue in the lower.
    pub(super) rb: W,
    /// Alpha in the upper halves, green in the lower.
    pub(super) ag: W,
}

/// An operation on the words of some colours. (No closure: one that is called twice may be left out of line, and then is compiled
/// without the instruction set.)
macro_rules! both {
    ($operation:expr, $($colours:ident),+) => {
        Channels {
            rb: $operation($($colours.rb),+),
            ag: $operation($($colours.ag),+),
        }
    };
}

/// The upper half of a word: alpha.
const ALPHA: u32 = 0xFFFF_0000;
/// The value 256 in both halves.
const ONE: u32 = 0x0100_0100;

impl<W: Copy> Channels<W> {
    /// Of packed ARGB words.
    #[inline(always)]
    pub(super) fn of<I: Isa<W = W>>(colours: W) -> Self {
        Self {
            rb: I::and(colours, I::word(0x00FF_00FF)),
            ag: I::shr16::<8>(colours),
        }
    }

    /// Packed ARGB words.
    #[inline(always)]
    pub(super) fn packed<I: Isa<W = W>>(self) -> W {
        I::or(self.rb, I::shl16::<8>(self.ag))
    }

    /// The alpha of `other`.
    #[inline(always)]
    pub(super) fn with_alpha_of<I: Isa<W = W>>(self, other: W) -> Self {
        let ag = I::or(I::and_not(self.ag, I::word(ALPHA)), I::and(other, I::word(ALPHA)));
        Self { rb: self.rb, ag }
    }

    /// Alpha 255.
    #[inline(always)]
    pub(super) fn opaque<I: Isa<W = W>>(self) -> Self {
        Self {
            rb: self.rb,
            ag: I::or(self.ag, I::word(0x00FF_0000)),
        }
    }

    /// 8-bit weights as factors over 256.
    #[inline(always)]
    fn weights<I: Isa<W = W>>(self) -> Self {
        both!(weight::<I>, self)
    }

    /// The same word for both.
    #[inline(always)]
    fn same(word: W) -> Self {
        Self { rb: word, ag: word }
    }
}

/// [`crate::core::colour::weight`] of half words.
#[inline(always)]
pub(super) fn weight<I: Isa>(f: I::W) -> I::W {
    I::add16(f, I::shr16::<7>(f))
}

/// `256 - w`
#[inline(always)]
fn rest<I: Isa>(w: I::W) -> I::W {
    I::sub16(I::word(ONE), w)
}

/// `a (256 - w) + b w`: below 2^16 as the weights add up to 256, so what wraps on the way wraps back.
#[inline(always)]
pub(super) fn across<I: Isa>(a: I::W, b: I::W, w: I::W) -> I::W {
    I::add16(I::shl16::<8>(a), I::mul16(I::sub16(b, a), w))
}

/// `(a (256 - w) + b w) / 65536` of half words that use all their bits: the high halves of the products, and the carry of the low ones.
#[inline(always)]
pub(super) fn down<I: Isa>(a: I::W, b: I::W, w: I::W) -> I::W {
    let v = rest::<I>(w);
    let (low_a, low_b) = (I::mul16(a, v), I::mul16(b, w));
    let high = I::add16(I::mul16_high(a, v), I::mul16_high(b, w));
    let low = I::add16(low_a, low_b);
    // All ones, -1, without a carry.
    let none = I::equal16(I::max16(low, low_a), low);
    I::add16(high, I::add16(none, I::word(0x0001_0001)))
}

/// [`across`], shifted back.
#[inline(always)]
fn mixed<I: Isa>(a: I::W, b: I::W, w: I::W) -> I::W {
    I::shr16::<8>(across::<I>(a, b, w))
}

/// `(t w) >> 8`
#[inline(always)]
fn product<I: Isa>(t: I::W, w: I::W) -> I::W {
    I::shr16::<8>(I::mul16(t, w))
}

/// [`crate::core::colour::combine`]
#[inline(always)]
pub(super) fn combine<I: Isa>(shading: Shading, t: Channels<I::W>, b: Channels<I::W>) -> Channels<I::W> {
    match shading {
        Shading::Decal => t,
        Shading::Modulate | Shading::ModulateAlpha => {
            let w = b.weights::<I>();
            let product = both!(product::<I>, t, w);
            if shading == Shading::Modulate {
                product.with_alpha_of::<I>(t.ag)
            } else {
                product
            }
        }
        Shading::DecalAlpha => {
            let w = Channels::same(weight::<I>(I::upper(t.ag)));
            both!(mixed::<I>, b, t, w).with_alpha_of::<I>(b.ag)
        }
    }
}

/// [`crate::core::colour::add_offset`]
#[inline(always)]
pub(super) fn add_offset<I: Isa>(c: Channels<I::W>, offset: Channels<I::W>) -> Channels<I::W> {
    let most = Channels::same(I::word(0x00FF_00FF));
    let offset = offset.with_alpha_of::<I>(I::word(0));
    let sum = both!(I::add16, c, offset);
    both!(I::min16, sum, most)
}

/// [`crate::core::colour::clamp`]
#[inline(always)]
pub(super) fn clamp<I: Isa>(c: Channels<I::W>, low: u32, high: u32) -> Channels<I::W> {
    let (low, high) = (Channels::of::<I>(I::word(low)), Channels::of::<I>(I::word(high)));
    let held = both!(I::max16, c, low);
    both!(I::min16, held, high)
}

/// [`crate::core::colour::blend`]
#[inline(always)]
pub(super) fn blend<I: Isa>(
    src: BlendFactor,
    dst: BlendFactor,
    source: Channels<I::W>,
    dest: Channels<I::W>,
) -> Channels<I::W> {
    if (src, dst) == (BlendFactor::One, BlendFactor::Zero) {
        return source;
    }
    let f = factors::<I>(src, dest, source, dest);
    let g = factors::<I>(dst, source, source, dest);
    let (from_source, from_dest) = (both!(I::mul16, source, f), both!(I::mul16, dest, g));
    // Saturated at 65535, whose upper byte is the largest channel.
    let sum = both!(I::add16_saturated, from_source, from_dest);
    both!(I::shr16::<8>, sum)
}

/// [`crate::core::colour::factors`] as factors over 256. (The weight of 255 - f is 256 less that of f.)
#[inline(always)]
fn factors<I: Isa>(
    factor: BlendFactor,
    other: Channels<I::W>,
    source: Channels<I::W>,
    dest: Channels<I::W>,
) -> Channels<I::W> {
    let (w, inverse) = match factor {
        BlendFactor::Zero => return Channels::same(I::word(0)),
        BlendFactor::One => return Channels::same(I::word(ONE)),
        BlendFactor::Other => (other.weights::<I>(), false),
        BlendFactor::InverseOther => (other.weights::<I>(), true),
        BlendFactor::SrcAlpha => (alpha::<I>(source), false),
        BlendFactor::InverseSrcAlpha => (alpha::<I>(source), true),
        BlendFactor::DstAlpha => (alpha::<I>(dest), false),
        BlendFactor::InverseDstAlpha => (alpha::<I>(dest), true),
    };
    if inverse { both!(rest::<I>, w) } else { w }
}

/// The weight of alpha for all channels.
#[inline(always)]
fn alpha<I: Isa>(c: Channels<I::W>) -> Channels<I::W> {
    Channels::same(weight::<I>(I::upper(c.ag)))
}
