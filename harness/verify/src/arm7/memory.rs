//! The memory of a standalone ARM7 program: 2 MiB of sound RAM at 0, and the sound chip's registers at
//! 00800000.

use machine::MemoryError;

use super::sound_registers::{self, Recorder, SoundRegisters};
use super::stop::Stop;
use arm7::cpu::Bus;

/// Bytes of sound RAM, at 0.
pub(crate) const RAM: u32 = 2 << 20;
/// First address of the sound chip's registers.
const REGISTERS: u32 = 0x0080_0000;

#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) ram: Vec<u8>,
    /// Set for each page of RAM that may have changed since [`Memory::clear`].
    changed: Vec<bool>,
    pub(crate) registers: Box<dyn SoundRegisters>,
    /// The address of the running instruction.
    pub(crate) pc: Option<u32>,
    /// The first access to an unmapped address.
    pub(crate) fault: Option<Stop>,
    /// Ranges in which stores are allowed; `None` allows all.
    pub(crate) writable: Option<Vec<(u32, u32)>>,
    /// The first store outside `writable`: instruction, address, bytes.
    pub(crate) stray: Option<(u32, u32, u8)>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            ram: vec![0; RAM as usize],
            changed: vec![false; (RAM / PAGE) as usize],
            registers: Box::<Recorder>::default(),
            pc: None,
            fault: None,
            writable: None,
            stray: None,
        }
    }
}

/// Checks that a range is sound RAM.
///
/// # Errors
/// If not all of the range is sound RAM.
pub(crate) fn in_ram(address: u32, size: u32) -> Result<(), MemoryError> {
    match address.checked_add(size).is_some_and(|end| end <= RAM) {
        true => Ok(()),
        false => Err(MemoryError::Unmapped { address, size }),
    }
}

/// The offset of `address` in the registers.
fn register(address: u32) -> Option<u32> {
    let offset = address.wrapping_sub(REGISTERS);
    ((offset as usize) < sound_registers::BYTES).then_some(offset)
}

/// Size in bytes of a page of RAM. The memory records changes by page.
const PAGE: u32 = 4096;

impl Memory {
    /// Marks `size` bytes of RAM at `address` as changed.
    pub(crate) fn mark(&mut self, address: u32, size: u32) {
        let last = address.saturating_add(size.saturating_sub(1));
        for page in address / PAGE..=last / PAGE {
            if let Some(changed) = self.changed.get_mut(page as usize) {
                *changed = true;
            }
        }
    }

    /// Fills every changed page of RAM with zeros.
    pub(crate) fn clear(&mut self) {
        let pages = self.ram.chunks_mut(PAGE as usize).zip(&mut self.changed);
        for (page, changed) in pages {
            if std::mem::take(changed) {
                page.fill(0);
            }
        }
    }

    /// Clears the records of the last run.
    pub(crate) fn begin(&mut self) {
        self.pc = None;
        self.fault = None;
        self.stray = None;
    }

    /// The word of sound RAM at `address`.
    pub(crate) fn opcode(&self, address: u32) -> Option<u32> {
        let bytes = self.ram.get(address as usize..)?;
        bytes.first_chunk().map(|word| u32::from_le_bytes(*word))
    }

    /// Records a store if it is the first outside of `writable`.
    fn stored(&mut self, address: u32, size: u32) {
        let Some(writable) = &self.writable else { return };
        let inside = |(start, length): &(u32, u32)| {
            let offset = address.checked_sub(*start);
            offset.is_some_and(|offset| offset.saturating_add(size) <= *length)
        };
        if self.stray.is_none() && !writable.iter().any(inside) {
            self.stray = Some((self.pc.unwrap_or_default(), address, size as u8));
        }
    }

    fn read<const N: usize>(&mut self, address: u32) -> [u8; N] {
        let size = N as u32;
        if let Some(bytes) = self
            .ram
            .get(address as usize..)
            .and_then(|rest| rest.first_chunk())
        {
            return *bytes;
        }
        let value = match register(address) {
            Some(offset) => self.registers.read(offset, size),
            None => {
                self.fault.get_or_insert(Stop::unmapped("read", address, size));
                0
            }
        };
        value.to_le_bytes().first_chunk().copied().unwrap_or([0; N])
    }

    fn write<const N: usize>(&mut self, address: u32, bytes: [u8; N]) {
        let size = N as u32;
        if let Some(place) = self
            .ram
            .get_mut(address as usize..)
            .and_then(|rest| rest.first_chunk_mut())
        {
            *place = bytes;
            self.mark(address, size);
            self.stored(address, size);
            return;
        }
        let value = bytes
            .iter()
            .rev()
            .fold(0, |value, byte| value << 8 | u32::from(*byte));
        match register(address) {
            Some(offset) => self.registers.write(offset, size, value),
            None => {
                self.fault.get_or_insert(Stop::unmapped("write", address, size));
            }
        }
    }
}

impl Bus for Memory {
    fn read8(&mut self, address: u32) -> u8 {
        let [byte] = self.read(address);
        byte
    }

    fn read32(&mut self, address: u32) -> u32 {
        u32::from_le_bytes(self.read(address))
    }

    fn write8(&mut self, address: u32, value: u8) {
        self.write(address, [value]);
    }

    fn write32(&mut self, address: u32, value: u32) {
        self.write(address, value.to_le_bytes());
    }
}
