//! Translucent layers of a tile where they are few: each pixel keeps its fragments in order while they come.
//!
//! Most pixels have one or two. Then an insertion is cheaper than gathering all fragments and sorting them (which
//! `peel` does for any number), and the layers of a row are at once what the shader takes. Both give the same layers
//! in the same order.

use super::plane::TILE;
use super::scene::{Id, NONE, Scene};
use super::tile::{Origin, PIXELS, Setup, depths, spans};

/// Fragments that a pixel may have here; a tile with more at any pixel is drawn by sorting.
const MAX_DEPTH: usize = 8;

/// The fragments of a tile, layer by layer.
#[derive(Debug)]
pub(super) struct Layers {
    /// Fragments of each pixel.
    held: Box<[u8; PIXELS]>,
    /// Of each layer and pixel: the sort key. What lies beyond `held` is left from before.
    keys: Box<[[u64; PIXELS]; MAX_DEPTH]>,
    ids: Box<[[Id; PIXELS]; MAX_DEPTH]>,
    /// Layers of each row.
    rows: [u8; TILE],
    /// Fragments so far, those of figures that are listed twice counted twice.
    pub(super) fragments: u64,
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            held: Box::new([0; PIXELS]),
            keys: Box::new([[0; PIXELS]; MAX_DEPTH]),
            ids: Box::new([[NONE; PIXELS]; MAX_DEPTH]),
            rows: [0; TILE],
            fragments: 0,
        }
    }
}

/// Orders as the floats do: negative numbers below positive ones.
#[inline(always)]
pub(super) fn sortable(z: f32) -> u32 {
    let bits = (z + 0.0).to_bits(); // -0 equals 0
    bits ^ ((bits as i32 >> 31) as u32 | 0x8000_0000)
}

/// Sort key of a fragment: depth, then submission order.
#[inline(always)]
pub(super) fn key(z: f32, order: u32) -> u64 {
    u64::from(sortable(z)) << 32 | u64::from(order)
}

impl Layers {
    /// Collects the fragments that are not behind the opaque depth; false if a pixel has too many.
    pub(super) fn gather(
        &mut self,
        scene: &Scene,
        setup: &Setup,
        origin: Origin,
        refs: &[Id],
        depth: &[f32; PIXELS],
    ) -> bool {
        self.held.fill(0);
        self.rows = [0; TILE];
        self.fragments = 0;
        let mut fits = true;
        for &id in refs {
            let figure = &scene.figures[id as usize];
            spans(figure, setup, origin, |span| {
                let z = depths(figure, setup, origin, span);
                let start = span.row * TILE;
                let places = start + span.from..start + span.to;
                let cells = self.held[places.clone()]
                    .iter_mut()
                    .zip(&mut self.keys[0][places.clone()]);
                let cells = cells.zip(&mut self.ids[0][places.clone()]);
                let depths = z[span.from..span.to].iter().zip(&depth[places.clone()]);
                // Pixels, counted from the start of the span, that hold a fragment already.
                let (mut taken, mut fresh) = (0u32, 0);
                for (n, (((held, key0), id0), (&z, &behind))) in cells.zip(depths).enumerate() {
                    let (visible, empty) = (z >= behind, *held == 0);
                    taken |= u32::from(visible && !empty) << n;
                    let first = visible && empty;
                    fresh += u64::from(first);
                    *held |= u8::from(first);
                    *key0 = if first { key(z, figure.order) } else { *key0 };
                    *id0 = if first { id } else { *id0 };
                }
                self.fragments += fresh + u64::from(taken.count_ones());
                let mut deepest = self.rows[span.row].max(u8::from(fresh > 0));
                while taken != 0 {
                    let n = taken.trailing_zeros() as usize;
                    taken &= taken - 1;
                    let held = self.insert(places.start + n, key(z[span.from + n], figure.order), id);
                    fits &= usize::from(held) <= MAX_DEPTH;
                    deepest = deepest.max(held);
                }
                self.rows[span.row] = deepest;
            });
            if !fits {
                return false;
            }
        }
        true
    }

    /// Puts a fragment in its place and returns how many the pixel has then, [`MAX_DEPTH`] + 1 if there was no room.
    /// Of equal keys one is kept, as a figure listed twice is drawn once.
    #[inline(always)]
    fn insert(&mut self, pixel: usize, key: u64, id: Id) -> u8 {
        let held = usize::from(self.held[pixel]);
        if held == 0 {
            (self.keys[0][pixel], self.ids[0][pixel]) = (key, id);
            self.held[pixel] = 1;
            return 1;
        }
        self.insert_among(pixel, held, key, id)
    }

    fn insert_among(&mut self, pixel: usize, held: usize, key: u64, id: Id) -> u8 {
        let mut at = held;
        while at > 0 && self.keys[at - 1][pixel] > key {
            at -= 1;
        }
        if at > 0 && self.keys[at - 1][pixel] == key {
            return held as u8;
        }
        if held == MAX_DEPTH {
            return MAX_DEPTH as u8 + 1;
        }
        for layer in (at..held).rev() {
            self.keys[layer + 1][pixel] = self.keys[layer][pixel];
            self.ids[layer + 1][pixel] = self.ids[layer][pixel];
        }
        (self.keys[at][pixel], self.ids[at][pixel]) = (key, id);
        self.held[pixel] = held as u8 + 1;
        self.held[pixel]
    }

    /// Layers of a row.
    pub(super) fn count(&self, row: usize) -> usize {
        usize::from(self.rows[row])
    }

    /// Tags of a layer of a row, the farthest layer being 0.
    pub(super) fn tags(&self, layer: usize, row: usize) -> [Id; TILE] {
        let places = row * TILE..(row + 1) * TILE;
        let mut tags = [NONE; TILE];
        let fragments = self.held[places.clone()].iter().zip(&self.ids[layer][places]);
        for (tag, (&held, &id)) in tags.iter_mut().zip(fragments) {
            *tag = if usize::from(held) > layer { id } else { NONE };
        }
        tags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insertion_sorts_and_keeps_one_of_equals() {
        let mut layers = Layers::default();
        let at = 3 * TILE + 5;
        for (key, id, held) in [
            (50, 1, 1),
            (20, 2, 2),
            (70, 3, 3),
            (20, 2, 3),
            (60, 4, 4),
            (10, 5, 5),
        ] {
            assert_eq!(layers.insert(at, key, id), held);
        }
        layers.insert(at + 1, 1, 9);
        let column = |n: usize| (0..MAX_DEPTH).map(|l| layers.tags(l, 3)[n]).collect::<Vec<_>>();
        assert_eq!(column(5), [5, 2, 1, 4, 3, NONE, NONE, NONE]);
        assert_eq!(column(6), [9, NONE, NONE, NONE, NONE, NONE, NONE, NONE]);
        assert_eq!(column(4), [NONE; MAX_DEPTH]);
    }

    #[test]
    fn a_full_pixel_says_so() {
        let mut layers = Layers::default();
        for key in 0..MAX_DEPTH as u64 {
            assert_eq!(usize::from(layers.insert(0, key, 1)), key as usize + 1);
        }
        assert_eq!(layers.insert(0, 3, 1), MAX_DEPTH as u8, "already there");
        assert_eq!(layers.insert(0, 99, 1), MAX_DEPTH as u8 + 1);
    }
}
