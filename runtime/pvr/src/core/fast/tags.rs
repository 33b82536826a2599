//! From a tag for each pixel to the pixels of each tag: a figure is shaded in one go.

use super::NONE;
use super::depth::PADDED;
use super::isa::{Isa, LANES};
use crate::core::plane::TILE;
use std::ops::Range;

/// Pixels of a tag in a row.
#[derive(Debug, Clone, Copy)]
struct Run {
    row: usize,
    mask: u32,
    /// Another run of the same tag, or [`NONE`].
    next: u32,
}

/// The runs of a tile.
#[derive(Debug, Default)]
pub(super) struct Runs {
    runs: Vec<Run>,
    /// Newest run of each tag, or [`NONE`].
    newest: Vec<u32>,
    /// Tags that are somewhere.
    pub(super) shown: Vec<u32>,
}

impl Runs {
    /// Finds the runs of tags below `count`; other tags name nothing.
    pub(super) fn find<I: Isa>(&mut self, tags: &[u32; PADDED], count: usize) {
        self.runs.clear();
        self.shown.clear();
        self.newest.clear();
        self.newest.resize(count, NONE);
        let mut all = [0; TILE];
        I::ends(tags, &mut all);
        for ((row, tags), mut ends) in tags.as_chunks::<TILE>().0.iter().enumerate().zip(all) {
            let mut from = 0;
            while ends != 0 {
                let last = ends.trailing_zeros();
                ends &= ends - 1;
                self.push(
                    tags[last as usize],
                    row,
                    u32::MAX >> (31 - last) & u32::MAX << from,
                );
                from = last + 1;
            }
        }
    }

    fn push(&mut self, tag: u32, row: usize, mask: u32) {
        let Some(newest) = self.newest.get_mut(tag as usize) else {
            return;
        };
        if *newest == NONE {
            self.shown.push(tag);
        }
        let next = std::mem::replace(newest, self.runs.len() as u32);
        self.runs.push(Run { row, mask, next });
    }

    /// The pixels of a tag, a word a row of the tile, and the rows that they are in.
    pub(super) fn pixels(&self, tag: u32) -> ([u32; TILE], Range<usize>) {
        let mut pixels = [0; TILE];
        let run = |n: u32| self.runs.get(n as usize).filter(|run| run.row < TILE);
        let newest = self.newest.get(tag as usize).and_then(|&n| run(n));
        let Some(mut at) = newest else {
            return (pixels, 0..0);
        };
        // From the last row up.
        let end = at.row + 1;
        loop {
            pixels[at.row] |= at.mask;
            match run(at.next) {
                Some(next) => at = next,
                None => return (pixels, at.row..end),
            }
        }
    }
}

/// Places whose right neighbour has another tag, and the last, a word a row.
#[inline(always)]
pub(super) fn ends<I: Isa>(tags: &[u32; PADDED], out: &mut [u32; TILE]) {
    for (row, out) in out.iter_mut().enumerate() {
        *out = 1 << (TILE - 1);
        for place in (0..TILE).step_by(LANES) {
            let at = row * TILE + place;
            let (Some(own), Some(right)) = (tags[at..].first_chunk(), tags[at + 1..].first_chunk()) else {
                return;
            };
            let same = I::bits(I::equal(I::words(own), I::words(right)));
            *out |= (same ^ 0xFF) << place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::isa::Baseline;
    use super::*;

    #[test]
    fn every_pixel_has_its_tag() {
        let mut tags = [NONE; PADDED];
        for (n, tag) in tags.iter_mut().enumerate() {
            // Runs of all lengths, some over a whole row, some tags in several places of a row, one without a figure.
            *tag = (n * n / 700 % 9) as u32;
        }
        tags[64..96].fill(3);
        let mut runs = Runs::default();
        runs.find::<Baseline>(&tags, 8);
        let mut shown = runs.shown.clone();
        shown.sort_unstable();
        assert_eq!(shown, [0, 1, 2, 3, 4, 5, 6, 7]);
        for tag in 0..9 {
            let (pixels, rows) = runs.pixels(tag);
            let shown = (0..TILE).filter(|&row| pixels[row] != 0);
            assert_eq!(shown.clone().min().unwrap_or(0), rows.start);
            assert_eq!(shown.max().map_or(0, |row| row + 1), rows.end);
            for (row, &mask) in pixels.iter().enumerate() {
                let expected = (0..TILE).filter(|n| tag < 8 && tags[row * TILE + n] == tag);
                assert_eq!(
                    mask,
                    expected.map(|n| 1 << n).sum::<u32>(),
                    "tag {tag} in row {row}"
                );
            }
        }
    }
}
