//! A channel: its key, position and envelope (`docs/hardware/aica.md`, "Keys", "Positions", "End of a
//! sample").

use crate::envelope::{Envelope, Rates, octave};
use crate::register::{Stored, channel as at};
use crate::settings::{LoopEnd, SampleEnd, Settings};

/// Bits of a position behind the point: FNS has 10, and octave -8 takes 8 more.
const FRACTION: u32 = 18;
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

/// A channel's registers, as its time step takes them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameters {
    loops: bool,
    loop_start: u32,
    /// The first sample that is not played.
    end: u32,
    rates: Rates,
}

impl Parameters {
    /// Those of channel `n`.
    pub(crate) fn of(stored: &Stored, n: usize, settings: &Settings) -> Self {
        let register = |offset| stored.channel(n, offset);
        let last = u32::from(settings.loop_end == LoopEnd::Inclusive);
        Parameters {
            loops: register(at::CONTROL) & LOOPS != 0,
            loop_start: register(at::LOOP_START).into(),
            end: u32::from(register(at::LOOP_END)) + last,
            rates: Rates {
                envelope: register(at::ENVELOPE),
                release: register(at::RELEASE),
                pitch: register(at::PITCH),
                scaling: settings.rate_scaling,
            },
        }
    }

    /// Samples for each sample of time: 2^octave x (1 + FNS / 1024).
    fn step(self) -> u64 {
        let mantissa = u64::from(0x400 | self.rates.pitch & 0x3FF);
        mantissa << (octave(self.rates.pitch) + 8)
    }
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

    /// KYONB takes effect. A key-on of a keyed channel changes nothing; a key-off begins the release.
    pub(crate) fn key(&mut self, on: bool) {
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
    }

    /// One sample goes by. True when KYONB falls.
    #[inline]
    pub(crate) fn tick(&mut self, parameters: Parameters, settings: &Settings) -> bool {
        let Parameters { rates, .. } = parameters;
        self.envelope.tick(rates);
        if self.envelope.ended() {
            self.stop();
            return false;
        }
        self.position += parameters.step();
        if self.whole() >= parameters.loop_start {
            self.envelope.loop_start(rates);
        }
        self.whole() >= parameters.end && self.pass_end(parameters, settings)
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
