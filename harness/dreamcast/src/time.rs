//! Time as a type: cycles of the SH4's clock since power-on.

use std::ops::{Add, AddAssign, Sub};

/// Source of the console's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// A fixed number of cycles per instruction
    /// ([`Settings::cycles_per_instruction`](crate::Settings::cycles_per_instruction)).
    #[default]
    Fast,
    /// The cycle model of [`timing`]: pipeline, caches, store queues, bus.
    Model,
}

/// A point in time, or a duration, in cycles of the SH4's 200 MHz clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cycles(pub u64);

state::fields!(Cycles(cycles) check(|time: &Cycles| time.0 < 1 << 56 || *time == Cycles::NEVER));

impl Cycles {
    /// Later than every event.
    pub const NEVER: Cycles = Cycles(u64::MAX);

    /// Returns the cycles from `earlier` to `self`; 0 if `earlier` is later.
    #[must_use]
    pub fn since(self, earlier: Cycles) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<u64> for Cycles {
    type Output = Cycles;

    fn add(self, cycles: u64) -> Cycles {
        Cycles(self.0.saturating_add(cycles))
    }
}

impl AddAssign<u64> for Cycles {
    fn add_assign(&mut self, cycles: u64) {
        *self = *self + cycles;
    }
}

impl Sub for Cycles {
    type Output = u64;

    fn sub(self, earlier: Cycles) -> u64 {
        self.since(earlier)
    }
}

/// A clock derived from the SH4's by an exact fraction, so that rounding errors do not accumulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Ticks of the derived clock in [`Ratio::cycles`] cycles.
    pub ticks: u64,
    /// Cycles of the SH4.
    pub cycles: u64,
}

impl Ratio {
    /// Returns the whole ticks of the derived clock at `time`.
    #[must_use]
    pub fn ticks_at(self, time: Cycles) -> u64 {
        match time.0.checked_mul(self.ticks) {
            Some(product) => product / self.cycles,
            None => (u128::from(time.0) * u128::from(self.ticks) / u128::from(self.cycles)) as u64,
        }
    }

    /// Returns the first cycle at which `tick` ticks have passed.
    #[must_use]
    pub fn time_of(self, tick: u64) -> Cycles {
        Cycles((u128::from(tick) * u128::from(self.cycles)).div_ceil(u128::from(self.ticks)) as u64)
    }

    /// Returns the cycles of `ticks` ticks, rounded up.
    #[must_use]
    pub fn length(self, ticks: u64) -> u64 {
        self.time_of(ticks).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_and_its_inverse_agree() {
        // 27 MHz and 199.5 MHz: 18 dots in 133 cycles.
        let dots = Ratio {
            ticks: 18,
            cycles: 133,
        };
        assert_eq!(dots.time_of(18), Cycles(133));
        assert_eq!(dots.time_of(1), Cycles(8)); // 7.39 cycles, rounded up
        for tick in [0, 1, 2, 17, 18, 19, 1_000_000_007] {
            let time = dots.time_of(tick);
            assert_eq!(dots.ticks_at(time), tick);
            assert!(tick == 0 || dots.ticks_at(Cycles(time.0 - 1)) == tick - 1);
        }
    }
}
