//! Translucent layers, far to near at every pixel.
//!
//! The figures of a tile are put in order by their depth at one pixel each, and drawn one after the other. Where that order is
//! wrong (figures cross, or overlap in depth) is found out first, pixel by pixel, by a pass over depths alone; those pixels are
//! left out, and their fragments sorted afterwards. So most pixels are shaded figure by figure, in long runs.

use super::cover::Cover;
use super::depth::{self, Layer, Nearest, PADDED, Then};
use super::isa::Isa;
use super::pixels::{NOWHERE, Pixels};
use super::{NONE, TRANSLUCENT, Tile};
use crate::ListType;
use crate::core::plane::{Plane, TILE};
use crate::core::scene::{Pass, Scene};
use crate::core::{PIXELS, key};
use crate::param::DepthMode;

/// Figures of a tile that are put in order; a list with more is drawn by the definition.
const MAX_ITEMS: usize = 4096;
/// Fragments of a tile that are sorted; with more, their pixels are drawn by the definition.
pub(super) const MAX_FRAGMENTS: usize = 1 << 15;

/// A figure with pixels in the tile.
#[derive(Debug, Clone, Copy)]
struct Item {
    /// Depth at one pixel, then submission order.
    key: u64,
    order: u32,
    /// Place in the list.
    tag: u32,
    /// First row, and words of [`Sorted::masks`].
    first: u32,
    start: u32,
    end: u32,
    z: Plane,
}

/// A crossed pixel of a figure.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fragment {
    pub(super) key: u64,
    pub(super) tag: u32,
    pub(super) pixel: u32,
}

/// Memory of this module.
#[derive(Debug)]
pub(super) struct Sorted {
    items: Vec<Item>,
    /// Pixels of each item, a word a row.
    masks: Vec<u32>,
    nearest: Box<[f32; PADDED]>,
    orders: Box<[u32; PADDED]>,
}

impl Default for Sorted {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            masks: Vec::new(),
            nearest: Box::new([0.0; PADDED]),
            orders: Box::new([0; PADDED]),
        }
    }
}

/// Fragments by pixel.
#[derive(Debug, Default)]
pub(super) struct Buckets {
    pub(super) gathered: Vec<Fragment>,
    sorted: Vec<Fragment>,
    /// First fragment of each pixel in `sorted`, and the end.
    first: Vec<u32>,
}

impl Buckets {
    /// Sorts by pixel, then by key; of equal keys the fragment of the figure that is listed first stays. Returns how many stay.
    pub(super) fn sort(&mut self) -> u64 {
        self.first.clear();
        self.first.resize(PIXELS + 1, 0);
        for fragment in &self.gathered {
            self.first[fragment.pixel as usize + 1] += 1;
        }
        for n in 0..PIXELS {
            self.first[n + 1] += self.first[n];
        }
        self.sorted.clear();
        self.sorted.resize(self.gathered.len(), Fragment::default());
        // Filled from the ends: afterwards `first` has moved to each pixel's start.
        for &fragment in self.gathered.iter().rev() {
            let at = &mut self.first[fragment.pixel as usize + 1];
            *at -= 1;
            self.sorted[*at as usize] = fragment;
        }
        self.first.push(self.sorted.len() as u32);
        (0..PIXELS).map(|pixel| self.order(pixel)).sum()
    }

    fn range(&self, pixel: usize) -> std::ops::Range<usize> {
        self.first[pixel + 1] as usize..self.first[pixel + 2] as usize
    }

    /// Sorts the fragments of a pixel, which are nearly in order; doubles get the tag [`NONE`].
    fn order(&mut self, pixel: usize) -> u64 {
        let range = self.range(pixel);
        let fragments = &mut self.sorted[range];
        if fragments.len() > 32 {
            fragments.sort_unstable_by_key(|f| (f.key, f.tag));
        }
        for n in 1..fragments.len() {
            let mut at = n;
            while at > 0
                && (fragments[at - 1].key, fragments[at - 1].tag) > (fragments[at].key, fragments[at].tag)
            {
                fragments.swap(at - 1, at);
                at -= 1;
            }
        }
        let mut last = None;
        let mut count = 0;
        for fragment in fragments {
            if last == Some(fragment.key) {
                fragment.tag = NONE;
            } else {
                last = Some(fragment.key);
                count += 1;
            }
        }
        count
    }

    /// Fragments of a pixel in ascending order; those with the tag [`NONE`] do not count.
    pub(super) fn of(&self, pixel: usize) -> &[Fragment] {
        self.sorted.get(self.range(pixel)).unwrap_or_default()
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
        self.buffers
            .sorted
            .items
            .sort_unstable_by_key(|item| (item.key, item.tag));
        let crossed = self.find_crossed();
        self.draw_in_order(&crossed);
        if crossed != [0; TILE] && !self.gather(&crossed) {
            self.list_by_definition(scene, pass, ListType::Translucent, &crossed);
        }
    }

    /// Lists the figures with their pixels; false if they are too many.
    fn collect(&mut self, objects: &[u32]) -> bool {
        let (x, y) = self.sample();
        let (reader, source) = (self.reader, self.source);
        let (buffers, warnings) = (&mut *self.buffers, &mut self.warnings);
        let sorted = &mut buffers.sorted;
        sorted.items.clear();
        sorted.masks.clear();
        buffers.triangles.clear();
        let mut cover = Cover::default();
        let (mut count, mut fits) = (0, true);
        let complete = reader.each(objects, false, |triangle| {
            count += 1;
            let figure = buffers.caches.figure(&source, &triangle, warnings);
            if !fits || !I::cover(figure, x, y, &mut cover) {
                return;
            }
            fits = sorted.items.len() < MAX_ITEMS;
            let order = triangle.order(source.regs);
            let start = sorted.masks.len() as u32;
            sorted.masks.extend_from_slice(cover.masks());
            sorted.items.push(Item {
                key: key(middle(&cover, &figure.z, x, y), order),
                order,
                tag: buffers.triangles.len() as u32,
                first: cover.first as u32,
                start,
                end: sorted.masks.len() as u32,
                z: figure.z,
            });
            buffers.triangles.push(triangle);
        });
        self.finish_list(count, complete);
        fits
    }

    /// Holds every figure against the opaque depth, and against the one before it at each pixel; returns where that is not
    /// farther, a word a row.
    fn find_crossed(&mut self) -> [u32; TILE] {
        let (x, y) = self.sample();
        let store = self.source.settings.depth_store;
        let buffers = &mut *self.buffers;
        let sorted = &mut buffers.sorted;
        // Compares with nothing.
        sorted.nearest.fill(f32::NAN);
        let mut crossed = [0; TILE];
        for item in &sorted.items {
            I::layer(Layer {
                first: item.first as usize,
                masks: &mut sorted.masks[item.start as usize..item.end as usize],
                z: &item.z,
                x,
                y,
                store,
                mode: DepthMode::GreaterEqual,
                depth: &mut buffers.depth,
                then: Then::Nearest(Nearest {
                    order: item.order,
                    depth: &mut sorted.nearest,
                    orders: &mut sorted.orders,
                    crossed: &mut crossed,
                }),
            });
        }
        crossed
    }

    /// Draws the figures one after the other, crossed pixels left out.
    fn draw_in_order(&mut self, crossed: &[u32; TILE]) {
        for n in 0..self.buffers.sorted.items.len() {
            let item = self.buffers.sorted.items[n];
            let triangle = self.buffers.triangles[item.tag as usize];
            let first = item.first as usize;
            let mut masks = NOWHERE;
            let passed = &self.buffers.sorted.masks[item.start as usize..item.end as usize];
            for ((mask, passed), crossed) in masks.iter_mut().zip(passed).zip(&crossed[first..]) {
                *mask = passed & !crossed;
                self.counts.fragments += u64::from(mask.count_ones());
            }
            let masks = &masks[..(item.end - item.start) as usize];
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

    /// Sorts the fragments of crossed pixels and draws them; false if they are too many.
    fn gather(&mut self, crossed: &[u32; TILE]) -> bool {
        let (x, y) = self.sample();
        let store = self.source.settings.depth_store;
        let Sorted { items, masks, .. } = &self.buffers.sorted;
        let pixels = &mut self.buffers.layers;
        pixels.gathered.clear();
        for item in items.iter() {
            for (row, at) in (item.first as usize..TILE).zip(item.start as usize..item.end as usize) {
                let mut mask = masks[at] & crossed[row];
                if mask == 0 {
                    continue;
                }
                let own = depth::row(&item.z, x, y + row as f64, store);
                while mask != 0 {
                    let n = mask.trailing_zeros();
                    mask &= mask - 1;
                    pixels.gathered.push(Fragment {
                        key: key(own[n as usize], item.order),
                        tag: item.tag,
                        pixel: row as u32 * TILE as u32 + n,
                    });
                }
            }
            if pixels.gathered.len() > MAX_FRAGMENTS {
                return false;
            }
        }
        self.counts.fragments += pixels.sort();
        for row in (0..TILE).filter(|&row| crossed[row] != 0) {
            self.draw_layers(row);
        }
        true
    }

    /// Draws the sorted fragments of a row layer by layer.
    fn draw_layers(&mut self, row: usize) {
        let mut next = [0; TILE];
        loop {
            let (mut tags, mut own) = ([NONE; TILE], [0.0; TILE]);
            for n in 0..TILE {
                let fragments = self.buffers.layers.of(row * TILE + n);
                while let Some(fragment) = fragments.get(next[n]) {
                    next[n] += 1;
                    if fragment.tag != NONE {
                        tags[n] = fragment.tag;
                        own[n] = unsortable((fragment.key >> 32) as u32);
                        break;
                    }
                }
            }
            if tags == [NONE; TILE] {
                break;
            }
            let inside = self.inside(TRANSLUCENT, row, &own);
            self.shade_row(ListType::Translucent, row, &tags, inside);
        }
    }
}

/// The depth of one pixel near the middle of what is covered: enough to put most figures in order.
#[inline(always)]
fn middle(cover: &Cover, z: &Plane, x: f64, y: f64) -> f32 {
    let row = (cover.first + cover.end - 1) / 2;
    let mask = cover.row(row);
    // Between the first and the last pixel; of an empty row any place will do.
    let column = (mask.trailing_zeros() + 32 - mask.leading_zeros()) / 2;
    let (c, dx, dy) = z.terms();
    (c + dx * (x + f64::from(column)) + dy * (y + row as f64)) as f32
}

/// The float of a sort key.
pub(super) fn unsortable(key: u32) -> f32 {
    f32::from_bits(if key >> 31 != 0 { key & 0x7FFF_FFFF } else { !key })
}
