//! `.dt` and `.tex`: textures of the KallistiOS tools `pvrtex` and `texconv`.
//!
//! ```text
//! .dt   0 "DcTx"  4 size u32 (of the file, a multiple of 32)  8 version u8, 0
//!       9 header size u8 (32-byte units, less 1)
//!       10 codes u8 (less 1)  11 colours u8 (less 1)  12 width u16  14 height u16  16 type u32  20 padding
//! .tex  0 "DTEX"  4 width u16 (a power of two)  6 height u16  8 type u32  12 size u32 (of the texture)
//! type  31 mip levels  30 VQ  29-27 pixel format  26 not twiddled  25 stride  11 partial (.dt)
//!       10-6 width / 32 (.dt; bits 4-0 in .tex)  5-3 width, 2-0 height, each 8 << n (.dt)
//! ```
//! Source: the header of `pvrtex` in KallistiOS, which describes the format. A `.dt` codebook of fewer than
//! 256 codes contains the last codes.

use super::cursor::{Cursor, Id};
use super::error::ContainerError;
use super::format::{PvrDataFormat, PvrPixelFormat};
use super::pvr::{Leftover, PvrTexture, checked_layout};
use crate::texture::{CODEBOOK_BYTES, PixelFormat, TextureSettings};

/// First bytes of a `.dt` file.
pub const DCTX: [u8; 4] = *b"DcTx";
/// First bytes of a `.tex` file.
pub const DTEX: [u8; 4] = *b"DTEX";

const MIPMAPS: u32 = 1 << 31;
const VQ: u32 = 1 << 30;
const FORMAT: u32 = 27;
const LINEAR: u32 = 1 << 26;
const STRIDE: u32 = 1 << 25;
const PARTIAL: u32 = 1 << 11;
const HEADER: usize = 32;
const CODE_BYTES: usize = 8;

/// Bytes by which the texture may be shorter than its layout in memory, since writers round sizes of mip
/// levels down.
const ROUNDED: usize = 8;

/// Reads a `.dt` or `.tex` file.
///
/// # Errors
/// [`ContainerError`] with offset, found value and expected value.
pub fn read_kos(bytes: &[u8]) -> Result<PvrTexture, ContainerError> {
    let mut cursor = Cursor::at(bytes, 0);
    let id: Id = cursor.id("texture")?;
    if id == DTEX {
        let (width, height) = (cursor.u16("texture width")?, cursor.u16("texture height")?);
        let kind = cursor.u32("texture type")?;
        let size = cursor.u32("texture size")? as usize;
        let data = cursor.take(size, "texture data")?;
        let width = match kind & STRIDE {
            0 => u32::from(width),
            _ => (kind & 31) * 32,
        };
        return texture(kind, (8, 4), [width, height.into()], CODEBOOK_BYTES, data);
    }
    if id != DCTX {
        return Err(ContainerError::id("texture", 0, id, &DCTX));
    }
    let size = cursor.u32("file size")? as usize;
    let version = cursor.u8("version")?;
    if version != 0 {
        return Err(ContainerError::Unsupported {
            offset: 8,
            what: "version",
            found: version.into(),
            expected: "0",
        });
    }
    let header = (usize::from(cursor.u8("header size")?) + 1) * HEADER;
    let codes = usize::from(cursor.u8("number of codes")?) + 1;
    cursor.u8("number of colours")?;
    let (width, height) = (cursor.u16("texture width")?, cursor.u16("texture height")?);
    let kind = cursor.u32("texture type")?;
    let truncated = ContainerError::Truncated {
        what: "file",
        offset: 0,
        expected: size.max(header),
        found: bytes.len(),
    };
    let data = bytes.get(header..size).ok_or(truncated)?;
    texture(
        kind,
        (16, 12),
        [width.into(), height.into()],
        codes * CODE_BYTES,
        data,
    )
}

/// Creates a texture from its type, size and bytes. Error messages give the file offsets `kind_at` of the
/// type and `size_at` of the size.
fn texture(
    kind: u32,
    (kind_at, size_at): (usize, usize),
    [width, height]: [u32; 2],
    codebook: usize,
    data: &[u8],
) -> Result<PvrTexture, ContainerError> {
    let number = (kind >> FORMAT & 7) as u8;
    let has = |bit: u32| kind & bit != 0;
    let is_paletted = matches!(number, 5 | 6);
    let unsupported = |what, expected| ContainerError::Unsupported {
        offset: kind_at,
        what,
        found: kind.into(),
        expected,
    };
    let data_format = match (number, has(VQ), has(MIPMAPS)) {
        (7, ..) => return Err(unsupported("pixel format 7 in type", "0 to 6")),
        (5 | 6, true, _) => return Err(unsupported("palette and VQ in type", "one of them")),
        (5, _, false) => PvrDataFormat::Pal4,
        (5, _, true) => PvrDataFormat::Pal4Mipmaps,
        (6, _, false) => PvrDataFormat::Pal8,
        (6, _, true) => PvrDataFormat::Pal8Mipmaps,
        (_, vq, mipmaps) if has(LINEAR) => match (vq || mipmaps, width.is_power_of_two()) {
            (true, _) => {
                return Err(unsupported(
                    "VQ or mip levels of a linear texture in type",
                    "neither",
                ));
            }
            (_, true) => PvrDataFormat::Rectangle,
            (_, false) => PvrDataFormat::Stride,
        },
        (_, true, false) => PvrDataFormat::Vq,
        (_, true, true) => PvrDataFormat::VqMipmaps,
        (_, false, true) => PvrDataFormat::TwiddledMipmapsDma,
        _ if width == height => PvrDataFormat::Twiddled,
        _ => PvrDataFormat::TwiddledRectangle,
    };
    let pixel_format = match is_paletted {
        true => PvrPixelFormat::Argb8888,
        false => PvrPixelFormat::from_code(number),
    };
    let layout = checked_layout(size_at, pixel_format, data_format, width, height)?;
    let needed = layout.byte_len(&TextureSettings::default());
    let mut memory = Vec::with_capacity(needed);
    if data_format.is_vq() {
        memory.resize(CODEBOOK_BYTES.saturating_sub(codebook), 0);
    }
    let found = memory.len() + data.len();
    if found + ROUNDED < needed {
        return Err(ContainerError::Truncated {
            what: "texture data",
            offset: size_at,
            expected: needed - memory.len(),
            found: data.len(),
        });
    }
    memory.extend(&data[..data.len().min(needed - memory.len())]);
    memory.resize(needed, 0);
    Ok(PvrTexture {
        global_index: None,
        bank: None,
        pixel_format,
        data_format,
        width,
        height,
        data: memory,
        rest: Leftover::default(),
        warnings: Vec::new(),
    })
}

/// Writes a `.dt` file. The format has no global index and bank; codebooks have 256 codes.
///
/// # Errors
/// Fails for a size or format that the data format does not support.
pub fn write_dt(texture: &PvrTexture) -> Result<Vec<u8>, ContainerError> {
    texture.layout()?;
    let format = texture.data_format;
    let number = match (format.palette_index(), texture.pixel_format.code()) {
        (Some(PixelFormat::Pal4), _) => 5,
        (Some(_), _) => 6,
        (None, code) => u32::from(code),
    };
    let set = |bit: u32, on: bool| if on { bit } else { 0 };
    let kind = number << FORMAT
        | set(MIPMAPS, format.has_mipmaps())
        | set(VQ, format.is_vq())
        | set(LINEAR, format.is_linear())
        | set(STRIDE, texture.stride().is_some())
        | set(PARTIAL, !texture.height.is_power_of_two())
        | ((texture.width / 32) & 31) << 6
        | texture.tsp_size_bits();
    let size = (HEADER + texture.data.len()).next_multiple_of(HEADER);
    let colours = match format.palette_index() {
        Some(PixelFormat::Pal4) => 15,
        Some(_) => 255,
        None => 0,
    };
    let mut out = DCTX.to_vec();
    out.extend((size as u32).to_le_bytes());
    out.extend([0, 0, if format.is_vq() { 255 } else { 0 }, colours]);
    out.extend((texture.width as u16).to_le_bytes());
    out.extend((texture.height as u16).to_le_bytes());
    out.extend(kind.to_le_bytes());
    out.resize(HEADER, 0);
    out.extend(&texture.data);
    out.resize(size, 0);
    Ok(out)
}
