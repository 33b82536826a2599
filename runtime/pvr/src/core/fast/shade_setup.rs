//! Parameters of a primitive for the eight-lane shader.

use super::isa::Isa;
use super::shade::channels::{Blend, forced_bits};
use crate::core::mip;
use crate::core::objects::Triangle;
use crate::core::sample::{Axis, Outside, Sampler};
use crate::core::setup::Source;
use crate::core::surface::Surface;
use crate::param::{BlendFactor, Filter, FogMode, Shading, TextureWord, TspWord};
use crate::settings::{
    BilinearSum, BumpStage, CheapShadowStage, Dcalc, FogMode2Stage, MipLevel, Supersample, Trilinear,
    WeightScale,
};

/// Shading parameters of a primitive for one of its two volumes.
#[derive(Debug, Clone, Default)]
pub(super) struct ShadeSetup {
    /// True if the eight-lane shader can draw the primitive; otherwise the reference renderer draws it.
    pub(super) wide: bool,
    pub(super) surface: Surface,
    pub(super) gouraud: bool,
    /// True if the primitive has an offset colour.
    pub(super) offset: bool,
    /// Index of the texture in the table of [`super::caches`].
    pub(super) texture: Option<usize>,
    pub(super) axes: [Axis; 2],
    pub(super) bilinear: bool,
    /// Bits to set in the vertex colour and in texels before combining: see [`forced_bits`].
    pub(super) base_mask: u32,
    pub(super) texel_mask: u32,
    pub(super) blend: Blend,
    /// True for a bilinear texture that repeats along both axes, without rare features.
    pub(super) common: bool,
    pub(super) extras: Extras,
}

/// Features beyond texture, vertex colours and blending.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Extras {
    /// True if any of the other fields differs from its default.
    pub(super) any: bool,
    pub(super) fog: Option<Fog>,
    pub(super) bump: bool,
    pub(super) supersample: bool,
    /// True if the second accumulator is the source (first element) or the destination (second element) of
    /// blending.
    pub(super) second: [bool; 2],
    pub(super) mip: Option<Mip>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fog {
    Table,
    Vertex,
    Table2,
}

/// A texture with mip levels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mip {
    /// See [`mip::coefficient`].
    pub(super) coefficient: f32,
    /// D adjust.
    pub(super) adjust: f32,
    pub(super) pass: MipPass,
}

/// Use of a pixel's mip level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MipPass {
    /// One level, not weighted.
    Whole,
    /// Pass A or B of trilinear filtering. `None` weights it by the fraction of the level; `Some` is a fixed
    /// weight of pass B over 256.
    TrilinearA(Option<u32>),
    TrilinearB(Option<u32>),
}

impl ShadeSetup {
    /// Computes the parameters of a triangle. `texture` returns the index, width and height of a texture.
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
        self.wide = wide && (self.texture.is_some() || !textured);
        self.offset = surface.has_offset();
        self.base_mask = forced_bits(tsp, textured);
        self.texel_mask = if tsp.ignore_texture_alpha() {
            0xFF00_0000
        } else {
            0
        };
        // With all bits set, the interpolated colour has no effect.
        self.gouraud = surface.isp.gouraud() && (self.base_mask != u32::MAX || self.offset);
        self.axes = Axis::both(tsp, found.map_or([1, 1], |(_, size)| size));
        self.bilinear = tsp.filter() != Filter::Point;
        self.blend = Blend::of(tsp);
        self.extras = Extras::new(source, surface);
        self.common = self.bilinear
            && !self.extras.any
            && self.axes.iter().all(|axis| axis.outside == Outside::Repeat)
            && tsp.shading() != Shading::DecalAlpha
            && !tsp.colour_clamp();
    }

    /// True if all pixels have the colour [`Self::flat`] before blending.
    pub(super) fn is_flat(&self) -> bool {
        self.wide
            && self.texture.is_none()
            && !self.extras.any
            && !self.gouraud
            && !self.surface.tsp.colour_clamp()
    }

    pub(super) fn factors(&self) -> [BlendFactor; 2] {
        [self.surface.tsp.src(), self.surface.tsp.dst()]
    }

    /// Returns the vertex colour of flat shading.
    pub(super) fn flat(&self) -> u32 {
        self.surface.flat[0] | self.base_mask
    }
}

impl Extras {
    fn new(source: &Source<'_>, surface: &Surface) -> Self {
        let tsp = surface.tsp;
        let textured = surface.isp.texture();
        let mut extras = Self {
            any: false,
            fog: match tsp.fog() {
                FogMode::Table => Some(Fog::Table),
                FogMode::Table2 => Some(Fog::Table2),
                FogMode::Vertex if surface.has_offset() => Some(Fog::Vertex),
                FogMode::Vertex | FogMode::None => None,
            },
            bump: textured && Sampler::is_bump(surface.tcw),
            supersample: textured && is_supersampled(source, surface),
            second: [tsp.src_second(), tsp.dst_second()],
            mip: (textured && surface.tcw.mip()).then(|| Mip::new(source, surface)),
        };
        extras.any = extras != Self::default();
        extras
    }
}

impl Mip {
    fn new(source: &Source<'_>, surface: &Surface) -> Self {
        let tsp = surface.tsp;
        let trilinear = source.settings.trilinear;
        let weight = (trilinear == Trilinear::AdjustBits).then_some((tsp.mip_adjust() & 3) * 64);
        let lone = trilinear == Trilinear::LonePass && tsp.dst() != BlendFactor::One;
        Self {
            coefficient: mip::coefficient(surface),
            adjust: tsp.mip_adjust() as f32 / 4.0,
            pass: match tsp.filter() {
                Filter::TrilinearA => MipPass::TrilinearA(weight),
                Filter::TrilinearB if !lone => MipPass::TrilinearB(weight),
                Filter::Point | Filter::Bilinear | Filter::TrilinearB => MipPass::Whole,
            },
        }
    }
}

fn is_supersampled(source: &Source<'_>, surface: &Surface) -> bool {
    surface.tsp.supersample() && source.settings.supersample == Supersample::Average
}

/// Returns true if [`super::shade`] implements the settings that a surface depends on.
fn can_be_wide(source: &Source<'_>, surface: &Surface) -> bool {
    let (settings, tsp) = (source.settings, surface.tsp);
    let filter = settings.bilinear_sum == BilinearSum::OneSum;
    let levels = !surface.tcw.mip()
        || settings.mip_level == MipLevel::Series1
            && !(surface.isp.dcalc() && settings.dcalc == Dcalc::Exact);
    let bump = !Sampler::is_bump(surface.tcw) || settings.bump_stage == BumpStage::AsTexel;
    let fog = tsp.fog() != FogMode::Table2 || settings.fog_mode2_stage == FogMode2Stage::AfterCombine;
    fog && settings.weight_scale == WeightScale::Scaled256
        && (!surface.isp.texture() || filter && levels && bump)
}

/// Returns true if [`super::shade`] implements the setting for intensity volumes.
pub(super) fn has_shadow_stage(source: &Source<'_>) -> bool {
    source.settings.cheap_shadow_stage == CheapShadowStage::Inputs
}
