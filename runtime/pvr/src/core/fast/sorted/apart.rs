//! Crossed pixels whose figures are shaded first, each in one go and apart from what lies beneath, and then blended pixel by pixel
//! in their order.

use super::super::depth;
use super::super::isa::Isa;
use super::super::paint::Style;
use super::super::pixels::NOWHERE;
use super::super::shade::channels::Blend;
use super::super::shade::{AlphaTest, Job};
use super::super::{TRANSLUCENT, Tile};
use super::stacks::{Pushed, Shaded};
use super::{Item, Sorted};
use crate::ListType;
use crate::core::colour::{blend, over};
use crate::core::key;
use crate::core::plane::TILE;
use crate::param::TspWord;
use crate::settings::WeightScale;

/// How a figure is blended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blending {
    blend: Blend,
    tsp: TspWord,
}

impl Blending {
    /// A colour on what is there.
    #[inline(always)]
    fn on(self, colour: u32, dest: u32) -> u32 {
        match self.blend {
            Blend::Replace => colour,
            Blend::Over => over(colour, dest),
            // Other weights have no fast way to get here.
            Blend::Other => blend(
                WeightScale::Scaled256,
                self.tsp.src(),
                self.tsp.dst(),
                colour,
                dest,
            ),
        }
    }
}

impl<I: Isa> Tile<'_, I> {
    /// Draws crossed pixels; false, and nothing is drawn, if a pixel has too many layers or a figure among them has to know what
    /// lies beneath or in which volume it is.
    pub(super) fn shade_apart(&mut self, crossed: &[u32; TILE]) -> bool {
        if !self.find_blendings(crossed) {
            return false;
        }
        let counts = self.counts;
        self.buffers.sorted.stacks.clear();
        for n in 0..self.buffers.sorted.items.len() {
            let item = self.buffers.sorted.items[n];
            if !self.stack(&item, crossed) {
                self.counts = counts;
                return false;
            }
        }
        self.blend_stacks(crossed);
        true
    }

    /// Notes how each figure with crossed pixels is blended; false if one cannot be shaded apart.
    fn find_blendings(&mut self, crossed: &[u32; TILE]) -> bool {
        let buffers = &mut *self.buffers;
        let Sorted {
            items,
            masks,
            blendings,
            ..
        } = &mut buffers.sorted;
        blendings.clear();
        let none = Blending {
            blend: Blend::Replace,
            tsp: TspWord(0),
        };
        blendings.resize(buffers.triangles.len(), none);
        let in_volumes = !buffers.areas[TRANSLUCENT].is_empty();
        for item in items.iter().filter(|item| item.crosses(masks, crossed)) {
            let triangle = &buffers.triangles[item.tag as usize];
            let paint = buffers.caches.paint(&self.source, self.textures, triangle, 0);
            if paint.style == Style::Scalar || in_volumes && triangle.shadow {
                return false;
            }
            blendings[item.tag as usize] = Blending {
                blend: paint.blend,
                tsp: paint.tsp,
            };
        }
        true
    }

    /// Shades the crossed pixels of a figure and puts them in the order of their pixels; false if one has too many.
    fn stack(&mut self, item: &Item, crossed: &[u32; TILE]) -> bool {
        let (x, y) = self.sample();
        let store = self.source.settings.depth_store;
        let buffers = &mut *self.buffers;
        let first = item.first as usize;
        let mut own = NOWHERE;
        let masks = &buffers.sorted.masks[item.start as usize..item.end as usize];
        for ((own, mask), crossed) in own.iter_mut().zip(masks).zip(&crossed[first..]) {
            *own = mask & crossed;
        }
        let masks = &own[..masks.len()];
        let count: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
        if count == 0 {
            return true;
        }
        let triangle = &buffers.triangles[item.tag as usize];
        let mut passed = NOWHERE;
        I::shade(Job {
            paint: buffers.caches.paint(&self.source, self.textures, triangle, 0),
            blend: Blend::Replace,
            state: &self.state,
            x: f64::from(self.left) + self.shader.centre,
            y: f64::from(self.top) + self.shader.centre,
            first,
            masks,
            colours: &mut buffers.sorted.apart,
            alpha_test: AlphaTest::None,
            passed: &mut passed,
        });
        let Sorted { apart, stacks, .. } = &mut buffers.sorted;
        let mut kept = 0;
        for (row, mask) in (first..TILE).zip(masks).filter(|(_, mask)| **mask != 0) {
            let depths = depth::row(&item.z, x, y + row as f64, store);
            let mut left = *mask;
            while left != 0 {
                let n = left.trailing_zeros() as usize % TILE;
                left &= left - 1;
                let at = row * TILE + n;
                let fragment = Shaded {
                    key: key(depths[n], item.order),
                    colour: apart[at],
                    tag: item.tag,
                };
                match stacks.push(at, fragment) {
                    Pushed::Kept => kept += 1,
                    Pushed::Double => {}
                    Pushed::Full => return false,
                }
            }
        }
        self.counts.shaded[ListType::Translucent.index()] += kept;
        self.counts.fragments += kept;
        true
    }

    /// Blends the fragments of each crossed pixel.
    fn blend_stacks(&mut self, crossed: &[u32; TILE]) {
        let buffers = &mut *self.buffers;
        let blendings = &buffers.sorted.blendings;
        for (row, &crossed) in crossed.iter().enumerate() {
            let mut left = crossed;
            while left != 0 {
                let at = row * TILE + left.trailing_zeros() as usize;
                left &= left - 1;
                let mut colour = buffers.colours[0][at];
                for fragment in buffers.sorted.stacks.of(at) {
                    colour = blendings[fragment.tag as usize].on(fragment.colour, colour);
                }
                buffers.colours[0][at] = colour;
            }
        }
    }
}
