//! What is doubtful or a matter of taste in drawing, by name.

use ninja::{ObjectTree, PolyChunk};
use pvr::ListType;

/// How models are drawn. The defaults are the original's where that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What highlights are made of.
    pub highlight: Highlight,
    /// What CB_DA and CB_EXP chunks do.
    pub bits: BitsChunks,
    /// Which volume chunks are drawn as modifier volumes.
    pub volumes: Volumes,
    /// Which polygons they reach.
    pub volume_lists: VolumeLists,
    /// What modifier volumes do to the polygons inside them.
    pub shadows: Shadows,
    /// What the trilinear filter A does to strips of textures with mipmaps.
    pub trilinear: Trilinear,
    /// How colours of lit strips are sent.
    pub colours: ColourMode,
    /// Leave out models whose bounding sphere is out of sight. It is done only where the picture stays the same, but the
    /// CLIP flag of nodes asks for it too: their children go with the model, whatever this says.
    pub cull: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            highlight: Highlight::default(),
            bits: BitsChunks::default(),
            volumes: Volumes::default(),
            volume_lists: VolumeLists::default(),
            shadows: Shadows::default(),
            trilinear: Trilinear::default(),
            colours: ColourMode::default(),
            cull: true,
        }
    }
}

/// What a highlight is a power of. No source tells what the original takes: confidence low.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Highlight {
    /// The cosine of normal and half-way vector (Blinn).
    #[default]
    HalfWay,
    /// The cosine of view and reflected light (Phong).
    Reflected,
    /// There are none.
    Off,
}

/// Chunks that change mipmap adjust (CB_DA) or exponent (CB_EXP) alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BitsChunks {
    /// Without effect, as observed in the original (facts 1.7).
    #[default]
    Skipped,
    /// As seed 002 section 3.5 writes of them.
    Applied,
}

/// Which volume chunks are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Volumes {
    /// Triangles (CO_P3) of models whose first vertex chunk is plain CV: observed in the original (facts 2.4).
    #[default]
    Original,
    /// Triangles, quadrilaterals and strips of every model.
    All,
    /// None.
    Off,
}

/// Which polygons modifier volumes reach: the chip has a list of volumes for opaque and one for translucent polygons. No
/// source tells which the original fills: confidence low.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VolumeLists {
    /// Opaque and translucent ones, with them the second pass of trilinear filtering.
    #[default]
    Both,
    /// Opaque ones.
    Opaque,
}

impl VolumeLists {
    pub(crate) fn lists(self) -> &'static [ListType] {
        match self {
            Self::Both => &[ListType::OpaqueModifier, ListType::TranslucentModifier],
            Self::Opaque => &[ListType::OpaqueModifier],
        }
    }
}

/// What polygons do inside modifier volumes. It is one for a whole frame: see [`Shadows::register`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shadows {
    /// Two-parameter strips take their second colours and textures; others are as outside.
    #[default]
    TwoVolumes,
    /// All polygons are darkened. Two-parameter strips are drawn with their first parameter.
    Cheap {
        /// What is left of the colour, over 256 (nearly: see FPU_SHAD_SCALE).
        scale: u8,
    },
}

/// How the colours of lit strips are sent to the tile accelerator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourMode {
    /// A packed colour for each vertex.
    #[default]
    Packed,
    /// The material's colour once, and for each vertex an intensity: the mean of what the lights' channels give. The
    /// material's ambient colour does not count then. Strips with highlights, colours or normals of their own, or of two
    /// volumes, stay packed.
    Intensity,
}

/// How strips with trilinear filter A are drawn. The chip filters one of the two mipmap levels a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trilinear {
    /// In all passes that it takes: A and, added, B; translucent ones through the secondary accumulation buffer.
    #[default]
    AllPasses,
    /// In one pass with the filter as the file has it, for files that hold their second pass themselves.
    AsWritten,
}

impl Shadows {
    /// Half of the light is left.
    pub const HALF: Self = Self::Cheap { scale: 128 };

    /// What the trees of a frame ask for: [`Shadows::TwoVolumes`] if one has two-parameter strips or none has a volume,
    /// else [`Shadows::HALF`].
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

    /// FPU_SHAD_SCALE: bit 8 lets volumes change the intensity, bits 7 to 0 are the scale. The core then reads one set of
    /// parameters from polygons with the shadow bit, and two without bit 8, so a frame cannot have both.
    pub fn register(self) -> u32 {
        match self {
            Self::TwoVolumes => 0,
            Self::Cheap { scale } => 1 << 8 | u32::from(scale),
        }
    }
}
