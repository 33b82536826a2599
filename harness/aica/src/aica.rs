//! The sound block: accesses of the SH4, and the passage of time.

use std::fmt;

use arm7::cpu::{Cpu, Cycles};

use crate::activity::Activity;
use crate::block::Block;
use crate::channel::Channel;
use crate::register::Processor;
use crate::settings::{ArmRate, Settings, Sound};
use crate::state::{ChannelState, KeyNote};
use crate::streams::Streams;
use crate::synth::Synth;
use crate::{CHANNELS, RAM_BYTES};
use ::state::{Error, State, Stream};

/// ARM7 clock cycles per sample: 22,579,200 / 44,100.
const CYCLES: i64 = 512;
/// ARM7 cycles per sample at 2,822,400 Hz.
const SLOW_CYCLES: i64 = 64;
/// Instructions per sample, for about 3.0 million per second.
const INSTRUCTIONS: u32 = 68;

/// The sound block.
#[derive(Clone)]
pub struct Aica {
    block: Block,
    arm: Cpu,
    /// Cycles left for the ARM7. Negative if the last instruction took more cycles than remained.
    cycles: i64,
    /// Cycles that the ARM7 has executed since power-on.
    arm_cycles: Cycles,
}

/// Limit of the absolute value of `cycles` in a saved state: 1.5 seconds of the ARM7's clock.
const MOST_CYCLES: u64 = 1 << 25;

// The owner transfers sound RAM.
impl State for Aica {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let Self {
            block,
            arm,
            cycles,
            arm_cycles,
        } = self;
        block.transfer(stream)?;
        // The owner checks that the block that loads a state has the same optional parts as the block that
        // saved it.
        if let Some(synth) = &mut block.synth {
            synth.transfer(stream)?;
        }
        if let Some(streams) = &mut block.streams {
            streams.transfer(stream)?;
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
    /// Creates the block in its state after power-on: sound RAM and registers are 0, the ARM7 is held in
    /// reset.
    pub fn new(settings: Settings) -> Self {
        Aica {
            block: Block::new(settings),
            arm: Cpu::new(settings.cpu),
            cycles: 0,
            arm_cycles: Cycles(0),
        }
    }

    /// Reads `size` (1, 2 or 4) bytes at `offset` from 00700000. In each word of 4 bytes, the low 16 bits are
    /// a register and the high 16 bits read 0.
    pub fn read(&mut self, offset: u32, size: u32) -> u32 {
        self.block.read(Processor::Sh4, offset, size)
    }

    /// Stores the low `size` (1, 2 or 4) bytes of `value` at `offset` from 00700000.
    pub fn write(&mut self, offset: u32, size: u32, value: u32) {
        let held = self.block.arm_held();
        self.block.write(Processor::Sh4, offset, size, value);
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

    /// Writes bytes to sound RAM; addresses wrap.
    pub fn write_ram(&mut self, address: u32, data: &[u8]) {
        for (n, byte) in data.iter().enumerate() {
            self.block.ram[(address as usize + n) % RAM_BYTES] = *byte;
        }
        self.block.note_write(address as usize % RAM_BYTES, data.len());
    }

    /// Starts or ends the detection of stream underruns ([`crate::KeyIssue::Underrun`]). It sees writes by
    /// the ARM7 and by [`Self::write_ram`].
    pub fn set_stream_checks(&mut self, on: bool) {
        self.block.streams = on.then(|| Box::new(Streams::new()));
    }

    /// Returns whether stream underruns are detected.
    pub fn checks_streams(&self) -> bool {
        self.block.streams.is_some()
    }

    /// A copy of the block for [`Self::swap_memory`]: it has no sound RAM.
    pub fn without_memory(&self) -> Self {
        Self {
            block: self.block.without_memory(),
            arm: self.arm.clone(),
            cycles: self.cycles,
            arm_cycles: self.arm_cycles,
        }
    }

    /// Exchanges the sound RAM of this block and another one.
    pub fn swap_memory(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.block.ram, &mut other.block.ram);
    }

    /// Returns whether the ARM7 is held in reset: bit 0 of 2C00.
    pub fn arm_reset(&self) -> bool {
        self.block.arm_held()
    }

    /// The ARM7's CPU.
    pub fn arm(&self) -> &Cpu {
        &self.arm
    }

    /// Cycles that the ARM7 has executed, also with [`ArmRate::Instructions`].
    pub fn arm_cycles(&self) -> Cycles {
        self.arm_cycles
    }

    /// Channel `n`, 0 to 63.
    pub fn channel(&self, n: usize) -> &Channel {
        self.block.channel(n)
    }

    /// Returns sample, speed and levels of channel `n`, 0 to 63; `None` while it is silent.
    pub fn channel_state(&self, n: usize) -> Option<ChannelState> {
        self.channel(n)
            .sounding()
            .then(|| self.block.channel_state(n % CHANNELS))
    }

    /// Returns the issues of key-ons and streams since the last call, at most 64.
    pub fn take_key_notes(&mut self) -> Vec<KeyNote> {
        std::mem::take(&mut self.block.key_notes)
    }

    /// Returns whether the line to the SH4 is active: ISTEXT bit 1.
    pub fn sh4_interrupt(&self) -> bool {
        self.block.sh4_line
    }

    /// Samples since power-on.
    pub fn samples(&self) -> u64 {
        self.block.samples
    }

    /// Number of starts of the internal DMA. The DMA is not modelled (`docs/hardware/aica.md`, "Internal
    /// DMA").
    pub fn ignored_dma_starts(&self) -> u64 {
        self.block.ignored_dma
    }

    /// Turns mixing on or off. A channel that is already playing becomes audible at its next key-on.
    pub fn set_audio(&mut self, on: bool) {
        let settings = self.block.settings;
        self.block.synth = on.then(|| Box::new(Synth::new(settings)));
    }

    /// Returns the stereo samples mixed since the last call.
    pub fn take_audio(&mut self) -> Vec<[i16; 2]> {
        self.block
            .synth
            .as_mut()
            .map(|synth| synth.take())
            .unwrap_or_default()
    }

    /// Returns whether mixing is on.
    pub fn has_audio(&self) -> bool {
        self.block.synth.is_some()
    }

    /// Starts or ends the record of the block's work.
    pub fn set_activity(&mut self, on: bool) {
        let playing = || (0..CHANNELS).filter_map(|n| self.channel_state(n));
        let activity = on.then(|| Box::new(Activity::start(self.samples(), playing())));
        self.block.activity = activity;
    }

    /// Returns the record of the block's work since the last call; `None` without
    /// [`Self::set_activity`].
    pub fn take_activity(&mut self) -> Option<Activity> {
        self.block.activity.as_mut().map(|activity| activity.take())
    }

    /// Returns the effect DSP's ring in sound RAM: start and size in bytes. `None` without an effect program.
    pub fn dsp_ring(&self) -> Option<(u32, u32)> {
        self.block.dsp_ring()
    }

    /// Advances time by `samples`. For each sample, the ARM7 runs first; then channels, timers and interrupt
    /// requests advance. The CD is silent.
    pub fn advance(&mut self, samples: u32) {
        self.advance_with(samples, || [0; 2]);
    }

    /// Advances time by `samples`, like [`Self::advance`]. If mixing is on, calls `external` once per sample
    /// for the CD's left and right.
    pub fn advance_with(&mut self, samples: u32, mut external: impl FnMut() -> [i16; 2]) {
        if self.block.settings.sound == Sound::Storage {
            self.block.samples += u64::from(samples);
            return;
        }
        for _ in 0..samples {
            if !self.block.arm_held() {
                let before = (self.arm_cycles.0, self.arm.waited());
                self.run_arm();
                if let Some(activity) = &mut self.block.activity {
                    let (cycles, waited) = (self.arm_cycles.0 - before.0, self.arm.waited().0 - before.1.0);
                    activity.arm(cycles, waited, self.arm.register(15));
                }
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
