//! What the memory system did: counts, misses by address range, prefetches, conflicts.

use std::collections::BTreeMap;

/// Accesses to one range of addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Misses {
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
    /// Reads that missed.
    pub read_misses: u64,
    /// Writes that missed.
    pub write_misses: u64,
    /// Cycles for which they froze the CPU.
    pub stalled: u64,
}

/// What became of the prefetches of one PREF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefetches {
    /// Executed.
    pub issued: u64,
    /// Of lines that were there already.
    pub redundant: u64,
    /// Used before the line was there.
    pub late: u64,
    /// Used in time.
    pub useful: u64,
    /// Evicted unused.
    pub lost: u64,
}

/// Two lines that compete for an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The line that went.
    pub victim: u32,
    /// The line that came.
    pub evictor: u32,
    /// How often.
    pub count: u64,
}

/// Bytes of an address range in the table of misses.
pub const RANGE: u32 = 4096;
/// Ranges, conflicts and prefetches told apart, at most: memory use stays flat however long a program runs.
const LIMIT: usize = 4096;

/// See the module's head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryStats {
    /// All data accesses.
    pub accesses: u64,
    /// Reads through the operand cache.
    pub cached_reads: u64,
    /// Writes through the operand cache.
    pub cached_writes: u64,
    /// Cached reads that missed.
    pub read_misses: u64,
    /// Cached writes that missed.
    pub write_misses: u64,
    /// Lines fetched into the instruction cache.
    pub instruction_misses: u64,
    /// Time of instruction fills, hundredths of a cycle.
    pub instruction_fill_ticks: u64,
    /// Lines fetched into the operand cache.
    pub operand_fills: u64,
    /// Time of those.
    pub operand_fill_ticks: u64,
    /// Lines written back.
    pub write_backs: u64,
    /// Stores into the store queues.
    pub queue_writes: u64,
    /// Store queues sent.
    pub queue_flushes: u64,
    /// Accesses to the operand cache as RAM.
    pub cache_ram: u64,
    /// Accesses to registers of the chip.
    pub on_chip: u64,
    /// Cycles in which the bus worked.
    pub bus_busy: u64,
    /// Transfers to an open SDRAM row.
    pub row_hits: u64,
    /// Transfers that had to open one.
    pub row_misses: u64,
    /// Changes of the bus's direction that cost time.
    pub turns: u64,
    ranges: BTreeMap<u32, Misses>,
    prefetches: BTreeMap<u32, Prefetches>,
    conflicts: BTreeMap<(u32, u32), u64>,
    /// The range counted last, so that a run of accesses finds it at once.
    recent: Option<(u32, Misses)>,
}

impl MemoryStats {
    /// The counts of the range around `address`.
    #[inline]
    pub(crate) fn region(&mut self, address: u32) -> &mut Misses {
        let range = address & !(RANGE - 1);
        if self.recent.is_none_or(|(recent, _)| recent != range) {
            self.settle();
            let known = self.ranges.get(&range).copied();
            // Beyond the limit ranges share one row.
            let key = if known.is_some() || self.ranges.len() < LIMIT {
                range
            } else {
                u32::MAX
            };
            let counts = self.ranges.get(&key).copied().unwrap_or_default();
            self.recent = Some((key, counts));
        }
        &mut self.recent.get_or_insert((range, Misses::default())).1
    }

    fn settle(&mut self) {
        if let Some((range, counts)) = self.recent.take() {
            self.ranges.insert(range, counts);
        }
    }

    /// Accesses by range of [`RANGE`] bytes, lowest address first; what found no row of its own is at FFFFFFFF.
    #[must_use]
    pub fn ranges(&self) -> Vec<(u32, Misses)> {
        let mut all = self.clone();
        all.settle();
        all.ranges.into_iter().collect()
    }

    fn prefetch(&mut self, pc: u32) -> Option<&mut Prefetches> {
        let room = self.prefetches.len() < LIMIT;
        if room || self.prefetches.contains_key(&pc) {
            return Some(self.prefetches.entry(pc).or_default());
        }
        None
    }

    pub(crate) fn prefetch_issued(&mut self, pc: u32) {
        self.prefetch(pc)
            .into_iter()
            .for_each(|counts| counts.issued += 1);
    }

    pub(crate) fn prefetch_redundant(&mut self, pc: u32) {
        self.prefetch(pc)
            .into_iter()
            .for_each(|counts| counts.redundant += 1);
    }

    pub(crate) fn prefetch_lost(&mut self, pc: u32) {
        self.prefetch(pc).into_iter().for_each(|counts| counts.lost += 1);
    }

    pub(crate) fn prefetch_used(&mut self, pc: u32, late: bool) {
        let count = |counts: &mut Prefetches| {
            *if late {
                &mut counts.late
            } else {
                &mut counts.useful
            } += 1;
        };
        self.prefetch(pc).into_iter().for_each(count);
    }

    /// The fate of prefetches by the address of the PREF.
    #[must_use]
    pub fn prefetches(&self) -> Vec<(u32, Prefetches)> {
        self.prefetches
            .iter()
            .map(|(pc, counts)| (*pc, *counts))
            .collect()
    }

    pub(crate) fn evicted(&mut self, victim: u32, evictor: u32) {
        let pair = (victim, evictor);
        if self.conflicts.len() < LIMIT || self.conflicts.contains_key(&pair) {
            *self.conflicts.entry(pair).or_default() += 1;
        }
    }

    /// Lines that evicted each other, the most frequent first.
    #[must_use]
    pub fn conflicts(&self) -> Vec<Conflict> {
        let mut all: Vec<Conflict> = self
            .conflicts
            .iter()
            .map(|((victim, evictor), count)| Conflict {
                victim: *victim,
                evictor: *evictor,
                count: *count,
            })
            .collect();
        all.sort_by_key(|conflict| std::cmp::Reverse(conflict.count));
        all
    }
}
