//! Shading runs of pixels: interpolation, texture, combining, clamp, alpha test, blend.

use super::colour::{add_offset, blend, clamp, combine};
use super::plane::{Plane, Row, TILE};
use super::sample::Sampler;
use super::scene::{Id, NONE, Scene};
use super::setup::Surface;
use super::tile::Origin;
use crate::param::{BlendFactor, Filter};
use crate::regs::{Registers, reg};
use crate::settings::{PtAlphaSource, Settings, TexelOffset};

/// Registers and switches that shading needs.
#[derive(Debug)]
pub(super) struct Shader<'a> {
    settings: &'a Settings,
    /// Place of the sample in a pixel.
    centre: f64,
    /// Added to texture coordinates, in 1/256 texel.
    texel_offset: i32,
    clamp_low: u32,
    clamp_high: u32,
    alpha_ref: u32,
}

/// A run of pixels of one surface within a row of the tile.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// Screen position of the sample of the tile's first pixel in this row.
    x: f64,
    y: f64,
    from: usize,
    to: usize,
}

/// Colours of a run before blending, and the alpha of its texels (255 where untextured).
struct Shaded {
    colour: [u32; TILE],
    texture: [u32; TILE],
}

impl<'a> Shader<'a> {
    pub(super) fn new(regs: &Registers, settings: &'a Settings) -> Self {
        let half = regs.get(reg::HALF_OFFSET);
        let bit2 = half >> 2 & 1 != 0;
        let texel_offset = match settings.texel_offset {
            TexelOffset::Refsw2025 => 127 * i32::from(!bit2),
            TexelOffset::Refsw2020 => -127 * i32::from(bit2),
            TexelOffset::None => 0,
            TexelOffset::GlCentre => -128,
        };
        Self {
            settings,
            centre: if half >> 1 & 1 != 0 { 0.5 } else { 0.0 },
            texel_offset,
            clamp_low: regs.get(reg::FOG_CLAMP_MIN),
            clamp_high: regs.get(reg::FOG_CLAMP_MAX),
            alpha_ref: regs.get(reg::PT_ALPHA_REF) & 0xFF,
        }
    }

    /// Shades every tagged pixel of a row and blends it into `colours`; returns how many.
    pub(super) fn row(
        &self,
        scene: &Scene,
        origin: Origin,
        row: usize,
        tags: &[Id],
        colours: &mut [u32],
    ) -> u64 {
        let mut count = 0;
        self.runs(origin, row, tags, |id, run| {
            let Some(surface) = scene.surfaces.get(id as usize) else {
                return;
            };
            count += (run.to - run.from) as u64;
            let dest = &mut colours[run.from..run.to];
            let shaded = self.shade(scene, surface, run);
            self.blend(surface, &shaded.colour[..run.to - run.from], dest);
        });
        count
    }

    /// Shades punch-through pixels; returns the pixels that passed the alpha test as bits. A pixel that fails has
    /// alpha 0 and is blended all the same, one that passes has alpha 255.
    pub(super) fn punch_row(
        &self,
        scene: &Scene,
        origin: Origin,
        row: usize,
        tags: &[Id],
        colours: &mut [u32],
    ) -> u32 {
        let mut passed = 0;
        self.runs(origin, row, tags, |id, run| {
            let Some(surface) = scene.surfaces.get(id as usize) else {
                return;
            };
            let mut shaded = self.shade(scene, surface, run);
            for n in run.from..run.to {
                let colour = &mut shaded.colour[n - run.from];
                let tested = match self.settings.pt_alpha_source {
                    PtAlphaSource::Shaded => *colour >> 24,
                    PtAlphaSource::Texture => shaded.texture[n - run.from] >> 24,
                };
                let pass = tested >= self.alpha_ref;
                *colour = *colour & 0x00FF_FFFF | if pass { 0xFF00_0000 } else { 0 };
                passed |= u32::from(pass) << n;
            }
            self.blend(
                surface,
                &shaded.colour[..run.to - run.from],
                &mut colours[run.from..run.to],
            );
        });
        passed
    }

    /// Splits a row of tags into runs of equal tags.
    #[inline]
    fn runs(&self, origin: Origin, row: usize, tags: &[Id], mut visit: impl FnMut(Id, Run)) {
        let x = f64::from(origin.x) + self.centre;
        let y = f64::from(origin.y) + row as f64 + self.centre;
        let mut from = 0;
        while let Some(&id) = tags.get(from) {
            let to = from + tags[from..].iter().take_while(|&&t| t == id).count();
            if id != NONE {
                visit(id, Run { x, y, from, to });
            }
            from = to;
        }
    }

    fn shade(&self, scene: &Scene, surface: &Surface, run: Run) -> Shaded {
        let len = run.to - run.from;
        let mut out = Shaded {
            colour: [surface.flat[0]; TILE],
            texture: [u32::MAX; TILE],
        };
        let mut w = [0.0; TILE];
        let texture = surface.texture.and_then(|t| scene.textures.get(t));
        if texture.is_some() || surface.gouraud {
            reciprocals(&surface.z, run, &mut w[..len]);
        }
        if surface.gouraud {
            interpolate(&surface.colours[0], run, &w[..len], &mut out.colour[..len]);
        }
        if !surface.tsp.use_alpha() {
            out.colour[..len].iter_mut().for_each(|c| *c |= 0xFF00_0000);
        }
        if let Some(texture) = texture {
            let sampler = Sampler::new(texture, surface.tsp, self.settings.bilinear_sum);
            self.sample(&sampler, surface, run, &w[..len], &mut out.texture[..len]);
            let (shading, scale) = (surface.tsp.shading(), self.settings.weight_scale);
            for (base, &texel) in out.colour[..len].iter_mut().zip(&out.texture) {
                *base = combine(shading, scale, texel, *base);
            }
        }
        if surface.offset {
            let mut offset = [surface.flat[1]; TILE];
            if surface.gouraud {
                interpolate(&surface.colours[1], run, &w[..len], &mut offset[..len]);
            }
            for (colour, &offset) in out.colour[..len].iter_mut().zip(&offset) {
                *colour = add_offset(*colour, offset);
            }
        }
        if surface.tsp.colour_clamp() {
            for colour in &mut out.colour[..len] {
                *colour = clamp(*colour, self.clamp_low, self.clamp_high);
            }
        }
        out
    }

    /// Texels of a run.
    #[inline]
    fn sample(&self, sampler: &Sampler<'_>, surface: &Surface, run: Run, w: &[f32], out: &mut [u32]) {
        let [u, v] = surface.uv.map(|plane| plane.row(run.x, run.y));
        let point = surface.tsp.filter() == Filter::Point;
        let mut at = [[0i32; TILE]; 2];
        for (coordinates, row) in at.iter_mut().zip([u, v]) {
            for (n, (at, &w)) in coordinates.iter_mut().zip(w).enumerate() {
                *at = ((row.at(run.from + n) * w) as i32).wrapping_add(self.texel_offset);
            }
        }
        let places = at[0].iter().zip(&at[1]);
        if point {
            for (texel, (&u, &v)) in out.iter_mut().zip(places) {
                *texel = sampler.point(u, v);
            }
        } else {
            for (texel, (&u, &v)) in out.iter_mut().zip(places) {
                *texel = sampler.bilinear(u, v);
            }
        }
        if surface.tsp.ignore_texture_alpha() {
            out.iter_mut().for_each(|texel| *texel |= 0xFF00_0000);
        }
    }

    fn blend(&self, surface: &Surface, source: &[u32], dest: &mut [u32]) {
        let (src, dst) = (surface.tsp.src(), surface.tsp.dst());
        let scale = self.settings.weight_scale;
        let blended = dest.iter_mut().zip(source);
        match (src, dst) {
            // 255 is a weight of exactly 1 only when scaled.
            (BlendFactor::One, BlendFactor::Zero) if scale == crate::settings::WeightScale::Scaled256 => {
                blended.for_each(|(d, &s)| *d = s);
            }
            (BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha) => {
                let (src, dst) = (BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha);
                blended.for_each(|(d, &s)| *d = blend(scale, src, dst, s, *d));
            }
            _ => blended.for_each(|(d, &s)| *d = blend(scale, src, dst, s, *d)),
        }
    }
}

/// W = 1 / (1/W) for each pixel of a run, divided exactly.
#[inline]
fn reciprocals(z: &Plane, run: Run, out: &mut [f32]) {
    let row = z.row(run.x, run.y);
    for (n, w) in out.iter_mut().enumerate() {
        *w = 1.0 / row.at(run.from + n);
    }
}

/// Interpolated colours of a run: each channel held in 0..=255, then rounded half up.
#[inline]
fn interpolate(planes: &[Plane; 4], run: Run, w: &[f32], out: &mut [u32]) {
    let [a, r, g, b] = [0, 1, 2, 3].map(|n| planes[n].row(run.x, run.y));
    for (n, (colour, &w)) in out.iter_mut().zip(w).enumerate() {
        let at = run.from + n;
        let channel = |row: Row| ((row.at(at) * w).clamp(0.0, 255.0) + 0.5) as i32 as u32;
        *colour = channel(a) << 24 | channel(r) << 16 | channel(g) << 8 | channel(b);
    }
}
