//! Palette files, and palettes of textures.

use super::{Entries, Options, stem};
use crate::input;
use anyhow::{Context, Result};
use pvr::container::{Palette, PvrTexture, read_pvp};
use pvr::texture::PixelFormat;
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

/// Returns grey levels for the indices of a texture; `None` if it holds colours.
pub(super) fn grey(texture: &PvrTexture) -> Option<Palette> {
    let count = match texture.data_format.palette_index()? {
        PixelFormat::Pal4 => 16,
        _ => 256,
    };
    let level = |index: u32| 0xFF00_0000 | (index * 255 / (count - 1) * 0x01_0101);
    let (pixel_format, _) = Entries::Argb8888.formats();
    Some(Palette {
        pixel_format,
        bank: 0,
        first_entry: 0,
        entries: (0..count).map(level).collect(),
        reserved: 0,
        padding: Vec::new(),
        warnings: Vec::new(),
    })
}

pub(super) fn read(path: &Path) -> Result<Palette> {
    read_pvp(&input::read(path)?).with_context(|| path.display().to_string())
}

/// Returns the palette of the options, or the one in the texture's folder.
pub(super) fn find(texture: &Path, options: &Options) -> Result<Option<Palette>> {
    if let Some(path) = &options.palette {
        return read(path).map(Some);
    }
    let folder = texture.parent().filter(|folder| !folder.as_os_str().is_empty());
    let found = player::in_folder(
        &player::Disk,
        folder.unwrap_or(Path::new(".")),
        &stem(texture),
        "pvp",
    )?;
    found.map(|path| read(&path)).transpose()
}
