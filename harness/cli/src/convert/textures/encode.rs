//! Encodes images into textures.

use super::{Format, Layout, Named, Options, bump, finish, palette};
use anyhow::{Context, Result, bail};
use pvr::container::{Leftover, PvrDataFormat, PvrPixelFormat, PvrTexture, write_pvp};
use pvr::texture::{Rgba, dither, index_image, make_palette};
use std::borrow::Cow;
use std::path::Path;

/// Encodes images by the options.
pub(super) fn encode(images: Vec<(String, Rgba)>, output: &Path, options: &Options) -> Result<Vec<Named>> {
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

/// Returns the default format: 565 for opaque images, 1555 if every alpha is 0 or 255, else 4444.
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
    let prepared = prepared(image, pixel_format, options);
    Ok(PvrTexture::from_image(&prepared, pixel_format, data_format)?)
}

/// Prepares the colours for the encoder: dithers if requested, or converts to the words of bump maps.
pub(super) fn prepared<'a>(
    image: &'a Rgba,
    pixel_format: PvrPixelFormat,
    options: &Options,
) -> Cow<'a, Rgba> {
    match pixel_format.texel_format() {
        Some(format) if options.dither => Cow::Owned(dither(image, format)),
        _ if pixel_format == PvrPixelFormat::Bump => Cow::Owned(bump::bump_words(image)),
        _ => Cow::Borrowed(image),
    }
}

fn data_format(image: &Rgba, options: &Options) -> Result<PvrDataFormat> {
    let layout = options.layout.unwrap_or(Layout::Twiddled);
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

/// Encodes with one palette for all images, unless one is given.
fn encode_paletted(
    images: Vec<(String, Rgba)>,
    small: bool,
    output: &Path,
    options: &Options,
) -> Result<Vec<Named>> {
    if !matches!(options.layout, None | Some(Layout::Twiddled)) {
        bail!("paletted textures are always twiddled");
    }
    let size = if small { 16 } else { 256 };
    let palette = match &options.palette {
        Some(path) => palette::read(path)?.colors(pvr::texture::LinearExpand::Replicate),
        None => {
            let all: Vec<&Rgba> = images.iter().map(|(_, image)| image).collect();
            let colours = make_palette(&all, size, options.palette_format.formats().1);
            let path = output.with_extension("pvp");
            finish(&path, &write_pvp(&palette::file(&colours, options))?)?;
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
