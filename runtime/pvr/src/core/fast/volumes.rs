//! Modifier volumes, tested row by row: a word has one bit per pixel. The reference renderer
//! [`crate::core::scalar`] tests single pixels.

use super::cover::Cover;
use super::depth::not_behind;
use super::isa::Isa;
use super::shape::Shape;
use crate::core::plane::{Plane, TILE};
use crate::core::scalar::volume::Instruction;
use crate::core::setup::Source;
use crate::settings::{DepthStore, OutsideUntouched};
use std::sync::{Mutex, MutexGuard};

/// Maximum number of volume triangles in tiles that threads draw in parallel. Tiles with more triangles are
/// drawn by one thread at a time, which limits memory use.
const MANY: usize = 1024;
static ALONE: Mutex<()> = Mutex::new(());

/// Takes the lock for a tile with more than [`MANY`] volume triangles. For other tiles, returns `None` at
/// once.
pub(super) fn alone_with(triangles: usize) -> Option<MutexGuard<'static, ()>> {
    (triangles > MANY).then(|| ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

/// A triangle of a volume in a tile.
#[derive(Debug)]
struct Part {
    instruction: Instruction,
    cover: Cover,
    z: Plane,
}

/// The volumes of a list in a tile.
#[derive(Debug, Default)]
pub(super) struct Areas {
    parts: Vec<Part>,
    /// True for [`OutsideUntouched::Clear`].
    clear: bool,
}

/// Row of a tile, with its sample position and the format of stored depths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) row: usize,
    /// Sample position of the tile's first pixel.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) store: DepthStore,
}

impl Areas {
    pub(super) fn clear(&mut self, source: &Source<'_>) {
        self.parts.clear();
        self.clear = source.settings.outside_untouched == OutsideUntouched::Clear;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Adds a triangle; (`x`, `y`) is the sample position of the tile's first pixel.
    pub(super) fn push<I: Isa>(&mut self, isa: I, shape: &Shape, instruction: Instruction, x: f64, y: f64) {
        let mut cover = Cover::default();
        if !isa.cover(shape, x, y, &mut cover) {
            (cover.first, cover.end) = (0, 0);
        }
        // A triangle without pixels is needed only if it is the last of its volume.
        if cover.end > 0 || instruction != Instruction::Normal {
            self.parts.push(Part {
                instruction,
                cover,
                z: shape.z,
            });
        }
    }

    /// Returns the pixels of a row that are in area 1 at the given depths, one bit per pixel.
    pub(super) fn row(&self, line: Line, stored: &[f32; TILE]) -> u32 {
        let (mut area, mut parity, mut touched) = (0, 0, 0);
        for part in &self.parts {
            let mask = part.passed(line, stored);
            parity ^= mask;
            touched |= mask;
            match part.instruction {
                Instruction::Normal => continue,
                Instruction::InsideLast => area |= parity,
                Instruction::OutsideLast if self.clear => area &= parity,
                Instruction::OutsideLast => area &= parity | !touched,
            }
            (parity, touched) = (0, 0);
        }
        area
    }
}

impl Part {
    /// Returns the covered pixels at which the triangle is at least as near as the given depth.
    fn passed(&self, line: Line, stored: &[f32; TILE]) -> u32 {
        let span = self.cover.row(line.row);
        if span == 0 {
            return 0;
        }
        not_behind(self.z.row(line.x, line.y), line.store, stored) & span
    }
}
