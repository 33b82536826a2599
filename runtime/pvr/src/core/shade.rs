//! Shading runs of pixels: interpolation, texture, combining, clamp, alpha test, blend.

use super::colour::{add_offset, blend, blend_alpha, clamp, combine};
use super::plane::{LANES, PLACES, Plane, Row, TILE};
use super::sample::Sampler;
use super::scene::{Id, NONE, Scene};
use super::setup::Surface;
use super::tile::Origin;
use super::truncate::{small, truncate};
use crate::param::{BlendFactor, Filter, Shading};
use crate::regs::{Registers, reg};
use crate::settings::{PtAlphaSource, Settings, TexelOffset, WeightScale};

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

impl Run {
    /// The places of its pixels, group by group.
    #[inline(always)]
    fn places(self) -> impl Iterator<Item = &'static [f32; LANES]> {
        PLACES[self.from..].as_chunks().0.iter()
    }
}

/// One value for each pixel of a run, the first at the run's first pixel.
pub(super) type Lanes<T> = [[T; LANES]; TILE / LANES];

/// Values of the run that is being shaded; one a thread. Every stage writes what later ones read.
#[derive(Debug, Default)]
pub(super) struct Work {
    w: Lanes<f32>,
    /// Texture coordinates in 1/256 texel.
    at: [Lanes<i32>; 2],
    /// Colours before blending.
    colour: Lanes<u32>,
    /// Texels; white where untextured.
    texture: Lanes<u32>,
    offset: Lanes<u32>,
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
        work: &mut Work,
    ) -> u64 {
        let mut count = 0;
        self.runs(origin, row, tags, |id, run| {
            let Some(surface) = scene.surfaces.get(id as usize) else {
                return;
            };
            count += (run.to - run.from) as u64;
            let dest = &mut colours[run.from..run.to];
            if surface.texture.is_none() && !surface.gouraud {
                self.blend_flat(surface, dest);
                return;
            }
            self.shade(scene, surface, run, work);
            self.blend(surface, work.colour.as_flattened(), dest);
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
        work: &mut Work,
    ) -> u32 {
        let mut passed = 0;
        self.runs(origin, row, tags, |id, run| {
            let Some(surface) = scene.surfaces.get(id as usize) else {
                return;
            };
            self.shade(scene, surface, run, work);
            let pixels = work.colour.as_flattened_mut().iter_mut();
            for (n, (colour, texel)) in (run.from..run.to).zip(pixels.zip(work.texture.as_flattened())) {
                let tested = match self.settings.pt_alpha_source {
                    PtAlphaSource::Shaded => *colour >> 24,
                    PtAlphaSource::Texture => *texel >> 24,
                };
                let pass = tested >= self.alpha_ref;
                *colour = *colour & 0x00FF_FFFF | if pass { 0xFF00_0000 } else { 0 };
                passed |= u32::from(pass) << n;
            }
            self.blend(
                surface,
                work.colour.as_flattened(),
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

    /// Colours of a run before blending, into `work`.
    fn shade(&self, scene: &Scene, surface: &Surface, run: Run, work: &mut Work) {
        let groups = (run.to - run.from).div_ceil(LANES);
        let Work {
            w,
            at,
            colour,
            texture: texels,
            offset,
        } = work;
        let (w, colour) = (&mut w[..groups], &mut colour[..groups]);
        let texture = surface.texture.and_then(|t| scene.textures.get(t));
        if texture.is_some() || surface.gouraud {
            reciprocals(&surface.z, run, w);
        }
        if surface.gouraud {
            interpolate(&surface.colours[0], run, w, colour);
        } else {
            colour.fill([surface.flat[0]; LANES]);
        }
        if !surface.tsp.use_alpha() {
            map(colour, |c| c | 0xFF00_0000);
        }
        let texels = &mut texels[..groups];
        if let Some(texture) = texture {
            let sampler = Sampler::new(texture, surface.tsp, self.settings.bilinear_sum);
            self.sample(&sampler, surface, run, w, at, texels);
            combine_all(surface.tsp.shading(), self.settings.weight_scale, texels, colour);
        } else {
            texels.fill([u32::MAX; LANES]);
        }
        if surface.offset {
            let offset = &mut offset[..groups];
            if surface.gouraud {
                interpolate(&surface.colours[1], run, w, offset);
            } else {
                offset.fill([surface.flat[1]; LANES]);
            }
            zip(colour, offset, add_offset);
        }
        if surface.tsp.colour_clamp() {
            map(colour, |c| clamp(c, self.clamp_low, self.clamp_high));
        }
    }

    /// Texels of a run.
    #[inline]
    fn sample(
        &self,
        sampler: &Sampler<'_>,
        surface: &Surface,
        run: Run,
        w: &[[f32; LANES]],
        at: &mut [Lanes<i32>; 2],
        out: &mut [[u32; LANES]],
    ) {
        for (coordinates, plane) in at.iter_mut().zip(&surface.uv) {
            let row = plane.row(run.x, run.y);
            for ((at, w), places) in coordinates.iter_mut().zip(w).zip(run.places()) {
                let mut values = [0.0; LANES];
                for lane in 0..LANES {
                    values[lane] = row.at_place(places[lane]) * w[lane];
                }
                *at = truncate(&values).map(|at| at.wrapping_add(self.texel_offset));
            }
        }
        let len = run.to - run.from;
        if surface.tsp.filter() == Filter::Point {
            let places = at[0].as_flattened().iter().zip(at[1].as_flattened());
            for (texel, (&u, &v)) in out.as_flattened_mut()[..len].iter_mut().zip(places) {
                *texel = sampler.point(u, v);
            }
        } else {
            for ((out, (u, v)), n) in out
                .iter_mut()
                .zip(at[0].iter().zip(&at[1]))
                .zip((0..len).step_by(LANES))
            {
                sampler.bilinear(u, v, &mut out[..(len - n).min(LANES)]);
            }
        }
        if surface.tsp.ignore_texture_alpha() {
            map(out, |texel| texel | 0xFF00_0000);
        }
    }

    /// Blends a surface whose colour is the same everywhere: neither textured nor Gouraud shaded.
    fn blend_flat(&self, surface: &Surface, dest: &mut [u32]) {
        let mut colour = surface.flat[0];
        if !surface.tsp.use_alpha() {
            colour |= 0xFF00_0000;
        }
        if surface.tsp.colour_clamp() {
            colour = clamp(colour, self.clamp_low, self.clamp_high);
        }
        self.blend(surface, &[colour; TILE], dest);
    }

    fn blend(&self, surface: &Surface, source: &[u32], dest: &mut [u32]) {
        let (src, dst) = (surface.tsp.src(), surface.tsp.dst());
        let scale = self.settings.weight_scale;
        let blended = dest.iter_mut().zip(source);
        match (src, dst) {
            // 255 is a weight of exactly 1 only when scaled.
            (BlendFactor::One, BlendFactor::Zero) if scale == WeightScale::Scaled256 => {
                dest.copy_from_slice(&source[..dest.len()]);
            }
            (BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha) if scale == WeightScale::Scaled256 => {
                blended.for_each(|(d, &s)| *d = blend_alpha(s, *d));
            }
            (BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha) => {
                let (src, dst) = (BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha);
                blended.for_each(|(d, &s)| *d = blend(scale, src, dst, s, *d));
            }
            _ => blended.for_each(|(d, &s)| *d = blend(scale, src, dst, s, *d)),
        }
    }
}

/// Applies `f` to every pixel.
#[inline(always)]
fn map(lanes: &mut [[u32; LANES]], f: impl Fn(u32) -> u32) {
    for group in lanes {
        for value in group {
            *value = f(*value);
        }
    }
}

/// Applies `f` to every pixel and its companion in `other`.
#[inline(always)]
fn zip(lanes: &mut [[u32; LANES]], other: &[[u32; LANES]], f: impl Fn(u32, u32) -> u32) {
    for (group, other) in lanes.iter_mut().zip(other) {
        for (value, &other) in group.iter_mut().zip(other) {
            *value = f(*value, other);
        }
    }
}

/// [`combine`] of texels and colours; one loop for each mode, so that it is not chosen for each pixel.
fn combine_all(shading: Shading, scale: WeightScale, texels: &[[u32; LANES]], colours: &mut [[u32; LANES]]) {
    macro_rules! each {
        ($($shading:ident),*) => {
            match (shading, scale) {
                $((Shading::$shading, WeightScale::Scaled256) => {
                    zip(colours, texels, |b, t| combine(Shading::$shading, WeightScale::Scaled256, t, b));
                })*
                _ => zip(colours, texels, |b, t| combine(shading, scale, t, b)),
            }
        };
    }
    each!(Decal, Modulate, DecalAlpha, ModulateAlpha);
}

/// W = 1 / (1/W) for each pixel of a run, divided exactly.
#[inline]
fn reciprocals(z: &Plane, run: Run, out: &mut [[f32; LANES]]) {
    let row = z.row(run.x, run.y);
    for (w, places) in out.iter_mut().zip(run.places()) {
        for lane in 0..LANES {
            w[lane] = 1.0 / row.at_place(places[lane]);
        }
    }
}

/// Interpolated colours of a run: each channel held in 0..=255, then rounded half up.
#[inline]
fn interpolate(planes: &[Plane; 4], run: Run, w: &[[f32; LANES]], out: &mut [[u32; LANES]]) {
    let rows: [Row; 4] = [
        planes[0].row(run.x, run.y),
        planes[1].row(run.x, run.y),
        planes[2].row(run.x, run.y),
        planes[3].row(run.x, run.y),
    ];
    for ((out, w), places) in out.iter_mut().zip(w).zip(run.places()) {
        for lane in 0..LANES {
            let channel = |row: Row| {
                let value = row.at_place(places[lane]) * w[lane];
                // As `clamp`, but that what is no number becomes 0 here and not in the conversion.
                let value = if value > 0.0 { value } else { 0.0 };
                let value = if value < 255.0 { value } else { 255.0 };
                small(value + 0.5)
            };
            out[lane] =
                channel(rows[0]) << 24 | channel(rows[1]) << 16 | channel(rows[2]) << 8 | channel(rows[3]);
        }
    }
}
