//! Pages for code: written while not executable, executed while not writable.

use super::Context;
use memmap2::{Mmap, MmapMut};
use std::io;

/// A region's entry: returns 0 with the program counter at the next block, else in the middle of one.
pub(super) type Entry = unsafe extern "sysv64" fn(*mut Context) -> u32;

/// One function, in pages of its own.
pub(crate) struct Code(Mmap);

impl Code {
    /// Makes `bytes` executable: a whole function without relocations.
    pub(crate) fn new(bytes: &[u8]) -> io::Result<Code> {
        let mut pages = MmapMut::map_anon(bytes.len())?;
        pages.copy_from_slice(bytes);
        Ok(Code(pages.make_exec()?))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.len()
    }

    /// The entry of a region.
    pub(super) fn entry(&self) -> Entry {
        // SAFETY: a function pointer is as wide as any; the pages begin with a function of this type if they
        // are those of a region.
        unsafe { std::mem::transmute::<*const u8, Entry>(self.0.as_ptr()) }
    }
}
