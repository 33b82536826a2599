//! A figure as the wide shader takes it, and the caches that keep figures from being set up again in every tile.

use super::shade::channels::{Blend, ones};
use super::textures::{Decoded, Textures};
use crate::core::objects::Triangle;
use crate::core::sample::{Axis, Outside, Sampler};
use crate::core::setup::{Figure, Source, figure, warn};
use crate::core::surface::Surface;
use crate::event::Warnings;
use crate::param::{BlendFactor, Filter, FogMode, Shading, TextureWord, TspWord};
use crate::settings::{BilinearSum, Supersample, WeightScale};
use std::sync::Arc;

/// Figures and paints that a thread keeps; a tile of a busy frame has some hundred.
const FIGURES: usize = 2048;
const PAINTS: usize = 1024;
/// Textures that a thread finds without asking for the shared ones.
const TEXTURES: usize = 64;

/// Planes in the order z, u, v, unused, A, R, G, B: one place each in arrays, so that all are evaluated together.
pub(super) const Z: usize = 0;
pub(super) const U: usize = 1;
pub(super) const V: usize = 2;
pub(super) const COLOUR: usize = 4;

/// How a paint is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// By the definition, pixel by pixel.
    Scalar,
    /// In groups.
    Wide,
}

/// Eight planes side by side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planes {
    pub(super) c: [f64; 8],
    pub(super) dx: [f64; 8],
    pub(super) dy: [f64; 8],
    /// `dx` in single precision.
    pub(super) step: [f32; 8],
}

/// A figure with the parameters of one volume.
#[derive(Debug, Clone)]
pub(super) struct Paint {
    pub(super) style: Style,
    pub(super) tsp: TspWord,
    pub(super) gouraud: bool,
    pub(super) planes: Planes,
    /// Offset colour: its planes are in the last four places.
    pub(super) offset: Option<Planes>,
    /// Colours of flat shading: base and offset.
    pub(super) flat: [u32; 2],
    pub(super) texture: Option<Arc<Decoded>>,
    pub(super) axes: [Axis; 2],
    pub(super) bilinear: bool,
    /// Set in the vertex colour, and in texels, before they are combined: see [`ones`].
    pub(super) base_ones: u32,
    pub(super) texel_ones: u32,
    pub(super) blend: Blend,
    pub(super) factors: [BlendFactor; 2],
    /// A bilinear texture repeated along both axes, and nothing that is seldom asked for.
    pub(super) usual: bool,
}

impl Planes {
    fn of(z: &Surface, uv: bool, colours: usize) -> Self {
        let mut planes = Self {
            c: [0.0; 8],
            dx: [0.0; 8],
            dy: [0.0; 8],
            step: [0.0; 8],
        };
        let mut set = |n: usize, (c, dx, dy): (f64, f64, f64)| {
            (planes.c[n], planes.dx[n], planes.dy[n]) = (c, dx, dy);
        };
        if uv {
            set(Z, z.z.terms());
            set(U, z.uv[0].terms());
            set(V, z.uv[1].terms());
        }
        for n in 0..4 {
            set(COLOUR + n, z.colours[colours][n].terms());
        }
        planes.step = planes.dx.map(|dx| dx as f32);
        planes
    }
}

impl Paint {
    fn new(
        source: &Source<'_>,
        triangle: &Triangle,
        volume: u32,
        texture: impl FnOnce(TextureWord, TspWord) -> Option<Arc<Decoded>>,
    ) -> Self {
        let surface = Surface::read(source, triangle, volume);
        let (tsp, tcw) = (surface.tsp, surface.tcw);
        let wide = can_be_wide(source, &surface);
        let texture = (wide && surface.isp.texture())
            .then(|| texture(tcw, tsp))
            .flatten();
        let has_texels = texture.is_some() || !surface.isp.texture();
        let size = texture.as_ref().map_or([1, 1], |t| [t.width, t.height]);
        let axes = Axis::both(tsp, size);
        let bilinear = tsp.filter() != Filter::Point;
        let blend = Blend::of(tsp);
        let base_ones = ones(tsp, surface.isp.texture());
        let usual = bilinear
            && axes.iter().all(|axis| axis.outside == Outside::Repeat)
            && tsp.shading() != Shading::DecalAlpha
            && !tsp.colour_clamp()
            && blend != Blend::Other;
        Self {
            style: if wide && has_texels {
                Style::Wide
            } else {
                Style::Scalar
            },
            tsp,
            // Nothing is left of colours whose bits are all set.
            gouraud: surface.isp.gouraud() && (base_ones != u32::MAX || surface.has_offset()),
            planes: Planes::of(&surface, true, 0),
            offset: surface.has_offset().then(|| Planes::of(&surface, false, 1)),
            flat: surface.flat,
            texture,
            axes,
            bilinear,
            base_ones,
            texel_ones: if tsp.ignore_texture_alpha() {
                0xFF00_0000
            } else {
                0
            },
            blend,
            factors: [tsp.src(), tsp.dst()],
            usual,
        }
    }
}

/// Whether [`super::shade`] has the ways of a surface. (Where a volume changes the intensity it has not.)
fn can_be_wide(source: &Source<'_>, surface: &Surface) -> bool {
    let (settings, tsp) = (source.settings, surface.tsp);
    let textured = surface.isp.texture();
    let supersampled = tsp.supersample() && settings.supersample == Supersample::Average;
    let plain = !tcw_is_special(surface) && !supersampled && settings.bilinear_sum == BilinearSum::OneSum;
    let filter = matches!(tsp.filter(), Filter::Point | Filter::Bilinear);
    let fog = match tsp.fog() {
        FogMode::None => true,
        FogMode::Vertex => !surface.has_offset(),
        FogMode::Table | FogMode::Table2 => false,
    };
    fog && settings.weight_scale == WeightScale::Scaled256
        && !tsp.src_second()
        && !tsp.dst_second()
        && (!textured || plain && filter)
}

/// Mip levels and bump maps.
fn tcw_is_special(surface: &Surface) -> bool {
    surface.tcw.mip() || Sampler::is_bump(surface.tcw)
}

/// Values by key, each key in one place: a newcomer takes it.
#[derive(Debug)]
pub(super) struct Cache<T> {
    keys: Vec<u64>,
    values: Vec<Option<T>>,
}

impl<T> Cache<T> {
    fn new(size: usize) -> Self {
        Self {
            keys: vec![u64::MAX; size],
            values: std::iter::repeat_with(|| None).take(size).collect(),
        }
    }

    /// The value of a key, made if it is not there.
    #[inline]
    fn get(&mut self, key: u64, hash: usize, make: impl FnOnce() -> T) -> &T {
        let at = hash & (self.keys.len() - 1);
        if self.keys[at] != key {
            self.keys[at] = key;
            self.values[at] = None;
        }
        self.values[at].get_or_insert_with(make)
    }

    /// Forgets everything, and gives up what values hold.
    fn clear(&mut self) {
        for (key, value) in self.keys.iter_mut().zip(&mut self.values) {
            if *key != u64::MAX {
                (*key, *value) = (u64::MAX, None);
            }
        }
    }
}

/// A key for a triangle; all parts of it are in different bits.
fn key(triangle: &Triangle, volume: u32) -> u64 {
    u64::from(triangle.address)
        | u64::from(triangle.n) << 32
        | u64::from(triangle.skip) << 36
        | u64::from(triangle.sprite) << 40
        | u64::from(triangle.shadow) << 41
        | u64::from(triangle.two_volumes) << 42
        | u64::from(volume) << 43
}

/// Neighbours in memory lie in different places.
fn hash(triangle: &Triangle) -> usize {
    let words = triangle.address as usize / 4;
    words / 4 + usize::from(triangle.n) * 311 + (words >> 13) * 77
}

/// What one thread has set up.
#[derive(Debug)]
pub(super) struct Caches {
    figures: Cache<Figure>,
    paints: Cache<Paint>,
    textures: Cache<Option<Arc<Decoded>>>,
}

impl Default for Caches {
    fn default() -> Self {
        Self {
            figures: Cache::new(FIGURES),
            paints: Cache::new(PAINTS),
            textures: Cache::new(TEXTURES),
        }
    }
}

impl Caches {
    /// Forgets everything: memory may have changed.
    pub(super) fn clear(&mut self) {
        self.figures.clear();
        self.paints.clear();
        self.textures.clear();
    }

    #[inline]
    pub(super) fn figure(
        &mut self,
        source: &Source<'_>,
        triangle: &Triangle,
        warnings: &mut Warnings,
    ) -> &Figure {
        self.figures.get(key(triangle, 0), hash(triangle), || {
            let figure = figure(source, triangle);
            if figure.edge_count > 0 {
                warn(source, triangle, warnings);
            }
            figure
        })
    }

    #[inline]
    pub(super) fn paint(
        &mut self,
        source: &Source<'_>,
        textures: &Textures,
        triangle: &Triangle,
        volume: u32,
    ) -> &Paint {
        let known = &mut self.textures;
        self.paints.get(key(triangle, volume), hash(triangle), || {
            Paint::new(source, triangle, volume, |tcw, tsp| {
                let key = Textures::key(tcw, tsp);
                let hash = (key ^ key >> 9 ^ key >> 32) as usize;
                known.get(key, hash, || textures.get(source, tcw, tsp)).clone()
            })
        })
    }
}
