//! Materials and textures.

use crate::settings::MaterialSettings;

/// A material. Colours are screen values from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Material {
    pub(crate) name: String,
    pub(crate) diffuse: [f64; 3],
    pub(crate) ambient: [f64; 3],
    /// Ambient colour in the file.
    pub(crate) file_ambient: Option<[f64; 3]>,
    pub(crate) specular: [f64; 3],
    /// Phong exponent.
    pub(crate) shininess: f64,
    pub(crate) opacity: f64,
    /// Texture of the diffuse colour.
    pub(crate) texture: Option<usize>,
    pub(crate) double_side: bool,
    pub(crate) unlit: bool,
    /// Set if the texture is an environment map.
    pub(crate) environment: bool,
    /// Settings that the other fields do not contain.
    pub(crate) settings: MaterialSettings,
}

/// A texture with possible locations of its file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Texture {
    /// Paths of the file, most useful first.
    pub(crate) paths: Vec<String>,
    /// Content of the file, if it is embedded.
    pub(crate) content: Vec<u8>,
    pub(crate) clamp: [bool; 2],
    /// Set for mirrored repetition, in u and v.
    pub(crate) flip: [bool; 2],
    /// Set for point sampling.
    pub(crate) point: bool,
    pub(crate) alpha: TexelAlpha,
}

/// Meaning of a texture's alpha channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum TexelAlpha {
    /// Opacity.
    Opacity,
    /// None: all texels are opaque.
    Ignored,
    /// Texels from this alpha on are opaque, others are transparent. 256 makes all transparent.
    Cutoff(u16),
}

impl TexelAlpha {
    /// Returns the alpha of a texel.
    pub(crate) fn of(self, alpha: u8) -> u8 {
        match self {
            Self::Opacity => alpha,
            Self::Ignored => 255,
            Self::Cutoff(least) if u16::from(alpha) >= least => 255,
            Self::Cutoff(_) => 0,
        }
    }
}

impl Texture {
    /// Returns the file's name without folder and extension.
    pub(crate) fn stem(&self) -> Option<String> {
        let name = self.paths.first()?.rsplit('/').next()?;
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        (!stem.is_empty()).then(|| stem.to_owned())
    }
}
