//! Options without effect on the textures that are converted.

use super::resize::is_fitting;
use super::{Format, Layout, Options, kind, read_image, read_textures};
use crate::effects::GivenOptions;
use anyhow::Result;
use player::is_paletted;
use std::path::{Path, PathBuf};

/// # Errors
/// If the command line has an option without effect, or an input cannot be read.
pub(crate) fn check(
    inputs: &[PathBuf],
    output: &Path,
    options: &Options,
    given: GivenOptions<'_>,
) -> Result<()> {
    if options.changes_entries() {
        // A changed entry keeps its formats: those of the options are for added pictures.
        let of_new = [
            "format",
            "layout",
            "mipmaps",
            "palette_format",
            "bank",
            "global_index",
        ];
        return given.refuse(
            options.add.is_empty(),
            &of_new,
            "on textures that keep their formats",
        );
    }
    if inputs.iter().any(|input| kind(input).is_none()) {
        let of_manifest = ["format", "layout", "mipmaps", "palette_format"];
        return given.refuse(true, &of_manifest, "on a folder whose manifest has the formats");
    }
    let has_paletted = inputs
        .iter()
        .map(|input| paletted(input))
        .collect::<Result<Vec<bool>>>()?;
    let has_paletted = has_paletted.contains(&true);
    match kind(output) {
        Some("pvp") => palette(inputs, options, has_paletted, given),
        Some("pvr" | "pvm" | "dt") => textures(inputs, options, has_paletted, given),
        _ => pictures(has_paletted, given),
    }
}

fn paletted(input: &Path) -> Result<bool> {
    match kind(input) {
        Some("pvr" | "pvm" | "dt" | "tex") => Ok(read_textures(input)?
            .iter()
            .any(|named| is_paletted(&named.texture))),
        _ => Ok(false),
    }
}

/// The output is a picture, or a folder of them.
fn pictures(has_paletted: bool, given: GivenOptions<'_>) -> Result<()> {
    let of_textures = [
        "format",
        "layout",
        "mipmaps",
        "resize",
        "dither",
        "global_index",
        "bank",
        "palette_format",
    ];
    given.refuse(true, &of_textures, "where the output is a picture")?;
    given.refuse(!has_paletted, &["palette"], "on textures without palettes")
}

/// The output is a palette.
fn palette(inputs: &[PathBuf], options: &Options, has_paletted: bool, given: GivenOptions<'_>) -> Result<()> {
    let of_textures = ["layout", "mipmaps", "resize", "dither", "global_index"];
    given.refuse(true, &of_textures, "where the output is a palette")?;
    let is_palette = inputs.iter().any(|input| kind(input) == Some("pvp"));
    let of_texels = !matches!(options.format, None | Some(Format::Pal4 | Format::Pal8));
    given.refuse(is_palette || of_texels, &["format"], "on a palette's size")?;
    given.refuse(!has_paletted, &["palette"], "on inputs without palettes")
}

/// The output is a texture or an archive.
fn textures(
    inputs: &[PathBuf],
    options: &Options,
    has_paletted: bool,
    given: GivenOptions<'_>,
) -> Result<()> {
    let has_images = inputs.iter().any(|input| kind(input) == Some("png"));
    let stay = !has_images && options.format.is_none() && options.layout.is_none();
    let of_encoding = ["mipmaps", "resize", "dither", "palette", "palette_format"];
    given.refuse(stay, &of_encoding, "on textures that stay as they are")?;
    let is_any = matches!(options.layout, Some(Layout::Rect | Layout::Stride));
    given.refuse(is_any, &["resize"], "on layouts that take any size")?;
    let fits = |input: &PathBuf| {
        Ok::<bool, anyhow::Error>(kind(input) != Some("png") || is_fitting(&read_image(input)?))
    };
    if options.resize.is_some() {
        let all = inputs.iter().map(fits).collect::<Result<Vec<bool>>>()?;
        given.refuse(!all.contains(&false), &["resize"], "on pictures whose size fits")?;
    }
    let is_plain = !matches!(options.format, Some(Format::Pal4 | Format::Pal8));
    given.refuse(
        is_plain && !has_paletted,
        &["palette"],
        "on textures without palettes",
    )?;
    let why = "where no palette is written";
    given.refuse(is_plain || options.palette.is_some(), &["palette_format"], why)?;
    let is_exact = matches!(options.format, Some(Format::Yuv422 | Format::Bump));
    given.refuse(is_exact, &["dither"], "on YUV and bump maps")
}
