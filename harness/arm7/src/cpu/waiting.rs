//! Skipping of waiting loops.
//!
//! If an iteration leaves the core unchanged, and the bus reports no change of memory and devices, all
//! following iterations are equal until a device acts. Devices act only between runs. The core therefore
//! skips the remaining iterations of a run. Registers, memory and cycle count are the same as without
//! skipping.

use super::Core;
use super::psr::Psr;

/// State of the core at a backward branch.
#[derive(Clone, Debug, Default)]
pub(super) struct Round {
    /// R0 to R14, and the branch target instead of R15.
    r: [u32; 16],
    cpsr: Psr,
    /// Number of bank changes, as counted by the registers.
    bank_changes: u64,
    /// Cycles elapsed in the run.
    gone: u64,
}

impl Round {
    /// Captures the core before it continues at `pc`.
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

    /// Adds the cycles of skipped iterations.
    pub(super) fn skip(&mut self, cycles: u64) {
        self.gone += cycles;
    }

    /// Returns the cycles of this iteration if it ended in the state `last` and `quiet` is true (see
    /// [`super::Bus::quiet`]).
    pub(super) fn repeats(&self, last: &Round, quiet: bool) -> Option<u64> {
        let same = self.r == last.r && self.cpsr == last.cpsr && self.bank_changes == last.bank_changes;
        let cycles = self.gone.saturating_sub(last.gone);
        (same && quiet && cycles > 0).then_some(cycles)
    }
}
