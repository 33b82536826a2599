//! Result of a cycle counter.

use crate::counts::Counts;
use crate::cycles::Cycles;
use crate::events::EventCounts;
use crate::ledger::Ledger;
use crate::memory::MemoryStats;
use crate::setup::Setup;

/// Result of counting a run.
#[derive(Clone, Debug)]
pub struct CycleCounts {
    /// Settings of the run.
    pub setup: Setup,
    /// All issue slots.
    pub ledger: Ledger,
    /// Instruction counts by kind.
    pub counts: Counts,
    /// Events of the hardware.
    pub events: EventCounts,
    /// Statistics of caches and bus.
    pub memory: MemoryStats,
    /// Address at which two different opcodes were executed.
    pub changed_code: Option<u32>,
    /// Address of the last instruction.
    pub last_pc: u32,
}

impl CycleCounts {
    /// Total time.
    #[must_use]
    pub fn cycles(&self) -> Cycles {
        self.ledger.cycles()
    }
}
