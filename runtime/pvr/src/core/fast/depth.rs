//! Depth tests of a primitive against a tile, row by row.

use super::cover::Cover;
use super::isa::{Baseline, Isa, LANES};
use crate::core::PIXELS;
use crate::core::plane::{PLACES, Plane, Row, TILE};
use crate::param::DepthMode;
use crate::settings::DepthStore;

/// Pixels of a tile, and padding so that a group may begin at any pixel.
pub(super) const PADDED: usize = PIXELS + LANES;

/// A primitive of the opaque list.
pub(super) struct Opaque<'a> {
    pub(super) cover: &'a Cover,
    pub(super) z: &'a Plane,
    /// Sample position of the tile's first pixel.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) store: DepthStore,
    pub(super) mode: DepthMode,
    pub(super) write: bool,
    pub(super) tag: u32,
    pub(super) depth: &'a mut [f32; PADDED],
    pub(super) tags: &'a mut [u32; PADDED],
}

/// Returns the depths of the group that begins at `place` of a row, in the precision of the depth buffer.
#[inline(always)]
pub(super) fn depths<I: Isa>(isa: I, row: Row, place: usize, store: DepthStore) -> I::F {
    let places = PLACES[place..].first_chunk().unwrap_or(&[0.0; LANES]);
    let z = isa.add(
        isa.splat_float(row.start),
        isa.mul(isa.splat_float(row.step), isa.load_floats(places)),
    );
    match store {
        DepthStore::F32 => z,
        DepthStore::M19Unsigned => {
            let held = isa.floats_to_bits(isa.max(z, isa.splat_float(0.0)));
            isa.bits_to_floats(isa.and(held, isa.splat(0x7FFF_FFF0)))
        }
    }
}

/// Tests all spans of an opaque primitive. Writes its tag and depth to the pixels that pass.
#[inline(always)]
pub(super) fn opaque<I: Isa>(isa: I, task: Opaque<'_>) {
    /// One loop for each mode, so that groups do not branch on the mode.
    macro_rules! by_mode {
        ($($mode:ident),*) => {
            match task.mode {
                $(DepthMode::$mode => opaque_by::<I>(isa, task, DepthMode::$mode),)*
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
fn opaque_by<I: Isa>(isa: I, task: Opaque<'_>, mode: DepthMode) {
    let column = task.z.column(task.x);
    let tag = isa.splat(task.tag);
    for (row, &mask) in (task.cover.first..TILE).zip(task.cover.masks()) {
        let line = column.row(task.y + row as f64);
        let mut left = mask;
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            let pixels = left >> place & 0xFF;
            left &= !(0xFF << place);
            let z = depths::<I>(isa, line, place, task.store);
            let at = row * TILE + place;
            let (Some(depth), Some(tags)) = (
                task.depth[at..].first_chunk_mut::<LANES>(),
                task.tags[at..].first_chunk_mut::<LANES>(),
            ) else {
                return;
            };
            let old = isa.load_floats(depth);
            let mask = isa.and(isa.passes(mode, z, old), isa.lanes(pixels));
            isa.store(isa.select(mask, tag, isa.load_words(tags)), tags);
            if task.write {
                let new = isa.select(mask, isa.floats_to_bits(z), isa.floats_to_bits(old));
                isa.store_floats(isa.bits_to_floats(new), depth);
            }
        }
    }
}

/// A primitive of a translucent or punch-through list.
pub(super) struct Layer<'a> {
    /// First row of the primitive. `masks` has one word for each row from this one on. A word holds the
    /// covered pixels before the test, and the passed pixels after it.
    pub(super) first: usize,
    pub(super) masks: &'a mut [u32],
    pub(super) z: &'a Plane,
    /// Sample position of the tile's first pixel.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) store: DepthStore,
    pub(super) mode: DepthMode,
    pub(super) depth: &'a mut [f32; PADDED],
    /// True if the primitive writes its depth to the pixels that pass.
    pub(super) write: bool,
}

/// Tests all covered pixels of a translucent or punch-through primitive.
#[inline(always)]
pub(super) fn layer<I: Isa>(isa: I, task: Layer<'_>) {
    match (task.mode, task.write) {
        (DepthMode::GreaterEqual, false) => layer_by::<I, false>(isa, task, DepthMode::GreaterEqual),
        (mode, _) => layer_by::<I, true>(isa, task, mode),
    }
}

/// Implements [`layer`]. With `MAY_WRITE` false, the primitive never writes depths.
#[inline(always)]
fn layer_by<I: Isa, const MAY_WRITE: bool>(isa: I, task: Layer<'_>, mode: DepthMode) {
    let column = task.z.column(task.x);
    for (row, covered) in (task.first..TILE).zip(task.masks) {
        if *covered == 0 {
            continue;
        }
        let line = column.row(task.y + row as f64);
        let mut left = *covered;
        let mut passed = 0;
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            let pixels = left >> place & 0xFF;
            left &= !(0xFF << place);
            let z = depths::<I>(isa, line, place, task.store);
            let at = row * TILE + place;
            let Some(depth) = task.depth[at..].first_chunk_mut::<LANES>() else {
                return;
            };
            let old = isa.load_floats(depth);
            let mask = isa.and(isa.passes(mode, z, old), isa.lanes(pixels));
            passed |= isa.bits(mask) << place;
            if MAY_WRITE && task.write {
                let new = isa.select(mask, isa.floats_to_bits(z), isa.floats_to_bits(old));
                isa.store_floats(isa.bits_to_floats(new), depth);
            }
        }
        *covered = passed;
    }
}

/// Returns the pixels of a row at which a plane is at least as near as the stored depth.
pub(super) fn not_behind(row: Row, store: DepthStore, stored: &[f32; TILE]) -> u32 {
    let mut mask = 0;
    for (place, stored) in (0..TILE).step_by(LANES).zip(stored.as_chunks::<LANES>().0) {
        let z = depths::<Baseline>(Baseline, row, place, store);
        mask |= Baseline.bits(Baseline.passes(DepthMode::GreaterEqual, z, *stored)) << place;
    }
    mask
}

/// Returns the depths of a whole row that begins at (`x`, `y`).
pub(super) fn row(z: &Plane, x: f64, y: f64, store: DepthStore) -> [f32; TILE] {
    let line = z.row(x, y);
    let mut out = [0.0; TILE];
    for (place, group) in (0..TILE).step_by(LANES).zip(out.as_chunks_mut::<LANES>().0) {
        *group = depths::<Baseline>(Baseline, line, place, store);
    }
    out
}
