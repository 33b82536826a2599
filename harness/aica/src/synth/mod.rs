//! Sound itself: what 64 channels, the effect DSP and the mixer make of sound RAM (`docs/hardware/aica.md`,
//! "Synthesis"). This is the plain definition: integers only, floor shifts.

mod adpcm;
mod dsp;
mod filter;
pub(crate) mod lfo;
mod mix;
mod noise;
mod voice;

use crate::envelope::Rates;
use crate::register::{self as at, Stored};
use crate::{CHANNELS, RAM_BYTES};
use dsp::Dsp;
pub(crate) use voice::Voice;

/// Bits of a channel's level register: TL does not count; the filter is off.
const VOFF: u16 = 1 << 6;
const LPOFF: u16 = 1 << 5;
/// Mono, in 2800.
const MONO: u16 = 1 << 15;

/// A channel as its voice hears it: position and envelope after their steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heard {
    /// Position in samples, with 18 fraction bits.
    pub(crate) position: u64,
    /// Attenuation of the envelope.
    pub(crate) level: u16,
    pub(crate) released: bool,
    pub(crate) rates: Rates,
    /// The loop: start and end, if the channel loops.
    pub(crate) wraps: Option<(u32, u32)>,
    /// Amplitude LFO, 0 to FE.
    pub(crate) lfo: u16,
    /// The noise register.
    pub(crate) noise: u32,
    /// Samples since power-on.
    pub(crate) count: u64,
}

/// See the module's head.
#[derive(Clone, Debug)]
pub(crate) struct Synth {
    voices: [Voice; CHANNELS],
    pub(crate) dsp: Dsp,
    /// Sums of the present sample: left, right, and the DSP's inputs.
    sums: [i64; 2],
    inputs: [i32; 16],
    /// Left and right of every sample so far.
    output: Vec<[i16; 2]>,
}

impl Default for Synth {
    fn default() -> Self {
        Self {
            voices: [Voice::default(); CHANNELS],
            dsp: Dsp::default(),
            sums: [0; 2],
            inputs: [0; 16],
            output: Vec::new(),
        }
    }
}

impl Synth {
    /// Channel `n` is keyed on.
    pub(crate) fn key_on(&mut self, stored: &Stored, n: usize) {
        self.voices[n] = Voice::keyed(stored.channel(n, at::channel::FILTER_LEVEL));
    }

    /// Level and phase of channel `n`'s filter envelope, as the monitor shows them.
    pub(crate) fn filter_monitor(&self, n: usize) -> u16 {
        self.voices[n].filter_monitor()
    }

    /// The position of channel `n` has moved past so many samples.
    pub(crate) fn moved(
        &mut self,
        ram: &[u8; RAM_BYTES],
        stored: &Stored,
        n: usize,
        heard: Heard,
        samples: u32,
    ) {
        let fetch = voice::Fetch::of(ram, stored, n, heard);
        self.voices[n].advance(&fetch, samples);
    }

    /// Adds channel `n` to the sums of this sample.
    pub(crate) fn play(&mut self, ram: &[u8; RAM_BYTES], stored: &Stored, n: usize, heard: Heard) {
        let register = |offset| stored.channel(n, offset);
        let fetch = voice::Fetch::of(ram, stored, n, heard);
        let voice = &mut self.voices[n];
        let mut sample = voice.interpolated(&fetch);
        voice.step_filter_envelope(stored, n, heard);
        let level = register(at::channel::LEVEL);
        if level & LPOFF == 0 {
            sample = voice.filtered(sample, level & 31);
        }
        if level & VOFF == 0 {
            let attenuation = u32::from(heard.level) + 4 * u32::from(level >> 8) + u32::from(heard.lfo);
            sample = mix::level_gain(sample, attenuation);
        }
        let direct = register(at::channel::DIRECT);
        self.add(mix::direct(sample, direct, is_mono(stored)));
        let send = register(at::channel::SEND);
        let input = &mut self.inputs[usize::from(send & 15)];
        *input += mix::by_level(sample, send >> 4 & 15);
    }

    fn add(&mut self, [left, right]: [i32; 2]) {
        self.sums[0] += i64::from(left);
        self.sums[1] += i64::from(right);
    }

    /// Ends the sample: the DSP's steps on the last sample's inputs, its outputs, the master volume.
    pub(crate) fn end(&mut self, ram: &mut [u8; RAM_BYTES], stored: &Stored) {
        self.dsp.sample(ram, stored);
        let inputs = std::mem::take(&mut self.inputs);
        self.dsp.inputs = inputs.map(|sum| sum << 12 >> 12);
        for n in 0..16 {
            let send = stored.get(at::EFFECT_SEND + 4 * n as u32);
            let effect = i32::from(self.dsp.outputs[n]);
            self.add(mix::direct(effect, send, is_mono(stored)));
        }
        let volume = stored.get(at::MASTER) & 15;
        let sums = std::mem::take(&mut self.sums);
        self.output.push(sums.map(|sum| mix::master(sum, volume)));
    }

    /// The samples since the last call.
    pub(crate) fn take(&mut self) -> Vec<[i16; 2]> {
        std::mem::take(&mut self.output)
    }
}

fn is_mono(stored: &Stored) -> bool {
    stored.get(at::MASTER) & MONO != 0
}

pub(crate) use noise::noise;
