//! `.pvp`: a palette, as one PVPL chunk.
//!
//! ```text
//! 0 "PVPL"  4 size u32 (bytes after this field)  8 pixel format u8  9 zero u8
//! 10 bank u16  12 first entry u16  14 entries u16
//! 16 entries: u16 each, u32 each for ARGB8888
//! ```
//! Little-endian. Source: real files, `pypvr` (format, bank, count), SA3D.Archival (bank, first entry).

use super::cursor::{Cursor, Id, push_chunk};
use super::error::{ContainerError, ContainerWarning};
use super::format::PvrPixelFormat;
use crate::texture::{LinearExpand, PaletteFormat};

pub(crate) const PVPL: Id = *b"PVPL";

/// A palette from a `.pvp` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Format of the entries: ARGB1555, RGB565, ARGB4444 or ARGB8888.
    pub pixel_format: PvrPixelFormat,
    /// Bank of the first entry; a bank has 16 entries.
    pub bank: u16,
    /// Number of entries to skip from the start of the bank.
    pub first_entry: u16,
    /// Entries in the format of PALETTE_RAM.
    pub entries: Vec<u32>,
    /// Byte at offset 9, zero in all known files; kept for rewriting.
    pub reserved: u8,
    /// Bytes of the chunk after the entries; kept for rewriting.
    pub padding: Vec<u8>,
    /// Warnings from reading.
    pub warnings: Vec<ContainerWarning>,
}

/// Reads a `.pvp` file.
///
/// # Errors
/// [`ContainerError`] with byte offset, found value and expected value.
pub fn read_pvp(bytes: &[u8]) -> Result<Palette, ContainerError> {
    let mut cursor = Cursor::at(bytes, 0);
    cursor.expect(&PVPL, "palette")?;
    let claimed = cursor.u32("PVPL size")? as usize;
    let used = claimed.min(bytes.len() - cursor.offset());
    let mut warnings = Vec::new();
    if used != claimed {
        warnings.push(ContainerWarning::ChunkSize {
            what: "PVPL",
            offset: 4,
            found: claimed,
            used,
        });
    }
    let end = cursor.offset() + used;
    let mut cursor = Cursor::at(&bytes[..end], cursor.offset());
    let code = cursor.u8("palette format")?;
    let pixel_format = PvrPixelFormat::from_code(code);
    let format = pixel_format.palette_format().ok_or(ContainerError::PixelFormat {
        offset: 8,
        found: code,
        reason: "is no format of palettes",
        expected: "0, 1, 2, 6 or 7",
    })?;
    let reserved = cursor.u8("palette header")?;
    let bank = cursor.u16("palette bank")?;
    let first_entry = cursor.u16("first palette entry")?;
    let count = usize::from(cursor.u16("palette entry count")?);
    let data = cursor.take(count * entry_bytes(format), "palette entries")?;
    let entries = data
        .chunks_exact(entry_bytes(format))
        .map(little_endian)
        .collect();
    let padding = bytes[cursor.offset()..end].to_vec();
    Ok(Palette {
        pixel_format,
        bank,
        first_entry,
        entries,
        reserved,
        padding,
        warnings,
    })
}

/// Writes a `.pvp` file; the mirror of [`read_pvp`].
///
/// # Errors
/// Fails for a format that palettes do not support, for more than 65,535 entries, or for an entry with more
/// than 16 bits in a 16-bit format.
pub fn write_pvp(palette: &Palette) -> Result<Vec<u8>, ContainerError> {
    let format = palette.format()?;
    let bytes = entry_bytes(format);
    let unwritable = |what, found: String, expected: &str| ContainerError::Unwritable {
        what,
        found,
        expected: expected.to_owned(),
    };
    let count = u16::try_from(palette.entries.len()).map_err(|_| {
        unwritable(
            "palette",
            format!("{} entries", palette.entries.len()),
            "at most 65535",
        )
    })?;
    if let Some(entry) = palette.entries.iter().find(|&&e| bytes == 2 && e > 0xFFFF) {
        return Err(unwritable("palette entry", format!("{entry:#x}"), "16 bits"));
    }
    let mut body = vec![palette.pixel_format.code(), palette.reserved];
    body.extend(
        [palette.bank, palette.first_entry, count]
            .iter()
            .flat_map(|v| v.to_le_bytes()),
    );
    body.extend(
        palette
            .entries
            .iter()
            .flat_map(|e| e.to_le_bytes().into_iter().take(bytes)),
    );
    body.extend(&palette.padding);
    let mut out = Vec::new();
    push_chunk(&mut out, &PVPL, &body);
    Ok(out)
}

fn entry_bytes(format: PaletteFormat) -> usize {
    if format == PaletteFormat::Argb8888 { 4 } else { 2 }
}

fn little_endian(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |value, &byte| value << 8 | u32::from(byte))
}

impl Palette {
    /// Creates a palette of grey levels, to view indices without the real palette: index i of n is i/(n-1)
    /// white.
    #[must_use]
    pub fn grey(entries: usize) -> Self {
        let entries = entries.clamp(2, 256) as u32;
        Self {
            pixel_format: PvrPixelFormat::Argb8888,
            bank: 0,
            first_entry: 0,
            entries: (0..entries)
                .map(|i| 0xFF00_0000 | ((i * 255 / (entries - 1)) * 0x01_0101))
                .collect(),
            reserved: 0,
            padding: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Returns the format for PAL_RAM_CTRL.
    ///
    /// # Errors
    /// [`ContainerError::Unwritable`] for a pixel format that palettes do not support.
    pub fn format(&self) -> Result<PaletteFormat, ContainerError> {
        self.pixel_format
            .palette_format()
            .ok_or_else(|| ContainerError::Unwritable {
                what: "palette format",
                found: format!("{:?}", self.pixel_format),
                expected: "ARGB1555, RGB565, ARGB4444 or ARGB8888".to_owned(),
            })
    }

    /// Index of the first entry in PALETTE_RAM (1024 words).
    #[must_use]
    pub fn ram_index(&self) -> usize {
        usize::from(self.bank) * 16 + usize::from(self.first_entry)
    }

    /// Returns the entries as ARGB8888; empty for a format that palettes do not support.
    #[must_use]
    pub fn colors(&self, expand: LinearExpand) -> Vec<u32> {
        match self.pixel_format.palette_format() {
            Some(format) => self
                .entries
                .iter()
                .map(|&entry| format.expand(entry, expand))
                .collect(),
            None => Vec::new(),
        }
    }
}
