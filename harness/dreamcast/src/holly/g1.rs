//! The G1 bus: the drive's registers, and DMA between the drive and memory.

use super::drive::Delay;
use super::events::{error, external, normal};
use crate::diagnostics::Oddity;
use crate::scheduler::Event;
use crate::system::{System, ram_offset};

const GDSTAR: u32 = 0x005F_7404;
const GDLEN: u32 = 0x005F_7408;
const GDDIR: u32 = 0x005F_740C;
const GDEN: u32 = 0x005F_7414;
const GDST: u32 = 0x005F_7418;
const GDAPRO: u32 = 0x005F_74B8;
const GDSTARD: u32 = 0x005F_74F4;
const GDLEND: u32 = 0x005F_74F8;
/// Delay in cycles before the first byte, as for the other DMA channels.
const START: u64 = 165;
const VRAM_BYTES: usize = 8 << 20;

impl System {
    pub(crate) fn read_drive(&mut self, address: u32, size: usize) -> u32 {
        let value = self.drive.read(address & 0x3FF, size, self.now);
        self.drive_changed();
        value
    }

    pub(crate) fn write_drive(&mut self, address: u32, value: u32) {
        self.drive.write(address & 0x3FF, value);
        self.drive_changed();
    }

    pub(crate) fn drive_event(&mut self) {
        // Plays audio up to now before the drive moves.
        self.sync_sound();
        self.drive.proceed(self.now);
        self.drive_changed();
        self.feed_g1();
    }

    /// Updates the drive's interrupt line, and schedules its next step.
    fn drive_changed(&mut self) {
        if let Some(delay) = self.drive.wants.take() {
            let cycles = match delay {
                Delay::Command => self.settings.gd_command_time,
                Delay::Read(bytes) => bytes as u64 * self.settings.gd_disc_rate,
            };
            self.scheduler.set(Event::Drive, self.now + cycles);
        }
        self.events.set_external(external::DRIVE, self.drive.interrupt);
        self.update_interrupts();
    }

    fn g1_length(&self) -> u32 {
        match self.holly.get(GDLEN) {
            0 => 1 << 25,
            length => length,
        }
    }

    /// Handles GDST: the transfer begins when the drive has data.
    pub(crate) fn start_g1(&mut self) {
        let (target, length) = (self.holly.get(GDSTAR), self.g1_length());
        let (first, last) = match self.holly.window(GDAPRO) {
            // With this value KallistiOS opens video memory, too (`cdrom.c`).
            (0x0800_0000, last) => (0, last),
            window => window,
        };
        let wrong = if self.holly.get(GDEN) == 0 || self.holly.get(GDDIR) == 0 {
            None
        } else if !is_g1_memory(target) {
            Some(error::G1_ADDRESS)
        } else if target < first || target.saturating_add(length - 1) > last {
            Some(error::G1_OVERRUN)
        } else {
            return self.feed_g1();
        };
        self.holly.set(GDST, 0);
        if let Some(bit) = wrong {
            self.holly.set(GDEN, 0);
            self.events.raise_error(bit);
            self.update_interrupts();
        }
    }

    /// Handles GDEN = 0, which cancels the current transfer.
    pub(crate) fn stop_g1(&mut self) {
        self.holly.set(GDST, 0);
        self.scheduler.cancel(Event::G1Dma);
    }

    fn feed_g1(&mut self) {
        if self.holly.get(GDST) == 0 || !self.drive.offers_dma() {
            return;
        }
        let rate = match self.drive.reads_sectors() {
            true => self.settings.gd_disc_rate,
            false => self.settings.gd_buffer_rate,
        };
        let bytes = self.drive.left().min(self.g1_length().into());
        self.scheduler.set(Event::G1Dma, self.now + START + bytes * rate);
    }

    /// Completes a transfer. All data arrive at its end.
    pub(crate) fn finish_g1(&mut self) {
        let target = self.holly.get(GDSTAR);
        self.sync_sound();
        let bytes = self.drive.take(self.g1_length() as usize).unwrap_or_default();
        if !self.store_g1(target, &bytes) {
            self.diagnostics.note(Oddity::DmaAddress, target);
        }
        self.holly.set(GDSTARD, target.wrapping_add(bytes.len() as u32));
        self.holly.set(GDLEND, bytes.len() as u32);
        self.holly.set(GDST, 0);
        self.drive_changed();
        self.raise(normal::G1_DMA);
    }

    /// Writes data from the drive to RAM or video memory. Returns false if the target is not completely
    /// inside one of them.
    pub(crate) fn store_g1(&mut self, address: u32, bytes: &[u8]) -> bool {
        let (address, offset) = (address & 0x1FFF_FFFF, address & 0x7F_FFFF);
        match address >> 24 {
            4..=7 if address & 0x80_0000 == 0 && offset as usize + bytes.len() <= VRAM_BYTES => {
                self.write_vram(address >> 24 & 1 == 0, offset, bytes);
                true
            }
            4..=7 => false,
            _ => self.write_ram(address, bytes),
        }
    }
}

fn is_g1_memory(address: u32) -> bool {
    ram_offset(address).is_some() || (4..=7).contains(&(address >> 24 & 0x1F))
}
