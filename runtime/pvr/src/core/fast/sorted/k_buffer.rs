//! A k-buffer for autosort: holds the nearest shaded fragments of each pixel back until farther ones are
//! blended.
//!
//! Primitives arrive roughly from far to near. A pixel holds its two nearest fragments back. When a third
//! arrives, the farthest of the three is blended. If a fragment should have been blended earlier, the pixel
//! is late, and another path draws it again.

#[cfg(test)]
mod tests;

use super::super::depth::{PADDED, depths};
use super::super::isa::{Isa, LANES};
use super::super::shade::channels::{Blend, Channels, blend};
use crate::core::PIXELS;
use crate::core::plane::{Plane, TILE};
use crate::param::{BlendFactor, DepthMode, TspWord};
use crate::settings::DepthStore;

/// Fragments that a pixel holds back. With two, one pixel in a thousand is late where six layers of small
/// primitives intersect.
const DEPTH: usize = 2;

/// Depth and number of an empty place: farther than all fragments, and first among equal depths.
const EMPTY: (u32, u32) = (f32::NEG_INFINITY.to_bits(), u32::MAX);

/// Number of a primitive. The upper bits are its position in the list, which orders fragments of equal depth;
/// the lower bits are its blend factors.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::core::fast) struct FragmentOrder(u32);

/// Bits of [`FragmentOrder`] for both blend factors.
const FACTORS: u32 = 6;

impl FragmentOrder {
    pub(in crate::core::fast) fn new(tag: u32, tsp: TspWord) -> Self {
        Self(tag << FACTORS | tsp.0 >> (32 - FACTORS))
    }
}

/// A fragment of each pixel.
#[derive(Debug)]
struct Fragments {
    /// Bits of floats.
    depths: [u32; PADDED],
    /// [`FragmentOrder`]s.
    numbers: [u32; PADDED],
    colours: [u32; PADDED],
}

impl Fragments {
    fn clear(&mut self) {
        self.depths.fill(EMPTY.0);
        self.numbers.fill(EMPTY.1);
    }
}

impl Default for Fragments {
    fn default() -> Self {
        Self {
            depths: [0; PADDED],
            numbers: [0; PADDED],
            colours: [0; PADDED],
        }
    }
}

/// Fragments of a tile that are held back.
#[derive(Debug, Default)]
pub(in crate::core::fast) struct KBuffer {
    /// The nearest first.
    nearest: [Fragments; DEPTH],
    /// Depth and number of the last blended fragments.
    blended: Fragments,
    /// Late pixels, one word per row.
    pub(super) late: [u32; TILE],
    /// The last inserted primitive. The next one probably has the same blend state.
    last: FragmentOrder,
}

impl KBuffer {
    pub(super) fn clear(&mut self) {
        self.nearest.iter_mut().for_each(Fragments::clear);
        self.blended.clear();
        self.late.fill(0);
    }
}

/// Shaded pixels of a primitive.
pub(in crate::core::fast) struct Insertion<'a> {
    pub(in crate::core::fast) k_buffer: &'a mut KBuffer,
    /// First row; `masks` selects the pixels, one word per row from there.
    pub(in crate::core::fast) first: usize,
    pub(in crate::core::fast) masks: &'a [u32],
    pub(in crate::core::fast) z: &'a Plane,
    /// Sample position of the tile's first pixel.
    pub(in crate::core::fast) x: f64,
    pub(in crate::core::fast) y: f64,
    pub(in crate::core::fast) store: DepthStore,
    pub(in crate::core::fast) number: FragmentOrder,
    /// Colours of the primitive.
    pub(in crate::core::fast) from: &'a [u32; PADDED],
    /// Colours of the tile.
    pub(in crate::core::fast) colours: &'a mut [u32; PADDED],
}

/// Eight fragments that move between the layers of the k-buffer.
#[derive(Clone, Copy)]
struct FragmentGroup<W> {
    depths: W,
    numbers: W,
    colours: W,
}

impl<W: Copy> FragmentGroup<W> {
    /// Returns the lanes that contain a fragment, one bit each.
    #[inline(always)]
    fn present<I: Isa<W = W>>(&self, isa: I) -> u32 {
        0xFF ^ isa.bits(isa.equal(self.numbers, isa.splat(EMPTY.1)))
    }
}

/// Inserts the pixels of a primitive.
#[inline(always)]
pub(in crate::core::fast) fn insert<I: Isa>(isa: I, task: Insertion<'_>) {
    let column = task.z.column(task.x);
    let likely = BlendState::of(task.number);
    task.k_buffer.last = task.number;
    for (row, &mask) in (task.first..TILE).zip(task.masks) {
        if mask == 0 {
            continue;
        }
        let line = column.row(task.y + row as f64);
        let mut left = mask;
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            let pixels = isa.lanes(left >> place & 0xFF);
            left &= !(0xFF << place);
            let at = (row * TILE + place) % PIXELS;
            let (Some(from), Some(colours)) = (
                task.from[at..].first_chunk::<LANES>(),
                task.colours[at..].first_chunk_mut::<LANES>(),
            ) else {
                return;
            };
            let z = isa.floats_to_bits(depths::<I>(isa, line, place, task.store));
            let mut new = FragmentGroup {
                depths: isa.select(pixels, z, isa.splat(EMPTY.0)),
                numbers: isa.select(pixels, isa.splat(task.number.0), isa.splat(EMPTY.1)),
                colours: isa.load_words(from),
            };
            for nearest in &mut task.k_buffer.nearest {
                exchange::<I>(isa, nearest, at, &mut new);
            }
            let present = new.present::<I>(isa);
            if present != 0 {
                task.k_buffer.late[row] |=
                    late::<I>(isa, &mut task.k_buffer.blended, at, new, present) << place;
                let on = isa.load_words(colours);
                isa.store(blend_on::<I>(isa, new, present, likely, on), colours);
            }
        }
    }
}

/// Returns a mask of the fragments of `a` that are blended after fragments with the given depths and numbers.
#[inline(always)]
fn after<I: Isa>(isa: I, a: FragmentGroup<I::W>, depths: I::W, numbers: I::W) -> I::W {
    let [own, depths] = [isa.bits_to_floats(a.depths), isa.bits_to_floats(depths)];
    let same = isa.passes(DepthMode::Equal, own, depths);
    let nearer = isa.passes(DepthMode::Greater, own, depths);
    isa.or(nearer, isa.and(same, isa.greater(a.numbers, numbers)))
}

/// Exchanges fragments, so that the nearer ones are in the buffer and the others in `new`.
#[inline(always)]
fn exchange<I: Isa>(isa: I, nearest: &mut Fragments, at: usize, new: &mut FragmentGroup<I::W>) {
    let (Some(depths), Some(numbers), Some(colours)) = (
        nearest.depths[at..].first_chunk_mut::<LANES>(),
        nearest.numbers[at..].first_chunk_mut::<LANES>(),
        nearest.colours[at..].first_chunk_mut::<LANES>(),
    ) else {
        return;
    };
    let stays = after::<I>(isa, *new, isa.load_words(depths), isa.load_words(numbers));
    new.depths = exchange_words::<I>(isa, stays, depths, new.depths);
    new.numbers = exchange_words::<I>(isa, stays, numbers, new.numbers);
    new.colours = exchange_words::<I>(isa, stays, colours, new.colours);
}

/// Stores the new words where the mask is set. Returns the old words there, and the new ones elsewhere.
#[inline(always)]
fn exchange_words<I: Isa>(isa: I, mask: I::W, stored: &mut [u32; LANES], new: I::W) -> I::W {
    let old = isa.load_words(stored);
    isa.store(isa.select(mask, new, old), stored);
    isa.select(mask, old, new)
}

/// Returns the lanes with a fragment that should have been blended before the last one. Records the new
/// fragments of the other lanes as the last ones.
#[inline(always)]
fn late<I: Isa>(isa: I, blended: &mut Fragments, at: usize, new: FragmentGroup<I::W>, present: u32) -> u32 {
    let (Some(depths), Some(numbers)) = (
        blended.depths[at..].first_chunk_mut::<LANES>(),
        blended.numbers[at..].first_chunk_mut::<LANES>(),
    ) else {
        return present;
    };
    let in_time = after::<I>(isa, new, isa.load_words(depths), isa.load_words(numbers));
    exchange_words::<I>(isa, in_time, depths, new.depths);
    exchange_words::<I>(isa, in_time, numbers, new.numbers);
    present & !isa.bits(in_time)
}

/// Blend function of primitives.
#[derive(Debug, Clone, Copy)]
struct BlendState {
    /// The blend bits of their [`FragmentOrder`].
    bits: u32,
    blend: Blend,
    factors: [BlendFactor; 2],
}

impl BlendState {
    #[inline(always)]
    fn of(number: FragmentOrder) -> Self {
        let bits = number.0 % (1 << FACTORS);
        let tsp = TspWord(bits << (32 - FACTORS));
        Self {
            bits,
            blend: Blend::of(tsp),
            factors: [tsp.src(), tsp.dst()],
        }
    }
}

/// Blends the present fragments, each by its own blend state. Begins with the likely blend state.
#[inline(always)]
fn blend_on<I: Isa>(
    isa: I,
    new: FragmentGroup<I::W>,
    present: u32,
    likely: BlendState,
    mut on: I::W,
) -> I::W {
    let own = isa.and(new.numbers, isa.splat((1 << FACTORS) - 1));
    let source = Channels::of::<I>(isa, new.colours);
    let (mut left, mut state) = (present, likely);
    loop {
        let alike = isa.and(isa.equal(own, isa.splat(state.bits)), isa.lanes(left));
        let blended = blend::<I>(isa, state.blend, state.factors, source, on);
        on = isa.select(alike, blended, on);
        left &= !isa.bits(alike);
        if left == 0 {
            return on;
        }
        let mut numbers = [0; LANES];
        isa.store(own, &mut numbers);
        state = BlendState::of(FragmentOrder(numbers[left.trailing_zeros() as usize % LANES]));
    }
}

/// The k-buffer and the tile at the end of a list.
pub(in crate::core::fast) struct Flush<'a> {
    pub(super) k_buffer: &'a KBuffer,
    pub(super) colours: &'a mut [u32; PADDED],
}

/// Blends all fragments that are held back.
#[inline(always)]
pub(in crate::core::fast) fn flush<I: Isa>(isa: I, task: Flush<'_>) {
    let likely = BlendState::of(task.k_buffer.last);
    for at in (0..PIXELS).step_by(LANES) {
        let Some(dest) = task.colours[at..].first_chunk_mut::<LANES>() else {
            return;
        };
        for nearest in task.k_buffer.nearest.iter().rev() {
            let (Some(numbers), Some(colours)) = (
                nearest.numbers[at..].first_chunk::<LANES>(),
                nearest.colours[at..].first_chunk::<LANES>(),
            ) else {
                return;
            };
            let last = FragmentGroup::<I::W> {
                depths: isa.splat(0),
                numbers: isa.load_words(numbers),
                colours: isa.load_words(colours),
            };
            let present = last.present::<I>(isa);
            if present != 0 {
                isa.store(
                    blend_on::<I>(isa, last, present, likely, isa.load_words(dest)),
                    dest,
                );
            }
        }
    }
}
