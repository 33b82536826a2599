//! The amplitude envelope of a channel (`docs/hardware/aica.md`, "Envelope").
//!
//! One sample counter drives all channels. At an effective rate below 30h, a step occurs when the low bits of
//! the counter are 0 and the three bits above them select a 1 in a pattern of eight. From 30h on, a step of 1
//! to 8 occurs at every second sample.

use crate::settings::{AttackTop, RateScaling};

/// Phases, in the order of the monitor register's bits 14 and 13.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Rises from the initial level to full volume.
    Attack,
    /// Falls to the decay level.
    Decay1,
    /// Falls from the decay level.
    Decay2,
    /// Falls after a key-off.
    Release,
}

state::variants!(Phase {
    0 Attack,
    1 Decay1,
    2 Decay2,
    3 Release,
});

/// Current attenuation, 0 (full volume) to 3FF, and phase of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// Current phase.
    pub phase: Phase,
    /// Attenuation; 40h is 6 dB.
    pub level: u16,
}

state::fields!(Envelope { phase, level } check(|envelope: &Envelope| envelope.level <= LAST));

/// The rates of a channel's envelope, from its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rates {
    /// Registers +10 and +14.
    pub(crate) envelope: u16,
    pub(crate) release: u16,
    /// Register +18.
    pub(crate) pitch: u16,
    pub(crate) scaling: RateScaling,
    pub(crate) attack_top: AttackTop,
}

/// Rates of an envelope with the key rate scaling applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EffectiveRates {
    /// Effective rates of the four phases, 0 to 63.
    phases: [u8; 4],
    attacks_at_once: bool,
    linked: bool,
    decay_level: u16,
}

/// Attenuation at which the attack starts.
const ATTACK_LEVEL: u16 = 0x280;
/// Attenuation from which a channel is silent and ends.
const SILENT: u16 = 0x3C0;
const LAST: u16 = 0x3FF;
/// Lowest effective rate with a step at every second sample.
const FAST: u32 = 0x30;
/// Lowest effective rate at which every step has the largest size.
const FASTEST: u32 = 0x3C;
/// Pattern of steps of a slow rate, by its two low bits.
const STEPS: [[u16; 8]; 4] = [
    [0, 1, 0, 1, 0, 1, 0, 1],
    [0, 1, 0, 1, 1, 1, 0, 1],
    [0, 1, 1, 1, 0, 1, 1, 1],
    [0, 1, 1, 1, 1, 1, 1, 1],
];
/// Step sizes of a fast rate, by its two low bits; doubled every four rates.
const SIZES: [[u16; 4]; 4] = [[1, 1, 1, 1], [1, 1, 1, 2], [2, 1, 2, 1], [1, 2, 2, 2]];

/// Returns the size of the step that effective rate `rate` makes at sample `count`; 0 for no step.
pub(crate) fn step_size(rate: u32, count: u64) -> u16 {
    let [low, quarter] = [rate & 3, rate >> 2].map(|part| part as usize);
    match rate {
        0 | 1 => 0,
        2..FAST => {
            let shift = 12 - quarter as u32;
            let is_due = count & ((1 << shift) - 1) == 0;
            if is_due {
                STEPS[low][(count >> shift & 7) as usize]
            } else {
                0
            }
        }
        _ if count & 1 != 0 => 0,
        FASTEST.. => 8,
        _ => SIZES[low][(count >> 1 & 3) as usize] << (quarter - 12),
    }
}

impl Rates {
    /// Returns the 5-bit rate of `phase`.
    fn rate(self, phase: Phase) -> u32 {
        let rate = match phase {
            Phase::Attack => self.envelope,
            Phase::Decay1 => self.envelope >> 6,
            Phase::Decay2 => self.envelope >> 11,
            Phase::Release => self.release,
        };
        u32::from(rate & 31)
    }

    /// KRS + OCT, or 0 if the sum is negative. `None` without key rate scaling.
    fn key(self) -> Option<u32> {
        let scaling = i32::from(self.release >> 10 & 15);
        let sum = (scaling + octave(self.pitch)).max(0) as u32;
        let limited = match self.scaling {
            RateScaling::Limited => sum.min(15),
            RateScaling::Unlimited => sum,
        };
        (scaling != 15).then_some(limited)
    }

    /// Returns the effective rate of `phase`, 0 to 63.
    fn effective(self, phase: Phase) -> u32 {
        self.scaled(self.rate(phase))
    }

    /// Returns twice a rate, plus the key rate scaling.
    pub(crate) fn scaled(self, rate: u32) -> u32 {
        let rate = 2 * rate;
        match self.key() {
            Some(key) if rate > 0 => (rate + 2 * key + u32::from(self.pitch >> 9 & 1)).min(63),
            _ => rate,
        }
    }

    /// Applies the key rate scaling.
    pub(crate) fn decode(self) -> EffectiveRates {
        let phases = [Phase::Attack, Phase::Decay1, Phase::Decay2, Phase::Release];
        EffectiveRates {
            phases: phases.map(|phase| self.effective(phase) as u8),
            attacks_at_once: self.attacks_at_once(),
            linked: self.linked(),
            decay_level: self.decay_level(),
        }
    }

    /// Returns whether an attack takes no time.
    fn attacks_at_once(self) -> bool {
        match self.attack_top {
            AttackTop::StepsThen32 => self.rate(Phase::Attack) + self.key().unwrap_or(0) >= 32,
            AttackTop::Steps => false,
            AttackTop::Instant62 => self.effective(Phase::Attack) >= 62,
        }
    }

    /// Returns bit 14 of register +14: decay 1 begins at the loop start.
    fn linked(self) -> bool {
        self.release >> 14 & 1 != 0
    }

    /// Returns the level at which decay 2 begins.
    fn decay_level(self) -> u16 {
        (self.release >> 5 & 31) << 5
    }
}

/// Returns the octave of the pitch register, -8 to 7.
pub(crate) fn octave(pitch: u16) -> i32 {
    let octave = i32::from(pitch >> 11 & 15);
    if octave >= 8 { octave - 16 } else { octave }
}

impl Default for Envelope {
    /// A released, silent envelope.
    fn default() -> Self {
        Envelope {
            phase: Phase::Release,
            level: LAST,
        }
    }
}

impl Envelope {
    /// Starts the envelope at a key-on.
    pub(crate) fn start() -> Self {
        Envelope {
            phase: Phase::Attack,
            level: ATTACK_LEVEL,
        }
    }

    /// Begins the release at a key-off.
    pub(crate) fn release(&mut self) {
        self.phase = Phase::Release;
    }

    /// Handles a position that passes the loop start.
    pub(crate) fn loop_start(&mut self, rates: &EffectiveRates) {
        if rates.linked && self.phase == Phase::Attack {
            self.phase = Phase::Decay1;
        }
    }

    /// Returns whether the channel ends: it is silent, in any phase.
    pub(crate) fn ended(self) -> bool {
        self.level >= SILENT
    }

    /// Returns bits 14 to 0 of the monitor register: the phase, and eight times the level, or 1FFF if the
    /// channel is silent.
    pub(crate) fn monitor(self) -> u16 {
        let level = if self.level >= SILENT {
            0x1FFF
        } else {
            self.level << 3
        };
        (self.phase as u16) << 13 | level
    }

    /// Advances the envelope at sample `count`.
    #[inline]
    pub(crate) fn tick(&mut self, rates: &EffectiveRates, count: u64) {
        let size = step_size(rates.phases[self.phase as usize].into(), count);
        match self.phase {
            Phase::Attack if rates.attacks_at_once => self.level = 0,
            // level + (~level x size >> 4). With size 1, this subtracts a sixteenth of level + 1, rounded up.
            Phase::Attack if size > 0 => {
                let part = (u32::from(self.level) + 1) * u32::from(size);
                self.level = self.level.saturating_sub(part.div_ceil(16) as u16);
            }
            Phase::Attack => {}
            _ => self.level = (self.level + size).min(LAST),
        }
        self.next(rates);
    }

    /// Enters the next phase if its level is reached.
    fn next(&mut self, rates: &EffectiveRates) {
        if self.phase == Phase::Attack && self.level == 0 && !rates.linked {
            self.phase = Phase::Decay1;
        }
        if self.phase == Phase::Decay1 && self.level >= rates.decay_level {
            self.phase = Phase::Decay2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Key rate scaling is off.
    const PLAIN: u16 = 15 << 10;

    fn rates(envelope: u16, release: u16) -> Rates {
        Rates {
            envelope,
            release,
            pitch: 0,
            scaling: RateScaling::Limited,
            attack_top: AttackTop::StepsThen32,
        }
    }

    /// Returns sample counts and levels of all steps of `envelope` during `count` samples.
    fn trace(mut envelope: Envelope, rates: Rates, count: u64) -> Vec<(u64, u16)> {
        (0..count)
            .filter_map(|sample| {
                let before = envelope.level;
                envelope.tick(&rates.decode(), sample);
                (envelope.level != before).then_some((sample, envelope.level))
            })
            .collect()
    }

    fn decay(effective: u16, count: u64) -> Vec<(u64, u16)> {
        let envelope = Envelope {
            phase: Phase::Decay2,
            level: 0,
        };
        let odd = effective & 1;
        // KRS 0, octave 0: FNS bit 9 makes the rate odd.
        let rates = Rates {
            pitch: odd << 9,
            ..rates((effective / 2) << 11, (1 - odd) * PLAIN)
        };
        trace(envelope, rates, count)
    }

    /// Attacks: nine steps in 16 samples at an effective rate of 3Ch, 66 steps at 2Ch.
    #[test]
    fn attacks_step_by_step() {
        let levels = [
            (0, 319),
            (2, 159),
            (4, 79),
            (6, 39),
            (8, 19),
            (10, 9),
            (12, 4),
            (14, 1),
            (16, 0),
        ];
        assert_eq!(trace(Envelope::start(), rates(30, PLAIN), 100), levels);
        let slow = trace(Envelope::start(), rates(22, PLAIN), 1000);
        assert_eq!(
            (slow.len(), &slow[..4]),
            (66, &[(2, 599), (6, 561), (10, 525), (14, 492)][..])
        );
        assert_eq!(slow[63..], [(254, 2), (258, 1), (262, 0)]);
    }

    /// Number of steps in 32,768 samples at rate n: (4 + n mod 4) x 2^(n div 4). Also the first steps at
    /// rates 5 and 3, and the step sizes above 30h.
    #[test]
    fn decays_step_by_step() {
        for (effective, steps) in [
            (2, 6),
            (3, 7),
            (4, 8),
            (5, 10),
            (6, 12),
            (7, 14),
            (8, 16),
            (12, 32),
        ] {
            assert_eq!(decay(effective, 32_768).len(), steps, "{effective}");
        }
        let samples = |effective, count| -> Vec<u64> {
            decay(effective, 65_536)
                .iter()
                .map(|step| step.0)
                .take(count)
                .collect()
        };
        assert_eq!(samples(5, 6), [2048, 6144, 8192, 10_240, 14_336, 18_432]);
        assert_eq!(
            samples(3, 8),
            [4096, 8192, 12_288, 16_384, 20_480, 24_576, 28_672, 36_864]
        );
        let levels = |effective, count: usize| -> Vec<u16> {
            decay(effective, 100)
                .iter()
                .map(|step| step.1)
                .take(count)
                .collect()
        };
        assert_eq!(levels(0x31, 8), [1, 2, 3, 5, 6, 7, 8, 10]);
        assert_eq!(levels(0x33, 8), [1, 3, 5, 7, 8, 10, 12, 14]);
        assert_eq!(levels(0x36, 8), [4, 6, 10, 12, 16, 18, 22, 24]);
        assert_eq!(levels(0x3E, 4), [8, 16, 24, 32]);
    }

    #[test]
    fn phases_follow_each_other() {
        // Attack 31, decay 1 at 31 to level 5 x 32, decay 2 at 0, release 31.
        let rates = rates(31 | 31 << 6, PLAIN | 5 << 5 | 31);
        let mut envelope = Envelope::start();
        (0..17).for_each(|count| envelope.tick(&rates.decode(), count));
        assert_eq!((envelope.phase, envelope.level), (Phase::Decay1, 0));
        // 20 steps of 8 at every second sample.
        (17..57).for_each(|count| envelope.tick(&rates.decode(), count));
        assert_eq!((envelope.phase, envelope.level), (Phase::Decay2, 160));
        (57..1057).for_each(|count| envelope.tick(&rates.decode(), count));
        assert_eq!((envelope.level, envelope.monitor()), (160, 2 << 13 | 160 << 3));
        envelope.release();
        // (960 - 160) / 8 = 100 steps.
        (0..198).for_each(|count| envelope.tick(&rates.decode(), count));
        assert!(!envelope.ended());
        envelope.tick(&rates.decode(), 198);
        assert!(envelope.ended());
        assert_eq!(envelope.monitor(), 0x7FFF);
    }

    #[test]
    fn a_linked_attack_waits_for_the_loop_start() {
        let linked = rates(31, PLAIN | 1 << 14);
        let mut envelope = Envelope::start();
        (0..100).for_each(|count| envelope.tick(&linked.decode(), count));
        assert_eq!((envelope.phase, envelope.level), (Phase::Attack, 0));
        envelope.loop_start(&linked.decode());
        assert_eq!(envelope.phase, Phase::Decay1);
    }

    /// A negative sum of KRS and OCT counts as 0; FNS bit 9 still counts.
    #[test]
    fn scaling_follows_the_pitch() {
        let by = |scaling: RateScaling, krs: u16, pitch: u16, attack: u16| {
            let rates = Rates {
                pitch,
                scaling,
                ..rates(attack, krs << 10)
            };
            rates.effective(Phase::Attack)
        };
        let effective = |krs, pitch, attack| by(RateScaling::Limited, krs, pitch, attack);
        assert_eq!(effective(15, 0x7BFF, 10), 20, "no scaling");
        assert_eq!(effective(3, 2 << 11 | 1 << 9, 10), 20 + 10 + 1);
        assert_eq!(effective(0, 13 << 11 | 1 << 9, 10), 21, "octave -3");
        assert_eq!(effective(2, 13 << 11 | 1 << 9, 10), 21);
        assert_eq!(effective(7, 8 << 11, 10), 20, "octave -8");
        assert_eq!(effective(14, 7 << 11 | 1 << 9, 20), 63);
        assert_eq!(effective(14, 7 << 11, 31), 63);
        assert_eq!(effective(14, 7 << 11, 0), 0, "rate 0 never moves");
        assert_eq!(effective(14, 7 << 11, 4), 8 + 30);
        assert_eq!(by(RateScaling::Unlimited, 14, 7 << 11, 4), 8 + 42);
        assert_eq!([0, 7, 8, 15].map(|o| octave(o << 11)), [0, 7, -8, -1]);
    }

    #[test]
    fn the_fastest_attacks_take_no_time() {
        let samples = |attack: u16, krs: u16, attack_top| {
            let rates = Rates {
                attack_top,
                ..rates(attack, krs << 10)
            };
            trace(Envelope::start(), rates, 100).len()
        };
        assert_eq!(samples(31, 15, AttackTop::StepsThen32), 9);
        assert_eq!(samples(31, 1, AttackTop::StepsThen32), 1);
        assert_eq!(samples(31, 1, AttackTop::Steps), 9);
        assert_eq!(samples(31, 15, AttackTop::Instant62), 1);
        assert_eq!(samples(30, 15, AttackTop::Instant62), 9);
    }
}
