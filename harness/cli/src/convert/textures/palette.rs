//! Palettes: their files, and the palette of a texture.

use super::{Options, stem};
use crate::input;
use anyhow::{Context, Result};
use pvr::container::{Palette, read_pvp};
use std::path::Path;

pub(super) fn file(colours: &[u32], options: &Options) -> Palette {
    let (pixel_format, format) = options.palette_format.formats();
    Palette {
        pixel_format,
        bank: options.bank.unwrap_or(0),
        first_entry: 0,
        entries: colours.iter().map(|&colour| format.pack(colour)).collect(),
        reserved: 0,
        padding: Vec::new(),
        warnings: Vec::new(),
    }
}

pub(super) fn read(path: &Path) -> Result<Palette> {
    read_pvp(&input::read(path)?).with_context(|| path.display().to_string())
}

/// The palette of the options, or the one in the folder of a texture.
pub(super) fn beside(texture: &Path, options: &Options) -> Result<Option<Palette>> {
    if let Some(path) = &options.palette {
        return read(path).map(Some);
    }
    let folder = texture.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = player::in_folder(
        &player::Disk,
        folder.unwrap_or(Path::new(".")),
        &stem(texture),
        "pvp",
    )?;
    beside.map(|path| read(&path)).transpose()
}
