//! Every limit on what a file, a program or a user may ask for.

/// Pixels of a picture file: the largest texture has 1024 x 1024.
pub(crate) const PICTURE_PIXELS: usize = 1 << 26;
/// Bytes that a reader may allocate for one picture.
pub(crate) const PICTURE_BYTES: u64 = 1 << 29;
/// Cameras and lights times frames.
pub(crate) const VIEW_FRAMES: usize = 1_000_000;
/// Local transforms that one motion may sample; each takes 150 bytes with what is made of it.
pub(crate) const MOTION_SAMPLES: usize = 4_000_000;
/// Vertices times frames of one part and stack; each takes 48 bytes.
pub(crate) const SHAPE_SAMPLES: usize = 4_000_000;
/// Transforms, shares and moved points; each takes about 100 bytes.
pub(crate) const EXPORTED_SAMPLES: usize = 4_000_000;
/// Triangles of all nodes: this, and [`NODE_FACTOR`] times those of the meshes.
pub(crate) const NODE_TRIANGLES: usize = 1 << 20;
pub(crate) const NODE_FACTOR: usize = 8;
/// Vertices and triangles: shared lists may be drawn many times over.
pub(crate) const EXPORTED_VERTICES: usize = 8_000_000;
/// Bytes that reading a scene may take, temporary and lasting ones each, where the caller has no limit.
pub(crate) const SCENE_BYTES: usize = 256 << 20;
/// Levels of nodes, where the caller has no limit.
pub(crate) const SCENE_DEPTH: u32 = 512;

/// What is limited, and its largest number.
pub const LIMITS: &[(&str, u64)] = &[
    ("pixels of a picture file", PICTURE_PIXELS as u64),
    ("bytes that the reader of a picture allocates", PICTURE_BYTES),
    (
        "frames of all cameras and lights of an FBX scene",
        VIEW_FRAMES as u64,
    ),
    (
        "transforms that one motion of an FBX scene samples",
        MOTION_SAMPLES as u64,
    ),
    (
        "vertices that one shape motion of an FBX scene samples",
        SHAPE_SAMPLES as u64,
    ),
    (
        "transforms, shares and moved points of an exported motion",
        EXPORTED_SAMPLES as u64,
    ),
    (
        "triangles of all nodes of a scene beyond eight times those of its meshes",
        NODE_TRIANGLES as u64,
    ),
    (
        "vertices and triangles of an exported model",
        EXPORTED_VERTICES as u64,
    ),
    (
        "bytes that reading a scene takes (`--memory`)",
        SCENE_BYTES as u64,
    ),
    ("nested nodes of an FBX scene", SCENE_DEPTH as u64),
];
