//! Statistics of the memory system: counts, misses by address range, prefetches, conflicts.

use super::conflicts::{Conflict, Conflicts};
use super::{NO_LINE, Traffic};
use crate::hash::NumberMap;
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::fmt;

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

/// The fate of the prefetches of one PREF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefetches {
    /// Executed.
    pub issued: u64,
    /// Redundant: the line was in the cache.
    pub redundant: u64,
    /// Used before the line was there.
    pub late: u64,
    /// Used in time.
    pub useful: u64,
    /// Evicted unused.
    pub lost: u64,
}

/// Bytes of an address range in the table of misses.
pub const RANGE: u32 = 4096;
/// The most ranges, conflicts and prefetches that are counted apart: memory use stays flat.
pub(crate) const LIMIT: usize = 4096;

/// The counts of an address range: reads and writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RangeCounts {
    pub(crate) accesses: [u64; 2],
    pub(crate) misses: [u64; 2],
    pub(crate) stalled: u64,
}

/// Counts by address range.
#[derive(Clone)]
struct Ranges {
    all: Vec<(u32, RangeCounts)>,
    index: NumberMap<u32, RangeIndex>,
    /// The ranges used last and their places, by low bits.
    recent: Box<[(u32, RangeIndex); RECENT]>,
}

impl Default for Ranges {
    fn default() -> Ranges {
        Ranges {
            all: Vec::new(),
            index: NumberMap::default(),
            recent: Box::new([(NO_RANGE, RangeIndex(0)); RECENT]),
        }
    }
}

/// Compares the counts, in whatever order the ranges were found.
impl PartialEq for Ranges {
    fn eq(&self, other: &Ranges) -> bool {
        self.sorted() == other.sorted()
    }
}

impl Eq for Ranges {}

impl fmt::Debug for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.sorted()).finish()
    }
}

/// The place of a range in [`MemoryStats`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RangeIndex(pub(crate) u32);

impl RangeIndex {
    /// No range.
    pub(crate) const NONE: RangeIndex = RangeIndex(u32::MAX);
}

const RECENT: usize = 512;
/// No range: ranges are multiples of [`RANGE`].
const NO_RANGE: u32 = 1;
/// Entries of the operand cache.
const ENTRIES: usize = 512;

/// The line that was evicted last from each entry.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Gone(Box<[u32; ENTRIES]>);

impl Default for Gone {
    fn default() -> Gone {
        Gone(Box::new([NO_LINE; ENTRIES]))
    }
}

impl Ranges {
    fn sorted(&self) -> Vec<(u32, Misses)> {
        let misses = |tally: &RangeCounts| Misses {
            reads: tally.accesses[0],
            writes: tally.accesses[1],
            read_misses: tally.misses[0],
            write_misses: tally.misses[1],
            stalled: tally.stalled,
        };
        let mut all: Vec<(u32, Misses)> = self
            .all
            .iter()
            .map(|(range, tally)| (*range, misses(tally)))
            .collect();
        all.sort_unstable_by_key(|(range, _)| *range);
        all
    }

    #[inline(always)]
    fn find(&mut self, range: u32) -> RangeIndex {
        let (known, row) = self.recent[(range / RANGE) as usize % RECENT];
        if known == range { row } else { self.look_up(range) }
    }

    #[cold]
    fn look_up(&mut self, range: u32) -> RangeIndex {
        // Beyond the limit ranges share one row.
        let room = self.all.len() < LIMIT || self.index.contains_key(&range);
        let shared = if room { range } else { u32::MAX };
        let all = &mut self.all;
        let row = *self.index.entry(shared).or_insert_with(|| {
            all.push((shared, RangeCounts::default()));
            RangeIndex(all.len() as u32 - 1)
        });
        self.recent[(range / RANGE) as usize % RECENT] = (range, row);
        row
    }
}

/// Statistics of the memory system since the last reset.
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
    /// Time of operand fills, hundredths of a cycle.
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
    /// Cycles in which the bus was busy. Transfers behind the end of the run do not count.
    pub bus_busy: u64,
    /// Transfers to an open SDRAM row.
    pub row_hits: u64,
    /// Transfers that opened a row.
    pub row_misses: u64,
    /// Changes of the bus's direction that cost time.
    pub turns: u64,
    /// Loads and stores of the ranges' counts that are not in the sums above yet.
    pub(crate) passed: [u64; 2],
    operand_misses: u64,
    ranges: Ranges,
    prefetches: NumberMap<u32, Prefetches>,
    conflicts: Conflicts,
    gone: Gone,
}

impl MemoryStats {
    /// A cached load or store of a range, which `missed` or not. Misses of memoised stalls are counted by
    /// range alone.
    #[inline(always)]
    pub(crate) fn missed(&mut self, row: RangeIndex, stores: bool, missed: bool) {
        self.row(row).misses[usize::from(stores)] += u64::from(missed);
        self.operand_misses += u64::from(missed);
    }

    /// Counts hits of loads (0) or stores (1) in a range.
    #[inline(always)]
    pub(crate) fn count_hits(&mut self, row: RangeIndex, which: usize, accesses: u64) {
        self.passed[which] += accesses;
        self.row(row).accesses[which] += accesses;
    }

    /// Counts hits without a range.
    pub(crate) fn add_hits(&mut self, accesses: [u64; 2]) {
        for (sum, more) in self.passed.iter_mut().zip(accesses) {
            *sum += more;
        }
    }

    /// Computes the sums from the ranges; `filled` are the loads and stores that memoised stalls have filled
    /// lines for.
    pub(crate) fn sum_up(&mut self, filled: [u64; 2]) {
        self.add_hits(filled);
        let [reads, writes] = std::mem::take(&mut self.passed);
        self.cached_reads += reads;
        self.cached_writes += writes;
        self.accesses += reads + writes;
        let of = |which: usize| -> u64 {
            let all = self.ranges.all.iter();
            all.map(|(_, tally)| tally.misses[which]).sum()
        };
        (self.read_misses, self.write_misses) = (of(0), of(1));
        // Includes the misses of memoised stalls.
        self.operand_misses = self.read_misses + self.write_misses;
    }

    /// Takes over the counts of the bus.
    pub(crate) fn set_traffic(&mut self, traffic: &Traffic) {
        self.row_hits = traffic.rows.hit;
        self.row_misses = traffic.rows.missed;
        self.bus_busy = traffic.bus.busy.floor();
        self.turns = traffic.bus.turns;
        self.operand_fills = traffic.fills.fills;
        self.operand_fill_ticks = traffic.fills.ticks.0;
        self.write_backs = traffic.fills.write_backs;
    }

    /// Ends the run `pending` cycles before the bus becomes free: what is still queued is no part of the run.
    pub fn leave_pending(&mut self, pending: u64) {
        self.bus_busy = self.bus_busy.saturating_sub(pending);
    }

    /// Operand and instruction misses so far.
    #[inline]
    pub(crate) fn misses(&self) -> (u64, u64) {
        (self.operand_misses, self.instruction_misses)
    }

    /// The place of the range around `address`.
    #[inline(always)]
    pub(crate) fn find(&mut self, address: u32) -> RangeIndex {
        self.ranges.find(address & !(RANGE - 1))
    }

    /// The counts of a range.
    #[inline(always)]
    pub(crate) fn row(&mut self, row: RangeIndex) -> &mut RangeCounts {
        &mut self.ranges.all[row.0 as usize].1
    }

    /// The same; none for [`RangeIndex::NONE`].
    #[inline(always)]
    pub(crate) fn tally(&mut self, row: RangeIndex) -> Option<&mut RangeCounts> {
        Some(&mut self.ranges.all.get_mut(row.0 as usize)?.1)
    }

    /// The counts of the range around `address`.
    #[inline]
    pub(crate) fn region(&mut self, address: u32) -> &mut RangeCounts {
        let row = self.find(address);
        self.row(row)
    }

    /// Accesses by range of [`RANGE`] bytes, lowest address first. Ranges beyond the limit share the row at
    /// FFFFFFFF.
    #[must_use]
    pub fn ranges(&self) -> Vec<(u32, Misses)> {
        self.ranges.sorted()
    }

    /// The counts of the PREF at `pc`; none beyond the limit.
    fn prefetch(&mut self, pc: u32) -> Option<&mut Prefetches> {
        let room = self.prefetches.len() < LIMIT;
        match self.prefetches.entry(pc) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(new) if room => Some(new.insert(Prefetches::default())),
            Entry::Vacant(_) => None,
        }
    }

    /// Counts a PREF; `redundant` if its line was in the cache.
    pub(crate) fn prefetch_issued(&mut self, pc: u32, redundant: bool) {
        if let Some(counts) = self.prefetch(pc) {
            counts.issued += 1;
            counts.redundant += u64::from(redundant);
        }
    }

    /// Counts a prefetched line that was evicted unused.
    pub(crate) fn prefetch_lost(&mut self, pc: u32) {
        if let Some(counts) = self.prefetch(pc) {
            counts.lost += 1;
        }
    }

    /// Counts the first use of a prefetched line, `late` if it was not filled yet.
    pub(crate) fn prefetch_used(&mut self, pc: u32, late: bool) {
        if let Some(counts) = self.prefetch(pc) {
            counts.late += u64::from(late);
            counts.useful += u64::from(!late);
        }
    }

    /// The fate of prefetches by the address of the PREF.
    #[must_use]
    pub fn prefetches(&self) -> Vec<(u32, Prefetches)> {
        let mut all: Vec<(u32, Prefetches)> = self
            .prefetches
            .iter()
            .map(|(pc, counts)| (*pc, *counts))
            .collect();
        all.sort_by_key(|(pc, _)| *pc);
        all
    }

    /// Counts an eviction. It is a conflict if `evictor` was evicted from the entry by `victim` before.
    #[inline(always)]
    pub(crate) fn evicted(&mut self, victim: u32, evictor: u32, entry: usize) {
        let gone = &mut self.gone.0[entry % ENTRIES];
        if std::mem::replace(gone, victim) == evictor {
            self.conflicts.count(victim, evictor);
        }
    }

    /// Lines that evicted each other, the most frequent first.
    #[must_use]
    pub fn conflicts(&self) -> Vec<Conflict> {
        let mut all = self.conflicts.all();
        all.sort_by_key(|conflict| (Reverse(conflict.count), conflict.victim, conflict.evictor));
        all
    }
}
