//! Options of a conversion.

use crate::settings::Sidecar;

/// Options of a conversion. The defaults suit files of the common exporters.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Format of the file. `None` detects FBX and glTF by content. OBJ must be set, because it has no
    /// signature.
    pub format: Option<SceneFormat>,
    /// Length of the model's unit in metres.
    pub unit_meters: f64,
    /// Maximum number of bytes for reading the file. Temporary and permanent data have this limit each.
    pub memory_limit: usize,
    /// Maximum depth of nodes.
    pub depth_limit: u32,
    /// Source of normals.
    pub normals: Normals,
    /// Keeps or drops vertex colours.
    pub colors: Keep,
    /// Storage of texture coordinates.
    pub uv: UvKind,
    /// Source of ambient colours.
    pub ambient: Ambient,
    /// Highlights to keep.
    pub specular: Specular,
    /// Draws every polygon from both sides.
    pub double_side: bool,
    /// Maximum number of bones per vertex. The converter drops the bones with the smallest weights. To
    /// compensate rounded weights, it can add up to the same number of nodes between the bones, with a weight
    /// of 1/255 each.
    pub max_influences: usize,
    /// Keeps leaf bones that move no vertices.
    pub leaf_bones: bool,
    /// Storage of rotations in nodes and motions.
    pub rotation: Rotation,
    /// Bits of Euler angles in motions.
    pub angle_bits: AngleBits,
    /// Animation stacks to convert to motions.
    pub stacks: Stacks,
    /// Frames per second of the motions; by default the file's.
    pub rate: Option<f64>,
    /// Frames of each stack to convert, relative to its first one. By default all, up to 65,535.
    pub range: Option<std::ops::RangeInclusive<u32>>,
    /// Permitted error of positions by dropped keys, as a share of the model's size.
    pub position_tolerance: f64,
    /// Permitted error of rotations, in degrees.
    pub angle_tolerance: f64,
    /// Permitted error of scales.
    pub scale_tolerance: f64,
    /// Adds mip levels to square textures.
    pub mipmaps: bool,
    /// Longest side of a texture: a power of two from 8 to 1024.
    pub max_texture: u32,
    /// Maximum number of bytes of all textures; by default no limit.
    pub texture_bytes: Option<usize>,
    /// Places searched for textures, for messages ([`crate::Search::places`]).
    pub searched: Vec<String>,
    /// Settings of materials and nodes from a separate file.
    pub sidecar: Sidecar,
    /// Order of the corners of quadrilaterals in volumes.
    pub quad_order: QuadOrder,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            format: None,
            unit_meters: 1.0,
            memory_limit: crate::limits::SCENE_BYTES,
            depth_limit: crate::limits::SCENE_DEPTH,
            normals: Normals::Keep,
            colors: Keep::Keep,
            uv: UvKind::Auto,
            ambient: Ambient::Auto,
            specular: Specular::Auto,
            double_side: false,
            max_influences: 8,
            leaf_bones: false,
            rotation: Rotation::Euler,
            angle_bits: AngleBits::Short,
            stacks: Stacks::Active,
            rate: None,
            range: None,
            position_tolerance: 1e-4,
            angle_tolerance: 0.01,
            scale_tolerance: 1e-4,
            mipmaps: false,
            max_texture: 1024,
            texture_bytes: None,
            searched: Vec::new(),
            sidecar: Sidecar::default(),
            quad_order: QuadOrder::Around,
        }
    }
}

/// Format of a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SceneFormat {
    /// Autodesk FBX, binary or text.
    Fbx,
    /// glTF 2.0: text, or a container (`.glb`).
    Gltf,
    /// Wavefront OBJ.
    Obj,
}

impl SceneFormat {
    /// Returns the format by content: glTF by its signature or JSON text, else FBX.
    pub fn of(bytes: &[u8]) -> Self {
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        match bytes.starts_with(b"glTF") || text.trim_ascii_start().starts_with(b"{") {
            true => SceneFormat::Gltf,
            false => SceneFormat::Fbx,
        }
    }
}

/// Source of normals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Normals {
    /// The file's normals, or smooth ones if it has none.
    #[default]
    Keep,
    /// New normals, smooth over all polygons at a position.
    Smooth,
    /// No normals: the model is not lit.
    Drop,
}

/// Keeps or drops an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// Keeps it.
    #[default]
    Keep,
    /// Drops it.
    Drop,
}

/// Storage of texture coordinates (docs/formats/ninja.md 1.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UvKind {
    /// UVN if its step is at most half a texel or UVH has too small a range, else UVH.
    #[default]
    Auto,
    /// 256 steps per texture width.
    Uvn,
    /// 1024 steps per texture width.
    Uvh,
}

/// Source of ambient colours.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Ambient {
    /// The file's ambient colours if an artist has chosen them, else the diffuse colours. A chosen colour is
    /// not grey, and is not shared by several materials with different diffuse colours. Exporters write greys
    /// by default: Blender and Maya black, Blender's OBJ exporter white.
    #[default]
    Auto,
    /// The file's ambient colours.
    File,
    /// The diffuse colours.
    Diffuse,
    /// One colour, in screen values from 0 to 1.
    Colour([f64; 3]),
}

/// Highlights to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Specular {
    /// The file's highlights, except those with an exponent of 0 and those of Blender's exporters. Blender
    /// writes the faint reflection of every surface as a highlight to FBX and OBJ, but not to glTF.
    #[default]
    Auto,
    /// All highlights of the file.
    File,
    /// No highlights.
    Drop,
}

/// Order of a CO_P4 polygon's four indices. The play setting `volume-quads` of the runtime has the same
/// choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QuadOrder {
    /// Outline order: `index0, index1, index2, index3` are the corners of a quadrilateral
    /// (docs/formats/chunk-model.md 3.9). Confidence medium: no known file shows the order.
    #[default]
    Around,
    /// Strip order: triangles (0, 1, 2) and (2, 1, 3).
    Strip,
}

/// Storage of rotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rotation {
    /// Angles about x, then y, then z.
    #[default]
    Euler,
    /// Quaternions: nodes of 56 bytes (`N2CM`) and QUAT keys, which only Ninja2 supports.
    Quaternion,
}

/// Bits of Euler angles in motions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AngleBits {
    /// SANG: 16 bits, 8 bytes per key; interpolation takes the shorter way.
    #[default]
    Short,
    /// ANG: 32 bits, 16 bytes per key; interpolation includes whole turns.
    Long,
}

/// Animation stacks to convert to motions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Stacks {
    /// The file's active stack, usually its first.
    #[default]
    Active,
    /// Stacks with these names.
    Named(Vec<String>),
    /// All stacks.
    All,
    /// No stack.
    None,
}
