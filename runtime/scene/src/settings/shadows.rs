//! Matters of taste that are no switches: shadows and the form of colours.

use ninja::{ObjectTree, PolyChunk};

/// The effect of modifier volumes on polygons inside them, one for a whole frame: see [`Shadows::register`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shadows {
    /// Two-parameter strips take their second colours and textures; others are as outside.
    #[default]
    TwoVolumes,
    /// All polygons are darkened. Two-parameter strips are drawn with their first parameter.
    Cheap {
        /// The remaining share of the colour, in 256ths (nearly: see FPU_SHAD_SCALE).
        scale: u8,
    },
}

/// How the colours of lit strips are sent to the tile accelerator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourMode {
    /// A packed colour for each vertex.
    #[default]
    Packed,
    /// The material's colour once, and for each vertex an intensity: the mean of the lights' channels. The
    /// material's ambient colour does not count then. Strips with highlights, with colours or normals of
    /// their own, or of two volumes stay packed.
    Intensity,
}

impl Shadows {
    /// Half of the light is left.
    pub const HALF: Self = Self::Cheap { scale: 128 };

    /// The mode that the trees of a frame need: [`Shadows::TwoVolumes`] if one has two-parameter strips or
    /// none has a volume, else [`Shadows::HALF`].
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

    /// FPU_SHAD_SCALE: bit 8 lets volumes change the intensity, bits 7 to 0 are the scale. The core then
    /// reads one set of parameters from polygons with the shadow bit, and two without bit 8, so a frame
    /// cannot have both.
    pub fn register(self) -> u32 {
        match self {
            Self::TwoVolumes => 0,
            Self::Cheap { scale } => 1 << 8 | u32::from(scale),
        }
    }
}
