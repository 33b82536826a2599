//! Registers of devices below E0000000, accessed at the exact time.

use crate::access_log::RegisterAccess;
use crate::diagnostics::Oddity;
use crate::dma::{G2DTEXT, PDTEXT};
use crate::holly::events::error;
use crate::map::Device;
use crate::scheduler::Event;
use crate::settings::{BootRomCheck, SbRevision};
use crate::system::{Halt, System};

/// FFST: bit 0 is 1 while the sound block's write buffer is being emptied.
pub(super) const FFST: u32 = 0x005F_688C;
/// Number of words in the buffer before the CPU has to wait.
const FIFO_WORDS: u64 = 8;
/// Register SFRES: writing 7611 resets the console.
const SFRES: u32 = 0x005F_6890;
const SFRES_KEY: u32 = 0x7611;
/// SDST, MDST, GDST and PDST: writing 1 starts a transfer, and the register stays 1 until its end. Other
/// writes have no effect.
const STARTS: [u32; 4] = [0x005F_6820, 0x005F_6C18, 0x005F_7418, 0x005F_7C18];

impl System {
    pub(super) fn unassigned(&mut self, address: u32) {
        self.check_unmapped(address);
        self.diagnostics.note(Oddity::Unassigned, address);
        self.events.raise_error(error::INHIBITED);
        self.update_interrupts();
    }

    /// Reads a register that has no side effects and cannot change before the next event. The read needs no
    /// exact time, because the CPU's run ends at that event. Programs poll these registers.
    pub(super) fn read_steady(&mut self, device: Device, address: u32) -> Option<u32> {
        // A log needs the exact time.
        if self.log.is_some() {
            return None;
        }
        let value = match device {
            Device::Events if is_line(address) && self.sound.lags() => return None,
            Device::Events => self.events.read(address & 0xFF),
            // The value changes with time.
            Device::Holly if address == FFST => return None,
            Device::Holly => self.holly.read(address)?,
            Device::Pvr => self.read_steady_pvr(address & 0x1FFF)?,
            _ => return None,
        };
        self.diagnostics.polls(address);
        self.note_holly_read(address);
        Some(value)
    }

    /// Reads a device's register at the exact time.
    pub(super) fn read_device(&mut self, device: Device, address: u32, size: usize) -> u32 {
        self.diagnostics.polls(address);
        let value = self.read_register(device, address, size);
        self.note_access(device, address, size, value, false);
        value
    }

    fn note_access(&mut self, device: Device, address: u32, size: usize, value: u32, write: bool) {
        if self.log.is_some() {
            let access = RegisterAccess {
                time: self.now,
                pc: self.pc,
                address,
                bytes: size as u8,
                value,
                write,
            };
            self.log_access(device, access);
        }
    }

    fn read_register(&mut self, device: Device, address: u32, size: usize) -> u32 {
        let hz = self.settings.cpu_hz.hz();
        match device {
            Device::Events => {
                if is_line(address) && self.sound.lags() && self.sound.is_behind(self.now) {
                    self.sync_sound();
                }
                self.events.read(address & 0xFF)
            }
            Device::Holly => self.read_holly(address),
            Device::G2 => self.g2[(address >> 5 & 3) as usize].read(address & 0x1F),
            Device::Pvr => self.read_pvr(address & 0x1FFF),
            Device::Aica => self.read_sound(address & 0x7FFF, size),
            Device::SoundRam => self.read_sound_ram(address),
            Device::Clock => self.clock.read(address & 0xF, self.now, hz),
            Device::Drive => self.read_drive(address, size),
            Device::TaPolygon | Device::TaYuv => 0,
            Device::TaTexture(_) => 0,
            _ => {
                self.unassigned(address);
                self.settings.open_bus
            }
        }
    }

    fn read_holly(&mut self, address: u32) -> u32 {
        match address {
            FFST => {
                self.note_holly_read(address);
                u32::from(self.now < self.fifo_until)
            }
            0x005F_689C => match self.settings.sb_revision {
                SbRevision::Eleven => 0x0B,
                SbRevision::Sixteen => 0x10,
            },
            0x005F_74EC => match self.settings.rom_check {
                BootRomCheck::Skip => 3,
                BootRomCheck::Read => 0,
            },
            _ => match self.holly.read(address) {
                Some(value) => value,
                None => {
                    self.unassigned(address);
                    0
                }
            },
        }
    }

    /// Records words written by the CPU to the sound block. Its write buffer is busy until they are stored.
    pub(super) fn note_g2_write(&mut self, bytes: usize) {
        let word = self.settings.g2_word_time;
        let end = self.fifo_until.max(self.now) + bytes.div_ceil(4) as u64 * word;
        self.fifo_until = end.min(self.now + FIFO_WORDS * word);
    }

    pub(super) fn write_device(&mut self, device: Device, address: u32, value: u32, size: usize) {
        self.note_access(device, address, size, value, true);
        let hz = self.settings.cpu_hz.hz();
        if matches!(device, Device::Aica | Device::Clock) {
            self.note_g2_write(size);
        }
        match device {
            Device::Events => {
                if address & 0xFF == 0 {
                    self.note_acknowledged(value);
                }
                self.events.write(address & 0xFF, value);
                self.update_interrupts();
                if address & 0xFF >= 0x10 {
                    self.settle_sound();
                }
            }
            Device::Holly => self.write_holly(address, value),
            Device::G2 => {
                let n = (address >> 5 & 3) as usize;
                self.check_g2_write(n, address & 0x1F, value);
                if self.g2[n].write(address & 0x1F, value) {
                    self.start_g2(n);
                }
            }
            Device::Pvr => self.write_pvr(address & 0x1FFF, value),
            Device::Aica => self.write_sound(address & 0x7FFF, value, size),
            Device::SoundRam => self.write_sound_ram(address, &value.to_le_bytes()[..size]),
            Device::Clock => self.clock.write(address & 0xF, value, self.now, hz),
            Device::Flash => self.flash.command(address & 0x1_FFFF, value as u8),
            Device::Drive => self.write_drive(address, value),
            // The FIFOs accept only 32-byte units.
            Device::TaPolygon | Device::TaYuv => self.note_wrong_size(address, size),
            _ => self.unassigned(address),
        }
    }

    fn write_holly(&mut self, address: u32, value: u32) {
        if address == SFRES {
            if value == SFRES_KEY {
                self.halt = Some(Halt::Reset);
            }
            return;
        }
        self.check_holly_write(address, value);
        if self.holly.inert(address, value) {
            self.diagnostics.note(Oddity::Inert, address);
        }
        let is_ignored = value & 1 == 0 || self.holly.get(address) != 0;
        if address == FFST || STARTS.contains(&address) && is_ignored {
            return;
        }
        if !self.holly.write(address, value) {
            return self.unassigned(address);
        }
        match address {
            PDTEXT | G2DTEXT => self.settle_sound(),
            0x005F_6808 if value & 1 != 0 => self.start_channel2(),
            0x005F_6808 => self.scheduler.cancel(Event::Channel2),
            0x005F_6820 => self.start_sort_dma(),
            0x005F_6C10 => self.plan_beam(),
            0x005F_6C14 if value & 1 == 0 => self.stop_maple(),
            0x005F_6C18 => self.start_maple(),
            0x005F_6C88 if value & 1 != 0 => {
                self.maple_held = false;
                self.holly.set(address, 0);
            }
            0x005F_7C14 if value & 1 == 0 => self.stop_pvr_dma(),
            0x005F_7C18 => self.start_pvr_dma(),
            0x005F_7414 if value & 1 == 0 => self.stop_g1(),
            0x005F_7418 => self.start_g1(),
            0x005F_74E4 => self.drive.unlock(value),
            _ => {}
        }
    }
}

/// Returns true for registers that show the sound block's interrupt line: ISTEXT, and ISTNRM with its summary
/// bit.
pub(super) fn is_line(address: u32) -> bool {
    matches!(address & 0xFF, 0 | 4)
}
