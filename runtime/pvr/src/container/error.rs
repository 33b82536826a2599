//! Errors and warnings of the container formats. Offsets are bytes from the start of the file.

use thiserror::Error;

use crate::texture::TextureError;

/// Why a container cannot be read or written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ContainerError {
    /// The file or chunk ends too early.
    #[error("offset {offset:#x}: {what}, expected {expected} bytes, found {found}")]
    Truncated {
        /// The item that was being read.
        what: &'static str,
        /// Its offset.
        offset: usize,
        /// Bytes needed.
        expected: usize,
        /// Bytes there.
        found: usize,
    },
    /// A chunk id other than the one that must stand here.
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
    /// A pixel format that this kind of data does not have.
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
        /// The offset of the format.
        offset: usize,
        /// The format found.
        found: u8,
        /// The known meaning of the number.
        reason: &'static str,
    },
    /// A size that the data format cannot have.
    #[error("offset {offset:#x}: size {width}x{height}, expected {expected}")]
    Size {
        /// The offset of the size.
        offset: usize,
        /// Width found, in texels.
        width: u32,
        /// Height found, in texels.
        height: u32,
        /// The limit of the data format.
        expected: &'static str,
    },
    /// An archive with fewer textures than its table lists.
    #[error("offset {offset:#x}: {found} textures found, expected {expected} as the archive's table says")]
    EntryCount {
        /// The offset at which the search for the next texture began.
        offset: usize,
        /// Textures found.
        found: usize,
        /// Entries in the table.
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
    /// A paletted texture was to be decoded without a palette.
    #[error("paletted texture without a palette, expected at least {expected} entries")]
    NoPalette {
        /// Entries needed.
        expected: usize,
    },
    /// Something that the file format has no room for.
    #[error("cannot write {what}: {found}, expected {expected}")]
    Unwritable {
        /// The field.
        what: &'static str,
        /// Its value.
        found: String,
        /// The limit.
        expected: String,
    },
    /// A field whose value is not known here.
    #[error("offset {offset:#x}: {what} {found:#x}, expected {expected}")]
    Unsupported {
        /// The offset of the field.
        offset: usize,
        /// The field.
        what: &'static str,
        /// Its value.
        found: u64,
        /// The values possible.
        expected: &'static str,
    },
    /// The texture itself is at fault.
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

/// Something unusual that could still be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ContainerWarning {
    /// The size field of a chunk does not fit what follows.
    #[error("offset {offset:#x}: {what} claims {found} bytes, read as {used}")]
    ChunkSize {
        /// The chunk.
        what: &'static str,
        /// The offset of the size field.
        offset: usize,
        /// The size claimed.
        found: usize,
        /// The size that the reading went on with.
        used: usize,
    },
    /// A palette bank outside 0..=63; it is kept, but names no bank.
    #[error("offset {offset:#x}: palette bank {found:#x}, expected 0..=63")]
    Bank {
        /// The offset of the bank.
        offset: usize,
        /// The value found.
        found: u32,
    },
    /// Bytes between two chunks that belong to none.
    #[error("offset {offset:#x}: skipped {length} bytes before the next chunk")]
    Gap {
        /// The offset of the bytes.
        offset: usize,
        /// How many.
        length: usize,
    },
    /// An archive's table and a texture's own header disagree; the header is used.
    #[error("offset {offset:#x}: the archive's table says {what} {table}, the texture {texture}")]
    TableMismatch {
        /// The offset of the texture.
        offset: usize,
        /// The field.
        what: &'static str,
        /// Value in the table.
        table: String,
        /// Value in the texture.
        texture: String,
    },
    /// More textures than the archive's table lists; they are read, without names.
    #[error("offset {offset:#x}: texture beyond the {expected} entries of the archive's table")]
    ExtraTexture {
        /// The offset of the texture.
        offset: usize,
        /// Entries in the table.
        expected: usize,
    },
    /// Archive flags whose effect on the table is not known; the table is read as if they were clear.
    #[error("offset {offset:#x}: unknown archive flags {found:#06x}")]
    Flags {
        /// The offset of the flags.
        offset: usize,
        /// The unknown bits.
        found: u16,
    },
    /// Bytes after the last chunk that could not be understood.
    #[error("offset {offset:#x}: {length} bytes at the end are no chunk")]
    Trailing {
        /// Their offset.
        offset: usize,
        /// How many.
        length: usize,
    },
}
