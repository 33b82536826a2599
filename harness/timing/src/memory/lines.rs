//! Contents of the operand cache.

use super::bus::BusTargets;
use super::cache::{Areas, CacheSettings, EntryIndex, Line, OPERAND_LINES};
use super::stats::MemoryStats;
use super::{LINE, NO_LINE, beat};
use crate::parameters::Parameters;

/// The operand cache, the open SDRAM rows, and the statistics.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    pub(crate) areas: Areas,
    pub(crate) operand: Box<[Line; OPERAND_LINES]>,
    pub(crate) index: EntryIndex,
    /// Last filled line.
    pub(crate) last_line: u32,
    /// Index (0 to 3) of the eight bytes of this line that arrived first.
    pub(crate) critical: u32,
    pub(crate) targets: BusTargets,
    pub(crate) stats: MemoryStats,
}

impl Lines {
    pub(crate) fn new(settings: &CacheSettings, parameters: &Parameters) -> Lines {
        Lines {
            areas: Areas::new(settings),
            operand: Box::new([Line::default(); OPERAND_LINES]),
            index: EntryIndex::new(settings),
            last_line: NO_LINE,
            critical: 0,
            targets: BusTargets::new(parameters),
            stats: MemoryStats::default(),
        }
    }

    /// Returns the beat of `address` in the last filled line.
    #[inline(always)]
    pub(crate) fn beat(&self, address: u32) -> u32 {
        beat(address, self.critical)
    }

    /// Fills the line of `address` into its entry. Returns the address of an evicted dirty line.
    #[inline(always)]
    pub(crate) fn fill(&mut self, entry: usize, address: u32) -> Option<u32> {
        (self.last_line, self.critical) = (address & LINE, address >> 3 & 3);
        self.allocate(entry, address)
    }

    /// Assigns the entry to the line of `address` without reading memory. Returns the address of an evicted
    /// dirty line.
    pub(crate) fn allocate(&mut self, entry: usize, address: u32) -> Option<u32> {
        let victim = std::mem::replace(&mut self.operand[entry % OPERAND_LINES], Line::filled(address));
        self.count_eviction(entry, victim, address);
        victim.address().filter(|_| victim.is_dirty())
    }

    /// Counts that the line of `address` has evicted `victim`.
    #[inline(always)]
    pub(crate) fn count_eviction(&mut self, entry: usize, victim: Line, address: u32) {
        let Some(line) = victim.address() else { return };
        if victim.prefetched_by != 0 {
            self.stats.prefetch_lost(victim.prefetched_by);
        }
        self.stats.evicted(line, address & LINE, entry);
    }
}
