//! How long the CPU was frozen, and by what.

use super::ticks::Ticks;
use crate::cause::Cause;

/// A freeze in whole cycles, divided among at most four causes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stall {
    /// All cycles.
    pub cycles: u64,
    parts: [Option<(Cause, u64)>; 4],
}

impl Stall {
    /// None.
    pub const NONE: Stall = Stall {
        cycles: 0,
        parts: [None; 4],
    };

    /// What each cause took; the sum is [`Stall::cycles`].
    pub fn parts(&self) -> impl Iterator<Item = (Cause, u64)> {
        self.parts.iter().flatten().copied()
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
        let known = self.parts.iter_mut().flatten().find(|(known, _)| *known == cause);
        if let Some((_, sum)) = known {
            *sum += cycles;
        } else if let Some(empty) = self.parts.iter_mut().find(|part| part.is_none()) {
            *empty = Some((cause, cycles));
        } else if let Some(Some((_, sum))) = self.parts.last_mut() {
            // A fifth cause joins the fourth: the sum has to be right.
            *sum += cycles;
        }
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
