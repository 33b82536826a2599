//! Edges of a triangle or sprite: which pixels it covers.

use super::plane::TILE;
use crate::settings::FillRule;

/// One edge. A point is inside if `side * (ex * (y - y0) - ey * (x - x0))` is positive, or zero where the edge
/// counts as drawn.
///
/// The endpoints are put into a fixed order first, so that two triangles which share an edge see exactly opposite
/// values and leave no gap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    x0: f64,
    y0: f64,
    ex: f64,
    ey: f64,
    side: f64,
    inclusive: bool,
    /// x per y along the edge, where it is not horizontal.
    slope: f64,
    horizontal: bool,
    /// See [`is_tame`].
    tame: bool,
    /// Inside is on the right: the function grows with x. (Of a horizontal edge either all of a row is inside or nothing.)
    right: bool,
}

impl Edge {
    /// In place of an edge.
    pub(super) const NONE: Self = Self {
        x0: 0.0,
        y0: 0.0,
        ex: 0.0,
        ey: 0.0,
        side: 0.0,
        inclusive: false,
        slope: 0.0,
        horizontal: true,
        tame: false,
        right: false,
    };

    /// The edge from `a` to `b` of a figure whose first three corners have this area.
    pub(super) fn new(a: [f32; 2], b: [f32; 2], area: f64, rule: FillRule) -> Self {
        // Differences of the raw order, first minus second: top means dy = 0 and dx > 0, left means dy < 0.
        let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
        let top_left = dy < 0.0 || dy == 0.0 && dx > 0.0;
        let swap = b[1] < a[1] || b[1] == a[1] && b[0] < a[0];
        let (from, to) = if swap { (b, a) } else { (a, b) };
        let [x0, y0] = from.map(f64::from);
        let (ex, ey) = (f64::from(to[0]) - x0, f64::from(to[1]) - y0);
        // With raw differences `dx * (y - ya) - dy * (x - xa)` is positive inside if the area is negative.
        let side = if (area < 0.0) == swap { 1.0 } else { -1.0 };
        Self {
            x0,
            y0,
            ex,
            ey,
            side,
            inclusive: rule == FillRule::Inclusive || top_left,
            slope: ex / ey,
            horizontal: ey == 0.0,
            tame: is_tame(&[a, b]),
            right: side * ey < 0.0,
        }
    }

    /// Whether a point is on the drawn side.
    #[inline]
    pub(super) fn inside(&self, x: f64, y: f64) -> bool {
        let e = self.side * (self.ex * (y - self.y0) - self.ey * (x - self.x0));
        e > 0.0 || e == 0.0 && self.inclusive
    }

    /// It leads along a row of pixels.
    pub(super) fn is_horizontal(&self) -> bool {
        self.horizontal
    }

    /// The pixels on the drawn side among those of a row of a tile, a bit each; the first is sampled at (`x`, `y`).
    pub(super) fn mask(&self, x: f64, y: f64) -> u32 {
        let before = ((1_u64 << self.turn(x, y)) - 1) as u32;
        if self.right { !before } else { before }
    }

    /// The first pixel at or right of the crossing, at most [`TILE`]. What is drawn lies from there on if [`Self::right`], else
    /// before.
    fn turn(&self, x: f64, y: f64) -> usize {
        if self.horizontal {
            return if self.inside(x, y) == self.right { 0 } else { TILE };
        }
        if !self.tame {
            return self.search(x, y, 0, TILE);
        }
        let crossing = ((self.x0 - x) + (y - self.y0) * self.slope).clamp(LEFT, RIGHT);
        let floor = crossing.floor();
        let about = (floor + 1.0) as usize;
        if (crossing - floor - 0.5).abs() > SURE {
            return self.search(x, y, about.saturating_sub(2), about + 1);
        }
        about
    }

    /// Too close to a pixel to trust the division, or too large: finds the first pixel between `from` and `to` that is inside
    /// (or outside). Rounded or not, the function never turns back along a row.
    #[cold]
    fn search(&self, x: f64, y: f64, from: usize, to: usize) -> usize {
        let to = to.min(TILE);
        (from..to)
            .find(|&n| self.inside(x + n as f64, y) == self.right)
            .unwrap_or(to)
    }
}

/// Whether points are near enough for a crossing between two pixels to be beyond doubt: coordinates below 2^20 leave errors below
/// 2^-30.
#[inline(always)]
pub(super) fn is_tame(points: &[[f32; 2]]) -> bool {
    let coordinates = points.as_flattened().iter();
    coordinates.fold(true, |tame, c| tame & (c.abs() < 1_048_576.0))
}

/// Crossings are held between half a pixel left of a tile's first pixel and half a pixel right of its last.
pub(super) const LEFT: f64 = -0.5;
pub(super) const RIGHT: f64 = TILE as f64 - 0.5;
/// Crossings farther than this from the middle between two pixels are too close to one of them.
pub(super) const SURE: f64 = 0.5 - 1e-6;

#[cfg(test)]
mod tests {
    use super::*;

    /// Places on and between pixels, near and far beyond a tile, from a seed.
    fn place(state: &mut u64) -> f32 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let (class, n) = (*state >> 61, (*state >> 33) as i32 % 100);
        match class {
            0..4 => n as f32 * 0.5,
            4 | 5 => n as f32 * 0.25 + (*state >> 40) as f32 * 1e-9,
            6 => n as f32 * 1000.0,
            7 if n % 2 == 0 => n as f32 * 1e36,
            _ => n as f32 * 1e6,
        }
    }

    #[test]
    fn cutting_a_row_is_asking_each_of_its_pixels() {
        let mut state = 1;
        let mut kept = 0;
        for case in 0..200_000 {
            let [a, b] = [
                [place(&mut state), place(&mut state)],
                [place(&mut state), place(&mut state)],
            ];
            let area = if case % 2 == 0 { 1.0 } else { -1.0 };
            let rule = if case % 3 == 0 {
                FillRule::Inclusive
            } else {
                FillRule::TopLeft
            };
            let edge = Edge::new(a, b, area, rule);
            let (x, y) = (
                (case % 5 * 32) as f64 + 0.5,
                f64::from(place(&mut state)).rem_euclid(64.0).floor() + 0.5,
            );
            let mask = edge.mask(x, y);
            for n in 0..TILE {
                let inside = edge.inside(x + n as f64, y);
                assert_eq!(
                    mask >> n & 1 != 0,
                    inside,
                    "case {case}: {a:?} to {b:?}, pixel {n} of {x}, {y}"
                );
                kept += usize::from(inside);
            }
        }
        println!("200000 rows, {kept} pixels inside");
    }
}
