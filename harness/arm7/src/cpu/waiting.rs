//! Loops that wait.
//!
//! When a round of a loop leaves the core as it was, and the bus tells that nothing around it changed either,
//! every further round does the same until somebody else acts, and nobody does within a run. Such rounds are
//! skipped: the result is the same in registers, memory and cycles.

use super::Core;
use super::psr::Psr;

/// The core at a branch backwards.
#[derive(Clone, Debug, Default)]
pub(super) struct Round {
    /// R0 to R14, and the target in place of R15.
    r: [u32; 16],
    cpsr: Psr,
    /// How often other modes' registers were within reach.
    bank_changes: u64,
    /// Cycles of the run that had gone.
    gone: u64,
}

impl Round {
    /// The core now, about to go on at `pc`.
    pub(super) fn of(core: &Core, pc: u32, gone: u64) -> Self {
        let mut r = core.registers.r;
        r[15] = pc;
        Round {
            r,
            cpsr: core.registers.cpsr,
            bank_changes: core.registers.bank_changes,
            gone,
        }
    }

    /// The cycles of whole rounds that fit before `budget`, if this round ended as `last` did. `quiet` is
    /// asked last.
    pub(super) fn skip(&self, last: &Round, budget: u64, quiet: bool) -> u64 {
        let same = self.r == last.r && self.cpsr == last.cpsr && self.bank_changes == last.bank_changes;
        let cycles = self.gone.saturating_sub(last.gone);
        match same && quiet && cycles > 0 {
            true => budget.saturating_sub(self.gone) / cycles * cycles,
            false => 0,
        }
    }
}
