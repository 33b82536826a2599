//! On-chip registers in P4: the console's peripherals, cache control, and the CPU's own registers.

use super::{physical, word};
use crate::diagnostics::Oddity;
use crate::system::System;
use machine::cache::ccr;
use sh4::BusError;

/// EXPEVT, which exception handlers read.
const EXPEVT: u32 = 0xFF00_0024;

impl System {
    pub(super) fn load_p4<const N: usize>(&mut self, address: u32) -> Result<[u8; N], BusError> {
        if !self.exact
            && N <= 4
            && let Some(value) = self.read_steady_onchip(address)
        {
            return value
                .to_le_bytes()
                .first_chunk()
                .copied()
                .ok_or(BusError::Refused);
        }
        if !self.exact && address >= 0xF000_0000 && !is_cpu_register(address) && !is_cache_register(address) {
            return Err(BusError::Deferred);
        }
        let value = match address {
            // The manual does not define reads of the store queues.
            0xE000_0000..=0xEFFF_FFFF if !self.exact => return Err(BusError::Deferred),
            0xE000_0000..=0xEFFF_FFFF => {
                self.diagnostics.note(Oddity::Unassigned, address);
                0
            }
            0xF000_0000..=0xF1FF_FFFF => 0,
            0xF400_0000..=0xF4FF_FFFF => self.cache.read_address_array(address),
            0xF500_0000..=0xF5FF_FFFF => word(self.cache.array_word(address)),
            0xFF00_001C => self.cache.ccr(),
            0xFF00_0038 => self.qacr[0],
            0xFF00_003C => self.qacr[1],
            EXPEVT => {
                self.note_handler();
                return Err(BusError::Unmapped);
            }
            _ if is_cpu_register(address) => return Err(BusError::Unmapped),
            _ => self.read_onchip(address),
        };
        let mut bytes = [0; N];
        let length = N.min(4);
        bytes[..length].copy_from_slice(&value.to_le_bytes()[..length]);
        Ok(bytes)
    }

    /// Reads the registers that KallistiOS uses most, if they need no exact time: TSTR and TCR, IPR, SCFSR2,
    /// CHCR and DMAOR.
    fn read_steady_onchip(&mut self, address: u32) -> Option<u32> {
        let value = match address {
            0xFFD0_0004 | 0xFFD0_0008 | 0xFFD0_000C => self.intc.read(address & 0xFF),
            0xFFD8_0004 | 0xFFD8_0010 | 0xFFD8_001C | 0xFFD8_0028 => self.tmu.read(address & 0xFF, self.now),
            0xFFA0_000C | 0xFFA0_001C | 0xFFA0_002C | 0xFFA0_003C | 0xFFA0_0040 => {
                self.dmac.read(address & 0xFF, self.now)
            }
            0xFFE8_0010 => self.scif.read(0x10),
            _ => return None,
        };
        self.diagnostics.polls(address);
        Some(value)
    }

    pub(super) fn read_onchip(&mut self, address: u32) -> u32 {
        self.diagnostics.polls(address);
        let (offset, now) = (address & 0xFFFF, self.now);
        match address & 0xFFFF_0000 {
            0xFFD0_0000 => self.intc.read(offset),
            0xFFD8_0000 => self.tmu.read(offset, now),
            0xFFA0_0000 => self.dmac.read(offset, now),
            0xFFE0_0000 => self.sci.read(offset),
            0xFFE8_0000 => {
                let value = self.scif.read(offset);
                self.update_interrupts();
                value
            }
            0xFFC0_0000 if matches!(offset, 8 | 12) => self.watchdog.read(offset, now),
            0xFF80_0000 if offset == 0x2C => self.port.control(),
            0xFF80_0000 if offset == 0x30 => self.port.data().into(),
            _ => match self.stored.read(address) {
                Some(value) => value,
                None => {
                    self.diagnostics.note(Oddity::UnknownRegister, address);
                    0
                }
            },
        }
    }

    pub(super) fn store_p4(&mut self, address: u32, value: &[u8]) -> Result<(), BusError> {
        if let 0xE000_0000..=0xE3FF_FFFF = address {
            return self.store_queue(address, value);
        }
        if is_cpu_register(address) {
            return Err(BusError::Unmapped);
        }
        if !self.exact && !is_cache_register(address) {
            return Err(BusError::Deferred);
        }
        let data = word(value);
        match address {
            0xF000_0000..=0xF0FF_FFFF => self.write_instruction_array(address, data),
            0xE400_0000..=0xF1FF_FFFF => {}
            0xF400_0000..=0xF4FF_FFFF => {
                if let Some((target, line)) = self.cache.write_address_array(address, data) {
                    self.write_back_ram(physical(target), &line);
                }
            }
            0xF500_0000..=0xF5FF_FFFF if value.len() == 4 => {
                self.cache.array_word(address).copy_from_slice(value)
            }
            0xFF00_001C => self.set_ccr(data)?,
            0xFF00_0038 | 0xFF00_003C => {
                let index = (address >> 2 & 1) as usize;
                self.check_qacr(data)?;
                self.qacr[index] = data & 0x1C;
            }
            _ => self.write_onchip(address, data, value.len() as u8),
        }
        Ok(())
    }

    fn set_ccr(&mut self, value: u32) -> Result<(), BusError> {
        self.check_reserved("CCR", value, ccr::MASK)?;
        self.cache.set_ccr(value);
        self.ccr_written = true;
        if value & ccr::ICI != 0 {
            self.invalidate_instructions();
        }
        Ok(())
    }

    fn write_onchip(&mut self, address: u32, value: u32, size: u8) {
        let (offset, now) = (address & 0xFFFF, self.now);
        match address & 0xFFFF_0000 {
            0xFFD0_0000 => self.intc.write(offset, value),
            0xFFD8_0000 => self.tmu.write(offset, value, now, &mut self.scheduler),
            0xFFA0_0000 => {
                self.check_dmac_write(offset, value);
                self.write_dmac(offset, value);
            }
            0xFFE0_0000 => self.sci.write(offset, value),
            0xFFE8_0000 => self.scif.write(offset, value),
            0xFFC0_0000 if matches!(offset, 8 | 12) => {
                self.watchdog.write(offset, value, size, now, &mut self.scheduler);
            }
            0xFF80_0000 if offset == 0x2C => self.port.set_control(value),
            0xFF80_0000 if offset == 0x30 => self.port.set_data(value as u16),
            // SDRAM mode registers encode the value in the address.
            0xFF90_0000 | 0xFF94_0000 => {}
            _ => match self.stored.write(address, value) {
                Some(false) => {}
                Some(true) => self.diagnostics.note(Oddity::Inert, address),
                None => self.diagnostics.note(Oddity::UnknownRegister, address),
            },
        }
        self.update_interrupts();
    }
}

/// Returns whether a register in P4 belongs to the CPU. The CPU tries the bus first, and the bus reports
/// these registers as unmapped.
fn is_cpu_register(address: u32) -> bool {
    match address >> 24 {
        0xF2 | 0xF3 | 0xF6 | 0xF7 => true,
        0xFF => matches!(
            address & 0x00FF_FFFF,
            0x00..=0x18
                | 0x20..=0x28
                | 0x30..=0x34
                | 0x84
                | 0x88
                | 0x10_0004..=0x10_0010
                | 0x20_0000..=0x20_0020
        ),
        _ => false,
    }
}

/// Returns whether a register is CCR or QACR, which need no exact time.
fn is_cache_register(address: u32) -> bool {
    matches!(address, 0xFF00_001C | 0xFF00_0038 | 0xFF00_003C)
}
