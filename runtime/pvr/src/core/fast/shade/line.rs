//! Values along rows of the tile: [`crate::core::plane::Plane::row`] for the planes of a primitive.

use super::super::isa::{Isa, LANES};
use crate::core::plane::Planes;

/// A row's values at the first pixel of the tile, and their steps.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    start: [f32; LANES],
    step: &'a [f32; LANES],
}

impl Line<'_> {
    /// Value `n` at the group's places in the row.
    #[inline(always)]
    pub(super) fn at<I: Isa>(&self, isa: I, n: usize, places: I::F) -> I::F {
        isa.add(
            isa.splat_float(self.start[n]),
            isa.mul(isa.splat_float(self.step[n]), places),
        )
    }
}

/// Values of a primitive's planes along the tile's left edge.
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
}
