//! Figures that are [`Paint::usual`], without an alpha test.
//!
//! From a pixel's place to its texels and from there to its colour is a long way on which each step waits for the one before. So a
//! group is begun before the group before it is finished: processors then work on both.

use super::super::isa::{Isa, LANES};
use super::super::textures::Decoded;
use super::Job;
use super::channels::{self, Channels};
use super::line::Column;
use super::look::Look;
use super::texture::Four;
use crate::core::PIXELS;
use crate::core::plane::{PLACES, TILE};

/// Eight pixels whose texels are known by place.
struct Begun<W> {
    /// The first, in the tile.
    at: usize,
    /// Which of them are drawn.
    pixels: u32,
    base: Channels<W>,
    four: Four<W>,
}

/// [`super::shade`].
#[inline(always)]
pub(super) fn shade<I: Isa, const GOURAUD: bool>(isa: I, job: Job<'_>, texture: &Decoded) {
    let look = Look::new::<I>(isa, job.paint, job.state, Some(texture));
    let Some(texels) = &look.texture else { return };
    let column = Column::new(&job.paint.surface.planes, job.x);
    let (blend, factors, colours) = (job.blend, job.paint.factors, job.colours);
    // No closure: called twice it would be left out of line.
    macro_rules! finish {
        ($begun:expr) => {
            if let Some(begun) = $begun
                && let Some(dest) = colours[begun.at..].first_chunk_mut::<LANES>()
            {
                let texels = look.texels::<I>(isa, texels.weighted::<I>(isa, begun.four));
                let colour = channels::modulate::<I>(isa, texels, begun.base);
                let before = isa.words(dest);
                let after = channels::blend::<I>(isa, blend, factors, colour, before);
                isa.put(isa.select(isa.lanes(begun.pixels), after, before), dest);
            }
        };
    }
    let mut begun: Option<Begun<I::W>> = None;
    let mut y = job.y + job.first as f64;
    for (row, &mask) in (job.first..TILE).zip(job.masks) {
        let own_y = y;
        y += 1.0;
        if mask == 0 {
            continue;
        }
        let line = column.line::<I>(isa, own_y);
        let mut left = mask;
        while left != 0 {
            let place = left.trailing_zeros() as usize % TILE;
            let pixels = left >> place & 0xFF;
            left &= !(0xFF << place);
            let Some(places) = PLACES[place..].first_chunk::<LANES>() else {
                return;
            };
            let places = isa.floats(places);
            let w = Look::w::<I>(isa, &line, places);
            let next = Begun {
                at: (row * TILE + place) % PIXELS,
                pixels,
                four: texels.four::<I, true>(isa, look.uv::<I>(isa, &line, places, w)),
                base: look.base::<I, GOURAUD>(isa, &line, places, w),
            };
            finish!(begun.replace(next));
        }
    }
    finish!(begun);
}
