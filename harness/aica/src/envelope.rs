//! The amplitude envelope of a channel (`docs/hardware/aica.md`, "Envelope").
//!
//! The AICA manual's table of times halves every four rates, and goes by 4, 5, 6 and 7 within: rate n makes
//! (4 + n mod 4) x 2^(n div 4) steps in 32,768 samples. A step of decay adds 1 to the level; a step of attack
//! takes off 1/16 of the level and 1. At rate 4 decay takes 89.2 s and attack 6.13 s; the table has 88.6 s
//! and 6.0 s.

use crate::settings::RateScaling;

/// Phases, in the order of the monitor register's bits 14 and 13.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// From the first level to full volume.
    Attack,
    /// To the decay level.
    Decay1,
    /// From the decay level on.
    Decay2,
    /// After key-off.
    Release,
}

/// Attenuation, 0 (full volume) to 3FF, and how it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// What it does now.
    pub phase: Phase,
    /// Attenuation: 40h are 6 dB.
    pub level: u16,
    /// Parts of a step, in 1/32768.
    part: u32,
}

/// The rates of a channel's envelope, from its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rates {
    /// Registers +10 and +14.
    pub(crate) envelope: u16,
    pub(crate) release: u16,
    /// Register +18.
    pub(crate) pitch: u16,
    pub(crate) scaling: RateScaling,
}

/// The level where attack starts.
const ATTACK_LEVEL: u16 = 0x280;
/// The level from which a channel is silent.
const SILENT: u16 = 0x3C0;
const LAST: u16 = 0x3FF;
/// Parts of a step.
const STEP: u32 = 1 << 15;
/// The first rate with an attack that takes no time.
const INSTANT: u32 = 62;

impl Rates {
    /// The 5-bit rate of `phase`.
    fn rate(self, phase: Phase) -> u32 {
        let rate = match phase {
            Phase::Attack => self.envelope,
            Phase::Decay1 => self.envelope >> 6,
            Phase::Decay2 => self.envelope >> 11,
            Phase::Release => self.release,
        };
        u32::from(rate & 31)
    }

    /// 0 to 63: twice the rate, and what key rate scaling adds.
    fn effective(self, phase: Phase) -> u32 {
        let rate = self.rate(phase);
        let scaling = i32::from(self.release >> 10 & 15);
        if rate == 0 || scaling == 15 {
            return 2 * rate;
        }
        let (octave, high) = (octave(self.pitch), i32::from(self.pitch >> 9 & 1));
        let scaled = match self.scaling {
            RateScaling::Odd => 2 * (scaling + octave) + high,
            RateScaling::Printed => 2 * (scaling + 2 * octave + high),
        };
        (scaled + 2 * rate as i32).clamp(0, 63) as u32
    }

    /// Bit 14 of +14: decay 1 begins where the loop starts.
    pub(crate) fn linked(self) -> bool {
        self.release >> 14 & 1 != 0
    }

    /// The level where decay 2 begins.
    fn decay_level(self) -> u16 {
        (self.release >> 5 & 31) << 5
    }
}

/// The octave of the pitch register, -8 to 7.
pub(crate) fn octave(pitch: u16) -> i32 {
    let octave = i32::from(pitch >> 11 & 15);
    if octave >= 8 { octave - 16 } else { octave }
}

/// Steps in 32,768 samples.
fn speed(effective: u32) -> u32 {
    match effective {
        0 | 1 => 0,
        n => (4 + n % 4) << (n / 4),
    }
}

impl Default for Envelope {
    /// Released and silent.
    fn default() -> Self {
        Envelope {
            phase: Phase::Release,
            level: LAST,
            part: 0,
        }
    }
}

impl Envelope {
    /// Key-on.
    pub(crate) fn start() -> Self {
        Envelope {
            phase: Phase::Attack,
            level: ATTACK_LEVEL,
            part: 0,
        }
    }

    /// Key-off.
    pub(crate) fn release(&mut self) {
        self.phase = Phase::Release;
        self.part = 0;
    }

    /// The position passes the loop start.
    pub(crate) fn loop_start(&mut self, rates: Rates) {
        if rates.linked() && self.phase == Phase::Attack {
            self.go(Phase::Decay1);
        }
    }

    /// Whether a released channel has ended.
    pub(crate) fn ended(self) -> bool {
        self.phase == Phase::Release && self.level >= SILENT
    }

    /// Bits 14 to 0 of the monitor register: the phase, and eight times the level, or 1FFF where it is
    /// silent.
    pub(crate) fn monitor(self) -> u16 {
        let level = if self.level >= SILENT {
            0x1FFF
        } else {
            self.level << 3
        };
        (self.phase as u16) << 13 | level
    }

    /// One sample goes by.
    #[inline]
    pub(crate) fn tick(&mut self, rates: Rates) {
        let effective = rates.effective(self.phase);
        if self.phase == Phase::Attack && effective >= INSTANT {
            self.level = 0;
        } else {
            self.part += speed(effective);
            let steps = self.part / STEP;
            self.part %= STEP;
            (0..steps).for_each(|_| self.step());
        }
        self.next(rates);
    }

    fn step(&mut self) {
        self.level = match self.phase {
            Phase::Attack => self.level.saturating_sub((self.level >> 4) + 1),
            _ => (self.level + 1).min(LAST),
        };
    }

    /// Goes to the next phase where its level is reached.
    fn next(&mut self, rates: Rates) {
        if self.phase == Phase::Attack && self.level == 0 && !rates.linked() {
            self.go(Phase::Decay1);
        }
        if self.phase == Phase::Decay1 && self.level >= rates.decay_level() {
            self.go(Phase::Decay2);
        }
    }

    fn go(&mut self, phase: Phase) {
        self.phase = phase;
        self.part = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::{Envelope, Phase, Rates, octave};
    use crate::settings::RateScaling;

    /// No scaling.
    const PLAIN: u16 = 15 << 10;

    fn rates(envelope: u16, release: u16) -> Rates {
        Rates {
            envelope,
            release,
            pitch: 0,
            scaling: RateScaling::Odd,
        }
    }

    /// Samples until `done`.
    fn samples(mut envelope: Envelope, rates: Rates, done: impl Fn(Envelope) -> bool) -> u32 {
        (0..10_000_000)
            .find(|_| {
                envelope.tick(rates);
                done(envelope)
            })
            .unwrap()
            + 1
    }

    /// 960 steps to silence and 66 from the first level to full volume; 4096 samples a step at rate 4, 256 at
    /// 20, a quarter at 60.
    #[test]
    fn times_by_hand() {
        let decay = |rate: u16| {
            let mut envelope = Envelope::start();
            (envelope.phase, envelope.level) = (Phase::Decay2, 0);
            samples(envelope, rates(rate << 11, PLAIN), |e| e.level >= 0x3C0)
        };
        assert_eq!([2, 10, 30].map(decay), [960 * 4096, 960 * 256, 960 / 4]);
        let attack = |rate: u16| {
            samples(Envelope::start(), rates(rate, PLAIN), |e| {
                e.phase != Phase::Attack
            })
        };
        assert_eq!([2, 10, 30, 31].map(attack), [66 * 4096, 66 * 256, 17, 1]);
    }

    #[test]
    fn phases_follow_each_other() {
        // Attack 31, decay 1 at 31 to level 5 x 32, decay 2 at 0, release 31.
        let rates = rates(31 | 31 << 6, PLAIN | 5 << 5 | 31);
        let mut envelope = Envelope::start();
        envelope.tick(rates);
        assert_eq!((envelope.phase, envelope.level), (Phase::Decay1, 0));
        // 6 steps a sample: 162 is the first at or above 160.
        (0..27).for_each(|_| envelope.tick(rates));
        assert_eq!((envelope.phase, envelope.level), (Phase::Decay2, 162));
        (0..1000).for_each(|_| envelope.tick(rates));
        assert_eq!((envelope.level, envelope.monitor()), (162, 2 << 13 | 162 << 3));
        envelope.release();
        assert!(!envelope.ended());
        // (960 - 162) / 6 = 133 samples.
        (0..133).for_each(|_| envelope.tick(rates));
        assert!(envelope.ended());
        assert_eq!(envelope.monitor(), 0x7FFF);
    }

    #[test]
    fn a_linked_attack_waits_for_the_loop_start() {
        let linked = rates(31, PLAIN | 1 << 14);
        let mut envelope = Envelope::start();
        (0..100).for_each(|_| envelope.tick(linked));
        assert_eq!((envelope.phase, envelope.level), (Phase::Attack, 0));
        envelope.loop_start(linked);
        assert_eq!(envelope.phase, Phase::Decay1);
    }

    #[test]
    fn scaling_follows_the_pitch() {
        let by = |scaling: RateScaling, krs: u16, pitch: u16, attack: u16| {
            let rates = Rates {
                envelope: attack,
                release: krs << 10,
                pitch,
                scaling,
            };
            rates.effective(Phase::Attack)
        };
        let effective = |krs, pitch, attack| by(RateScaling::Odd, krs, pitch, attack);
        assert_eq!(effective(15, 0x7BFF, 10), 20, "no scaling");
        assert_eq!(effective(3, 2 << 11 | 1 << 9, 10), 20 + 10 + 1);
        assert_eq!(effective(3, 8 << 11, 2), 0, "octave -8");
        assert_eq!(effective(14, 7 << 11, 31), 63);
        assert_eq!(effective(14, 7 << 11, 0), 0, "rate 0 never moves");
        assert_eq!(
            by(RateScaling::Printed, 3, 2 << 11 | 1 << 9, 10),
            2 * (3 + 4 + 1 + 10)
        );
        assert_eq!([0, 7, 8, 15].map(|o| octave(o << 11)), [0, 7, -8, -1]);
    }
}
