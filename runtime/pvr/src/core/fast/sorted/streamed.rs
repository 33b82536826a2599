//! Drawing through the k-buffer: shades primitives one after the other, without blending. The k-buffer then
//! blends the fragments of each pixel in order.

use super::super::Tile;
use super::super::isa::Isa;
use super::super::pixels::NOWHERE;
use super::Sorted;
use super::k_buffer::Flush;
use crate::ListType;
use crate::core::PIXELS;
use crate::core::plane::TILE;

impl<I: Isa> Tile<'_, I> {
    /// Draws all primitives. Returns the pixels that another path must draw, one word per row, with unchanged
    /// colours. These are all pixels if the k-buffer cannot order or blend a primitive.
    pub(super) fn stream(&mut self) -> [u32; TILE] {
        let isa = self.isa;
        let Sorted {
            k_buffer,
            before,
            as_submitted,
            ..
        } = &mut self.buffers.sorted;
        if !*as_submitted {
            return [u32::MAX; TILE];
        }
        k_buffer.clear();
        before.copy_from_slice(&self.buffers.colours[0][..]);
        let complete = (0..self.buffers.sorted.items.len()).all(|n| self.draw_item(n, true));
        let buffers = &mut *self.buffers;
        if !complete {
            buffers.colours[0].copy_from_slice(&buffers.sorted.before[..]);
            return [u32::MAX; TILE];
        }
        isa.flush(Flush {
            k_buffer: &buffers.sorted.k_buffer,
            colours: &mut buffers.colours[0],
        });
        self.take_late()
    }

    /// Restores the colours of late pixels and returns these pixels. Counts the fragments of the others.
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
            let rows = items.iter().flat_map(|item| item.rows().zip(item.masks()));
            let late = rows.map(|(row, at)| u64::from((masks[at] & late[row]).count_ones()));
            drawn -= late.sum::<u64>();
        }
        self.counts.shaded[ListType::Translucent.index()] += drawn;
        self.counts.fragments += drawn;
        late
    }
}
