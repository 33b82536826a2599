//! Mapped memory as the CPU's bus.

use crate::Permission;
use crate::memory::{Mapped, P4, PHYSICAL};
use sh4::watch::LINE;
use sh4::{Bus, BusError};

/// Spreads generations, so that different sets of them have different sums.
fn spread(generation: u32) -> u64 {
    let mixed = (u64::from(generation) ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB)
}

impl Mapped {
    fn find(&self, address: u32) -> Option<(usize, usize)> {
        if address >= P4 {
            return None;
        }
        let physical = address & PHYSICAL;
        let index = self
            .regions
            .partition_point(|r| r.start <= physical)
            .checked_sub(1)?;
        let offset = (physical - self.regions[index].start) as usize;
        (offset < self.regions[index].bytes.len()).then_some((index, offset))
    }

    fn load<const N: usize>(&self, address: u32, permission: Permission) -> Result<[u8; N], BusError> {
        let (index, offset) = self.find(address).ok_or(BusError::Unmapped)?;
        let region = &self.regions[index];
        let bytes = region.bytes[offset..].first_chunk().ok_or(BusError::Unmapped)?;
        let allowed = region.permission.allows(permission);
        allowed.then_some(*bytes).ok_or(BusError::Protected)
    }

    fn store<const N: usize>(&mut self, address: u32, value: [u8; N]) -> Result<(), BusError> {
        // Store queues take stores; nothing is behind them.
        if address >> 26 == P4 >> 26 {
            return Ok(());
        }
        let (index, offset) = self.find(address).ok_or(BusError::Unmapped)?;
        let region = &mut self.regions[index];
        let bytes = region.bytes[offset..]
            .first_chunk_mut()
            .ok_or(BusError::Unmapped)?;
        if !region.permission.allows(Permission::WRITE) {
            return Err(BusError::Protected);
        }
        *bytes = value;
        let before = region.watch.epoch();
        region
            .watch
            .written_range(region.watched(address & PHYSICAL), N as u32);
        self.epoch += region.watch.epoch() - before;
        Ok(())
    }
}

macro_rules! accesses {
    ($($read:ident $write:ident $value:ty;)+) => {$(
        fn $read(&mut self, address: u32) -> Result<$value, BusError> {
            self.load(address, Permission::READ).map(<$value>::from_le_bytes)
        }

        fn $write(&mut self, address: u32, value: $value) -> Result<(), BusError> {
            self.store(address, value.to_le_bytes())
        }
    )+};
}

impl Bus for Mapped {
    accesses! {
        read8 write8 u8;
        read16 write16 u16;
        read32 write32 u32;
        read64 write64 u64;
    }

    fn fetch(&mut self, address: u32) -> Result<u16, BusError> {
        self.load(address, Permission::EXEC).map(u16::from_le_bytes)
    }

    fn prefetch(&mut self, _address: u32) -> Result<(), BusError> {
        Ok(())
    }

    fn code_watch(&mut self, address: u32, bytes: u32) {
        let start = address & PHYSICAL;
        let end = start.saturating_add(bytes);
        for region in &mut self.regions {
            let (from, to) = (region.start.max(start), region.end().min(end));
            if from < to {
                region.watch.watch(region.watched(from), to - from);
            }
        }
    }

    fn code_epoch(&self) -> u64 {
        self.epoch
    }

    fn code_version(&self, address: u32) -> u64 {
        let line = address & PHYSICAL & !(LINE - 1);
        let inside = self
            .regions
            .iter()
            .filter(|r| r.start < line + LINE && line < r.end());
        inside.fold(0, |sum, region| {
            let version = region.watch.version(region.watched(line));
            sum.wrapping_add(spread(region.generation)).wrapping_add(version)
        })
    }
}
