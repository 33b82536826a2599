//! The colour of a figure at a group of pixels, before it is blended.

use super::super::isa::Isa;
use super::super::paint::Paint;
use super::super::textures::Decoded;
use super::State;
use super::channels::{self, Channels};
use super::line::{Line, Values};
use super::texture::Texels;
use crate::core::plane::{COLOUR, U, V, Z};

/// What all groups of a figure have in common.
pub(super) struct Look<'a, W> {
    paint: &'a Paint,
    pub(super) texture: Option<Texels<'a, W>>,
    base_ones: Channels<W>,
    texel_ones: Channels<W>,
    /// Colours of flat shading: base and offset.
    flat: [Channels<W>; 2],
    texel_offset: W,
}

impl<'a, W: Copy> Look<'a, W> {
    #[inline(always)]
    pub(super) fn new<I: Isa<W = W>>(paint: &'a Paint, state: &State, texture: Option<&'a Decoded>) -> Self {
        let texture = texture.map(|texture| Texels::new::<I>(texture, &paint.axes));
        let [base, offset] = paint.surface.flat;
        Self {
            paint,
            texture,
            base_ones: Channels::of::<I>(I::word(paint.base_ones)),
            texel_ones: Channels::of::<I>(I::word(paint.texel_ones)),
            flat: [
                Channels::of::<I>(I::word(base | paint.base_ones)),
                Channels::of::<I>(I::word(offset)),
            ],
            texel_offset: I::word(state.texel_offset as u32),
        }
    }

    /// W at some places.
    #[inline(always)]
    pub(super) fn w<I: Isa<W = W>>(line: &impl Values<I>, places: I::F) -> I::F {
        I::div(I::float(1.0), line.at(Z, places))
    }

    /// The vertex colour, ready to be combined.
    #[inline(always)]
    pub(super) fn base<I: Isa<W = W>, const GOURAUD: bool>(
        &self,
        line: &impl Values<I>,
        places: I::F,
        w: I::F,
    ) -> Channels<W> {
        if GOURAUD {
            colours::<I>(line, places, w).with::<I>(self.base_ones)
        } else {
            self.flat[0]
        }
    }

    /// Texture coordinates in 1/256 texel: cut off towards zero, then moved.
    #[inline(always)]
    pub(super) fn uv<I: Isa<W = W>>(&self, line: &impl Values<I>, places: I::F, w: I::F) -> [W; 2] {
        let (u, v) = (line.at(U, places), line.at(V, places));
        let [u, v] = I::to_ints([I::mul(u, w), I::mul(v, w)]);
        [I::add32(u, self.texel_offset), I::add32(v, self.texel_offset)]
    }

    /// Texels, ready to be combined.
    #[inline(always)]
    pub(super) fn texels<I: Isa<W = W>>(&self, texels: Channels<W>) -> Channels<W> {
        texels.with::<I>(self.texel_ones)
    }

    /// The colour at some places, and the texels if there are any. `lines` are those of the figure and of its offset colour.
    #[inline(always)]
    pub(super) fn colour<I: Isa<W = W>, const TEXTURED: bool, const GOURAUD: bool, const OFFSET: bool>(
        &self,
        [line, offset_line]: [&Line<'_>; 2],
        places: I::F,
    ) -> (Channels<W>, Channels<W>) {
        let w = if TEXTURED || GOURAUD {
            Self::w::<I>(line, places)
        } else {
            I::float(1.0)
        };
        let mut colour = self.base::<I, GOURAUD>(line, places, w);
        let mut texel = colour;
        if let (true, Some(texels)) = (TEXTURED, &self.texture) {
            let at = self.uv::<I>(line, places, w);
            texel = self.texels::<I>(if self.paint.bilinear {
                texels.bilinear::<I>(at)
            } else {
                texels.point::<I>(at)
            });
            colour = channels::combine::<I>(self.paint.surface.tsp.shading(), texel, colour);
        }
        if OFFSET {
            let offset = if GOURAUD {
                colours::<I>(offset_line, places, w)
            } else {
                self.flat[1]
            };
            colour = channels::add_offset::<I>(colour, offset);
        }
        (colour, texel)
    }
}

/// Colours: each channel held in 0..=255, then rounded half up.
#[inline(always)]
fn colours<I: Isa>(line: &impl Values<I>, places: I::F, w: I::F) -> Channels<I::W> {
    let a = channel::<I>(I::mul(line.at(COLOUR, places), w));
    let r = channel::<I>(I::mul(line.at(COLOUR + 1, places), w));
    let g = channel::<I>(I::mul(line.at(COLOUR + 2, places), w));
    let b = channel::<I>(I::mul(line.at(COLOUR + 3, places), w));
    Channels {
        rb: I::or(I::shl::<16>(r), b),
        ag: I::or(I::shl::<16>(a), g),
    }
}

/// What is no number becomes 0.
#[inline(always)]
fn channel<I: Isa>(value: I::F) -> I::W {
    let value = I::smaller(I::larger(value, I::float(0.0)), I::float(255.0));
    I::truncate(I::add(value, I::float(0.5)))
}
