//! Connects the sound block to the SH4. The block advances in steps of a sample. It is updated before every
//! access, and before every step of the drive, since it mixes the disc's audio. While its interrupt line has
//! an effect, it is also updated at every sample.

use crate::checks::Rule;
use crate::config::Config;
use crate::dma::{G2DTEXT, PDTEXT};
use crate::holly::drive::Drive;
use crate::holly::events::external;
use crate::scheduler::Event;
use crate::settings::SoundState;
use crate::system::System;
use crate::time::{Cycles, Ratio};
use aica::activity::Activity;
use aica::register as at;
use aica::{Aica, CHANNELS, ChannelState};

/// Bytes of sound memory.
pub(crate) const SOUND_BYTES: usize = 2 << 20;
/// Samples per second.
const SAMPLE_HZ: u64 = 44_100;
/// Samples between two updates of the block while its ARM7 is held in reset.
const HELD: u64 = 64;
/// Samples between two updates of the block while its interrupt line has no effect.
const UNOBSERVED: u64 = 441;
/// The bit of the block in the registers of external events.
const AICA: u32 = 1 << external::AICA;

/// Interrupt registers set by the boot ROM ("ARM7 reset" in `docs/hardware/aica.md`).
const BOOT_ROM: [(u32, u32); 4] = [
    (at::ARM_LEVEL_0, 0x18),
    (at::ARM_LEVEL_1, 0x50),
    (at::ARM_LEVEL_2, 0x08),
    (at::ARM_ENABLE, 0x40),
];

/// The sound block, and the conversion of the SH4's time to samples.
#[derive(Clone, Debug)]
pub(crate) struct Sound {
    aica: Aica,
    samples: Ratio,
    /// Number of samples, and the time of the next one.
    until: (u64, Cycles),
    /// True if the block's interrupt line may be out of date.
    lags: bool,
}

state::fields!(Sound { aica } keep { samples, until, lags });

impl Sound {
    pub(crate) fn new(config: &Config) -> Self {
        let settings = &config.settings;
        let mut aica = Aica::new(config.aica);
        aica.set_audio(config.audio);
        aica.set_stream_checks(config.checks.has(Rule::SoundUnderrun));
        // The firmware holds the ARM7 in reset.
        aica.write(at::ARM_RESET, 4, 1);
        if settings.sound_state == SoundState::BootRom {
            for (offset, value) in BOOT_ROM {
                aica.write(offset, 4, value);
            }
        }
        Self {
            aica,
            samples: Ratio {
                ticks: SAMPLE_HZ,
                cycles: settings.cpu_hz.hz(),
            },
            until: (0, Cycles(0)),
            lags: false,
        }
    }

    /// Returns whether sound is mixed.
    pub(crate) fn has_audio(&self) -> bool {
        self.aica.has_audio()
    }

    /// A copy without sound memory.
    pub(crate) fn without_memory(&self) -> Self {
        Self {
            aica: self.aica.without_memory(),
            ..*self
        }
    }

    /// Takes the memory of another block, which gets this one's.
    pub(crate) fn swap_memory(&mut self, other: &mut Self) {
        self.aica.swap_memory(&mut other.aica);
    }

    /// Returns sound memory for a restored state.
    pub(crate) fn ram_mut(&mut self) -> &mut [u8] {
        self.aica.ram_mut()
    }

    /// Returns the cycles from the block's time to `now`.
    pub(crate) fn lag(&self, now: Cycles) -> u64 {
        self.samples.time_of(self.aica.samples()).0.abs_diff(now.0)
    }

    /// Returns sound memory, if only the SH4 uses it now: the ARM7 is held in reset.
    pub(crate) fn idle_ram(&self) -> Option<&[u8]> {
        self.aica.arm_reset().then(|| self.aica.ram())
    }

    /// Returns sound memory for writing, under the same condition, and if no check needs the write's time.
    pub(crate) fn idle_ram_mut(&mut self) -> Option<&mut [u8]> {
        match self.aica.arm_reset() && !self.aica.checks_streams() {
            true => Some(self.aica.ram_mut()),
            false => None,
        }
    }

    /// Returns sound memory in its current state.
    pub(crate) fn ram(&self) -> &[u8] {
        self.aica.ram()
    }

    /// Runs the block up to `now`, with the drive's audio.
    fn catch_up(&mut self, now: Cycles, drive: &mut Drive) {
        if !self.is_behind(now) {
            return;
        }
        let mut sample = self.aica.samples();
        // At most the samples of one step are missing, since there is an event at each step.
        let missing = self.samples.ticks_at(now).saturating_sub(sample);
        self.aica
            .advance_with(u32::try_from(missing).unwrap_or(u32::MAX), || {
                sample += 1;
                drive.audio_sample(sample - 1, self.samples)
            });
        let count = self.aica.samples();
        self.until = (count, self.samples.time_of(count + 1));
    }

    /// Returns true if the block has not computed all samples up to `now`.
    pub(crate) fn is_behind(&self, now: Cycles) -> bool {
        let (count, next) = self.until;
        count != self.aica.samples() || now >= next
    }

    /// Returns the time until which the block's state does not change by itself.
    pub(crate) fn holds_until(&self) -> Cycles {
        self.until.1
    }

    /// Returns true if the block's interrupt line may be out of date.
    pub(crate) fn lags(&self) -> bool {
        self.lags
    }

    /// Returns the time of the block's next update.
    fn next(&self, observed: bool) -> Cycles {
        let count = self.aica.samples();
        let sample = match () {
            // Multiples of HELD, because the time of the last update depends on the ends of runs.
            () if self.aica.arm_reset() => (count / HELD + 1) * HELD,
            () if observed => count + 1,
            () => count + UNOBSERVED,
        };
        self.samples.time_of(sample)
    }
}

impl System {
    pub(crate) fn read_sound(&mut self, offset: u32, size: usize) -> u32 {
        self.sound.catch_up(self.now, &mut self.drive);
        let value = self.sound.aica.read(offset, size as u32);
        self.after_sound();
        value
    }

    pub(crate) fn write_sound(&mut self, offset: u32, value: u32, size: usize) {
        self.sound.catch_up(self.now, &mut self.drive);
        self.sound.aica.write(offset, size as u32, value);
        self.after_sound();
    }

    /// Reads four bytes of sound memory, at the exact time.
    pub(crate) fn read_sound_ram(&mut self, address: u32) -> u32 {
        self.sound.catch_up(self.now, &mut self.drive);
        let ram = self.sound.ram();
        u32::from_le_bytes(std::array::from_fn(|n| ram[(address as usize + n) % SOUND_BYTES]))
    }

    /// Writes sound memory, at the exact time.
    pub(crate) fn write_sound_ram(&mut self, address: u32, data: &[u8]) {
        self.sound.catch_up(self.now, &mut self.drive);
        self.sound.aica.write_ram(address, data);
    }

    /// Runs the block up to now.
    pub(crate) fn sync_sound(&mut self) {
        self.sound.catch_up(self.now, &mut self.drive);
        self.after_sound();
    }

    /// Passes on the block's interrupt line, and schedules the next update.
    fn after_sound(&mut self) {
        if self.checks.is_some() {
            for note in self.sound.aica.take_key_notes() {
                self.check_key(&note);
            }
        }
        self.events
            .set_external(external::AICA, self.sound.aica.sh4_interrupt());
        self.update_interrupts();
        let observed = self.sound_line_has_effect();
        self.sound.lags = !observed && !self.sound.aica.arm_reset();
        self.scheduler.set(Event::Sound, self.sound.next(observed));
    }

    /// Returns true if a change of the block's interrupt line has an immediate effect: an interrupt, a DMA
    /// transfer, or a finding of the checks. The cycle model and recordings of events step at every sample.
    pub(crate) fn sound_line_has_effect(&self) -> bool {
        let starts = self.holly.get(PDTEXT) | self.holly.get(G2DTEXT);
        self.events.enabled_external() & AICA != 0
            || starts & AICA != 0
            || self.checks.is_some()
            || self.watches.is_some()
            || self.scheduler.log.is_some()
            || !self.counts_instructions
    }

    /// Runs the block up to now after a change of the conditions under which its line has an effect, and at
    /// both ends of a run.
    pub(crate) fn settle_sound(&mut self) {
        match self.sound.aica.arm_reset() {
            true => self.sound.lags = false,
            false => self.sync_sound(),
        }
    }

    /// Returns the samples (left and right) since the last call, up to now.
    pub(crate) fn take_audio(&mut self) -> Vec<[i16; 2]> {
        self.sound.catch_up(self.now, &mut self.drive);
        let samples = self.sound.aica.take_audio();
        self.after_sound();
        samples
    }

    pub(crate) fn sound_event(&mut self, time: Cycles) {
        self.sound.catch_up(time, &mut self.drive);
        self.after_sound();
    }
}

impl crate::Dreamcast {
    /// Returns the playing channels of the sound block, as of its last sample.
    pub fn channels(&self) -> impl Iterator<Item = ChannelState> {
        (0..CHANNELS).filter_map(|n| self.system.sound.aica.channel_state(n))
    }

    /// Returns true while the sound block's ARM7 is held in reset.
    #[must_use]
    pub fn arm_held(&self) -> bool {
        self.system.sound.aica.arm_reset()
    }

    /// Starts to record the work of the sound block, from its last sample on.
    pub fn record_sound(&mut self) {
        self.system.sync_sound();
        self.system.sound.aica.set_activity(true);
    }

    /// Returns the work of the sound block since the last call, up to now; `None` without
    /// [`Self::record_sound`].
    pub fn take_sound_activity(&mut self) -> Option<Activity> {
        self.system.sync_sound();
        self.system.sound.aica.take_activity()
    }

    /// Returns the time at which the sound block has completed `samples` samples.
    #[must_use]
    pub fn time_of_samples(&self, samples: u64) -> Cycles {
        self.system.sound.samples.time_of(samples)
    }

    /// Returns the sound block, as of its last sample.
    #[must_use]
    pub fn sound_block(&self) -> &Aica {
        &self.system.sound.aica
    }

    /// Returns the samples played by the sound block since the last call: left and right at 44,100 Hz. Empty
    /// without [`Config::audio`](crate::Config::audio).
    pub fn take_audio(&mut self) -> Vec<[i16; 2]> {
        self.system.take_audio()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A driver without interrupt setup, like KallistiOS's before June 2026. The handler at 1C counts
    /// requests of code 2 at 1000, writes timer A = F6 and clears its request. The code at 80 enables FIQ and
    /// loops.
    const DRIVER: [(usize, u32); 20] = [
        (0x00, 0xEA00_001E),
        (0x1C, 0xE3A0_8502),
        (0x20, 0xE288_8C2D),
        (0x24, 0xE598_9000),
        (0x28, 0xE359_0002),
        (0x2C, 0x03A0_AA01),
        (0x30, 0x059A_9000),
        (0x34, 0x0289_9001),
        (0x38, 0x058A_9000),
        (0x3C, 0xE3A0_8502),
        (0x40, 0xE288_8B0A),
        (0x44, 0xE3A0_90F6),
        (0x48, 0xE588_9090),
        (0x4C, 0xE3A0_9040),
        (0x50, 0xE588_90A4),
        (0x54, 0xE25E_F004),
        (0x80, 0xE10F_0000),
        (0x84, 0xE3C0_0040),
        (0x88, 0xE121_F000),
        (0x8C, 0xEAFF_FFFE),
    ];

    /// Returns the number of the driver's interrupts in a second.
    fn interrupts(sound_state: SoundState) -> u32 {
        let mut config = Config::default();
        config.settings.sound_state = sound_state;
        let mut system = System::new(&config);
        for (address, word) in DRIVER {
            system.write_sound_ram(address as u32, &word.to_le_bytes());
        }
        system.write_sound(at::ARM_RESET, 0, 4);
        system.deliver(system.now + config.settings.cpu_hz.hz());
        system.read_sound_ram(0x1000)
    }

    /// Ten samples between interrupts; 256 before the first.
    #[test]
    fn a_driver_finds_timer_a_enabled() {
        let count = interrupts(SoundState::BootRom);
        assert!((4380..=4410).contains(&count), "{count}");
        assert_eq!(interrupts(SoundState::Reset), 0);
    }
}
