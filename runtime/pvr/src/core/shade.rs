//! Colour of one pixel of a primitive: interpolation, texture, combining, clamp, fog
//! (`docs/hardware/pvr2.md`, "TSP").

use super::colour::{add_offset, clamp, combine, scale, with_alpha};
use super::fog::Fog;
use super::mip::{Lod, lod};
use super::plane::{COLOUR, Plane, U, V, Z, round};
use super::sample::Sampler;
use super::setup::Source;
use super::surface::Surface;
use crate::param::{BlendFactor, Filter, FogMode};
use crate::regs::reg;
use crate::settings::{
    BumpStage, CheapShadowStage, FogMode2Stage, FpModel, PtAlphaSource, Settings, Supersample, TexelOffset,
    Trilinear,
};
use crate::texture::{Texels, TextureRegisters};

/// Registers and settings for shading.
#[derive(Debug)]
pub(super) struct Shader<'a> {
    pub(super) source: Source<'a>,
    /// Position of the sample in a pixel.
    pub(super) centre: f64,
    /// Offsets added to texture coordinates, in 1/256 texel: for point sampling and for the other filters.
    pub(super) texel_offsets: [i32; 2],
    pub(super) clamp_low: u32,
    pub(super) clamp_high: u32,
    pub(super) alpha_ref: u32,
    pub(super) fog: Fog<'a>,
    /// FPU_SHAD_SCALE: factor over 256 if volumes change the intensity.
    pub(super) shadow_scale: Option<u32>,
}

/// Sample position of a pixel: the start of its row in the tile, and its index in the row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) n: f32,
}

/// A shaded pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shaded {
    /// ARGB before the alpha test and blending.
    pub(super) colour: u32,
    /// Colour of the texture; white if untextured.
    pub(super) texel: u32,
}

/// Selects the offset of texture coordinates for a filter from [`Shader::texel_offsets`], in 1/256 texel.
pub(super) fn texel_offset([point, smooth]: [i32; 2], filter: Filter) -> i32 {
    match filter {
        Filter::Point => point,
        _ => smooth,
    }
}

impl<'a> Shader<'a> {
    pub(super) fn new(source: Source<'a>) -> Self {
        let Source { regs, settings, .. } = source;
        let half = regs.get(reg::HALF_OFFSET);
        let bit2 = half >> 2 & 1 != 0;
        let shadow = regs.get(reg::FPU_SHAD_SCALE);
        Self {
            source,
            centre: if half >> 1 & 1 != 0 { 0.5 } else { 0.0 },
            texel_offsets: match settings.texel_offset {
                TexelOffset::HalfTexel => [-127, -128].map(|offset| offset * i32::from(bit2)),
                TexelOffset::HalfTexelAll => [-128 * i32::from(bit2); 2],
                TexelOffset::Refsw2025 => [127 * i32::from(!bit2); 2],
                TexelOffset::Refsw2020 => [-127 * i32::from(bit2); 2],
                TexelOffset::None => [0; 2],
                TexelOffset::GlCentre => [0, -128],
            },
            clamp_low: regs.get(reg::FOG_CLAMP_MIN),
            clamp_high: regs.get(reg::FOG_CLAMP_MAX),
            alpha_ref: regs.get(reg::PT_ALPHA_REF) & 0xFF,
            fog: Fog::new(regs, settings.weight_scale),
            shadow_scale: (shadow >> 8 & 1 != 0).then(|| {
                let s = shadow & 0xFF;
                s + (s >> 7)
            }),
        }
    }

    pub(super) fn settings(&self) -> &'a Settings {
        self.source.settings
    }

    fn model(&self) -> FpModel {
        self.settings().fp_model
    }

    /// Returns the sample position of pixel (`x`, `y`) of the screen.
    pub(super) fn place(&self, [x, y]: [i32; 2]) -> Place {
        let n = x & 31;
        Place {
            x: f64::from(x - n) + self.centre,
            y: f64::from(y) + self.centre,
            n: n as f32,
        }
    }

    /// Shades a pixel; `inside` means that it is in area 1 of the modifier volumes.
    pub(super) fn pixel(&self, surface: &Surface, place: Place, inside: bool) -> Shaded {
        let tsp = surface.tsp;
        let inverse_w = self.value(&surface.planes.plane(Z), place);
        let w = round(self.model(), 1.0 / f64::from(inverse_w));
        let [mut base, mut offset] = [0, 1].map(|n| self.vertex_colour(surface, n, place, w));
        let shadow = self.shadow_scale.filter(|_| inside && surface.shadow);
        let stage = self.settings().cheap_shadow_stage;
        if let Some(factor) = shadow.filter(|_| stage == CheapShadowStage::Inputs) {
            base = scale(base, factor);
            offset = with_alpha(scale(offset, factor), offset);
        }
        if !tsp.use_alpha() {
            base |= 0xFF00_0000;
        }
        let early_fog = self.settings().fog_mode2_stage == FogMode2Stage::BeforeCombine;
        if tsp.fog() == FogMode::Table2 && early_fog {
            base = self.fog_colour(inverse_w);
        }
        let mut shaded = self.combined(surface, place, w, base, offset);
        if tsp.colour_clamp() {
            shaded.colour = clamp(shaded.colour, self.clamp_low, self.clamp_high);
        }
        shaded.colour = match tsp.fog() {
            FogMode::Table => {
                let alpha = self.fog.alpha(inverse_w);
                self.fog.apply(shaded.colour, self.fog.table_colour, alpha)
            }
            FogMode::Vertex if surface.has_offset() => {
                self.fog
                    .apply(shaded.colour, self.fog.vertex_colour, offset >> 24)
            }
            FogMode::Table2 if !early_fog => self.fog_colour(inverse_w),
            FogMode::Table2 | FogMode::Vertex | FogMode::None => shaded.colour,
        };
        if let Some(factor) = shadow.filter(|_| stage == CheapShadowStage::Final) {
            shaded.colour = with_alpha(scale(shaded.colour, factor), shaded.colour);
        }
        shaded
    }

    /// Table mode 2: returns fog colour and fog alpha.
    fn fog_colour(&self, inverse_w: f32) -> u32 {
        self.fog.alpha(inverse_w) << 24 | self.fog.table_colour
    }

    /// Performs the alpha test of a punch-through pixel.
    pub(super) fn alpha_passes(&self, shaded: Shaded) -> bool {
        let tested = match self.settings().pt_alpha_source {
            PtAlphaSource::Shaded => shaded.colour,
            PtAlphaSource::Texture => shaded.texel,
        };
        tested >> 24 >= self.alpha_ref
    }

    fn value(&self, plane: &Plane, place: Place) -> f32 {
        plane.value(place.x, place.y, place.n, self.model())
    }

    /// Returns a plane's value times W.
    fn divided(&self, plane: &Plane, place: Place, w: f32) -> f32 {
        let value = f64::from(self.value(plane, place));
        round(self.model(), value * f64::from(w))
    }

    /// Returns base (0) or offset colour (1): each channel clamped to 0..=255, then rounded half up.
    fn vertex_colour(&self, surface: &Surface, n: usize, place: Place, w: f32) -> u32 {
        if !surface.isp.gouraud() {
            return surface.flat[n];
        }
        let planes = [&surface.planes, &surface.offset_planes][n];
        (COLOUR..COLOUR + 4).fold(0, |colour, channel| {
            let value = self.divided(&planes.plane(channel), place, w);
            // NaN becomes 0.
            let value = if value > 0.0 { value } else { 0.0 };
            colour << 8 | (value.min(255.0) + 0.5) as u32
        })
    }

    /// Combines texture and vertex colours.
    fn combined(&self, surface: &Surface, place: Place, w: f32, base: u32, offset: u32) -> Shaded {
        if !surface.isp.texture() {
            return Shaded {
                colour: base,
                texel: u32::MAX,
            };
        }
        let texel = self.texel(surface, place, w, offset);
        let bump = Sampler::is_bump(surface.tcw);
        let colour = if bump && self.settings().bump_stage == BumpStage::ReplacesCombiner {
            texel
        } else {
            combine(surface.tsp.shading(), self.settings().weight_scale, texel, base)
        };
        let add = surface.has_offset() && !bump;
        Shaded {
            colour: if add { add_offset(colour, offset) } else { colour },
            texel,
        }
    }

    /// Returns the texture's colour at a pixel.
    fn texel(&self, surface: &Surface, place: Place, w: f32, offset: u32) -> u32 {
        let Source { vram, regs, settings } = self.source;
        let regs = TextureRegisters::from(regs);
        let sampler = Sampler {
            texels: Texels::new(vram, regs, settings.texture, surface.tcw, surface.tsp),
            tsp: surface.tsp,
            sum: settings.bilinear_sum,
            texel_offset: texel_offset(self.texel_offsets, surface.tsp.filter()),
            bump: Sampler::is_bump(surface.tcw).then_some(if surface.has_offset() { offset } else { 0 }),
        };
        let texel = if surface.tsp.supersample() && settings.supersample == Supersample::Average {
            self.mean_of_four(&sampler, surface, place)
        } else {
            self.filtered(&sampler, surface, place, w)
        };
        if surface.tsp.ignore_texture_alpha() {
            texel | 0xFF00_0000
        } else {
            texel
        }
    }

    /// Super-sampling: returns the mean of samples a quarter of a pixel away.
    fn mean_of_four(&self, sampler: &Sampler<'_>, surface: &Surface, place: Place) -> u32 {
        let corners = [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)];
        let samples = corners.map(|(x, y)| {
            let place = Place {
                y: place.y + y,
                n: place.n + x,
                ..place
            };
            let inverse_w = self.value(&surface.planes.plane(Z), place);
            let w = round(self.model(), 1.0 / f64::from(inverse_w));
            self.filtered(sampler, surface, place, w)
        });
        [24, 16, 8, 0].into_iter().fold(0, |colour, shift| {
            let sum: u32 = samples.iter().map(|sample| sample >> shift & 0xFF).sum();
            colour << 8 | (sum + 2) >> 2
        })
    }

    /// Returns one filtered sample, weighted if it is a pass of trilinear filtering.
    fn filtered(&self, sampler: &Sampler<'_>, surface: &Surface, place: Place, w: f32) -> u32 {
        let uv = [U, V].map(|n| self.divided(&surface.planes.plane(n), place, w));
        let last = sampler.texels.last_level();
        let lod = if last == 0 {
            Lod::default()
        } else {
            lod(
                surface,
                self.settings(),
                w,
                uv.map(|at| f64::from(at) / 256.0),
                last,
            )
        };
        let next = match self.settings().trilinear {
            Trilinear::LonePass | Trilinear::DFraction => lod.fraction * 8,
            Trilinear::AdjustBits => (surface.tsp.mip_adjust() & 3) * 64,
        };
        let completes = surface.tsp.dst() == BlendFactor::One;
        match surface.tsp.filter() {
            Filter::Point | Filter::Bilinear => sampler.sample(lod.level, uv),
            // A texture with only one level needs no filtering between levels.
            _ if last == 0 => sampler.sample(0, uv),
            Filter::TrilinearB if !completes && self.settings().trilinear == Trilinear::LonePass => {
                sampler.sample(lod.level, uv)
            }
            Filter::TrilinearA => scale(sampler.sample(lod.level, uv), 256 - next),
            Filter::TrilinearB => scale(sampler.sample((lod.level + 1).min(last), uv), next),
        }
    }
}
