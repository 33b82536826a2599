//! Material state: polygon lists carry differences, this is what they add up to.

use crate::light::scaled;
use crate::texture::tsp;
use crate::vertex_buffer::Lighting;
use crate::{BoundTexture, SceneError, View, Warning};
use ninja::{Blend, BlendMode, Filter, PolyChunk, StripFlags, Tiny};
use pvr::{
    BlendFactor, CullMode, DepthMode, FogMode, IspWord, ListType, PolygonFlags, Shading, TspWord,
    polygon_header,
};
use sh4_kernels::transform_normals_and_light::Light;
use sh4_kernels::{Kernels, Matrix};

/// See the module's head.
pub(crate) struct MaterialState<'a> {
    view: &'a View,
    to_world: Matrix,
    diffuse: u32,
    ambient: u32,
    blend: Blend,
    tiny: Option<Tiny>,
    /// Counts changes of what colours depend on.
    number: u32,
    /// The light block of the last strips, and what it was made for.
    lighting: Option<(StripFlags, Lighting)>,
}

/// How the strips of one chunk are drawn.
pub(crate) struct StripState {
    pub(crate) list: ListType,
    pub(crate) header: [u32; 8],
}

impl<'a> MaterialState<'a> {
    /// The state before the first material: opaque white, blended by alpha where a strip asks for it.
    pub(crate) fn new(view: &'a View, to_world: Matrix) -> Self {
        Self {
            view,
            to_world,
            diffuse: 0xFFFF_FFFF,
            ambient: 0xFFFF_FFFF,
            blend: Blend::default(),
            tiny: None,
            number: 0,
            lighting: None,
        }
    }

    /// Takes over a difference.
    pub(crate) fn apply(&mut self, chunk: &PolyChunk) -> Option<Warning> {
        match chunk {
            PolyChunk::Blend(blend) => self.blend = *blend,
            PolyChunk::Material(material) if material.second => return Some(Warning::SecondVolume),
            PolyChunk::Material(material) => {
                self.blend = material.blend;
                self.diffuse = material.diffuse.map_or(self.diffuse, |colour| colour.0);
                self.ambient = material.ambient.map_or(self.ambient, |colour| colour.0);
                self.lighting = None;
            }
            PolyChunk::Texture(tiny) if tiny.second => return Some(Warning::SecondVolume),
            PolyChunk::Texture(tiny) => {
                self.tiny = Some(*tiny);
                if matches!(tiny.filter, Filter::TrilinearA | Filter::TrilinearB) {
                    return Some(Warning::Trilinear);
                }
            }
            // The original draw code skips exponent and D-adjust chunks, and specular light is not drawn yet.
            _ => {}
        }
        None
    }

    /// The number of the present colours, and how they are made.
    pub(crate) fn lighting(
        &mut self,
        kernels: &mut dyn Kernels,
        flags: StripFlags,
    ) -> Result<(u32, Lighting), SceneError> {
        let colouring = StripFlags(
            flags.0 & (StripFlags::IGNORE_LIGHT.0 | StripFlags::IGNORE_AMBIENT.0 | StripFlags::USE_ALPHA.0),
        );
        if let Some((made_for, lighting)) = &self.lighting
            && *made_for == colouring
        {
            return Ok((self.number, *lighting));
        }
        let alpha = if flags.contains(StripFlags::USE_ALPHA) {
            (self.diffuse >> 24) as u8
        } else {
            255
        };
        let diffuse = u32::from(alpha) << 24 | self.diffuse & 0x00FF_FFFF;
        let lighting = if flags.contains(StripFlags::IGNORE_LIGHT) {
            Lighting::Ignore { diffuse }
        } else {
            let lights = &self.view.lights;
            let ambient = if flags.contains(StripFlags::IGNORE_AMBIENT) {
                [0.0; 3]
            } else {
                scaled(kernels, lights.ambient, self.ambient)?
            };
            let light = Light {
                matrix: self.to_world,
                direction: lights.direction,
                diffuse: scaled(kernels, lights.colour, self.diffuse)?,
                ambient,
                alpha,
            };
            Lighting::Lit { light, diffuse }
        };
        self.number += 1;
        self.lighting = Some((colouring, lighting));
        Ok((self.number, lighting))
    }

    /// The polygon header for a strip chunk; the warning tells of a missing texture.
    pub(crate) fn strip(&self, flags: StripFlags, has_uv: bool) -> (StripState, Option<Warning>) {
        let (texture, warning) = self.texture(has_uv);
        let use_alpha = flags.contains(StripFlags::USE_ALPHA);
        let list = if use_alpha {
            ListType::Translucent
        } else {
            ListType::Opaque
        };
        let (src, dst) = if use_alpha {
            (factor(self.blend.src), factor(self.blend.dst))
        } else {
            (BlendFactor::One, BlendFactor::Zero)
        };
        // Strips wind counter-clockwise with y up; rows go down, so front faces have a negative area on screen.
        let double_side = flags.contains(StripFlags::DOUBLE_SIDE);
        let cull = if double_side {
            CullMode::None
        } else {
            CullMode::Positive
        };
        let isp = IspWord::default()
            .with_depth_mode(DepthMode::GreaterEqual)
            .with_cull(cull);
        let mut word = TspWord::default()
            .with_src(src)
            .with_dst(dst)
            .with_use_alpha(use_alpha)
            .with_fog(FogMode::None);
        let mut texture_word = None;
        if let Some((tiny, bound)) = texture {
            let shading = if use_alpha {
                Shading::ModulateAlpha
            } else {
                Shading::Modulate
            };
            word = tsp(word, &tiny, &bound)
                .with_shading(shading)
                .with_ignore_texture_alpha(!use_alpha);
            texture_word = Some(bound.word);
        }
        let gouraud = !flags.contains(StripFlags::FLAT);
        let header = polygon_header(
            list,
            isp,
            word,
            texture_word,
            PolygonFlags {
                gouraud,
                ..PolygonFlags::default()
            },
        );
        (StripState { list, header }, warning)
    }

    fn texture(&self, has_uv: bool) -> (Option<(Tiny, BoundTexture)>, Option<Warning>) {
        let Some(tiny) = self.tiny.filter(|_| has_uv) else {
            return (None, None);
        };
        match self.view.textures.get(tiny.texture) {
            Some(bound) => (Some((tiny, bound)), None),
            None => {
                let warning = Warning::MissingTexture { first: tiny.texture };
                (Some((tiny, self.view.textures.checker)), Some(warning))
            }
        }
    }
}

/// The blend instruction codes of the models are the chip's.
fn factor(mode: BlendMode) -> BlendFactor {
    BlendFactor::from_code(mode as u32)
}
