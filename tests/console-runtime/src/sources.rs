//! The Ninja files of a folder, in the form that the console reads: chunks with little-endian bytes.

use crate::read_file;
use anyhow::{Context, Result};
use ninja::{
    ByteOrder, CShapeList, CShapeMotion, CellSprite, CellStream, Chunk, Container, EvalFlags, File, Motion,
    MotionKind, ObjectTree,
};
use std::path::{Path, PathBuf};

/// A file with models or motions.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) file: File,
    /// The bytes that the console loads: the file itself, or its contents in little-endian chunks.
    pub(super) bytes: Vec<u8>,
}

/// A motion as a separate file.
pub(super) struct SourceMotion<'a> {
    pub(super) name: String,
    pub(super) motion: &'a Motion,
    pub(super) bytes: Vec<u8>,
}

/// Shapes and their shape motion, as a separate file.
pub(super) struct SourceShapes<'a> {
    pub(super) name: String,
    pub(super) list: &'a CShapeList,
    pub(super) motion: &'a CShapeMotion,
    pub(super) bytes: Vec<u8>,
}

/// A file of textures or a palette file.
pub(super) struct TextureSource {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Files of a folder, by kind.
#[derive(Default)]
pub(super) struct Folder {
    pub(super) sources: Vec<Source>,
    pub(super) textures: Vec<TextureSource>,
    pub(super) palettes: Vec<TextureSource>,
    /// Number of other files.
    pub(super) skipped: usize,
}

/// Reads the files below `path`.
pub(super) fn read(path: &Path) -> Result<Folder> {
    let mut folder = Folder::default();
    for path in files(path)? {
        let bytes = read_file(&path)?;
        let name = path.display().to_string();
        if [b"PVMH", b"GBIX", b"PVRT"]
            .iter()
            .any(|id| bytes.starts_with(*id))
        {
            folder.textures.push(TextureSource { name, bytes });
        } else if bytes.starts_with(b"PVPL") {
            folder.palettes.push(TextureSource { name, bytes });
        } else if let Some(source) = source(&path, &bytes) {
            folder.sources.push(source);
        } else {
            folder.skipped += 1;
        }
    }
    Ok(folder)
}

/// Returns the files below a folder, sorted, or the file itself.
fn files(path: &Path) -> Result<Vec<PathBuf>> {
    let (mut pending, mut found) = (vec![path.to_owned()], Vec::new());
    while let Some(path) = pending.pop() {
        if !path.is_dir() {
            found.push(path);
            continue;
        }
        let entries = std::fs::read_dir(&path).with_context(|| path.display().to_string())?;
        for entry in entries {
            pending.push(entry?.path());
        }
    }
    found.sort();
    Ok(found)
}

fn source(path: &Path, bytes: &[u8]) -> Option<Source> {
    let binary = ninja::read(bytes).ok();
    let is_ready = binary
        .as_ref()
        .is_some_and(|file| file.byte_order == ByteOrder::Little && file.container == Container::Iff);
    let file = match binary {
        Some(file) => file,
        None if ninja::ascii::is_text(bytes) => ninja::ascii::read(bytes).ok()?.file,
        None => return None,
    };
    let wanted = |chunk: &Chunk| {
        matches!(
            chunk,
            Chunk::Model(_)
                | Chunk::Motion(_)
                | Chunk::ShapeList(_)
                | Chunk::ShapeMotion(_)
                | Chunk::CellSprite(_)
                | Chunk::CellStream(_)
        )
    };
    if !file.chunks.iter().any(wanted) {
        return None;
    }
    let bytes = match is_ready {
        true => bytes.to_vec(),
        false => little_endian(file.chunks.iter().filter(|chunk| wanted(chunk)).cloned())?,
    };
    Some(Source {
        name: path.display().to_string(),
        file,
        bytes,
    })
}

/// Writes streams into one file.
pub(super) fn streams_file(streams: &[&CellStream]) -> Option<Vec<u8>> {
    little_endian(streams.iter().map(|stream| Chunk::CellStream((*stream).clone())))
}

/// Writes a motion into a separate file.
pub(super) fn motion_file(motion: &Motion) -> Option<Vec<u8>> {
    little_endian(std::iter::once(Chunk::Motion(motion.clone())))
}

/// Writes chunks into a file for the console.
fn little_endian(chunks: impl Iterator<Item = Chunk>) -> Option<Vec<u8>> {
    let mut file = File::new(chunks.collect());
    file.forget_layout();
    file.write().ok()
}

/// Returns the motions with an entry for each node of `tree` that needs one.
pub(super) fn motions<'a>(sources: &'a [Source], tree: &ObjectTree) -> Vec<SourceMotion<'a>> {
    let nodes = taking(tree, EvalFlags::SKIP);
    let all = sources.iter().flat_map(|source| {
        let motions = source.file.motions().enumerate();
        motions.map(move |(number, motion)| (source, number, motion))
    });
    all.filter(|(_, _, motion)| motion.kind == MotionKind::Model && motion.nodes.len() == nodes)
        .filter_map(|(source, number, motion)| {
            // A file that consists of one motion is used unchanged.
            let single = source.file.chunks.len() == 1 && source.file.container == Container::Iff;
            let bytes = if single {
                Some(source.bytes.clone())
            } else {
                motion_file(motion)
            };
            Some(SourceMotion {
                name: format!("motion {number} of {}", source.name),
                motion,
                bytes: bytes?,
            })
        })
        .collect()
}

/// Number of nodes of a tree without the flag `skip`.
pub(super) fn taking(tree: &ObjectTree, skip: EvalFlags) -> usize {
    let takes = |object: &ninja::Object| !object.evalflags.contains(skip);
    tree.walk().filter(|(_, _, object)| takes(object)).count()
}

/// Returns the shape motions of the same file that have at least one entry for each node of `tree` that takes
/// one.
pub(super) fn shapes<'a>(sources: &'a [Source], tree: &ObjectTree) -> Vec<SourceShapes<'a>> {
    let nodes = taking(tree, EvalFlags::SHAPE_SKIP);
    let found = sources.iter().filter_map(|source| {
        let (mut list, mut motion) = (None, None);
        for chunk in &source.file.chunks {
            match chunk {
                Chunk::ShapeList(found) => list = list.or(Some(found)),
                Chunk::ShapeMotion(found) => motion = motion.or(Some(found)),
                _ => {}
            }
        }
        Some((source, list?, motion?))
    });
    found
        .filter(|(_, _, motion)| motion.nodes.len() >= nodes)
        .map(|(source, list, motion)| SourceShapes {
            name: format!("shapes of {}", source.name),
            list,
            motion,
            bytes: source.bytes.clone(),
        })
        .collect()
}

/// Returns the cell sprites of a file, in file order.
pub(super) fn sprites(source: &Source) -> impl Iterator<Item = &CellSprite> {
    source.file.chunks.iter().filter_map(|chunk| match chunk {
        Chunk::CellSprite(sprite) => Some(sprite),
        _ => None,
    })
}

/// Returns the files in the folder of a file.
fn near<'a>(sources: &'a [Source], beside: &Source) -> impl Iterator<Item = &'a Source> {
    let folder = |name: &str| Path::new(name).parent().map(Path::to_owned);
    let own = folder(&beside.name);
    sources.iter().filter(move |source| folder(&source.name) == own)
}

/// Returns the cell streams of the files in the folder of a file.
pub(super) fn streams<'a>(sources: &'a [Source], beside: &Source) -> Vec<&'a CellStream> {
    near(sources, beside).flat_map(streams_of).collect()
}

/// Returns the motions of cell sprites in the folder of a file, each with a separate file.
pub(super) fn sprite_motions<'a>(sources: &'a [Source], beside: &Source) -> Vec<(&'a Motion, Vec<u8>)> {
    let motions = near(sources, beside).flat_map(|source| source.file.motions());
    let of_sprites = motions.filter(|motion| motion.kind == MotionKind::CellSprite);
    let with_file = |motion: &'a Motion| {
        let bytes = little_endian(std::iter::once(Chunk::Motion(motion.clone())))?;
        Some((motion, bytes))
    };
    of_sprites.filter_map(with_file).collect()
}

/// Returns the cell streams of a file, in file order.
pub(super) fn streams_of(source: &Source) -> impl Iterator<Item = &CellStream> {
    source.file.chunks.iter().filter_map(|chunk| match chunk {
        Chunk::CellStream(stream) => Some(stream),
        _ => None,
    })
}
