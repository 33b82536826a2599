//! The sound block beside the SH4: it moves a sample at a time, and catches up before every access.

use crate::holly::events::external;
use crate::scheduler::Event;
use crate::system::System;
use crate::time::{Cycles, Ratio};
use aica::Aica;

/// Bytes of sound memory.
pub(crate) const SOUND_BYTES: usize = 2 << 20;
/// Samples a second.
const SAMPLE_HZ: u64 = 44_100;
/// Samples between two looks at the block while its ARM7 is held in reset.
const HELD: u64 = 64;

/// The block, and how its time follows from the SH4's.
#[derive(Debug)]
pub(crate) struct Sound {
    aica: Aica,
    samples: Ratio,
}

impl Sound {
    pub(crate) fn new(cpu_hz: u64, settings: aica::Settings, audio: bool) -> Self {
        let mut aica = Aica::new(settings);
        aica.set_audio(audio);
        // The firmware leaves the ARM7 held in reset.
        aica.write(0x2C00, 4, 1);
        Self {
            aica,
            samples: Ratio {
                ticks: SAMPLE_HZ,
                cycles: cpu_hz,
            },
        }
    }

    /// Sound memory, if nothing but the SH4 uses it now: the ARM7 is held in reset.
    pub(crate) fn idle_ram(&self) -> Option<&[u8]> {
        self.aica.arm_reset().then(|| self.aica.ram())
    }

    /// The same, to be written.
    pub(crate) fn idle_ram_mut(&mut self) -> Option<&mut [u8]> {
        match self.aica.arm_reset() {
            true => Some(self.aica.ram_mut()),
            false => None,
        }
    }

    /// Sound memory as it is.
    pub(crate) fn ram(&self) -> &[u8] {
        self.aica.ram()
    }

    /// Runs the block up to `now`.
    fn catch_up(&mut self, now: Cycles) {
        let behind = self.samples.ticks_at(now).saturating_sub(self.aica.samples());
        // At most a step's samples wait, since an event comes at each step.
        self.aica.advance(u32::try_from(behind).unwrap_or(u32::MAX));
    }

    /// When the block wants to be looked at next.
    fn next(&self) -> Cycles {
        let step = if self.aica.arm_reset() { HELD } else { 1 };
        self.samples.time_of(self.aica.samples() + step)
    }
}

impl System {
    pub(crate) fn read_sound(&mut self, offset: u32, size: usize) -> u32 {
        self.sound.catch_up(self.now);
        let value = self.sound.aica.read(offset, size as u32);
        self.after_sound();
        value
    }

    pub(crate) fn write_sound(&mut self, offset: u32, value: u32, size: usize) {
        self.sound.catch_up(self.now);
        self.sound.aica.write(offset, size as u32, value);
        self.after_sound();
    }

    /// Four bytes of sound memory, at the exact time.
    pub(crate) fn read_sound_ram(&mut self, address: u32) -> u32 {
        self.sound.catch_up(self.now);
        let ram = self.sound.ram();
        u32::from_le_bytes(std::array::from_fn(|n| ram[(address as usize + n) % SOUND_BYTES]))
    }

    /// Writes sound memory, at the exact time.
    pub(crate) fn write_sound_ram(&mut self, address: u32, data: &[u8]) {
        self.sound.catch_up(self.now);
        let ram = self.sound.aica.ram_mut();
        for (n, byte) in data.iter().enumerate() {
            ram[(address as usize + n) % SOUND_BYTES] = *byte;
        }
    }

    /// Carries the block's interrupt line on, and plans the next look.
    fn after_sound(&mut self) {
        self.events
            .set_external(external::AICA, self.sound.aica.sh4_interrupt());
        self.update_interrupts();
        self.scheduler.set(Event::Sound, self.sound.next());
    }

    /// Left and right of the samples since the last call, up to now.
    pub(crate) fn take_audio(&mut self) -> Vec<[i16; 2]> {
        self.sound.catch_up(self.now);
        let samples = self.sound.aica.take_audio();
        self.after_sound();
        samples
    }

    pub(crate) fn sound_event(&mut self, time: Cycles) {
        self.sound.catch_up(time);
        self.after_sound();
    }
}

impl crate::Dreamcast {
    /// What the sound block has played since the last call: left and right at 44,100 Hz. Empty without
    /// [`Config::audio`](crate::Config::audio).
    pub fn take_audio(&mut self) -> Vec<[i16; 2]> {
        self.system.take_audio()
    }
}
