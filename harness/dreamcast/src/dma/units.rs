//! Transfers of the CPU's DMA controller between memories, unit by unit.

use super::CHUNK;
use crate::diagnostics::Oddity;
use crate::onchip::dmac::Transfer;
use crate::scheduler::Event;
use crate::system::{System, ram_offset};
use pvr::Area;

const DMAC_EVENTS: [Event; 4] = [Event::Dmac0, Event::Dmac1, Event::Dmac2, Event::Dmac3];

impl System {
    /// Handles a write to the DMAC: newly enabled channels start, disabled ones stop at their current
    /// position.
    pub(crate) fn write_dmac(&mut self, offset: u32, value: u32) {
        self.dmac.write(offset, value);
        self.stop_dmac();
        for (n, event) in DMAC_EVENTS.into_iter().enumerate() {
            if !self.dmac.starts(n) {
                continue;
            }
            let transfer = self.dmac.channels[n].transfer();
            let bytes = match transfer.source_step {
                1.. => transfer.units * transfer.unit,
                _ => transfer.unit,
            };
            self.check_dma_read("the DMAC", transfer.source, bytes);
            let good = self.reachable_units(&transfer);
            let end = self.dmac.start(n, good, self.now);
            self.scheduler.set(event, end);
        }
    }

    /// Stops the transfers of disabled channels.
    fn stop_dmac(&mut self) {
        for (n, event) in DMAC_EVENTS.into_iter().enumerate() {
            if let Some(moved) = self.dmac.stopped(n, self.now) {
                self.scheduler.cancel(event);
                self.move_units(n, moved);
                self.dmac.finish(n, moved, false);
            }
        }
    }

    /// Ends the transfer of DMAC channel `n`. If a unit has an address error, moves the units before it,
    /// reports the address and stops all channels.
    pub(crate) fn finish_dmac(&mut self, n: usize) {
        let moved = self.dmac.good_units(n);
        let transfer = self.dmac.channels[n].transfer();
        self.move_units(n, moved);
        let error = moved < transfer.units;
        self.dmac.finish(n, moved, error);
        if error {
            let failed = transfer.addresses(moved);
            let unreachable = match self.is_reachable(failed.0, transfer.unit, false) {
                true => failed.1,
                false => failed.0,
            };
            self.diagnostics.note(Oddity::DmaAddress, unreachable);
            self.stop_dmac();
        }
    }

    /// Returns the number of units before the first one with an address error.
    fn reachable_units(&self, transfer: &Transfer) -> u32 {
        let fails = |n: &u32| {
            let (source, target) = transfer.addresses(*n);
            !self.is_reachable(source, transfer.unit, false)
                || !self.is_reachable(target, transfer.unit, true)
        };
        (0..transfer.units).find(fails).unwrap_or(transfer.units)
    }

    /// Returns whether the DMAC can read or write a unit at a physical address. It must be aligned and in
    /// memory; 32-byte writes can also be in area 4.
    fn is_reachable(&self, address: u32, unit: u32, write: bool) -> bool {
        let area4 = write && unit as usize == CHUNK && (0x10..=0x13).contains(&(address >> 24));
        let memory = (4..=7).contains(&(address >> 24)) || ram_offset(address).is_some();
        address.is_multiple_of(unit) && (memory || area4)
    }

    /// Moves the first `count` units of channel `n`'s transfer, which must all be reachable.
    fn move_units(&mut self, n: usize, count: u32) {
        let transfer = self.dmac.channels[n].transfer();
        let unit = transfer.unit as usize;
        for (source, target) in (0..count).map(|n| transfer.addresses(n)) {
            let mut bytes = [0; CHUNK];
            self.dma_read(source, &mut bytes[..unit]);
            self.dma_write(target, &bytes[..unit]);
        }
    }

    fn dma_read(&self, address: u32, bytes: &mut [u8]) {
        let length = bytes.len() as u32;
        match address >> 24 {
            4 | 6 => self.pvr.vram().read_bytes(Area::Bits64, address, bytes),
            5 | 7 => self.pvr.vram().read_bytes(Area::Bits32, address, bytes),
            _ => {
                if let Some(data) = self.ram_at(address, length) {
                    bytes.copy_from_slice(data);
                }
            }
        }
    }

    fn dma_write(&mut self, address: u32, bytes: &[u8]) {
        match address >> 24 {
            4..=7 => self.write_vram(address >> 24 & 1 == 0, address & 0x7F_FFFF, bytes),
            0x10..=0x13 => self.feed_area4(address, bytes, self.now + 1),
            _ => {
                self.write_ram(address, bytes);
            }
        }
    }
}
