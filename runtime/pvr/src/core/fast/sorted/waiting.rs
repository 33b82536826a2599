//! Shaded fragments that wait for farther ones, eight pixels at a time.
//!
//! Figures come nearly from far to near. So a pixel keeps its nearest fragments back; one that makes them too many has the farthest
//! of them blended. Where a fragment comes that is farther than one that was blended already, the pixel is late: it has to be drawn
//! in another way.

#[cfg(test)]
mod tests;

use super::super::depth::{PADDED, depths};
use super::super::isa::{Isa, LANES};
use super::super::shade::channels::{Blend, Channels, blend};
use crate::core::PIXELS;
use crate::core::plane::{Plane, TILE};
use crate::param::{BlendFactor, DepthMode, TspWord};
use crate::settings::DepthStore;

/// Fragments that a pixel keeps back. With two, one pixel in a thousand is late where six layers of small
/// figures lie in each other.
const KEPT: usize = 2;

/// In place of a fragment: farther than all, and of all at the same depth it comes first.
const NOTHING: (f32, u32) = (f32::NEG_INFINITY, u32::MAX);

/// A number for a figure: its place in its list, by which figures at the same depth are ordered, then its blend factors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number(pub(super) u32);

/// Bits of [`Number`] for both blend factors.
const FACTORS: u32 = 6;

impl Number {
    pub(super) fn new(tag: u32, tsp: TspWord) -> Self {
        Self(tag << FACTORS | tsp.0 >> (32 - FACTORS))
    }
}

/// A fragment of each pixel.
#[derive(Debug)]
struct Fragments {
    depths: [f32; PADDED],
    /// [`Number`]s.
    numbers: [u32; PADDED],
    colours: [u32; PADDED],
}

impl Fragments {
    fn clear(&mut self) {
        self.depths.fill(NOTHING.0);
        self.numbers.fill(NOTHING.1);
    }
}

impl Default for Fragments {
    fn default() -> Self {
        Self {
            depths: [0.0; PADDED],
            numbers: [0; PADDED],
            colours: [0; PADDED],
        }
    }
}

/// The fragments of a tile that wait.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// The nearest first.
    kept: [Fragments; KEPT],
    /// What was blended last, without colours.
    blended: Fragments,
    /// Pixels that are late, a word a row.
    pub(super) late: [u32; TILE],
}

impl Waiting {
    pub(super) fn clear(&mut self) {
        self.kept.iter_mut().for_each(Fragments::clear);
        self.blended.clear();
        self.late.fill(0);
    }
}

/// Shaded pixels of a figure.
pub(in crate::core::fast) struct Arrival<'a> {
    pub(super) waiting: &'a mut Waiting,
    /// First row, and from there on a word a row: the pixels.
    pub(super) first: usize,
    pub(super) masks: &'a [u32],
    pub(super) z: &'a Plane,
    /// Sample of the tile's first pixel.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) store: DepthStore,
    pub(super) number: Number,
    /// Its colours.
    pub(super) from: &'a [u32; PADDED],
    /// Those of the tile.
    pub(super) colours: &'a mut [u32; PADDED],
}

/// Eight fragments on their way.
#[derive(Clone, Copy)]
struct Eight<F, W> {
    depths: F,
    numbers: W,
    colours: W,
}

impl<F: Copy, W: Copy> Eight<F, W> {
    /// Those that are there, a bit each.
    #[inline(always)]
    fn present<I: Isa<F = F, W = W>>(&self, isa: I) -> u32 {
        0xFF ^ isa.bits(isa.equal(self.numbers, isa.word(NOTHING.1)))
    }
}

/// Takes in the pixels of a figure.
#[inline(always)]
pub(in crate::core::fast) fn arrive<I: Isa>(isa: I, job: Arrival<'_>) {
    let column = job.z.column(job.x);
    let likely = Way::of(job.number);
    for (row, &mask) in (job.first..TILE).zip(job.masks) {
        if mask == 0 {
            continue;
        }
        let line = column.row(job.y + row as f64);
        let mut left = mask;
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            let pixels = isa.lanes(left >> place & 0xFF);
            left &= !(0xFF << place);
            let at = (row * TILE + place) % PIXELS;
            let (Some(from), Some(colours)) = (
                job.from[at..].first_chunk::<LANES>(),
                job.colours[at..].first_chunk_mut::<LANES>(),
            ) else {
                return;
            };
            let z = isa.to_bits(depths::<I>(isa, line, place, job.store));
            let mut new = Eight {
                depths: isa.from_bits(isa.select(pixels, z, isa.word(NOTHING.0.to_bits()))),
                numbers: isa.select(pixels, isa.word(job.number.0), isa.word(NOTHING.1)),
                colours: isa.words(from),
            };
            for kept in &mut job.waiting.kept {
                exchange::<I>(isa, kept, at, &mut new);
            }
            let present = new.present::<I>(isa);
            if present != 0 {
                job.waiting.late[row] |= late::<I>(isa, &mut job.waiting.blended, at, new, present) << place;
                let on = isa.words(colours);
                isa.put(blend_on::<I>(isa, new, present, likely, on), colours);
            }
        }
    }
}

/// Mask of the fragments of `a` that come after those of `b`.
#[inline(always)]
fn after<I: Isa>(isa: I, a: Eight<I::F, I::W>, depths: I::F, numbers: I::W) -> I::W {
    let same = isa.passes(DepthMode::Equal, a.depths, depths);
    let nearer = isa.passes(DepthMode::Greater, a.depths, depths);
    isa.or(nearer, isa.and(same, isa.greater(a.numbers, numbers)))
}

/// Leaves the nearer fragments with those that are kept, and takes the others.
#[inline(always)]
fn exchange<I: Isa>(isa: I, kept: &mut Fragments, at: usize, new: &mut Eight<I::F, I::W>) {
    let (Some(depths), Some(numbers), Some(colours)) = (
        kept.depths[at..].first_chunk_mut::<LANES>(),
        kept.numbers[at..].first_chunk_mut::<LANES>(),
        kept.colours[at..].first_chunk_mut::<LANES>(),
    ) else {
        return;
    };
    let old = Eight::<I::F, I::W> {
        depths: isa.floats(depths),
        numbers: isa.words(numbers),
        colours: isa.words(colours),
    };
    let stays = after::<I>(isa, *new, old.depths, old.numbers);
    let (z, old_z) = (isa.to_bits(new.depths), isa.to_bits(old.depths));
    isa.put_floats(isa.from_bits(isa.select(stays, z, old_z)), depths);
    isa.put(isa.select(stays, new.numbers, old.numbers), numbers);
    isa.put(isa.select(stays, new.colours, old.colours), colours);
    new.depths = isa.from_bits(isa.select(stays, old_z, z));
    new.numbers = isa.select(stays, old.numbers, new.numbers);
    new.colours = isa.select(stays, old.colours, new.colours);
}

/// Of the fragments that are there those that should have been blended before the last; they are the last from now on.
#[inline(always)]
fn late<I: Isa>(isa: I, blended: &mut Fragments, at: usize, new: Eight<I::F, I::W>, present: u32) -> u32 {
    let (Some(depths), Some(numbers)) = (
        blended.depths[at..].first_chunk_mut::<LANES>(),
        blended.numbers[at..].first_chunk_mut::<LANES>(),
    ) else {
        return present;
    };
    let (old_z, old_numbers) = (isa.floats(depths), isa.words(numbers));
    let in_time = after::<I>(isa, new, old_z, old_numbers);
    let next = isa.select(in_time, isa.to_bits(new.depths), isa.to_bits(old_z));
    isa.put_floats(isa.from_bits(next), depths);
    isa.put(isa.select(in_time, new.numbers, old_numbers), numbers);
    present & !isa.bits(in_time)
}

/// How some figures are blended.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// Of their [`Number`].
    bits: u32,
    blend: Blend,
    factors: [BlendFactor; 2],
}

impl Way {
    #[inline(always)]
    fn of(number: Number) -> Self {
        let bits = number.0 % (1 << FACTORS);
        let tsp = TspWord(bits << (32 - FACTORS));
        Self {
            bits,
            blend: Blend::of(tsp),
            factors: [tsp.src(), tsp.dst()],
        }
    }
}

/// Blends the fragments that are there, each as its figure says; first those that go the likely way.
#[inline(always)]
fn blend_on<I: Isa>(isa: I, new: Eight<I::F, I::W>, present: u32, likely: Way, mut on: I::W) -> I::W {
    let own = isa.and(new.numbers, isa.word((1 << FACTORS) - 1));
    let source = Channels::of::<I>(isa, new.colours);
    let (mut left, mut way) = (present, likely);
    loop {
        let alike = isa.and(isa.equal(own, isa.word(way.bits)), isa.lanes(left));
        let blended = blend::<I>(isa, way.blend, way.factors, source, on);
        on = isa.select(alike, blended, on);
        left &= !isa.bits(alike);
        if left == 0 {
            return on;
        }
        let mut numbers = [0; LANES];
        isa.put(own, &mut numbers);
        way = Way::of(Number(numbers[left.trailing_zeros() as usize % LANES]));
    }
}

/// What waits, when all figures have come.
pub(in crate::core::fast) struct Rest<'a> {
    pub(super) waiting: &'a Waiting,
    /// A figure like most.
    pub(super) likely: Number,
    pub(super) colours: &'a mut [u32; PADDED],
}

/// Blends all fragments that wait.
#[inline(always)]
pub(in crate::core::fast) fn settle<I: Isa>(isa: I, job: Rest<'_>) {
    let likely = Way::of(job.likely);
    for at in (0..PIXELS).step_by(LANES) {
        let Some(dest) = job.colours[at..].first_chunk_mut::<LANES>() else {
            return;
        };
        for kept in job.waiting.kept.iter().rev() {
            let (Some(numbers), Some(colours)) = (
                kept.numbers[at..].first_chunk::<LANES>(),
                kept.colours[at..].first_chunk::<LANES>(),
            ) else {
                return;
            };
            let last = Eight::<I::F, I::W> {
                depths: isa.float(0.0),
                numbers: isa.words(numbers),
                colours: isa.words(colours),
            };
            let present = last.present::<I>(isa);
            if present != 0 {
                isa.put(blend_on::<I>(isa, last, present, likely, isa.words(dest)), dest);
            }
        }
    }
}
