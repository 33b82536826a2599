//! Time of the bus in hundredths of a CPU cycle, because measured costs are not integers.

use std::ops::{Add, AddAssign};

/// A moment or span in hundredths of a CPU cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ticks(pub(crate) u64);

/// Ticks per cycle.
const CYCLE: u64 = 100;
/// CPU cycles per bus cycle: the bus runs at half the clock.
const BUS_CYCLE: u64 = 2;

impl Ticks {
    #[inline(always)]
    pub(crate) const fn cycles(cycles: u64) -> Ticks {
        Ticks(CYCLE * cycles)
    }

    #[inline(always)]
    pub(crate) const fn bus_cycles(cycles: u32) -> Ticks {
        Ticks::cycles(BUS_CYCLE * cycles as u64)
    }

    pub(crate) fn hundredths(hundredths: u32) -> Ticks {
        Ticks(hundredths.into())
    }

    /// Returns full cycles, rounded up: the CPU continues at the next edge of its clock.
    #[inline(always)]
    pub(crate) fn ceil(self) -> u64 {
        self.0.div_ceil(CYCLE)
    }

    /// Returns the full cycles in this span.
    #[inline(always)]
    pub(crate) fn floor(self) -> u64 {
        if self.0 < CYCLE { 0 } else { self.0 / CYCLE }
    }

    /// Returns the time from `earlier` to this moment; 0 if `earlier` is later.
    #[inline(always)]
    pub(crate) fn since(self, earlier: Ticks) -> Ticks {
        Ticks(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Ticks {
    type Output = Ticks;

    #[inline(always)]
    fn add(self, other: Ticks) -> Ticks {
        Ticks(self.0 + other.0)
    }
}

impl AddAssign for Ticks {
    #[inline(always)]
    fn add_assign(&mut self, other: Ticks) {
        self.0 += other.0;
    }
}
