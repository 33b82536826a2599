//! The sound block as the SH4 sees it.

use crate::map::Device;
use crate::system::System;
use crate::time::Cycles;

/// Bytes of sound memory.
pub(crate) const SOUND_BYTES: usize = 2 << 20;

/// Sound memory and registers.
#[derive(Clone, Debug)]
pub(crate) struct Sound {
    ram: Vec<u8>,
    registers: Vec<u16>,
}

impl Default for Sound {
    fn default() -> Self {
        let mut registers = vec![0; 0x8000 / 4];
        registers[0x2C00 / 4] = 1;
        Self {
            ram: vec![0; SOUND_BYTES],
            registers,
        }
    }
}

impl System {
    pub(crate) fn read_sound(&mut self, offset: u32) -> u32 {
        self.sound
            .registers
            .get(offset as usize / 4)
            .copied()
            .unwrap_or(0)
            .into()
    }

    pub(crate) fn write_sound(&mut self, offset: u32, value: u32, _size: usize) {
        if let Some(register) = self.sound.registers.get_mut(offset as usize / 4) {
            *register = value as u16;
        }
    }

    /// Four bytes of sound memory.
    pub(crate) fn read_sound_ram(&mut self, address: u32) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|n| {
            self.sound_byte(address.wrapping_add(n as u32))
        }))
    }

    pub(crate) fn sound_byte(&self, address: u32) -> u8 {
        self.sound.ram[address as usize % SOUND_BYTES]
    }

    pub(crate) fn write_sound_ram(&mut self, address: u32, data: &[u8]) {
        for (n, byte) in data.iter().enumerate() {
            self.sound.ram[(address as usize + n) % SOUND_BYTES] = *byte;
        }
    }

    /// Sound memory without any effect: for fetches and debuggers.
    pub(crate) fn peek_sound<const N: usize>(&self, device: Device, address: u32) -> Option<[u8; N]> {
        (device == Device::SoundRam)
            .then(|| std::array::from_fn(|n| self.sound_byte(address.wrapping_add(n as u32))))
    }

    pub(crate) fn sound_event(&mut self, _time: Cycles) {}
}
