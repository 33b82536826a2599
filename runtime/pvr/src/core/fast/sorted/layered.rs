//! Drawing layer by layer, which supports every primitive.

use super::super::depth;
use super::super::isa::Isa;
use super::super::{NONE, TRANSLUCENT, Tile};
use super::Sorted;
use super::fragments::{Fragment, MAX_FRAGMENTS, depth_of_key};
use crate::ListType;
use crate::core::key;
use crate::core::plane::TILE;

impl<I: Isa> Tile<'_, I> {
    /// Collects and sorts the fragments of the `wanted` pixels, one word per row. Returns false if there are
    /// too many fragments.
    pub(in crate::core::fast) fn gather(&mut self, wanted: &[u32; TILE]) -> bool {
        let (x, y) = self.sample();
        let store = self.source.settings.depth_store;
        let Sorted { items, masks, .. } = &self.buffers.sorted;
        let pixels = &mut self.buffers.layers;
        pixels.gathered.clear();
        for item in items {
            for (row, at) in item.rows().zip(item.masks()) {
                let mut mask = masks[at] & wanted[row];
                if mask == 0 {
                    continue;
                }
                let own = depth::row(&item.z, x, y + row as f64, store);
                while mask != 0 {
                    let n = mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    let key = key(own[n], item.order);
                    pixels.gathered.push(Fragment::new(key, item.tag, row * TILE + n));
                }
            }
            if pixels.gathered.len() > MAX_FRAGMENTS {
                return false;
            }
        }
        self.counts.fragments += pixels.sort();
        true
    }

    /// Draws the sorted fragments of a row layer by layer, from far to near.
    pub(super) fn draw_layers(&mut self, row: usize) {
        let mut next = [0; TILE];
        loop {
            let (mut tags, mut own) = ([NONE; TILE], [0.0; TILE]);
            for n in 0..TILE {
                let fragments = self.buffers.layers.of(row * TILE + n);
                while let Some(fragment) = fragments.get(next[n]) {
                    next[n] += 1;
                    if fragment.tag() != NONE {
                        tags[n] = fragment.tag();
                        own[n] = depth_of_key((fragment.key >> 32) as u32);
                        break;
                    }
                }
            }
            if tags == [NONE; TILE] {
                break;
            }
            let inside = self.inside(TRANSLUCENT, row, &own);
            self.shade_row(ListType::Translucent, row, &tags, inside);
        }
    }
}
