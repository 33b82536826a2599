//! Colours of a primitive at a group of pixels, before blending.

use super::super::isa::Isa;
use super::super::shade_setup::{Fog, Mip, MipPass, ShadeSetup};
use super::super::textures::Decoded;
use super::State;
use super::channels::{self, Channels};
use super::line::Line;
use super::texture::Texels;
use crate::core::plane::{COLOUR, U, V, Z};
use crate::core::shade::texel_offset;

/// Shader inputs that are constant for a primitive.
pub(super) struct ShaderInputs<'a, W> {
    setup: &'a ShadeSetup,
    pub(super) texture: Option<Texels<'a, W>>,
    base_mask: Channels<W>,
    texel_mask: Channels<W>,
    /// Colours of flat shading: base (with the bits of `base_mask` set) and offset.
    flat: [Channels<W>; 2],
    texel_offset: W,
    state: &'a State,
    /// Parameters of mip levels, if the texture has more than one level.
    mip: Option<Mip>,
    last_level: u32,
    /// The factor over 256 of an intensity volume.
    shadow: Option<u32>,
}

/// Values of a primitive along a row: coordinates and base colour, offset colour, and for supersampling the
/// rows a quarter of a pixel above and below.
pub(super) struct Lines<'a> {
    pub(super) own: Line<'a>,
    pub(super) offset: Line<'a>,
    pub(super) quarters: [Line<'a>; 2],
}

impl<'a, W: Copy> ShaderInputs<'a, W> {
    #[inline(always)]
    pub(super) fn new<I: Isa<W = W>>(
        isa: I,
        setup: &'a ShadeSetup,
        state: &'a State,
        texture: Option<&'a Decoded>,
        shadow: Option<u32>,
    ) -> Self {
        let last_level = texture.map_or(0, Decoded::last_level);
        let texture = texture.map(|texture| Texels::new::<I>(isa, texture, &setup.axes));
        let [base, offset] = setup.surface.flat;
        Self {
            setup,
            texture,
            base_mask: Channels::of::<I>(isa, isa.splat(setup.base_mask)),
            texel_mask: Channels::of::<I>(isa, isa.splat(setup.texel_mask)),
            flat: [
                Channels::of::<I>(isa, isa.splat(base | setup.base_mask)),
                Channels::of::<I>(isa, isa.splat(offset)),
            ],
            texel_offset: isa.splat(texel_offset(state.texel_offsets, setup.surface.tsp.filter()) as u32),
            state,
            mip: setup.extras.mip.filter(|_| last_level > 0),
            last_level,
            shadow,
        }
    }

    /// Returns W at eight places.
    #[inline(always)]
    pub(super) fn w<I: Isa<W = W>>(isa: I, line: &Line<'_>, places: I::F) -> I::F {
        isa.div(isa.splat_float(1.0), line.at(isa, Z, places))
    }

    /// Returns the vertex colour, with the bits of `base_mask` set.
    #[inline(always)]
    pub(super) fn base<I: Isa<W = W>, const GOURAUD: bool>(
        &self,
        isa: I,
        line: &Line<'_>,
        places: I::F,
        w: I::F,
    ) -> Channels<W> {
        if GOURAUD {
            colours::<I>(isa, line, places, w).with::<I>(isa, self.base_mask)
        } else {
            self.flat[0]
        }
    }

    /// Returns the offset colour.
    #[inline(always)]
    pub(super) fn offset<I: Isa<W = W>, const GOURAUD: bool>(
        &self,
        isa: I,
        line: &Line<'_>,
        places: I::F,
        w: I::F,
    ) -> Channels<W> {
        if GOURAUD {
            colours::<I>(isa, line, places, w)
        } else {
            self.flat[1]
        }
    }

    /// Returns texture coordinates in 1/256 texel: truncated, then moved by the texel offset.
    #[inline(always)]
    pub(super) fn uv<I: Isa<W = W>>(&self, isa: I, line: &Line<'_>, places: I::F, w: I::F) -> [W; 2] {
        let (u, v) = (line.at(isa, U, places), line.at(isa, V, places));
        self.cut::<I>(isa, [isa.mul(u, w), isa.mul(v, w)])
    }

    #[inline(always)]
    fn cut<I: Isa<W = W>>(&self, isa: I, uv: [I::F; 2]) -> [W; 2] {
        let [u, v] = isa.to_ints(uv);
        [isa.add32(u, self.texel_offset), isa.add32(v, self.texel_offset)]
    }

    /// Returns filtered texels of the pixels' mip levels, weighted for trilinear passes.
    #[inline(always)]
    fn filtered<I: Isa<W = W>>(
        &self,
        isa: I,
        texels: &Texels<'_, W>,
        line: &Line<'_>,
        places: I::F,
        w: I::F,
        bump: Option<Channels<W>>,
    ) -> Channels<W> {
        let (u, v) = (line.at(isa, U, places), line.at(isa, V, places));
        let uv = [isa.mul(u, w), isa.mul(v, w)];
        let bilinear = self.setup.bilinear;
        let Some(mip) = &self.mip else {
            return texels.sample::<I>(isa, &texels.whole(), self.cut::<I>(isa, uv), bilinear, bump);
        };
        let lod = Lod::new::<I>(isa, mip, self.last_level, w);
        let next = match mip.pass {
            MipPass::TrilinearB(_) => isa.splat(1),
            MipPass::Whole | MipPass::TrilinearA(_) => isa.splat(0),
        };
        let number = isa.min32(isa.add32(lod.level, next), isa.splat(self.last_level));
        let (level, scale) = texels.levels::<I>(isa, number);
        let [u, v] = uv;
        let at = self.cut::<I>(isa, [isa.mul(u, scale), isa.mul(v, scale)]);
        let texels = texels.sample::<I>(isa, &level, at, bilinear, bump);
        let weight = match mip.pass {
            MipPass::Whole => return texels,
            MipPass::TrilinearA(Some(weight)) => isa.splat((256 - weight) * 0x0001_0001),
            MipPass::TrilinearB(Some(weight)) => isa.splat(weight * 0x0001_0001),
            MipPass::TrilinearA(None) => channels::rest::<I>(isa, lod.weight::<I>(isa)),
            MipPass::TrilinearB(None) => lod.weight::<I>(isa),
        };
        channels::scale::<I>(isa, texels, weight)
    }

    /// Returns the mean of four samples, each a quarter of a pixel away in x and y.
    #[inline(always)]
    fn supersampled<I: Isa<W = W>>(
        &self,
        isa: I,
        texels: &Texels<'_, W>,
        lines: &[Line<'_>; 2],
        places: I::F,
        bump: Option<Channels<W>>,
    ) -> Channels<W> {
        let two = isa.splat(0x0002_0002);
        let mut sum = Channels { rb: two, ag: two };
        for line in lines {
            for quarter in [-0.25, 0.25] {
                let places = isa.add(places, isa.splat_float(quarter));
                let w = Self::w::<I>(isa, line, places);
                let sample = self.filtered::<I>(isa, texels, line, places, w, bump);
                sum = Channels {
                    rb: isa.add16(sum.rb, sample.rb),
                    ag: isa.add16(sum.ag, sample.ag),
                };
            }
        }
        Channels {
            rb: isa.shr16::<2>(sum.rb),
            ag: isa.shr16::<2>(sum.ag),
        }
    }

    /// Returns the colours after colour clamp and fog, and the texels. Texels are white without a texture.
    #[inline(always)]
    pub(super) fn colour<I: Isa<W = W>>(
        &self,
        isa: I,
        lines: &Lines<'_>,
        places: I::F,
    ) -> (Channels<W>, Channels<W>) {
        let setup = self.setup;
        let extras = &setup.extras;
        let inverse_w = lines.own.at(isa, Z, places);
        let w = isa.div(isa.splat_float(1.0), inverse_w);
        let gouraud = setup.gouraud;
        let mut colour = if gouraud {
            colours::<I>(isa, &lines.own, places, w)
        } else {
            Channels::of::<I>(isa, isa.splat(setup.surface.flat[0]))
        };
        let mut offset = match setup.offset {
            true if gouraud => colours::<I>(isa, &lines.offset, places, w),
            true => self.flat[1],
            false => Channels::of::<I>(isa, isa.splat(0)),
        };
        if let Some(factor) = self.shadow {
            let factor = isa.splat(factor * 0x0001_0001);
            colour = channels::scale::<I>(isa, colour, factor);
            offset = channels::scale::<I>(isa, offset, factor).with_alpha_of::<I>(isa, offset.ag);
        }
        colour = colour.with::<I>(isa, self.base_mask);
        let mut texel = Channels::of::<I>(isa, isa.splat(u32::MAX));
        if let Some(texels) = &self.texture {
            let bump = extras.bump.then_some(offset);
            let found = if extras.supersample {
                self.supersampled::<I>(isa, texels, &lines.quarters, places, bump)
            } else {
                self.filtered::<I>(isa, texels, &lines.own, places, w, bump)
            };
            texel = self.texels::<I>(isa, found);
            colour = channels::combine::<I>(isa, setup.surface.tsp.shading(), texel, colour);
            if setup.offset && !extras.bump {
                colour = channels::add_offset::<I>(isa, colour, offset);
            }
        }
        if setup.surface.tsp.colour_clamp() {
            colour = channels::clamp::<I>(isa, colour, self.state.clamp_low, self.state.clamp_high);
        }
        let fog = &self.state.fog;
        colour = match extras.fog {
            None => colour,
            Some(Fog::Table) => {
                let alpha = fog.alpha::<I>(isa, inverse_w);
                channels::fog::<I>(isa, colour, fog.table_colour, alpha)
            }
            Some(Fog::Vertex) => {
                let alpha = isa.shr::<16>(offset.ag);
                channels::fog::<I>(isa, colour, fog.vertex_colour, alpha)
            }
            Some(Fog::Table2) => {
                let alpha = isa.shl::<16>(fog.alpha::<I>(isa, inverse_w));
                Channels::of::<I>(isa, isa.splat(fog.table_colour)).with_alpha_of::<I>(isa, alpha)
            }
        };
        (colour, texel)
    }

    /// Sets the bits of `texel_mask` in texels.
    #[inline(always)]
    pub(super) fn texels<I: Isa<W = W>>(&self, isa: I, texels: Channels<W>) -> Channels<W> {
        texels.with::<I>(isa, self.texel_mask)
    }
}

/// Mip level of each pixel, as [`crate::core::mip`] defines it with the default settings.
struct Lod<W> {
    level: W,
    /// Fraction towards the next level, in 1/32.
    fraction: W,
}

impl<W: Copy> Lod<W> {
    #[inline(always)]
    fn new<I: Isa<W = W>>(isa: I, mip: &Mip, last: u32, w: I::F) -> Self {
        let w = truncate_to::<I, 14>(isa, w);
        let square = truncate_to::<I, 8>(isa, isa.mul(w, w));
        let step = truncate_to::<I, 8>(isa, isa.mul(isa.splat_float(mip.coefficient), square));
        let bits = isa.floats_to_bits(isa.mul(step, isa.splat_float(mip.adjust)));
        // Steps from 1 to infinity: signed comparisons of bits exclude negative numbers and NaN.
        let minified = isa.and_not(
            isa.greater(bits, isa.splat(0x3F7F_FFFF)),
            isa.greater(bits, isa.splat(0x7F80_0000)),
        );
        let level = isa.add32(isa.shr::<23>(bits), isa.splat(127_u32.wrapping_neg()));
        let level = isa.and(level, minified);
        let below = isa.and(isa.greater(isa.splat(last), level), minified);
        Self {
            level: isa.min32(level, isa.splat(last)),
            fraction: isa.and(isa.and(isa.shr::<18>(bits), isa.splat(31)), below),
        }
    }

    /// Returns the weight of the next level over 256, in both half words.
    #[inline(always)]
    fn weight<I: Isa<W = W>>(&self, isa: I) -> W {
        isa.low_bytes(isa.shl::<3>(self.fraction))
    }
}

/// Truncates floats to `BITS` significant bits.
#[inline(always)]
fn truncate_to<I: Isa, const BITS: u32>(isa: I, value: I::F) -> I::F {
    let mask = isa.splat(!((1 << (24 - BITS)) - 1));
    isa.bits_to_floats(isa.and(isa.floats_to_bits(value), mask))
}

/// Returns colours. Each channel is clamped to 0..=255, then rounded half up.
#[inline(always)]
fn colours<I: Isa>(isa: I, line: &Line<'_>, places: I::F, w: I::F) -> Channels<I::W> {
    let a = channel::<I>(isa, isa.mul(line.at(isa, COLOUR, places), w));
    let r = channel::<I>(isa, isa.mul(line.at(isa, COLOUR + 1, places), w));
    let g = channel::<I>(isa, isa.mul(line.at(isa, COLOUR + 2, places), w));
    let b = channel::<I>(isa, isa.mul(line.at(isa, COLOUR + 3, places), w));
    Channels {
        rb: isa.or(isa.shl::<16>(r), b),
        ag: isa.or(isa.shl::<16>(a), g),
    }
}

/// Clamps and rounds a channel. NaN becomes 0.
#[inline(always)]
fn channel<I: Isa>(isa: I, value: I::F) -> I::W {
    let value = isa.min(isa.max(value, isa.splat_float(0.0)), isa.splat_float(255.0));
    isa.truncate(isa.add(value, isa.splat_float(0.5)))
}
