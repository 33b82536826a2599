//! Material state: the accumulated changes in polygon lists.

use crate::light::{self, mean, scaled};
use crate::settings::{BitsChunks, ColourMode, Highlight, Shadows};
use crate::shading::Shading;
use crate::{SceneError, Settings, View, Warning, matrix};
use ninja::{Blend, Exponent, MipmapAdjust, PolyChunk, Specular, StripFlags, Tiny};
use sh4_kernels::light_vertices::LightBlock;
use sh4_kernels::shade_colours::Shade;
use sh4_kernels::transform_normals_and_light::Light;
use sh4_kernels::{KernelError, Kernels, Matrix};

/// Material of one volume's polygons.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VolumeMaterial {
    pub(crate) diffuse: u32,
    pub(crate) ambient: u32,
    pub(crate) specular: Specular,
    pub(crate) blend: Blend,
    pub(crate) tiny: Option<Tiny>,
}

/// Current material state.
pub(crate) struct MaterialState<'a> {
    view: &'a View,
    to_world: Matrix,
    /// Lights in view space.
    pub(crate) lights: Vec<LightBlock>,
    /// Materials of the first and the second parameter.
    pub(crate) materials: [VolumeMaterial; 2],
    /// Number of changes that affect colours.
    number: u32,
    /// Colouring of the last strips, and the parameters for which it was computed.
    shading: [Option<(Colouring, Shading)>; 2],
}

/// Parameters of colouring in addition to the material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colouring {
    pub(crate) flags: StripFlags,
    /// True if highlights are added to the base colour.
    pub(crate) fold: bool,
    /// True for intensities instead of colours.
    pub(crate) intensity: bool,
}

/// Flags that affect colours.
const COLOURING: u8 = StripFlags::IGNORE_LIGHT.0
    | StripFlags::IGNORE_SPECULAR.0
    | StripFlags::IGNORE_AMBIENT.0
    | StripFlags::USE_ALPHA.0;

impl<'a> MaterialState<'a> {
    /// Creates the state before the first material: opaque white without highlights, blended by alpha for
    /// strips that use it.
    pub(crate) fn new(view: &'a View, base: &Matrix, kernels: &mut dyn Kernels) -> Result<Self, KernelError> {
        let material = VolumeMaterial {
            diffuse: 0xFFFF_FFFF,
            ambient: 0xFFFF_FFFF,
            specular: Specular::default(),
            blend: Blend::default(),
            tiny: None,
        };
        Ok(Self {
            view,
            to_world: matrix::inverse_rotation(base),
            lights: light::blocks(kernels, base, &view.lights)?,
            materials: [material; 2],
            number: 0,
            shading: [None, None],
        })
    }

    fn settings(&self) -> &Settings {
        &self.view.settings
    }

    /// Applies a change.
    pub(crate) fn apply(&mut self, chunk: &PolyChunk) -> Option<Warning> {
        let applied = self.settings().bits == BitsChunks::Applied;
        match chunk {
            PolyChunk::Blend(blend) => self.materials[0].blend = *blend,
            PolyChunk::Material(chunk) => {
                let material = &mut self.materials[usize::from(chunk.second)];
                material.blend = chunk.blend;
                material.diffuse = chunk.diffuse.map_or(material.diffuse, |colour| colour.0);
                material.ambient = chunk.ambient.map_or(material.ambient, |colour| colour.0);
                material.specular = chunk.specular.unwrap_or(material.specular);
                self.shading = [None, None];
            }
            PolyChunk::Texture(tiny) => self.materials[usize::from(tiny.second)].tiny = Some(*tiny),
            PolyChunk::MipmapAdjust(adjust) if applied => self.adjust(*adjust),
            PolyChunk::Exponent(exponent) if applied => self.exponent(*exponent),
            PolyChunk::MipmapAdjust(_) | PolyChunk::Exponent(_) => return Some(Warning::BitsChunk),
            PolyChunk::Reserved(chunk) => {
                return Some(Warning::ReservedChunk {
                    first: chunk.head as u8,
                });
            }
            _ => {}
        }
        None
    }

    fn adjust(&mut self, adjust: MipmapAdjust) {
        if let Some(tiny) = &mut self.materials[0].tiny {
            tiny.mipmap_adjust = adjust.0 & 0xF;
        }
    }

    fn exponent(&mut self, exponent: Exponent) {
        self.materials[0].specular.exponent = exponent.value();
        self.shading = [None, None];
    }

    /// Returns the colouring for volume `volume`.
    pub(crate) fn shading(
        &mut self,
        kernels: &mut dyn Kernels,
        volume: usize,
        colouring: Colouring,
    ) -> Result<Shading, SceneError> {
        let flags = StripFlags(colouring.flags.0 & COLOURING);
        let colouring = Colouring { flags, ..colouring };
        if let Some((made_for, shading)) = &self.shading[volume]
            && *made_for == colouring
        {
            return Ok(shading.clone());
        }
        let shading = self.make_shading(kernels, volume, colouring)?;
        self.shading[volume] = Some((colouring, shading.clone()));
        Ok(shading)
    }

    /// Returns the kind of highlights of strips with `flags` on the first volume.
    fn highlight(&self, flags: StripFlags) -> Highlight {
        if flags.contains(StripFlags::IGNORE_SPECULAR) {
            Highlight::Off
        } else {
            self.settings().highlight
        }
    }

    /// True if strips of one volume with `flags` can have intensities. All their vertices must have normals
    /// and no colours.
    pub(crate) fn intensity(&self, flags: StripFlags) -> bool {
        let shines = self.highlight(flags) != Highlight::Off && self.materials[0].specular.rgb != [0; 3];
        self.settings().colours == ColourMode::Intensity
            && !flags.contains(StripFlags::IGNORE_LIGHT)
            && !shines
    }

    fn make_shading(
        &mut self,
        kernels: &mut dyn Kernels,
        volume: usize,
        Colouring {
            flags,
            fold,
            intensity,
        }: Colouring,
    ) -> Result<Shading, SceneError> {
        let material = self.materials[volume];
        let opaque = !flags.contains(StripFlags::USE_ALPHA);
        let diffuse = material.diffuse | if opaque { 0xFF00_0000 } else { 0 };
        let [red, green, blue] = material.specular.rgb;
        let specular = u32::from_be_bytes([255, red, green, blue]);
        let ambient = if flags.contains(StripFlags::IGNORE_AMBIENT) {
            [0.0; 3]
        } else {
            scaled(kernels, self.view.lights.ambient, material.ambient)?
        };
        let highlight = self.highlight(flags);
        let shines = highlight != Highlight::Off && specular & 0x00FF_FFFF != 0;
        self.number += 1;
        Ok(Shading {
            number: self.number,
            lit: !flags.contains(StripFlags::IGNORE_LIGHT),
            diffuse,
            specular,
            highlight,
            exponent: u32::from(material.specular.exponent),
            intensity: intensity.then_some(if flags.contains(StripFlags::IGNORE_AMBIENT) {
                0.0
            } else {
                mean(self.view.lights.ambient)
            }),
            shade: Shade { ambient, fold },
            single: if shines {
                None
            } else {
                self.single(kernels, diffuse, ambient)?
            },
        })
    }

    /// Returns the block for the kernel that combines one directional light and ambient light.
    fn single(
        &self,
        kernels: &mut dyn Kernels,
        diffuse: u32,
        ambient: [f32; 3],
    ) -> Result<Option<Light>, KernelError> {
        let [light] = self.view.lights.list[..] else {
            return Ok(None);
        };
        let light::Source::Directional { direction } = light.source else {
            return Ok(None);
        };
        Ok(Some(Light {
            matrix: self.to_world,
            direction,
            diffuse: scaled(kernels, light.colour, diffuse)?,
            ambient,
            alpha: (diffuse >> 24) as u8,
        }))
    }

    /// True if two-parameter strips are drawn as two-volume polygons.
    pub(crate) fn two_volumes(&self) -> bool {
        self.settings().shadows == Shadows::TwoVolumes
    }
}
