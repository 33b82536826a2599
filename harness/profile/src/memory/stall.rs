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
    causes: [Cause; CAUSES],
    parts: [u32; CAUSES],
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
        causes: [Cause::End; CAUSES],
        parts: [0; CAUSES],
        count: 0,
    };

    /// For one cause.
    #[inline]
    pub(crate) fn of(cause: Cause, cycles: u64) -> Stall {
        let mut stall = Stall::NONE;
        stall.add(cause, cycles);
        stall
    }

    /// Makes it none again.
    #[inline]
    pub(crate) fn clear(&mut self) {
        let upto = usize::from(self.count).min(CAUSES);
        self.parts[..upto].fill(0);
        (self.cycles, self.count) = (0, 0);
    }

    /// What each cause took; the sum is [`Stall::cycles`].
    pub fn parts(&self) -> impl Iterator<Item = (Cause, u64)> {
        let parts = self.causes.iter().zip(&self.parts);
        parts
            .take(usize::from(self.count))
            .map(|(cause, cycles)| (*cause, u64::from(*cycles)))
    }

    /// Adds what followed.
    pub(crate) fn join(&mut self, other: &Stall) {
        for (cause, cycles) in other.parts() {
            self.add(cause, cycles);
        }
    }

    /// Adds cycles for one cause.
    #[inline]
    pub(crate) fn add(&mut self, cause: Cause, cycles: u64) {
        if cycles == 0 {
            return;
        }
        self.cycles += cycles;
        let count = usize::from(self.count).min(CAUSES);
        let known = self.causes[..count].iter().position(|known| *known == cause);
        // One cause more than there is room for joins the last: the sum has to be right.
        let place = known.unwrap_or(count.min(CAUSES - 1));
        if known.is_none() {
            self.causes[place] = cause;
            self.count = place as u8 + 1;
        }
        self.parts[place] += cycles as u32;
    }

    /// Freezes from cycle `now` until `end`.
    #[inline]
    pub(crate) fn until(&mut self, now: u64, end: Ticks, cause: Cause) {
        let from = Ticks::cycles(now + self.cycles);
        if end > from {
            self.add(cause, end.since(from).ceil());
        }
    }

    /// The same: what `shares` claim first, in whole cycles, the rest for `cause`.
    pub(crate) fn until_shared(&mut self, now: u64, end: Ticks, shares: &[(Cause, Ticks)], cause: Cause) {
        let mut left = end.since(Ticks::cycles(now + self.cycles)).ceil();
        for (cause, share) in shares.iter().filter(|(_, share)| share.0 >= 100) {
            let cycles = (share.0 / 100).min(left);
            self.add(*cause, cycles);
            left -= cycles;
        }
        self.add(cause, left);
    }
}
