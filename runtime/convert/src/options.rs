//! What the user decides.

use crate::settings::Sidecar;

/// How to convert. The defaults suit a file as the common exporters write it.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The file's format. Without it the bytes tell FBX from glTF; nothing in an OBJ file does.
    pub format: Option<SceneFormat>,
    /// Metres that one unit of the model stands for.
    pub unit_meters: f64,
    /// Most bytes that reading the file may take, temporary and lasting ones each.
    pub memory_limit: usize,
    /// Most levels of nodes.
    pub depth_limit: u32,
    /// Where normals come from.
    pub normals: Normals,
    /// Whether vertex colours are kept.
    pub colors: Keep,
    /// How texture coordinates are stored.
    pub uv: UvKind,
    /// Where ambient colours come from.
    pub ambient: Ambient,
    /// Which highlights are kept.
    pub specular: Specular,
    /// Draw every polygon from both sides.
    pub double_side: bool,
    /// Most bones of a vertex; those with the smallest weights give way. As many nodes between them may come
    /// on top, with a weight of 1, where the rounding of weights needs them.
    pub max_influences: usize,
    /// Keep leaf bones that move nothing.
    pub leaf_bones: bool,
    /// How nodes and motions store rotations.
    pub rotation: Rotation,
    /// Bits of Euler angles in motions.
    pub angle_bits: AngleBits,
    /// Which animation stacks become motions.
    pub stacks: Stacks,
    /// Frames a second of the motions; by default the file's.
    pub rate: Option<f64>,
    /// The frames of each stack that are converted, counted from the stack's first. By default all, up to
    /// 65,535.
    pub range: Option<std::ops::RangeInclusive<u32>>,
    /// How far a position may leave its curve by dropped keys, as a share of the model's size.
    pub position_tolerance: f64,
    /// The same for rotations, in degrees.
    pub angle_tolerance: f64,
    /// The same for scales.
    pub scale_tolerance: f64,
    /// Textures get mip levels where they are square.
    pub mipmaps: bool,
    /// Longest side of a texture: a power of two from 8 to 1024.
    pub max_texture: u32,
    /// Bytes that all textures may take. By default the video memory that a frame of 640x480 leaves.
    pub texture_bytes: Option<usize>,
    /// Places in which textures are looked for, for messages ([`crate::Search::places`]).
    pub searched: Vec<String>,
    /// What is said of materials and nodes beside the scene.
    pub sidecar: Sidecar,
    /// The order of the corners of quadrilaterals in volumes.
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

/// The format of a scene.
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
    /// That of the bytes: glTF by its signature or where the text is JSON, else FBX.
    pub fn of(bytes: &[u8]) -> Self {
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        match bytes.starts_with(b"glTF") || text.trim_ascii_start().starts_with(b"{") {
            true => SceneFormat::Gltf,
            false => SceneFormat::Fbx,
        }
    }
}

/// Where normals come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Normals {
    /// From the file; made where it has none.
    #[default]
    Keep,
    /// Made anew, smooth over all polygons of a position.
    Smooth,
    /// None: the model is not lit.
    Drop,
}

/// Whether an attribute is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// Yes.
    #[default]
    Keep,
    /// No.
    Drop,
}

/// How texture coordinates are stored (docs/formats/ninja.md 1.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UvKind {
    /// UVN where its step is at most half a texel or UVH cannot reach, else UVH.
    #[default]
    Auto,
    /// 256 to a texture width.
    Uvn,
    /// 1024 to a texture width.
    Uvh,
}

/// Where ambient colours come from.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Ambient {
    /// The file's ambient colours if an artist has chosen them, else the diffuse colours. A colour counts as
    /// chosen if it is no grey and is not the one colour of several materials with different diffuse
    /// colours. Exporters write greys by default: Blender and Maya black, Blender's OBJ exporter white.
    #[default]
    Auto,
    /// The file's ambient colours.
    File,
    /// The diffuse colours.
    Diffuse,
    /// One colour, screen numbers of 0 to 1.
    Colour([f64; 3]),
}

/// Which highlights are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Specular {
    /// The file's, but for those with an exponent of 0 and those of Blender's exporters: Blender writes the
    /// faint reflection of every surface as a highlight to FBX and OBJ, and nothing to glTF.
    #[default]
    Auto,
    /// The file's.
    File,
    /// None.
    Drop,
}

/// The order of a CO_P4 polygon's four indices. The runtime has the same choice as play switch
/// `volume-quads`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QuadOrder {
    /// Around the polygon: `index0, index1, index2, index3` are an independent quadrilateral
    /// (docs/formats/chunk-model.md 3.9). Confidence medium: no file shows it.
    #[default]
    Around,
    /// As a strip: triangles (0, 1, 2) and (2, 1, 3).
    Strip,
}

/// How rotations are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rotation {
    /// Angles about x, then y, then z.
    #[default]
    Euler,
    /// Quaternions: nodes of 56 bytes (`N2CM`) and QUAT keys, which only Ninja2 knows.
    Quaternion,
}

/// Bits of Euler angles in motions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AngleBits {
    /// SANG: 16 bits, 8 bytes a key; the way between two keys is the shorter one.
    #[default]
    Short,
    /// ANG: 32 bits, 16 bytes a key; turns add up.
    Long,
}

/// Which animation stacks become motions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Stacks {
    /// The file's active one, which is mostly its first.
    #[default]
    Active,
    /// Those with these names.
    Named(Vec<String>),
    /// All.
    All,
    /// None.
    None,
}
