//! Palettes: files of them, from images, beside textures.

use super::decode::decoded;
use super::{Format, Options, finish, kind, read_image, read_textures, stem};
use crate::assets;
use crate::input;
use anyhow::{Context, Result, bail};
use pvr::container::{Palette, read_pvp, write_pvp};
use pvr::texture::make_palette;
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

/// The palette that was asked for, or one that lies beside a texture.
pub(super) fn beside(texture: &Path, options: &Options) -> Result<Option<Palette>> {
    if let Some(path) = &options.palette {
        return read(path).map(Some);
    }
    let folder = texture.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = assets::in_folder(folder.unwrap_or(Path::new(".")), &stem(texture), "pvp")?;
    beside.map(|path| read(&path)).transpose()
}

/// A palette that serves all images, or a palette with another format or bank.
pub(super) fn to_palette(inputs: &[&Path], output: &Path, options: &Options) -> Result<()> {
    let size = if options.format == Some(Format::Pal4) {
        16
    } else {
        256
    };
    let mut images = Vec::new();
    let mut colours = None;
    for input in inputs {
        match kind(input) {
            Some("png") => images.push(read_image(input)?),
            Some("pvp") => colours = Some(read(input)?.colors(pvr::texture::LinearExpand::Replicate)),
            _ => {
                let palette = beside(input, options)?;
                for named in read_textures(input)? {
                    images.push(decoded(input, &named.texture, palette.as_ref())?);
                }
            }
        }
    }
    let colours = match (colours, images.is_empty()) {
        (Some(colours), true) => colours,
        (Some(_), false) => bail!("{}: images and a palette together", output.display()),
        (None, _) => make_palette(
            &images.iter().collect::<Vec<_>>(),
            size,
            options.palette_format.formats().1,
        ),
    };
    println!("{} colours", colours.len());
    finish(output, &write_pvp(&file(&colours, options))?)
}
