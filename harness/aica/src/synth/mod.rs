//! Sound synthesis: 64 channels, the effect DSP and the mixer (`docs/hardware/aica.md`, "Synthesis"). The
//! arithmetic uses only integers and rounds down on shifts; faster code must match it.

pub mod adpcm;
mod dsp;
mod filter;
pub(crate) mod lfo;
mod mix;
mod noise;
mod voice;

use crate::register::{self as at, Stored};
use crate::settings::{ExtsOrder, FilterPlace, GainWidth, MixsDelay, MixsOverflow, Settings};
use crate::{CHANNELS, RAM_BYTES};
use dsp::Dsp;
pub(crate) use voice::VoiceRegisters;
use voice::{Fetch, Voice};

/// Bit of a channel's level register: the channel plays without attenuation.
const VOFF: u16 = 1 << 6;
/// Bit of a channel's level register: the channel plays without the filter.
const LPOFF: u16 = 1 << 5;
/// Mono bit of register 2800.
const MONO: u16 = 1 << 15;

/// Input of a channel's voice for one sample: the position before its step, the envelope after its step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VoiceInput {
    /// Position in samples, with 18 fraction bits.
    pub(crate) position: u64,
    /// Attenuation of the envelope.
    pub(crate) level: u16,
    pub(crate) released: bool,
    /// Loop start and end, if the channel loops.
    pub(crate) wraps: Option<(u32, u32)>,
    /// Amplitude LFO, 0 to FE.
    pub(crate) lfo: u16,
    /// Value of the noise register.
    pub(crate) noise: u32,
    /// Samples since power-on.
    pub(crate) count: u64,
}

/// State of the synthesizer.
#[derive(Clone, Debug)]
pub(crate) struct Synth {
    voices: [Voice; CHANNELS],
    pub(crate) dsp: Dsp,
    /// Sums of the current sample: left, right, and the DSP's inputs.
    sums: [i64; 2],
    inputs: [i32; 16],
    /// Stereo samples that no caller has taken yet.
    output: Vec<[i16; 2]>,
    settings: Settings,
}

state::fields!(Synth { voices, dsp, sums, inputs, output } keep { settings } check(|synth: &Synth| {
    synth.sums.iter().all(|sum| sum.abs() < 1 << 40) && synth.inputs.iter().all(|input| input.abs() < 1 << 27)
}));

impl Synth {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            voices: [Voice::default(); CHANNELS],
            dsp: Dsp::default(),
            sums: [0; 2],
            inputs: [0; 16],
            output: Vec::new(),
            settings,
        }
    }

    /// Starts the voice of channel `n`.
    pub(crate) fn key_on(&mut self, n: usize, registers: &VoiceRegisters) {
        self.voices[n] = Voice::keyed(registers);
    }

    /// Returns level and phase of channel `n`'s filter envelope, in the format of the monitor register.
    pub(crate) fn filter_monitor(&self, n: usize) -> u16 {
        self.voices[n].filter_monitor()
    }

    /// Advances the position of channel `n` by `samples`.
    #[inline]
    pub(crate) fn moved(
        &mut self,
        ram: &[u8; RAM_BYTES],
        n: usize,
        registers: &VoiceRegisters,
        input: &VoiceInput,
        samples: u32,
    ) {
        let settings = &self.settings;
        let fetch = Fetch {
            ram,
            registers,
            input,
            settings,
        };
        self.voices[n].advance(&fetch, samples);
    }

    /// Adds channel `n` to the sums of the current sample.
    pub(crate) fn play(
        &mut self,
        ram: &[u8; RAM_BYTES],
        stored: &Stored,
        n: usize,
        registers: &VoiceRegisters,
        input: &VoiceInput,
    ) {
        let settings = &self.settings;
        let fetch = Fetch {
            ram,
            registers,
            input,
            settings,
        };
        let voice = &mut self.voices[n];
        let mut value = voice.interpolated(&fetch) << 4;
        voice.step_filter_envelope(registers, input);
        let level = registers.level;
        let filters = |place| level & LPOFF == 0 && settings.filter_place == place;
        if filters(FilterPlace::BeforeLevel) {
            value = to_16_bits(voice.filtered(value, level & 31, settings.filter_form));
        }
        if level & VOFF == 0 {
            let attenuation = u32::from(input.level) + 4 * u32::from(level >> 8) + u32::from(input.lfo);
            value = match settings.gain_width {
                GainWidth::Sixteen => mix::level_gain(value >> 4, attenuation, settings) << 4,
                GainWidth::Twenty => mix::level_gain(value, attenuation, settings),
            };
        }
        if filters(FilterPlace::AfterLevel) {
            value = to_16_bits(voice.filtered(value, level & 31, settings.filter_form));
        }
        let (curve, send) = (settings.send_curve, registers.send);
        let effect = &mut self.inputs[usize::from(send & 15)];
        *effect += mix::by_level(value, send >> 4 & 15, curve);
        self.send(value, registers.direct, stored);
    }

    /// Adds a 20-bit value to the outputs, with the level and pan of a send register.
    fn send(&mut self, value: i32, register: u16, stored: &Stored) {
        let [left, right] = mix::direct(value, register, is_mono(stored), self.settings.send_curve);
        self.sums[0] += i64::from(left);
        self.sums[1] += i64::from(right);
    }

    /// Completes the sample: runs the DSP, adds its outputs and the CD, and applies the master volume.
    /// `external` is the CD's left and right.
    pub(crate) fn end(&mut self, ram: &mut [u8; RAM_BYTES], stored: &mut Stored, external: [i16; 2]) {
        let inputs = std::mem::take(&mut self.inputs).map(|sum| match self.settings.mixs_overflow {
            MixsOverflow::Wrap => sum << 12 >> 12,
            MixsOverflow::Saturate => sum.clamp(-0x8_0000, 0x7_FFFF),
        });
        let [left, right] = external;
        self.dsp.external = match self.settings.exts_order {
            ExtsOrder::LeftRight => [left, right],
            ExtsOrder::RightLeft => [right, left],
        };
        match self.settings.mixs_delay {
            MixsDelay::One => {
                self.dsp.sample(ram, stored, &self.settings);
                self.dsp.inputs = inputs;
            }
            MixsDelay::Zero => {
                self.dsp.inputs = inputs;
                self.dsp.sample(ram, stored, &self.settings);
            }
        }
        for n in 0..16 {
            let value = i32::from(self.dsp.outputs[n]) << 4;
            self.send(value, stored.get(at::EFFECT_SEND + 4 * n as u32), stored);
        }
        for n in 0..2 {
            let value = i32::from(self.dsp.external[n]) << 4;
            self.send(value, stored.get(at::EXTERNAL_SEND + 4 * n as u32), stored);
        }
        let volume = stored.get(at::MASTER) & 15;
        let sums = std::mem::take(&mut self.sums);
        let curve = self.settings.send_curve;
        self.output.push(sums.map(|sum| mix::master(sum, volume, curve)));
    }

    /// Returns the samples since the last call.
    pub(crate) fn take(&mut self) -> Vec<[i16; 2]> {
        std::mem::take(&mut self.output)
    }
}

/// Drops the four low bits of a 20-bit value, and limits it.
fn to_16_bits(value: i32) -> i32 {
    (value >> 4).clamp(i16::MIN.into(), i16::MAX.into()) << 4
}

fn is_mono(stored: &Stored) -> bool {
    stored.get(at::MASTER) & MONO != 0
}

pub(crate) use noise::noise;
