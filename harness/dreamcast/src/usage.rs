//! How much RAM and video memory a program uses.

use crate::run::Dreamcast;
use crate::system::{RAM_BYTES, System};

/// Bytes of a page.
pub const PAGE: usize = 4096;

/// The most memory that was in use, found by looking now and then.
///
/// A page of RAM is in use once a look finds a byte in it that is not zero; power-on leaves zeros. A page
/// that only ever holds zeros does not count. A page of video memory counts from its first write on.
#[derive(Clone, Debug)]
pub struct MemoryUse {
    /// Pages of RAM in use.
    ram: Vec<bool>,
    vram_bytes: usize,
}

impl Default for MemoryUse {
    fn default() -> Self {
        MemoryUse {
            ram: vec![false; RAM_BYTES / PAGE],
            vram_bytes: 0,
        }
    }
}

impl MemoryUse {
    /// Adds what is in use now.
    pub fn look(&mut self, console: &Dreamcast) {
        let system: &System = console.system();
        for (used, page) in self.ram.iter_mut().zip(system.ram.chunks_exact(PAGE)) {
            *used = *used || page.iter().any(|byte| *byte != 0);
        }
        self.vram_bytes = system.pvr.vram().written_bytes();
    }

    /// Bytes of RAM in the pages that were in use at any look.
    #[must_use]
    pub fn ram_bytes(&self) -> usize {
        PAGE * self.ram.iter().filter(|used| **used).count()
    }

    /// Bytes of video memory in the pages that were written until the last look.
    #[must_use]
    pub fn vram_bytes(&self) -> usize {
        self.vram_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::{MemoryUse, PAGE};
    use crate::{Config, Dreamcast};

    #[test]
    fn pages_count_once_and_stay() {
        let mut console = Dreamcast::new(Config::default());
        let mut memory = MemoryUse::default();
        memory.look(&console);
        let before = (memory.ram_bytes(), memory.vram_bytes());
        console.system.ram[0x80_0FFF] = 1;
        console.system.ram[0x80_1000] = 1;
        console.system.pvr.vram_mut().write8(pvr::Area::Bits32, 0, 0);
        memory.look(&console);
        assert_eq!(memory.ram_bytes(), before.0 + 2 * PAGE);
        assert!(memory.vram_bytes() > before.1, "a zero that is written counts");
        console.system.ram[0x80_1000] = 0;
        memory.look(&console);
        assert_eq!(memory.ram_bytes(), before.0 + 2 * PAGE);
    }
}
