//! [`crate::core::colour`] for eight colours. Each channel has a half word, which can hold a product of 8-bit
//! numbers.

use crate::core::fast::isa::Isa;
use crate::param::{BlendFactor, Shading, TspWord};

/// Eight colours.
#[derive(Debug, Clone, Copy)]
pub(in crate::core::fast) struct Channels<W> {
    /// Red in the upper halves, blue in the lower.
    pub(super) rb: W,
    /// Alpha in the upper halves, green in the lower.
    pub(super) ag: W,
}

/// Applies an operation to both words of colours. A macro, because compilers may not inline a closure that
/// is called twice, and then compile it without the instruction set.
macro_rules! both {
    ($isa:expr, $operation:expr, $($colours:ident),+) => {
        Channels {
            rb: $operation($isa, $($colours.rb),+),
            ag: $operation($isa, $($colours.ag),+),
        }
    };
}

/// The upper half of a word: alpha.
const ALPHA: u32 = 0xFFFF_0000;
/// The value 256 in both halves.
const ONE: u32 = 0x0100_0100;

impl<W: Copy> Channels<W> {
    /// Unpacks ARGB words.
    #[inline(always)]
    pub(in crate::core::fast) fn of<I: Isa<W = W>>(isa: I, colours: W) -> Self {
        Self {
            rb: isa.and(colours, isa.splat(0x00FF_00FF)),
            ag: isa.shr16::<8>(colours),
        }
    }

    /// Packed ARGB words.
    #[inline(always)]
    pub(super) fn packed<I: Isa<W = W>>(self, isa: I) -> W {
        isa.or(self.rb, isa.shl16::<8>(self.ag))
    }

    /// Replaces alpha by the alpha of `other`.
    #[inline(always)]
    pub(super) fn with_alpha_of<I: Isa<W = W>>(self, isa: I, other: W) -> Self {
        let ag = isa.or(
            isa.and_not(self.ag, isa.splat(ALPHA)),
            isa.and(other, isa.splat(ALPHA)),
        );
        Self { rb: self.rb, ag }
    }

    /// Sets the given bits.
    #[inline(always)]
    pub(super) fn with<I: Isa<W = W>>(self, isa: I, bits: Self) -> Self {
        both!(isa, I::or, self, bits)
    }

    /// Converts 8-bit weights to factors over 256.
    #[inline(always)]
    fn weights<I: Isa<W = W>>(self, isa: I) -> Self {
        both!(isa, weight::<I>, self)
    }

    /// Uses one word for `rb` and `ag`.
    #[inline(always)]
    fn same(word: W) -> Self {
        Self { rb: word, ag: word }
    }
}

/// [`crate::core::colour::weight`] of half words.
#[inline(always)]
pub(super) fn weight<I: Isa>(isa: I, f: I::W) -> I::W {
    isa.add16(f, isa.shr16::<7>(f))
}

/// `256 - w`
#[inline(always)]
pub(super) fn rest<I: Isa>(isa: I, w: I::W) -> I::W {
    isa.sub16(isa.splat(ONE), w)
}

/// `a v + b w` of 8-bit numbers, for weights that add up to 256.
#[inline(always)]
pub(super) fn across<I: Isa>(isa: I, a: I::W, b: I::W, [v, w]: [I::W; 2]) -> I::W {
    isa.add16(isa.mul16(a, v), isa.mul16(b, w))
}

/// `(a v + b w) / 65536` of 16-bit numbers: the high halves of the products and the carry of the low halves.
#[inline(always)]
pub(super) fn down<I: Isa>(isa: I, a: I::W, b: I::W, [v, w]: [I::W; 2]) -> I::W {
    let (low_a, low_b) = (isa.mul16(a, v), isa.mul16(b, w));
    let high = isa.add16(isa.mul16_high(a, v), isa.mul16_high(b, w));
    // The sum of the low halves wrapped if it is less than its parts.
    let less = isa.sub16_saturated(low_a, isa.add16(low_a, low_b));
    isa.add16(high, isa.min16(less, isa.splat(0x0001_0001)))
}

/// `(t w) >> 8`
#[inline(always)]
fn product<I: Isa>(isa: I, t: I::W, w: I::W) -> I::W {
    isa.shr16::<8>(isa.mul16(t, w))
}

/// Computes [`Shading::ModulateAlpha`] of [`crate::core::colour::combine`]. Channels of 255 in `b` keep the
/// texel, so that [`forced_bits`] in `b` also give Modulate and Decal.
#[inline(always)]
pub(super) fn modulate<I: Isa>(isa: I, t: Channels<I::W>, b: Channels<I::W>) -> Channels<I::W> {
    let w = b.weights::<I>(isa);
    both!(isa, product::<I>, t, w)
}

/// Computes [`crate::core::colour::combine`] for a `b` in which [`forced_bits`] are set.
#[inline(always)]
pub(super) fn combine<I: Isa>(
    isa: I,
    shading: Shading,
    t: Channels<I::W>,
    b: Channels<I::W>,
) -> Channels<I::W> {
    if shading != Shading::DecalAlpha {
        return modulate::<I>(isa, t, b);
    }
    let w = weight::<I>(isa, isa.upper(t.ag));
    let weights = [rest::<I>(isa, w), w];
    let mixed = Channels {
        rb: isa.shr16::<8>(across::<I>(isa, b.rb, t.rb, weights)),
        ag: isa.shr16::<8>(across::<I>(isa, b.ag, t.ag, weights)),
    };
    mixed.with_alpha_of::<I>(isa, b.ag)
}

/// Returns the bits to set in the vertex colour before combining: channels that only the texel determines,
/// and an unused alpha.
pub(in crate::core::fast) fn forced_bits(tsp: TspWord, textured: bool) -> u32 {
    match tsp.shading() {
        Shading::Decal if textured => u32::MAX,
        Shading::Modulate if textured => 0xFF00_0000,
        _ if tsp.use_alpha() => 0,
        _ => 0xFF00_0000,
    }
}

/// [`crate::core::colour::scale`]: factors over 256 in both half words.
#[inline(always)]
pub(super) fn scale<I: Isa>(isa: I, c: Channels<I::W>, factors: I::W) -> Channels<I::W> {
    let factors = Channels::same(factors);
    both!(isa, product::<I>, c, factors)
}

/// [`crate::core::fog::Fog::apply`]: blends a colour with a fog colour by alphas.
#[inline(always)]
pub(super) fn fog<I: Isa>(isa: I, c: Channels<I::W>, fog: u32, alpha: I::W) -> Channels<I::W> {
    let fog = Channels::of::<I>(isa, isa.splat(fog));
    let w = weight::<I>(isa, isa.low_bytes(alpha));
    let weights = [rest::<I>(isa, w), w];
    let fogged = Channels {
        rb: isa.shr16::<8>(across::<I>(isa, c.rb, fog.rb, weights)),
        ag: isa.shr16::<8>(across::<I>(isa, c.ag, fog.ag, weights)),
    };
    fogged.with_alpha_of::<I>(isa, c.ag)
}

/// [`crate::core::colour::add_offset`]
#[inline(always)]
pub(super) fn add_offset<I: Isa>(isa: I, c: Channels<I::W>, offset: Channels<I::W>) -> Channels<I::W> {
    let most = Channels::same(isa.splat(0x00FF_00FF));
    let offset = offset.with_alpha_of::<I>(isa, isa.splat(0));
    let sum = both!(isa, I::add16, c, offset);
    both!(isa, I::min16, sum, most)
}

/// [`crate::core::colour::clamp`]
#[inline(always)]
pub(super) fn clamp<I: Isa>(isa: I, c: Channels<I::W>, low: u32, high: u32) -> Channels<I::W> {
    let (low, high) = (
        Channels::of::<I>(isa, isa.splat(low)),
        Channels::of::<I>(isa, isa.splat(high)),
    );
    let held = both!(isa, I::max16, c, low);
    both!(isa, I::min16, held, high)
}

/// Blend functions. The two most frequent ones have variants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::core::fast) enum Blend {
    /// One and Zero.
    Replace,
    /// SrcAlpha and InverseSrcAlpha.
    Over,
    /// The blend factors of the TSP word.
    #[default]
    Other,
}

impl Blend {
    pub(in crate::core::fast) fn of(tsp: TspWord) -> Self {
        match (tsp.src(), tsp.dst()) {
            (BlendFactor::One, BlendFactor::Zero) => Self::Replace,
            (BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha) => Self::Over,
            _ => Self::Other,
        }
    }
}

/// [`crate::core::colour::blend`] of packed words.
#[inline(always)]
pub(in crate::core::fast) fn blend<I: Isa>(
    isa: I,
    blend: Blend,
    [src, dst]: [BlendFactor; 2],
    source: Channels<I::W>,
    before: I::W,
) -> I::W {
    if blend == Blend::Replace {
        return source.packed::<I>(isa);
    }
    let dest = Channels::of::<I>(isa, before);
    let (f, g) = if blend == Blend::Over {
        let f = alpha::<I>(isa, source);
        (f, Channels::same(rest::<I>(isa, f.rb)))
    } else {
        (
            factors::<I>(isa, src, dest, source, dest),
            factors::<I>(isa, dst, source, source, dest),
        )
    };
    let (from_source, from_dest) = (both!(isa, I::mul16, source, f), both!(isa, I::mul16, dest, g));
    // Saturates at 65,535; its upper byte is 255.
    let sum = both!(isa, I::add16_saturated, from_source, from_dest);
    isa.or(isa.shr16::<8>(sum.rb), isa.and(sum.ag, isa.splat(0xFF00_FF00)))
}

/// [`crate::core::colour::factors`] as factors over 256. The weight of 255 - f is 256 minus the weight of f.
#[inline(always)]
fn factors<I: Isa>(
    isa: I,
    factor: BlendFactor,
    other: Channels<I::W>,
    source: Channels<I::W>,
    dest: Channels<I::W>,
) -> Channels<I::W> {
    let (w, inverse) = match factor {
        BlendFactor::Zero => return Channels::same(isa.splat(0)),
        BlendFactor::One => return Channels::same(isa.splat(ONE)),
        BlendFactor::Other => (other.weights::<I>(isa), false),
        BlendFactor::InverseOther => (other.weights::<I>(isa), true),
        BlendFactor::SrcAlpha => (alpha::<I>(isa, source), false),
        BlendFactor::InverseSrcAlpha => (alpha::<I>(isa, source), true),
        BlendFactor::DstAlpha => (alpha::<I>(isa, dest), false),
        BlendFactor::InverseDstAlpha => (alpha::<I>(isa, dest), true),
    };
    if inverse { both!(isa, rest::<I>, w) } else { w }
}

/// The weight of alpha for all channels.
#[inline(always)]
fn alpha<I: Isa>(isa: I, c: Channels<I::W>) -> Channels<I::W> {
    Channels::same(weight::<I>(isa, isa.upper(c.ag)))
}
