//! Groups the tag buffer by tag, so that each primitive is shaded once a tile.

use super::depth::PADDED;
use super::isa::{Isa, LANES};
use crate::core::PIXELS;
use crate::core::plane::TILE;
use std::ops::Range;

/// Neighbouring pixels of a row with one tag.
#[derive(Debug, Clone, Copy, Default)]
struct Run {
    mask: u32,
    row: u16,
    /// Next run of this tag, or [`LAST`].
    next: u16,
}

/// Marks the end of a list. A tile has fewer runs than this.
const LAST: u16 = u16::MAX;

/// The runs of a tile.
#[derive(Debug)]
pub(super) struct Runs {
    runs: [Run; PIXELS],
    /// Latest run of each tag, or [`LAST`].
    newest: Vec<u16>,
    /// Visible tags.
    shown: [u32; PIXELS],
    shown_count: usize,
    run_edges: RunEdges,
}

impl Default for Runs {
    fn default() -> Self {
        Self {
            runs: [Run::default(); PIXELS],
            newest: Vec::new(),
            shown: [0; PIXELS],
            shown_count: 0,
            run_edges: RunEdges::default(),
        }
    }
}

impl Runs {
    /// Finds the runs of tags below `count` and ignores other tags. If `backdrop` is set, fills the pixels of
    /// tag 0 with this colour, omits their runs, and returns the number of these pixels.
    pub(super) fn find<I: Isa>(
        &mut self,
        isa: I,
        tags: &[u32; PADDED],
        count: usize,
        backdrop: Option<u32>,
        colours: &mut [u32; PADDED],
    ) -> u64 {
        self.newest.clear();
        self.newest.resize(count, LAST);
        let uncovered = isa.run_edges(tags, backdrop, colours, &mut self.run_edges);
        let (mut found, mut shown) = (0, 0);
        let rows = self.run_edges.first.iter().zip(&self.run_edges.last);
        for (tags, (row, (&first, &last))) in tags.as_chunks::<TILE>().0.iter().zip((0..).zip(rows)) {
            let (mut first, mut last) = (first, last);
            while last != 0 {
                let from = first.trailing_zeros() % TILE as u32;
                let to = last.trailing_zeros() % TILE as u32;
                first &= first.wrapping_sub(1);
                last &= last - 1;
                let tag = tags[to as usize];
                let Some(newest) = self.newest.get_mut(tag as usize) else {
                    continue;
                };
                self.shown[shown % PIXELS] = tag;
                shown += usize::from(*newest == LAST);
                self.runs[found % PIXELS] = Run {
                    mask: u32::MAX >> (31 - to) & u32::MAX << from,
                    row,
                    next: std::mem::replace(newest, found as u16),
                };
                found += 1;
            }
        }
        self.shown_count = shown;
        uncovered
    }

    /// Returns the visible tags.
    pub(super) fn shown(&self) -> &[u32] {
        &self.shown[..self.shown_count]
    }

    /// Writes the pixels of a tag to `out`, one word per row of the tile, and returns their rows. Does not
    /// change other rows.
    #[inline]
    pub(super) fn pixels(&self, tag: u32, out: &mut [u32; TILE]) -> Range<usize> {
        let run = |n: u16| self.runs.get(usize::from(n));
        let row = |run: &Run| usize::from(run.row) % TILE;
        let newest = self.newest.get(tag as usize).and_then(|&n| run(n));
        let Some(mut at) = newest else {
            return 0..0;
        };
        // Runs are linked from the last row up, and in each row from right to left.
        let end = row(at) + 1;
        let (mut first, mut mask) = (row(at), at.mask);
        while let Some(next) = run(at.next) {
            if row(next) != first {
                out[first] = mask;
                if row(next) + 1 < first {
                    out[row(next) + 1..first].fill(0);
                }
                (first, mask) = (row(next), 0);
            }
            mask |= next.mask;
            at = next;
        }
        out[first] = mask;
        first..end
    }
}

/// First and last pixels of runs, one word per row.
#[derive(Debug, Default)]
pub(super) struct RunEdges {
    first: [u32; TILE],
    last: [u32; TILE],
}

/// Finds the edges between runs of tags. If `backdrop` is set, fills the pixels of tag 0 with this colour,
/// omits their runs, and returns the number of these pixels.
#[inline(always)]
pub(super) fn run_edges<I: Isa>(
    isa: I,
    tags: &[u32; PADDED],
    backdrop: Option<u32>,
    colours: &mut [u32; PADDED],
    out: &mut RunEdges,
) -> u64 {
    let colour = isa.splat(backdrop.unwrap_or(0));
    let mut uncovered = 0;
    for row in 0..TILE {
        let (mut ends, mut empty) = (1 << (TILE - 1), 0);
        for place in (0..TILE).step_by(LANES) {
            let at = row * TILE + place;
            let (Some(own), Some(right), Some(colours)) = (
                tags[at..].first_chunk(),
                tags[at + 1..].first_chunk(),
                colours[at..].first_chunk_mut(),
            ) else {
                return 0;
            };
            let own = isa.load_words(own);
            ends |= (isa.bits(isa.equal(own, isa.load_words(right))) ^ 0xFF) << place;
            if backdrop.is_some() {
                let mask = isa.equal(own, isa.splat(0));
                empty |= isa.bits(mask) << place;
                isa.store(isa.select(mask, colour, isa.load_words(colours)), colours);
            }
        }
        uncovered += u64::from(empty.count_ones());
        out.first[row] = (ends << 1 | 1) & !empty;
        out.last[row] = ends & !empty;
    }
    uncovered
}

#[cfg(test)]
mod tests {
    use super::super::NONE;
    use super::super::isa::Baseline;
    use super::*;

    #[test]
    fn every_pixel_has_its_tag() {
        let mut tags = [NONE; PADDED];
        for (n, tag) in tags.iter_mut().enumerate() {
            // Runs of all lengths, also over a whole row; tags in several places of a row; a tag without a
            // primitive.
            *tag = (n * n / 700 % 9) as u32;
        }
        tags[64..96].fill(3);
        let mut runs = Runs::default();
        let mut colours = [5; PADDED];
        let uncovered = tags[..PIXELS].iter().filter(|tag| **tag == 0).count();
        assert_eq!(
            runs.find::<Baseline>(Baseline, &tags, 8, Some(77), &mut colours),
            uncovered as u64
        );
        let mut shown = runs.shown().to_vec();
        shown.sort_unstable();
        assert_eq!(shown, [1, 2, 3, 4, 5, 6, 7]);
        assert!(
            colours[..PIXELS]
                .iter()
                .zip(&tags)
                .all(|(&colour, &tag)| colour == if tag == 0 { 77 } else { 5 })
        );
        assert_eq!(runs.find::<Baseline>(Baseline, &tags, 8, None, &mut colours), 0);
        let mut shown = runs.shown().to_vec();
        shown.sort_unstable();
        assert_eq!(shown, [0, 1, 2, 3, 4, 5, 6, 7]);
        for tag in 0..9 {
            let mut pixels = [0x5555_5555; TILE];
            let rows = runs.pixels(tag, &mut pixels);
            pixels[..rows.start].fill(0);
            pixels[rows.end..].fill(0);
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
