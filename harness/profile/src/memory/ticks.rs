//! The bus's time: hundredths of a CPU cycle, since measured costs are not whole cycles.

use std::ops::{Add, AddAssign, Sub};

/// A moment or span in hundredths of a CPU cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticks(pub(crate) u64);

/// CPU cycles in a bus cycle: the bus runs at half the clock.
const BUS_CYCLE: u64 = 2;

impl Ticks {
    pub(crate) fn cycles(cycles: u64) -> Ticks {
        Ticks(100 * cycles)
    }

    pub(crate) fn bus_cycles(cycles: u32) -> Ticks {
        Ticks::cycles(BUS_CYCLE * u64::from(cycles))
    }

    pub(crate) fn hundredths(hundredths: u32) -> Ticks {
        Ticks(hundredths.into())
    }

    /// Whole cycles, rounded up: the CPU goes on at the next edge of its clock.
    pub(crate) fn ceil(self) -> u64 {
        self.0.div_ceil(100)
    }

    /// The time from `earlier` to here; nothing if that is later.
    pub(crate) fn since(self, earlier: Ticks) -> Ticks {
        Ticks(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Ticks {
    type Output = Ticks;

    fn add(self, other: Ticks) -> Ticks {
        Ticks(self.0 + other.0)
    }
}

impl AddAssign for Ticks {
    fn add_assign(&mut self, other: Ticks) {
        self.0 += other.0;
    }
}

impl Sub for Ticks {
    type Output = Ticks;

    fn sub(self, other: Ticks) -> Ticks {
        Ticks(self.0 - other.0)
    }
}
