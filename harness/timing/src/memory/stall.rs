//! Stalls: cycles in which memory freezes the CPU, by cause.

use super::bus::Transfer;
use super::ticks::Ticks;
use crate::cause::Cause;
use std::fmt;

/// Number of memory causes.
const CAUSES: usize = Cause::End as usize - Cause::InstructionMiss as usize;

/// A stall in whole cycles, divided among its causes.
#[derive(Clone, Copy)]
pub struct Stall {
    /// Total number of cycles.
    pub cycles: u64,
    /// Causes; only the first `count` are valid.
    causes: [Cause; CAUSES],
    parts: [u32; CAUSES],
    count: u8,
    /// Mask of the causes in the list.
    known: u32,
}

impl Default for Stall {
    fn default() -> Stall {
        Stall::NONE
    }
}

impl PartialEq for Stall {
    fn eq(&self, other: &Stall) -> bool {
        self.parts().eq(other.parts())
    }
}

impl Eq for Stall {}

impl fmt::Debug for Stall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.parts()).finish()
    }
}

impl Stall {
    /// No stall.
    pub const NONE: Stall = Stall {
        cycles: 0,
        causes: [Cause::End; CAUSES],
        parts: [0; CAUSES],
        count: 0,
        known: 0,
    };

    /// Iterates over the cycles of each cause in order of appearance; their sum is [`Stall::cycles`].
    #[inline]
    pub fn parts(&self) -> impl Iterator<Item = (Cause, u64)> {
        let parts = self.causes.iter().zip(&self.parts);
        parts
            .take(usize::from(self.count))
            .map(|(cause, cycles)| (*cause, u64::from(*cycles)))
    }

    /// Adds a stall that followed.
    pub fn join(&mut self, other: &Stall) {
        for (cause, cycles) in other.parts() {
            self.add(cause, cycles);
        }
    }

    /// Adds cycles for one memory cause.
    #[inline(always)]
    pub(crate) fn add(&mut self, cause: Cause, cycles: u64) {
        if cycles == 0 {
            return;
        }
        debug_assert!(cause.is_memory());
        self.cycles += cycles;
        if self.known >> cause as u32 & 1 != 0 {
            return self.more(cause, cycles);
        }
        let place = usize::from(self.count).min(CAUSES - 1);
        self.known |= 1 << cause as u32;
        self.causes[place] = cause;
        self.parts[place] = cycles as u32;
        self.count = place as u8 + 1;
    }

    /// Adds to a cause in the list.
    #[cold]
    fn more(&mut self, cause: Cause, cycles: u64) {
        let mut causes = self.causes.iter();
        if let Some(place) = causes.position(|known| *known == cause) {
            self.parts[place] += cycles as u32;
        }
    }
}

/// An access: its current cycle, and the stall up to now.
#[derive(Debug)]
pub(crate) struct Wait<'a> {
    pub(crate) at: Ticks,
    pub(crate) stall: &'a mut Stall,
}

impl Wait<'_> {
    /// Creates an access in cycle `now`.
    #[inline(always)]
    pub(crate) fn new(now: u64, stall: &mut Stall) -> Wait<'_> {
        Wait {
            at: Ticks::cycles(now + stall.cycles),
            stall,
        }
    }

    /// Freezes for full cycles.
    #[inline(always)]
    fn freeze(&mut self, cause: Cause, cycles: u64) {
        self.at += Ticks::cycles(cycles);
        self.stall.add(cause, cycles);
    }

    /// Freezes until `end`.
    #[inline(always)]
    pub(crate) fn until(&mut self, end: Ticks, cause: Cause) {
        if end > self.at {
            self.freeze(cause, end.since(self.at).ceil());
        }
    }

    /// Freezes until `end` of a transfer. The stall is divided in full cycles among the preceding transfer,
    /// the change of direction and the opening of a row; the rest has the cause `cause`.
    #[inline(always)]
    pub(crate) fn until_end(&mut self, transfer: &Transfer, end: Ticks, cause: Cause) {
        let mut left = end.since(self.at).ceil();
        self.at += Ticks::cycles(left);
        let shares = [
            transfer.waited,
            (Cause::Turnaround, transfer.turnaround),
            (Cause::RowMiss, transfer.row_miss),
        ];
        for (cause, share) in shares {
            let cycles = share.floor().min(left);
            self.stall.add(cause, cycles);
            left -= cycles;
        }
        self.stall.add(cause, left);
    }
}
