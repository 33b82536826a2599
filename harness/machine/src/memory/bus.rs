//! Bus interface of the memory for the CPU.

use super::{Memory, Place, chunk, chunk_mut, ram_offset};
use sh4::{Bus, BusError, Window};

impl Memory {
    #[inline(always)]
    fn load<const N: usize>(&mut self, address: u32) -> Result<[u8; N], BusError> {
        match ram_offset(address).and_then(|offset| chunk(&self.ram, offset)) {
            Some(value) => Ok(value),
            None => self.load_elsewhere(address),
        }
    }

    #[cold]
    fn load_elsewhere<const N: usize>(&mut self, address: u32) -> Result<[u8; N], BusError> {
        match self.place(address) {
            Some(Place::Ram(offset)) => chunk(&self.ram, offset).ok_or(BusError::Unmapped),
            Some(Place::Region(index, offset)) => {
                chunk(&self.regions[index].bytes, offset).ok_or(BusError::Unmapped)
            }
            None => self.load_register(address),
        }
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, address: u32, value: [u8; N]) -> Result<(), BusError> {
        match ram_offset(address).and_then(|offset| Some((offset, chunk_mut(&mut self.ram, offset)?))) {
            Some((offset, target)) => {
                *target = value;
                self.watch.written(offset as u32, N as u32);
                Ok(())
            }
            None => self.store_elsewhere(address, &value),
        }
    }

    #[cold]
    fn store_elsewhere(&mut self, address: u32, value: &[u8]) -> Result<(), BusError> {
        match self.place(address) {
            Some(Place::Ram(_)) => Err(BusError::Unmapped),
            Some(Place::Region(index, offset)) => {
                let region = &mut self.regions[index];
                let target = region
                    .bytes
                    .get_mut(offset..)
                    .and_then(|rest| rest.get_mut(..value.len()));
                target.ok_or(BusError::Unmapped)?.copy_from_slice(value);
                let before = region.watch.epoch();
                region.watch.written(offset as u32, value.len() as u32);
                self.regions_epoch += region.watch.epoch() - before;
                Ok(())
            }
            None => self.store_register(address, value),
        }
    }
}

impl Bus for Memory {
    #[inline(always)]
    fn read8(&mut self, address: u32) -> Result<u8, BusError> {
        self.load(address).map(u8::from_le_bytes)
    }

    #[inline(always)]
    fn read16(&mut self, address: u32) -> Result<u16, BusError> {
        self.load(address).map(u16::from_le_bytes)
    }

    #[inline(always)]
    fn read32(&mut self, address: u32) -> Result<u32, BusError> {
        self.load(address).map(u32::from_le_bytes)
    }

    #[inline(always)]
    fn read64(&mut self, address: u32) -> Result<u64, BusError> {
        self.load(address).map(u64::from_le_bytes)
    }

    #[inline(always)]
    fn write8(&mut self, address: u32, value: u8) -> Result<(), BusError> {
        self.store(address, value.to_le_bytes())
    }

    #[inline(always)]
    fn write16(&mut self, address: u32, value: u16) -> Result<(), BusError> {
        self.store(address, value.to_le_bytes())
    }

    #[inline(always)]
    fn write32(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        self.store(address, value.to_le_bytes())
    }

    #[inline(always)]
    fn write64(&mut self, address: u32, value: u64) -> Result<(), BusError> {
        self.store(address, value.to_le_bytes())
    }

    fn fetch(&mut self, address: u32) -> Result<u16, BusError> {
        match self.place(address) {
            Some(_) => self.load(address).map(u16::from_le_bytes),
            None => Err(BusError::Unmapped),
        }
    }

    fn prefetch(&mut self, address: u32) -> Result<(), BusError> {
        // At other addresses PREF fills a cache line. `Cached` does this; without the cache it has no effect.
        if (0xE000_0000..=0xE3FF_FFFF).contains(&address) {
            self.send_queue(address, self.queue_target(address))
        } else {
            Ok(())
        }
    }

    fn send_store_queue(&mut self, address: u32, physical: u32) -> Result<(), BusError> {
        self.send_queue(address, physical)
    }

    fn performance_count(&mut self, event: u8) -> Option<u64> {
        // If another thread panicked, its count is not reliable.
        self.source.as_ref()?.0.lock().ok()?.count(event)
    }

    fn window(&mut self) -> Option<Window<'_>> {
        Some(Window {
            bytes: &mut self.ram,
            watched: self.watch.versions(),
            // Bit 30 is included to exclude P4. It also excludes P3 and the upper half of P0, which few
            // programs use.
            select: 0x5C00_0000,
            value: 0x0C00_0000,
            queues: None,
            on_chip_ram: None,
            marked: None,
            steady: false,
        })
    }

    fn code_watch(&mut self, address: u32, bytes: u32) {
        match self.place(address) {
            Some(Place::Ram(offset)) => self.watch.watch(offset as u32, bytes),
            Some(Place::Region(region, offset)) => self.regions[region].watch.watch(offset as u32, bytes),
            None => {}
        }
    }

    #[inline(always)]
    fn code_epoch(&self) -> u64 {
        if self.regions.is_empty() {
            // The usual case, checked before every block and after every store.
            return self.watch.epoch();
        }
        self.watch.epoch() + self.regions_epoch
    }

    fn code_version(&self, address: u32) -> u64 {
        match self.place(address) {
            Some(Place::Ram(offset)) => self.watch.version(offset as u32),
            Some(Place::Region(region, offset)) => self.regions[region].watch.version(offset as u32),
            None => 0,
        }
    }
}
