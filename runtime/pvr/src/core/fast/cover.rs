//! Which pixels of each row of a tile a figure covers: a span between its edges.

use crate::core::edge::Edge;
use crate::core::plane::TILE;
use crate::core::setup::Figure;

/// Spans of the rows `rows` of a tile.
#[derive(Debug, Clone)]
pub(super) struct Cover {
    pub(super) first: usize,
    /// Exclusive.
    pub(super) end: usize,
    pub(super) from: [u8; TILE],
    /// Exclusive; not above `from` where nothing is covered.
    pub(super) to: [u8; TILE],
}

impl Default for Cover {
    fn default() -> Self {
        Self {
            first: 0,
            end: 0,
            from: [0; TILE],
            to: [0; TILE],
        }
    }
}

impl Cover {
    /// Rows with pixels, and their spans.
    #[inline(always)]
    pub(super) fn spans(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        (self.first..self.end).filter_map(|row| {
            let (from, to) = (usize::from(self.from[row & 31]), usize::from(self.to[row & 31]));
            (from < to).then_some((row, from, to))
        })
    }
}

impl Cover {
    /// The spans as words of bits, a word a row from the first on.
    #[inline(always)]
    pub(super) fn masks(&self) -> impl Iterator<Item = u32> {
        (self.first..self.end).map(|row| {
            let (from, to) = (u32::from(self.from[row & 31]), u32::from(self.to[row & 31]));
            if from < to {
                u32::MAX >> (32 - (to - from)) << from
            } else {
                0
            }
        })
    }
}

/// The pixels that [`Figure::covers`] in the tile whose first pixel is sampled at (`x`, `y`); false if there are none.
#[inline(always)]
pub(super) fn cover(figure: &Figure, x: f64, y: f64, out: &mut Cover) -> bool {
    let top = y.floor() as i32;
    let row = |row: i32| row.saturating_sub(top).clamp(0, TILE as i32) as usize;
    (out.first, out.end) = (row(figure.rows[0]), row(figure.rows[1]));
    if out.first >= out.end {
        return false;
    }
    out.from = [0; TILE];
    out.to = [TILE as u8; TILE];
    for edge in &figure.edges[..figure.edge_count.min(4)] {
        match side(edge, x, y + out.first as f64, y + (out.end - 1) as f64) {
            Side::Inside => {}
            Side::Outside => return false,
            Side::Both => {
                for row in out.first..out.end {
                    let (mut from, mut to) = (usize::from(out.from[row & 31]), usize::from(out.to[row & 31]));
                    edge.cut(x, y + row as f64, &mut from, &mut to);
                    (out.from[row & 31], out.to[row & 31]) = (from as u8, to as u8);
                }
            }
        }
    }
    figure.edge_count > 0
}

/// On which side of an edge a part of a tile lies.
enum Side {
    Inside,
    Outside,
    Both,
}

/// Asks the corners of rows from `top` to `bottom`; close to the edge the answer is `Both`. The margin is beyond what rounding
/// can do to any pixel between: its terms are no larger than those at the corners.
#[inline(always)]
fn side(edge: &Edge, x: f64, top: f64, bottom: f64) -> Side {
    let right = x + (TILE - 1) as f64;
    let corners = [(x, top), (right, top), (x, bottom), (right, bottom)].map(|(x, y)| edge.value(x, y));
    let largest = corners.iter().fold(0.0_f64, |most, (_, size)| most.max(*size));
    let margin = largest * 1e-12;
    if corners.iter().all(|(value, _)| *value > margin) {
        Side::Inside
    } else if corners.iter().all(|(value, _)| *value < -margin) {
        Side::Outside
    } else {
        Side::Both
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::plane::Plane;
    use crate::param::IspWord;
    use crate::settings::FillRule;

    /// Corners on and between pixels, near and far beyond a tile, and slivers, from a seed.
    fn place(state: &mut u64) -> f32 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let (class, n) = (*state >> 61, (*state >> 33) as i32 % 80);
        match class {
            0..4 => n as f32 * 0.5,
            4 | 5 => n as f32 + (*state >> 40 & 0xFF) as f32 / 256.0,
            6 => n as f32 * 10.0,
            7 if n % 2 == 0 => (n - 40) as f32 * 1e36,
            _ => n as f32 * 1e5,
        }
    }

    #[test]
    fn spans_are_the_covered_pixels() {
        let mut state = 5;
        let mut covered = 0;
        for case in 0..60_000 {
            let mut corners = [[0.0; 2]; 4].map(|_: [f32; 2]| [place(&mut state), place(&mut state)]);
            if case % 7 == 0 {
                corners[2] = corners[0].map(|c| c + 0.01);
            }
            let [a, b, c, d] = corners;
            let area = crate::core::plane::Corners::new([a, b, c]).area;
            let rule = if case % 3 == 0 {
                FillRule::Inclusive
            } else {
                FillRule::TopLeft
            };
            let edge = |a, b| Edge::new(a, b, area, rule);
            let sprite = case % 4 == 0;
            let last = if sprite { edge(c, d) } else { edge(c, a) };
            let ys = corners[..if sprite { 4 } else { 3 }].iter().map(|p| p[1]);
            let figure = Figure {
                isp: IspWord(0),
                edges: [edge(a, b), edge(b, c), last, edge(d, a)],
                edge_count: if area == 0.0 {
                    0
                } else if sprite {
                    4
                } else {
                    3
                },
                rows: [
                    ys.clone().fold(f32::MAX, f32::min).floor() as i32,
                    (ys.fold(f32::MIN, f32::max).ceil() as i32).saturating_add(1),
                ],
                z: Plane::default(),
            };
            let centre = if case % 5 == 0 { 0.0 } else { 0.5 };
            let (left, top) = (case % 3 * 32, case / 3 % 3 * 32);
            let mut cover = Cover::default();
            let any = super::cover(
                &figure,
                f64::from(left) + centre,
                f64::from(top) + centre,
                &mut cover,
            );
            let mut masks = [0; TILE];
            if any {
                for (mask, row) in cover.masks().zip(cover.first..) {
                    masks[row] = mask;
                }
            }
            for (n, pixel) in (0..1024).map(|n| (n, [left + n % 32, top + n / 32])) {
                let expected = figure.covers(pixel, centre);
                let found = masks[n as usize / 32] >> (n % 32) & 1 != 0;
                assert_eq!(
                    found, expected,
                    "case {case}: {corners:?} at {pixel:?} of {left}, {top}"
                );
                covered += u32::from(expected);
            }
        }
        println!("60000 figures, {covered} pixels");
    }
}
