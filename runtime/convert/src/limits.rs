//! Limits on the size of files, scenes and requests.

/// Pixels of a picture file. The largest texture has 1024 x 1024.
pub(crate) const PICTURE_PIXELS: usize = 1 << 26;
/// Limit on the pixels of a picture: this number, and [`BYTE_PIXELS`] for each byte of its file. A compressed
/// file can be a thousand times smaller than its picture.
pub(crate) const FREE_PIXELS: usize = 1 << 24;
pub(crate) const BYTE_PIXELS: usize = 8;
/// Pixels of all pictures of a scene, in addition to [`BYTE_PIXELS`] for each byte of their files.
pub(crate) const SCENE_PIXELS: usize = 1 << 26;
/// Vertices that the bounding spheres of all nodes contain. Each node of a skin gets a sphere around all of
/// it.
pub(crate) const SPHERE_VERTICES: usize = 1 << 27;
/// Bytes that a reader can allocate for one picture.
pub(crate) const PICTURE_BYTES: u64 = 1 << 29;
/// Number of cameras and lights, times the number of frames.
pub(crate) const VIEW_FRAMES: usize = 1_000_000;
/// Bytes of the memory limit for each local transform that the motions of a scene sample. All of them are
/// kept until the files are written.
pub(crate) const SAMPLE_BYTES: usize = 128;
/// Vertices in shapes times frames of one stack. Each takes about 0.2 microseconds.
pub(crate) const SHAPE_SAMPLES: usize = 1 << 27;
/// Vertices of all key shapes; each takes 48 bytes.
pub(crate) const SHAPE_KEYS: usize = 4_000_000;
/// Exported transforms, weights and moved points. Each takes about 100 bytes.
pub(crate) const EXPORTED_SAMPLES: usize = 4_000_000;
/// Triangles of all nodes, in addition to [`NODE_FACTOR`] times the triangles of all meshes.
pub(crate) const NODE_TRIANGLES: usize = 1 << 20;
pub(crate) const NODE_FACTOR: usize = 8;
/// Exported vertices and triangles. Shared lists can be drawn many times.
pub(crate) const EXPORTED_VERTICES: usize = 8_000_000;
/// Nodes of an exported model. Each takes 6 KiB until the file is written.
pub(crate) const EXPORTED_NODES: usize = 10_000;
/// Nodes of a glTF scene, if the caller sets no larger memory limit. A node takes 3 KiB until its model is
/// written.
pub(crate) const SCENE_NODES: usize = 1 << 14;
/// Bytes of the memory limit per node, if this permits more than [`SCENE_NODES`] nodes.
pub(crate) const NODE_BYTES: usize = 16 << 10;
/// Bytes for reading a scene, for temporary and for permanent data each, if the caller sets no limit.
pub(crate) const SCENE_BYTES: usize = 256 << 20;
/// Limit for temporary and for permanent data each, if the caller sets no larger limit: these bytes, and this
/// factor times the file's size.
pub(crate) const FREE_BYTES: usize = 32 << 20;
pub(crate) const SIZE_FACTOR: usize = 4;
/// Depth of nodes, if the caller sets no limit.
pub(crate) const SCENE_DEPTH: u32 = 512;
/// Steps for dividing the faces of a scene into triangles. A step takes about a nanosecond.
pub(crate) const FACE_STEPS: u64 = 1 << 32;

/// Limited quantities and their maximum.
pub const LIMITS: &[(&str, u64)] = &[
    ("pixels of a picture file", PICTURE_PIXELS as u64),
    (
        "pixels of a picture file beyond eight for each of its bytes",
        FREE_PIXELS as u64,
    ),
    (
        "pixels of all pictures of a scene beyond eight for each byte of their files",
        SCENE_PIXELS as u64,
    ),
    (
        "vertices of a skin, times its nodes, of all skins",
        SPHERE_VERTICES as u64,
    ),
    ("bytes that the reader of a picture allocates", PICTURE_BYTES),
    (
        "frames of all cameras and lights of an FBX scene",
        VIEW_FRAMES as u64,
    ),
    (
        "transforms that all motions of a scene sample (more with more `--memory`)",
        (SCENE_BYTES / SAMPLE_BYTES) as u64,
    ),
    (
        "vertices that one shape motion of an FBX scene samples",
        SHAPE_SAMPLES as u64,
    ),
    ("vertices of all key shapes of an FBX scene", SHAPE_KEYS as u64),
    (
        "transforms, weights and moved points of an exported motion",
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
    ("nodes of an exported model", EXPORTED_NODES as u64),
    (
        "nodes of a glTF scene (more with more `--memory`)",
        SCENE_NODES as u64,
    ),
    (
        "bytes that reading a scene takes (`--memory`)",
        SCENE_BYTES as u64,
    ),
    (
        "bytes for reading an FBX or OBJ scene beyond eight times its size (more with more `--memory`)",
        2 * FREE_BYTES as u64,
    ),
    ("nested nodes of an FBX scene", SCENE_DEPTH as u64),
    (
        "steps in which faces of five or more corners become triangles: the square of their corners",
        FACE_STEPS,
    ),
];
