//! Reads picture files: PNG, BMP, JPEG, DDS and TGA.

use crate::limits::PICTURE_BYTES as MOST_BYTES;
use crate::limits::PICTURE_PIXELS as MOST_PIXELS;
use crate::limits::{BYTE_PIXELS, FREE_PIXELS};
use image::{ColorType, DynamicImage, GenericImageView, ImageDecoder, ImageFormat, ImageReader, Limits};
use pvr::texture::Rgba;
use std::io::Cursor;

/// Extensions of texture files searched for next to a scene.
pub(super) const EXTENSIONS: [&str; 7] = ["png", "pvr", "tga", "bmp", "jpg", "jpeg", "dds"];

/// Reads a picture file: PNG, BMP, JPEG, DDS or TGA. The first bytes determine the format. TGA has no
/// signature, so it is tried if `path` ends with `.tga`.
///
/// # Errors
/// Returns a message for other formats, damaged files, and pictures with more pixels than in
/// [`LIMITS`](crate::LIMITS).
pub fn read(bytes: &[u8], path: &str) -> Result<Rgba, String> {
    let most = FREE_PIXELS + BYTE_PIXELS * bytes.len();
    read_within(bytes, path, most.min(MOST_PIXELS))
}

/// Reads a picture file with at most `most_pixels` pixels, like [`read`].
///
/// # Errors
/// Returns a message with the found and the expected content.
pub fn read_within(bytes: &[u8], path: &str, most_pixels: usize) -> Result<Rgba, String> {
    let format = format(bytes, path)?;
    let (width, height) = dimensions(bytes, format)?;
    checked(width, height, most_pixels)?;
    if format == ImageFormat::Png {
        return png(bytes);
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    rgba(reader.into_decoder().map_err(shown)?).map_err(shown)
}

/// Returns the width and the height of a picture file in pixels, from its header.
///
/// # Errors
/// Returns a message for other formats, and for damaged headers.
pub fn size(bytes: &[u8], path: &str) -> Result<(u32, u32), String> {
    dimensions(bytes, format(bytes, path)?)
}

/// Returns the format of a picture file.
fn format(bytes: &[u8], path: &str) -> Result<ImageFormat, String> {
    Ok(match bytes {
        [0x89, b'P', b'N', b'G', ..] => ImageFormat::Png,
        [b'B', b'M', ..] => ImageFormat::Bmp,
        [0xff, 0xd8, 0xff, ..] => ImageFormat::Jpeg,
        [b'D', b'D', b'S', b' ', ..] => ImageFormat::Dds,
        [b'8', b'B', b'P', b'S', ..] => {
            return Err(
                "begins as a Photoshop file, expected a PNG, BMP, JPEG, DDS or TGA file: save it as such"
                    .to_owned(),
            );
        }
        _ if path.to_lowercase().ends_with(".tga") => ImageFormat::Tga,
        _ => {
            let start: Vec<u8> = bytes.iter().take(4).copied().collect();
            return Err(format!(
                "begins with {start:02x?}, expected a PNG, BMP, JPEG, DDS, TGA or .pvr file"
            ));
        }
    })
}

fn dimensions(bytes: &[u8], format: ImageFormat) -> Result<(u32, u32), String> {
    if format == ImageFormat::Png {
        let reader = png::Decoder::new(Cursor::new(bytes)).read_info();
        return Ok(reader.map_err(|e| e.to_string())?.info().size());
    }
    let reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.into_dimensions().map_err(shown)
}

/// Returns the text of an error, without the line break with which some end.
fn shown(error: image::ImageError) -> String {
    error.to_string().trim_end().to_owned()
}

/// Decodes a picture. Pixels with 8 bits for each channel become texels in place, because a copy could take
/// 256 MiB.
fn rgba(decoder: impl ImageDecoder) -> image::ImageResult<Rgba> {
    let (width, height) = decoder.dimensions();
    let count = width as usize * height as usize;
    // Converts the bytes of a pixel to a texel.
    let texel: fn(&[u8]) -> u32 = match decoder.color_type() {
        ColorType::L8 => |p| u32::from_be_bytes([255, p[0], p[0], p[0]]),
        ColorType::La8 => |p| u32::from_be_bytes([p[1], p[0], p[0], p[0]]),
        ColorType::Rgb8 => |p| u32::from_be_bytes([255, p[0], p[1], p[2]]),
        ColorType::Rgba8 => |p| u32::from_be_bytes([p[3], p[0], p[1], p[2]]),
        _ => {
            let image = DynamicImage::from_decoder(decoder)?;
            let texel = |(_, _, image::Rgba([r, g, b, a]))| u32::from_be_bytes([a, r, g, b]);
            return Ok(Rgba {
                width,
                height,
                texels: image.pixels().map(texel).collect(),
            });
        }
    };
    let channels = usize::from(decoder.color_type().bytes_per_pixel());
    let mut texels = vec![0_u32; count];
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut texels);
    // The pixels are at the end of the memory: a texel never overwrites a pixel that is not yet converted.
    let start = (4 - channels) * count;
    decoder.read_image(&mut bytes[start..])?;
    for k in 0..count {
        let pixel = texel(&bytes[start + channels * k..][..channels]);
        bytes[4 * k..][..4].copy_from_slice(&pixel.to_ne_bytes());
    }
    Ok(Rgba {
        width,
        height,
        texels,
    })
}

/// Rejects pictures without pixels, or with too many.
fn checked(width: u32, height: u32, most: usize) -> Result<(), String> {
    let pixels = width as usize * height as usize;
    if pixels == 0 || pixels > most {
        return Err(format!("{width}x{height} pixels, expected 1 to {most}"));
    }
    Ok(())
}

fn png(bytes: &[u8]) -> Result<Rgba, String> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(|e| e.to_string())?;
    let (width, height) = reader.info().size();
    let append = match reader.output_color_type().0 {
        png::ColorType::Rgba => append_colours,
        png::ColorType::GrayscaleAlpha => append_greys,
        other => return Err(format!("colour type {other:?}, expected colours or greys")),
    };
    let mut texels = Vec::new();
    if reader.info().interlaced {
        let mut pixels = vec![0; reader.output_buffer_size().ok_or("too large")?];
        reader.next_frame(&mut pixels).map_err(|e| e.to_string())?;
        append(&mut texels, &pixels);
    } else {
        // Converts row by row, because the largest picture has 256 MiB of texels.
        texels.reserve_exact(width as usize * height as usize);
        while let Some(row) = reader.next_row().map_err(|e| e.to_string())? {
            append(&mut texels, row.data());
        }
    }
    if texels.len() != width as usize * height as usize {
        return Err(format!("{} pixels, expected {width}x{height}", texels.len()));
    }
    Ok(Rgba {
        width,
        height,
        texels,
    })
}

fn append_colours(texels: &mut Vec<u32>, pixels: &[u8]) {
    let (pixels, _) = pixels.as_chunks();
    texels.extend(
        pixels
            .iter()
            .map(|&[r, g, b, a]| u32::from_be_bytes([a, r, g, b])),
    );
}

fn append_greys(texels: &mut Vec<u32>, pixels: &[u8]) {
    let (pixels, _) = pixels.as_chunks();
    texels.extend(pixels.iter().map(|&[g, a]| u32::from_be_bytes([a, g, g, g])));
}
