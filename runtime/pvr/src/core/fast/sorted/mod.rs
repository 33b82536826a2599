//! Translucent layers, far to near at every pixel.
//!
//! The primitives of a tile are put in order by their depth at one pixel each. If no two of them overlap in
//! depth that order is right at every pixel, and they are drawn one after the other. Else it is nearly right:
//! a few fragments of each pixel are kept back until those are there that go beneath them (`k_buffer`,
//! `streamed`). What is too far out of order for that is drawn pixel by pixel (`fragments`, `layered`).
//! Primitives that have to know what lies beneath them are drawn one after the other where their order is
//! right, which is found out by a pass over depths alone, and pixel by pixel elsewhere.

mod fragments;
mod k_buffer;
mod layered;
mod streamed;

use super::cover::Cover;
use super::depth::{AfterTest, Layer, Nearest, PADDED};
use super::isa::Isa;
use super::pixels::{NOWHERE, Pixels};
use super::{TRANSLUCENT, Tile};
use crate::ListType;
use crate::core::key;
use crate::core::plane::{Plane, TILE};
use crate::core::scalar::stored;
use crate::core::scene::{Pass, Scene};
use crate::param::DepthMode;
use crate::settings::Settings;
pub(super) use fragments::{Buckets, Fragment, MAX_FRAGMENTS, unsortable};
use k_buffer::KBuffer;
pub(super) use k_buffer::{Flush, Insertion, flush, insert};

/// Primitives of a tile that are put in order; a list with more is drawn by the definition.
const MAX_ITEMS: usize = 4096;

/// A primitive with pixels in the tile.
#[derive(Debug, Clone, Copy)]
struct Item {
    order: u32,
    /// Place in the list.
    tag: u32,
    /// First row, and words of [`Sorted::masks`].
    first: u32,
    start: u32,
    end: u32,
    z: Plane,
}

/// Memory of this module.
#[derive(Debug)]
pub(super) struct Sorted {
    /// In list order, then from far to near.
    items: Vec<Item>,
    /// Of each item its depth at one pixel, then its submission order; and its place as listed.
    keys: Vec<(u64, u32)>,
    /// Pixels of each item, a word a row.
    masks: Vec<u32>,
    nearest: Box<[f32; PADDED]>,
    orders: Box<[u32; PADDED]>,
    /// Colours of one primitive.
    apart: Box<[u32; PADDED]>,
    k_buffer: Box<KBuffer>,
    /// The tile's colours before the list was drawn.
    before: Box<[u32; PADDED]>,
    /// The list's primitives are in the order of their submission, each once.
    as_submitted: bool,
}

impl Default for Sorted {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            keys: Vec::new(),
            masks: Vec::new(),
            nearest: Box::new([0.0; PADDED]),
            orders: Box::new([0; PADDED]),
            apart: Box::new([0; PADDED]),
            k_buffer: Box::default(),
            before: Box::new([0; PADDED]),
            as_submitted: true,
        }
    }
}

impl Sorted {
    /// Puts the items in order. (They are large: keys are moved about, each item only once.)
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
        if !self.collect(objects) {
            self.list_by_definition(scene, pass, ListType::Translucent, &[u32::MAX; TILE]);
            return;
        }
        self.buffers.sorted.sort();
        let left = if self.is_in_order() {
            self.draw_in_order(&NOWHERE);
            NOWHERE
        } else if let Some(late) = self.stream() {
            late
        } else {
            let crossed = self.find_crossed();
            self.draw_in_order(&crossed);
            crossed
        };
        if left != NOWHERE && !self.gather(&left) {
            self.list_by_definition(scene, pass, ListType::Translucent, &left);
        }
    }

    /// Lists the primitives with their pixels; false if they are too many.
    fn collect(&mut self, objects: &[u32]) -> bool {
        let isa = self.isa;
        let (x, y) = self.sample();
        let (reader, source) = (self.reader, self.source);
        let store = source.settings.depth_store;
        let (buffers, warnings) = (&mut *self.buffers, &mut self.warnings);
        let sorted = &mut buffers.sorted;
        sorted.items.clear();
        sorted.keys.clear();
        sorted.masks.clear();
        buffers.triangles.clear();
        let mut cover = Cover::default();
        sorted.as_submitted = true;
        let (mut count, mut fits, mut next) = (0, true, 0);
        let complete = reader.each_announced(objects, false, super::fetch::<I>(isa, source), |triangle| {
            count += 1;
            let primitive = buffers.caches.primitive::<I>(isa, &source, &triangle, warnings);
            if !fits || !isa.cover(primitive, x, y, &mut cover) {
                return;
            }
            let first = cover.first;
            isa.layer(Layer {
                first,
                masks: cover.masks_mut(),
                z: &primitive.z,
                x,
                y,
                store,
                mode: DepthMode::GreaterEqual,
                depth: &mut buffers.depth,
                then: AfterTest::Nothing,
            });
            if cover.masks().iter().all(|mask| *mask == 0) {
                return;
            }
            fits = sorted.items.len() < MAX_ITEMS;
            let order = triangle.order(source.regs);
            sorted.as_submitted &= order >= next;
            next = order + 1;
            let start = sorted.masks.len() as u32;
            sorted.masks.extend_from_slice(cover.masks());
            let depth = middle(&cover, &primitive.z, x, y);
            sorted.keys.push((key(depth, order), sorted.items.len() as u32));
            sorted.items.push(Item {
                order,
                tag: buffers.triangles.len() as u32,
                first: cover.first as u32,
                start,
                end: sorted.masks.len() as u32,
                z: primitive.z,
            });
            buffers.triangles.push(triangle);
        });
        self.finish_list(ListType::Translucent, count, complete);
        fits
    }

    /// Whether the order of the primitives is right wherever they could meet.
    fn is_in_order(&self) -> bool {
        let (x, y) = self.sample();
        let Sorted { items, masks, .. } = &self.buffers.sorted;
        let (mut nearest, mut order) = (f32::NEG_INFINITY, 0);
        items.iter().all(|item| {
            let masks = &masks[item.start as usize..item.end as usize];
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

    /// Holds every primitive against the one before it at each pixel; returns where that is not farther, a
    /// word a row.
    fn find_crossed(&mut self) -> [u32; TILE] {
        let isa = self.isa;
        let (x, y) = self.sample();
        let store = self.source.settings.depth_store;
        let buffers = &mut *self.buffers;
        let sorted = &mut buffers.sorted;
        // Compares with nothing.
        sorted.nearest.fill(f32::NAN);
        let mut crossed = [0; TILE];
        for item in &sorted.items {
            isa.layer(Layer {
                first: item.first as usize,
                masks: &mut sorted.masks[item.start as usize..item.end as usize],
                z: &item.z,
                x,
                y,
                store,
                mode: DepthMode::GreaterEqual,
                depth: &mut buffers.depth,
                then: AfterTest::Nearest(Nearest {
                    order: item.order,
                    depth: &mut sorted.nearest,
                    orders: &mut sorted.orders,
                    crossed: &mut crossed,
                }),
            });
        }
        crossed
    }

    /// Draws the primitives one after the other, but for crossed pixels.
    fn draw_in_order(&mut self, crossed: &[u32; TILE]) {
        let before = self.counts.shaded[ListType::Translucent.index()];
        for n in 0..self.buffers.sorted.items.len() {
            let item = self.buffers.sorted.items[n];
            let mut own = NOWHERE;
            let passed = &self.buffers.sorted.masks[item.start as usize..item.end as usize];
            for (own, (passed, crossed)) in own
                .iter_mut()
                .zip(passed.iter().zip(&crossed[item.first as usize..]))
            {
                *own = passed & !crossed;
            }
            let rows = passed.len();
            self.draw_item(&item, &own[..rows]);
        }
        self.counts.fragments += self.counts.shaded[ListType::Translucent.index()] - before;
    }

    /// Draws pixels of a primitive.
    fn draw_item(&mut self, item: &Item, masks: &[u32]) {
        let triangle = self.buffers.triangles[item.tag as usize];
        let first = item.first as usize;
        let inside = if triangle.shadow {
            self.inside_of(TRANSLUCENT, &item.z, first, masks)
        } else {
            NOWHERE
        };
        let pixels = Pixels {
            list: ListType::Translucent,
            triangle: &triangle,
            first,
            masks,
        };
        self.shade(pixels, &inside);
    }
}

/// The depth of one pixel near the middle of what is covered: enough to put most primitives in order.
#[inline(always)]
fn middle(cover: &Cover, z: &Plane, x: f64, y: f64) -> f32 {
    let row = (cover.first + cover.end - 1) / 2;
    let mask = cover.row(row);
    // Between the first and the last pixel; of an empty row any place will do.
    let column = (mask.trailing_zeros() + 32 - mask.leading_zeros()) / 2;
    let (c, dx, dy) = z.terms();
    (c + dx * (x + f64::from(column)) + dy * (y + row as f64)) as f32
}

/// Bounds of a primitive's depths, not numbers if there are none: those at the corners of a rectangle around
/// its pixels, as values turn neither along rows nor along columns, rounded or not.
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
