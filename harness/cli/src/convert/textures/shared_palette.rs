//! Makes one palette from several images.

use super::decode::decoded;
use super::palette::{file, find, read};
use super::{Format, Options, finish, kind, read_image, read_textures};
use crate::plural::plural;
use anyhow::{Result, bail};
use pvr::container::write_pvp;
use pvr::texture::make_palette;
use std::path::Path;

/// Makes a palette for all images, or converts a palette to another format or bank, and writes it.
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
                let palette = find(input, options)?;
                for named in read_textures(input)? {
                    images.push(decoded(input, &named.texture, palette.as_ref())?);
                }
            }
        }
    }
    let colours = match (colours, images.is_empty()) {
        (Some(colours), true) => colours,
        (Some(_), false) => bail!(
            "{}: found images and a palette, expected only one of these kinds",
            output.display()
        ),
        (None, _) => make_palette(
            &images.iter().collect::<Vec<_>>(),
            size,
            options.palette_format.formats().1,
        ),
    };
    println!("{}", plural(colours.len(), "colour"));
    finish(output, &write_pvp(&file(&colours, options))?)
}
