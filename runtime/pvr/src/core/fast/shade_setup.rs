//! The parameters of a primitive in the form that the eight-lane shader takes.

use super::isa::Isa;
use super::shade::channels::{Blend, ones};
use crate::core::objects::Triangle;
use crate::core::sample::{Axis, Outside, Sampler};
use crate::core::setup::Source;
use crate::core::surface::Surface;
use crate::param::{BlendFactor, Filter, FogMode, Shading, TextureWord, TspWord};
use crate::settings::{BilinearSum, Supersample, WeightScale};

/// The shader that draws a primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// By the definition, pixel by pixel.
    Scalar,
    /// In groups.
    Wide,
}

/// A primitive with the parameters of one volume.
#[derive(Debug, Clone)]
pub(super) struct ShadeSetup {
    pub(super) style: Style,
    pub(super) surface: Surface,
    pub(super) gouraud: bool,
    /// There is an offset colour.
    pub(super) offset: bool,
    /// Place of its texture: see [`super::caches`].
    pub(super) texture: Option<usize>,
    pub(super) axes: [Axis; 2],
    pub(super) bilinear: bool,
    /// Set in the vertex colour, and in texels, before they are combined: see [`ones`].
    pub(super) base_ones: u32,
    pub(super) texel_ones: u32,
    pub(super) blend: Blend,
    pub(super) factors: [BlendFactor; 2],
    /// A bilinear texture repeated along both axes, and nothing that is seldom asked for.
    pub(super) common: bool,
}

impl Default for ShadeSetup {
    fn default() -> Self {
        let tsp = TspWord(0);
        Self {
            style: Style::Scalar,
            surface: Surface::default(),
            gouraud: false,
            offset: false,
            texture: None,
            axes: Axis::both(tsp, [1, 1]),
            bilinear: false,
            base_ones: 0,
            texel_ones: 0,
            blend: Blend::Other,
            factors: [tsp.src(), tsp.dst()],
            common: false,
        }
    }
}

impl ShadeSetup {
    /// Makes it that of a triangle; `texture` gives a texture's place and its width and height in texels.
    #[inline(always)]
    pub(super) fn set_up<I: Isa>(
        &mut self,
        isa: I,
        source: &Source<'_>,
        triangle: &Triangle,
        volume: u32,
        texture: impl FnOnce(TextureWord, TspWord) -> Option<(usize, [u32; 2])>,
    ) {
        isa.surface(&mut self.surface, source, triangle, volume);
        let surface = &self.surface;
        let (tsp, textured) = (surface.tsp, surface.isp.texture());
        let wide = can_be_wide(source, surface);
        let found = if wide && textured {
            texture(surface.tcw, tsp)
        } else {
            None
        };
        self.texture = found.map(|(place, _)| place);
        self.style = if wide && (self.texture.is_some() || !textured) {
            Style::Wide
        } else {
            Style::Scalar
        };
        self.offset = surface.has_offset();
        self.base_ones = ones(tsp, textured);
        self.texel_ones = if tsp.ignore_texture_alpha() {
            0xFF00_0000
        } else {
            0
        };
        // Nothing is left of colours whose bits are all set.
        self.gouraud = surface.isp.gouraud() && (self.base_ones != u32::MAX || self.offset);
        self.axes = Axis::both(tsp, found.map_or([1, 1], |(_, size)| size));
        self.bilinear = tsp.filter() != Filter::Point;
        self.blend = Blend::of(tsp);
        self.factors = [tsp.src(), tsp.dst()];
        self.common = self.bilinear
            && self.axes.iter().all(|axis| axis.outside == Outside::Repeat)
            && tsp.shading() != Shading::DecalAlpha
            && !tsp.colour_clamp()
            && self.blend != Blend::Other;
    }

    /// One colour, [`Self::flat`], before it is blended.
    pub(super) fn is_even(&self) -> bool {
        self.style == Style::Wide
            && self.texture.is_none()
            && !self.gouraud
            && !self.surface.tsp.colour_clamp()
    }

    /// The vertex colour of flat shading.
    pub(super) fn flat(&self) -> u32 {
        self.surface.flat[0] | self.base_ones
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
