//! Warns of options without effect on the converted textures.

use super::{Format, Layout, Options, kind, read_textures};
use crate::effects::GivenOptions;
use player::is_paletted;
use std::path::{Path, PathBuf};

/// Warns of options without effect.
pub(crate) fn warn(inputs: &[PathBuf], output: &Path, options: &Options, given: GivenOptions<'_>) {
    // A changed entry keeps its formats; these options apply to added pictures.
    let of_formats = ["format", "layout", "mipmaps", "palette_format"];
    if options.changes_entries() {
        let of_new = [&of_formats[..], &["bank", "global_index"]].concat();
        given.warn(
            options.add.is_empty(),
            &of_new,
            "on textures that keep their formats",
        );
        return;
    }
    if inputs.iter().any(|input| kind(input).is_none()) {
        given.warn(true, &of_formats, "on a folder whose manifest has the formats");
        return;
    }
    let of_texels = ["layout", "mipmaps", "resize", "dither", "global_index"];
    match kind(output) {
        Some("pvr" | "pvm" | "dt") => {
            let has_images = inputs.iter().any(|input| kind(input) == Some("png"));
            let stay = !has_images && options.format.is_none() && options.layout.is_none();
            let of_encoding = ["mipmaps", "resize", "dither", "palette_format"];
            given.warn(stay, &of_encoding, "on textures that are not converted");
            let is_any = matches!(options.layout, Some(Layout::Rect | Layout::Stride));
            given.warn(is_any, &["resize"], "on layouts that take any size");
            let is_exact = matches!(options.format, Some(Format::Yuv422 | Format::Bump));
            given.warn(is_exact, &["dither"], "on YUV and bump maps");
            let has_indices = matches!(options.format, Some(Format::Pal4 | Format::Pal8));
            let why = "if no palette is written";
            given.warn(
                !stay && (!has_indices || options.palette.is_some()),
                &["palette_format"],
                why,
            );
        }
        Some("pvp") => given.warn(true, &of_texels, "if the output is a palette"),
        _ => {
            let of_textures = [&of_texels[..], &["format", "bank", "palette_format"]].concat();
            given.warn(true, &of_textures, "if the output is a picture");
        }
    }
    let has_indices = matches!(options.format, Some(Format::Pal4 | Format::Pal8));
    let needs_palette = has_indices || inputs.iter().any(|input| has_palette(input));
    given.warn(!needs_palette, &["palette"], "on textures without palettes");
}

/// Returns whether a texture of the input has a palette. The conversion itself reports unreadable files.
fn has_palette(input: &Path) -> bool {
    let is_texture = matches!(kind(input), Some("pvr" | "pvm" | "dt" | "tex"));
    is_texture && read_textures(input).is_ok_and(|all| all.iter().any(|named| is_paletted(&named.texture)))
}
