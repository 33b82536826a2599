//! The colour of a primitive at a group of pixels, before it is blended.

use super::super::isa::Isa;
use super::super::shade_setup::ShadeSetup;
use super::super::textures::Decoded;
use super::State;
use super::channels::{self, Channels};
use super::line::{Line, Values};
use super::texture::Texels;
use crate::core::plane::{COLOUR, U, V, Z};

/// Shader inputs that all groups of a primitive share.
pub(super) struct ShaderInputs<'a, W> {
    setup: &'a ShadeSetup,
    pub(super) texture: Option<Texels<'a, W>>,
    base_ones: Channels<W>,
    texel_ones: Channels<W>,
    /// Colours of flat shading: base and offset.
    flat: [Channels<W>; 2],
    texel_offset: W,
}

impl<'a, W: Copy> ShaderInputs<'a, W> {
    #[inline(always)]
    pub(super) fn new<I: Isa<W = W>>(
        isa: I,
        setup: &'a ShadeSetup,
        state: &State,
        texture: Option<&'a Decoded>,
    ) -> Self {
        let texture = texture.map(|texture| Texels::new::<I>(isa, texture, &setup.axes));
        let [base, offset] = setup.surface.flat;
        Self {
            setup,
            texture,
            base_ones: Channels::of::<I>(isa, isa.splat(setup.base_ones)),
            texel_ones: Channels::of::<I>(isa, isa.splat(setup.texel_ones)),
            flat: [
                Channels::of::<I>(isa, isa.splat(base | setup.base_ones)),
                Channels::of::<I>(isa, isa.splat(offset)),
            ],
            texel_offset: isa.splat(state.texel_offset as u32),
        }
    }

    /// W at some places.
    #[inline(always)]
    pub(super) fn w<I: Isa<W = W>>(isa: I, line: &impl Values<I>, places: I::F) -> I::F {
        isa.div(isa.splat_float(1.0), line.at(isa, Z, places))
    }

    /// The vertex colour, ready to be combined.
    #[inline(always)]
    pub(super) fn base<I: Isa<W = W>, const GOURAUD: bool>(
        &self,
        isa: I,
        line: &impl Values<I>,
        places: I::F,
        w: I::F,
    ) -> Channels<W> {
        if GOURAUD {
            colours::<I>(isa, line, places, w).with::<I>(isa, self.base_ones)
        } else {
            self.flat[0]
        }
    }

    /// Texture coordinates in 1/256 texel: cut off towards zero, then moved.
    #[inline(always)]
    pub(super) fn uv<I: Isa<W = W>>(&self, isa: I, line: &impl Values<I>, places: I::F, w: I::F) -> [W; 2] {
        let (u, v) = (line.at(isa, U, places), line.at(isa, V, places));
        let [u, v] = isa.to_ints([isa.mul(u, w), isa.mul(v, w)]);
        [isa.add32(u, self.texel_offset), isa.add32(v, self.texel_offset)]
    }

    /// Texels, ready to be combined.
    #[inline(always)]
    pub(super) fn texels<I: Isa<W = W>>(&self, isa: I, texels: Channels<W>) -> Channels<W> {
        texels.with::<I>(isa, self.texel_ones)
    }

    /// The colour at some places, and the texels if there are any. `lines` are those of the primitive and of
    /// its offset colour.
    #[inline(always)]
    pub(super) fn colour<I: Isa<W = W>, const TEXTURED: bool, const GOURAUD: bool, const OFFSET: bool>(
        &self,
        isa: I,
        [line, offset_line]: [&Line<'_>; 2],
        places: I::F,
    ) -> (Channels<W>, Channels<W>) {
        let w = if TEXTURED || GOURAUD {
            Self::w::<I>(isa, line, places)
        } else {
            isa.splat_float(1.0)
        };
        let mut colour = self.base::<I, GOURAUD>(isa, line, places, w);
        let mut texel = colour;
        if let (true, Some(texels)) = (TEXTURED, &self.texture) {
            let at = self.uv::<I>(isa, line, places, w);
            texel = self.texels::<I>(
                isa,
                if self.setup.bilinear {
                    texels.bilinear::<I>(isa, at)
                } else {
                    texels.point::<I>(isa, at)
                },
            );
            colour = channels::combine::<I>(isa, self.setup.surface.tsp.shading(), texel, colour);
        }
        if OFFSET {
            let offset = if GOURAUD {
                colours::<I>(isa, offset_line, places, w)
            } else {
                self.flat[1]
            };
            colour = channels::add_offset::<I>(isa, colour, offset);
        }
        (colour, texel)
    }
}

/// Colours: each channel held in 0..=255, then rounded half up.
#[inline(always)]
fn colours<I: Isa>(isa: I, line: &impl Values<I>, places: I::F, w: I::F) -> Channels<I::W> {
    let a = channel::<I>(isa, isa.mul(line.at(isa, COLOUR, places), w));
    let r = channel::<I>(isa, isa.mul(line.at(isa, COLOUR + 1, places), w));
    let g = channel::<I>(isa, isa.mul(line.at(isa, COLOUR + 2, places), w));
    let b = channel::<I>(isa, isa.mul(line.at(isa, COLOUR + 3, places), w));
    Channels {
        rb: isa.or(isa.shl::<16>(r), b),
        ag: isa.or(isa.shl::<16>(a), g),
    }
}

/// NaN becomes 0.
#[inline(always)]
fn channel<I: Isa>(isa: I, value: I::F) -> I::W {
    let value = isa.min(isa.max(value, isa.splat_float(0.0)), isa.splat_float(255.0));
    isa.truncate(isa.add(value, isa.splat_float(0.5)))
}
