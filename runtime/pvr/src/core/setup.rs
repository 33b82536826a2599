//! From parameters in VRAM to a figure that can be tested for depth: position, edges, depth plane.

use super::edge::Edge;
use super::objects::Triangle;
use super::plane::{Corners, Plane};
use crate::event::{Warning, Warnings};
use crate::param::{CullMode, IspWord, PixelFormat, TextureWord, TspWord};
use crate::regs::{Registers, reg};
use crate::settings::{PerpCull, Settings, Supersample};
use crate::vram::Vram;

/// What drawing reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) vram: &'a Vram,
    pub(crate) regs: &'a Registers,
    pub(crate) settings: &'a Settings,
}

/// What the ISP needs of a triangle or sprite.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    pub(super) isp: IspWord,
    edges: [Edge; 4],
    /// 3, 4 for a sprite, 0 if nothing is to be drawn.
    pub(super) edge_count: usize,
    /// Places in `edges`, by [`Side`].
    order: [u8; 4],
    /// Where the edges of each side end in `order`.
    ends: [u8; 4],
    /// Rows (screen y) that may hold pixels, end exclusive.
    pub(super) rows: [i32; 2],
    pub(super) z: Plane,
}

/// What an edge tells of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The first pixel: the figure is on the edge's right.
    First,
    /// The last pixel: the figure is on its left.
    Last,
    /// All pixels or none: it is horizontal.
    Whole,
    /// Each pixel has to be asked: it leads too far away.
    Any,
}

impl Default for Figure {
    fn default() -> Self {
        Self::NOTHING
    }
}

impl Figure {
    /// A figure without pixels.
    pub(super) const NOTHING: Self = Self {
        isp: IspWord(0),
        edges: [Edge::NONE; 4],
        edge_count: 0,
        order: [0; 4],
        ends: [0; 4],
        rows: [0, 0],
        z: Plane::ZERO,
    };

    /// Sets three or four edges.
    pub(super) fn set_edges(&mut self, edges: impl IntoIterator<Item = Edge>) {
        self.edge_count = 0;
        for (place, edge) in self.edges.iter_mut().zip(edges) {
            *place = edge;
            self.edge_count += 1;
        }
        let edges = &self.edges[..self.edge_count];
        let mut next = 0;
        for (side, end) in [Side::First, Side::Last, Side::Whole, Side::Any]
            .into_iter()
            .zip(&mut self.ends)
        {
            for (n, _) in edges.iter().enumerate().filter(|(_, edge)| edge.tells() == side) {
                self.order[next % 4] = n as u8;
                next += 1;
            }
            *end = next as u8;
        }
    }

    /// The edges that tell something of a row.
    #[inline(always)]
    pub(super) fn edges(&self, side: Side) -> impl Iterator<Item = &Edge> {
        let start = match side {
            Side::First => 0,
            _ => self.ends[side as usize - 1],
        };
        let places = usize::from(start)..usize::from(self.ends[side as usize]);
        places.map(|n| &self.edges[usize::from(self.order[n % 4]) % 4])
    }

    /// Whether an edge tells this.
    #[inline(always)]
    pub(super) fn has(&self, side: Side) -> bool {
        self.edges(side).next().is_some()
    }

    /// The pixels within all edges in a row of a tile, a bit each; the first is sampled at (`x`, `y`).
    #[cold]
    pub(super) fn mask(&self, x: f64, y: f64) -> u32 {
        let edges = &self.edges[..self.edge_count];
        edges.iter().fold(u32::MAX, |mask, edge| mask & edge.mask(x, y))
    }

    /// Whether the figure covers a pixel; `centre` is the place of the depth sample in it.
    pub(super) fn covers(&self, [x, y]: [i32; 2], centre: f64) -> bool {
        let (sample_x, sample_y) = (f64::from(x) + centre, f64::from(y) + centre);
        self.edge_count > 0
            && (self.rows[0]..self.rows[1]).contains(&y)
            && self.edges[..self.edge_count]
                .iter()
                .all(|edge| edge.inside(sample_x, sample_y))
    }
}

/// One vertex as stored, with the data of one volume.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub(super) xy: [f32; 2],
    pub(super) z: f32,
    pub(super) uv: [f32; 2],
    pub(super) base: u32,
    pub(super) offset: u32,
}

impl Triangle {
    pub(super) fn word(&self, vram: &Vram, n: u32) -> u32 {
        vram.read32(self.address.wrapping_add(n * 4))
    }

    pub(super) fn isp(&self, vram: &Vram) -> IspWord {
        IspWord(self.word(vram, 0))
    }

    /// TSP and texture words of a volume, 0 or 1.
    pub(super) fn tsp(&self, vram: &Vram, volume: u32) -> (TspWord, TextureWord) {
        let at = 1 + 2 * volume;
        (TspWord(self.word(vram, at)), TextureWord(self.word(vram, at + 1)))
    }

    /// First word of vertex `n`.
    fn vertex(&self, n: u32) -> u32 {
        let volumes = self.volumes();
        1 + 2 * volumes + n * (3 + self.skip * volumes)
    }

    fn position(&self, vram: &Vram, n: u32) -> [f32; 3] {
        let at = self.vertex(n);
        [
            f32::from_bits(self.word(vram, at)),
            f32::from_bits(self.word(vram, at + 1)),
            f32::from_bits(self.word(vram, at + 2)),
        ]
    }

    /// Numbers of the three vertices of the plane. Odd triangles of a strip have their first two swapped, which keeps the
    /// winding.
    fn corners(&self) -> [u32; 3] {
        let n = u32::from(self.n);
        if n & 1 == 0 {
            [n, n + 1, n + 2]
        } else {
            [n + 1, n, n + 2]
        }
    }

    /// The three vertices of the plane with the data of a volume.
    pub(super) fn read(&self, vram: &Vram, isp: IspWord, volume: u32) -> [Corner; 3] {
        let [a, b, c] = self.corners();
        [
            self.corner(vram, isp, volume, a),
            self.corner(vram, isp, volume, b),
            self.corner(vram, isp, volume, c),
        ]
    }

    #[inline(always)]
    fn corner(&self, vram: &Vram, isp: IspWord, volume: u32, n: u32) -> Corner {
        let [x, y, z] = self.position(vram, n);
        let uv = self.vertex(n) + 3 + volume * self.skip;
        let (words, uv) = match (isp.texture(), isp.uv16()) {
            (false, _) => (0, [0, 0]),
            (true, false) => (2, [self.word(vram, uv), self.word(vram, uv + 1)]),
            (true, true) => {
                let packed = self.word(vram, uv);
                (1, [packed & 0xFFFF_0000, packed << 16])
            }
        };
        let colours = self.vertex(n) + 3 + volume * self.skip + words;
        Corner {
            xy: [x, y],
            z,
            uv: uv.map(f32::from_bits),
            base: self.word(vram, colours),
            offset: if isp.texture() && isp.offset() {
                self.word(vram, colours + 1)
            } else {
                0
            },
        }
    }

    /// Position in the order of submission: word address and place in the strip, the lower 24 bits of the chip's tag.
    pub(super) fn order(&self, regs: &Registers) -> u32 {
        let base = regs.get(reg::PARAM_BASE) & 0xF0_0000;
        ((self.address.wrapping_sub(base) / 4) << 3 | u32::from(self.n)) & 0xFF_FFFF
    }
}

/// What the ISP draws; a figure without edges if it is culled or has no area.
pub(super) fn figure(source: &Source<'_>, triangle: &Triangle) -> Figure {
    let mut figure = Figure::NOTHING;
    set_up(&mut figure, source, triangle);
    figure
}

/// Makes any figure that of a triangle.
pub(super) fn set_up(figure: &mut Figure, source: &Source<'_>, triangle: &Triangle) {
    let isp = triangle.isp(source.vram);
    let [a, b, c] = triangle.corners().map(|n| triangle.position(source.vram, n));
    let points = [a, b, c].map(|[x, y, _]| [x, y]);
    let shape = Corners::new(points);
    figure.isp = isp;
    figure.edge_count = 0;
    if is_culled(isp.cull(), shape.area, source.regs) || is_edge_on(source, &points, shape.area) {
        return;
    }
    let rule = source.settings.fill_rule;
    let edge = |a, b| Edge::new(a, b, shape.area, rule);
    let [a2, b2, c2] = points;
    let mut ys = [a2[1].min(b2[1]).min(c2[1]), a2[1].max(b2[1]).max(c2[1])];
    if triangle.sprite {
        let [x, y, _] = triangle.position(source.vram, 3);
        let d2 = [x, y];
        figure.set_edges([edge(a2, b2), edge(b2, c2), edge(c2, d2), edge(d2, a2)]);
        ys = [ys[0].min(y), ys[1].max(y)];
    } else {
        figure.set_edges([edge(a2, b2), edge(b2, c2), edge(c2, a2)]);
    }
    figure.rows = [floor(ys[0]), ceil(ys[1]).saturating_add(1)];
    figure.z = shape.plane([a, b, c].map(|p| f64::from(p[2])));
}

/// `value.floor() as i32`, without a function call on processors that have no instruction for it.
fn floor(value: f32) -> i32 {
    let whole = value as i32;
    whole.saturating_sub(i32::from(whole as f32 > value))
}

/// `value.ceil() as i32`
fn ceil(value: f32) -> i32 {
    let whole = value as i32;
    whole.saturating_add(i32::from((whole as f32) < value))
}

/// No area (or none that can be told) draws nothing in any mode.
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

fn unsigned_float(regs: &Registers, offset: u32) -> f32 {
    f32::from_bits(regs.get(offset) & 0x7FFF_FFFF)
}

/// [`PerpCull::On`]: height over longest edge below FPU_PERP_VAL.
fn is_edge_on(source: &Source<'_>, points: &[[f32; 2]; 3], area: f64) -> bool {
    if source.settings.perp_cull == PerpCull::Off {
        return false;
    }
    let square = |a: usize, b: usize| {
        let [dx, dy] = [0, 1].map(|n| f64::from(points[a][n]) - f64::from(points[b][n]));
        dx * dx + dy * dy
    };
    let longest = square(0, 1).max(square(1, 2)).max(square(2, 0));
    area.abs() < longest * f64::from(unsigned_float(source.regs, reg::FPU_PERP_VAL))
}

/// Tells of everything that a polygon asks for and that means nothing, or has no model.
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
