//! Video memory: writes through both paths, and direct access for compiled code.

use crate::system::System;
use pvr::{Area, Vram};
use sh4::MarkedMemory;

impl System {
    /// Writes video memory through the 64-bit or the 32-bit path.
    pub(crate) fn write_vram(&mut self, path64: bool, address: u32, value: &[u8]) {
        self.note_other_code();
        let (area, base) = match path64 {
            true => (Area::Bits64, 0x0400_0000),
            false => (Area::Bits32, 0x0500_0000),
        };
        self.watch_write(base | address & 0x7F_FFFF, value.len() as u32);
        self.pvr.vram_mut().write_bytes(area, address, value);
    }
}

/// Lends video memory at 05000000, the 32-bit path, to compiled code.
#[inline(always)]
pub(super) fn lend_video_memory(vram: &mut Vram) -> MarkedMemory<'_> {
    let (bytes, marks, mark) = vram.marked_mut();
    MarkedMemory {
        bytes,
        marks,
        mark,
        page: Vram::PAGE_BYTES,
        // Includes bit 30, as in the window of RAM.
        select: 0x5F80_0000,
        value: 0x0500_0000,
    }
}
