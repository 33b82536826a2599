//! `swirl convert` for textures: pictures (.png, .tga, .bmp, .jpg, .dds), .pvr, .pvp, .pvm.

mod archive;
mod bump;
mod decode;
pub(crate) mod effects;
mod encode;
mod manifest;
mod palette;
mod resize;
mod shared_palette;

use crate::exit::ExitStatus;
use crate::{input, output};
use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use pvr::container::{
    DCTX, DTEX, PvmEntry, PvrPixelFormat, PvrTexture, read_kos, read_pvm, read_pvr, write_dt, write_pvm,
    write_pvr,
};
use pvr::texture::{PaletteFormat, Rgba};
use std::path::{Path, PathBuf};

/// Options of textures.
#[derive(clap::Args)]
#[command(next_help_heading = "Textures")]
#[group(id = "textures")]
pub(crate) struct Options {
    /// Pixel format of textures.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Layout of texels; twiddled by default.
    #[arg(long, value_enum)]
    layout: Option<Layout>,
    /// Add all mip levels down to 1x1 (square textures only).
    #[arg(long)]
    pub(crate) mipmaps: bool,
    /// Resize pictures to sides that are powers of two from 8 to 1024. Without this option, other sides are
    /// an error.
    #[arg(long, value_enum)]
    resize: Option<resize::Resize>,
    /// Dither when reducing colours.
    #[arg(long)]
    dither: bool,
    /// Global index in the GBIX chunk.
    #[arg(long, value_name = "N")]
    global_index: Option<u32>,
    /// Palette bank (of 16 entries) of the texture or palette.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..64))]
    bank: Option<u16>,
    /// Palette of paletted textures. By default one is made from the images, and written next to the output.
    #[arg(long, value_name = "PVP")]
    palette: Option<PathBuf>,
    /// Format of palette entries.
    #[arg(long, value_enum, default_value_t = Entries::Argb8888)]
    palette_format: Entries,
    /// Replace a texture in an archive by a picture or a .pvr file.
    ///
    /// It keeps its position, number, global index, format, layout and mip levels. May be given several
    /// times.
    #[arg(long, value_name = "NAME=FILE", value_parser = archive::change)]
    replace: Vec<archive::Change>,
    /// Append a texture to an archive. May be given several times.
    #[arg(long, value_name = "[NAME=]FILE", value_parser = archive::change)]
    add: Vec<archive::Change>,
    /// Remove a texture from an archive. May be given several times.
    #[arg(long, value_name = "NAME")]
    remove: Vec<String>,
    /// Print the textures of archives, without writing a file.
    #[arg(long)]
    pub(crate) list: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    #[value(name = "1555")]
    Argb1555,
    #[value(name = "565")]
    Rgb565,
    #[value(name = "4444")]
    Argb4444,
    Yuv422,
    Bump,
    Pal4,
    Pal8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Layout {
    Twiddled,
    /// Row by row.
    Rect,
    /// Row by row, with a width that is a multiple of 32.
    Stride,
    /// Vector quantized.
    Vq,
    /// Vector quantized, with a smaller codebook for a small texture.
    SmallVq,
    /// Twiddled with mip levels, with the padding for DMA that the chip needs.
    Dma,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Entries {
    #[value(name = "1555")]
    Argb1555,
    #[value(name = "565")]
    Rgb565,
    #[value(name = "4444")]
    Argb4444,
    #[value(name = "8888")]
    Argb8888,
}

impl Entries {
    fn formats(self) -> (PvrPixelFormat, PaletteFormat) {
        match self {
            Self::Argb1555 => (PvrPixelFormat::Argb1555, PaletteFormat::Argb1555),
            Self::Rgb565 => (PvrPixelFormat::Rgb565, PaletteFormat::Rgb565),
            Self::Argb4444 => (PvrPixelFormat::Argb4444, PaletteFormat::Argb4444),
            Self::Argb8888 => (PvrPixelFormat::Argb8888, PaletteFormat::Argb8888),
        }
    }
}

/// Kinds of files by extension. Pictures of all formats have the kind `png`, their output format.
const KINDS: [(&str, &str); 12] = [
    ("png", "png"),
    ("tga", "png"),
    ("bmp", "png"),
    ("jpg", "png"),
    ("jpeg", "png"),
    ("dds", "png"),
    // The reader rejects the content, and states the reason.
    ("psd", "png"),
    ("pvr", "pvr"),
    ("pvp", "pvp"),
    ("pvm", "pvm"),
    ("dt", "dt"),
    // An input only.
    ("tex", "tex"),
];

/// Returns the kind of a texture file by its extension.
pub(crate) fn kind(path: &Path) -> Option<&'static str> {
    let known = KINDS
        .iter()
        .find(|(extension, _)| player::has_extension(path, extension));
    known.map(|(_, kind)| *kind)
}

/// Returns whether a file is a picture, such as a PNG file, rather than a texture of the console.
pub(crate) fn is_picture(path: &Path) -> bool {
    kind(path) == Some("png")
}

/// Returns whether all paths are texture files.
pub(crate) fn takes(inputs: &[PathBuf], output: &Path) -> bool {
    let is_texture = |input: &PathBuf| kind(input).is_some() || is_folder_of_archive(input, output);
    inputs.iter().all(is_texture) && (kind(output).is_some() || is_folder(output))
}

/// Returns whether the input is a folder of pictures to be packed into an archive.
pub(crate) fn is_folder_of_archive(input: &Path, output: &Path) -> bool {
    kind(output) == Some("pvm") && manifest::is_in(input)
}

/// Returns whether a path is a folder. A path without extension counts as one, because all output files have
/// an extension.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.extension().is_none() || path.to_string_lossy().ends_with(std::path::is_separator)
}

/// A texture with the name of its file or archive entry.
struct Named {
    name: String,
    texture: PvrTexture,
}

pub(crate) fn run(inputs: &[PathBuf], output: &Path, options: &Options) -> Result<ExitStatus> {
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    if options.changes_entries() {
        archive::edit(&inputs, output, options)?;
        return Ok(ExitStatus::Done);
    }
    match kind(output) {
        Some("png") if !player::has_extension(output, "png") => {
            bail!(
                "{}: found another picture format, expected .png: pictures are written only as .png",
                output.display()
            )
        }
        Some("png") => decode::to_png(&inputs, output, options)?,
        Some("pvp") => shared_palette::to_palette(&inputs, output, options)?,
        Some("tex") => bail!("{}: .tex files are only read: write a .dt file", output.display()),
        Some(single @ ("pvr" | "dt")) => {
            let textures = textures(&inputs, output, options)?;
            let [one] = &textures[..] else {
                bail!(
                    "{}: {} textures, expected one in a .{single}",
                    output.display(),
                    textures.len()
                );
            };
            let bytes = match single {
                "dt" => write_dt(&one.texture),
                _ => write_pvr(&one.texture),
            };
            finish(output, &bytes.with_context(|| output.display().to_string())?)?;
        }
        Some(_) => {
            let textures = textures(&inputs, output, options)?;
            let entries: Vec<PvmEntry> = textures
                .into_iter()
                .zip(0..)
                .map(|(named, id)| PvmEntry::new(named.name, id, named.texture))
                .collect();
            if inputs.len() > 1 {
                archive::check_names(&entries, output)?;
            }
            finish(
                output,
                &write_pvm(&entries).with_context(|| output.display().to_string())?,
            )?;
        }
        None => decode::to_folder(&inputs, output, options)?,
    }
    Ok(ExitStatus::Done)
}

/// Prints the textures of archives.
pub(crate) fn list(inputs: &[PathBuf]) -> Result<ExitStatus> {
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    archive::list(&inputs)?;
    Ok(ExitStatus::Done)
}

fn finish(path: &Path, bytes: &[u8]) -> Result<()> {
    output::write(path, bytes)?;
    println!("{}: {} bytes", path.display(), bytes.len());
    Ok(())
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Reads the textures to write. Texture files stay unchanged unless a format is requested; images are
/// encoded.
fn textures(inputs: &[&Path], output: &Path, options: &Options) -> Result<Vec<Named>> {
    let mut all = Vec::new();
    let mut images = Vec::new();
    for input in inputs {
        match kind(input) {
            None => all.extend(manifest::read(input, options)?),
            Some("png") => {
                images.push((stem(input), read_fitting(input, options)?));
            }
            Some("pvp") => bail!(
                "{}: found a palette among textures: name it with --palette",
                input.display()
            ),
            _ if options.format.is_some() || options.layout.is_some() => {
                let palette = palette::find(input, options)?;
                for named in read_textures(input)? {
                    images.push((
                        named.name,
                        decode::decoded(input, &named.texture, palette.as_ref())?,
                    ));
                }
            }
            _ => all.extend(read_textures(input)?),
        }
    }
    all.extend(encode::encode(images, output, options)?);
    for (named, n) in all.iter_mut().zip(0..) {
        if let Some(first) = options.global_index {
            named.texture.global_index = Some(first + n);
        }
        if let Some(bank) = options.bank {
            named.texture.bank = Some(bank.into());
            named.texture.global_index = named.texture.global_index.or(Some(0));
        }
    }
    Ok(all)
}

fn read_textures(path: &Path) -> Result<Vec<Named>> {
    let bytes = input::read(path)?;
    let name = || path.display().to_string();
    if kind(path) == Some("pvm") {
        let entries = read_pvm(&bytes).with_context(name)?;
        let named = entries.into_iter().map(|entry| Named {
            name: entry.name.unwrap_or_else(|| format!("{:03}", entry.id)),
            texture: entry.texture,
        });
        return Ok(named.collect());
    }
    let texture = match bytes.first_chunk::<4>() {
        Some(&(DCTX | DTEX)) => read_kos(&bytes),
        _ => read_pvr(&bytes),
    };
    Ok(vec![Named {
        name: stem(path),
        texture: texture.with_context(name)?,
    }])
}

/// Reads a picture of any format.
pub(crate) fn read_image(path: &Path) -> Result<Rgba> {
    decoded_image(path, &input::read(path)?)
}

/// Reads a picture and resizes it to fit the layout. Rejects a size that does not fit before decoding.
fn read_fitting(path: &Path, options: &Options) -> Result<Rgba> {
    let bytes = input::read(path)?;
    let name = path.display().to_string();
    let size = convert::picture_size(&bytes, &name).map_err(|cause| anyhow!("{name}: {cause}"))?;
    resize::fitting_size(path, size, options)?;
    resize::fitting(path, decoded_image(path, &bytes)?, options)
}

fn decoded_image(path: &Path, bytes: &[u8]) -> Result<Rgba> {
    let name = path.display().to_string();
    convert::read_picture(bytes, &name).map_err(|cause| anyhow!("{name}: {cause}"))
}
