//! Punch-through and translucent lists.
//!
//! The tile collects its primitives with the pixels that pass the depth test. Then it draws translucent
//! primitives in one of three orders:
//!
//! - One primitive after the other: in list order (presort), or from far to near if no two overlap in depth.
//! - Through a k-buffer (`k_buffer`, `streamed`): from far to near, by the depth of each primitive at one of
//!   its pixels. Each pixel holds back a few fragments until farther ones are blended.
//! - Layer by layer, with sorted fragments of each pixel (`fragments`, `layered`): for pixels too far out of
//!   order for the k-buffer, and for lists that use the second accumulator.

mod fragments;
mod k_buffer;
mod layered;
mod streamed;

use super::cover::Cover;
use super::depth::{Layer, PADDED};
use super::isa::Isa;
use super::pixels::{NOWHERE, Pixels};
use super::{TRANSLUCENT, Tile};
use crate::ListType;
use crate::core::key;
use crate::core::objects::Triangle;
use crate::core::plane::{Plane, TILE};
use crate::core::scalar::stored;
use crate::core::scene::{Pass, Scene};
use crate::param::DepthMode;
use crate::settings::{PresortModvol, Settings};
pub(super) use fragments::{Buckets, depth_of_key};
use k_buffer::KBuffer;
pub(super) use k_buffer::{Flush, FragmentOrder, Insertion, flush, insert};
use std::ops::Range;

/// Maximum number of collected primitives in a tile. The reference renderer (`core::scalar`) draws longer
/// sorted lists.
const MAX_ITEMS: usize = 4096;

/// Depth test of a list's primitives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListTest {
    /// Nearer than the stored depth, or equal.
    GreaterEqual,
    /// Each primitive's own mode.
    Own,
    /// Each primitive's own mode. Primitives may write their depths, and the tile draws them at once.
    Presort,
}

/// A primitive with pixels in the tile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    order: u32,
    /// Index in [`super::Buffers::triangles`].
    pub(super) tag: u32,
    /// First row, and range of words in [`Sorted::masks`].
    first: u32,
    start: u32,
    end: u32,
    pub(super) z: Plane,
}

impl Item {
    /// Returns the rows of the tile from the item's first row.
    fn rows(&self) -> Range<usize> {
        self.first as usize..TILE
    }

    /// Returns the range of the item's words in [`Sorted::masks`], one word per row.
    fn masks(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Memory of this module.
#[derive(Debug)]
pub(super) struct Sorted {
    /// Items in list order; after sorting, from far to near.
    items: Vec<Item>,
    /// Sort key and index of each item. The key is the depth at one pixel, then the submission order.
    keys: Vec<(u64, u32)>,
    /// Pixels of each item, one word per row.
    masks: Vec<u32>,
    /// Colours of one primitive.
    pub(super) apart: Box<[u32; PADDED]>,
    pub(super) k_buffer: Box<KBuffer>,
    /// The tile's colours before the list was drawn.
    before: Box<[u32; PADDED]>,
    /// True if the list has each primitive once, in the order of submission.
    as_submitted: bool,
    next_order: u32,
}

impl Default for Sorted {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            keys: Vec::new(),
            masks: Vec::new(),
            apart: Box::new([0; PADDED]),
            k_buffer: Box::default(),
            before: Box::new([0; PADDED]),
            as_submitted: true,
            next_order: 0,
        }
    }
}

impl Sorted {
    fn clear(&mut self) {
        self.items.clear();
        self.keys.clear();
        self.masks.clear();
        (self.as_submitted, self.next_order) = (true, 0);
    }

    /// Sorts the items. Items are large, so it sorts their keys and moves each item once.
    fn sort(&mut self) {
        self.keys.sort_unstable();
        let listed = self.items.len();
        self.items.reserve(listed);
        for &(_, n) in &self.keys {
            self.items.push(self.items[n as usize]);
        }
        self.items.drain(..listed);
    }
}

impl<I: Isa> Tile<'_, I> {
    /// Draws a translucent list sorted by depth.
    pub(super) fn sorted(&mut self, scene: &Scene, pass: &Pass) {
        let objects = scene.list(pass, ListType::Translucent);
        if objects.is_empty() {
            return;
        }
        let mut left = [u32::MAX; TILE];
        if self.collect(ListType::Translucent, objects, ListTest::GreaterEqual) {
            self.buffers.sorted.sort();
            if self.is_in_order() {
                let before = self.counts.shaded[ListType::Translucent.index()];
                (0..self.buffers.sorted.items.len()).for_each(|n| _ = self.draw_item(n, false));
                self.counts.fragments += self.counts.shaded[ListType::Translucent.index()] - before;
                return;
            }
            left = self.stream();
            if left == NOWHERE {
                return;
            }
            if self.gather(&left) {
                (0..TILE)
                    .filter(|&row| left[row] != 0)
                    .for_each(|row| self.draw_layers(row));
                return;
            }
        }
        self.list_by_reference(scene, pass, ListType::Translucent, &left);
    }

    /// Draws a translucent list in list order.
    pub(super) fn presorted(&mut self, objects: &[u32]) {
        if self.source.settings.presort_modvol == PresortModvol::Ignore {
            self.buffers.areas[TRANSLUCENT].clear(&self.source);
        }
        self.collect(ListType::Translucent, objects, ListTest::Presort);
    }

    /// Collects the primitives of a list with their pixels. Returns false if there are too many. With
    /// [`ListTest::Presort`], draws them instead.
    pub(super) fn collect(&mut self, list: ListType, objects: &[u32], test: ListTest) -> bool {
        let isa = self.isa;
        let (reader, source) = (self.reader, self.source);
        self.buffers.sorted.clear();
        self.buffers.triangles.clear();
        let mut cover = Cover::default();
        let (mut count, mut fits) = (0, true);
        let complete = reader.each_announced(objects, false, super::fetch::<I>(isa, source), |triangle| {
            count += 1;
            fits &= self.buffers.sorted.items.len() < MAX_ITEMS;
            self.collect_primitive(&triangle, test, fits, &mut cover);
        });
        self.finish_list(list, count, complete);
        fits
    }

    /// Adds a primitive to the items if it has pixels and `fits` is true.
    fn collect_primitive(&mut self, triangle: &Triangle, test: ListTest, fits: bool, cover: &mut Cover) {
        let isa = self.isa;
        let (x, y) = self.sample();
        let buffers = &mut *self.buffers;
        let primitive = buffers
            .caches
            .primitive::<I>(isa, &self.source, triangle, &mut self.warnings);
        self.counts.culled += u64::from(primitive.outline.count == 0);
        if !fits || !isa.cover(primitive, x, y, cover) {
            return;
        }
        isa.layer(Layer {
            first: cover.first,
            masks: cover.masks_mut(),
            z: &primitive.z,
            x,
            y,
            store: self.source.settings.depth_store,
            mode: match test {
                ListTest::GreaterEqual => DepthMode::GreaterEqual,
                ListTest::Own | ListTest::Presort => primitive.isp.depth_mode(),
            },
            depth: &mut buffers.depth,
            write: test == ListTest::Presort && !primitive.isp.z_write_disable(),
        });
        if cover.masks().iter().all(|mask| *mask == 0) {
            return;
        }
        if test == ListTest::Presort {
            let z = primitive.z;
            self.draw_primitive(triangle, &z, cover.first, cover.masks(), None);
            return;
        }
        let sorted = &mut buffers.sorted;
        let order = triangle.order(self.source.regs);
        sorted.as_submitted &= order >= sorted.next_order;
        sorted.next_order = order + 1;
        let start = sorted.masks.len() as u32;
        sorted.masks.extend_from_slice(cover.masks());
        let depth = middle(cover, &primitive.z, x, y);
        sorted.keys.push((key(depth, order), sorted.items.len() as u32));
        sorted.items.push(Item {
            order,
            tag: buffers.triangles.len() as u32,
            first: cover.first as u32,
            start,
            end: sorted.masks.len() as u32,
            z: primitive.z,
        });
        buffers.triangles.push(*triangle);
    }

    /// Returns true if the sorted order is correct at every pixel where primitives may overlap.
    fn is_in_order(&self) -> bool {
        let (x, y) = self.sample();
        let Sorted { items, masks, .. } = &self.buffers.sorted;
        let (mut nearest, mut order) = (f32::NEG_INFINITY, 0);
        items.iter().all(|item| {
            let masks = &masks[item.masks()];
            let [least, most] = depths(item, masks, x, y, self.source.settings);
            let nearer = least > nearest || least == nearest && item.order > order;
            if most > nearest {
                (nearest, order) = (most, item.order);
            } else {
                order = order.max(item.order);
            }
            nearer
        })
    }

    /// Draws an item, or inserts it into the k-buffer. Returns false if the k-buffer cannot blend it.
    fn draw_item(&mut self, n: usize, streamed: bool) -> bool {
        let Sorted { items, masks, .. } = &self.buffers.sorted;
        let item = items[n];
        let mut own = NOWHERE;
        let rows = item.masks().len();
        own[..rows].copy_from_slice(&masks[item.masks()]);
        let triangle = self.buffers.triangles[item.tag as usize];
        let (first, masks) = (item.first as usize, &own[..rows]);
        self.draw_primitive(&triangle, &item.z, first, masks, streamed.then_some(&item))
    }

    fn draw_primitive(
        &mut self,
        triangle: &Triangle,
        z: &Plane,
        first: usize,
        masks: &[u32],
        streamed: Option<&Item>,
    ) -> bool {
        let pixels = Pixels {
            list: ListType::Translucent,
            triangle,
            first,
            masks,
            streamed,
        };
        if triangle.shadow {
            let inside = self.inside_of(TRANSLUCENT, z, first, masks);
            self.shade(pixels, &inside)
        } else {
            self.shade(pixels, &NOWHERE)
        }
    }
}

/// Returns the depth of one pixel near the middle of the covered pixels. It is sufficient to order most
/// primitives.
#[inline(always)]
fn middle(cover: &Cover, z: &Plane, x: f64, y: f64) -> f32 {
    let row = (cover.first + cover.end - 1) / 2;
    let mask = cover.row(row);
    // Between the first and the last pixel. In an empty row any column is valid.
    let column = (mask.trailing_zeros() + 32 - mask.leading_zeros()) / 2;
    let (c, dx, dy) = z.terms();
    (c + dx * (x + f64::from(column)) + dy * (y + row as f64)) as f32
}

/// Returns the minimum and maximum of a primitive's depths, or NaN if a depth is not finite. The extremes are
/// at corners of the bounding rectangle, because rounded depths are monotonic along rows and columns.
fn depths(item: &Item, masks: &[u32], x: f64, y: f64, settings: &Settings) -> [f32; 2] {
    let all = masks.iter().fold(0, |all, mask| all | mask);
    let columns = [all.trailing_zeros(), 31 - all.leading_zeros().min(31)];
    let first = item.first as usize;
    let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
    for row in [first, first + masks.len() - 1] {
        let line = item.z.row(x, y + row as f64);
        for column in columns {
            let depth = stored(settings, line.start + line.step * column as f32);
            if !depth.is_finite() {
                return [f32::NAN; 2];
            }
            (least, most) = (least.min(depth), most.max(depth));
        }
    }
    [least, most]
}
