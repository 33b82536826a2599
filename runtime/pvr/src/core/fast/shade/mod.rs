//! Shading of a primitive's pixels in a tile, eight at a time, as [`crate::core::shade`] defines it for one.

mod bump;
pub(super) mod channels;
mod common;
pub(super) mod fog;
mod inputs;
mod line;
pub(super) mod packed;
mod texture;

use super::depth::PADDED;
use super::isa::{Isa, LANES};
use super::shade_setup::ShadeSetup;
use super::textures::Decoded;
use crate::core::PIXELS;
use crate::core::plane::{PLACES, TILE};
use channels::{Blend, Channels};
use fog::FogState;
use inputs::{Lines, ShaderInputs};
use line::Column;

/// The alpha test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AlphaTest {
    /// There is none.
    None,
    /// The alpha of the shaded colour against the reference.
    Shaded(u32),
    /// The alpha of the texture against the reference.
    Texture(u32),
}

/// Registers that shading needs.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) texel_offsets: [i32; 2],
    pub(super) clamp_low: u32,
    pub(super) clamp_high: u32,
    pub(super) fog: FogState,
}

/// Pixels of a primitive in a tile.
pub(super) struct ShadeTask<'a> {
    pub(super) setup: &'a ShadeSetup,
    pub(super) texture: Option<&'a Decoded>,
    /// The blend function of the setup, or another.
    pub(super) blend: Blend,
    pub(super) state: &'a State,
    /// Sample of the tile's first pixel.
    pub(super) x: f64,
    pub(super) y: f64,
    /// First row, and from there on a word a row: the pixels.
    pub(super) first: usize,
    pub(super) masks: &'a [u32],
    pub(super) colours: &'a mut [u32; PADDED],
    /// The second accumulator, where the setup may name it.
    pub(super) second: Option<&'a mut [u32; PADDED]>,
    /// The factor over 256 of an intensity volume around the pixels.
    pub(super) shadow: Option<u32>,
    pub(super) alpha_test: AlphaTest,
    /// Pixels that pass the alpha test, a word a row of the tile.
    pub(super) passed: &'a mut [u32; TILE],
}

impl ShadeTask<'_> {
    /// For [`common`] and [`packed`].
    pub(super) fn is_common(&self) -> bool {
        let ShadeSetup { common, offset, .. } = *self.setup;
        common
            && !offset
            && self.texture.is_some()
            && !self.has_extras()
            && self.alpha_test == AlphaTest::None
    }

    fn has_extras(&self) -> bool {
        self.setup.extras.some || self.shadow.is_some()
    }
}

/// Shades pixels and blends them.
#[inline(always)]
pub(super) fn shade<I: Isa>(isa: I, task: ShadeTask<'_>) {
    let setup = task.setup;
    let common = task.is_common();
    let replaces = task.blend == Blend::Replace && task.alpha_test == AlphaTest::None;
    let extras = task.has_extras();
    match (task.texture, setup.gouraud, setup.offset) {
        (None, ..) if extras => shade_as::<I, false, true, true, true>(isa, task, None),
        (Some(t), ..) if extras => shade_as::<I, true, true, true, true>(isa, task, Some(t)),
        (None, false, _) if replaces && setup.is_even() => fill::<I>(isa, task),
        (None, false, _) => shade_as::<I, false, false, false, false>(isa, task, None),
        (None, true, _) => shade_as::<I, false, true, false, false>(isa, task, None),
        (Some(t), false, false) if common => common::shade::<I, false>(isa, task, t),
        (Some(t), true, false) if common => common::shade::<I, true>(isa, task, t),
        (Some(t), false, false) => shade_as::<I, true, false, false, false>(isa, task, Some(t)),
        (Some(t), true, false) => shade_as::<I, true, true, false, false>(isa, task, Some(t)),
        (Some(t), false, true) => shade_as::<I, true, false, true, false>(isa, task, Some(t)),
        (Some(t), true, true) => shade_as::<I, true, true, true, false>(isa, task, Some(t)),
    }
}

/// One colour for all pixels, whatever was there.
#[inline(always)]
fn fill<I: Isa>(isa: I, task: ShadeTask<'_>) {
    let colour = isa.splat(task.setup.flat());
    let rows = task.colours[task.first * TILE..].as_chunks_mut::<TILE>().0;
    for (row, &mask) in rows.iter_mut().zip(task.masks) {
        for (n, dest) in row.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            match mask >> (n * LANES) & 0xFF {
                0 => {}
                0xFF => isa.store(colour, dest),
                pixels => isa.store(isa.select(isa.lanes(pixels), colour, isa.load_words(dest)), dest),
            }
        }
    }
}

/// Groups of pixels with or without [`super::shade_setup::Extras`]. With extras, `GOURAUD` and `OFFSET` say
/// what may be there, and the setup what is.
#[inline(always)]
fn shade_as<I: Isa, const TEXTURED: bool, const GOURAUD: bool, const OFFSET: bool, const EXTRAS: bool>(
    isa: I,
    task: ShadeTask<'_>,
    texture: Option<&Decoded>,
) {
    let setup = task.setup;
    let mut second = task.second;
    let [from_second, to_second] = setup.extras.second;
    let inputs = ShaderInputs::new::<I>(isa, setup, task.state, texture, task.shadow);
    let column = Column::new(&setup.surface.planes, task.x);
    let offset_planes = if OFFSET {
        &setup.surface.offset_planes
    } else {
        &setup.surface.planes
    };
    let offsets = Column::new(offset_planes, task.x);
    let mut y = task.y + task.first as f64;
    for (row, &mask) in (task.first..TILE).zip(task.masks) {
        let own_y = y;
        y += 1.0;
        if mask == 0 {
            continue;
        }
        let line = column.line::<I>(isa, own_y);
        let offset_line = if OFFSET && GOURAUD && (!EXTRAS || setup.offset) {
            offsets.line::<I>(isa, own_y)
        } else {
            line
        };
        let mut quarters = [line; 2];
        if EXTRAS && setup.extras.supersample {
            quarters = [
                column.line::<I>(isa, own_y - 0.25),
                column.line::<I>(isa, own_y + 0.25),
            ];
        }
        let lines = Lines {
            own: line,
            offset: offset_line,
            quarters,
        };
        let mut left = mask;
        while left != 0 {
            let place = left.trailing_zeros() as usize % TILE;
            let pixels = left >> place & 0xFF;
            left &= !(0xFF << place);
            let at = (row * TILE + place) % PIXELS;
            let (Some(places), Some(dest)) = (
                PLACES[place..].first_chunk::<LANES>(),
                task.colours[at..].first_chunk_mut::<LANES>(),
            ) else {
                return;
            };
            let places = isa.load_floats(places);
            let (mut colour, texel) = if EXTRAS {
                inputs.colour_with_extras::<I>(isa, &lines, places)
            } else {
                inputs.colour::<I, TEXTURED, GOURAUD, OFFSET>(isa, &lines, places)
            };
            if task.alpha_test != AlphaTest::None {
                let alphas = if TEXTURED { texel.ag } else { isa.splat(u32::MAX) };
                let (tested, passed) = test_alpha::<I>(isa, task.alpha_test, colour, alphas);
                colour = tested;
                task.passed[row] |= (passed & pixels) << place;
            }
            let other = second
                .as_mut()
                .and_then(|second| second[at..].first_chunk_mut::<LANES>());
            let mut dest = dest;
            if EXTRAS && let Some(other) = other {
                if from_second {
                    colour = Channels::of::<I>(isa, isa.load_words(other));
                }
                if to_second {
                    dest = other;
                }
            }
            let before = isa.load_words(dest);
            let after = channels::blend::<I>(isa, task.blend, setup.factors, colour, before);
            isa.store(isa.select(isa.lanes(pixels), after, before), dest);
        }
    }
}

/// Alpha 255 where the test passes, else 0; and the lanes that pass.
#[inline(always)]
fn test_alpha<I: Isa>(
    isa: I,
    test: AlphaTest,
    colour: Channels<I::W>,
    texels: I::W,
) -> (Channels<I::W>, u32) {
    let (tested, reference) = match test {
        AlphaTest::None => return (colour, 0xFF),
        AlphaTest::Shaded(reference) => (colour.ag, reference),
        AlphaTest::Texture(reference) => (texels, reference),
    };
    let alpha = isa.shr::<16>(tested);
    let passed = isa.greater(alpha, isa.splat(reference.wrapping_sub(1)));
    let tested = colour.with_alpha_of::<I>(isa, isa.and(passed, isa.splat(0x00FF_0000)));
    (tested, isa.bits(passed))
}
