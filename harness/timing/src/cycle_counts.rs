//! The result of a cycle counter.

use crate::counts::Counts;
use crate::cycles::Cycles;
use crate::events::EventCounts;
use crate::ledger::Ledger;
use crate::memory::MemoryStats;
use crate::setup::Setup;

/// The result of counting a run.
#[derive(Clone, Debug)]
pub struct CycleCounts {
    /// The settings.
    pub setup: Setup,
    /// All issue slots.
    pub ledger: Ledger,
    /// Instructions by kind.
    pub counts: Counts,
    /// The hardware's events.
    pub events: EventCounts,
    /// Caches and bus.
    pub memory: MemoryStats,
    /// An address at which two opcodes ran.
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
