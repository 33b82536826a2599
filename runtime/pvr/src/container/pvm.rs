//! `.pvm`: an archive of textures.
//!
//! ```text
//! 0 "PVMH"  4 size u32 (bytes after this field)  8 flags u16  10 count u16  12 table, padding
//! row:  number u16 | name, 28 bytes, zero filled (flag 3) | pixel format u8, data format u8 (flag 2)
//!       | size u8: low half log2 width - 2, high half log2 height - 2; attributes u8 (flag 1) | global index u32 (flag 0)
//! ```
//! Chunks follow. The textures are in table order, usually without GBIX, padded so that the next texture's
//! data start at a multiple of 32. Sources: real files; flag numbers from Puyo Tools and SA3D.Archival.
//! SA3D.Archival swaps the halves of the size byte; rectangular textures in real files show that it is wrong.

use super::after_texture::{check_end, next_texture};
use super::cursor::{Cursor, Id, find_id, id_at, push_chunk};
use super::error::{ContainerError, ContainerWarning};
use super::gbix::{GBIX, Gbix};
use super::pvr::{PVRT, PVRT_HEADER, PvrTexture, push_pvrt, read_pvrt, skip_chunk, write_pvr};
use std::ops::Range;

const PVMH: Id = *b"PVMH";

/// Rows contain a global index.
pub const FLAG_GLOBAL_INDEX: u16 = 1 << 0;
/// Rows contain the size and an attribute byte.
pub const FLAG_SIZE: u16 = 1 << 1;
/// Rows contain the pixel and data format.
pub const FLAG_FORMAT: u16 = 1 << 2;
/// Rows contain a name.
pub const FLAG_NAME: u16 = 1 << 3;
/// The archive contains textures.
pub const FLAG_TEXTURES: u16 = 1 << 8;

/// Flags without effect on the table: chunks MDLN, PVMI, CONV, IMGC, PVRT, COMM, PVPL, PVPN.
const CHUNK_FLAGS: u16 = 0x1BF0;
pub(super) const NAME_BYTES: usize = 28;

/// An archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pvm {
    /// Flags of the header: `FLAG_*`, and one flag for each kind of other chunk in the archive.
    pub flags: u16,
    /// Textures in file order.
    pub entries: Vec<PvmEntry>,
    /// Other chunks, with their position.
    pub chunks: Vec<PvmChunk>,
    /// Bytes between the table and the end of PVMH.
    pub header_padding: Vec<u8>,
    /// Warnings from reading; each texture has its own warnings.
    pub warnings: Vec<ContainerWarning>,
}

/// A texture of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PvmEntry {
    /// Name without extension, if the table has names; invalid UTF-8 becomes U+FFFD.
    pub name: Option<String>,
    /// Number in the table, or the position if the table has no row for the texture.
    pub id: u16,
    /// The texture. Its global index comes from its own GBIX chunk, otherwise from the table.
    pub texture: PvrTexture,
    /// Row in the table as found; kept for rewriting.
    pub row: PvmRow,
    /// True if the texture has its own GBIX chunk.
    pub own_gbix: bool,
}

/// A row of the table; the archive's flags determine which fields are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PvmRow {
    /// Number.
    pub number: u16,
    /// Name field.
    pub name: [u8; NAME_BYTES],
    /// Pixel and data format.
    pub formats: [u8; 2],
    /// Size byte.
    pub size: u8,
    /// Attribute byte.
    pub attributes: u8,
    /// Global index.
    pub global_index: u32,
}

/// A chunk that is not a texture (comments, model names, original images, palettes).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PvmChunk {
    /// Four-character id.
    pub id: [u8; 4],
    /// Contents of the chunk.
    pub body: Vec<u8>,
    /// Position of the texture after the chunk.
    pub before_entry: usize,
}

/// Reads the textures of a `.pvm` archive. [`Pvm::read`] also keeps the rest of the file and its warnings.
///
/// # Errors
/// Fails under the conditions of [`Pvm::read`].
pub fn read_pvm(bytes: &[u8]) -> Result<Vec<PvmEntry>, ContainerError> {
    Ok(Pvm::read(bytes)?.entries)
}

/// Writes a `.pvm` archive of these textures. The table has names, formats, sizes and global indices.
///
/// # Errors
/// Fails under the conditions of [`Pvm::new`] and [`Pvm::write`].
pub fn write_pvm(entries: &[PvmEntry]) -> Result<Vec<u8>, ContainerError> {
    Pvm::new(entries.to_vec())?.write()
}

impl Pvm {
    /// Reads an archive.
    ///
    /// A chunk's size field gives the offset of the next texture. If no chunk starts there, the reader uses
    /// the next PVRT or GBIX after the chunk's texture, and warns about the skipped bytes.
    ///
    /// # Errors
    /// Fails for fewer textures than rows, for a damaged table, or for an error in a texture. The error gives
    /// position and name of the texture.
    pub fn read(bytes: &[u8]) -> Result<Self, ContainerError> {
        let mut cursor = Cursor::at(bytes, 0);
        cursor.expect(&PVMH, "archive")?;
        let header_size = cursor.u32("PVMH size")? as usize;
        let header_end = cursor.offset().saturating_add(header_size);
        cursor.clone().take(header_size, "PVMH body")?;
        let mut cursor = Cursor::at(&bytes[..header_end], cursor.offset());
        let mut archive = Self {
            flags: cursor.u16("archive flags")?,
            entries: Vec::new(),
            chunks: Vec::new(),
            header_padding: Vec::new(),
            warnings: Vec::new(),
        };
        archive.check_flags();
        let count = usize::from(cursor.u16("archive entry count")?);
        let mut rows = Vec::new();
        for _ in 0..count {
            rows.push(PvmRow::read(&mut cursor, archive.flags)?);
        }
        archive.header_padding = bytes[cursor.offset()..header_end].to_vec();
        archive.read_chunks(bytes, header_end, &rows)?;
        Ok(archive)
    }

    fn check_flags(&mut self) {
        let known = CHUNK_FLAGS | FLAG_GLOBAL_INDEX | FLAG_SIZE | FLAG_FORMAT | FLAG_NAME;
        let found = self.flags & !known;
        if found != 0 {
            self.warnings.push(ContainerWarning::Flags { offset: 8, found });
        }
    }

    fn read_chunks(&mut self, bytes: &[u8], start: usize, rows: &[PvmRow]) -> Result<(), ContainerError> {
        let mut offset = start;
        // Global index for the next texture, and the range of its chunk.
        let mut gbix: Option<(Gbix, Range<usize>)> = None;
        while offset < bytes.len() {
            match id_at(bytes, offset) {
                Some(PVRT) => {
                    let own = gbix.take().map(|(chunk, _)| chunk);
                    offset = self.read_texture(bytes, offset, own, rows)?;
                }
                Some(GBIX) => {
                    let (chunk, end) = Gbix::read(bytes, offset, &mut self.warnings)?;
                    let before = gbix.replace((chunk, offset..end));
                    self.warnings.extend(before.map(|(_, place)| skipped(&place)));
                    offset = end;
                }
                Some(id) if super::SKIPPED_CHUNKS.contains(&id) => {
                    let end = skip_chunk(bytes, offset)?;
                    let body = bytes[offset + 8..end].to_vec();
                    self.chunks.push(PvmChunk {
                        id,
                        body,
                        before_entry: self.entries.len(),
                    });
                    offset = end;
                }
                _ => match self.next_chunk(bytes, offset) {
                    Some(next) => offset = next,
                    None => break,
                },
            }
        }
        self.warnings.extend(gbix.map(|(_, place)| skipped(&place)));
        if self.entries.len() < rows.len() {
            return Err(ContainerError::EntryCount {
                offset,
                found: self.entries.len(),
                expected: rows.len(),
            });
        }
        Ok(())
    }

    /// Returns the offset of the next chunk after bytes that are not a chunk. Zeros are padding and give no
    /// warning.
    fn next_chunk(&mut self, bytes: &[u8], offset: usize) -> Option<usize> {
        let ids = [&[PVRT, GBIX], super::SKIPPED_CHUNKS].concat();
        let next = find_id(bytes, offset..bytes.len(), &ids);
        let length = next.unwrap_or(bytes.len()) - offset;
        if bytes[offset..offset + length].iter().any(|&b| b != 0) {
            self.warnings.push(match next {
                Some(_) => ContainerWarning::Gap { offset, length },
                None => ContainerWarning::Trailing { offset, length },
            });
        }
        next
    }

    /// Reads the texture at `offset`; returns the offset of the next chunk.
    fn read_texture(
        &mut self,
        bytes: &[u8],
        offset: usize,
        gbix: Option<Gbix>,
        rows: &[PvmRow],
    ) -> Result<usize, ContainerError> {
        let entry = self.entries.len();
        let row = rows.get(entry).cloned();
        let name = row
            .as_ref()
            .filter(|_| self.flags & FLAG_NAME != 0)
            .map(PvmRow::name);
        let mut chunk = read_pvrt(bytes, offset).map_err(|source| ContainerError::Entry {
            entry,
            name: name.clone().unwrap_or_default(),
            source: Box::new(source),
        })?;
        let next = next_texture(bytes, &mut chunk);
        let mut texture = chunk.texture;
        let own_gbix = gbix.is_some();
        if let Some(gbix) = gbix {
            gbix.apply(&mut texture);
        }
        if row.is_none() {
            texture.warnings.push(ContainerWarning::ExtraTexture {
                offset,
                expected: rows.len(),
            });
        }
        let row = row.unwrap_or(PvmRow {
            number: entry.min(0xFFFF) as u16,
            ..PvmRow::default()
        });
        if entry < rows.len() {
            row.compare(self.flags, offset, &mut texture);
        }
        self.entries.push(PvmEntry {
            name,
            id: row.number,
            texture,
            row,
            own_gbix,
        });
        Ok(next)
    }

    /// Creates an archive of these textures with a complete table, in the layout of Ninja's tools. Replaces
    /// the rows and the padding of the entries.
    ///
    /// # Errors
    /// Fails for more than 65,535 textures, or for a name of more than 28 bytes.
    pub fn new(mut entries: Vec<PvmEntry>) -> Result<Self, ContainerError> {
        let unwritable = |what, found: String, expected: &str| ContainerError::Unwritable {
            what,
            found,
            expected: expected.to_owned(),
        };
        if entries.len() > 0xFFFF {
            return Err(unwritable(
                "archive",
                format!("{} textures", entries.len()),
                "at most 65535",
            ));
        }
        let last = entries.len().saturating_sub(1);
        for (position, entry) in entries.iter_mut().enumerate() {
            entry.row = PvmRow::of(entry)
                .map_err(|name| unwritable("archive entry name", name, "at most 28 bytes of UTF-8"))?;
            entry.texture.rest.padding.clear();
            if position < last {
                let length = write_pvr(&entry.stored())?.len();
                entry.texture.rest.padding = vec![0; filling(length)];
            }
        }
        let flags = FLAG_GLOBAL_INDEX | FLAG_SIZE | FLAG_FORMAT | FLAG_NAME | FLAG_TEXTURES;
        let table = entries.len() * (NAME_BYTES + 10);
        let header_padding = vec![0; filling(12 + table + PVRT_HEADER)];
        Ok(Self {
            flags,
            entries,
            chunks: Vec::new(),
            header_padding,
            warnings: Vec::new(),
        })
    }

    /// Writes the archive. An archive that was read without warnings gives the same bytes.
    ///
    /// # Errors
    /// Fails under the conditions of [`write_pvr`] and for more than 65,535 textures. Fails if the padding
    /// after the last texture contains the id of another texture.
    pub fn write(&self) -> Result<Vec<u8>, ContainerError> {
        let count = u16::try_from(self.entries.len()).map_err(|_| ContainerError::Unwritable {
            what: "archive",
            found: format!("{} textures", self.entries.len()),
            expected: "at most 65535".to_owned(),
        })?;
        let is_followed = self
            .chunks
            .iter()
            .any(|chunk| chunk.before_entry == self.entries.len());
        if let Some(last) = self.entries.last().filter(|_| !is_followed) {
            check_end(&last.texture.rest.padding)?;
        }
        let mut header = self.flags.to_le_bytes().to_vec();
        header.extend(count.to_le_bytes());
        self.entries
            .iter()
            .for_each(|entry| entry.row.push(&mut header, self.flags));
        header.extend(&self.header_padding);
        let mut out = Vec::new();
        push_chunk(&mut out, &PVMH, &header);
        for position in 0..=self.entries.len() {
            for chunk in self.chunks.iter().filter(|chunk| chunk.before_entry == position) {
                push_chunk(&mut out, &chunk.id, &chunk.body);
            }
            match self.entries.get(position) {
                Some(entry) if entry.own_gbix => out.extend(write_pvr(&entry.texture)?),
                Some(entry) => push_pvrt(&mut out, &entry.texture)?,
                None => {}
            }
        }
        Ok(out)
    }
}

/// Creates the warning for a global index without a texture.
fn skipped(place: &Range<usize>) -> ContainerWarning {
    ContainerWarning::Gap {
        offset: place.start,
        length: place.len(),
    }
}

/// Number of zeros from `length` bytes to the next multiple of 32.
pub(super) fn filling(length: usize) -> usize {
    length.next_multiple_of(32) - length
}

impl PvmEntry {
    /// Creates an entry with the number `id`.
    pub fn new(name: impl Into<String>, id: u16, texture: PvrTexture) -> Self {
        Self {
            name: Some(name.into()),
            id,
            texture,
            row: PvmRow::default(),
            own_gbix: false,
        }
    }

    /// Returns the texture as stored: with its global index only if it has its own GBIX chunk.
    fn stored(&self) -> PvrTexture {
        let mut texture = self.texture.clone();
        if !self.own_gbix {
            texture.global_index = None;
        }
        texture
    }
}

impl PvmRow {
    fn read(cursor: &mut Cursor<'_>, flags: u16) -> Result<Self, ContainerError> {
        let mut row = Self {
            number: cursor.u16("archive table row")?,
            ..Self::default()
        };
        if flags & FLAG_NAME != 0 {
            row.name
                .copy_from_slice(cursor.take(NAME_BYTES, "archive entry name")?);
        }
        if flags & FLAG_FORMAT != 0 {
            row.formats = [
                cursor.u8("archive entry format")?,
                cursor.u8("archive entry format")?,
            ];
        }
        if flags & FLAG_SIZE != 0 {
            row.size = cursor.u8("archive entry size")?;
            row.attributes = cursor.u8("archive entry attributes")?;
        }
        if flags & FLAG_GLOBAL_INDEX != 0 {
            row.global_index = cursor.u32("archive entry global index")?;
        }
        Ok(row)
    }

    fn push(&self, out: &mut Vec<u8>, flags: u16) {
        out.extend(self.number.to_le_bytes());
        if flags & FLAG_NAME != 0 {
            out.extend(self.name);
        }
        if flags & FLAG_FORMAT != 0 {
            out.extend(self.formats);
        }
        if flags & FLAG_SIZE != 0 {
            out.extend([self.size, self.attributes]);
        }
        if flags & FLAG_GLOBAL_INDEX != 0 {
            out.extend(self.global_index.to_le_bytes());
        }
    }

    /// Returns the name up to its first zero.
    fn name(&self) -> String {
        let length = self.name.iter().position(|&b| b == 0).unwrap_or(NAME_BYTES);
        String::from_utf8_lossy(&self.name[..length]).into_owned()
    }

    /// Creates the row of an entry. Fails if the name is too long, and returns the name as the error.
    fn of(entry: &PvmEntry) -> Result<Self, String> {
        let name = entry.name.as_deref().unwrap_or("");
        let mut field = [0; NAME_BYTES];
        field
            .get_mut(..name.len())
            .ok_or(name)?
            .copy_from_slice(name.as_bytes());
        let texture = &entry.texture;
        Ok(Self {
            number: entry.id,
            name: field,
            formats: [texture.pixel_format.code(), texture.data_format as u8],
            size: size_byte(texture),
            attributes: 0,
            global_index: texture.global_index.unwrap_or(0),
        })
    }

    /// Warns about contradictions between row and texture. A texture without a global index gets the row's.
    fn compare(&self, flags: u16, offset: usize, texture: &mut PvrTexture) {
        let mut differ = |what, table: String, own: String| {
            if table != own {
                texture.warnings.push(ContainerWarning::TableMismatch {
                    offset,
                    what,
                    table,
                    texture: own,
                });
            }
        };
        if flags & FLAG_FORMAT != 0 {
            let own = [texture.pixel_format.code(), texture.data_format as u8];
            differ("formats", format!("{:02x?}", self.formats), format!("{own:02x?}"));
        }
        // The size byte is exact only for powers of two.
        if flags & FLAG_SIZE != 0 && texture.width.is_power_of_two() && texture.height.is_power_of_two() {
            let text = |size: u8| format!("{}x{}", 4u32 << (size & 15), 4u32 << (size >> 4));
            differ(
                "size",
                text(self.size),
                format!("{}x{}", texture.width, texture.height),
            );
        }
        if flags & FLAG_GLOBAL_INDEX != 0 {
            let own = texture.global_index.unwrap_or(self.global_index);
            differ("global index", self.global_index.to_string(), own.to_string());
            texture.global_index = Some(own);
        }
    }
}

/// Returns the size byte of a texture; a side that is not a power of two is rounded up.
fn size_byte(texture: &PvrTexture) -> u8 {
    let code = |side: u32| (side.next_power_of_two().trailing_zeros().saturating_sub(2) & 15) as u8;
    code(texture.height) << 4 | code(texture.width)
}
