//! Values along rows of the tile: [`crate::core::plane::Plane::row`] for the planes of a primitive.

use super::super::isa::{Isa, LANES};
use crate::core::plane::Planes;

/// A source of interpolated values for a group.
pub(super) trait Values<I: Isa> {
    /// Value `n` at the group's places in their rows.
    fn at(&self, isa: I, n: usize, places: I::F) -> I::F;
}

/// A row's values at the first pixel of the tile, and their steps.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    start: [f32; LANES],
    step: &'a [f32; LANES],
}

impl<I: Isa> Values<I> for Line<'_> {
    #[inline(always)]
    fn at(&self, isa: I, n: usize, places: I::F) -> I::F {
        isa.add(
            isa.splat_float(self.start[n]),
            isa.mul(isa.splat_float(self.step[n]), places),
        )
    }
}

/// As many rows as there are lanes: of each value those at the first pixels of the tile, a lane a row; and
/// the steps.
pub(super) struct Block<'a> {
    starts: [[f32; LANES]; LANES],
    step: &'a [f32; LANES],
}

/// A block, with the row of each pixel of a group.
pub(super) struct PackedRows<'a, I: Isa> {
    pub(super) block: &'a Block<'a>,
    pub(super) rows: I::W,
}

impl<I: Isa> Values<I> for PackedRows<'_, I> {
    #[inline(always)]
    fn at(&self, isa: I, n: usize, places: I::F) -> I::F {
        let start = isa.permute(isa.load_floats(&self.block.starts[n]), self.rows);
        isa.add(start, isa.mul(isa.splat_float(self.block.step[n]), places))
    }
}

/// A primitive's planes at the tile's left edge: a row is a step down.
pub(super) struct Column<'a> {
    planes: &'a Planes,
    start: [f64; LANES],
}

impl<'a> Column<'a> {
    #[inline(always)]
    pub(super) fn new(planes: &'a Planes, x: f64) -> Self {
        let mut start = planes.c;
        for (start, dx) in start.iter_mut().zip(&planes.dx) {
            *start += dx * x;
        }
        Self { planes, start }
    }

    #[inline(always)]
    pub(super) fn line<I: Isa>(&self, isa: I, y: f64) -> Line<'a> {
        Line {
            start: isa.along(&self.start, &self.planes.dy, y),
            step: &self.planes.step,
        }
    }

    /// The rows from `y` on.
    #[inline(always)]
    pub(super) fn block<I: Isa>(&self, isa: I, y: f64) -> Block<'a> {
        let mut starts = [[0.0; LANES]; LANES];
        isa.down(&self.start, &self.planes.dy, y, &mut starts);
        Block {
            starts,
            step: &self.planes.step,
        }
    }
}
