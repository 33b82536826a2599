//! Errors and warnings of the container formats. Offsets are in bytes from the start of the file.

use thiserror::Error;

use crate::texture::TextureError;

/// Reason why a container cannot be read or written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ContainerError {
    /// The file or chunk ends too early.
    #[error("offset {offset:#x}: {what}, expected {expected} bytes, found {found}")]
    Truncated {
        /// Name of the item.
        what: &'static str,
        /// Offset of the item.
        offset: usize,
        /// Bytes needed.
        expected: usize,
        /// Bytes available.
        found: usize,
    },
    /// An unexpected chunk id.
    #[error("offset {offset:#x}: {what} starts with \"{found}\", expected \"{expected}\"")]
    Id {
        /// The item that was being read.
        what: &'static str,
        /// The offset of the id.
        offset: usize,
        /// The bytes found, escaped.
        found: String,
        /// The id needed.
        expected: String,
    },
    /// A pixel format that is invalid for this kind of data.
    #[error("offset {offset:#x}: pixel format {found:#04x} {reason}, expected {expected}")]
    PixelFormat {
        /// The offset of the format.
        offset: usize,
        /// The format found.
        found: u8,
        /// The known meaning of the number.
        reason: &'static str,
        /// The formats possible here.
        expected: &'static str,
    },
    /// A data format that is not a texture of the chip.
    #[error(
        "offset {offset:#x}: data format {found:#04x} {reason}, expected 1..=9, 0x0b, 0x0d, 0x10, 0x11 or \
         0x12"
    )]
    DataFormat {
        /// Offset of the format.
        offset: usize,
        /// Found format.
        found: u8,
        /// Known meaning of the number.
        reason: &'static str,
    },
    /// A size that the data format cannot have.
    #[error("offset {offset:#x}: size {width}x{height}, expected {expected}")]
    Size {
        /// Offset of the size.
        offset: usize,
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
        /// Limit of the data format.
        expected: &'static str,
    },
    /// An archive with fewer textures than its table lists.
    #[error("offset {offset:#x}: {found} textures found, expected {expected} as the archive's table says")]
    EntryCount {
        /// Offset at which the search for the next texture began.
        offset: usize,
        /// Number of textures found.
        found: usize,
        /// Number of entries in the table.
        expected: usize,
    },
    /// An error inside one texture of an archive.
    #[error("archive entry {entry} (\"{name}\"): {source}")]
    Entry {
        /// Position in the archive.
        entry: usize,
        /// Name of the entry, empty if it has none.
        name: String,
        /// The error.
        source: Box<ContainerError>,
    },
    /// A paletted texture cannot be decoded without a palette.
    #[error("paletted texture without a palette, expected at least {expected} entries")]
    NoPalette {
        /// Number of entries needed.
        expected: usize,
    },
    /// A value that the file format cannot represent.
    #[error("cannot write {what}: {found}, expected {expected}")]
    Unwritable {
        /// Name of the field.
        what: &'static str,
        /// Value of the field.
        found: String,
        /// Limit of the format.
        expected: String,
    },
    /// A field with an unsupported value.
    #[error("offset {offset:#x}: {what} {found:#x}, expected {expected}")]
    Unsupported {
        /// Offset of the field.
        offset: usize,
        /// Name of the field.
        what: &'static str,
        /// Value of the field.
        found: u64,
        /// Supported values.
        expected: &'static str,
    },
    /// An error in the texture itself.
    #[error(transparent)]
    Texture(#[from] TextureError),
}

impl ContainerError {
    pub(crate) fn id(what: &'static str, offset: usize, found: [u8; 4], expected: &[u8; 4]) -> Self {
        let text = |id: &[u8; 4]| id.escape_ascii().to_string();
        Self::Id {
            what,
            offset,
            found: text(&found),
            expected: text(expected),
        }
    }
}

/// An unusual construct that can still be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ContainerWarning {
    /// The size field of a chunk does not match the following data.
    #[error("offset {offset:#x}: {what} claims {found} bytes, read as {used}")]
    ChunkSize {
        /// Name of the chunk.
        what: &'static str,
        /// Offset of the size field.
        offset: usize,
        /// Size in the field.
        found: usize,
        /// Size that the reader used.
        used: usize,
    },
    /// A palette bank outside 0..=63. The reader keeps it, but it selects no bank.
    #[error("offset {offset:#x}: palette bank {found:#x}, expected 0..=63")]
    Bank {
        /// Offset of the bank.
        offset: usize,
        /// Found value.
        found: u32,
    },
    /// Bytes between two chunks that belong to neither.
    #[error("offset {offset:#x}: skipped {length} bytes before the next chunk")]
    Gap {
        /// Offset of the bytes.
        offset: usize,
        /// Number of bytes.
        length: usize,
    },
    /// The archive's table contradicts a texture's own header; the header applies.
    #[error("offset {offset:#x}: the archive's table says {what} {table}, the texture {texture}")]
    TableMismatch {
        /// Offset of the texture.
        offset: usize,
        /// Name of the field.
        what: &'static str,
        /// Value in the table.
        table: String,
        /// Value in the texture.
        texture: String,
    },
    /// More textures than entries in the archive's table; the reader keeps them without names.
    #[error("offset {offset:#x}: texture beyond the {expected} entries of the archive's table")]
    ExtraTexture {
        /// Offset of the texture.
        offset: usize,
        /// Entries in the table.
        expected: usize,
    },
    /// Archive flags with an unknown effect on the table; the reader treats them as clear.
    #[error("offset {offset:#x}: unknown archive flags {found:#06x}")]
    Flags {
        /// Offset of the flags.
        offset: usize,
        /// Unknown bits.
        found: u16,
    },
    /// Bytes after the last chunk that form no chunk.
    #[error("offset {offset:#x}: {length} bytes at the end belong to no chunk")]
    Trailing {
        /// Offset of the bytes.
        offset: usize,
        /// Number of bytes.
        length: usize,
    },
}
