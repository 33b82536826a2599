//! The sound block without the ARM7's core: sound RAM, registers, channels, timers and interrupts.

mod bus;
mod copy;

use crate::activity::Activity;
use crate::channel::{Channel, FRACTION, Parameters};
use crate::interrupts::{Requests, highest, source};
use crate::register::{self as at, Bits, Processor, Stored, lanes};
use crate::settings::{AlfoDepth, LfoReset, MasterRead, Settings, Sh4Line, Sound};
use crate::state::{ChannelState, Format, KeyIssue, KeyNote};
use crate::streams::Streams;
use crate::synth::lfo::{Lfo, LfoRegister};
use crate::synth::{Synth, VoiceInput, noise};
use crate::timer::Timer;
use crate::{CHANNELS, RAM_BYTES};
use state::Memory;

/// KYONEX in a channel's control register.
const EXECUTE: u16 = 1 << 15;
const KEY_ON: u16 = 1 << 14;
/// Version in bits 7 to 4 of 2800.
const VERSION: u16 = 0x0010;
/// Flags of the idle MIDI interface: output empty, input empty.
const MIDI_IDLE: u16 = 0x0900;

/// Maximum number of key-on issues that the block keeps for a caller.
const KEY_NOTES: usize = 64;

#[derive(Clone)]
pub(crate) struct Block {
    pub(crate) settings: Settings,
    pub(crate) ram: Memory<RAM_BYTES>,
    stored: Stored,
    channels: [Channel; CHANNELS],
    /// Decoded registers of each channel, renewed when a channel with changed registers plays.
    parameters: [Parameters; CHANNELS],
    /// Bit n is set while channel n sounds.
    sounding: u64,
    timers: [Timer; 3],
    arm: Requests,
    sh4: Requests,
    /// The ARM7's FIQ line.
    fiq: bool,
    /// Set when the ARM7 changes a register or memory; [`Block::quiet`] clears it.
    changed: bool,
    /// Line to the SH4: bit 1 of ISTEXT.
    pub(crate) sh4_line: bool,
    /// Set if the SH4 had an active request at the last update of the line.
    sh4_active: bool,
    /// Level code of the last interrupt to the ARM7.
    code: u16,
    pub(crate) samples: u64,
    /// Starts of the internal DMA, which is not modelled.
    pub(crate) ignored_dma: u64,
    lfos: [Lfo; CHANNELS],
    /// Key-on issues that no caller has taken yet.
    pub(crate) key_notes: Vec<KeyNote>,
    /// Synthesizer, if sound is mixed.
    pub(crate) synth: Option<Box<Synth>>,
    /// Record of the work, if a caller wants one.
    pub(crate) activity: Option<Box<Activity>>,
    /// Detection of stream underruns, if a caller wants it.
    pub(crate) streams: Option<Box<Streams>>,
}

state::fields!(Block {
    stored,
    channels,
    sounding,
    timers,
    arm,
    sh4,
    fiq,
    changed,
    sh4_line,
    sh4_active,
    code,
    samples,
    ignored_dma,
    lfos,
} keep { ram, settings, parameters, key_notes, synth, activity, streams });

impl Block {
    pub(crate) fn new(settings: Settings) -> Self {
        let mut block = Block {
            settings,
            ram: Memory::zeroed(),
            stored: Stored::default(),
            channels: [Channel::default(); CHANNELS],
            parameters: [Parameters::default(); CHANNELS],
            sounding: 0,
            timers: [Timer::default(); 3],
            arm: Requests::default(),
            sh4: Requests::default(),
            fiq: false,
            changed: false,
            sh4_line: false,
            sh4_active: false,
            code: 0,
            samples: 0,
            ignored_dma: 0,
            lfos: [Lfo::default(); CHANNELS],
            key_notes: Vec::new(),
            synth: None,
            activity: None,
            streams: None,
        };
        block.stored.merge(at::ARM_RESET, Bits { value: 1, mask: 1 });
        block
    }

    pub(crate) fn channel(&self, n: usize) -> &Channel {
        &self.channels[n % CHANNELS]
    }

    /// Returns whether the ARM7 is held in reset.
    pub(crate) fn arm_held(&self) -> bool {
        self.stored.get(at::ARM_RESET) & 1 != 0
    }

    /// Reads `size` bytes at `offset` of the registers.
    pub(crate) fn read(&mut self, by: Processor, offset: u32, size: u32) -> u32 {
        let Some((mask, shift)) = lanes(offset, size) else {
            return 0;
        };
        u32::from((self.read16(by, offset & !3, mask) & mask) >> shift)
    }

    /// Stores the low `size` bytes of `value` at `offset` of the registers.
    pub(crate) fn write(&mut self, by: Processor, offset: u32, size: u32, value: u32) {
        let Some((mask, shift)) = lanes(offset, size) else {
            return;
        };
        let value = (value << shift) as u16 & mask;
        if by.reaches(offset & !3) {
            self.changed = true;
            self.write16(by, offset & !3, Bits { value, mask });
        }
    }

    /// Reads a register. `mask` selects the accessed bits; only a read of the loop flag's bit clears the
    /// flag.
    fn read16(&mut self, by: Processor, offset: u32, mask: u16) -> u16 {
        if !by.reaches(offset) {
            return 0;
        }
        let stored = self.stored.get(offset);
        if self.settings.sound == Sound::Storage {
            return stored;
        }
        match offset {
            at::MASTER => self.master(stored),
            at::MIDI => MIDI_IDLE,
            at::MONITOR_STATE => self.monitor_state(mask),
            at::MONITOR_POSITION => self.channels[self.monitored()].position(),
            at::TIMER_A..=at::TIMER_C => self.timers[timer(offset)].read(),
            at::ARM_ENABLE => self.arm.enabled(),
            at::ARM_PENDING => self.arm.pending(),
            at::SH4_ENABLE => self.sh4.enabled(),
            at::SH4_PENDING => self.sh4.pending(),
            at::ARM_CLEAR | at::SH4_CLEAR | at::ARM_END => 0,
            at::ARM_CODE => self.code,
            at::DSP_TEMP..at::DSP_END => {
                let dsp = self.synth.as_ref().and_then(|synth| synth.dsp.register(offset));
                dsp.unwrap_or(stored)
            }
            _ => stored,
        }
    }

    fn write16(&mut self, by: Processor, offset: u32, bits: Bits) {
        if self.settings.sound == Sound::Storage {
            self.stored.merge(offset, bits);
            return;
        }
        match offset {
            0..at::CHANNELS_END => self.write_channel(by, offset, bits),
            at::TIMER_A..=at::TIMER_C => self.timers[timer(offset)].write(bits),
            at::DMA_CONTROL => self.write_dma(bits),
            at::DSP_TEMP..at::DSP_END => {
                self.stored.merge(offset, bits);
                if let Some(synth) = &mut self.synth {
                    synth.dsp.set_register(offset, bits);
                }
            }
            at::ARM_ENABLE => self.arm.enable(bits),
            at::ARM_PENDING => self.arm.write_pending(bits),
            at::ARM_CLEAR => self.arm.clear(bits),
            at::SH4_ENABLE => self.sh4.enable(bits),
            at::SH4_PENDING => self.sh4.write_pending(bits),
            at::SH4_CLEAR => self.sh4.clear(bits),
            _ => self.stored.merge(offset, bits),
        }
        self.update_lines();
    }

    fn master(&self, stored: u16) -> u16 {
        match self.settings.master_read {
            MasterRead::StoredAndVersion => stored & !0x00F0 | VERSION,
            MasterRead::VersionOnly => VERSION,
            MasterRead::Stored => stored,
        }
    }

    /// The channel selected by register 280C.
    fn monitored(&self) -> usize {
        usize::from(self.stored.get(at::MONITOR) >> 8) % CHANNELS
    }

    /// Reads the monitor register. A read of bit 15 clears the loop flag.
    fn monitor_state(&mut self, mask: u16) -> u16 {
        let channel = &mut self.channels[usize::from(self.stored.get(at::MONITOR) >> 8) % CHANNELS];
        let flag = u16::from(channel.loop_passed) << 15;
        self.changed |= channel.loop_passed;
        channel.loop_passed &= mask >> 15 == 0;
        let shows_filter = self.stored.get(at::MONITOR) >> 14 & 1 != 0;
        match &self.synth {
            Some(synth) if shows_filter => flag | synth.filter_monitor(self.monitored()),
            _ => flag | channel.envelope().monitor(),
        }
    }

    /// Writes a channel's register. KYONEX is not stored; it makes every channel apply its KYONB.
    fn write_channel(&mut self, by: Processor, offset: u32, bits: Bits) {
        let control = offset % at::CHANNEL == at::channel::CONTROL;
        let executes = control && bits.value & EXECUTE != 0;
        if offset % at::CHANNEL == at::channel::LFO {
            let n = (offset / at::CHANNEL) as usize % CHANNELS;
            let before = LfoRegister(self.stored.get(offset));
            self.lfos[n].change(before, self.samples);
            if self.settings.lfo_reset == LfoReset::OnWrite && bits.value >> 15 != 0 {
                self.lfos[n].reset(self.samples);
            }
        }
        let value = if control {
            bits.value & !EXECUTE
        } else {
            bits.value
        };
        self.stored.merge(offset, Bits { value, ..bits });
        if executes {
            let n = (offset / at::CHANNEL) as usize % CHANNELS;
            if self.channels[n].keyed() && self.stored.channel(n, at::channel::CONTROL) & KEY_ON != 0 {
                self.note_key(KeyIssue::Keyed, n, by);
            }
            (0..CHANNELS).for_each(|n| self.key(n, by));
        }
    }

    /// Returns the effect DSP's ring in sound RAM: start and size in bytes. `None` without an effect program.
    pub(crate) fn dsp_ring(&self) -> Option<(u32, u32)> {
        let register = self.stored.get(at::DSP_RING);
        let words = 0x2000 << (register >> 13 & 3);
        let mut program = (at::DSP_PROGRAM..at::DSP_TEMP).step_by(4);
        let runs = program.any(|offset| self.stored.get(offset) != 0);
        runs.then(|| (u32::from(register & 0xFFF) << 11, 2 * words))
    }

    fn note_key(&mut self, issue: KeyIssue, n: usize, by: Processor) {
        if self.key_notes.len() < KEY_NOTES {
            self.key_notes
                .push(KeyNote::new(issue, self.channel_state(n), by));
        }
    }

    /// Records issues of a channel that starts.
    fn check_start(&mut self, n: usize, by: Processor) {
        let state = self.channel_state(n);
        let held = self.arm_held() && by == Processor::Sh4;
        let issues = [
            (KeyIssue::Range, state.end() > RAM_BYTES as u32),
            (KeyIssue::Loop, state.loops && state.loop_start >= state.loop_end),
            (KeyIssue::Held, held),
        ];
        for (issue, _) in issues.into_iter().filter(|(_, is_there)| *is_there) {
            self.note_key(issue, n, by);
        }
    }

    /// Returns sample, speed and levels of channel `n`.
    pub(crate) fn channel_state(&self, n: usize) -> ChannelState {
        let register = |offset| self.stored.channel(n, offset);
        let channel = self.channel(n);
        let control = register(at::channel::CONTROL);
        let (level, send) = (register(at::channel::LEVEL), register(at::channel::SEND));
        let direct = register(at::channel::DIRECT);
        ChannelState {
            number: n,
            keyed: channel.keyed(),
            format: Format::of(control),
            start: u32::from(control & 0x7F) << 16 | u32::from(register(at::channel::ADDRESS)),
            loops: control >> 9 & 1 != 0,
            loop_start: register(at::channel::LOOP_START),
            loop_end: register(at::channel::LOOP_END),
            position: channel.position(),
            hz: Parameters::of(&self.stored, n, &self.settings).hz(),
            attenuation: channel.envelope().level,
            total_level: (level >> 8) as u8,
            send: (direct >> 8 & 15) as u8,
            pan: (direct & 31) as u8,
            effect: [(send >> 4 & 15) as u8, (send & 15) as u8],
        }
    }

    fn key(&mut self, n: usize, by: Processor) {
        let on = self.stored.channel(n, at::channel::CONTROL) & KEY_ON != 0;
        let starts = self.channels[n].key(on);
        if starts {
            self.check_start(n, by);
        }
        if let Some(synth) = self.synth.as_mut().filter(|_| starts) {
            synth.key_on(n, &Parameters::of(&self.stored, n, &self.settings).voice);
        }
        if let Some(streams) = self.streams.as_mut().filter(|_| starts) {
            streams.start(n, self.samples);
        }
        if starts && self.activity.is_some() {
            let (state, now) = (self.channel_state(n), self.samples);
            if let Some(activity) = &mut self.activity {
                activity.begin(state, now);
            }
        }
        self.note_sounding(n);
    }

    fn note_sounding(&mut self, n: usize) {
        let bit = u64::from(self.channels[n].sounding()) << n;
        if let Some(activity) = self.activity.as_mut().filter(|_| bit == 0) {
            activity.end(n, self.samples);
        }
        self.sounding = self.sounding & !(1 << n) | bit;
    }

    /// Writes the DMA register. The start bit is counted but not stored ("Internal DMA").
    fn write_dma(&mut self, bits: Bits) {
        self.ignored_dma += u64::from(bits.value & 1);
        let value = bits.value & !1;
        self.stored.merge(at::DMA_CONTROL, Bits { value, ..bits });
    }

    /// Advances time by one sample. `external` is the CD's left and right.
    pub(crate) fn tick(&mut self, external: [i16; 2]) {
        self.samples += 1;
        if let Some(activity) = &mut self.activity {
            activity.sample(self.sounding.count_ones());
        }
        if self.settings.sh4_line == Sh4Line::Pulse {
            self.sh4_line = false;
        }
        self.tick_channels(external);
        for n in 0..3 {
            if self.timers[n].tick(self.samples, self.settings.timer_phase) {
                self.raise(source::TIMER_A + n as u32);
            }
        }
        self.raise(source::SAMPLE);
        self.update_lines();
    }

    fn tick_channels(&mut self, external: [i16; 2]) {
        let mut rest = self.sounding;
        while rest != 0 {
            let n = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            self.tick_channel(n, self.samples - 1);
            if !self.channels[n].sounding() {
                self.note_sounding(n);
            }
        }
        if let Some(synth) = &mut self.synth {
            synth.end(&mut self.ram, &mut self.stored, external);
        }
    }

    /// Advances channel `n` at sample `count`: envelope, sound, position.
    fn tick_channel(&mut self, n: usize, count: u64) {
        if self.stored.channel_changed(n) {
            self.parameters[n] = Parameters::of(&self.stored, n, &self.settings);
        }
        let parameters = &self.parameters[n];
        let lfo = parameters.lfo;
        let noise = if parameters.needs_noise {
            noise(count, n)
        } else {
            0
        };
        if lfo.resets() && self.settings.lfo_reset == LfoReset::Held {
            self.lfos[n].reset(count);
        }
        let (mut bend, mut tremolo) = (0, 0);
        if lfo.is_used() {
            let phase = self.lfos[n].at(lfo, count);
            bend = lfo.pitch(phase, noise, parameters.fns);
            tremolo = lfo.amplitude(phase, noise) << u32::from(self.settings.alfo_depth == AlfoDepth::Db48);
        }
        if !self.channels[n].begin(parameters, count) {
            return;
        }
        self.check_stream(n, count);
        let (parameters, channel) = (&self.parameters[n], &mut self.channels[n]);
        let input = VoiceInput {
            lfo: tremolo,
            noise,
            ..channel.voice_input(parameters, count)
        };
        let done = channel.advance(parameters, bend, &self.settings);
        if let Some(synth) = &mut self.synth {
            // A sample without length makes no sound.
            if input.position >> FRACTION < parameters.end.into() {
                synth.play(&self.ram, &self.stored, n, &parameters.voice, &input);
            }
            synth.moved(&self.ram, n, &parameters.voice, &input, done.samples);
        }
        if let Some(streams) = self.streams.as_mut().filter(|_| done.looped) {
            streams.pass_end(n);
        }
        if done.looped && lfo.resets() && self.settings.lfo_reset == LfoReset::LoopStart {
            self.lfos[n].reset(count + 1);
        }
        if done.clears_key {
            let cleared = Bits {
                value: 0,
                mask: KEY_ON,
            };
            self.stored.merge(n as u32 * at::CHANNEL, cleared);
        }
    }

    /// Checks the stream of channel `n` at its position.
    fn check_stream(&mut self, n: usize, count: u64) {
        if self.streams.is_none() {
            return;
        }
        let state = self.channel_state(n);
        let streams = self.streams.as_mut().filter(|_| state.loops && state.keyed);
        if streams.is_some_and(|streams| streams.play(&self.ram, &state, count)) {
            self.note_key(KeyIssue::Underrun, n, Processor::Arm);
        }
    }

    /// Records a write to sound RAM.
    #[inline]
    pub(crate) fn note_write(&mut self, address: usize, bytes: usize) {
        if let Some(streams) = &mut self.streams {
            streams.write(address as u32, bytes as u32, self.samples);
        }
    }

    fn raise(&mut self, source: u32) {
        self.arm.raise(source);
        self.sh4.raise(source);
    }

    /// Updates the interrupt lines. FIQ is active while an enabled request is pending ("Interrupts").
    fn update_lines(&mut self) {
        let active = self.arm.active();
        self.fiq = active != 0;
        if self.fiq {
            self.code = highest(active, self.levels());
        }
        let sh4 = self.sh4.active() != 0;
        match self.settings.sh4_line {
            Sh4Line::Level => self.sh4_line = sh4,
            Sh4Line::Pulse => self.sh4_line |= sh4 && !self.sh4_active,
        }
        self.sh4_active = sh4;
    }

    fn levels(&self) -> [u16; 3] {
        [at::ARM_LEVEL_0, at::ARM_LEVEL_1, at::ARM_LEVEL_2].map(|offset| self.stored.get(offset))
    }
}

/// Returns the number of the timer at a register offset.
fn timer(offset: u32) -> usize {
    (offset - at::TIMER_A) as usize / 4
}
