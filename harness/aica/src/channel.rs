//! A channel's key, position and envelope (`docs/hardware/aica.md`, "Keys", "Positions", "End of a sample").

use crate::SAMPLE_RATE;
use crate::envelope::{EffectiveRates, Envelope, Phase, Rates, octave};
use crate::register::{Stored, channel as at};
use crate::settings::{AdpcmOctave, LoopEnd, PhaseBits, SampleEnd, Settings};
use crate::synth::lfo::LfoRegister;
use crate::synth::{VoiceInput, VoiceRegisters};

/// Fraction bits of a position: FNS has 10, and octave -8 needs 8 more.
pub(crate) const FRACTION: u32 = 18;
/// The loop bit of the control register.
const LOOPS: u16 = 1 << 9;

/// State of a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channel {
    /// Set from a key-on to the next key-off.
    keyed: bool,
    /// Set while the position advances.
    sounding: bool,
    /// Position in samples, with fraction bits.
    position: u64,
    /// Set when the channel passes its loop end; a read of the monitor register clears it.
    pub(crate) loop_passed: bool,
    envelope: Envelope,
}

state::fields!(Channel { keyed, sounding, position, loop_passed, envelope } check(|channel: &Channel| {
    channel.position >> FRACTION <= 1 << 20
}));

/// A channel's registers, decoded.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parameters {
    loops: bool,
    loop_start: u32,
    /// Position of the first sample after the sound.
    pub(crate) end: u32,
    /// Set if LSA > LEA: the channel plays past the loop end to the loop start and stops there.
    reversed: bool,
    rates: EffectiveRates,
    /// FNS, 11 bits.
    pub(crate) fns: u16,
    /// Left shift of FNS XOR 400: the octave, one more for doubled 4-bit samples.
    shift: u32,
    pub(crate) lfo: LfoRegister,
    /// Set if the LFO or the samples use the noise register.
    pub(crate) needs_noise: bool,
    pub(crate) voice: VoiceRegisters,
    /// Mask of the increment's effective bits.
    phase_mask: u64,
}

impl Parameters {
    /// Decodes the registers of channel `n`.
    pub(crate) fn of(stored: &Stored, n: usize, settings: &Settings) -> Self {
        let register = |offset| stored.channel(n, offset);
        let last = u32::from(settings.loop_end == LoopEnd::Inclusive);
        let [loop_start, loop_end] = [at::LOOP_START, at::LOOP_END].map(|at| u32::from(register(at)));
        let reversed = loop_start > loop_end;
        // A long stream ends when its position, rounded down to a multiple of four, reaches the end.
        let format = register(at::CONTROL) >> 7 & 3;
        let long = format == 3;
        let loop_end = if long {
            loop_end.next_multiple_of(4)
        } else {
            loop_end
        };
        let pitch = register(at::PITCH);
        let doubles = settings.adpcm_octave == AdpcmOctave::Doubled && format == 2 && octave(pitch) >= 2;
        let rates = Rates {
            envelope: register(at::ENVELOPE),
            release: register(at::RELEASE),
            pitch,
            scaling: settings.rate_scaling,
            attack_top: settings.attack_top,
        };
        let lfo = LfoRegister(register(at::LFO));
        let voice = VoiceRegisters::of(stored, n, rates);
        Parameters {
            loops: register(at::CONTROL) & LOOPS != 0 && !reversed,
            loop_start,
            end: if reversed { loop_start } else { loop_end + last },
            reversed,
            rates: rates.decode(),
            fns: pitch & 0x7FF,
            shift: (octave(pitch) + 8) as u32 + u32::from(doubles),
            lfo,
            needs_noise: lfo.uses_noise() || voice.plays_noise,
            voice,
            phase_mask: match settings.phase_bits {
                PhaseBits::Eighteen => u64::MAX,
                PhaseBits::Fourteen => !15,
            },
        }
    }

    /// Sample rate in Hz, without the LFO.
    pub(crate) fn hz(&self) -> f64 {
        self.step(0) as f64 / f64::from(1 << FRACTION) * f64::from(SAMPLE_RATE)
    }

    /// Position increment per output sample: 2^octave x (1 + FNS / 1024). Pitch bit 10 removes the 1. The
    /// pitch LFO adds `bend` to FNS XOR 400.
    fn step(&self, bend: i32) -> u64 {
        let mantissa = i32::from(self.fns ^ 0x400) + bend;
        ((mantissa.max(0) as u64) << self.shift) & self.phase_mask
    }
}

/// Events of a channel in one sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Advance {
    /// Number of samples that the position passed.
    pub(crate) samples: u32,
    /// The channel returned to its loop start.
    pub(crate) looped: bool,
    /// KYONB changes to 0.
    pub(crate) clears_key: bool,
}

impl Channel {
    /// Current position in samples.
    pub fn position(&self) -> u16 {
        (self.position >> FRACTION) as u16
    }

    /// Returns whether the channel is keyed on.
    pub fn keyed(&self) -> bool {
        self.keyed
    }

    /// Returns whether the channel plays, possibly in its release phase.
    pub fn sounding(&self) -> bool {
        self.sounding
    }

    /// Current envelope.
    pub fn envelope(&self) -> Envelope {
        self.envelope
    }

    /// Applies KYONB. A key-on has no effect on a keyed channel; a key-off begins the release. Returns true
    /// if the channel starts.
    pub(crate) fn key(&mut self, on: bool) -> bool {
        let starts = on && !self.keyed;
        match (self.keyed, on) {
            (false, true) => {
                *self = Channel {
                    keyed: true,
                    sounding: true,
                    position: 0,
                    loop_passed: false,
                    envelope: Envelope::start(),
                };
            }
            (true, false) => {
                self.keyed = false;
                self.envelope.release();
            }
            _ => {}
        }
        starts
    }

    /// Advances the envelope at sample `count`. Returns false if this ends the channel.
    #[inline]
    pub(crate) fn begin(&mut self, parameters: &Parameters, count: u64) -> bool {
        self.envelope.tick(&parameters.rates, count);
        if self.envelope.ended() {
            self.keyed = false;
            self.stop();
        }
        self.sounding
    }

    /// Advances the position by one output sample. The pitch LFO adds `bend`.
    #[inline]
    pub(crate) fn advance(&mut self, parameters: &Parameters, bend: i32, settings: &Settings) -> Advance {
        let before = self.whole();
        self.position += parameters.step(bend);
        let mut done = Advance {
            samples: self.whole() - before,
            ..Advance::default()
        };
        if self.whole() >= parameters.loop_start {
            self.envelope.loop_start(&parameters.rates);
        }
        if self.whole() >= parameters.end {
            done.looped = parameters.loops;
            done.clears_key = self.pass_end(parameters, settings);
        }
        done
    }

    /// Returns position, level and loop for the channel's voice.
    pub(crate) fn voice_input(&self, parameters: &Parameters, count: u64) -> VoiceInput {
        let Parameters { loop_start, end, .. } = *parameters;
        VoiceInput {
            position: self.position,
            level: self.envelope.level,
            released: self.envelope.phase == Phase::Release,
            wraps: parameters.loops.then_some((loop_start, end)),
            lfo: 0,
            noise: 0,
            count,
        }
    }

    fn whole(&self) -> u32 {
        (self.position >> FRACTION) as u32
    }

    /// Handles a position at or past the end. Returns true if KYONB changes to 0.
    fn pass_end(&mut self, parameters: &Parameters, settings: &Settings) -> bool {
        self.loop_passed = true;
        if parameters.loops {
            self.wrap(parameters.loop_start, parameters.end);
            return false;
        }
        match settings.sample_end {
            SampleEnd::Stays if parameters.reversed => {
                self.stop();
                false
            }
            SampleEnd::KeyFalls => {
                self.keyed = false;
                self.stop();
                true
            }
            SampleEnd::Stays => {
                self.sounding = false;
                false
            }
        }
    }

    /// Wraps the position to the loop start and keeps the overshoot past the loop end. A loop without length
    /// stays at its start.
    fn wrap(&mut self, start: u32, end: u32) {
        let [start, end] = [start, end].map(|at| u64::from(at) << FRACTION);
        let overshoot = match end > start {
            true => (self.position - end) % (end - start),
            false => 0,
        };
        self.position = start + overshoot;
    }

    fn stop(&mut self) {
        self.sounding = false;
        self.position = 0;
        self.envelope = Envelope::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::register::Bits;

    fn step(octave: i32, fns: u16, format: u16, settings: &Settings) -> u64 {
        let mut stored = Stored::default();
        let mut set = |offset, value| stored.merge(offset, Bits { value, mask: 0xFFFF });
        set(at::PITCH, (octave as u16 & 15) << 11 | fns);
        set(at::CONTROL, format << 7);
        Parameters::of(&stored, 0, settings).step(0)
    }

    /// An increment of 40000 is one sample at 44,100 Hz.
    #[test]
    fn steps_of_the_pitch() {
        let rows = [
            (0, 0, 0x4_0000),
            (0, 0x200, 0x6_0000),
            (-8, 0, 0x400),
            (-8, 1, 0x401),
            (7, 0x3FF, 0x3FF_8000),
            (-1, 0x155, 0x2_AA80),
        ];
        for (octave, fns, expected) in rows {
            assert_eq!(
                step(octave, fns, 0, &Settings::default()),
                expected,
                "{octave} {fns:x}"
            );
        }
        let coarse = Settings {
            phase_bits: PhaseBits::Fourteen,
            ..Settings::default()
        };
        // Increments in units of 14 fraction bits: 40, 41 and 200.
        for (octave, fns, expected) in [(-8, 1, 0x40), (-8, 16, 0x41), (-5, 1, 0x200)] {
            assert_eq!(step(octave, fns, 0, &coarse), expected << 4, "{octave} {fns:x}");
        }
        let doubled = Settings {
            adpcm_octave: AdpcmOctave::Doubled,
            ..Settings::default()
        };
        let steps =
            [(1, 2), (2, 2), (2, 3), (2, 0)].map(|(octave, format)| step(octave, 0, format, &doubled));
        assert_eq!(steps, [0x8_0000, 0x20_0000, 0x10_0000, 0x10_0000]);
    }
}
