//! Accesses without the caches: other memory and devices, the chip's registers, the store queues.

use super::cache::{Areas, CacheSettings, EntryIndex};
use super::queue::queue;
use super::stall::Wait;
use super::{DataAccess, MemoryModel};
use crate::cause::Cause;
use sh4::Direction;

/// True for registers on the peripheral bus: modules from FF80 up, without CCN and UBC.
fn is_peripheral(address: u32) -> bool {
    (0x1F80_0000..0x1FFF_0000).contains(&(address & 0x1FFF_FFFF))
}

impl MemoryModel {
    pub(crate) fn read_uncached(&mut self, address: u32, bytes: u8, cause: Cause, wait: &mut Wait<'_>) {
        let burst = self.lines.targets.burst(Direction::Read, address, bytes);
        self.transfers.read_out(&burst, cause, wait);
    }

    pub(crate) fn write_uncached(&mut self, access: &DataAccess, wait: &mut Wait<'_>) {
        let burst = self
            .lines
            .targets
            .burst(Direction::Write, access.address, access.size);
        self.transfers.write_out(&burst, wait);
    }

    /// Handles the chip's registers that affect the model: CCR, QACR0 and QACR1.
    pub(crate) fn register(&mut self, access: &DataAccess, value: u32, wait: &mut Wait<'_>) {
        self.lines.stats.on_chip += 1;
        if is_peripheral(access.address) {
            wait.until(wait.at + self.register_access, Cause::Uncached);
        }
        if access.direction != Direction::Write {
            return;
        }
        match access.address & 0x1FFF_FFFF {
            0x1F00_001C => self.control(value),
            0x1F00_0038 => self.queues.qacr[0] = value,
            0x1F00_003C => self.queues.qacr[1] = value,
            _ => {}
        }
    }

    /// Handles CCR: bits 3 and 11 empty the caches.
    #[cold]
    fn control(&mut self, value: u32) {
        self.settings = CacheSettings::from_ccr(value);
        self.lines.areas = Areas::new(&self.settings);
        self.lines.index = EntryIndex::new(&self.settings);
        self.code_version += 1;
        if value & 1 << 3 != 0 {
            self.drop_operand_cache();
        }
        if value & 1 << 11 != 0 {
            self.drop_instruction_cache();
        }
    }

    pub(crate) fn write_queue(&mut self, address: u32, wait: &mut Wait<'_>) {
        self.transfers.write_queue(queue(address), wait);
        self.lines.stats.queue_writes += 1;
    }

    pub(crate) fn send_queue(&mut self, address: u32, wait: &mut Wait<'_>) {
        let burst = self
            .lines
            .targets
            .burst(Direction::Write, self.queues.target(address), 32);
        self.transfers.send_queue(queue(address), &burst, wait);
        self.lines.stats.queue_flushes += 1;
    }
}
