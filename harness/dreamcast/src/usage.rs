//! RAM and video memory used by a program.

use crate::run::Dreamcast;
use crate::system::{RAM_BYTES, System};

/// Bytes of a page.
pub const PAGE: usize = 4096;

/// Maximum memory in use, from samples taken during the run.
///
/// A page of RAM is in use if a sample finds a nonzero byte in it. RAM is zero at power-on, so a page to
/// which the program writes only zeros does not count. A page of video memory counts from its first write on.
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
    /// Takes a sample: adds the pages that are in use now.
    pub fn look(&mut self, console: &Dreamcast) {
        let system: &System = console.system();
        for (used, page) in self.ram.iter_mut().zip(system.ram.chunks_exact(PAGE)) {
            *used = *used || page.iter().any(|byte| *byte != 0);
        }
        self.vram_bytes = system.pvr.vram().written_bytes();
    }

    /// Returns the bytes of RAM in pages that were in use in any sample.
    #[must_use]
    pub fn ram_bytes(&self) -> usize {
        PAGE * self.ram.iter().filter(|used| **used).count()
    }

    /// Returns the bytes of video memory in pages written before the last sample.
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
