//! Time as a type.

use serde::Serialize;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// A span of CPU clock cycles, or a moment in cycles from the start of a measurement. One second has 199.5
/// million cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Cycles(pub u64);

impl Cycles {
    /// No time.
    pub const ZERO: Cycles = Cycles(0);

    /// Returns the time from `earlier` to this moment; 0 if `earlier` is later.
    #[must_use]
    pub fn since(self, earlier: Cycles) -> Cycles {
        Cycles(self.0.saturating_sub(earlier.0))
    }

    /// Issue slots in this time: two per cycle.
    #[must_use]
    pub fn slots(self) -> u64 {
        2 * self.0
    }

    /// Returns the number of cycles as a float, for ratios.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        self.0 as f64
    }
}

impl Add for Cycles {
    type Output = Cycles;

    fn add(self, other: Cycles) -> Cycles {
        Cycles(self.0 + other.0)
    }
}

impl AddAssign for Cycles {
    fn add_assign(&mut self, other: Cycles) {
        self.0 += other.0;
    }
}

impl Sub for Cycles {
    type Output = Cycles;

    fn sub(self, other: Cycles) -> Cycles {
        Cycles(self.0 - other.0)
    }
}

impl Sum for Cycles {
    fn sum<I: Iterator<Item = Cycles>>(iter: I) -> Cycles {
        iter.fold(Cycles::ZERO, Add::add)
    }
}

impl fmt::Display for Cycles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
