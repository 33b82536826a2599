//! Primitives with few pixels in a row, otherwise as in [`super::common`]: the pixels of eight rows are
//! packed, so that groups are full.

use super::super::isa::{Isa, LANES};
use super::super::textures::Decoded;
use super::ShadeTask;
use super::channels::{self, Blend, Channels};
use super::inputs::ShaderInputs;
use super::line::{Column, PackedRows};
use super::texture::TexelQuad;
use crate::core::plane::TILE;

/// Rows whose pixels are packed together.
const ROWS: usize = LANES;

/// Pixels of so many rows.
const BLOCK: usize = ROWS * TILE;

/// 0 to 7 in the bytes of a word, and 1 in each.
const COUNTED: u64 = 0x0706_0504_0302_0100;
const EACH: u64 = 0x0101_0101_0101_0101;

/// Pixels of a block by their places in it, a byte each, eight to a group; behind the last of them it stands
/// several times.
///
/// Groups are put together in a word and written whole: read back from bytes just written, they would be
/// waited for.
#[derive(Debug)]
pub(in crate::core::fast) struct Packed {
    groups: [u64; BLOCK / LANES],
    count: usize,
}

impl Default for Packed {
    fn default() -> Self {
        Self {
            groups: [0; BLOCK / LANES],
            count: 0,
        }
    }
}

impl Packed {
    /// Takes the pixels of rows, the first being a row of the block.
    #[inline(always)]
    fn fill(&mut self, first: usize, masks: &[u32]) {
        // The group that is not full yet, and its bits that are used.
        let (mut group, mut used) = (0_u64, 0);
        let (mut count, mut last) = (0, 0);
        for (&mask, row) in masks.iter().zip(first as u64..ROWS as u64) {
            let mut left = mask;
            while left != 0 {
                let place = left.trailing_zeros();
                let run = (!(left >> place)).trailing_zeros().min(LANES as u32);
                left &= !(u32::MAX >> (32 - run) << place);
                let from = row * TILE as u64 + u64::from(place);
                last = from + u64::from(run) - 1;
                // A carry from byte to byte lies beyond the end of a row.
                let bytes = from.wrapping_mul(EACH).wrapping_add(COUNTED) & u64::MAX >> (64 - 8 * run);
                group |= bytes << used;
                self.groups[count % (BLOCK / LANES)] = group;
                let rest = bytes >> 1 >> (63 - used);
                used += 8 * run;
                // Whether it is full nobody can foretell: no branch.
                let full = u64::from(used >> 6);
                group = group & full.wrapping_sub(1) | rest & full.wrapping_neg();
                (used, count) = (used & 63, count + full as usize);
            }
        }
        if used > 0 {
            self.groups[count % (BLOCK / LANES)] = group | (last * EACH) << used;
            count += 1;
        }
        self.count = count;
    }

    #[inline(always)]
    fn groups(&self) -> &[u64] {
        self.groups.get(..self.count).unwrap_or_default()
    }
}

/// Eight pixels whose texel places are known and whose texels are not loaded yet.
struct PendingGroup<W> {
    /// First pixel of the block in the tile, and places from there.
    block: usize,
    places: [u8; LANES],
    base: Channels<W>,
    quad: TexelQuad<W>,
}

/// Some colours of a block.
#[inline(always)]
fn colours(block: &[u32; BLOCK], places: [u8; LANES]) -> [u32; LANES] {
    let mut colours = [0; LANES];
    for (colour, place) in colours.iter_mut().zip(places) {
        *colour = block[usize::from(place)];
    }
    colours
}

/// Puts them there. The last may be named several times, always with the same colour.
#[inline(always)]
fn put(colours: [u32; LANES], block: &mut [u32; BLOCK], places: [u8; LANES]) {
    for (colour, place) in colours.into_iter().zip(places) {
        block[usize::from(place)] = colour;
    }
}

/// Pixels a row, in the mean, up to which packing was faster: groups along wider rows are nearly full as
/// well, and need no table of rows.
const NARROW: u64 = 6;

/// Whether primitives are worth packing that have some pixels in some rows.
#[inline(always)]
pub(in crate::core::fast) fn is_worth_it(pixels: u64, rows: usize) -> bool {
    pixels <= NARROW * rows as u64
}

/// [`super::shade`] for primitives that are common. A function of its own: beside each other both would be
/// compiled worse.
#[inline(always)]
pub(in crate::core::fast) fn shade<I: Isa>(isa: I, task: ShadeTask<'_>, packed: &mut Packed) {
    match task.texture {
        Some(texture) if task.setup.gouraud => shade_as::<I, true>(isa, task, texture, packed),
        Some(texture) => shade_as::<I, false>(isa, task, texture, packed),
        None => {}
    }
}

#[inline(always)]
fn shade_as<I: Isa, const GOURAUD: bool>(
    isa: I,
    task: ShadeTask<'_>,
    texture: &Decoded,
    packed: &mut Packed,
) {
    let inputs = ShaderInputs::new::<I>(isa, task.setup, task.state, Some(texture), None);
    let Some(texels) = &inputs.texture else { return };
    let level = texels.whole();
    let column = Column::new(&task.setup.surface.planes, task.x);
    let (blend, factors, tile) = (task.blend, task.setup.factors, task.colours);
    // No closure: called twice it would be left out of line.
    macro_rules! finish {
        ($pending:expr) => {
            if let Some(pending) = $pending
                && let Some(block) = tile[pending.block..].first_chunk_mut()
            {
                let texels = inputs.texels::<I>(isa, texels.weighted::<I>(isa, pending.quad, None));
                let colour = channels::modulate::<I>(isa, texels, pending.base);
                let before = match blend {
                    Blend::Replace => isa.splat(0),
                    _ => isa.load_words(&colours(block, pending.places)),
                };
                let after = channels::blend::<I>(isa, blend, factors, colour, before);
                put(isa.to_array(after), block, pending.places);
            }
        };
    }
    let mut pending: Option<PendingGroup<I::W>> = None;
    let (mut row, mut left) = (task.first, task.masks);
    while !left.is_empty() {
        // A block lies within the tile.
        let top = row.min(TILE - ROWS);
        let (masks, others) = left.split_at(left.len().min(top + ROWS - row));
        packed.fill(row - top, masks);
        (row, left) = (row + masks.len(), others);
        let block = column.block::<I>(isa, task.y + top as f64);
        for group in packed.groups() {
            let bytes = group.to_le_bytes();
            let packed_rows = isa.bytes(bytes);
            let places = isa.to_floats(isa.and(packed_rows, isa.splat(TILE as u32 - 1)));
            let packed_rows = PackedRows::<I> {
                block: &block,
                rows: isa.shr::<5>(packed_rows),
            };
            let w = ShaderInputs::w::<I>(isa, &packed_rows, places);
            let next = PendingGroup {
                block: top * TILE,
                places: bytes,
                quad: level.quad::<I, true>(isa, inputs.uv::<I>(isa, &packed_rows, places, w)),
                base: inputs.base::<I, GOURAUD>(isa, &packed_rows, places, w),
            };
            finish!(pending.replace(next));
        }
    }
    finish!(pending);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_is_packed_once() {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        let mut packed = Packed::default();
        for case in 0..20_000 {
            let first = next() as usize % ROWS;
            // Runs of all lengths, some rows empty, whole or with gaps.
            let masks: Vec<u32> = (first..ROWS)
                .map(|_| match next() % 5 {
                    0 => 0,
                    1 => next() ^ next() << 9,
                    2 => u32::MAX,
                    _ => u32::MAX >> (next() % 32) << (next() % 32),
                })
                .collect();
            packed.fill(first, &masks);
            let is_set = |place: &usize| {
                let mask = place.checked_sub(first * TILE).map_or(0, |n| masks[n / TILE]);
                mask >> (place % TILE) & 1 != 0
            };
            let expected: Vec<usize> = (0..BLOCK).filter(is_set).collect();
            let bytes = packed.groups().iter().flat_map(|group| group.to_le_bytes());
            let found: Vec<usize> = bytes.map(usize::from).collect();
            assert_eq!(found.len(), expected.len().next_multiple_of(LANES), "case {case}");
            let (own, more) = found.split_at(expected.len());
            assert_eq!(own, expected, "case {case}");
            assert!(
                more.iter().all(|place| Some(place) == expected.last()),
                "case {case}"
            );
        }
    }
}
