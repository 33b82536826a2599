//! Depth tests of a figure against a tile, row by row.

use super::cover::Cover;
use super::isa::Isa;
use super::lanes::{LANES, each};
use crate::core::PIXELS;
use crate::core::plane::{PLACES, Plane, Row, TILE};
use crate::param::DepthMode;
use crate::settings::DepthStore;

/// Padding behind a tile's rows, so that groups may begin anywhere.
pub(super) const PADDED: usize = PIXELS + LANES;

/// A figure of the opaque list.
pub(super) struct Opaque<'a> {
    pub(super) cover: &'a Cover,
    pub(super) z: &'a Plane,
    /// Sample of the tile's first pixel.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) store: DepthStore,
    pub(super) mode: DepthMode,
    pub(super) write: bool,
    pub(super) tag: u32,
    pub(super) depth: &'a mut [f32; PADDED],
    pub(super) tags: &'a mut [u32; PADDED],
}

/// Whether a depth passes against the stored one.
#[inline(always)]
pub(super) fn passes(mode: DepthMode, new: f32, old: f32) -> bool {
    crate::core::scalar::passes(mode, new, old)
}

/// Depths of the group at a place of a row, as the tile keeps them.
#[inline(always)]
pub(super) fn depths(row: Row, place: usize, store: DepthStore) -> [f32; LANES] {
    let places = &PLACES[place..place + LANES];
    let z = each(|n| row.at_place(places[n]));
    match store {
        DepthStore::F32 => z,
        DepthStore::M19Unsigned => each(|n| f32::from_bits(z[n].max(0.0).to_bits() & 0x7FFF_FFF0)),
    }
}

/// Tests all spans of an opaque figure and leaves its tag and depth where it passes.
#[inline(always)]
pub(super) fn opaque(job: Opaque<'_>) {
    /// One loop for each mode, so that the comparison is not chosen for each pixel.
    macro_rules! by_mode {
        ($($mode:ident),*) => {
            match (job.mode, job.write) {
                $((DepthMode::$mode, true) => opaque_by(job, true, |new, old| passes(DepthMode::$mode, new, old)),)*
                (mode, false) => opaque_by(job, false, |new, old| passes(mode, new, old)),
            }
        };
    }
    by_mode!(
        Never,
        Less,
        Equal,
        LessEqual,
        Greater,
        NotEqual,
        GreaterEqual,
        Always
    );
}

#[inline(always)]
fn opaque_by(job: Opaque<'_>, write: bool, passes: impl Fn(f32, f32) -> bool) {
    for (row, from, to) in job.cover.spans() {
        let line = job.z.row(job.x, job.y + row as f64);
        for place in (from..to).step_by(LANES) {
            let z = depths(line, place, job.store);
            let at = row * TILE + place;
            let (Some(depth), Some(tags)) = (
                job.depth[at..].first_chunk_mut::<LANES>(),
                job.tags[at..].first_chunk_mut::<LANES>(),
            ) else {
                return;
            };
            let left = (to - place) as u32;
            for n in 0..LANES {
                let pass = passes(z[n], depth[n]) & ((n as u32) < left);
                tags[n] = if pass { job.tag } else { tags[n] };
                if write {
                    depth[n] = if pass { z[n] } else { depth[n] };
                }
            }
        }
    }
}

/// A figure of a translucent list.
pub(super) struct Layer<'a> {
    /// First row of the figure, and from there on a word a row: pixels that it covers, of which those that pass are left.
    pub(super) first: usize,
    pub(super) masks: &'a mut [u32],
    pub(super) z: &'a Plane,
    /// Sample of the tile's first pixel.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) store: DepthStore,
    pub(super) mode: DepthMode,
    pub(super) depth: &'a [f32; PADDED],
    /// Nearest layer so far; `None` if order does not matter.
    pub(super) nearest: Option<Nearest<'a>>,
}

/// The nearest layer of each pixel so far, with its order.
pub(super) struct Nearest<'a> {
    /// Of the figure.
    pub(super) order: u32,
    pub(super) depth: &'a mut [f32; PADDED],
    pub(super) orders: &'a mut [u32; PADDED],
    /// Pixels where some figure was not nearer than the one before, a word a row of the tile.
    pub(super) crossed: &'a mut [u32; TILE],
}

/// Tests all covered pixels of a translucent figure; nothing is written to the depth.
#[inline(always)]
pub(super) fn layer<I: Isa>(mut job: Layer<'_>) {
    let mode = job.mode;
    for (row, covered) in (job.first..TILE).zip(job.masks.iter_mut()) {
        if *covered == 0 {
            continue;
        }
        let line = job.z.row(job.x, job.y + row as f64);
        let (from, to) = (
            covered.trailing_zeros() as usize,
            32 - covered.leading_zeros() as usize,
        );
        let mut passed = 0;
        for place in (from..to).step_by(LANES) {
            let z = depths(line, place, job.store);
            let at = row * TILE + place;
            let Some(depth) = job.depth[at..].first_chunk::<LANES>() else {
                return;
            };
            let mask = (*covered >> place)
                & if mode == DepthMode::GreaterEqual {
                    I::greater_equal(&z, depth)
                } else {
                    (0..LANES).fold(0, |mask, n| mask | u32::from(passes(mode, z[n], depth[n])) << n)
                };
            passed |= mask << place;
            if let Some(nearest) = &mut job.nearest {
                nearest.crossed[row] |= cross(nearest, at, &z, mask) << place;
            }
        }
        *covered = passed;
    }
}

/// Puts the pixels of a mask on top of the nearest layers; returns those that are not nearer, nor equal and submitted later.
#[inline(always)]
fn cross(nearest: &mut Nearest<'_>, at: usize, z: &[f32; LANES], mask: u32) -> u32 {
    let (Some(depth), Some(orders)) = (
        nearest.depth[at..].first_chunk_mut::<LANES>(),
        nearest.orders[at..].first_chunk_mut::<LANES>(),
    ) else {
        return 0;
    };
    let mut crossed = 0;
    for n in 0..LANES {
        let passed = mask >> n & 1 != 0;
        let behind = z[n] < depth[n] || z[n] == depth[n] && nearest.order <= orders[n];
        crossed |= u32::from(passed & behind) << n;
        depth[n] = if passed { z[n] } else { depth[n] };
        orders[n] = if passed { nearest.order } else { orders[n] };
    }
    crossed
}

/// Depths of a whole row at (`x`, `y`).
pub(super) fn row(z: &Plane, x: f64, y: f64, store: DepthStore) -> [f32; TILE] {
    let line = z.row(x, y);
    let mut out = [0.0; TILE];
    for (place, group) in (0..TILE).step_by(LANES).zip(out.as_chunks_mut::<LANES>().0) {
        *group = depths(line, place, store);
    }
    out
}
