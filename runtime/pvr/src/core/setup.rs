//! From parameters in VRAM to triangles that a tile can draw: each once a frame.

use super::plane::{Corners, Edge, Plane};
use super::texcache::Textures;
use crate::event::{Warning, Warnings};
use crate::param::{CullMode, Filter, FogMode, IspWord, PixelFormat, TextureWord, TspWord};
use crate::regs::{Registers, reg};
use crate::settings::Settings;
use crate::vram::Vram;

/// What the ISP needs of a triangle or sprite.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    pub(super) isp: IspWord,
    /// Submission order: parameter address and place in the strip.
    pub(super) order: u32,
    pub(super) edges: [Edge; 4],
    pub(super) edge_count: usize,
    /// Rows (screen y) that may hold pixels, end exclusive.
    pub(super) rows: [i32; 2],
    pub(super) z: Plane,
}

/// What the TSP needs of it.
#[derive(Debug, Clone)]
pub(super) struct Surface {
    pub(super) tsp: TspWord,
    pub(super) gouraud: bool,
    /// Offset colour is to be added.
    pub(super) offset: bool,
    /// Index of the texture, if textured.
    pub(super) texture: Option<u32>,
    /// Depth plane again: shading runs off this struct alone.
    pub(super) z: Plane,
    /// u and v in 1/256 texel, times z.
    pub(super) uv: [Plane; 2],
    /// Colours of flat shading: base and offset.
    pub(super) flat: [u32; 2],
    /// A, R, G, B of the base colour and of the offset colour, times z.
    pub(super) colours: [[Plane; 4]; 2],
}

/// Where and how an object's parameters lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// Byte address of the ISP word in the 32-bit area.
    pub(super) address: u32,
    /// Words after x, y, z for one volume.
    pub(super) skip: u32,
    /// Two sets of everything.
    pub(super) two_volumes: bool,
}

/// What setup reads besides the parameters.
pub(super) struct Source<'a> {
    pub(super) vram: &'a Vram,
    pub(super) regs: &'a Registers,
    pub(super) settings: &'a Settings,
}

/// One vertex as stored.
#[derive(Debug, Clone, Copy)]
struct Corner {
    xy: [f32; 2],
    z: f64,
    uv: [f64; 2],
    base: u32,
    offset: u32,
}

impl Layout {
    fn word(&self, vram: &Vram, n: u32) -> u32 {
        vram.read32(self.address.wrapping_add(n * 4))
    }

    fn corner(&self, vram: &Vram, isp: IspWord, n: u32) -> Corner {
        let header = if self.two_volumes { 5 } else { 3 };
        let stride = 3 + self.skip * if self.two_volumes { 2 } else { 1 };
        let at = header + n * stride;
        let float = |n: u32| f32::from_bits(self.word(vram, n));
        let mut next = at + 3;
        let mut uv = [0.0; 2];
        if isp.texture() && isp.uv16() {
            let packed = self.word(vram, next);
            uv = [packed & 0xFFFF_0000, packed << 16].map(|bits| f64::from(f32::from_bits(bits)));
            next += 1;
        } else if isp.texture() {
            uv = [f64::from(float(next)), f64::from(float(next + 1))];
            next += 2;
        }
        Corner {
            xy: [float(at), float(at + 1)],
            z: f64::from(float(at + 2)),
            uv,
            base: self.word(vram, next),
            offset: if isp.texture() && isp.offset() {
                self.word(vram, next + 1)
            } else {
                0
            },
        }
    }
}

/// A figure and its surface.
pub(super) type Drawable = (Figure, Surface);

/// Sets up triangle `n` of an object (or a sprite of four corners); `None` if it is culled or has no area.
pub(super) fn figure(
    source: &Source<'_>,
    layout: Layout,
    n: u32,
    sprite: bool,
    textures: &mut Textures,
    warnings: &mut Warnings,
) -> Option<Drawable> {
    let isp = IspWord(layout.word(source.vram, 0));
    let read = |n| layout.corner(source.vram, isp, n);
    // Odd triangles of a strip have their first two corners swapped, which keeps the winding.
    let corners = if n & 1 == 0 {
        [read(n), read(n + 1), read(n + 2)]
    } else {
        [read(n + 1), read(n), read(n + 2)]
    };
    let points = corners.map(|c| c.xy);
    let shape = Corners::new(points);
    if is_culled(isp.cull(), shape.area, source.regs) {
        return None;
    }
    let rule = source.settings.fill_rule;
    let edge = |a, b| Edge::new(a, b, shape.area, rule);
    let [a, b, c] = points;
    let mut edges = [edge(a, b), edge(b, c), edge(c, a), Edge::default()];
    let mut ys = vec_range([a[1], b[1], c[1]]);
    if sprite {
        let d = read(3).xy;
        edges[2] = edge(c, d);
        edges[3] = edge(d, a);
        ys = [ys[0].min(d[1]), ys[1].max(d[1])];
    }
    let surface = surface(source, layout, isp, &shape, corners, textures, warnings);
    let order = (layout
        .address
        .wrapping_sub(source.regs.get(reg::PARAM_BASE) & 0xF0_0000)
        / 4)
        << 3
        | n;
    let figure = Figure {
        isp,
        order: order & 0xFF_FFFF,
        edges,
        edge_count: if sprite { 4 } else { 3 },
        rows: [ys[0].floor() as i32, (ys[1].ceil() as i32).saturating_add(1)],
        z: surface.z,
    };
    Some((figure, surface))
}

fn vec_range(values: [f32; 3]) -> [f32; 2] {
    [
        values[0].min(values[1]).min(values[2]),
        values[0].max(values[1]).max(values[2]),
    ]
}

/// No area (or none that can be told) draws nothing in any mode.
fn is_culled(mode: CullMode, area: f64, regs: &Registers) -> bool {
    if area == 0.0 || !area.is_finite() {
        return true;
    }
    let small = area.abs() < f64::from(f32::from_bits(regs.get(reg::FPU_CULL_VAL) & 0x7FFF_FFFF));
    match mode {
        CullMode::None => false,
        CullMode::Small => small,
        CullMode::Negative => small || area < 0.0,
        CullMode::Positive => small || area > 0.0,
    }
}

/// The background: a surface over the whole screen through the three vertices that ISP_BACKGND_T names.
pub(super) fn background(source: &Source<'_>, textures: &mut Textures, warnings: &mut Warnings) -> Surface {
    let tag = source.regs.get(reg::ISP_BACKGND_T);
    let base = source.regs.get(reg::PARAM_BASE) & 0xF0_0000;
    let intensity = source.regs.get(reg::FPU_SHAD_SCALE) >> 8 & 1 != 0;
    let layout = Layout {
        address: base.wrapping_add((tag >> 3 & 0x1F_FFFF) * 4),
        skip: tag >> 24 & 7,
        two_volumes: tag >> 27 & 1 != 0 && !intensity,
    };
    let isp = IspWord(layout.word(source.vram, 0));
    let corners = [0, 1, 2].map(|n| layout.corner(source.vram, isp, (tag & 7) + n));
    let shape = Corners::new(corners.map(|c| c.xy));
    surface(source, layout, isp, &shape, corners, textures, warnings)
}

fn surface(
    source: &Source<'_>,
    layout: Layout,
    isp: IspWord,
    shape: &Corners,
    corners: [Corner; 3],
    textures: &mut Textures,
    warnings: &mut Warnings,
) -> Surface {
    let tsp = TspWord(layout.word(source.vram, 1));
    let tcw = TextureWord(layout.word(source.vram, 2));
    warn(isp, tsp, tcw, layout, warnings);
    let texture = isp.texture().then(|| textures.index(source, tcw, tsp, warnings));
    let (width, height) = texture.map_or((0, 0), |t| textures.size(t));
    // Values are interpolated as value times z and multiplied by W = 1/z at each pixel.
    let [a, b, c] = &corners;
    let plane = |f: [f64; 3]| shape.plane([f[0] * a.z, f[1] * b.z, f[2] * c.z]);
    let channels = |colours: [u32; 3]| {
        let channel = |shift: u32| {
            let [a, b, c] = colours;
            plane([
                f64::from(a >> shift & 0xFF),
                f64::from(b >> shift & 0xFF),
                f64::from(c >> shift & 0xFF),
            ])
        };
        [channel(24), channel(16), channel(8), channel(0)]
    };
    let gouraud = isp.gouraud();
    let offset = isp.texture() && isp.offset();
    let none = [Plane::default(); 4];
    Surface {
        tsp,
        gouraud,
        offset,
        texture,
        z: shape.plane(corners.map(|c| c.z)),
        uv: [
            plane(corners.map(|c| c.uv[0] * f64::from(width) * 256.0)),
            plane(corners.map(|c| c.uv[1] * f64::from(height) * 256.0)),
        ],
        flat: [corners[2].base, corners[2].offset],
        colours: [
            if gouraud {
                channels([a.base, b.base, c.base])
            } else {
                none
            },
            if gouraud && offset {
                channels([a.offset, b.offset, c.offset])
            } else {
                none
            },
        ],
    }
}

/// Tells of everything that a polygon asks for and that has no model here.
fn warn(isp: IspWord, tsp: TspWord, tcw: TextureWord, layout: Layout, warnings: &mut Warnings) {
    let textured = isp.texture();
    let mut when = |asked: bool, warning| {
        if asked {
            warnings.add(warning);
        }
    };
    when(layout.two_volumes, Warning::TwoVolumes);
    when(tsp.src_second() || tsp.dst_second(), Warning::SecondAccumulator);
    when(textured && tcw.mip(), Warning::MipLevel);
    when(textured && tsp.supersample(), Warning::Supersample);
    when(
        textured && matches!(tsp.filter(), Filter::TrilinearA | Filter::TrilinearB),
        Warning::Trilinear,
    );
    when(textured && tcw.format() == PixelFormat::Bump, Warning::Bump);
    let fog = match tsp.fog() {
        FogMode::None => false,
        FogMode::Vertex => isp.offset(),
        FogMode::Table | FogMode::Table2 => true,
    };
    when(fog, Warning::Fog);
}

impl Figure {
    /// Stands at the background's number; it is never drawn.
    pub(super) fn nothing() -> Self {
        Self {
            isp: IspWord(0),
            order: 0,
            edges: [Edge::default(); 4],
            edge_count: 0,
            rows: [0, 0],
            z: Plane::default(),
        }
    }
}
