//! `swirl convert` for textures: .png, .pvr, .pvp, .pvm.

use crate::{Outcome, assets, output};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use pvr::Image;
use pvr::container::{
    Leftover, Palette, PvmEntry, PvrDataFormat, PvrPixelFormat, PvrTexture, read_pvm, read_pvp, read_pvr,
    write_pvm, write_pvp, write_pvr,
};
use pvr::texture::{PaletteFormat, Rgba, dither, index_image, make_palette};
use std::path::{Path, PathBuf};

/// Options of textures.
#[derive(clap::Args)]
#[command(next_help_heading = "Textures")]
pub(crate) struct Options {
    /// Texel format.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// How texels are stored. Without it: twiddled where the size allows, else rect.
    #[arg(long, value_enum)]
    layout: Option<Layout>,
    /// With all levels down to 1x1 (squares only).
    #[arg(long)]
    mipmaps: bool,
    /// Diffuse the error of fewer colours.
    #[arg(long)]
    dither: bool,
    /// Global index, in the GBIX chunk.
    #[arg(long, value_name = "N")]
    global_index: Option<u32>,
    /// Palette bank (of 16 entries) of the texture or palette.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..64))]
    bank: Option<u16>,
    /// The palette of paletted textures. Without it one is made from the images and written beside the output.
    #[arg(long, value_name = "PVP")]
    palette: Option<PathBuf>,
    /// Format of palette entries.
    #[arg(long, value_enum, default_value_t = Entries::Argb8888)]
    palette_format: Entries,
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
    /// Row by row, of a width that is a multiple of 32.
    Stride,
    /// Vector quantized.
    Vq,
    /// Vector quantized with a codebook sized by the texture.
    SmallVq,
    /// Twiddled with mip levels, with the padding that the chip wants.
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

/// The kinds of files.
const KINDS: [&str; 4] = ["png", "pvr", "pvp", "pvm"];

fn kind(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_string_lossy().to_lowercase();
    KINDS.into_iter().find(|kind| *kind == extension)
}

/// Whether these are files of textures.
pub(crate) fn takes(inputs: &[PathBuf], output: &Path) -> bool {
    inputs.iter().all(|input| kind(input).is_some()) && (kind(output).is_some() || output.is_dir())
}

/// A texture with the name of its file or archive entry.
struct Named {
    name: String,
    texture: PvrTexture,
}

pub(crate) fn run(inputs: &[PathBuf], output: &Path, options: &Options) -> Result<Outcome> {
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    match kind(output) {
        Some("png") => to_png(&inputs, output, options)?,
        Some("pvp") => to_palette(&inputs, output, options)?,
        Some("pvr") => {
            let textures = textures(&inputs, output, options)?;
            let [one] = &textures[..] else {
                bail!(
                    "{}: {} textures, expected one in a .pvr",
                    output.display(),
                    textures.len()
                );
            };
            finish(
                output,
                &write_pvr(&one.texture).with_context(|| output.display().to_string())?,
            )?;
        }
        Some(_) => {
            let textures = textures(&inputs, output, options)?;
            let entries: Vec<PvmEntry> = textures
                .into_iter()
                .zip(0..)
                .map(|(named, id)| PvmEntry::new(named.name, id, named.texture))
                .collect();
            finish(
                output,
                &write_pvm(&entries).with_context(|| output.display().to_string())?,
            )?;
        }
        None => to_folder(&inputs, output, options)?,
    }
    Ok(Outcome::Done)
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

/// Textures to be written: those of files as they are, unless a format asks for another, and those of images.
fn textures(inputs: &[&Path], output: &Path, options: &Options) -> Result<Vec<Named>> {
    let mut all = Vec::new();
    let mut images = Vec::new();
    for input in inputs {
        match kind(input) {
            Some("png") => images.push((stem(input), read_image(input)?)),
            Some("pvp") => bail!(
                "{}: a palette among textures; --palette takes it",
                input.display()
            ),
            _ if options.format.is_some() || options.layout.is_some() => {
                let palette = palette_for(input, options)?;
                for named in read_textures(input)? {
                    images.push((named.name, decoded(input, &named.texture, palette.as_ref())?));
                }
            }
            _ => all.extend(read_textures(input)?),
        }
    }
    all.extend(encode(images, output, options)?);
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
    let bytes = assets::read(path)?;
    let name = || path.display().to_string();
    if kind(path) == Some("pvm") {
        let entries = read_pvm(&bytes).with_context(name)?;
        let named = entries.into_iter().map(|entry| Named {
            name: entry.name.unwrap_or_else(|| format!("{:03}", entry.id)),
            texture: entry.texture,
        });
        return Ok(named.collect());
    }
    Ok(vec![Named {
        name: stem(path),
        texture: read_pvr(&bytes).with_context(name)?,
    }])
}

fn read_image(path: &Path) -> Result<Rgba> {
    let image = output::read_png(path)?;
    let texels = image.rgba.as_chunks::<4>().0.iter();
    Ok(Rgba {
        width: image.width,
        height: image.height,
        texels: texels
            .map(|&[r, g, b, a]| u32::from_be_bytes([a, r, g, b]))
            .collect(),
    })
}

/// Encodes images as the options ask.
fn encode(images: Vec<(String, Rgba)>, output: &Path, options: &Options) -> Result<Vec<Named>> {
    if images.is_empty() {
        return Ok(Vec::new());
    }
    match options.format {
        Some(format @ (Format::Pal4 | Format::Pal8)) => {
            encode_paletted(images, format == Format::Pal4, output, options)
        }
        format => images
            .into_iter()
            .map(|(name, image)| {
                let texture = encode_colours(&image, format, options).with_context(|| name.clone())?;
                Ok(Named { name, texture })
            })
            .collect(),
    }
}

/// Without a format: 565 for opaque images, 1555 for those with holes, else 4444.
fn fitting(image: &Rgba) -> Format {
    let alphas = || image.texels.iter().map(|c| c >> 24);
    match (alphas().all(|a| a == 255), alphas().all(|a| a == 255 || a == 0)) {
        (true, _) => Format::Rgb565,
        (false, true) => Format::Argb1555,
        _ => Format::Argb4444,
    }
}

fn encode_colours(image: &Rgba, format: Option<Format>, options: &Options) -> Result<PvrTexture> {
    let pixel_format = match format.unwrap_or_else(|| fitting(image)) {
        Format::Argb1555 => PvrPixelFormat::Argb1555,
        Format::Rgb565 => PvrPixelFormat::Rgb565,
        Format::Argb4444 => PvrPixelFormat::Argb4444,
        Format::Yuv422 => PvrPixelFormat::Yuv422,
        _ => PvrPixelFormat::Bump,
    };
    let data_format = data_format(image, options)?;
    let prepared = match pixel_format.texel_format() {
        Some(format) if options.dither => dither(image, format),
        _ if pixel_format == PvrPixelFormat::Bump => bump_words(image),
        _ => image.clone(),
    };
    Ok(PvrTexture::from_image(&prepared, pixel_format, data_format)?)
}

fn data_format(image: &Rgba, options: &Options) -> Result<PvrDataFormat> {
    let power =
        image.width.is_power_of_two() && image.height.is_power_of_two() && image.width.min(image.height) >= 8;
    let layout = options
        .layout
        .unwrap_or(if power { Layout::Twiddled } else { Layout::Rect });
    let square = image.width == image.height;
    Ok(match (layout, options.mipmaps) {
        (Layout::Twiddled, true) => PvrDataFormat::TwiddledMipmaps,
        (Layout::Twiddled, false) if square => PvrDataFormat::Twiddled,
        (Layout::Twiddled, false) => PvrDataFormat::TwiddledRectangle,
        (Layout::Vq, true) => PvrDataFormat::VqMipmaps,
        (Layout::Vq, false) => PvrDataFormat::Vq,
        (Layout::SmallVq, true) => PvrDataFormat::SmallVqMipmaps,
        (Layout::SmallVq, false) => PvrDataFormat::SmallVq,
        (Layout::Dma, _) => PvrDataFormat::TwiddledMipmapsDma,
        (Layout::Rect, false) => PvrDataFormat::Rectangle,
        (Layout::Stride, false) => PvrDataFormat::Stride,
        (Layout::Rect | Layout::Stride, true) => {
            bail!("mip levels of a {layout:?} texture have no agreed layout")
        }
    })
}

/// A normal map (red right, green up, blue out of the surface) as elevation and rotation.
fn bump_words(image: &Rgba) -> Rgba {
    let word = |&c: &u32| {
        let axis = |shift: u32| (c >> shift & 0xFF) as f32 / 127.5 - 1.0;
        // Rows go downwards.
        let (x, y, z) = (axis(16), -axis(8), axis(0));
        let elevation = z.atan2(x.hypot(y)).max(0.0) / std::f32::consts::FRAC_PI_2;
        let rotation = (y.atan2(x) / std::f32::consts::TAU).rem_euclid(1.0);
        ((elevation * 255.0).round() as u32) << 8 | (rotation * 256.0).round() as u32 & 0xFF
    };
    Rgba {
        texels: image.texels.iter().map(word).collect(),
        ..*image
    }
}

/// One palette for all images, unless one is given.
fn encode_paletted(
    images: Vec<(String, Rgba)>,
    small: bool,
    output: &Path,
    options: &Options,
) -> Result<Vec<Named>> {
    if !matches!(options.layout, None | Some(Layout::Twiddled)) {
        bail!("paletted textures are twiddled");
    }
    let size = if small { 16 } else { 256 };
    let palette = match &options.palette {
        Some(path) => read_palette(path)?.colors(pvr::texture::LinearExpand::Replicate),
        None => {
            let all: Vec<&Rgba> = images.iter().map(|(_, image)| image).collect();
            let colours = make_palette(&all, size, options.palette_format.formats().1);
            let path = output.with_extension("pvp");
            finish(&path, &write_pvp(&palette_file(&colours, options))?)?;
            colours
        }
    };
    let data_format = match (small, options.mipmaps) {
        (true, false) => PvrDataFormat::Pal4,
        (true, true) => PvrDataFormat::Pal4Mipmaps,
        (false, false) => PvrDataFormat::Pal8,
        (false, true) => PvrDataFormat::Pal8Mipmaps,
    };
    let encode = |image: &Rgba| -> Result<PvrTexture> {
        let indexed = index_image(
            image,
            &palette[..palette.len().min(size)],
            small,
            options.dither,
            options.mipmaps,
        )?;
        Ok(PvrTexture {
            global_index: None,
            bank: None,
            pixel_format: options.palette_format.formats().0,
            data_format,
            width: image.width,
            height: image.height,
            data: indexed.encode()?,
            rest: Leftover::default(),
            warnings: Vec::new(),
        })
    };
    images
        .into_iter()
        .map(|(name, image)| {
            let texture = encode(&image).with_context(|| name.clone())?;
            Ok(Named { name, texture })
        })
        .collect()
}

fn palette_file(colours: &[u32], options: &Options) -> Palette {
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

fn read_palette(path: &Path) -> Result<Palette> {
    read_pvp(&assets::read(path)?).with_context(|| path.display().to_string())
}

/// The palette that was asked for, or one that lies beside a texture.
fn palette_for(texture: &Path, options: &Options) -> Result<Option<Palette>> {
    let beside = texture.with_extension("pvp");
    match &options.palette {
        Some(path) => read_palette(path).map(Some),
        None if beside.is_file() => read_palette(&beside).map(Some),
        None => Ok(None),
    }
}

fn decoded(path: &Path, texture: &PvrTexture, palette: Option<&Palette>) -> Result<Rgba> {
    for warning in &texture.warnings {
        eprintln!("{}: warning: {warning}", path.display());
    }
    let mut image: Rgba = texture
        .decode(palette)
        .with_context(|| format!("{} (--palette names one)", path.display()))?
        .into();
    if texture.pixel_format == PvrPixelFormat::Bump && texture.data_format.palette_index().is_none() {
        image.texels.iter_mut().for_each(|word| *word = normal(*word));
    }
    Ok(image)
}

/// Elevation and rotation as the colour of a normal map: the inverse of [`bump_words`].
fn normal(word: u32) -> u32 {
    let elevation = (word >> 8 & 0xFF) as f32 / 255.0 * std::f32::consts::FRAC_PI_2;
    let rotation = (word & 0xFF) as f32 / 256.0 * std::f32::consts::TAU;
    let byte = |axis: f32| ((axis + 1.0) * 127.5).round() as u32;
    let (x, y, z) = (
        elevation.cos() * rotation.cos(),
        elevation.cos() * rotation.sin(),
        elevation.sin(),
    );
    0xFF00_0000 | byte(x) << 16 | byte(-y) << 8 | byte(z)
}

fn to_png(inputs: &[&Path], output: &Path, options: &Options) -> Result<()> {
    let [input] = inputs else {
        bail!(
            "{}: {} inputs, expected one for a .png",
            output.display(),
            inputs.len()
        );
    };
    let image = match kind(input) {
        Some("png") => bail!("{}: already a .png", input.display()),
        Some("pvp") => palette_picture(&read_palette(input)?),
        _ => {
            let textures = read_textures(input)?;
            let [one] = &textures[..] else {
                bail!(
                    "{}: {} textures; give a folder as the output",
                    input.display(),
                    textures.len()
                );
            };
            decoded(input, &one.texture, palette_for(input, options)?.as_ref())?
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

/// Sixteen entries a row.
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

/// Every texture of the inputs as a .png.
fn to_folder(inputs: &[&Path], folder: &Path, options: &Options) -> Result<()> {
    for input in inputs {
        let palette = palette_for(input, options)?;
        for named in read_textures(input)? {
            // An archive's names must not lead out of the folder.
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
            write_picture(
                &folder.join(format!("{}.png", name.trim_start_matches('.'))),
                &image,
            )?;
        }
    }
    Ok(())
}

/// A palette that serves all images, or a palette with another format or bank.
fn to_palette(inputs: &[&Path], output: &Path, options: &Options) -> Result<()> {
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
            Some("pvp") => colours = Some(read_palette(input)?.colors(pvr::texture::LinearExpand::Replicate)),
            _ => {
                let palette = palette_for(input, options)?;
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
    finish(output, &write_pvp(&palette_file(&colours, options))?)
}
