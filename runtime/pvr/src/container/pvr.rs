//! `.pvr`: one texture, as an optional GBIX chunk and a PVRT chunk.
//!
//! ```text
//! GBIX  0 "GBIX"  4 size u32, usually 8   8 global index u32
//!       12 palette bank u32 (advisory; some writers fill with spaces)
//! PVRT  0 "PVRT"  4 size u32 (bytes after this field)   8 pixel format u8   9 data format u8   10 zero u16
//!       12 width u16   14 height u16   16 texture, padding
//! ```
//! Little-endian. Sources: Ninja's texture lists (docs/formats/ninja.md 1.4), real files, `pypvr`.

use super::cursor::{Cursor, Id, find_id, id_at, push_chunk};
use super::error::{ContainerError, ContainerWarning};
use super::format::{FileLayout, PvrDataFormat, PvrPixelFormat, small_codebook_codes};
use super::gbix::{GBIX, Gbix, GbixForm};
use super::palette::Palette;
use crate::param::TextureWord;
use crate::texture::{
    Encoding, LinearExpand, Order, PixelFormat, Rgba, Texture, TextureLayout, TextureSettings, decode_bytes,
    encode_with_codes,
};

pub(crate) const PVRT: Id = *b"PVRT";

/// Size in bytes of the PVRT header before the texture.
pub(crate) const PVRT_HEADER: usize = 16;

/// A texture from a `.pvr` file or an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PvrTexture {
    /// Number by which programs share textures; from GBIX, or from an archive's table.
    pub global_index: Option<u32>,
    /// Second word of GBIX: the palette bank for which the texture was made, in banks of 16 entries. Kept as
    /// found; [`PvrTexture::palette_bank`] checks it.
    pub bank: Option<u32>,
    /// Colour format.
    pub pixel_format: PvrPixelFormat,
    /// Storage format.
    pub data_format: PvrDataFormat,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Texture in the layout of the 64-bit area. The reader inserts zeros for the unused texels that a file
    /// of type 2 omits, and extends the codebook of a small VQ file to 2048 bytes with zeros.
    pub data: Vec<u8>,
    /// Rest of the file, so that it can be rewritten byte for byte.
    pub rest: Leftover,
    /// Warnings from reading.
    pub warnings: Vec<ContainerWarning>,
}

/// Bytes of a file without meaning for the chip.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leftover {
    /// Bytes of GBIX after the bank.
    pub gbix: Vec<u8>,
    /// Form of GBIX.
    pub gbix_form: GbixForm,
    /// The 16 bits at offset 10 of PVRT; zero in all known files.
    pub reserved: u16,
    /// Bytes of PVRT after the texture, usually zeros up to the next 32-byte boundary.
    pub padding: Vec<u8>,
}

/// Reads a `.pvr` file.
///
/// Skips chunks before PVRT other than GBIX. Also skips up to 64 bytes of padding after GBIX, with a warning.
/// A PVRT size field beyond the end of the file gives a warning if the texture is complete: some writers
/// count the header twice. The reader allocates memory only for complete data.
///
/// # Errors
/// [`ContainerError`] with byte offset, found value and expected value.
pub fn read_pvr(bytes: &[u8]) -> Result<PvrTexture, ContainerError> {
    let mut gbix = None;
    let mut warnings = Vec::new();
    let mut offset = 0;
    loop {
        match id_at(bytes, offset) {
            Some(PVRT) => break,
            Some(GBIX) => {
                let (chunk, end) = Gbix::read(bytes, offset, &mut warnings)?;
                gbix = Some(chunk);
                offset = after_filling(bytes, end, &mut warnings);
            }
            Some(id) if super::SKIPPED_CHUNKS.contains(&id) => offset = skip_chunk(bytes, offset)?,
            _ => Cursor::at(bytes, offset).expect(&PVRT, "texture")?,
        }
    }
    let mut texture = read_pvrt(bytes, offset)?.texture;
    if let Some(gbix) = gbix {
        gbix.apply(&mut texture);
    }
    warnings.append(&mut texture.warnings);
    texture.warnings = warnings;
    Ok(texture)
}

/// Returns the offset after a chunk of any kind.
pub(crate) fn skip_chunk(bytes: &[u8], offset: usize) -> Result<usize, ContainerError> {
    let mut cursor = Cursor::at(bytes, offset);
    cursor.id("chunk id")?;
    let size = cursor.u32("chunk size")? as usize;
    cursor.take(size, "chunk body")?;
    Ok(cursor.offset())
}

/// Returns the offset of PVRT, at `end` or after a few bytes of padding.
fn after_filling(bytes: &[u8], end: usize, warnings: &mut Vec<ContainerWarning>) -> usize {
    if id_at(bytes, end).is_some_and(|id| id == PVRT || super::SKIPPED_CHUNKS.contains(&id)) {
        return end;
    }
    match find_id(bytes, end..end.saturating_add(64), &[PVRT]) {
        Some(found) => {
            warnings.push(ContainerWarning::Gap {
                offset: end,
                length: found - end,
            });
            found
        }
        None => end,
    }
}

impl Gbix {
    pub(crate) fn apply(self, texture: &mut PvrTexture) {
        texture.global_index = Some(self.index);
        texture.bank = self.bank;
        texture.rest.gbix = self.extra;
        texture.rest.gbix_form = self.form;
    }
}

/// A PVRT chunk and its end.
pub(crate) struct PvrtChunk {
    pub(crate) texture: PvrTexture,
    /// Offset after the size field, from which sizes count.
    pub(crate) body: usize,
    /// Offset after the texture, without padding.
    pub(crate) texture_end: usize,
    /// Offset after the chunk, given by its size field; at most the end of the file.
    pub(crate) end: usize,
}

/// Reads the PVRT chunk at `offset`.
pub(crate) fn read_pvrt(bytes: &[u8], offset: usize) -> Result<PvrtChunk, ContainerError> {
    let mut cursor = Cursor::at(bytes, offset);
    cursor.expect(&PVRT, "texture")?;
    let claimed = cursor.u32("PVRT size")? as usize;
    let pixel_format = PvrPixelFormat::from_code(cursor.u8("pixel format")?);
    let data_code = cursor.u8("data format")?;
    let reserved = cursor.u16("PVRT header")?;
    let (width, height) = (
        u32::from(cursor.u16("texture width")?),
        u32::from(cursor.u16("texture height")?),
    );
    let data_format = PvrDataFormat::from_code(data_code).map_err(|reason| ContainerError::DataFormat {
        offset: offset + 9,
        found: data_code,
        reason,
    })?;
    let layout = checked_layout(offset, pixel_format, data_format, width, height)?;
    let file = FileLayout::new(data_format, &layout);
    let mut warnings = Vec::new();
    let end = chunk_end(bytes, offset, claimed, file.file(), &mut warnings)?;
    let texture_end = cursor.offset() + file.file();
    let data = file.to_memory(cursor.take(file.file(), "texture data")?);
    let rest = Leftover {
        gbix: Vec::new(),
        gbix_form: GbixForm::default(),
        reserved,
        padding: bytes[texture_end..end].to_vec(),
    };
    let texture = PvrTexture {
        global_index: None,
        bank: None,
        pixel_format,
        data_format,
        width,
        height,
        data,
        rest,
        warnings,
    };
    Ok(PvrtChunk {
        texture,
        body: offset + 8,
        texture_end,
        end,
    })
}

/// Returns the end of a PVRT chunk, after checking that it contains the complete texture.
fn chunk_end(
    bytes: &[u8],
    offset: usize,
    claimed: usize,
    needed: usize,
    warnings: &mut Vec<ContainerWarning>,
) -> Result<usize, ContainerError> {
    let after_size_field = bytes.len() - (offset + 8);
    let used = claimed.min(after_size_field);
    let found = used.saturating_sub(8);
    if found < needed {
        return Err(ContainerError::Truncated {
            what: "texture data",
            offset: offset + PVRT_HEADER,
            expected: needed,
            found,
        });
    }
    if used != claimed {
        warnings.push(ContainerWarning::ChunkSize {
            what: "PVRT",
            offset: offset + 4,
            found: claimed,
            used,
        });
    }
    Ok(offset + 8 + used)
}

pub(crate) fn checked_layout(
    offset: usize,
    pixel_format: PvrPixelFormat,
    data_format: PvrDataFormat,
    width: u32,
    height: u32,
) -> Result<TextureLayout, ContainerError> {
    data_format
        .check_size(width, height)
        .map_err(|expected| ContainerError::Size {
            offset: offset + 12,
            width,
            height,
            expected,
        })?;
    let layout = data_format
        .layout(pixel_format, width, height)
        .ok_or(ContainerError::PixelFormat {
            offset: offset + 8,
            found: pixel_format.code(),
            reason: pixel_format.reason(),
            expected: "0 to 4 for a texture that is not paletted",
        })?;
    layout.validate()?;
    Ok(layout)
}

/// Writes a `.pvr` file; the mirror of [`read_pvr`].
///
/// A GBIX chunk is written if there is a global index. Data that a file of type 2 omits, or that exceed a
/// small codebook, are dropped.
///
/// # Errors
/// Fails for a size or format that the data format does not support, or if the length of `data` does not
/// match the texture.
pub fn write_pvr(texture: &PvrTexture) -> Result<Vec<u8>, ContainerError> {
    let mut out = Vec::new();
    if let Some(index) = texture.global_index {
        let mut body = index.to_le_bytes().to_vec();
        match (texture.bank, texture.rest.gbix_form) {
            (None, GbixForm::Empty) if index == 0 => body.clear(),
            // A chunk without a bank may have up to three bytes after the index.
            (None, GbixForm::Index) => body.extend(&texture.rest.gbix),
            (bank, _) => {
                body.extend(bank.unwrap_or(0).to_le_bytes());
                body.extend(&texture.rest.gbix);
            }
        }
        push_chunk(&mut out, &GBIX, &body);
        if body.is_empty() {
            out.extend([0; 8]);
        }
    }
    push_pvrt(&mut out, texture)?;
    Ok(out)
}

/// Appends a PVRT chunk.
pub(crate) fn push_pvrt(out: &mut Vec<u8>, texture: &PvrTexture) -> Result<(), ContainerError> {
    let layout = texture.layout()?;
    let file = FileLayout::new(texture.data_format, &layout);
    if texture.data.len() != file.memory {
        return Err(ContainerError::Unwritable {
            what: "texture data",
            found: format!("{} bytes", texture.data.len()),
            expected: format!("{} bytes", file.memory),
        });
    }
    let mut body = vec![texture.pixel_format.code(), texture.data_format as u8];
    body.extend(texture.rest.reserved.to_le_bytes());
    // Width and height are at most 1024, because layout() has checked them.
    body.extend((texture.width as u16).to_le_bytes());
    body.extend((texture.height as u16).to_le_bytes());
    body.extend(file.to_file(&texture.data));
    body.extend(&texture.rest.padding);
    push_chunk(out, &PVRT, &body);
    Ok(())
}

impl PvrTexture {
    /// Encodes an image.
    ///
    /// # Errors
    /// Fails for a paletted format, since an image has no indices, or for a size that the data format does
    /// not support.
    pub fn from_image(
        image: &Rgba,
        pixel_format: PvrPixelFormat,
        data_format: PvrDataFormat,
    ) -> Result<Self, ContainerError> {
        let layout = checked_layout(0, pixel_format, data_format, image.width, image.height)?;
        let mipmaps = layout.mipmapped;
        let order = match data_format {
            f if f.is_linear() => Order::Linear,
            f if f.is_vq() => Order::Vq { mipmaps },
            _ => Order::Twiddled { mipmaps },
        };
        let codes = if data_format.is_small_vq() {
            small_codebook_codes(image.width, mipmaps)
        } else {
            256
        };
        let data = encode_with_codes(
            image,
            Encoding {
                format: layout.format,
                layout: order,
            },
            codes,
        )?;
        Ok(Self {
            global_index: None,
            bank: None,
            pixel_format,
            data_format,
            width: image.width,
            height: image.height,
            data,
            rest: Leftover::default(),
            warnings: Vec::new(),
        })
    }

    /// Returns the layout of [`PvrTexture::data`].
    ///
    /// # Errors
    /// Fails for a size that the data format does not support, or for a format without texels.
    pub fn layout(&self) -> Result<TextureLayout, ContainerError> {
        checked_layout(0, self.pixel_format, self.data_format, self.width, self.height)
    }

    /// Returns the palette bank (of 16 entries) of the texture, if it is one of the chip's 64.
    #[must_use]
    pub fn palette_bank(&self) -> Option<u32> {
        self.bank.filter(|&bank| bank < 64)
    }

    /// Returns the texture control word for the texture at `address_bytes` in the 64-bit area.
    ///
    /// The address must be a multiple of 8 below 16 MiB; other bits are dropped. `palette_selector` (0..=63,
    /// banks of 16 entries) applies only to paletted textures; 8-bit ones use its top two bits. For a linear
    /// texture with a width that is not a power of two, the stride bit is set: see [`PvrTexture::stride`].
    #[must_use]
    pub fn tcw(&self, address_bytes: u32, palette_selector: u32) -> u32 {
        let format = self
            .data_format
            .palette_index()
            .or(self.pixel_format.texel_format());
        let format = format.unwrap_or(PixelFormat::Argb1555);
        let word = TextureWord(0)
            .with_address(address_bytes)
            .with_format(format)
            .with_mip(self.data_format.has_mipmaps())
            .with_vq(self.data_format.is_vq());
        let word = if format.is_paletted() {
            word.with_palette_selector(palette_selector)
        } else {
            let linear = self.data_format.is_linear();
            word.with_linear(linear)
                .with_stride(linear && self.stride().is_some())
        };
        word.0
    }

    /// Returns the distance between rows in texels, if the texture needs the stride register (TEXT_CONTROL
    /// bits 4:0 contain a 32nd of it).
    #[must_use]
    pub fn stride(&self) -> Option<u32> {
        (self.data_format.is_linear() && !self.width.is_power_of_two()).then_some(self.width)
    }

    /// Returns bits 5:0 of the TSP word: U size in 5:3, V size in 2:0, each 8 << n texels.
    ///
    /// Other sides (of linear textures, or of twiddled ones under 8) are rounded up: the texture then fills
    /// only part of the 0..1 range of texture coordinates.
    #[must_use]
    pub fn tsp_size_bits(&self) -> u32 {
        let code = |side: u32| side.next_power_of_two().clamp(8, 1024).trailing_zeros() - 3;
        code(self.width) << 3 | code(self.height)
    }

    /// Decodes all levels as images. Channels are widened by repetition in every layout, so that white stays
    /// white. [`Self::decode_with`] uses the chip's settings.
    ///
    /// A paletted texture needs a palette. If the palette contains the texture's bank, the colours of that
    /// bank apply; otherwise the colours from the palette's first entry on. The bank in a file is advisory:
    /// programs choose another one when loading.
    ///
    /// # Errors
    /// [`ContainerError::NoPalette`] without a required palette; otherwise the errors of
    /// [`Self::decode_with`].
    pub fn decode(&self, palette: Option<&Palette>) -> Result<Texture, ContainerError> {
        let settings = TextureSettings {
            linear_expand: LinearExpand::Replicate,
            ..TextureSettings::default()
        };
        let Some(index) = self.data_format.palette_index() else {
            return self.decode_with(&[], &settings);
        };
        let entries = if index == PixelFormat::Pal4 { 16 } else { 256 };
        let palette = palette.ok_or(ContainerError::NoPalette { expected: entries })?;
        let colors = palette.colors(settings.linear_expand);
        let bank_start = self
            .palette_bank()
            .map(|bank| bank as usize * 16 / entries * entries);
        let start = bank_start
            .and_then(|start| start.checked_sub(palette.ram_index()))
            .filter(|start| start + entries <= colors.len())
            .unwrap_or(0);
        self.decode_with(&colors[start..], &settings)
    }

    /// Decodes all levels with the given settings; `colors` are the ARGB8888 colours from index 0 on.
    ///
    /// # Errors
    /// Fails under the conditions of [`Self::layout`], or if there are too few data or colours.
    pub fn decode_with(&self, colors: &[u32], settings: &TextureSettings) -> Result<Texture, ContainerError> {
        Ok(decode_bytes(&self.data, &self.layout()?, colors, settings)?)
    }
}
