//! Coverage of a primitive in a tile: one span between two edges in each row.

use super::isa::{FOUR, Isa};
use super::shape::{Line, MOST, Shape};
use crate::core::edge::Edge;
use crate::core::plane::TILE;

/// Limits of crossings: half a pixel left of a tile's first pixel, and half a pixel right of its last one.
const LEFT: f64 = -0.5;
const RIGHT: f64 = TILE as f64 - 0.5;
/// Maximum distance of a crossing from the middle between two pixels. At a larger distance, the crossing is
/// so close to a pixel that rounding errors could change the result.
const CERTAIN: f64 = 0.5 - 1e-6;

/// Covered pixels of the rows `first..end` of a tile.
#[derive(Debug, Clone)]
pub(super) struct Cover {
    pub(super) first: usize,
    /// Exclusive.
    pub(super) end: usize,
    /// One word per row of the tile. Words outside of `first..end` are undefined. Padded, because the loops
    /// process rows in groups.
    masks: [u32; TILE + FOUR],
}

impl Default for Cover {
    fn default() -> Self {
        Self {
            first: 0,
            end: 0,
            masks: [0; TILE + FOUR],
        }
    }
}

impl Cover {
    /// Returns the words of the rows `first..end`.
    #[inline(always)]
    pub(super) fn masks(&self) -> &[u32] {
        &self.masks[self.first..self.end]
    }

    /// Returns the words of [`Self::masks`] for writing.
    #[inline(always)]
    pub(super) fn masks_mut(&mut self) -> &mut [u32] {
        &mut self.masks[self.first..self.end]
    }

    /// Returns the covered pixels of a row of the tile.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> u32 {
        if (self.first..self.end).contains(&row) {
            self.masks[row]
        } else {
            0
        }
    }
}

/// Finds the pixels of a tile that a shape covers ([`crate::core::setup::Primitive::covers`]). (`x`, `y`) is
/// the sample position of the tile's first pixel. Returns false if no pixel is covered.
#[inline(always)]
pub(super) fn cover<I: Isa>(isa: I, shape: &Shape, x: f64, y: f64, out: &mut Cover) -> bool {
    let top = y.floor() as i32;
    out.first = shape.rows[0].saturating_sub(top).clamp(0, TILE as i32) as usize;
    out.end = shape.rows[1].saturating_sub(top).clamp(0, TILE as i32) as usize;
    if out.first >= out.end {
        return false;
    }
    if shape.flat {
        trim(shape, x, y, out);
    }
    if shape.outline.count == MOST {
        rows::<I, { MOST - 1 }>(isa, shape, x, y, out)
    } else {
        rows::<I, MOST>(isa, shape, x, y, out)
    }
}

/// Limits the rows by `N` lines on each side. Returns false if no pixel is covered.
#[inline(always)]
fn rows<I: Isa, const N: usize>(isa: I, shape: &Shape, x: f64, y: f64, out: &mut Cover) -> bool {
    let [begin, end] = [0, 1].map(|side| &shape.lines[side][..N]);
    let mut any = 0;
    for first in (out.first..out.end).step_by(FOUR) {
        let rows = isa.counted(y + first as f64);
        let (mut from, mut to) = (isa.splat_double(LEFT), isa.splat_double(RIGHT));
        for line in begin {
            from = isa.max4(from, crossings::<I>(isa, line, x, rows));
        }
        for line in end {
            to = isa.min4(to, crossings::<I>(isa, line, x, rows));
        }
        let (from, to) = (
            isa.min4(from, isa.splat_double(RIGHT)),
            isa.max4(to, isa.splat_double(LEFT)),
        );
        let (before, last) = (isa.floor4(from), isa.floor4(to));
        let mut masks = isa.span_masks(before, last);
        let doubtful = is_close::<I>(isa, from, before) | is_close::<I>(isa, to, last);
        if shape.wild {
            recheck(shape, x, y + first as f64, [u32::MAX; FOUR], &mut masks);
        } else if doubtful != 0 {
            let (begins, ends) = (nearest::<I>(isa, from), nearest::<I>(isa, to));
            let mut uncertain = [0; FOUR];
            for (n, uncertain) in uncertain
                .iter_mut()
                .enumerate()
                .filter(|(n, _)| doubtful >> n & 1 != 0)
            {
                *uncertain = begins[n] | ends[n];
            }
            recheck(shape, x, y + first as f64, uncertain, &mut masks);
        }
        out.masks[first..first + FOUR].copy_from_slice(&masks);
        let rows = &masks[..FOUR.min(out.end - first)];
        any |= rows.iter().fold(0, |all, mask| all | mask);
    }
    any != 0
}

/// Removes the rows outside of horizontal edges.
#[inline(never)]
fn trim(shape: &Shape, x: f64, y: f64, out: &mut Cover) {
    for edge in shape.outline.edges().filter(Edge::is_horizontal) {
        while out.first < out.end && !edge.inside(x, y + out.first as f64) {
            out.first += 1;
        }
        while out.first < out.end && !edge.inside(x, y + (out.end - 1) as f64) {
            out.end -= 1;
        }
    }
}

/// Returns the pixels nearest to the crossings in four rows. Only these pixels are uncertain: on each side,
/// the innermost of several lines decides all other pixels.
#[inline(always)]
fn nearest<I: Isa>(isa: I, crossings: I::D) -> [u32; FOUR] {
    let half = isa.splat_double(0.5);
    let last = isa.floor4(isa.add4(crossings, half));
    isa.span_masks(
        isa.floor4(isa.sub4(crossings, half)),
        isa.min4(last, isa.splat_double(TILE as f64 - 1.0)),
    )
}

/// Tests the `uncertain` pixels of four rows with the exact edge functions.
#[cold]
fn recheck(shape: &Shape, x: f64, y: f64, uncertain: [u32; FOUR], masks: &mut [u32; FOUR]) {
    let mut inside = uncertain;
    for edge in shape.outline.edges() {
        for (n, inside) in inside.iter_mut().enumerate() {
            let mut left = *inside;
            while left != 0 {
                let pixel = left.trailing_zeros();
                left &= left - 1;
                if !edge.inside(x + f64::from(pixel), y + n as f64) {
                    *inside &= !(1 << pixel);
                }
            }
        }
    }
    for (mask, (uncertain, inside)) in masks.iter_mut().zip(uncertain.into_iter().zip(inside)) {
        *mask = *mask & !uncertain | inside;
    }
}

/// Returns the crossings of a line with four rows, in pixels from `x`.
#[inline(always)]
fn crossings<I: Isa>(isa: I, line: &Line, x: f64, rows: I::D) -> I::D {
    let down = isa.mul4(
        isa.sub4(rows, isa.splat_double(line.y0)),
        isa.splat_double(line.slope),
    );
    isa.add4(down, isa.splat_double(line.x0 - x))
}

/// Returns a bit for each row with a crossing too close to a pixel.
#[inline(always)]
fn is_close<I: Isa>(isa: I, crossing: I::D, floor: I::D) -> u32 {
    let from_middle = isa.sub4(isa.sub4(crossing, floor), isa.splat_double(0.5));
    isa.exceeds4(from_middle, CERTAIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::fast::isa::Baseline;
    use crate::core::setup::Outline;
    use crate::settings::FillRule;

    /// Returns a pseudorandom coordinate: on a pixel or between pixels, near a tile or far beyond it.
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
            let rule = match case % 3 {
                0 => FillRule::Inclusive,
                1 => FillRule::TopLeft,
                _ => FillRule::TopLeftRaw,
            };
            let count = match case % 4 {
                _ if area == 0.0 => 0,
                0 => 4,
                _ => 3,
            };
            let (points, edge) = (corners, |a, b| Edge::new(a, b, area, rule));
            let edges = match count {
                0 => vec![],
                3 => vec![edge(a, b), edge(b, c), edge(c, a)],
                _ => vec![edge(a, b), edge(b, c), edge(c, d), edge(d, a)],
            };
            let ys = || corners[..count].iter().map(|p| p[1]);
            let highest = ys().fold(f32::MAX, f32::min).floor() as i32;
            let lowest = ys().fold(f32::MIN, f32::max).ceil() as i32;
            let outline = Outline {
                points,
                count,
                area,
                rule,
            };
            let mut shape = Shape::default();
            shape.set_outline(outline);
            let centre = if case % 5 == 0 { 0.0 } else { 0.5 };
            let (left, top) = (case % 3 * 32, case / 3 % 3 * 32);
            let mut cover = Cover::default();
            let any = super::cover::<Baseline>(
                Baseline,
                &shape,
                f64::from(left) + centre,
                f64::from(top) + centre,
                &mut cover,
            );
            for (n, pixel) in (0..1024).map(|n| (n, [left + n % 32, top + n / 32])) {
                let [px, py] = pixel.map(|at| f64::from(at) + centre);
                let expected = count > 0
                    && (highest..=lowest).contains(&pixel[1])
                    && edges.iter().all(|edge| edge.inside(px, py));
                let found = any && cover.row(n as usize / 32) >> (n % 32) & 1 != 0;
                assert_eq!(
                    found, expected,
                    "case {case}: {corners:?} at {pixel:?} of {left}, {top}"
                );
                covered += u32::from(expected);
            }
        }
        println!("60000 primitives, {covered} pixels");
    }
}
