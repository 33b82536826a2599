//! Primitives shaded one after the other, each apart from what lies beneath, whose pixels are blended in
//! their own order.

use super::super::isa::Isa;
use super::super::pixels::NOWHERE;
use super::super::shade::channels::Blend;
use super::super::shade::{AlphaTest, ShadeTask};
use super::super::shade_setup::Style;
use super::super::{TRANSLUCENT, Tile};
use super::k_buffer::{Flush, FragmentOrder, Insertion};
use super::{Item, Sorted};
use crate::ListType;
use crate::core::PIXELS;
use crate::core::plane::TILE;

impl<I: Isa> Tile<'_, I> {
    /// Draws all primitives; returns the pixels that have to be drawn in another way, a word a row, and are
    /// as they were before. `None` if that path cannot draw them, and everything is as it was: primitives are
    /// not listed in their order, or one has to know what lies beneath or in which volume it is.
    pub(super) fn stream(&mut self) -> Option<[u32; TILE]> {
        let isa = self.isa;
        let buffers = &mut *self.buffers;
        let (sorted, colours) = (&mut buffers.sorted, &mut buffers.colours[0]);
        if !sorted.as_submitted {
            return None;
        }
        sorted.k_buffer.clear();
        sorted.before.copy_from_slice(&colours[..]);
        let mut likely = FragmentOrder(0);
        for n in 0..self.buffers.sorted.items.len() {
            let item = self.buffers.sorted.items[n];
            match self.stream_item(&item) {
                Some(number) => likely = number,
                None => {
                    let buffers = &mut *self.buffers;
                    buffers.colours[0].copy_from_slice(&buffers.sorted.before[..]);
                    return None;
                }
            }
        }
        let buffers = &mut *self.buffers;
        isa.flush(Flush {
            k_buffer: &buffers.sorted.k_buffer,
            likely,
            colours: &mut buffers.colours[0],
        });
        Some(self.take_late())
    }

    /// Shades a primitive and hands its pixels on; `None` if that path cannot draw it.
    fn stream_item(&mut self, item: &Item) -> Option<FragmentOrder> {
        let isa = self.isa;
        let (x, y) = self.sample();
        let buffers = &mut *self.buffers;
        let first = item.first as usize;
        let triangle = &buffers.triangles[item.tag as usize];
        let in_volume = triangle.shadow && !buffers.areas[TRANSLUCENT].is_empty();
        let (setup, texture) = buffers
            .caches
            .shade_setup::<I>(isa, &self.source, self.textures, triangle, 0);
        if setup.style == Style::Scalar || in_volume || setup.extras.second != [false; 2] {
            return None;
        }
        let number = FragmentOrder::new(item.tag, setup.surface.tsp);
        let Sorted {
            apart,
            k_buffer,
            masks,
            ..
        } = &mut buffers.sorted;
        let masks = &masks[item.start as usize..item.end as usize];
        isa.shade(ShadeTask {
            setup,
            texture,
            blend: Blend::Replace,
            state: &self.state,
            x: f64::from(self.left) + self.shader.centre,
            y: f64::from(self.top) + self.shader.centre,
            first,
            masks,
            colours: apart,
            second: None,
            shadow: None,
            alpha_test: AlphaTest::None,
            passed: &mut self.passed,
        });
        isa.insert(Insertion {
            k_buffer,
            first,
            masks,
            z: &item.z,
            x,
            y,
            store: self.source.settings.depth_store,
            number,
            from: apart,
            colours: &mut buffers.colours[0],
        });
        Some(number)
    }

    /// The pixels that are late, as they were before; counts the others.
    fn take_late(&mut self) -> [u32; TILE] {
        let isa = self.isa;
        let buffers = &mut *self.buffers;
        let Sorted {
            items,
            masks,
            k_buffer,
            before,
            ..
        } = &buffers.sorted;
        let late = k_buffer.late;
        let mut drawn = isa.count(masks);
        if late != NOWHERE {
            for (at, colour) in buffers.colours[0][..PIXELS].iter_mut().enumerate() {
                if late[at / TILE] >> (at % TILE) & 1 != 0 {
                    *colour = before[at];
                }
            }
            let own = |item: &Item| (item.first as usize..TILE).zip(item.start as usize..item.end as usize);
            let rows = items.iter().flat_map(own);
            drawn -= rows
                .map(|(row, at)| u64::from((masks[at] & late[row]).count_ones()))
                .sum::<u64>();
        }
        self.counts.shaded[ListType::Translucent.index()] += drawn;
        self.counts.fragments += drawn;
        late
    }
}
