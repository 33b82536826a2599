//! Outline of a primitive for [`super::cover`]: the lines at which its rows begin and end.

use crate::core::objects::Triangle;
use crate::core::plane::Plane;
use crate::core::setup::{Outline, Source, place};
use crate::param::IspWord;

/// A line along an edge: `x = x0 + (y - y0) * slope`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Line {
    pub(super) x0: f64,
    pub(super) y0: f64,
    pub(super) slope: f64,
}

impl Line {
    /// Returns a vertical line outside of all tiles.
    const fn far(x0: f64) -> Self {
        Self {
            x0,
            y0: 0.0,
            slope: 0.0,
        }
    }
}

/// Maximum number of edges on one side of a primitive: a closed outline has edges upwards and downwards.
pub(super) const MOST: usize = 3;

/// Lines far left and far right.
const FAR: [[Line; MOST]; 2] = [[Line::far(-1e9); MOST], [Line::far(1e9); MOST]];

/// A triangle or sprite.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    pub(super) isp: IspWord,
    /// Rows (screen y) that may hold pixels, end exclusive.
    pub(super) rows: [i32; 2],
    pub(super) z: Plane,
    /// Lines at which rows begin and end. A triangle's third lines are [`FAR`].
    pub(super) lines: [[Line; MOST]; 2],
    /// True if an edge is horizontal. Such an edge has no line.
    pub(super) flat: bool,
    /// True if a corner is too far away for exact crossings.
    pub(super) wild: bool,
    pub(super) outline: Outline,
}

impl Shape {
    /// Computes the shape of a triangle or sprite.
    #[inline(always)]
    pub(super) fn set_up(&mut self, source: &Source<'_>, triangle: &Triangle) {
        let (outline, z, isp) = place(source, triangle);
        (self.z, self.isp) = (z, isp);
        self.set_outline(outline);
    }

    /// Computes the rows and lines of an outline. Takes it by value: loads from memory that was just written
    /// would stall.
    #[inline(always)]
    pub(super) fn set_outline(&mut self, outline: Outline) {
        let [a, b, c, d] = outline.points;
        self.rows = outline.rows();
        match outline.count {
            3 => self.go_around([a, b, c], outline.area),
            4 => self.go_around([a, b, c, d], outline.area),
            _ => self.rows = [0, 0],
        }
        self.outline = outline;
    }

    #[inline(always)]
    fn go_around<const N: usize>(&mut self, corners: [[f32; 2]; N], area: f64) {
        self.lines = FAR;
        self.flat = false;
        self.wild = !is_tame(&corners);
        let clockwise = area < 0.0;
        let mut used = [0, 0];
        for n in 0..N {
            let (a, b) = (corners[n], corners[(n + 1) % N]);
            if a[1] == b[1] {
                self.flat = true;
                continue;
            }
            let [x0, y0] = a.map(f64::from);
            let slope = (f64::from(b[0]) - x0) / (f64::from(b[1]) - y0);
            // The inside is right of edges of one direction and left of the others: see `Edge`.
            let side = usize::from(clockwise == (b[1] < a[1]));
            self.lines[side][used[side] % MOST] = Line { x0, y0, slope };
            used[side] += 1;
        }
    }
}

/// Returns true if points are near enough for exact spans. With coordinates below 2^20, errors of crossings
/// are below 2^-30 pixels.
#[inline(always)]
fn is_tame(points: &[[f32; 2]]) -> bool {
    let coordinates = points.as_flattened().iter();
    coordinates.fold(true, |tame, c| tame & (c.abs() < 1_048_576.0))
}
