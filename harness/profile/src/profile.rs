//! The costs of a run.

use crate::calls::Calls;
use crate::site::Site;
use crate::step::Steps;
use timing::events::EventCounts;
use timing::memory::MemoryStats;
use timing::{Counts, CycleCounts, Cycles, Ledger, Setup};

/// The costs of a run.
#[derive(Clone, Debug)]
pub struct Profile {
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
    /// Costs by instruction, lowest address first.
    pub sites: Vec<Site>,
    /// The call graph.
    pub calls: Calls,
    /// The last instructions; their `site` is an index into `sites`.
    pub steps: Steps,
    /// Length of the longest chain of dependent results, in cycles; unknown in counting mode.
    pub chain: Option<u64>,
    /// Total cycles with the uncertain constants at their fast and at their slow end, if requested.
    pub interval: Option<[Cycles; 2]>,
    /// Number of entries into the measured region.
    pub entered: u64,
    /// An address at which two different opcodes ran.
    pub changed_code: Option<u32>,
    /// Address of the last instruction.
    pub last_pc: u32,
}

impl From<CycleCounts> for Profile {
    /// Returns a profile without the parts that only a [`Profiler`](crate::Profiler) can fill. They stay
    /// empty.
    fn from(counts: CycleCounts) -> Profile {
        Profile {
            ledger: counts.ledger,
            counts: counts.counts,
            events: counts.events,
            memory: counts.memory,
            sites: Vec::new(),
            calls: Calls::default(),
            steps: Steps::default(),
            chain: None,
            interval: None,
            entered: 1,
            changed_code: counts.changed_code,
            last_pc: counts.last_pc,
            setup: counts.setup,
        }
    }
}

impl Profile {
    /// Total time.
    #[must_use]
    pub fn cycles(&self) -> Cycles {
        self.ledger.cycles()
    }
}
