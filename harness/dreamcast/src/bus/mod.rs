//! The console as the CPU's bus.
//!
//! Memory answers immediately. A device answers only when the CPU repeats the access with the exact time
//! ([`BusError::Deferred`]). A device's behaviour therefore depends only on the number of executed
//! instructions, for interpreted and compiled code alike.

mod backing;
mod host_calls;
mod onchip;
mod peek;
mod registers;
mod timed;
mod video;

use self::timed::{is_aica, is_timed};
use self::video::lend_video_memory;
use crate::map::{self, Device};
use crate::system::{RAM_BYTES, System, ram_offset};
use pvr::Area;
use sh4::{Bus, BusError, Interrupt, TimedRead, Window};

/// Returns the physical address for an address in P0 to P3.
pub(crate) fn physical(address: u32) -> u32 {
    address & 0x1FFF_FFFF
}

/// Result of the first lookup of an address.
enum Place {
    Ram(usize),
    OnChipRam,
    P4,
    Elsewhere,
}

impl System {
    #[inline(always)]
    fn load<const N: usize>(&mut self, address: u32) -> Result<[u8; N], BusError> {
        if address < 0xE000_0000
            && let Some(offset) = ram_offset(address)
            && !self.watches_reads()
            && let Some(bytes) = self.ram.get(offset..).and_then(|rest| rest.first_chunk())
        {
            return Ok(*bytes);
        }
        self.load_elsewhere(address)
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, address: u32, value: [u8; N]) -> Result<(), BusError> {
        if address < 0xE000_0000
            && let Some(offset) = ram_offset(address)
            && let Some(target) = self.ram.get_mut(offset..).and_then(|rest| rest.first_chunk_mut())
        {
            if self.code.version(offset as u32) != 0 {
                return self.store_marked(address, offset, value);
            }
            *target = value;
            return Ok(());
        }
        self.store_elsewhere(address, &value)
    }

    /// Stores to a line of RAM that contains code or watched bytes.
    #[cold]
    fn store_marked<const N: usize>(
        &mut self,
        address: u32,
        offset: usize,
        value: [u8; N],
    ) -> Result<(), BusError> {
        self.watch(address, N as u32, true)?;
        let target = self.ram.get_mut(offset..).and_then(|rest| rest.first_chunk_mut());
        *target.ok_or(BusError::Refused)? = value;
        self.code.written_range(offset as u32, N as u32);
        Ok(())
    }

    fn place(&self, address: u32) -> Place {
        match address {
            0xE000_0000.. => Place::P4,
            0x7C00_0000..=0x7FFF_FFFF if self.cache.has_ram() => Place::OnChipRam,
            _ => ram_offset(address).map_or(Place::Elsewhere, Place::Ram),
        }
    }

    #[cold]
    fn load_elsewhere<const N: usize>(&mut self, address: u32) -> Result<[u8; N], BusError> {
        self.watch(address, N as u32, false)?;
        match self.place(address) {
            // A watched read, or an unaligned access that extends past the end of RAM.
            Place::Ram(offset) => {
                let bytes = self.ram.get(offset..).and_then(|rest| rest.first_chunk());
                bytes.copied().ok_or(BusError::Refused)
            }
            Place::OnChipRam => self.cache.ram_bytes(address).ok_or(BusError::Refused),
            Place::P4 => self.load_p4(address),
            Place::Elsewhere => {
                self.check_null(address)?;
                self.load_physical(physical(address))
            }
        }
    }

    fn load_physical<const N: usize>(&mut self, address: u32) -> Result<[u8; N], BusError> {
        let (device, fits, at) = map::find(address, N as u8, false);
        if let Some(bytes) = self.load_memory(device, at) {
            return Ok(bytes);
        }
        if !self.exact {
            let word = if fits && N == 4 {
                self.read_steady(device, at)
            } else {
                None
            };
            let bytes = word.and_then(|word| word.to_le_bytes().first_chunk().copied());
            return bytes.ok_or(BusError::Deferred);
        }
        if !fits {
            self.note_wrong_size(at, N);
        }
        let mut bytes = [0; N];
        for (n, part) in bytes.chunks_mut(4).enumerate() {
            let word = self.read_device(device, at.wrapping_add(4 * n as u32), part.len());
            part.copy_from_slice(&word.to_le_bytes()[..part.len()]);
        }
        Ok(bytes)
    }

    /// Loads from memory that can answer without the exact time.
    fn load_memory<const N: usize>(&self, device: Device, address: u32) -> Option<[u8; N]> {
        let slice = |bytes: &[u8], offset: u32| bytes.get(offset as usize..)?.first_chunk().copied();
        match device {
            Device::Vram64 => {
                let mut bytes = [0; N];
                self.pvr.vram().read_bytes(Area::Bits64, address, &mut bytes);
                Some(bytes)
            }
            Device::Vram32 => slice(self.pvr.vram().bytes(), address & 0x7F_FFFF),
            Device::SoundRam => slice(self.sound.idle_ram()?, address & 0x1F_FFFF),
            Device::VramHole => Some([0xFF; N]),
            Device::Rom => slice(self.rom, address & 0x1F_FFFF),
            Device::Flash => slice(self.flash.bytes(), address & 0x1_FFFF),
            _ => None,
        }
    }

    /// Reads memory without side effects, for fetches and debuggers.
    fn peek_memory<const N: usize>(&self, device: Device, address: u32) -> Option<[u8; N]> {
        match device {
            Device::SoundRam => self
                .sound
                .ram()
                .get((address & 0x1F_FFFF) as usize..)?
                .first_chunk()
                .copied(),
            _ => self.load_memory(device, address),
        }
    }

    #[cold]
    fn store_elsewhere(&mut self, address: u32, value: &[u8]) -> Result<(), BusError> {
        self.watch(address, value.len() as u32, true)?;
        match self.place(address) {
            Place::Ram(_) => Err(BusError::Refused),
            Place::OnChipRam => match self.cache.write_ram_bytes(address, value) {
                true => Ok(()),
                false => Err(BusError::Refused),
            },
            Place::P4 => self.store_p4(address, value),
            Place::Elsewhere => {
                self.check_null(address)?;
                self.store_physical(physical(address), value)
            }
        }
    }

    fn store_physical(&mut self, address: u32, value: &[u8]) -> Result<(), BusError> {
        let (device, fits, at) = map::find(address, value.len() as u8, true);
        self.check_g2_store(device, value.len())?;
        if device == Device::SoundRam {
            if !self.exact {
                return Err(BusError::Deferred);
            }
            self.note_g2_write(value.len());
        }
        if self.store_memory(device, at, value)? {
            return Ok(());
        }
        if !self.exact {
            return Err(BusError::Deferred);
        }
        if !fits {
            self.note_wrong_size(at, value.len());
            return Ok(());
        }
        for (n, part) in value.chunks(4).enumerate() {
            self.write_device(device, at.wrapping_add(4 * n as u32), word(part), part.len());
        }
        Ok(())
    }

    /// Stores to memory that can answer without the exact time. Returns false for any other device.
    fn store_memory(&mut self, device: Device, address: u32, value: &[u8]) -> Result<bool, BusError> {
        match device {
            Device::Vram64 | Device::Vram32 => {
                self.check_vram_write(device == Device::Vram64, address, value.len())?;
                self.write_vram(device == Device::Vram64, address, value);
            }
            Device::TaTexture(n) => {
                let path64 = self.holly.get(0x005F_6884 + 4 * u32::from(n)) == 0;
                self.check_vram_write(path64, address, value.len())?;
                self.write_vram(path64, address, value);
            }
            Device::SoundRam => {
                let offset = (address & 0x1F_FFFF) as usize;
                let place = self
                    .sound
                    .idle_ram_mut()
                    .and_then(|ram| ram.get_mut(offset..offset + value.len()));
                match place {
                    Some(place) => place.copy_from_slice(value),
                    None => return Ok(false),
                }
                self.note_other_code();
            }
            Device::VramHole | Device::Rom => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn note_other_code(&mut self) {
        if let Some(epoch) = &mut self.other_code {
            *epoch += 1;
        }
    }

    pub(super) fn note_wrong_size(&mut self, address: u32, bytes: usize) {
        self.check_width(address, bytes);
        self.diagnostics.note(crate::diagnostics::Oddity::Size, address);
    }

    fn store_queue(&mut self, address: u32, value: &[u8]) -> Result<(), BusError> {
        let queue = &mut self.queues[(address >> 5 & 1) as usize];
        let offset = (address & 0x1F) as usize;
        let target = queue
            .get_mut(offset..offset + value.len())
            .ok_or(BusError::Refused)?;
        target.copy_from_slice(value);
        self.note_queue_words(address, value.len());
        Ok(())
    }

    /// Sends 32 bytes of a store queue to a physical address.
    fn send_queue(&mut self, target: u32, data: &[u8; 32]) -> Result<(), BusError> {
        self.watch(target, 32, true)?;
        let (device, _, at) = map::find(target, 8, true);
        match device {
            Device::TaPolygon => return self.send_to_ta(&words(data)),
            Device::TaYuv => {
                if !self.exact {
                    return Err(BusError::Deferred);
                }
                self.feed_yuv(std::slice::from_ref(&words(data)));
            }
            Device::SoundRam => {
                if !self.exact {
                    return Err(BusError::Deferred);
                }
                self.note_g2_write(data.len());
                self.write_sound_ram(at, data);
            }
            _ if ram_offset(target).is_some() => {
                self.write_back_ram(target, data);
            }
            _ if self.store_memory(device, at, data)? => {}
            _ => return self.store_physical(target, data),
        }
        Ok(())
    }

    /// Sends one block to the tile accelerator. Only an end-of-list parameter needs the exact time, because
    /// it schedules an event.
    fn send_to_ta(&mut self, block: &[u32; 8]) -> Result<(), BusError> {
        if block[0] >> 29 == 0 && !self.exact {
            return Err(BusError::Deferred);
        }
        self.check_ta_block(block)?;
        self.feed_ta(std::slice::from_ref(block));
        Ok(())
    }

    /// Returns whether the access ends the CPU's run: it ends the step, or a watchpoint was hit.
    fn needs_attention(&self) -> bool {
        self.step_must_end() || self.has_watch_hit()
    }

    /// Returns whether an access has changed a condition of the current step: the next event, the interrupt
    /// request, a reset, or the findings of the checks.
    pub(crate) fn step_must_end(&self) -> bool {
        self.halt.is_some()
            || self.scheduler.next() < self.deadline
            || self.intc.request() != self.seen_request
            || self.checks_want_attention()
    }
}

/// Combines up to four bytes into a word.
pub(crate) fn word(bytes: &[u8]) -> u32 {
    let mut word = [0; 4];
    let length = bytes.len().min(4);
    word[..length].copy_from_slice(&bytes[..length]);
    u32::from_le_bytes(word)
}

/// Converts 32 bytes to a block for the tile accelerator.
pub(crate) fn words(bytes: &[u8; 32]) -> [u32; 8] {
    std::array::from_fn(|n| word(&bytes[4 * n..4 * n + 4]))
}

impl Bus for System {
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
        if crate::firmware::is_trap(self, address) || self.is_heap_watched(address) {
            return Err(BusError::Refused);
        }
        match self.place(address) {
            Place::Ram(offset) => self.fetch_ram(address, offset),
            Place::Elsewhere => {
                let (device, _, at) = map::find(physical(address), 2, false);
                let bytes = self.peek_memory(device, at);
                bytes.map(u16::from_le_bytes).ok_or(BusError::Unmapped)
            }
            Place::OnChipRam | Place::P4 => Err(BusError::Unmapped),
        }
    }

    fn prefetch(&mut self, address: u32) -> Result<(), BusError> {
        if !(0xE000_0000..=0xE3FF_FFFF).contains(&address) {
            // Other prefetches fill a cache line, which has no effect because memory is coherent here.
            return Ok(());
        }
        let index = (address >> 5 & 1) as usize;
        let target = (self.qacr[index] & 0x1C) << 24 | address & 0x03FF_FFE0;
        let data = self.queues[index];
        self.check_queue(address, index)?;
        self.send_queue(target, &data)?;
        self.queue_sent(index);
        Ok(())
    }

    fn send_store_queue(&mut self, address: u32, target: u32) -> Result<(), BusError> {
        let data = self.queues[(address >> 5 & 1) as usize];
        self.send_queue(target, &data)
    }

    fn interrupt(&self) -> Option<Interrupt> {
        self.intc.request()
    }

    fn begin_deferred(&mut self, retired: u64, elapsed: Option<u64>) {
        self.now = elapsed.map_or_else(|| self.time_at(retired), |cycles| self.time_after(cycles));
        self.scheduler.clock = self.now;
        self.exact = true;
    }

    fn deferred_pc(&mut self, pc: u32) {
        self.pc = pc;
    }

    fn end_deferred(&mut self) -> bool {
        self.exact = false;
        self.needs_attention()
    }

    fn read_timed(&mut self, address: u32, log2: u32, retired: u64) -> Option<TimedRead> {
        // A debugger that watches or logs the register needs the instruction's address.
        let debugged = self.log.is_some() || self.is_watched(address, 1 << log2.min(2));
        if !self.counts_instructions || !is_timed(address) || log2 > 2 || debugged {
            return None;
        }
        self.now = self.time_at(retired);
        self.scheduler.clock = self.now;
        // The sound block would change an interrupt that the run must take.
        if is_aica(address) && self.sound.is_behind(self.now) && self.sound_line_has_effect() {
            return None;
        }
        let value = match address {
            0xE000_0000.. => self.read_onchip(address),
            _ => {
                let (device, fits, at) = map::find(physical(address), 1 << log2, false);
                fits.then(|| self.read_device(device, at, 1 << log2))?
            }
        };
        let (until, period) = self.next_change(address);
        Some(TimedRead {
            value: u64::from(value) & u64::MAX >> (64 - (8 << log2)),
            until,
            period,
        })
    }

    fn performance_count(&mut self, event: u8) -> Option<u64> {
        // Event 23 counts elapsed cycles. The cycle model counts all other events.
        (event == 0x23).then_some(self.now.0)
    }

    fn code_watch(&mut self, address: u32, bytes: u32) {
        match self.place(address) {
            Place::Ram(offset) => self.code.watch(offset as u32, bytes),
            _ => {
                self.other_code.get_or_insert(0);
            }
        }
    }

    #[inline(always)]
    fn code_epoch(&self) -> u64 {
        self.code.epoch() + self.other_code.unwrap_or(0)
    }

    fn code_version(&self, address: u32) -> u64 {
        match self.place(address) {
            Place::Ram(offset) => self.code.version(offset as u32),
            _ => self.other_code.unwrap_or(0),
        }
    }

    #[inline(always)]
    fn window(&mut self) -> Option<Window<'_>> {
        debug_assert_eq!(self.ram.len(), RAM_BYTES);
        if self.watches_reads() {
            return None;
        }
        Some(Window {
            bytes: &mut self.ram,
            watched: self.code.versions(),
            // Includes bit 30, which excludes P4 and the upper half of P0.
            select: 0x5C00_0000,
            value: 0x0C00_0000,
            queues: match self.checks {
                Some(_) => None,
                None => self.queues.as_flattened_mut().first_chunk_mut(),
            },
            on_chip_ram: match self.watches {
                Some(_) => None,
                None => self.cache.lend_ram(),
            },
            marked: match (&self.watches, &self.checks, &self.other_code) {
                (None, None, None) => Some(lend_video_memory(self.pvr.vram_mut())),
                _ => None,
            },
            steady: true,
        })
    }
}
