//! Punch-through list. At each pixel the renderer tries the fragments from near to far, until one passes the
//! alpha test.

use super::isa::Isa;
use super::sorted::{ListTest, depth_of_key};
use super::{NONE, OPAQUE, Tile};
use crate::ListType;
use crate::core::plane::TILE;
use crate::core::scene::{Pass, Scene};
use crate::settings::PtDepth;

impl<I: Isa> Tile<'_, I> {
    /// Draws the punch-through list.
    pub(super) fn punch_through(&mut self, scene: &Scene, pass: &Pass) {
        let list = ListType::PunchThrough;
        let objects = scene.list(pass, list);
        if objects.is_empty() {
            return;
        }
        let test = match self.source.settings.pt_depth {
            PtDepth::OwnMode => ListTest::Own,
            PtDepth::ForceGreaterEqual => ListTest::GreaterEqual,
        };
        let all = [u32::MAX; TILE];
        if self.collect(list, objects, test) && self.gather(&all) {
            (0..TILE).for_each(|row| self.punch_row(row));
        } else {
            self.list_by_reference(scene, pass, list, &all);
        }
    }

    /// Draws the fragments of a row, the nearest fragment of each pixel first.
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
                self.buffers.depth[row * TILE + n] = depth_of_key((keys[n] >> 32) as u32);
            }
        }
        if !self.buffers.areas[OPAQUE].is_empty() && shown != [NONE; TILE] {
            self.shade_inside(row, &shown);
        }
    }

    /// Applies the modifier volumes. Shades shown pixels again, with the parameters of area 1, if they are in
    /// area 1 and react to volumes.
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
