//! What goes past the caches: other memory and devices, the chip's registers, the store queues.

use super::cache::{Areas, CacheSettings};
use super::passing::Passing;
use super::queue::queue;
use super::stall::Wait;
use super::{DataAccess, MemoryModel};
use crate::cause::Cause;
use sh4::Direction;

impl MemoryModel {
    pub(super) fn read_past_cache(&mut self, address: u32, bytes: u8, cause: Cause, wait: &mut Wait<'_>) {
        let burst = self.lines.slaves.burst(Direction::Read, address, bytes);
        self.timing.read_out(&burst, cause, wait);
    }

    pub(super) fn write_past_cache(&mut self, access: &DataAccess, wait: &mut Wait<'_>) {
        let burst = self
            .lines
            .slaves
            .burst(Direction::Write, access.address, access.size);
        self.timing.write_out(&burst, wait);
    }

    /// Registers of the chip that the model itself obeys: CCR and the store queues' targets.
    pub(super) fn register(&mut self, access: &DataAccess, value: u32) {
        self.lines.stats.on_chip += 1;
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

    /// CCR: bits 3 and 11 empty the caches.
    #[cold]
    fn control(&mut self, value: u32) {
        self.lines.passing.bar_all(&mut self.lines.stats);
        self.settings = CacheSettings::from_ccr(value);
        self.lines.areas = Areas::new(&self.settings);
        self.lines.passing = Passing::new(&self.settings);
        self.code_version += 1;
        if value & 1 << 3 != 0 {
            self.drop_operand_cache();
        }
        if value & 1 << 11 != 0 {
            self.drop_instruction_cache();
        }
    }

    pub(super) fn write_queue(&mut self, address: u32, wait: &mut Wait<'_>) {
        self.timing.write_queue(queue(address), wait);
        self.lines.stats.queue_writes += 1;
    }

    pub(super) fn send_queue(&mut self, address: u32, wait: &mut Wait<'_>) {
        let burst = self
            .lines
            .slaves
            .burst(Direction::Write, self.queues.target(address), 32);
        self.timing.send_queue(queue(address), &burst, wait);
        self.lines.stats.queue_flushes += 1;
    }
}
