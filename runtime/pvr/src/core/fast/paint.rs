//! A figure as the wide shader takes it, and the caches that keep figures from being set up again in every tile.

use super::shade::channels::{Blend, ones};
use super::textures::{Decoded, Textures};
use crate::core::objects::Triangle;
use crate::core::plane::Planes;
use crate::core::sample::{Axis, Outside, Sampler};
use crate::core::setup::{Figure, Source, set_up, warn};
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

/// How a paint is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// By the definition, pixel by pixel.
    Scalar,
    /// In groups.
    Wide,
}

/// A figure with the parameters of one volume.
#[derive(Debug, Clone)]
pub(super) struct Paint {
    pub(super) style: Style,
    pub(super) tsp: TspWord,
    pub(super) gouraud: bool,
    pub(super) planes: Planes,
    /// There is an offset colour.
    pub(super) offset: bool,
    pub(super) offset_planes: Planes,
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

impl Default for Paint {
    fn default() -> Self {
        let tsp = TspWord(0);
        Self {
            style: Style::Scalar,
            tsp,
            gouraud: false,
            planes: Planes::default(),
            offset: false,
            offset_planes: Planes::default(),
            flat: [0; 2],
            texture: None,
            axes: Axis::both(tsp, [1, 1]),
            bilinear: false,
            base_ones: 0,
            texel_ones: 0,
            blend: Blend::Other,
            factors: [tsp.src(), tsp.dst()],
            usual: false,
        }
    }
}

impl Paint {
    /// Makes it that of a triangle.
    fn set_up(
        &mut self,
        source: &Source<'_>,
        triangle: &Triangle,
        volume: u32,
        texture: impl FnOnce(TextureWord, TspWord) -> Option<Arc<Decoded>>,
    ) {
        let surface = Surface::read(source, triangle, volume);
        let (tsp, textured) = (surface.tsp, surface.isp.texture());
        let wide = can_be_wide(source, &surface);
        self.texture = if wide && textured {
            texture(surface.tcw, tsp)
        } else {
            None
        };
        self.style = if wide && (self.texture.is_some() || !textured) {
            Style::Wide
        } else {
            Style::Scalar
        };
        self.tsp = tsp;
        self.offset = surface.has_offset();
        self.base_ones = ones(tsp, textured);
        self.texel_ones = if tsp.ignore_texture_alpha() {
            0xFF00_0000
        } else {
            0
        };
        // Nothing is left of colours whose bits are all set.
        self.gouraud = surface.isp.gouraud() && (self.base_ones != u32::MAX || self.offset);
        self.flat = surface.flat;
        self.planes = surface.planes;
        if self.offset {
            self.offset_planes = surface.offset_planes;
        }
        let size = self.texture.as_ref().map_or([1, 1], |t| [t.width, t.height]);
        self.axes = Axis::both(tsp, size);
        self.bilinear = tsp.filter() != Filter::Point;
        self.blend = Blend::of(tsp);
        self.factors = [tsp.src(), tsp.dst()];
        self.usual = self.bilinear
            && self.axes.iter().all(|axis| axis.outside == Outside::Repeat)
            && tsp.shading() != Shading::DecalAlpha
            && !tsp.colour_clamp()
            && self.blend != Blend::Other;
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
    values: Vec<T>,
}

impl<T: Default> Cache<T> {
    fn new(size: usize) -> Self {
        Self {
            keys: vec![u64::MAX; size],
            values: std::iter::repeat_with(T::default).take(size).collect(),
        }
    }

    /// The value of a key, made of whatever is in its place if it is not there.
    #[inline]
    fn get(&mut self, key: u64, hash: usize, make: impl FnOnce(&mut T)) -> &T {
        let at = hash & (self.keys.len() - 1);
        let value = &mut self.values[at];
        if self.keys[at] != key {
            self.keys[at] = key;
            make(value);
        }
        value
    }

    /// Forgets everything; `drop` gives up what a value holds.
    fn clear(&mut self, drop: impl Fn(&mut T)) {
        for (key, value) in self.keys.iter_mut().zip(&mut self.values) {
            if *key != u64::MAX {
                *key = u64::MAX;
                drop(value);
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
        self.figures.clear(|_| {});
        self.paints.clear(|paint| paint.texture = None);
        self.textures.clear(|texture| *texture = None);
    }

    #[inline]
    pub(super) fn figure(
        &mut self,
        source: &Source<'_>,
        triangle: &Triangle,
        warnings: &mut Warnings,
    ) -> &Figure {
        self.figures.get(key(triangle, 0), hash(triangle), |figure| {
            set_up(figure, source, triangle);
            if figure.edge_count > 0 {
                warn(source, triangle, warnings);
            }
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
        self.paints.get(key(triangle, volume), hash(triangle), |paint| {
            paint.set_up(source, triangle, volume, |tcw, tsp| {
                let key = Textures::key(tcw, tsp);
                let hash = (key ^ key >> 9 ^ key >> 32) as usize;
                let texture = known.get(key, hash, |texture| *texture = textures.get(source, tcw, tsp));
                texture.clone()
            });
        })
    }
}
