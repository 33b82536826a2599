//! Sound RAM and registers as the ARM7 reaches them.

use super::Block;
use crate::RAM_BYTES;
use crate::register::Processor;
use arm7::cpu::Bus;

impl Block {
    /// Returns the register offset of an ARM7 address; `None` for sound RAM, which is mirrored below the
    /// registers.
    #[inline]
    fn arm_register(address: u32) -> Option<u32> {
        (address & 0x0080_0000 != 0).then_some(address & 0x007F_FFFF)
    }
}

/// Wraps an address to sound RAM.
#[inline]
fn in_ram(address: u32) -> usize {
    address as usize % RAM_BYTES
}

/// Wraps a word's address to sound RAM.
#[inline]
fn word_in_ram(address: u32) -> usize {
    (address as usize % RAM_BYTES) & !3
}

/// The ARM7's bus ignores address bits 31 to 24 ("Memory map").
impl Bus for Block {
    #[inline]
    fn read8(&mut self, address: u32) -> u8 {
        match Block::arm_register(address) {
            Some(offset) => self.read(Processor::Arm, offset, 1) as u8,
            None => self.ram[in_ram(address)],
        }
    }

    #[inline]
    fn read32(&mut self, address: u32) -> u32 {
        if let Some(offset) = Block::arm_register(address) {
            return self.read(Processor::Arm, offset, 4);
        }
        let bytes = self.ram[word_in_ram(address)..].first_chunk();
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    #[inline]
    fn write8(&mut self, address: u32, value: u8) {
        match Block::arm_register(address) {
            Some(offset) => self.write(Processor::Arm, offset, 1, value.into()),
            None => {
                let place = &mut self.ram[in_ram(address)];
                self.changed |= *place != value;
                *place = value;
                self.note_write(in_ram(address), 1);
            }
        }
    }

    #[inline]
    fn write32(&mut self, address: u32, value: u32) {
        if let Some(offset) = Block::arm_register(address) {
            self.write(Processor::Arm, offset, 4, value);
            return;
        }
        if let Some(bytes) = self.ram[word_in_ram(address)..].first_chunk_mut() {
            self.changed |= *bytes != value.to_le_bytes();
            *bytes = value.to_le_bytes();
            self.note_write(word_in_ram(address), 4);
        }
    }

    #[inline]
    fn fiq(&self) -> bool {
        self.fiq
    }

    /// Returns whether the ARM7 changed no state since the last call. Apart from the ARM7's own writes,
    /// registers change only between samples, when the ARM7 does not run.
    #[inline]
    fn quiet(&mut self) -> bool {
        !std::mem::take(&mut self.changed)
    }
}
