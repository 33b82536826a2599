//! Accesses to P4 (E0000000 and up) and to on-chip RAM: store queues, cache arrays and on-chip registers.

use super::{Memory, TA_LIMIT};
use sh4::BusError;

/// Addresses of the store queues.
const QUEUES: std::ops::RangeInclusive<u32> = 0xE000_0000..=0xE3FF_FFFF;
const CCR: u32 = 0xFF00_001C;
const QACR0: u32 = 0xFF00_0038;
const QACR1: u32 = 0xFF00_003C;

impl Memory {
    /// Loads from on-chip RAM, a cache array or a register. Refuses reads of the store queues, which are
    /// undefined on this chip.
    #[cold]
    pub(super) fn load_register<const N: usize>(&mut self, address: u32) -> Result<[u8; N], BusError> {
        if let Some((line, offset)) = self.cache.ram(address) {
            return super::chunk(self.cache.data(line), offset).ok_or(BusError::Refused);
        }
        let value = match address >> 24 {
            0xE0..=0xE3 => return Err(BusError::Refused),
            0xF4 => self.cache.read_address_array(address),
            0xF5 => word(self.cache.array_word(address)),
            0xFF if address == CCR => self.cache.ccr(),
            0xFF if address == QACR0 => self.qacr[0],
            0xFF if address == QACR1 => self.qacr[1],
            0xFF if self.peripherals.is_some() => return self.load_peripheral(address),
            _ => return Err(BusError::Unmapped),
        };
        let bytes = value.to_le_bytes();
        bytes
            .first_chunk()
            .filter(|_| N == 4)
            .copied()
            .ok_or(BusError::Refused)
    }

    /// Stores to on-chip RAM, a store queue, a cache array or a register.
    #[cold]
    pub(super) fn store_register(&mut self, address: u32, value: &[u8]) -> Result<(), BusError> {
        if let Some((line, offset)) = self.cache.ram(address) {
            let target = self.cache.data(line).get_mut(offset..offset + value.len());
            target.ok_or(BusError::Refused)?.copy_from_slice(value);
            return Ok(());
        }
        if QUEUES.contains(&address) {
            return self.store_queue(address, value);
        }
        let known =
            matches!(address >> 24, 0xF0 | 0xF1 | 0xF4 | 0xF5) || [CCR, QACR0, QACR1].contains(&address);
        if known && value.len() != 4 {
            return Err(BusError::Refused);
        }
        match address >> 24 {
            // The instruction cache is always coherent, so there are no lines to invalidate.
            0xF0 | 0xF1 => Ok(()),
            0xF4 => match self.cache.write_address_array(address, word(value)) {
                Some((target, data)) => self.write(target, &data).map_err(|_| BusError::Unmapped),
                None => Ok(()),
            },
            0xF5 => {
                self.cache.array_word(address).copy_from_slice(value);
                Ok(())
            }
            0xFF => self.store_control(address, word(value)),
            _ => Err(BusError::Unmapped),
        }
    }

    fn store_control(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        match address {
            CCR => self.cache.set_ccr(value),
            QACR0 => self.qacr[0] = value & 0x1C,
            QACR1 => self.qacr[1] = value & 0x1C,
            _ => {
                let peripherals = self.peripherals.as_mut().ok_or(BusError::Unmapped)?;
                return peripherals.write(address, value);
            }
        }
        Ok(())
    }

    fn load_peripheral<const N: usize>(&mut self, address: u32) -> Result<[u8; N], BusError> {
        let peripherals = self.peripherals.as_mut().ok_or(BusError::Unmapped)?;
        let bytes = peripherals.read(address)?.to_le_bytes();
        bytes.first_chunk().copied().ok_or(BusError::Refused)
    }

    fn store_queue(&mut self, address: u32, value: &[u8]) -> Result<(), BusError> {
        if !matches!(value.len(), 4 | 8) {
            return Err(BusError::Refused);
        }
        let queue = &mut self.queues[(address >> 5 & 1) as usize];
        let offset = (address & 0x1C) as usize;
        let target = queue.get_mut(offset..offset + value.len());
        target.ok_or(BusError::Refused)?.copy_from_slice(value);
        Ok(())
    }

    /// Target of a store queue: QACR bits 4-2 give bits 28-26, and `address` gives bits 25-5 (SH7750 manual
    /// 4.6.3).
    pub(super) fn queue_target(&self, address: u32) -> u32 {
        let qacr = self.qacr[(address >> 5 & 1) as usize];
        (qacr & 0x1C) << 24 | address & 0x03FF_FFE0
    }

    /// Sends the store queue of `address` to the physical address `target`.
    pub(super) fn send_queue(&mut self, address: u32, target: u32) -> Result<(), BusError> {
        let index = (address >> 5 & 1) as usize;
        let data = self.queues[index];
        if (0x1000_0000..0x1080_0000).contains(&target) {
            if self.ta.len() >= TA_LIMIT {
                return Err(BusError::Refused);
            }
            let mut block = [0; 8];
            for (word, bytes) in block.iter_mut().zip(data.as_chunks::<4>().0) {
                *word = u32::from_le_bytes(*bytes);
            }
            self.ta.push(block);
            return Ok(());
        }
        self.write(target, &data).map_err(|_| BusError::Unmapped)
    }
}

/// Assembles four bytes to a word; missing bytes are 0.
fn word(bytes: &[u8]) -> u32 {
    let mut word = [0; 4];
    for (target, byte) in word.iter_mut().zip(bytes) {
        *target = *byte;
    }
    u32::from_le_bytes(word)
}
