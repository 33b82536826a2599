//! Sprites, streams and sprite motions from files.

use crate::assets;
use crate::input;
use anyhow::{Context, Result, bail};
use ninja::{Chunk, File, MotionKind};
use scene::{CellSprite, LastKey, SpriteMotion, StreamList};
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
    pub(super) motion: Option<SpriteMotion>,
    /// Frames until everything has played once.
    pub(super) length: u32,
}

impl Files {
    /// Reads one sprite, any number of streams and at most one sprite motion.
    pub(super) fn read(files: &[PathBuf]) -> Result<Self> {
        let mut whole = File::default();
        for path in files {
            whole.chunks.extend(assets::read_model(path)?.chunks);
        }
        let name = files.first().map(|path| path.display().to_string());
        let name = name.context("no file of a sprite")?;
        let sprite = sprite(&whole).with_context(|| name.clone())?;
        let mut list = StreamList::new(&sprite);
        let length = streams(&whole, &mut list).with_context(|| name.clone())?;
        let motion = motion(&whole).with_context(|| name.clone())?;
        let (motion, frames) = motion.map_or((None, 0), |(motion, frames)| (Some(motion), frames));
        Ok(Self {
            length: length.max(frames),
            name,
            sprite,
            list,
            motion,
            whole,
        })
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
fn streams(file: &File, list: &mut StreamList) -> Result<u32> {
    let mut end = 0;
    for chunk in &file.chunks {
        if let Chunk::CellStream(stream) = chunk {
            list.add(stream)?;
            end = end.max(i64::from(stream.time_offset) + i64::from(stream.time_max));
        }
    }
    Ok(u32::try_from(end).unwrap_or(0))
}

/// The sprite motion and its frames.
fn motion(file: &File) -> Result<Option<(SpriteMotion, u32)>> {
    let mut motions = file
        .motions()
        .filter(|motion| motion.kind == MotionKind::CellSprite);
    let Some(motion) = motions.next() else {
        return Ok(None);
    };
    if motions.next().is_some() {
        bail!("more than one sprite motion (NCSM), expected one");
    }
    Ok(Some((
        SpriteMotion::new(motion, LastKey::default())?,
        motion.nb_frame,
    )))
}
