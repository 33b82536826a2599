//! The block as the SH4 reaches it, and time.

use std::fmt;

use arm7::cpu::{Cpu, Cycles};

use crate::CHANNELS;
use crate::block::Block;
use crate::channel::Channel;
use crate::register::Side;
use crate::settings::{ArmRate, Settings, Sound};
use crate::state::{ChannelState, KeyNote};
use crate::synth::Synth;
use ::state::{Error, State, Stream};

/// Cycles of the ARM7's clock in a sample: 22,579,200 / 44,100.
const CYCLES: i64 = 512;
/// Cycles in a sample at 2,822,400 Hz.
const SLOW_CYCLES: i64 = 64;
/// Instructions in a sample, for about 3.0 million a second.
const INSTRUCTIONS: u32 = 68;

/// The sound block.
#[derive(Clone)]
pub struct Aica {
    block: Block,
    arm: Cpu,
    /// Cycles that the ARM7 may still take; negative where an instruction took more than were left.
    cycles: i64,
    /// Cycles that the ARM7 has taken since the beginning.
    arm_cycles: Cycles,
}

/// Most cycles that the ARM7 is ahead or has left: a second.
const MOST_CYCLES: u64 = 1 << 25;

impl State for Aica {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let Self {
            block,
            arm,
            cycles,
            arm_cycles,
        } = self;
        block.transfer(stream)?;
        // The owner compares whether both blocks mix sound.
        if let Some(synth) = &mut block.synth {
            synth.transfer(stream)?;
        }
        arm.transfer(stream)?;
        cycles.transfer(stream)?;
        arm_cycles.transfer(stream)?;
        let holds = cycles.unsigned_abs() < MOST_CYCLES && arm_cycles.0 < 1 << 60 && block.samples < 1 << 50;
        stream.check("Aica", holds)
    }
}

impl fmt::Debug for Aica {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Aica")
            .field("samples", &self.block.samples)
            .field("arm_held", &self.block.arm_held())
            .field("arm", &self.arm)
            .finish_non_exhaustive()
    }
}

impl Default for Aica {
    fn default() -> Self {
        Aica::new(Settings::default())
    }
}

impl Aica {
    /// The block after power-on: sound RAM and registers 0, the ARM7 held in reset.
    pub fn new(settings: Settings) -> Self {
        Aica {
            block: Block::new(settings),
            arm: Cpu::new(settings.cpu),
            cycles: 0,
            arm_cycles: Cycles(0),
        }
    }

    /// The `size` (1, 2 or 4) bytes at `offset` from 00700000. Registers have 16 valid bits in 32; others
    /// read 0.
    pub fn read(&mut self, offset: u32, size: u32) -> u32 {
        self.block.read(Side::Sh4, offset, size)
    }

    /// Stores the low `size` (1, 2 or 4) bytes of `value` at `offset` from 00700000.
    pub fn write(&mut self, offset: u32, size: u32, value: u32) {
        let held = self.block.arm_held();
        self.block.write(Side::Sh4, offset, size, value);
        if held && !self.block.arm_held() {
            self.arm.reset();
            self.cycles = 0;
        }
    }

    /// Sound RAM, 2 MiB.
    pub fn ram(&self) -> &[u8] {
        self.block.ram.as_slice()
    }

    /// Sound RAM, 2 MiB.
    pub fn ram_mut(&mut self) -> &mut [u8] {
        self.block.ram.as_mut_slice()
    }

    /// Whether the ARM7 is held in reset: bit 0 of 2C00.
    pub fn arm_reset(&self) -> bool {
        self.block.arm_held()
    }

    /// The ARM7's registers.
    pub fn arm(&self) -> &Cpu {
        &self.arm
    }

    /// Cycles that the ARM7 has taken; with [`ArmRate::Instructions`] too.
    pub fn arm_cycles(&self) -> Cycles {
        self.arm_cycles
    }

    /// Channel `n`, 0 to 63.
    pub fn channel(&self, n: usize) -> &Channel {
        self.block.channel(n)
    }

    /// Sample, speed and levels of channel `n`, 0 to 63; none while it is silent.
    pub fn channel_state(&self, n: usize) -> Option<ChannelState> {
        self.channel(n)
            .sounding()
            .then(|| self.block.channel_state(n % CHANNELS))
    }

    /// Key-ons with issues since the last call; at most 64 are kept.
    pub fn take_key_notes(&mut self) -> Vec<KeyNote> {
        std::mem::take(&mut self.block.key_notes)
    }

    /// Whether the line to the SH4 is active: ISTEXT bit 1.
    pub fn sh4_interrupt(&self) -> bool {
        self.block.sh4_line
    }

    /// Samples since power-on.
    pub fn samples(&self) -> u64 {
        self.block.samples
    }

    /// Starts of the internal DMA, which transfer nothing (`docs/hardware/aica.md`, "Internal DMA").
    pub fn ignored_dma_starts(&self) -> u64 {
        self.block.ignored_dma
    }

    /// Mixes sound from now on, or no longer. Channels that play already are heard from their next key-on.
    pub fn set_audio(&mut self, on: bool) {
        let settings = self.block.settings;
        self.block.synth = on.then(|| Box::new(Synth::new(settings)));
    }

    /// Left and right of the samples since the last call, if sound is mixed.
    pub fn take_audio(&mut self) -> Vec<[i16; 2]> {
        self.block
            .synth
            .as_mut()
            .map(|synth| synth.take())
            .unwrap_or_default()
    }

    /// Returns true while sound is mixed.
    pub fn has_audio(&self) -> bool {
        self.block.synth.is_some()
    }

    /// Moves time by `samples`. In each the ARM7 runs first; then channels, timers and requests go on by one
    /// sample. The CD is silent.
    pub fn advance(&mut self, samples: u32) {
        self.advance_with(samples, || [0; 2]);
    }

    /// Moves time by `samples`, as [`Self::advance`]. If sound is mixed, `external` gives left and right of
    /// the CD, once for each sample in order.
    pub fn advance_with(&mut self, samples: u32, mut external: impl FnMut() -> [i16; 2]) {
        if self.block.settings.sound == Sound::Storage {
            self.block.samples += u64::from(samples);
            return;
        }
        for _ in 0..samples {
            if !self.block.arm_held() {
                self.run_arm();
            }
            let external = match self.has_audio() {
                true => external(),
                false => [0; 2],
            };
            self.block.tick(external);
        }
    }

    /// Runs the ARM7 for one sample.
    fn run_arm(&mut self) {
        let cycles = match self.block.settings.arm_rate {
            ArmRate::Cycles => CYCLES,
            ArmRate::SlowCycles => SLOW_CYCLES,
            ArmRate::Instructions => return self.run_instructions(),
        };
        self.cycles += cycles;
        let budget = Cycles(self.cycles.max(0).unsigned_abs());
        let gone = self.arm.run(&mut self.block, budget);
        self.cycles -= gone.0 as i64;
        self.arm_cycles.0 += gone.0;
    }

    fn run_instructions(&mut self) {
        for _ in 0..INSTRUCTIONS {
            self.arm_cycles.0 += self.arm.step(&mut self.block).0;
        }
    }
}
