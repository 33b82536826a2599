//! Punch-through layers, near to far until one passes the alpha test.

use super::cover::Cover;
use super::depth::{self, AfterTest, Layer};
use super::isa::Isa;
use super::sorted::{Fragment, MAX_FRAGMENTS, unsortable};
use super::{NONE, OPAQUE, Tile};
use crate::ListType;
use crate::core::key;
use crate::core::plane::TILE;
use crate::core::scene::{Pass, Scene};
use crate::param::DepthMode;
use crate::settings::PtDepth;

impl<I: Isa> Tile<'_, I> {
    /// Draws the punch-through list.
    pub(super) fn punch_through(&mut self, scene: &Scene, pass: &Pass) {
        let objects = scene.list(pass, ListType::PunchThrough);
        if objects.is_empty() {
            return;
        }
        if !self.gather_punch_through(objects) {
            self.list_by_definition(scene, pass, ListType::PunchThrough, &[u32::MAX; TILE]);
            return;
        }
        self.counts.fragments += self.buffers.layers.sort();
        (0..TILE).for_each(|row| self.punch_row(row));
    }

    /// Collects the fragments that the opaque depth does not hide; false if they are too many.
    fn gather_punch_through(&mut self, objects: &[u32]) -> bool {
        let isa = self.isa;
        let (x, y) = self.sample();
        let store = self.source.settings.depth_store;
        let own_mode = self.source.settings.pt_depth == PtDepth::OwnMode;
        let (reader, source) = (self.reader, self.source);
        let (buffers, warnings) = (&mut *self.buffers, &mut self.warnings);
        buffers.triangles.clear();
        let gathered = &mut buffers.layers.gathered;
        gathered.clear();
        let mut cover = Cover::default();
        let mut count = 0;
        let complete = reader.each_announced(objects, false, super::fetch::<I>(isa, source), |triangle| {
            count += 1;
            let primitive = buffers.caches.primitive::<I>(isa, &source, &triangle, warnings);
            if gathered.len() > MAX_FRAGMENTS || !isa.cover(primitive, x, y, &mut cover) {
                return;
            }
            let (first, end) = (cover.first, cover.end);
            let masks = cover.masks_mut();
            isa.layer(Layer {
                first,
                masks,
                z: &primitive.z,
                x,
                y,
                store,
                mode: if own_mode {
                    primitive.isp.depth_mode()
                } else {
                    DepthMode::GreaterEqual
                },
                depth: &mut buffers.depth,
                then: AfterTest::Nothing,
            });
            let tag = buffers.triangles.len() as u32;
            buffers.triangles.push(triangle);
            let order = triangle.order(source.regs);
            for (row, &mut passed) in (first..end).zip(masks) {
                let mut mask = passed;
                if mask == 0 {
                    continue;
                }
                let own = depth::row(&primitive.z, x, y + row as f64, store);
                while mask != 0 {
                    let n = mask.trailing_zeros();
                    mask &= mask - 1;
                    let key = key(own[n as usize], order);
                    gathered.push(Fragment::new(key, tag, row * TILE + n as usize));
                }
            }
        });
        let fits = gathered.len() <= MAX_FRAGMENTS;
        self.finish_list(ListType::PunchThrough, count, complete);
        fits
    }

    /// Draws the candidates of a row, the nearest of each pixel first.
    fn punch_row(&mut self, row: usize) {
        let mut left = [0; TILE];
        for (n, left) in left.iter_mut().enumerate() {
            *left = self.buffers.layers.of(row * TILE + n).len();
        }
        let mut shown = [NONE; TILE];
        loop {
            let (mut tags, mut keys) = ([NONE; TILE], [0; TILE]);
            for n in 0..TILE {
                let fragments = self.buffers.layers.of(row * TILE + n);
                while tags[n] == NONE && left[n] > 0 {
                    left[n] -= 1;
                    (tags[n], keys[n]) = (fragments[left[n]].tag(), fragments[left[n]].key);
                }
            }
            if tags == [NONE; TILE] {
                break;
            }
            let passed = self.shade_row(ListType::PunchThrough, row, &tags, 0);
            for n in (0..TILE).filter(|n| passed >> n & 1 != 0) {
                left[n] = 0;
                shown[n] = tags[n];
                self.buffers.depth[row * TILE + n] = unsortable((keys[n] >> 32) as u32);
            }
        }
        if !self.buffers.areas[OPAQUE].is_empty() && shown != [NONE; TILE] {
            self.shade_inside(row, &shown);
        }
    }

    /// Shades those pixels again that lie in area 1.
    fn shade_inside(&mut self, row: usize, shown: &[u32; TILE]) {
        let mut own = [0.0; TILE];
        own.copy_from_slice(&self.buffers.depth[row * TILE..(row + 1) * TILE]);
        let inside = self.inside(OPAQUE, row, &own);
        let mut tags = *shown;
        for (n, tag) in tags.iter_mut().enumerate() {
            let reacts = self
                .buffers
                .triangles
                .get(*tag as usize)
                .is_some_and(|t| t.shadow);
            if !reacts || inside >> n & 1 == 0 {
                *tag = NONE;
            }
        }
        self.shade_row(ListType::PunchThrough, row, &tags, inside);
    }
}
