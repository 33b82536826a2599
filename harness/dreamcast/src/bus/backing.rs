//! RAM accessed through the operand cache.

use super::physical;
use crate::system::{System, ram_offset};
use machine::Backing;
use machine::cache::OperandCache;
use sh4::BusError;

impl Backing for System {
    fn operand_cache(&mut self) -> &mut OperandCache {
        &mut self.cache
    }

    fn is_cacheable(&self, address: u32) -> bool {
        // Only RAM is cached here. Devices and video memory bypass the cache.
        ram_offset(address).is_some()
    }

    fn read_line(&self, address: u32) -> Option<[u8; 32]> {
        self.ram_at(physical(address), 32)?.try_into().ok()
    }

    fn write_line(&mut self, address: u32, data: &[u8; 32]) -> bool {
        self.write_back_ram(physical(address), data)
    }

    fn reads_stale(&mut self, address: u32, held: &[u8], stale: u32) -> Result<(), BusError> {
        self.check_stale_read(address, held, stale)
    }

    fn writes_stale(&mut self, address: u32, data: &[u8], stale: u32) -> Result<(), BusError> {
        self.check_lost_write(address, data, stale)
    }

    #[inline(always)]
    fn before_read(&mut self, address: u32, bytes: u32) -> Result<(), BusError> {
        self.watch(address, bytes, false)?;
        match self.checks {
            Some(_) => self.check_read(address, bytes),
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn before_write(&mut self, address: u32, bytes: u32) -> Result<(), BusError> {
        self.watch(address, bytes, true)?;
        match self.checks {
            Some(_) => self.check_heap(address, bytes, true),
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn after_write(&mut self, address: u32, bytes: u32) {
        if self.checks.is_some()
            && let Some(offset) = ram_offset(address)
        {
            self.written(offset, bytes as usize);
        }
    }

    fn stored_uncached(&mut self, address: u32, bytes: u32) {
        if ram_offset(address).is_some() {
            self.cache.mark_stale(physical(address), bytes);
        }
    }

    #[inline(always)]
    fn stored_in_line(&mut self, address: u32) {
        if let Some(offset) = ram_offset(address) {
            self.code.written(offset as u32 & !31, 32);
        }
    }
}
