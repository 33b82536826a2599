//! Archives with replaced textures.

use super::error::ContainerError;
use super::pvm::{FLAG_FORMAT, FLAG_GLOBAL_INDEX, FLAG_NAME, FLAG_SIZE, NAME_BYTES, Pvm, PvmEntry, filling};
use super::pvr::PVRT_HEADER;

impl Pvm {
    /// Creates an archive of `entries` with the flags and other chunks of `self`. Rebuilds the entry table
    /// and its padding.
    ///
    /// # Errors
    /// Fails under the conditions of [`Pvm::new`].
    pub fn with_entries(&self, entries: Vec<PvmEntry>) -> Result<Self, ContainerError> {
        let mut made = Self::new(entries)?;
        made.flags = self.flags;
        let row =
            2 + if self.flags & FLAG_NAME != 0 {
                NAME_BYTES
            } else {
                0
            } + if self.flags & FLAG_FORMAT != 0 { 2 } else { 0 }
                + if self.flags & FLAG_SIZE != 0 { 2 } else { 0 }
                + if self.flags & FLAG_GLOBAL_INDEX != 0 { 4 } else { 0 };
        let table = made.entries.len() * row;
        made.header_padding = vec![0; filling(12 + table + PVRT_HEADER)];
        let last = made.entries.len();
        made.chunks = self.chunks.clone();
        for chunk in &mut made.chunks {
            chunk.before_entry = chunk.before_entry.min(last);
        }
        Ok(made)
    }
}
