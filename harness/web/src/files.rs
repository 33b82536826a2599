//! Files of a session: in memory, or kept by the page, which reads them on demand: disc images and
//! tracks.

use dreamcast::DiscData;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Maximum number of bytes of all files in memory together.
pub const MOST_BYTES: usize = 128 << 20;

/// Files in memory by path.
pub(crate) type MemoryFiles = BTreeMap<PathBuf, Arc<[u8]>>;

/// Reads bytes of file `file` from an offset on into the whole buffer. Returns whether it has read them.
pub type ReadSlice = fn(file: u32, offset: u64, buffer: &mut [u8]) -> bool;

/// A file that stays in the page.
pub(crate) struct SlicedFile {
    pub(crate) name: String,
    /// Number that the page gave it.
    pub(crate) number: u32,
    pub(crate) size: u64,
    pub(crate) read: ReadSlice,
}

impl fmt::Debug for SlicedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} bytes)", self.name, self.size)
    }
}

impl DiscData for SlicedFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        match (self.read)(self.number, offset, buffer) {
            true => Ok(()),
            false => Err(io::Error::other(format!(
                "{}: the browser cannot read {} bytes from offset {offset}; the file may have changed",
                self.name,
                buffer.len()
            ))),
        }
    }
}
