//! Setup of a primitive for the depth test from its parameters in VRAM: screen position, culling, edges,
//! depth plane.

use super::edge::Edge;
use super::objects::Triangle;
use super::plane::{Corners, Plane};
use crate::event::{Warning, Warnings};
use crate::param::{CullMode, IspWord, PixelFormat};
use crate::regs::{Registers, reg};
use crate::settings::{FillRule, PerpCull, Settings, Supersample};
use crate::vram::Vram;

/// Parts of the chip that drawing reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) vram: &'a Vram,
    pub(crate) regs: &'a Registers,
    pub(crate) settings: &'a Settings,
}

/// Outline of a triangle or sprite.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Outline {
    /// Corners in order; only a sprite has the fourth.
    pub(super) points: [[f32; 2]; 4],
    /// Number of corners: 3, or 4 for a sprite; 0 if the primitive is not drawn.
    pub(super) count: usize,
    /// Twice the signed area of the first three corners: see [`Corners::area`].
    pub(super) area: f64,
    pub(super) rule: FillRule,
}

impl Outline {
    /// Iterates over the edges, each from one corner to the next.
    #[inline]
    pub(super) fn edges(&self) -> impl Iterator<Item = Edge> {
        (0..self.count).map(|n| {
            let next = if n + 1 < self.count { n + 1 } else { 0 };
            Edge::new(self.points[n], self.points[next], self.area, self.rule)
        })
    }

    /// Rows (screen y) that may contain pixels, end exclusive.
    #[inline(always)]
    pub(super) fn rows(&self) -> [i32; 2] {
        let [a, b, c, d] = self.points.map(|point| point[1]);
        // For a triangle, use one of its three corners as the fourth.
        let d = if self.count == 4 { d } else { c };
        let (first, last) = (a.min(b).min(c).min(d), a.max(b).max(c).max(d));
        [floor(first), ceil(last).saturating_add(1)]
    }
}

/// Returns outline, depth plane and ISP word of a triangle. The outline is empty if the triangle is culled or
/// has no area.
#[inline(always)]
pub(super) fn place(source: &Source<'_>, triangle: &Triangle) -> (Outline, Plane, IspWord) {
    let isp = triangle.isp(source.vram);
    let [a, b, c] = triangle.corners();
    let position = |n| triangle.position(source.vram, n);
    let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (position(a), position(b), position(c));
    let [a, b, c] = [[ax, ay], [bx, by], [cx, cy]];
    let shape = Corners::new([a, b, c]);
    let mut outline = Outline {
        points: [a, b, c, [0.0; 2]],
        count: 3,
        area: shape.area,
        rule: source.settings.fill_rule,
    };
    if is_culled(isp.cull(), shape.area, source.regs)
        || source.settings.perp_cull == PerpCull::On && is_edge_on(source, &[a, b, c], shape.area)
    {
        outline.count = 0;
        return (outline, Plane::ZERO, isp);
    }
    if triangle.sprite {
        let [x, y, _] = triangle.position(source.vram, 3);
        outline.points[3] = [x, y];
        outline.count = 4;
    }
    (outline, shape.plane([az, bz, cz].map(f64::from)), isp)
}

/// ISP parameters of a triangle or sprite.
#[derive(Debug, Clone)]
pub(super) struct Primitive {
    pub(super) isp: IspWord,
    edges: [Edge; 4],
    /// Number of edges: 3, or 4 for a sprite; 0 if the primitive is not drawn.
    pub(super) edge_count: usize,
    /// See [`Outline::rows`].
    rows: [i32; 2],
    pub(super) z: Plane,
}

impl Primitive {
    /// Reads the parameters of a triangle or sprite from memory.
    pub(super) fn new(source: &Source<'_>, triangle: &Triangle) -> Self {
        let (outline, z, isp) = place(source, triangle);
        let mut edges = [Edge::NONE; 4];
        edges
            .iter_mut()
            .zip(outline.edges())
            .for_each(|(place, edge)| *place = edge);
        Self {
            isp,
            edges,
            edge_count: outline.count,
            rows: outline.rows(),
            z,
        }
    }

    /// True if the primitive covers a pixel; `centre` is the position of the depth sample in it.
    pub(super) fn covers(&self, [x, y]: [i32; 2], centre: f64) -> bool {
        let (sample_x, sample_y) = (f64::from(x) + centre, f64::from(y) + centre);
        let edges = &self.edges[..self.edge_count];
        self.edge_count > 0
            && (self.rows[0]..self.rows[1]).contains(&y)
            && edges.iter().all(|edge| edge.inside(sample_x, sample_y))
    }
}

/// Computes `value.floor() as i32` without a function call on processors that lack an instruction for it.
#[inline(always)]
fn floor(value: f32) -> i32 {
    let whole = value as i32;
    whole.saturating_sub(i32::from(whole as f32 > value))
}

/// `value.ceil() as i32`
#[inline(always)]
fn ceil(value: f32) -> i32 {
    let whole = value as i32;
    whole.saturating_add(i32::from((whole as f32) < value))
}

/// True for culled primitives. An area of zero or NaN is culled in every mode.
#[inline(always)]
fn is_culled(mode: CullMode, area: f64, regs: &Registers) -> bool {
    if area == 0.0 || !area.is_finite() {
        return true;
    }
    let small = area.abs() < f64::from(unsigned_float(regs, reg::FPU_CULL_VAL));
    match mode {
        CullMode::None => false,
        CullMode::Small => small,
        CullMode::Negative => small || area < 0.0,
        CullMode::Positive => small || area > 0.0,
    }
}

#[inline(always)]
fn unsigned_float(regs: &Registers, offset: u32) -> f32 {
    f32::from_bits(regs.get(offset) & 0x7FFF_FFFF)
}

/// With [`PerpCull::On`]: true if the height divided by the longest edge is below FPU_PERP_VAL. `area` is
/// twice the signed area.
#[cold]
fn is_edge_on(source: &Source<'_>, points: &[[f32; 2]; 3], area: f64) -> bool {
    let square = |a: usize, b: usize| {
        let [dx, dy] = [0, 1].map(|n| f64::from(points[a][n]) - f64::from(points[b][n]));
        dx * dx + dy * dy
    };
    let longest = square(0, 1).max(square(1, 2)).max(square(2, 0));
    area.abs() < longest * f64::from(unsigned_float(source.regs, reg::FPU_PERP_VAL))
}

/// Warns of parameters that have no meaning or are not modelled.
pub(super) fn warn(source: &Source<'_>, triangle: &Triangle, warnings: &mut Warnings) {
    let isp = triangle.isp(source.vram);
    if !isp.texture() {
        return;
    }
    for volume in 0..triangle.volumes() {
        let (tsp, tcw) = triangle.tsp(source.vram, volume);
        if tsp.supersample() && source.settings.supersample == Supersample::Ignore {
            warnings.add(Warning::Supersample);
        }
        if tcw.format() == PixelFormat::Bump && !isp.offset() {
            warnings.add(Warning::BumpWithoutOffset);
        }
        if tcw.mip() && tsp.mip_adjust() == 0 {
            warnings.add(Warning::MipAdjust);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_around_floats() {
        let some = [
            0.0,
            0.5,
            1.0,
            2.75,
            16_777_215.0,
            2_147_483_520.0,
            3e9,
            1e30,
            f32::INFINITY,
            f32::NAN,
        ];
        for value in some.into_iter().flat_map(|value| [value, -value]) {
            assert_eq!(floor(value), value.floor() as i32, "{value}");
            assert_eq!(ceil(value), value.ceil() as i32, "{value}");
        }
    }
}
