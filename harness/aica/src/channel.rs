//! A channel: its key, position and envelope (`docs/hardware/aica.md`, "Keys", "Positions", "End of a
//! sample").

use crate::SAMPLE_RATE;
use crate::envelope::{Envelope, Phase, Rates, octave};
use crate::register::{Stored, channel as at};
use crate::settings::{AdpcmOctave, LoopEnd, PhaseBits, SampleEnd, Settings};
use crate::synth::Heard;

/// Bits of a position behind the point: FNS has 10, and octave -8 takes 8 more.
pub(crate) const FRACTION: u32 = 18;
/// Bit 9 of the control register.
const LOOPS: u16 = 1 << 9;

/// What a channel does now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channel {
    /// Keyed on, and not keyed off since.
    keyed: bool,
    /// Whether the position moves.
    sounding: bool,
    /// In samples, with a fraction.
    position: u64,
    /// The loop end was reached since the monitor register was read.
    pub(crate) loop_passed: bool,
    envelope: Envelope,
}

state::fields!(Channel { keyed, sounding, position, loop_passed, envelope } check(|channel: &Channel| {
    channel.position >> FRACTION <= 1 << 20
}));

/// A channel's registers, as its time step takes them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameters {
    loops: bool,
    loop_start: u32,
    /// The first sample that is not played.
    pub(crate) end: u32,
    /// LSA > LEA: the channel plays on to the loop start and stops there.
    reversed: bool,
    rates: Rates,
    /// Offset of the pitch LFO, added to FNS ^ 400.
    pub(crate) bend: i32,
    /// Left shift of the increment.
    doubled: u32,
    /// Bits of the increment that count.
    phase_mask: u64,
}

impl Parameters {
    /// Those of channel `n`.
    pub(crate) fn of(stored: &Stored, n: usize, settings: &Settings) -> Self {
        let register = |offset| stored.channel(n, offset);
        let last = u32::from(settings.loop_end == LoopEnd::Inclusive);
        let [loop_start, loop_end] = [at::LOOP_START, at::LOOP_END].map(|at| u32::from(register(at)));
        let reversed = loop_start > loop_end;
        // A long stream ends where its position without the two low bits reaches the end.
        let format = register(at::CONTROL) >> 7 & 3;
        let long = format == 3;
        let loop_end = if long {
            loop_end.next_multiple_of(4)
        } else {
            loop_end
        };
        let pitch = register(at::PITCH);
        let doubles = settings.adpcm_octave == AdpcmOctave::Doubled && format == 2 && octave(pitch) >= 2;
        Parameters {
            loops: register(at::CONTROL) & LOOPS != 0 && !reversed,
            loop_start,
            end: if reversed { loop_start } else { loop_end + last },
            reversed,
            rates: Rates {
                envelope: register(at::ENVELOPE),
                release: register(at::RELEASE),
                pitch,
                scaling: settings.rate_scaling,
                attack_top: settings.attack_top,
            },
            bend: 0,
            doubled: doubles.into(),
            phase_mask: match settings.phase_bits {
                PhaseBits::Eighteen => u64::MAX,
                PhaseBits::Fourteen => !15,
            },
        }
    }

    /// Samples a second, without the LFO.
    pub(crate) fn hz(self) -> f64 {
        self.step() as f64 / f64::from(1 << FRACTION) * f64::from(SAMPLE_RATE)
    }

    /// Samples for each sample of time: 2^octave x (1 + FNS / 1024). Bit 10 of FNS takes the 1 away.
    fn step(self) -> u64 {
        let mantissa = i32::from(self.rates.pitch & 0x7FF ^ 0x400) + self.bend;
        let step = (mantissa.max(0) as u64) << (octave(self.rates.pitch) + 8);
        (step << self.doubled) & self.phase_mask
    }
}

/// Events of a channel in one sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Advance {
    /// Samples that its position has moved past.
    pub(crate) samples: u32,
    /// The channel returned to its loop start.
    pub(crate) looped: bool,
    /// KYONB falls.
    pub(crate) key_falls: bool,
}

impl Channel {
    /// Where it plays, in samples.
    pub fn position(&self) -> u16 {
        (self.position >> FRACTION) as u16
    }

    /// Whether it is keyed on.
    pub fn keyed(&self) -> bool {
        self.keyed
    }

    /// Whether it plays, perhaps released.
    pub fn sounding(&self) -> bool {
        self.sounding
    }

    /// Its envelope.
    pub fn envelope(&self) -> Envelope {
        self.envelope
    }

    /// KYONB takes effect. A key-on of a keyed channel changes nothing; a key-off begins the release. True if
    /// the channel starts.
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

    /// The envelope at sample `count`. False if the channel ends by it.
    #[inline]
    pub(crate) fn begin(&mut self, parameters: Parameters, count: u64) -> bool {
        self.envelope.tick(parameters.rates, count);
        if self.envelope.ended() {
            self.keyed = false;
            self.stop();
        }
        self.sounding
    }

    /// The position moves by a sample of time.
    #[inline]
    pub(crate) fn advance(&mut self, parameters: Parameters, settings: &Settings) -> Advance {
        let before = self.whole();
        self.position += parameters.step();
        let mut done = Advance {
            samples: self.whole() - before,
            ..Advance::default()
        };
        if self.whole() >= parameters.loop_start {
            self.envelope.loop_start(parameters.rates);
        }
        if self.whole() >= parameters.end {
            done.looped = parameters.loops;
            done.key_falls = self.pass_end(parameters, settings);
        }
        done
    }

    /// Position, level and loop, as the channel's voice needs them.
    pub(crate) fn heard(&self, parameters: Parameters, count: u64) -> Heard {
        let Parameters { loop_start, end, .. } = parameters;
        Heard {
            position: self.position,
            level: self.envelope.level,
            released: self.envelope.phase == Phase::Release,
            rates: parameters.rates,
            wraps: parameters.loops.then_some((loop_start, end)),
            lfo: 0,
            noise: 0,
            count,
        }
    }

    fn whole(&self) -> u32 {
        (self.position >> FRACTION) as u32
    }

    /// The position is at or behind the end. True when KYONB falls.
    fn pass_end(&mut self, parameters: Parameters, settings: &Settings) -> bool {
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

    /// Goes on behind the loop start as far as the position lies behind the end; a loop without length stays
    /// at its start.
    fn wrap(&mut self, start: u32, end: u32) {
        let [start, end] = [start, end].map(|at| u64::from(at) << FRACTION);
        let behind = match end > start {
            true => (self.position - end) % (end - start),
            false => 0,
        };
        self.position = start + behind;
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
        Parameters::of(&stored, 0, settings).step()
    }

    /// 40000 is one sample of 44,100 Hz.
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
        // In units of 14 fraction bits: 40, 41 and 200.
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
