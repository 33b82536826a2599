//! Ledger of issue slots: used, or lost for one reason.

use crate::cause::{CAUSES, Cause};
use crate::cycles::Cycles;
use crate::pipeline::Issue;

/// Slots of a span of time. [`Ledger::used`] and the lost slots always add up to twice its cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Slots in which an instruction issued.
    pub used: u64,
    /// Lost slots by cause.
    pub lost: [u64; CAUSES],
    /// Cycles in which no instruction issued, by cause.
    pub idle: [u64; CAUSES],
}

impl Ledger {
    /// Adds `slots` lost slots, which include `idle` full cycles.
    #[inline]
    pub fn lose(&mut self, cause: Cause, slots: u64, idle: u64) {
        self.lost[cause as usize] += slots;
        self.idle[cause as usize] += idle;
    }

    /// Adds cycles in which the CPU was frozen.
    #[inline]
    pub fn freeze(&mut self, cause: Cause, cycles: u64) {
        self.lose(cause, 2 * cycles, cycles);
    }

    /// Lost slots of one cause.
    #[must_use]
    pub fn of(&self, cause: Cause) -> u64 {
        self.lost[cause as usize]
    }

    /// Sum of all lost slots.
    #[must_use]
    pub fn all_lost(&self) -> u64 {
        self.lost.iter().sum()
    }

    /// Cycles in which memory froze the CPU.
    #[must_use]
    pub fn frozen(&self) -> Cycles {
        let causes = Cause::ALL.iter().filter(|cause| cause.is_memory());
        causes.map(|cause| Cycles(self.idle[*cause as usize])).sum()
    }

    /// Time of all slots.
    #[must_use]
    pub fn cycles(&self) -> Cycles {
        Cycles((self.used + self.all_lost()) / 2)
    }

    /// Adds an instruction and the slots lost before it.
    #[inline]
    pub(crate) fn issued(&mut self, issue: &Issue) {
        self.used += 1;
        if issue.unpaired > 0 {
            self.lose(Cause::Pair, 1, 0);
        }
        if issue.lost > 0 {
            self.lose(issue.cause, issue.lost.into(), issue.idle.into());
        }
    }

    /// Adds another span.
    pub fn add(&mut self, other: &Ledger) {
        self.add_times(other, 1);
    }

    /// Adds another span `times` times.
    pub(crate) fn add_times(&mut self, other: &Ledger, times: u64) {
        self.used += times * other.used;
        for i in 0..CAUSES {
            self.lost[i] += times * other.lost[i];
            self.idle[i] += times * other.idle[i];
        }
    }

    /// Causes with lost slots, the largest first.
    #[must_use]
    pub fn ranked(&self) -> Vec<(Cause, u64)> {
        let mut ranked: Vec<(Cause, u64)> =
            Cause::ALL.iter().map(|cause| (*cause, self.of(*cause))).collect();
        ranked.retain(|(_, slots)| *slots > 0);
        ranked.sort_by_key(|(_, slots)| std::cmp::Reverse(*slots));
        ranked
    }
}
