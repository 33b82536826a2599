//! Shading of a primitive's pixels in a tile, eight at a time, as [`crate::core::shade`] defines it for one.

pub(super) mod bump;
pub(super) mod channels;
mod common;
pub(super) mod fog;
mod inputs;
mod line;
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
    /// No alpha test.
    None,
    /// Compares the alpha of the shaded colour with the reference.
    Shaded(u32),
    /// Compares the alpha of the texture with the reference.
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
    /// Blend function, which may differ from the function of the setup.
    pub(super) blend: Blend,
    pub(super) state: &'a State,
    /// Sample position of the tile's first pixel.
    pub(super) x: f64,
    pub(super) y: f64,
    /// First row; `masks` selects the pixels, one word per row from there.
    pub(super) first: usize,
    pub(super) masks: &'a [u32],
    pub(super) colours: &'a mut [u32; PADDED],
    /// The second accumulator, if the setup uses it.
    pub(super) second: Option<&'a mut [u32; PADDED]>,
    /// The factor over 256 of an intensity volume around the pixels.
    pub(super) shadow: Option<u32>,
    pub(super) alpha_test: AlphaTest,
    /// Pixels that pass the alpha test, one word per row of the tile.
    pub(super) passed: &'a mut [u32; TILE],
}

impl ShadeTask<'_> {
    /// True if [`common`] can draw the pixels.
    fn is_common(&self) -> bool {
        self.setup.common && self.shadow.is_none() && self.alpha_test == AlphaTest::None
    }

    /// True if all pixels get one colour.
    fn is_fill(&self) -> bool {
        self.setup.is_flat()
            && self.shadow.is_none()
            && self.blend == Blend::Replace
            && self.alpha_test == AlphaTest::None
    }
}

/// Shades pixels and blends them.
#[inline(always)]
pub(super) fn shade<I: Isa>(isa: I, task: ShadeTask<'_>) {
    let setup = task.setup;
    match task.texture.filter(|_| task.is_common()) {
        Some(texture) => match (setup.gouraud, setup.offset) {
            (false, false) => common::shade::<I, false, false>(isa, task, texture),
            (false, true) => common::shade::<I, false, true>(isa, task, texture),
            (true, false) => common::shade::<I, true, false>(isa, task, texture),
            (true, true) => common::shade::<I, true, true>(isa, task, texture),
        },
        None if task.is_fill() => fill::<I>(isa, task),
        None => general::<I>(isa, task),
    }
}

/// Fills all pixels with one colour, independent of earlier colours.
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

/// Shades groups of pixels with the features that the setup enables.
#[inline(always)]
fn general<I: Isa>(isa: I, task: ShadeTask<'_>) {
    let setup = task.setup;
    let mut second = task.second;
    let [from_second, to_second] = setup.extras.second;
    let inputs = ShaderInputs::new::<I>(isa, setup, task.state, task.texture, task.shadow);
    let column = Column::new(&setup.surface.planes, task.x);
    let offsets = Column::new(&setup.surface.offset_planes, task.x);
    let mut y = task.y + task.first as f64;
    for (row, &mask) in (task.first..TILE).zip(task.masks) {
        let own_y = y;
        y += 1.0;
        if mask == 0 {
            continue;
        }
        let own = column.line::<I>(isa, own_y);
        let mut lines = Lines {
            own,
            offset: own,
            quarters: [own; 2],
        };
        if setup.offset && setup.gouraud {
            lines.offset = offsets.line::<I>(isa, own_y);
        }
        if setup.extras.supersample {
            lines.quarters = [
                column.line::<I>(isa, own_y - 0.25),
                column.line::<I>(isa, own_y + 0.25),
            ];
        }
        let mut left = mask;
        while left != 0 {
            let place = left.trailing_zeros() as usize % TILE;
            let pixels = left >> place & 0xFF;
            left &= !(0xFF << place);
            let at = (row * TILE + place) % PIXELS;
            let (Some(places), Some(mut dest)) = (
                PLACES[place..].first_chunk::<LANES>(),
                task.colours[at..].first_chunk_mut::<LANES>(),
            ) else {
                return;
            };
            let (mut colour, texel) = inputs.colour::<I>(isa, &lines, isa.load_floats(places));
            if task.alpha_test != AlphaTest::None {
                let (tested, passed) = test_alpha::<I>(isa, task.alpha_test, colour, texel.ag);
                colour = tested;
                task.passed[row] |= (passed & pixels) << place;
            }
            let other = second
                .as_mut()
                .and_then(|second| second[at..].first_chunk_mut::<LANES>());
            if let Some(other) = other {
                if from_second {
                    colour = Channels::of::<I>(isa, isa.load_words(other));
                }
                if to_second {
                    dest = other;
                }
            }
            let before = isa.load_words(dest);
            let after = channels::blend::<I>(isa, task.blend, setup.factors(), colour, before);
            isa.store(isa.select(isa.lanes(pixels), after, before), dest);
        }
    }
}

/// Sets alpha to 255 where the test passes, and to 0 elsewhere. Also returns the lanes that pass.
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
