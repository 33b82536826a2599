//! Shaded fragments of each pixel, sorted as they come, eight pixels at a time.

use super::super::depth::{PADDED, depths};
use super::super::isa::{Isa, LANES};
use super::super::shade::channels::{Blend, Channels, blend};
use crate::core::PIXELS;
use crate::core::plane::{Plane, TILE};
use crate::param::{BlendFactor, DepthMode};
use crate::settings::DepthStore;

/// Fragments that a pixel can hold; of 12 bytes each.
pub(super) const MOST: usize = 24;

/// In place of a fragment's number: nothing is nearer, and of all at the same depth it is last.
const EMPTY: u32 = i32::MAX as u32;

/// A fragment of each pixel.
#[derive(Debug)]
pub(super) struct Fragments {
    depths: [f32; PADDED],
    /// Place of the figure in its list.
    pub(super) tags: [u32; PADDED],
    pub(super) colours: [u32; PADDED],
}

impl Fragments {
    fn clear(&mut self) {
        self.depths.fill(f32::INFINITY);
        self.tags.fill(EMPTY);
    }
}

/// The fragments of a tile: of each pixel the farthest first.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    layers: Vec<Fragments>,
    /// Layers in use.
    held: usize,
}

impl Stacks {
    pub(super) fn clear(&mut self) {
        self.held = 0;
    }

    /// From far to near.
    pub(super) fn layers(&self) -> &[Fragments] {
        &self.layers[..self.held]
    }

    /// A layer without fragments; `None` if there are as many as can be.
    #[cold]
    fn add(&mut self) -> Option<&mut Fragments> {
        if self.held == MOST {
            return None;
        }
        if self.held == self.layers.len() {
            self.layers.push(Fragments {
                depths: [0.0; PADDED],
                tags: [0; PADDED],
                colours: [0; PADDED],
            });
        }
        self.held += 1;
        let layer = &mut self.layers[self.held - 1];
        layer.clear();
        Some(layer)
    }
}

/// Shaded pixels of a figure.
pub(in crate::core::fast) struct Push<'a> {
    pub(super) stacks: &'a mut Stacks,
    /// First row, and from there on a word a row: the pixels.
    pub(super) first: usize,
    pub(super) masks: &'a [u32],
    pub(super) z: &'a Plane,
    /// Sample of the tile's first pixel.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) store: DepthStore,
    /// Place of the figure in its list, in which figures are in the order of their submission.
    pub(super) tag: u32,
    pub(super) colours: &'a [u32; PADDED],
}

/// Fragments on their way to their places.
struct Carried<F, W> {
    depths: F,
    tags: W,
    colours: W,
}

/// Puts the pixels of a figure in their places; false if one has too many.
#[inline(always)]
pub(in crate::core::fast) fn push<I: Isa>(job: Push<'_>) -> bool {
    let column = job.z.column(job.x);
    for (row, &mask) in (job.first..TILE).zip(job.masks) {
        let line = column.row(job.y + row as f64);
        let mut left = mask;
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            let pixels = I::lanes(left >> place & 0xFF);
            left &= !(0xFF << place);
            let at = row * TILE + place;
            let Some(colours) = job.colours[at..].first_chunk::<LANES>() else {
                return false;
            };
            let z = I::to_bits(depths::<I>(line, place, job.store));
            let nothing = I::word(f32::INFINITY.to_bits());
            let new = Carried {
                depths: I::from_bits(I::select(pixels, z, nothing)),
                tags: I::select(pixels, I::word(job.tag), I::word(EMPTY)),
                colours: I::words(colours),
            };
            if !sink::<I>(job.stacks, at, new) {
                return false;
            }
        }
    }
    true
}

/// Lets fragments take the place of nearer ones, and these of others; false if there is no place for the nearest.
#[inline(always)]
fn sink<I: Isa>(stacks: &mut Stacks, at: usize, mut new: Carried<I::F, I::W>) -> bool {
    for layer in &mut stacks.layers[..stacks.held] {
        if is_placed::<I>(exchange::<I>(layer, at, &mut new)) {
            return true;
        }
    }
    let Some(layer) = stacks.add() else {
        return false;
    };
    exchange::<I>(layer, at, &mut new);
    true
}

/// Whether no fragment is left.
#[inline(always)]
fn is_placed<I: Isa>(tags: I::W) -> bool {
    I::bits(I::equal(tags, I::word(EMPTY))) == 0xFF
}

/// Exchanges fragments for those of a layer that are nearer; returns the figures that are left.
#[inline(always)]
fn exchange<I: Isa>(layer: &mut Fragments, at: usize, new: &mut Carried<I::F, I::W>) -> I::W {
    let (Some(depths), Some(tags), Some(colours)) = (
        layer.depths[at..].first_chunk_mut::<LANES>(),
        layer.tags[at..].first_chunk_mut::<LANES>(),
        layer.colours[at..].first_chunk_mut::<LANES>(),
    ) else {
        return new.tags;
    };
    let (old_depths, old_tags, old_colours) = (I::floats(depths), I::words(tags), I::words(colours));
    let same = I::passes(DepthMode::Equal, new.depths, old_depths);
    let farther = I::passes(DepthMode::Less, new.depths, old_depths);
    let before = I::or(farther, I::and(same, I::greater(old_tags, new.tags)));
    if I::bits(before) == 0 {
        return new.tags;
    }
    let (z, old_z) = (I::to_bits(new.depths), I::to_bits(old_depths));
    I::put_floats(I::from_bits(I::select(before, z, old_z)), depths);
    I::put(I::select(before, new.tags, old_tags), tags);
    I::put(I::select(before, new.colours, old_colours), colours);
    new.depths = I::from_bits(I::select(before, old_z, z));
    new.tags = I::select(before, old_tags, new.tags);
    new.colours = I::select(before, old_colours, new.colours);
    new.tags
}

/// Shaded pixels of a figure that go on top of what is there.
pub(in crate::core::fast) struct Lay<'a> {
    /// First row, and from there on a word a row: the pixels.
    pub(super) first: usize,
    pub(super) masks: &'a [u32],
    pub(super) from: &'a [u32; PADDED],
    pub(super) blend: Blend,
    pub(super) factors: [BlendFactor; 2],
    pub(super) colours: &'a mut [u32; PADDED],
}

/// Blends shaded pixels.
#[inline(always)]
pub(in crate::core::fast) fn lay<I: Isa>(job: Lay<'_>) {
    for (row, &mask) in (job.first..TILE).zip(job.masks) {
        let mut left = mask;
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            let pixels = I::lanes(left >> place & 0xFF);
            left &= !(0xFF << place);
            let at = row * TILE + place;
            let (Some(from), Some(dest)) = (
                job.from[at..].first_chunk::<LANES>(),
                job.colours[at..].first_chunk_mut::<LANES>(),
            ) else {
                return;
            };
            let before = I::words(dest);
            let source = Channels::of::<I>(I::words(from));
            let after = blend::<I>(job.blend, job.factors, source, before);
            I::put(I::select(pixels, after, before), dest);
        }
    }
}

/// Fragments that are all blended in one way.
pub(in crate::core::fast) struct Blended<'a> {
    pub(super) stacks: &'a Stacks,
    pub(super) blend: Blend,
    pub(super) factors: [BlendFactor; 2],
    pub(super) colours: &'a mut [u32; PADDED],
}

/// Blends the fragments of all pixels.
#[inline(always)]
pub(in crate::core::fast) fn blend_all<I: Isa>(job: Blended<'_>) {
    for at in (0..PIXELS).step_by(LANES) {
        let Some(dest) = job.colours[at..].first_chunk_mut::<LANES>() else {
            return;
        };
        let mut colour = I::words(dest);
        for layer in job.stacks.layers() {
            let (Some(tags), Some(colours)) = (
                layer.tags[at..].first_chunk::<LANES>(),
                layer.colours[at..].first_chunk::<LANES>(),
            ) else {
                return;
            };
            let tags = I::words(tags);
            if is_placed::<I>(tags) {
                break;
            }
            let source = Channels::of::<I>(I::words(colours));
            let after = blend::<I>(job.blend, job.factors, source, colour);
            colour = I::select(I::equal(tags, I::word(EMPTY)), colour, after);
        }
        I::put(colour, dest);
    }
}

/// The figures of a pixel's fragments and their colours, from far to near.
pub(super) fn of_pixel(stacks: &Stacks, pixel: usize) -> impl Iterator<Item = (u32, u32)> {
    let fragments = stacks
        .layers()
        .iter()
        .map(move |layer| (layer.tags[pixel], layer.colours[pixel]));
    fragments.take_while(|(tag, _)| *tag != EMPTY)
}

#[cfg(test)]
mod tests {
    use super::super::super::isa::Baseline;
    use super::*;
    use crate::core::plane::Corners;

    /// The plane of one depth.
    fn flat(z: f64) -> Plane {
        Corners::new([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).plane([z; 3])
    }

    fn push_at(stacks: &mut Stacks, masks: &[u32], z: f64, tag: u32) -> bool {
        push::<Baseline>(Push {
            stacks,
            first: 1,
            masks,
            z: &flat(z),
            x: 0.0,
            y: 0.0,
            store: DepthStore::F32,
            tag,
            colours: &[tag + 100; PADDED],
        })
    }

    #[test]
    fn pixels_have_their_fragments_from_far_to_near() {
        let mut stacks = Stacks::default();
        let (wide, narrow) = (0x000F_FFF0, 0x0000_0100);
        // Depths 1 and 3 twice each; the figure listed first comes first.
        for (tag, (mask, z)) in [
            (wide, 3.0),
            (narrow, 1.0),
            (wide, 2.0),
            (wide, 1.0),
            (narrow, 3.0),
        ]
        .into_iter()
        .enumerate()
        {
            assert!(push_at(&mut stacks, &[mask], z, tag as u32));
        }
        let of = |pixel| of_pixel(&stacks, TILE + pixel).collect::<Vec<_>>();
        assert_eq!(of(4), [(3, 103), (2, 102), (0, 100)]);
        assert_eq!(of(8), [(1, 101), (3, 103), (2, 102), (0, 100), (4, 104)]);
        assert_eq!(of(19), of(4));
        assert_eq!([of(3), of(20)], [[], []]);
    }

    #[test]
    fn a_pixel_is_full_at_its_depth() {
        let mut stacks = Stacks::default();
        for n in 0..MOST as u32 {
            assert!(push_at(&mut stacks, &[0, 1 << 31], f64::from(n), n));
        }
        assert!(!push_at(&mut stacks, &[0, 1 << 31], 0.5, 99));
        assert!(push_at(&mut stacks, &[0, 1 << 30], 0.5, 99), "another has room");
        stacks.clear();
        assert!(push_at(&mut stacks, &[0, 1 << 31], 0.5, 99));
        assert_eq!(of_pixel(&stacks, 2 * TILE + 31).collect::<Vec<_>>(), [(99, 199)]);
    }
}
