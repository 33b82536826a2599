//! Shading of a figure's pixels in a tile, eight at a time, as [`crate::core::shade`] defines it for one.

pub(super) mod channels;
mod line;
mod look;
pub(super) mod packed;
mod texture;
mod usual;

use super::depth::PADDED;
use super::isa::{Isa, LANES};
use super::paint::Paint;
use super::textures::Decoded;
use crate::core::PIXELS;
use crate::core::plane::{PLACES, TILE};
use channels::{Blend, Channels};
use line::Column;
use look::Look;

/// What the alpha test does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AlphaTest {
    /// There is none.
    None,
    /// Of the shaded colour against the reference.
    Shaded(u32),
    /// Of the texture's alpha.
    Texture(u32),
}

/// Registers that shading needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    pub(super) texel_offset: i32,
    pub(super) clamp_low: u32,
    pub(super) clamp_high: u32,
}

/// Pixels of a figure in a tile.
pub(super) struct Job<'a> {
    pub(super) paint: &'a Paint,
    pub(super) texture: Option<&'a Decoded>,
    /// That of the paint, or another.
    pub(super) blend: Blend,
    pub(super) state: &'a State,
    /// Sample of the tile's first pixel.
    pub(super) x: f64,
    pub(super) y: f64,
    /// First row, and from there on a word a row: the pixels.
    pub(super) first: usize,
    pub(super) masks: &'a [u32],
    pub(super) colours: &'a mut [u32; PADDED],
    pub(super) alpha_test: AlphaTest,
    /// Pixels that pass the alpha test, a word a row of the tile.
    pub(super) passed: &'a mut [u32; TILE],
}

impl Job<'_> {
    /// For [`usual`] and [`packed`].
    pub(super) fn is_usual(&self) -> bool {
        let Paint { usual, offset, .. } = *self.paint;
        usual && !offset && self.texture.is_some() && self.alpha_test == AlphaTest::None
    }
}

/// Shades pixels and blends them.
#[inline(always)]
pub(super) fn shade<I: Isa>(isa: I, job: Job<'_>) {
    let paint = job.paint;
    let usual = job.is_usual();
    let replaces = job.blend == Blend::Replace && job.alpha_test == AlphaTest::None;
    match (job.texture, paint.gouraud, paint.offset) {
        (None, false, _) if replaces && paint.is_even() => fill::<I>(isa, job),
        (None, false, _) => shade_as::<I, false, false, false>(isa, job, None),
        (None, true, _) => shade_as::<I, false, true, false>(isa, job, None),
        (Some(t), false, false) if usual => usual::shade::<I, false>(isa, job, t),
        (Some(t), true, false) if usual => usual::shade::<I, true>(isa, job, t),
        (Some(t), false, false) => shade_as::<I, true, false, false>(isa, job, Some(t)),
        (Some(t), true, false) => shade_as::<I, true, true, false>(isa, job, Some(t)),
        (Some(t), false, true) => shade_as::<I, true, false, true>(isa, job, Some(t)),
        (Some(t), true, true) => shade_as::<I, true, true, true>(isa, job, Some(t)),
    }
}

/// One colour for all pixels, whatever was there.
#[inline(always)]
fn fill<I: Isa>(isa: I, job: Job<'_>) {
    let colour = isa.word(job.paint.flat());
    let rows = job.colours[job.first * TILE..].as_chunks_mut::<TILE>().0;
    for (row, &mask) in rows.iter_mut().zip(job.masks) {
        for (n, dest) in row.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            match mask >> (n * LANES) & 0xFF {
                0 => {}
                0xFF => isa.put(colour, dest),
                pixels => isa.put(isa.select(isa.lanes(pixels), colour, isa.words(dest)), dest),
            }
        }
    }
}

#[inline(always)]
fn shade_as<I: Isa, const TEXTURED: bool, const GOURAUD: bool, const OFFSET: bool>(
    isa: I,
    job: Job<'_>,
    texture: Option<&Decoded>,
) {
    let paint = job.paint;
    let look = Look::new::<I>(isa, paint, job.state, texture);
    let column = Column::new(&paint.surface.planes, job.x);
    let offset_planes = if OFFSET {
        &paint.surface.offset_planes
    } else {
        &paint.surface.planes
    };
    let offsets = Column::new(offset_planes, job.x);
    let mut y = job.y + job.first as f64;
    for (row, &mask) in (job.first..TILE).zip(job.masks) {
        let own_y = y;
        y += 1.0;
        if mask == 0 {
            continue;
        }
        let line = column.line::<I>(isa, own_y);
        let offset_line = if OFFSET && GOURAUD {
            offsets.line::<I>(isa, own_y)
        } else {
            line
        };
        let mut left = mask;
        while left != 0 {
            let place = left.trailing_zeros() as usize % TILE;
            let pixels = left >> place & 0xFF;
            left &= !(0xFF << place);
            let at = (row * TILE + place) % PIXELS;
            let (Some(places), Some(dest)) = (
                PLACES[place..].first_chunk::<LANES>(),
                job.colours[at..].first_chunk_mut::<LANES>(),
            ) else {
                return;
            };
            let lines = [&line, &offset_line];
            let (mut colour, texel) =
                look.colour::<I, TEXTURED, GOURAUD, OFFSET>(isa, lines, isa.floats(places));
            if paint.surface.tsp.colour_clamp() {
                colour = channels::clamp::<I>(isa, colour, job.state.clamp_low, job.state.clamp_high);
            }
            if job.alpha_test != AlphaTest::None {
                let alphas = if TEXTURED { texel.ag } else { isa.word(u32::MAX) };
                let (tested, passed) = test_alpha::<I>(isa, job.alpha_test, colour, alphas);
                colour = tested;
                job.passed[row] |= (passed & pixels) << place;
            }
            let before = isa.words(dest);
            let after = channels::blend::<I>(isa, job.blend, paint.factors, colour, before);
            isa.put(isa.select(isa.lanes(pixels), after, before), dest);
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
    let passed = isa.greater(alpha, isa.word(reference.wrapping_sub(1)));
    let tested = colour.with_alpha_of::<I>(isa, isa.and(passed, isa.word(0x00FF_0000)));
    (tested, isa.bits(passed))
}
