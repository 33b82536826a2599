//! DMA transfers between RAM, video memory, the tile accelerator and G2.

mod units;

use crate::bus::words;
use crate::checks::{G2APRO, MDAPRO, PDAPRO};
use crate::diagnostics::Oddity;
use crate::holly::events::{error, normal};
use crate::holly::maple::Maple;
use crate::onchip::dmac::{AE, TE};
use crate::scheduler::Event;
use crate::settings::DmaWindows;
use crate::system::{RAM_BYTES, System, ram_offset};
use crate::time::Cycles;
use pvr::{Area, SortDma};
use std::ops::Range;

const C2DSTAT: u32 = 0x005F_6800;
const C2DLEN: u32 = 0x005F_6804;
const C2DST: u32 = 0x005F_6808;
const SDSTAW: u32 = 0x005F_6810;
const SDBAAW: u32 = 0x005F_6814;
const SDWLT: u32 = 0x005F_6818;
const SDLAS: u32 = 0x005F_681C;
const SDST: u32 = 0x005F_6820;
const SDDIV: u32 = 0x005F_6860;
const LMMODE0: u32 = 0x005F_6884;
const PDTNRM: u32 = 0x005F_6940;
const G2DTNRM: u32 = 0x005F_6950;
/// External events that start a PVR DMA.
pub(crate) const PDTEXT: u32 = PDTNRM + 4;
/// External events that start a G2 DMA.
pub(crate) const G2DTEXT: u32 = G2DTNRM + 4;
const PDSTAP: u32 = 0x005F_7C00;
const PDSTAR: u32 = 0x005F_7C04;
const PDLEN: u32 = 0x005F_7C08;
const PDDIR: u32 = 0x005F_7C0C;
const PDTSEL: u32 = 0x005F_7C10;
const PDEN: u32 = 0x005F_7C14;
const PDST: u32 = 0x005F_7C18;
/// Delay in cycles before a DMA moves its first byte. Some programs rely on it: they set a flag after the
/// store that starts the DMA.
const START: u64 = 165;
/// The sound block on G2, without the mirror at 02000000.
const SOUND_REGISTERS: Range<u32> = 0x0070_0000..0x0070_8000;
const SOUND_RAM: Range<u32> = 0x0080_0000..0x0100_0000;
/// Bytes moved per step.
const CHUNK: usize = 32;

impl System {
    /// Handles C2DST: channel 2 of the DMAC transfers C2DLEN bytes to the tile accelerator, the YUV converter
    /// or video memory.
    ///
    /// The data are transferred immediately, so that the events of closed lists precede the DMA's end event.
    pub(crate) fn start_channel2(&mut self) {
        if !self.dmac.is_enabled(2) {
            // Holly waits for the DMAC, and SB_C2DST stays 1.
            return;
        }
        let length = self.channel2_length();
        let (target, source) = (self.holly.get(C2DSTAT), self.dmac.channels[2].sar & 0x1FFF_FFFF);
        let rate = match (target >> 24, self.holly.get(LMMODE0 + 4 * (target >> 25 & 1))) {
            (0x11 | 0x13, 1) => self.settings.ch2_rate32,
            _ => self.settings.ch2_rate64,
        };
        let end = self.now + START + u64::from(length / 32) * rate / 100;
        self.scheduler.set(Event::Channel2, end);
        self.check_reach("channel 2 DMA", source, length);
        self.check_dma_read("channel 2 DMA", source, length);
        let data = self.channel2_data();
        self.feed_area4(target, &data, end);
    }

    /// Returns the data of a channel 2 DMA up to the first unit with an address error: unaligned, or not RAM.
    fn channel2_data(&self) -> Vec<u8> {
        let source = self.dmac.channels[2].sar & 0x1FFF_FFFF;
        let unit = |n| self.ram_at(source.wrapping_add(32 * n), CHUNK as u32);
        (0..self.channel2_units())
            .filter_map(unit)
            .flatten()
            .copied()
            .collect()
    }

    /// Returns the number of units before the first one with an address error.
    fn channel2_units(&self) -> u32 {
        let source = self.dmac.channels[2].sar & 0x1FFF_FFFF;
        let units = self.channel2_length() / 32;
        let fails = |n: &u32| ram_offset(source.wrapping_add(32 * n)).is_none();
        match source.is_multiple_of(32) {
            true => (0..units).find(fails).unwrap_or(units),
            false => 0,
        }
    }

    /// Writes data to area 4. Their events are due at `end`.
    fn feed_area4(&mut self, target: u32, data: &[u8], end: Cycles) {
        let blocks: Vec<[u32; 8]> = data.as_chunks::<CHUNK>().0.iter().map(words).collect();
        match (target >> 24, target & 0x80_0000) {
            (0x10 | 0x12, 0) => self.feed_ta_until(&blocks, end),
            (0x10 | 0x12, _) => self.feed_yuv_until(&blocks, end),
            (area, _) => {
                let path64 = self.holly.get(LMMODE0 + 4 * (area >> 1 & 1)) == 0;
                self.write_vram(path64, target & 0x7F_FFFF, data);
            }
        }
    }

    /// Returns the length of a channel 2 DMA in bytes: the smaller of Holly's and the DMAC's.
    fn channel2_length(&self) -> u32 {
        let length = match self.holly.get(C2DLEN) {
            0 => 1 << 24,
            length => length,
        };
        length.min(self.dmac.channels[2].units().saturating_mul(32))
    }

    /// Ends a channel 2 DMA: updates status registers, and raises the event at the same time. After an
    /// address error, the DMAC's registers contain the failed unit, and AE is set instead of TE. Holly's
    /// event occurs anyway (flycast: a game waits for it).
    pub(crate) fn finish_channel2(&mut self) {
        let length = self.channel2_length();
        let moved = 32 * self.channel2_units();
        let target = self.holly.get(C2DSTAT);
        if target & 0x0100_0000 != 0 {
            self.holly.set(C2DSTAT, target.wrapping_add(moved) & 0x13FF_FFE0);
        }
        let channel = &mut self.dmac.channels[2];
        channel.sar = channel.sar.wrapping_add(moved);
        if moved == length {
            channel.count = 0;
            channel.chcr |= TE;
        } else {
            channel.count = (channel.units() - moved / 32) & 0x00FF_FFFF;
            let failed = channel.sar;
            self.dmac.operation |= AE;
            self.diagnostics.note(Oddity::DmaAddress, failed & 0x1FFF_FFFF);
        }
        self.holly.set(C2DLEN, length - moved);
        self.holly.set(C2DST, 0);
        self.raise(normal::CHANNEL2);
    }

    /// Starts the DMA transfers triggered by the events that have occurred: PVR DMA by PDTNRM and PDTEXT, G2
    /// DMA by G2DTNRM and G2DTEXT.
    #[inline]
    pub(crate) fn start_triggered(&mut self) {
        let occurred = self.events.take_occurred();
        if occurred != [0; 2] {
            self.start_by_events(occurred);
        }
    }

    fn start_by_events(&mut self, [normal, external]: [u32; 2]) {
        let selects = |system: &System, register| {
            normal & system.holly.get(register) | external & system.holly.get(register + 4) != 0
        };
        let waits = self.holly.get(PDTSEL) & self.holly.get(PDEN) & !self.holly.get(PDST) != 0;
        if waits && selects(self, PDTNRM) {
            self.holly.set(PDST, 1);
            self.start_pvr_dma();
        }
        if selects(self, G2DTNRM) {
            let waiting = [0, 1, 2, 3].map(|n| self.g2[n].waits_for_event());
            (0..4).filter(|n| waiting[*n]).for_each(|n| self.start_g2(n));
        }
    }

    /// Returns whether a transfer's RAM is outside its protection window and the setting refuses such
    /// transfers.
    fn is_refused(&self, protection: u32, address: u32, bytes: u32) -> bool {
        let (first, last) = self.holly.window(protection);
        let begin = address & 0x0FFF_FFFF;
        self.settings.dma_windows == DmaWindows::Refuse
            && (begin < first || begin.saturating_add(bytes.max(1) - 1) > last)
    }

    /// Returns the first address of a transfer that is not RAM.
    fn outside_ram(&self, address: u32, bytes: u32) -> Option<u32> {
        if self.ram_at(address, bytes).is_some() {
            return None;
        }
        Some(match ram_offset(address) {
            Some(offset) => address.wrapping_add((RAM_BYTES - offset) as u32),
            None => address,
        })
    }

    /// Handles SDST: sends chains of parameters in RAM to the tile accelerator, sorted by their links.
    pub(crate) fn start_sort_dma(&mut self) {
        let at = |system: &System, register: u32| system.holly.get(register) & 0x00FF_FFE0;
        let (table, data) = (at(self, SDSTAW) as usize, at(self, SDBAAW) as usize);
        let dma = SortDma {
            table: &self.ram[table..],
            data: &self.ram[data..],
            wide_entries: self.holly.get(SDWLT) != 0,
            block_links: self.holly.get(SDLAS) != 0,
        };
        let moved = self.pvr.sort_dma(&dma);
        self.holly.set(SDDIV, moved.entries as u32);
        let bytes = 32 * moved.blocks as u64;
        let end = self.now + START + bytes / 32 * self.settings.ch2_rate64 / 100;
        self.ta_events_at(end);
        self.scheduler.set(Event::SortDma, end);
    }

    pub(crate) fn finish_sort_dma(&mut self) {
        self.holly.set(SDST, 0);
        self.raise(normal::SORT_DMA);
    }

    /// Handles PDST: transfers between RAM and the PowerVR2's memory or registers.
    pub(crate) fn start_pvr_dma(&mut self) {
        if self.holly.get(PDEN) == 0 {
            return self.holly.set(PDST, 0);
        }
        let length = self.pvr_dma_length();
        let ram = self.holly.get(PDSTAR);
        self.check_reach("PVR DMA", ram, length);
        self.check_window("PVR DMA", PDAPRO, ram, length);
        if self.is_refused(PDAPRO, ram, length) {
            self.holly.set(PDST, 0);
            self.holly.set(PDEN, 0);
            self.events.raise_error(error::PVR_OVERRUN);
            return self.update_interrupts();
        }
        if self.holly.get(PDDIR) == 0 {
            self.check_dma_read("PVR DMA", ram, length);
        }
        let end = self.now + START + u64::from(length / 32) * self.settings.ch2_rate64 / 100;
        self.scheduler.set(Event::PvrDma, end);
    }

    /// Handles PDEN = 0, which aborts the current transfer.
    pub(crate) fn stop_pvr_dma(&mut self) {
        self.holly.set(PDST, 0);
        self.scheduler.cancel(Event::PvrDma);
    }

    fn pvr_dma_length(&self) -> u32 {
        match self.holly.get(PDLEN) {
            0 => 1 << 24,
            length => length,
        }
    }

    pub(crate) fn finish_pvr_dma(&mut self) {
        let (target, source) = (self.holly.get(PDSTAP), self.holly.get(PDSTAR));
        let length = self.pvr_dma_length();
        let moved = match self.holly.get(PDDIR) {
            0 => self.ram_to_pvr(source, target, length),
            _ => self.pvr_to_ram(target, source, length),
        };
        if moved.is_none() {
            let unreachable = self.outside_ram(source, length).unwrap_or(target);
            self.diagnostics.note(Oddity::DmaAddress, unreachable);
            self.events.raise_error(error::PVR_ADDRESS);
        }
        self.holly.set(PDST, 0);
        self.raise(normal::PVR_DMA);
    }

    fn ram_to_pvr(&mut self, source: u32, target: u32, length: u32) -> Option<()> {
        let data = self.ram_at(source, length)?.to_vec();
        match target >> 24 {
            4..=7 => self.write_vram(target >> 24 & 1 == 0, target & 0x7F_FFFF, &data),
            _ if (0x005F_8000..0x005F_A000).contains(&target) => {
                for (n, part) in (0..).zip(data.as_chunks::<4>().0) {
                    self.write_pvr(target.wrapping_add(4 * n) & 0x1FFF, u32::from_le_bytes(*part));
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn pvr_to_ram(&mut self, source: u32, target: u32, length: u32) -> Option<()> {
        self.ram_at(target, length)?;
        let read = |system: &System, at: u32| match source >> 24 {
            4 | 6 => Some(system.pvr.vram().read32(Area::Bits64, at)),
            5 | 7 => Some(system.pvr.vram().read32(Area::Bits32, at)),
            _ => None,
        };
        for n in (0..length).step_by(4) {
            let word = read(self, source.wrapping_add(n) & 0x7F_FFFF)?;
            self.write_ram(target + n, &word.to_le_bytes());
        }
        Some(())
    }

    /// Handles ST of G2 channel `n`.
    pub(crate) fn start_g2(&mut self, n: usize) {
        let channel = &mut self.g2[n];
        let bytes = u64::from(channel.bytes());
        let inside = |address: u32, areas: [u32; 2]| areas.contains(&(address >> 26 & 7));
        if !inside(channel.bus_address, [0, 5]) || !inside(channel.ram_address, [1, 3]) {
            (channel.enabled, channel.busy) = (false, false);
            self.events.raise_error(error::G2_ADDRESS + n as u32);
            return self.update_interrupts();
        }
        let ram = channel.ram_address;
        if self.is_refused(G2APRO, ram, bytes as u32) {
            (self.g2[n].enabled, self.g2[n].busy) = (false, false);
            self.events.raise_error(error::G2_OVERRUN + n as u32);
            return self.update_interrupts();
        }
        let channel = &mut self.g2[n];
        channel.busy = true;
        let (ram, to_ram) = (channel.ram_address, channel.direction == 1);
        let length = channel.bytes();
        self.check_reach("G2 DMA", ram, length);
        self.check_window("G2 DMA", G2APRO, ram, length);
        if !to_ram {
            self.check_dma_read("G2 DMA", ram, length);
        }
        self.move_g2(n);
        let event = [Event::G2Dma0, Event::G2Dma1, Event::G2Dma2, Event::G2Dma3][n];
        let end = self.now + START + bytes * self.settings.g2_dma_rate;
        self.scheduler.set(event, end);
    }

    /// Moves the data at the start of a transfer. The bus order of DMA and CPU is undefined before the event.
    /// Programs that poll the event bit of an earlier transfer (lxdream's `testspu`) expect the data to be
    /// present.
    fn move_g2(&mut self, n: usize) {
        let channel = self.g2[n];
        let (bus, ram, bytes) = (
            channel.bus_address & 0x1FFF_FFFF,
            channel.ram_address & 0x1FFF_FFFF,
            channel.bytes(),
        );
        if self.copy_g2(bus, ram, bytes, channel.direction == 1).is_none() {
            let unreachable = self.outside_ram(ram, bytes).unwrap_or(bus);
            self.diagnostics.note(Oddity::DmaAddress, unreachable);
        }
    }

    pub(crate) fn finish_g2(&mut self, n: usize) {
        if !self.g2[n].busy {
            return;
        }
        self.g2[n].finish();
        self.raise(normal::G2_DMA + n as u32);
    }

    /// Copies between RAM and sound memory, or the sound block's registers, which the bus accesses word by
    /// word.
    fn copy_g2(&mut self, bus: u32, ram: u32, bytes: u32, to_ram: bool) -> Option<()> {
        self.ram_at(ram, bytes)?;
        let (first, last) = (bus & 0x01FF_FFFF, (bus & 0x01FF_FFFF).checked_add(bytes - 1)?);
        let within = |area: Range<u32>| area.contains(&first) && area.contains(&last);
        let registers = within(SOUND_REGISTERS);
        if !registers && !within(SOUND_RAM) {
            return None;
        }
        if to_ram {
            let data: Vec<u8> = match registers {
                true => (first..=last)
                    .step_by(4)
                    .flat_map(|at| self.read_sound(at & 0x7FFF, 4).to_le_bytes())
                    .collect(),
                false => {
                    self.sync_sound();
                    let memory = self.sound.ram();
                    let at = |n| memory[n as usize % memory.len()];
                    (first..=last).map(at).collect()
                }
            };
            return self.write_ram(ram, &data).then_some(());
        }
        let data = self.ram_at(ram, bytes)?.to_vec();
        match registers {
            true => {
                for (at, word) in (first..).step_by(4).zip(data.as_chunks::<4>().0) {
                    self.write_sound(at & 0x7FFF, u32::from_le_bytes(*word), 4);
                }
            }
            false => self.write_sound_ram(bus, &data),
        }
        Some(())
    }

    /// Handles MDST: processes the list at the end of the transfer; replies and event occur then. A light gun
    /// that takes aim holds the bus until the next vertical blank.
    pub(crate) fn start_maple(&mut self) {
        if self.holly.get(0x005F_6C14) == 0 {
            return self.holly.set(0x005F_6C18, 0);
        }
        let (address, timeout) = (self.holly.get(0x005F_6C04), self.holly.get(0x005F_6C80) >> 16);
        let (time, hz) = (self.settings.maple_time, self.settings.cpu_hz.hz());
        self.check_maple();
        if self.is_refused(MDAPRO, address, 4) {
            self.holly.set(0x005F_6C18, 0);
            self.holly.set(0x005F_6C14, 0);
            self.events.raise_error(error::MAPLE_OVERRUN);
            return self.update_interrupts();
        }
        let end = self.now + self.maple.length(self, address, timeout, time, hz);
        let blank = match Maple::aims(self, address) {
            true => self.spg.next_blank(end),
            false => None,
        };
        self.scheduler.set(Event::Maple, blank.unwrap_or(end));
    }

    /// Handles MDEN = 0, which aborts the current transfer.
    pub(crate) fn stop_maple(&mut self) {
        self.holly.set(0x005F_6C18, 0);
        self.scheduler.cancel(Event::Maple);
    }

    /// Starts a Maple transfer at a vertical blank if MDTSEL selects it. With MSYS bit 12, starts only one
    /// until a write to MSHTCL.
    pub(crate) fn trigger_maple(&mut self) {
        let [selected, enabled, busy] =
            [0x005F_6C10, 0x005F_6C14, 0x005F_6C18].map(|register| self.holly.get(register) != 0);
        if selected && enabled && !busy && !self.maple_held {
            self.maple_held = self.holly.get(0x005F_6C80) >> 12 & 1 != 0;
            self.holly.set(0x005F_6C18, 1);
            self.start_maple();
        }
    }

    pub(crate) fn finish_maple(&mut self) {
        let address = self.holly.get(0x005F_6C04);
        let mut maple = std::mem::take(&mut self.maple);
        let done = maple.run(self, address);
        self.maple = maple;
        if done.illegal_address {
            self.events.raise_error(error::MAPLE_ADDRESS);
        }
        if done.illegal_command {
            self.events.raise_error(error::MAPLE_COMMAND);
        }
        self.holly.set(0x005F_6C18, 0);
        self.raise(normal::MAPLE);
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::system::System;

    #[test]
    fn g2_data_is_there_when_the_transfer_begins() {
        let mut system = System::new(&Config::default());
        assert!(system.write_ram(0x0C10_0000, &[7; 32]));
        let channel = &mut system.g2[0];
        (channel.bus_address, channel.ram_address) = (0x0081_0000, 0x0C10_0000);
        (channel.length, channel.enabled) = (32, true);
        system.start_g2(0);
        assert_eq!(system.sound.ram()[0x1_0000..0x1_0020], [7; 32]);
        assert!(system.g2[0].busy);
        system.deliver(system.now + 1_000_000);
        assert!(!system.g2[0].busy);
    }
}
