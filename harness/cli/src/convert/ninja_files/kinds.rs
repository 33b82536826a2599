//! Kinds of chunks by file name extension.

use anyhow::{Result, bail};
use ninja::{Chunk, File, MotionKind};
use std::path::Path;

/// Kind of a chunk, for extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChunkClass {
    Textures,
    Model,
    Motion,
    SpriteMotion,
    ShapeMotion,
    Shapes,
    Sprite,
    Stream,
    Light,
    Camera,
    Unknown,
}

impl ChunkClass {
    fn of(chunk: &Chunk) -> Self {
        match chunk {
            Chunk::Texlist(_) => Self::Textures,
            Chunk::Model(_) => Self::Model,
            Chunk::Motion(motion) if motion.kind == MotionKind::SimpleShape => Self::Shapes,
            Chunk::Motion(motion) if motion.kind == MotionKind::CellSprite => Self::SpriteMotion,
            Chunk::Motion(_) => Self::Motion,
            Chunk::ShapeMotion(_) => Self::ShapeMotion,
            Chunk::ShapeList(_) => Self::Shapes,
            Chunk::CellSprite(_) => Self::Sprite,
            Chunk::CellStream(_) => Self::Stream,
            Chunk::Raw(raw) => match &raw.id.0 {
                b"NJLI" => Self::Light,
                b"NJCA" => Self::Camera,
                b"NJBM" => Self::Model,
                _ => Self::Unknown,
            },
        }
    }
}

/// Returns the kinds of chunks in files of an extension (docs/formats/compact-shape.md 4.1, cell-sprite.md
/// 5.5); `None` for .nj and .nja, which can hold everything. A motion file can contain a shape motion, and a
/// shape list its shape motion. A sprite file can contain textures, and a stream file a motion.
fn permitted(extension: &str) -> Option<&'static [ChunkClass]> {
    use ChunkClass::{
        Camera, Light, Model, Motion, ShapeMotion, Shapes, Sprite, SpriteMotion, Stream, Textures,
    };
    Some(match extension {
        "njt" | "nat" => &[Textures],
        "njd" | "nad" => &[Model, Textures],
        "njm" | "nam" => &[Motion, SpriteMotion, ShapeMotion],
        "njs" | "nas" => &[Shapes, ShapeMotion],
        "njl" => &[Light],
        "njc" => &[Camera],
        "spj" | "spa" => &[Sprite, Textures],
        "csj" | "csa" => &[Stream, SpriteMotion],
        _ => return None,
    })
}

/// Checks that a file contains only the kinds of chunks that its extension permits.
///
/// # Errors
/// If a chunk has another kind.
pub(super) fn check(path: &Path, file: &File) -> Result<()> {
    let extension = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    let Some(permitted) = permitted(&extension) else {
        return Ok(());
    };
    let other = |chunk: &&Chunk| {
        let class = ChunkClass::of(chunk);
        class != ChunkClass::Unknown && !permitted.contains(&class)
    };
    if let Some(chunk) = file.chunks.iter().find(other) {
        bail!(
            "{}: .{extension} files do not hold {}; name it .nj or .nja, or use --force",
            path.display(),
            chunk.id()
        );
    }
    Ok(())
}
