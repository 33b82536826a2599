//! Pages for code: never writable and executable at the same time.

use super::Context;
use memmap2::{Mmap, MmapMut};
use std::io;

/// Entry of a region. It returns one of the results `AT_BLOCK` to `IN_BLOCK`.
pub(super) type Entry = unsafe extern "sysv64" fn(*mut Context) -> u32;

/// One function in its own pages.
pub(crate) struct Code(Mmap);

impl Code {
    /// Makes a function executable. `bytes` is its code without relocations.
    pub(crate) fn new(bytes: &[u8]) -> io::Result<Code> {
        let mut pages = MmapMut::map_anon(bytes.len())?;
        pages.copy_from_slice(bytes);
        Ok(Code(pages.make_exec()?))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.len()
    }

    /// Entry of the region.
    pub(super) fn entry(&self) -> Entry {
        // SAFETY: function pointers and data pointers have the same size. The pages of a region begin with a
        // function of this type.
        unsafe { std::mem::transmute::<*const u8, Entry>(self.0.as_ptr()) }
    }
}
