//! Calls the reference renderer, for features without a fast path and for lists with too many layers.

use super::Tile;
use super::isa::Isa;
use super::pixels::Pixels;
use crate::ListType;
use crate::core::plane::TILE;
use crate::core::scalar::{self, Borrowed, accumulate};
use crate::core::scene::{Pass, Scene};
use crate::core::surface::Surface;
use crate::core::{Counts, Limits};
use std::sync::Mutex;

/// Locked while a thread draws a long list, because each of its primitives takes several hundred bytes.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

impl<I: Isa> Tile<'_, I> {
    /// Shades pixels and records the ones that pass the alpha test.
    #[cold]
    pub(super) fn shade_by_reference(&mut self, pixels: Pixels<'_>, inside: bool) {
        let Pixels { list, triangle, .. } = pixels;
        let volume = u32::from(inside && triangle.two_volumes);
        let surface = Surface::read(&self.source, triangle, volume);
        self.buffers.second_used = true;
        for (row, &mask) in (pixels.first..TILE).zip(pixels.masks) {
            for n in (0..TILE).filter(|n| mask >> n & 1 != 0) {
                let screen = [self.left + n as i32, self.top + row as i32];
                let shaded = self.shader.pixel(&surface, self.shader.place(screen), inside);
                let mut colour = shaded.colour;
                if list == ListType::PunchThrough {
                    let pass = self.shader.alpha_passes(shaded);
                    self.passed[row] |= u32::from(pass) << n;
                    colour = colour & 0x00FF_FFFF | if pass { 0xFF00_0000 } else { 0 };
                }
                let [first, second] = &mut self.buffers.colours;
                let at = row * TILE + n;
                [first[at], second[at]] =
                    accumulate(self.source.settings, surface.tsp, colour, [first[at], second[at]]);
            }
        }
    }

    /// Draws the pixels of a sorted list that is too long. `masks` has one word per row.
    #[cold]
    pub(super) fn list_by_reference(
        &mut self,
        scene: &Scene,
        pass: &Pass,
        list: ListType,
        masks: &[u32; TILE],
    ) {
        let _memory = ONE_AT_A_TIME.lock();
        self.buffers.second_used = true;
        let [first, second] = &mut self.buffers.colours;
        let tile = Borrowed {
            depth: &mut self.buffers.depth[..],
            colours: [&mut first[..], &mut second[..]],
        };
        let mut probe = ();
        let mut reference = scalar::Tile::new(self.source, Limits::ALL, &mut probe);
        reference.sorted_list(scene, pass, list, masks, tile);
        let counts = reference.counts;
        self.counts.add(&Counts {
            triangles: [0; 5],
            culled: 0,
            ..counts
        });
    }
}
