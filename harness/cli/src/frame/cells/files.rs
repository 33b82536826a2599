//! Sprites and streams from files.

use crate::assets;
use crate::input;
use anyhow::{Context, Result, bail};
use ninja::{CellStream, Chunk, File, MotionKind};
use scene::{CellSprite, Settings, StampRule, StreamList};
use std::path::{Path, PathBuf};

/// Whether a file is about a cell sprite, and not a model with one in it.
pub(crate) fn is_sprite(path: &Path) -> Result<bool> {
    if assets::has_extension(path, "spa") || assets::has_extension(path, "spj") {
        return Ok(true);
    }
    let bytes = input::read(path)?;
    let Ok(file) = ninja::read(&bytes) else {
        return Ok(false);
    };
    let mut chunks = file.chunks.iter();
    let has_sprite = chunks.any(|chunk| matches!(chunk, Chunk::CellSprite(_)));
    Ok(has_sprite && file.models().next().is_none())
}

/// What the files of a sprite hold between them.
pub(super) struct Files {
    /// Of the first file.
    pub(super) name: String,
    /// The chunks of all of them.
    pub(super) whole: File,
    pub(super) sprite: CellSprite,
    pub(super) list: StreamList,
    /// Frames until all streams have ended once.
    pub(super) length: u32,
}

impl Files {
    /// Reads one sprite and any number of streams.
    pub(super) fn read(files: &[PathBuf], settings: &Settings) -> Result<Self> {
        let mut whole = File::default();
        for path in files {
            let chunks = assets::read_model(path)?.chunks;
            if !chunks.iter().any(is_of_sprites) {
                bail!(
                    "{}: no cell sprite, stream, sprite motion or texture list is in it",
                    path.display()
                );
            }
            let holds_sprite = chunks.iter().any(|chunk| matches!(chunk, Chunk::CellSprite(_)));
            // The texture list of the sprite's file is the one that counts.
            let at = if holds_sprite { 0 } else { whole.chunks.len() };
            whole.chunks.splice(at..at, chunks);
        }
        let name = files.first().map(|path| path.display().to_string());
        let name = name.context("no file of a sprite")?;
        let sprite = sprite(&whole).with_context(|| name.clone())?;
        let mut list = StreamList::with_settings(&sprite, settings.streams);
        let length = streams(&whole, settings, &mut list).with_context(|| name.clone())?;
        Ok(Self {
            length,
            name,
            sprite,
            list,
            whole,
        })
    }
}

/// Whether a chunk has a meaning for sprites.
fn is_of_sprites(chunk: &Chunk) -> bool {
    match chunk {
        Chunk::CellSprite(_) | Chunk::CellStream(_) | Chunk::Texlist(_) => true,
        Chunk::Motion(motion) => motion.kind == MotionKind::CellSprite,
        _ => false,
    }
}

fn sprite(file: &File) -> Result<CellSprite> {
    let mut sprites = file.chunks.iter().filter_map(|chunk| match chunk {
        Chunk::CellSprite(sprite) => Some(CellSprite::from(sprite)),
        _ => None,
    });
    let sprite = sprites.next().context("no cell sprite (NJSP) in it")?;
    if sprites.next().is_some() {
        bail!("more than one cell sprite (NJSP), expected one in all files together");
    }
    Ok(sprite)
}

/// Adds all streams to `list`; frames until all have ended once.
///
/// Where stamps run when their time is reached, streams that are equal in time are added in an order of their
/// own, so that the order of the files changes no picture. The original library plays streams in the order of
/// the list.
fn streams(file: &File, settings: &Settings, list: &mut StreamList) -> Result<u32> {
    let mut streams: Vec<&CellStream> = file
        .chunks
        .iter()
        .filter_map(|chunk| match chunk {
            Chunk::CellStream(stream) => Some(stream),
            _ => None,
        })
        .collect();
    if settings.streams.stamps == StampRule::Reached {
        streams.sort_by_cached_key(|stream| {
            (
                stream.time_offset,
                stream.time_max,
                format!("{:?}", stream.chunks),
            )
        });
    }
    let mut end = 0;
    for stream in streams {
        list.add(stream)?;
        end = end.max(i64::from(stream.time_offset) + i64::from(stream.time_max));
    }
    Ok(u32::try_from(end).unwrap_or(0))
}
