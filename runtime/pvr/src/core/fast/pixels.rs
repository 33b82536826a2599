//! Passes the pixels of a primitive to the shader or to the reference renderer.

use super::isa::Isa;
use super::shade::channels::Blend;
use super::shade::{AlphaTest, ShadeTask};
use super::shade_setup::has_shadow_stage;
use super::sorted::{FragmentOrder, Insertion, Item};
use super::volumes::Line;
use super::{NONE, OPAQUE, Tile};
use crate::ListType;
use crate::core::PIXELS;
use crate::core::objects::Triangle;
use crate::core::plane::{Plane, TILE};
use crate::settings::PtAlphaSource;

/// Mask of a tile without pixels.
pub(super) const NOWHERE: [u32; TILE] = [0; TILE];

/// Counts the pixels of masks.
#[inline(always)]
pub(super) fn count(masks: &[u32]) -> u64 {
    // Two masks at once: some processors have no instruction that counts bits.
    let (pairs, last) = masks.as_chunks::<2>();
    let mut count = 0;
    for [a, b] in pairs {
        count += (u64::from(*a) | u64::from(*b) << 32).count_ones();
    }
    for mask in last {
        count += mask.count_ones();
    }
    count.into()
}

/// Some pixels of a primitive in the tile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pixels<'a> {
    pub(super) list: ListType,
    pub(super) triangle: &'a Triangle,
    /// First row; `masks` has one word per row from there.
    pub(super) first: usize,
    pub(super) masks: &'a [u32],
    /// The item of the primitive, if its pixels go into the k-buffer instead of the accumulators.
    pub(super) streamed: Option<&'a Item>,
}

impl<I: Isa> Tile<'_, I> {
    /// Shades every pixel of the tile by its tag.
    pub(super) fn shade_tagged(&mut self) {
        let isa = self.isa;
        let backdrop = self.backdrop();
        if let (Some(colour), 1) = (backdrop, self.buffers.triangles.len()) {
            self.show_backdrop(colour);
            return;
        }
        let mut runs = self.buffers.runs.take().unwrap_or_default();
        let buffers = &mut *self.buffers;
        let (count, colours) = (buffers.triangles.len(), &mut buffers.colours[0]);
        let uncovered = runs.find::<I>(isa, &buffers.tags, count, backdrop, colours);
        self.counts.shaded[ListType::Opaque.index()] += uncovered;
        let mut inside = None;
        let mut masks = NOWHERE;
        for &tag in runs.shown() {
            let rows = runs.pixels(tag, &mut masks);
            let triangle = self.buffers.triangles[tag as usize];
            let pixels = Pixels {
                list: ListType::Opaque,
                triangle: &triangle,
                first: rows.start,
                masks: &masks[rows],
                streamed: None,
            };
            if triangle.shadow {
                let inside = inside.get_or_insert_with(|| self.inside_stored());
                self.shade(pixels, inside);
            } else {
                self.shade(pixels, &NOWHERE);
            }
        }
        self.buffers.runs = Some(runs);
    }

    /// Shades a tile without opaque primitives: fills it with the background, or keeps the earlier colours.
    fn show_backdrop(&mut self, colour: u32) {
        let buffers = &mut *self.buffers;
        if buffers.tags[0] != NONE {
            buffers.colours[0][..PIXELS].fill(colour);
            self.counts.shaded[ListType::Opaque.index()] += PIXELS as u64;
        }
    }

    /// Returns the colour of the background if all pixels have one colour, independent of earlier colours.
    fn backdrop(&mut self) -> Option<u32> {
        let isa = self.isa;
        let background = self.background;
        let caches = &mut self.buffers.caches;
        let (setup, _) = caches.shade_setup::<I>(isa, &self.source, self.textures, &background, 0);
        let even = setup.is_flat() && setup.blend == Blend::Replace && !background.shadow;
        even.then(|| setup.flat())
    }

    /// Shades the pixels of a row by their tags. Returns the pixels that passed the alpha test.
    pub(super) fn shade_row(&mut self, list: ListType, row: usize, tags: &[u32; TILE], inside: u32) -> u32 {
        let mut areas = NOWHERE;
        areas[row] = inside;
        self.passed[row] = 0;
        let mut from = 0;
        while let Some(&tag) = tags.get(from) {
            let to = from + tags[from..].iter().take_while(|&&t| t == tag).count();
            let span = u32::MAX >> (32 - (to - from)) << from;
            from = to;
            if tag == NONE {
                continue;
            }
            let triangle = self.buffers.triangles[tag as usize];
            let pixels = Pixels {
                list,
                triangle: &triangle,
                first: row,
                masks: &[span],
                streamed: None,
            };
            self.shade(pixels, &areas);
        }
        self.passed[row]
    }

    /// Shades pixels. Pixels of `inside` are in area 1. Adds the pixels that pass the alpha test to
    /// [`Self::passed`]. Returns false if the k-buffer cannot blend the primitive.
    pub(super) fn shade(&mut self, pixels: Pixels<'_>, inside: &[u32; TILE]) -> bool {
        let areas = inside.get(pixels.first..).unwrap_or_default();
        let both = || pixels.masks.iter().zip(areas);
        if !pixels.triangle.shadow || both().all(|(mask, inside)| mask & inside == 0) {
            return self.shade_area(pixels, false);
        }
        [false, true].into_iter().all(|area| {
            let mut part = NOWHERE;
            for (part, (mask, inside)) in part.iter_mut().zip(both()) {
                *part = mask & if area { *inside } else { !inside };
            }
            let masks = &part[..pixels.masks.len()];
            self.shade_area(Pixels { masks, ..pixels }, area)
        })
    }

    fn shade_area(&mut self, pixels: Pixels<'_>, inside: bool) -> bool {
        let isa = self.isa;
        let Pixels {
            list,
            triangle,
            first,
            masks,
            streamed,
        } = pixels;
        let count = isa.count(masks);
        if count == 0 {
            return true;
        }
        let (x, y) = self.sample();
        let volume = u32::from(inside && triangle.two_volumes);
        let buffers = &mut *self.buffers;
        let (setup, texture) =
            buffers
                .caches
                .shade_setup::<I>(isa, &self.source, self.textures, triangle, volume);
        let shadow = self
            .shader
            .shadow_scale
            .filter(|_| inside && !triangle.two_volumes);
        let wide = setup.wide && (shadow.is_none() || has_shadow_stage(&self.source));
        let with_second = setup.extras.second != [false; 2];
        if streamed.is_some() && (!wide || with_second) {
            return false;
        }
        if streamed.is_none() {
            self.counts.shaded[list.index()] += count;
        }
        if !wide {
            self.shade_by_reference(pixels, inside);
            return true;
        }
        let [colours, second] = &mut buffers.colours;
        buffers.second_used |= with_second;
        let sorted = &mut buffers.sorted;
        let (blend, target) = match streamed {
            Some(_) => (Blend::Replace, &mut sorted.apart),
            None => (setup.blend, &mut *colours),
        };
        let reference = self.shader.alpha_ref;
        isa.shade(ShadeTask {
            setup,
            texture,
            blend,
            state: &self.state,
            x: f64::from(self.left) + self.shader.centre,
            y: f64::from(self.top) + self.shader.centre,
            first,
            masks,
            colours: target,
            second: with_second.then_some(second),
            shadow,
            alpha_test: match self.source.settings.pt_alpha_source {
                _ if list != ListType::PunchThrough => AlphaTest::None,
                PtAlphaSource::Shaded => AlphaTest::Shaded(reference),
                PtAlphaSource::Texture => AlphaTest::Texture(reference),
            },
            passed: &mut self.passed,
        });
        if let Some(item) = streamed {
            isa.insert(Insertion {
                k_buffer: &mut sorted.k_buffer,
                first,
                masks,
                z: &item.z,
                x,
                y,
                store: self.source.settings.depth_store,
                number: FragmentOrder::new(item.tag, setup.surface.tsp),
                from: &sorted.apart,
                colours,
            });
        }
        true
    }

    /// Returns the pixels of a row that are in area 1 of a list of volumes at the given depths.
    pub(super) fn inside(&self, which: usize, row: usize, depth: &[f32; TILE]) -> u32 {
        let areas = &self.buffers.areas[which];
        if areas.is_empty() {
            return 0;
        }
        let (x, y) = self.sample();
        let line = Line {
            row,
            x,
            y: y + row as f64,
            store: self.source.settings.depth_store,
        };
        areas.row(line, depth)
    }

    /// Returns the pixels in area 1 of the opaque list's volumes at the depths in the depth buffer.
    fn inside_stored(&self) -> [u32; TILE] {
        let mut inside = NOWHERE;
        let rows = self.buffers.depth.as_chunks::<TILE>().0;
        for (row, (inside, depth)) in inside.iter_mut().zip(rows).enumerate() {
            *inside = self.inside(OPAQUE, row, depth);
        }
        inside
    }

    /// Returns the pixels that are in area 1 at the depths of a plane. `masks` selects pixels, one word per
    /// row from `first`.
    pub(super) fn inside_of(&self, which: usize, z: &Plane, first: usize, masks: &[u32]) -> [u32; TILE] {
        let mut inside = NOWHERE;
        if self.buffers.areas[which].is_empty() {
            return inside;
        }
        let (x, y) = self.sample();
        for (row, _) in (first..TILE).zip(masks).filter(|(_, mask)| **mask != 0) {
            let own = super::depth::row(z, x, y + row as f64, self.source.settings.depth_store);
            inside[row] = self.inside(which, row, &own);
        }
        inside
    }
}
