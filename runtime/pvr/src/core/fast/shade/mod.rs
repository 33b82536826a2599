//! Shading of a figure's pixels in a tile, eight at a time, as [`crate::core::shade`] defines it for one.

pub(super) mod channels;
mod texture;

use super::depth::PADDED;
use super::isa::{Isa, LANES};
use super::paint::{COLOUR, Paint, Planes, U, V, Z};
use super::textures::Decoded;
use crate::core::PIXELS;
use crate::core::plane::{PLACES, TILE};
use channels::Channels;
use texture::Texels;

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

/// Shades pixels and blends them.
#[inline(always)]
pub(super) fn shade<I: Isa>(job: Job<'_>) {
    let paint = job.paint;
    let usual = paint.usual && job.alpha_test == AlphaTest::None;
    match (&paint.texture, paint.gouraud, paint.offset.is_some()) {
        (None, false, _) => shade_as::<I, false, false, false, false>(job, None),
        (None, true, _) => shade_as::<I, false, true, false, false>(job, None),
        (Some(t), false, false) if usual => shade_as::<I, true, false, false, true>(job, Some(t)),
        (Some(t), true, false) if usual => shade_as::<I, true, true, false, true>(job, Some(t)),
        (Some(t), false, false) => shade_as::<I, true, false, false, false>(job, Some(t)),
        (Some(t), true, false) => shade_as::<I, true, true, false, false>(job, Some(t)),
        (Some(t), false, true) => shade_as::<I, true, false, true, false>(job, Some(t)),
        (Some(t), true, true) => shade_as::<I, true, true, true, false>(job, Some(t)),
    }
}

/// A row's values at the first pixel of the tile, and their steps.
#[derive(Clone, Copy)]
struct Line<'a> {
    start: [f32; LANES],
    step: &'a [f32; LANES],
}

impl Line<'_> {
    #[inline(always)]
    fn at<I: Isa>(&self, n: usize, places: I::F) -> I::F {
        I::add(I::float(self.start[n]), I::mul(I::float(self.step[n]), places))
    }

    /// Colours: each channel held in 0..=255, then rounded half up.
    #[inline(always)]
    fn colours<I: Isa>(&self, places: I::F, w: I::F) -> Channels<I::W> {
        let a = channel::<I>(I::mul(self.at::<I>(COLOUR, places), w));
        let r = channel::<I>(I::mul(self.at::<I>(COLOUR + 1, places), w));
        let g = channel::<I>(I::mul(self.at::<I>(COLOUR + 2, places), w));
        let b = channel::<I>(I::mul(self.at::<I>(COLOUR + 3, places), w));
        Channels {
            rb: I::or(I::shl::<16>(r), b),
            ag: I::or(I::shl::<16>(a), g),
        }
    }
}

/// What is no number becomes 0.
#[inline(always)]
fn channel<I: Isa>(value: I::F) -> I::W {
    let value = I::smaller(I::larger(value, I::float(0.0)), I::float(255.0));
    I::truncate(I::add(value, I::float(0.5)))
}

/// A figure's planes at the tile's left edge: a row is a step down.
struct Column<'a> {
    planes: &'a Planes,
    start: [f64; LANES],
}

impl<'a> Column<'a> {
    #[inline(always)]
    fn new(planes: &'a Planes, x: f64) -> Self {
        let mut start = planes.c;
        for (start, dx) in start.iter_mut().zip(&planes.dx) {
            *start += dx * x;
        }
        Self { planes, start }
    }

    /// [`crate::core::plane::Plane::row`] of each plane.
    #[inline(always)]
    fn line<I: Isa>(&self, y: f64) -> Line<'a> {
        Line {
            start: I::along(&self.start, &self.planes.dy, y),
            step: &self.planes.step,
        }
    }
}

/// `USUAL` is [`Paint::usual`] without an alpha test.
#[inline(always)]
fn shade_as<I: Isa, const TEXTURED: bool, const GOURAUD: bool, const OFFSET: bool, const USUAL: bool>(
    job: Job<'_>,
    texture: Option<&Decoded>,
) {
    let paint = job.paint;
    let texels = texture.map(|texture| Texels::new::<I>(texture, &paint.axes));
    let column = Column::new(&paint.planes, job.x);
    let offsets = Column::new(paint.offset.as_ref().unwrap_or(&paint.planes), job.x);
    let base_ones = Channels::of::<I>(I::word(paint.base_ones));
    let texel_ones = Channels::of::<I>(I::word(paint.texel_ones));
    let [flat_base, flat_offset] = paint.flat;
    let flat_base = Channels::of::<I>(I::word(flat_base | paint.base_ones));
    let flat_offset = Channels::of::<I>(I::word(flat_offset));
    let texel_offset = I::word(job.state.texel_offset as u32);
    let mut y = job.y + job.first as f64;
    for (row, &mask) in (job.first..TILE).zip(job.masks) {
        let own_y = y;
        y += 1.0;
        if mask == 0 {
            continue;
        }
        let line = column.line::<I>(own_y);
        let offset_line = if OFFSET && GOURAUD {
            offsets.line::<I>(own_y)
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
            let places = I::floats(places);
            let w = if TEXTURED || GOURAUD {
                I::div(I::float(1.0), line.at::<I>(Z, places))
            } else {
                I::float(1.0)
            };
            let mut colour = if GOURAUD {
                line.colours::<I>(places, w).with::<I>(base_ones)
            } else {
                flat_base
            };
            let mut texel = colour;
            if let (true, Some(texels)) = (TEXTURED, &texels) {
                // Cut off towards zero, then moved.
                let (u, v) = (line.at::<I>(U, places), line.at::<I>(V, places));
                let [u, v] = I::to_ints([I::mul(u, w), I::mul(v, w)]);
                let at = [I::add32(u, texel_offset), I::add32(v, texel_offset)];
                texel = if USUAL || paint.bilinear {
                    texels.bilinear::<I, USUAL>(at)
                } else {
                    texels.point::<I>(at)
                };
                texel = texel.with::<I>(texel_ones);
                colour = if USUAL {
                    channels::modulate::<I>(texel, colour)
                } else {
                    channels::combine::<I>(paint.tsp.shading(), texel, colour)
                };
            }
            if OFFSET {
                let offset = if GOURAUD {
                    offset_line.colours::<I>(places, w)
                } else {
                    flat_offset
                };
                colour = channels::add_offset::<I>(colour, offset);
            }
            if !USUAL && paint.tsp.colour_clamp() {
                colour = channels::clamp::<I>(colour, job.state.clamp_low, job.state.clamp_high);
            }
            if !USUAL && job.alpha_test != AlphaTest::None {
                let alphas = if TEXTURED { texel.ag } else { I::word(u32::MAX) };
                let (tested, passed) = test_alpha::<I>(job.alpha_test, colour, alphas);
                colour = tested;
                job.passed[row] |= (passed & pixels) << place;
            }
            let before = I::words(dest);
            let after = channels::blend::<I>(paint.blend, paint.factors, colour, before);
            I::put(I::select(I::lanes(pixels), after, before), dest);
        }
    }
}

/// Alpha 255 where the test passes, else 0; and the lanes that pass.
#[inline(always)]
fn test_alpha<I: Isa>(test: AlphaTest, colour: Channels<I::W>, texels: I::W) -> (Channels<I::W>, u32) {
    let (tested, reference) = match test {
        AlphaTest::None => return (colour, 0xFF),
        AlphaTest::Shaded(reference) => (colour.ag, reference),
        AlphaTest::Texture(reference) => (texels, reference),
    };
    let alpha = I::shr::<16>(tested);
    let passed = I::greater(alpha, I::word(reference.wrapping_sub(1)));
    let tested = colour.with_alpha_of::<I>(I::and(passed, I::word(0x00FF_0000)));
    (tested, I::bits(passed))
}
