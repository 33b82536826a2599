//! A channel's LFO ("LFO"): an 8-bit phase, and waves for amplitude and pitch.

/// Register +1C: 15 reset, 14:10 frequency, 9:8 and 7:5 pitch wave and depth, 4:3 and 2:0 amplitude.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LfoRegister(pub(crate) u16);

impl LfoRegister {
    /// Samples per step of the phase.
    fn period(self) -> u64 {
        let frequency = self.0 >> 10 & 31;
        let samples = (8 - (frequency & 3)) << 7 >> (frequency >> 2);
        u64::from(samples - 4)
    }

    /// Returns bit 15, LFORE ("LFO").
    pub(crate) fn resets(self) -> bool {
        self.0 >> 15 != 0
    }

    /// Returns whether the LFO changes pitch or amplitude.
    pub(crate) fn is_used(self) -> bool {
        self.0 & 0xE7 != 0
    }

    /// Returns whether pitch or amplitude follow the noise register.
    pub(crate) fn uses_noise(self) -> bool {
        self.is_used() && (self.0 >> 8 & 3 == 3 || self.0 >> 3 & 3 == 3)
    }

    /// Attenuation added by the amplitude LFO.
    pub(crate) fn amplitude(self, phase: u8, noise: u32) -> u16 {
        let depth = self.0 & 7;
        let wave = match self.0 >> 3 & 3 {
            0 => phase & 0xFE,
            1 if phase < 0x80 => 0,
            1 => 0xFE,
            2 if phase < 0x80 => phase << 1 & 0xFE,
            2 => !phase << 1 & 0xFE,
            _ => noise as u8,
        };
        if depth == 0 {
            0
        } else {
            u16::from(wave >> (7 - depth))
        }
    }

    /// Offset by the pitch LFO, added to FNS XOR 400.
    pub(crate) fn pitch(self, phase: u8, noise: u32, fns: u16) -> i32 {
        let depth = self.0 >> 5 & 7;
        let wave = match self.0 >> 8 & 3 {
            0 => (phase & 0xFE) as i8,
            1 if phase < 0x80 => 126,
            1 => -128,
            2 => triangle(phase),
            _ => noise as i8,
        };
        if depth == 0 {
            return 0;
        }
        ((i32::from(fns ^ 0x400) >> 4) * (i32::from(wave) >> (7 - depth))) >> 6
    }
}

/// Triangle wave: from 0 up to 126 at 3F, down to -128 at BF, and up again.
fn triangle(phase: u8) -> i8 {
    let mut value = phase & 0x3F;
    if phase & 0x40 != 0 {
        value ^= 0x3F;
    }
    if phase & 0x80 != 0 {
        value ^= 0x7F;
    }
    (value << 1) as i8
}

/// Phase of an LFO at its last step. Key-ons do not reset it, and a change of the frequency preserves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lfo {
    /// Phase at sample `since`.
    phase: u8,
    since: u64,
}

state::fields!(Lfo { phase, since });

impl Lfo {
    /// Returns the phase at sample `count`.
    #[inline]
    pub(crate) fn at(&mut self, register: LfoRegister, count: u64) -> u8 {
        let (passed, period) = (count.saturating_sub(self.since), register.period());
        if passed >= period {
            let steps = passed / period;
            self.phase = self.phase.wrapping_add(steps as u8);
            self.since += steps * period;
        }
        self.phase
    }

    /// Records a change of the frequency at sample `count`.
    pub(crate) fn change(&mut self, register: LfoRegister, count: u64) {
        (self.phase, self.since) = (self.at(register, count), count);
    }

    /// Resets the phase to 0 at sample `count`.
    pub(crate) fn reset(&mut self, count: u64) {
        (self.phase, self.since) = (0, count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHASES: [u8; 7] = [0, 1, 0x3F, 0x40, 0x80, 0xC0, 0xFF];

    #[test]
    fn periods_halve_every_four_frequencies() {
        let periods = [0, 1, 2, 3, 4, 8, 9, 10, 11, 0x1C, 0x1D, 0x1E, 0x1F]
            .map(|frequency: u16| LfoRegister(frequency << 10).period());
        assert_eq!(
            periods,
            [1020, 892, 764, 636, 508, 252, 220, 188, 156, 4, 3, 2, 1]
        );
    }

    #[test]
    fn waves_by_hand() {
        let amplitude = |wave: u16| PHASES.map(|phase| LfoRegister(wave << 3 | 7).amplitude(phase, 0));
        assert_eq!(amplitude(0), [0, 0, 0x3E, 0x40, 0x80, 0xC0, 0xFE]);
        assert_eq!(amplitude(1), [0, 0, 0, 0, 0xFE, 0xFE, 0xFE]);
        assert_eq!(amplitude(2), [0, 2, 0x7E, 0x80, 0xFE, 0x7E, 0]);
        assert_eq!(LfoRegister(3 << 3 | 7).amplitude(0, 0x1_2345), 0x45);
        assert_eq!(LfoRegister(0).amplitude(0xFF, 0), 0);
        assert_eq!(LfoRegister(1).amplitude(0xFF, 0), 3);
        let pitch = |wave: u16| PHASES.map(|phase| LfoRegister(wave << 8 | 7 << 5).pitch(phase, 0, 0));
        // With FNS 0, the offset is 64 x wave / 64.
        assert_eq!(pitch(0), [0, 0, 62, 64, -128, -64, -2]);
        assert_eq!(pitch(1), [126, 126, 126, 126, -128, -128, -128]);
        assert_eq!(pitch(2), [0, 2, 126, 126, -2, -128, -2]);
        assert_eq!(LfoRegister(1 << 8 | 7 << 5).pitch(0, 0, 1023), 250);
        assert_eq!(LfoRegister(1 << 8 | 4 << 5).pitch(0x80, 0, 512), -24);
        assert_eq!(LfoRegister(1 << 8 | 1 << 5).pitch(0, 0, 0), 1);
    }

    #[test]
    fn a_change_of_the_frequency_keeps_the_phase() {
        let [slow, fast] = [0x1E, 0x1F].map(|frequency: u16| LfoRegister(frequency << 10));
        let mut lfo = Lfo::default();
        let at = |mut lfo: Lfo, register, count| lfo.at(register, count);
        assert_eq!(
            [0, 1, 2, 3, 512].map(|count| at(lfo, slow, count)),
            [0, 0, 1, 1, 0]
        );
        // Every sample, or only the last one.
        let mut each = lfo;
        assert_eq!(
            [0, 1, 2, 3, 512].map(|count| each.at(slow, count)),
            [0, 0, 1, 1, 0]
        );
        lfo.change(slow, 7);
        assert_eq!([7, 8, 9].map(|count| at(lfo, fast, count)), [3, 4, 5]);
        lfo.reset(9);
        assert_eq!(lfo.at(fast, 9), 0);
    }
}
