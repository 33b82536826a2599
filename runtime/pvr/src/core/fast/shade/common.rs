//! Primitives that are [`ShadeSetup::common`], without an alpha test and without an intensity volume.
//!
//! The computation of a pixel's texels and colour is a long chain of dependent steps. So the loop begins a
//! group before it finishes the previous one, and the processor works on both in parallel.

use super::super::isa::{Isa, LANES};
use super::super::textures::Decoded;
use super::ShadeTask;
use super::channels::{self, Channels};
use super::inputs::ShaderInputs;
use super::line::Column;
use super::texture::TexelQuad;
use crate::core::PIXELS;
use crate::core::plane::{PLACES, TILE};

/// Eight pixels with computed texel indices, before their texels are loaded.
struct PendingGroup<W> {
    /// Index of the first pixel in the tile.
    at: usize,
    /// The pixels to draw, one bit each.
    pixels: u32,
    base: Channels<W>,
    offset: Channels<W>,
    quad: TexelQuad<W>,
}

/// Implements [`super::shade`] for these primitives.
#[inline(always)]
pub(super) fn shade<I: Isa, const GOURAUD: bool, const OFFSET: bool>(
    isa: I,
    task: ShadeTask<'_>,
    texture: &Decoded,
) {
    let inputs = ShaderInputs::new::<I>(isa, task.setup, task.state, Some(texture), None);
    let Some(texels) = &inputs.texture else { return };
    let level = texels.whole();
    let surface = &task.setup.surface;
    let column = Column::new(&surface.planes, task.x);
    let offsets = Column::new(&surface.offset_planes, task.x);
    let (blend, factors, colours) = (task.blend, task.setup.factors(), task.colours);
    // A macro, because compilers do not inline a closure that is called twice.
    macro_rules! finish {
        ($pending:expr) => {
            if let Some(pending) = $pending
                && let Some(dest) = colours[pending.at..].first_chunk_mut::<LANES>()
            {
                let texels = inputs.texels::<I>(isa, texels.weighted::<I>(isa, pending.quad, None));
                let mut colour = channels::modulate::<I>(isa, texels, pending.base);
                if OFFSET {
                    colour = channels::add_offset::<I>(isa, colour, pending.offset);
                }
                let before = isa.load_words(dest);
                let after = channels::blend::<I>(isa, blend, factors, colour, before);
                isa.store(isa.select(isa.lanes(pending.pixels), after, before), dest);
            }
        };
    }
    let mut pending: Option<PendingGroup<I::W>> = None;
    let mut y = task.y + task.first as f64;
    for (row, &mask) in (task.first..TILE).zip(task.masks) {
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
            let Some(places) = PLACES[place..].first_chunk::<LANES>() else {
                return;
            };
            let places = isa.load_floats(places);
            let w = ShaderInputs::w::<I>(isa, &line, places);
            let next = PendingGroup {
                at: (row * TILE + place) % PIXELS,
                pixels,
                quad: level.quad::<I, true>(isa, inputs.uv::<I>(isa, &line, places, w)),
                base: inputs.base::<I, GOURAUD>(isa, &line, places, w),
                offset: inputs.offset::<I, GOURAUD>(isa, &offset_line, places, w),
            };
            finish!(pending.replace(next));
        }
    }
    finish!(pending);
}
