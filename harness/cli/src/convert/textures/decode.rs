//! Decodes textures and palettes into images.

use super::manifest::Manifest;
use super::{Options, bump, kind, palette, read_image, read_textures, stem};
use crate::output;
use anyhow::{Context, Result, bail};
use pvr::Image;
use pvr::container::{Palette, PvrPixelFormat, PvrTexture};
use pvr::texture::Rgba;
use std::collections::HashSet;
use std::path::Path;

pub(super) fn decoded(path: &Path, texture: &PvrTexture, palette: Option<&Palette>) -> Result<Rgba> {
    for warning in &texture.warnings {
        eprintln!("{}: warning: {warning}", path.display());
    }
    let grey = palette::grey(texture).filter(|_| palette.is_none());
    if grey.is_some() {
        eprintln!(
            "{}: warning: found no palette (.pvp) with the texture's name, and no --palette: indices become \
            grey levels",
            path.display()
        );
    }
    let decoded = texture.decode(palette.or(grey.as_ref()));
    let mut image: Rgba = decoded.with_context(|| path.display().to_string())?.into();
    if texture.pixel_format == PvrPixelFormat::Bump && texture.data_format.palette_index().is_none() {
        image
            .texels
            .iter_mut()
            .for_each(|word| *word = bump::normal(*word));
    }
    Ok(image)
}

pub(super) fn to_png(inputs: &[&Path], output: &Path, options: &Options) -> Result<()> {
    let [input] = inputs else {
        bail!(
            "{}: {} inputs, expected one for a .png",
            output.display(),
            inputs.len()
        );
    };
    let image = match kind(input) {
        Some("png") if player::has_extension(input, "png") => bail!("{}: already a .png", input.display()),
        Some("png") => read_image(input)?,
        Some("pvp") => palette_picture(&palette::read(input)?),
        _ => {
            let textures = read_textures(input)?;
            let [one] = &textures[..] else {
                bail!(
                    "{}: {} textures; give a folder as the output",
                    input.display(),
                    textures.len()
                );
            };
            decoded(input, &one.texture, palette::find(input, options)?.as_ref())?
        }
    };
    write_picture(output, &image)
}

fn write_picture(path: &Path, image: &Rgba) -> Result<()> {
    let picture = Image {
        width: image.width,
        height: image.height,
        rgba: image
            .texels
            .iter()
            .flat_map(|c| c.rotate_left(8).to_be_bytes())
            .collect(),
    };
    output::write_png(path, &picture)?;
    println!("{}: {}x{}", path.display(), image.width, image.height);
    Ok(())
}

/// Draws a palette with sixteen entries per row.
fn palette_picture(palette: &Palette) -> Rgba {
    let colours = palette.colors(pvr::texture::LinearExpand::Replicate);
    let height = (colours.len() as u32).div_ceil(16).max(1);
    let mut texels = colours;
    texels.resize(16 * height as usize, 0);
    Rgba {
        width: 16,
        height,
        texels,
    }
}

/// Writes every texture of the inputs as a .png.
pub(super) fn to_folder(inputs: &[&Path], folder: &Path, options: &Options) -> Result<()> {
    let (mut manifest, mut taken) = (Manifest::default(), HashSet::new());
    for input in inputs {
        if kind(input) == Some("png") {
            write_picture(&folder.join(format!("{}.png", stem(input))), &read_image(input)?)?;
            continue;
        }
        if kind(input) == Some("pvp") {
            let path = folder.join(format!("{}.png", stem(input)));
            write_picture(&path, &palette_picture(&palette::read(input)?))?;
            continue;
        }
        let palette = palette::find(input, options)?;
        for named in read_textures(input)? {
            // Names in an archive must not lead out of the folder.
            let name: String = named
                .name
                .chars()
                .map(|c| {
                    if c.is_alphanumeric() || "-_.".contains(c) {
                        c
                    } else {
                        '_'
                    }
                })
                .collect();
            let image = decoded(input, &named.texture, palette.as_ref())?;
            let stem = name.trim_start_matches('.');
            let mut file = format!("{stem}.png");
            let mut number = 2;
            while !taken.insert(file.to_lowercase()) {
                file = format!("{stem}_{number}.png");
                number += 1;
            }
            write_picture(&folder.join(&file), &image)?;
            manifest.add(&named.name, &file, &named.texture);
        }
    }
    if inputs.iter().any(|input| kind(input) == Some("pvm")) {
        manifest.write(folder)?;
    }
    Ok(())
}
