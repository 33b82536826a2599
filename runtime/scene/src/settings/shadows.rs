//! Preferences: shadows and the encoding of colours.

use ninja::{ObjectTree, PolyChunk};

/// Effect of modifier volumes on polygons inside them, for a complete frame: see [`Shadows::register`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shadows {
    /// Two-parameter strips use their second colours and textures; other strips do not change.
    #[default]
    TwoVolumes,
    /// All polygons are darkened. Two-parameter strips use their first parameter.
    Cheap {
        /// Remaining share of the colour, in 256ths (approximately: see FPU_SHAD_SCALE).
        scale: u8,
    },
}

/// Encoding of the colours of lit strips for the tile accelerator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourMode {
    /// A packed colour for each vertex.
    #[default]
    Packed,
    /// The material's colour once, and an intensity for each vertex: the mean of the lights' channels. The
    /// material's ambient colour is ignored. Strips with highlights, with their own colours or normals, or
    /// with two volumes stay packed.
    Intensity,
}

impl Shadows {
    /// Cheap shadows that keep half of the light.
    pub const HALF: Self = Self::Cheap { scale: 128 };

    /// Returns the mode that the trees of a frame need: [`Shadows::TwoVolumes`] if one has two-parameter
    /// strips or none has a volume, otherwise [`Shadows::HALF`].
    pub fn wanted<'a>(trees: impl IntoIterator<Item = &'a ObjectTree>) -> Self {
        let (mut volume, mut second) = (false, false);
        for chunk in trees
            .into_iter()
            .flat_map(|tree| &tree.plists)
            .flat_map(|list| &list.chunks)
        {
            match chunk {
                PolyChunk::Volume(_) => volume = true,
                PolyChunk::Strip(strip) => second |= strip.kind.two_parameter(),
                _ => {}
            }
        }
        if volume && !second {
            Self::HALF
        } else {
            Self::TwoVolumes
        }
    }

    /// Returns the value of FPU_SHAD_SCALE. Bit 8 selects cheap shadows, and bits 7 to 0 are their scale.
    /// Bit 8 applies to the complete frame: polygons with the shadow bit have one set of parameters if bit 8
    /// is set, and two sets otherwise.
    pub fn register(self) -> u32 {
        match self {
            Self::TwoVolumes => 0,
            Self::Cheap { scale } => 1 << 8 | u32::from(scale),
        }
    }
}
