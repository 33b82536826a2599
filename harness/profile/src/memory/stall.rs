//! How long the CPU was frozen, and by what.

use super::ticks::Ticks;
use crate::cause::Cause;

/// Causes that a freeze can have: those of a fetch and of two accesses together.
const CAUSES: usize = 8;

/// A freeze in whole cycles, divided among its causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stall {
    /// All cycles.
    pub cycles: u64,
    parts: [(Cause, u32); CAUSES],
    count: u8,
}

impl Default for Stall {
    fn default() -> Stall {
        Stall::NONE
    }
}

impl Stall {
    /// None.
    pub const NONE: Stall = Stall {
        cycles: 0,
        parts: [(Cause::End, 0); CAUSES],
        count: 0,
    };

    /// What each cause took; the sum is [`Stall::cycles`].
    pub fn parts(&self) -> impl Iterator<Item = (Cause, u64)> {
        self.parts[..usize::from(self.count)]
            .iter()
            .map(|(cause, cycles)| (*cause, u64::from(*cycles)))
    }

    /// Adds what followed.
    pub(crate) fn join(&mut self, other: &Stall) {
        for (cause, cycles) in other.parts() {
            self.add(cause, cycles);
        }
    }

    /// Adds cycles for one cause.
    pub(crate) fn add(&mut self, cause: Cause, cycles: u64) {
        if cycles == 0 {
            return;
        }
        self.cycles += cycles;
        let count = usize::from(self.count);
        if let Some((_, sum)) = self.parts[..count].iter_mut().find(|(known, _)| *known == cause) {
            *sum += cycles as u32;
            return;
        }
        // One cause more than there is room for joins the last: the sum has to be right.
        let place = count.min(CAUSES - 1);
        let sum = if count < CAUSES { 0 } else { self.parts[place].1 };
        self.parts[place] = (cause, sum + cycles as u32);
        self.count = (place + 1) as u8;
    }

    /// Freezes from cycle `now` until `end`: what `shares` claim first, in whole cycles, the rest for `cause`.
    pub(crate) fn until(&mut self, now: u64, end: Ticks, shares: &[(Cause, Ticks)], cause: Cause) {
        let from = now + self.cycles;
        let mut left = end.since(Ticks::cycles(from)).ceil();
        for (cause, share) in shares {
            let cycles = (share.0 / 100).min(left);
            self.add(*cause, cycles);
            left -= cycles;
        }
        self.add(cause, left);
    }
}
