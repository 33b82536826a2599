//! Statistics of the memory system: counts, misses by address range, prefetches, conflicts.

use super::conflicts::{Conflict, Conflicts};
use super::{LIMIT, NO_LINE};
use crate::hash::NumberMap;
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::fmt;

/// Accesses to one range of addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Misses {
    /// Number of reads.
    pub reads: u64,
    /// Number of writes.
    pub writes: u64,
    /// Number of reads that missed.
    pub read_misses: u64,
    /// Number of writes that missed.
    pub write_misses: u64,
    /// Number of cycles in which the accesses froze the CPU.
    pub stalled: u64,
}

/// Results of the prefetches by one PREF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefetches {
    /// Number of executions.
    pub issued: u64,
    /// Redundant prefetches: the line was in the cache.
    pub redundant: u64,
    /// Prefetched lines used before their arrival.
    pub late: u64,
    /// Prefetched lines used in time.
    pub useful: u64,
    /// Prefetched lines evicted without use.
    pub lost: u64,
}

/// Size in bytes of an address range in the table of misses.
pub const RANGE: u32 = 4096;

/// Counts by address range.
#[derive(Clone)]
struct Ranges {
    all: Vec<(u32, Misses)>,
    /// Indices in `all`.
    index: NumberMap<u32, u32>,
    /// Cache of `index`: recently used ranges and their indices, by the low bits of the range's number.
    recent: Box<[(u32, u32); RECENT]>,
}

impl Default for Ranges {
    fn default() -> Ranges {
        Ranges {
            all: Vec::new(),
            index: NumberMap::default(),
            recent: Box::new([(NO_RANGE, 0); RECENT]),
        }
    }
}

/// Compares the counts, independent of the order of the ranges.
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

const RECENT: usize = 512;
/// Marks a missing range: ranges are multiples of [`RANGE`].
const NO_RANGE: u32 = 1;
/// Number of entries of the operand cache.
const ENTRIES: usize = 512;

/// The last line evicted from each entry.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Gone(Box<[u32; ENTRIES]>);

impl Default for Gone {
    fn default() -> Gone {
        Gone(Box::new([NO_LINE; ENTRIES]))
    }
}

impl Ranges {
    fn sorted(&self) -> Vec<(u32, Misses)> {
        let mut all = self.all.clone();
        all.sort_unstable_by_key(|(range, _)| *range);
        all
    }

    /// Returns the counts of the range around `address`.
    #[inline(always)]
    fn around(&mut self, address: u32) -> &mut Misses {
        let range = address & !(RANGE - 1);
        let (known, place) = self.recent[(range / RANGE) as usize % RECENT];
        let place = if known == range {
            place
        } else {
            self.look_up(range)
        };
        &mut self.all[place as usize].1
    }

    #[cold]
    fn look_up(&mut self, range: u32) -> u32 {
        // Ranges beyond the limit share one row.
        let room = self.all.len() < LIMIT || self.index.contains_key(&range);
        let shared = if room { range } else { u32::MAX };
        let all = &mut self.all;
        let place = *self.index.entry(shared).or_insert_with(|| {
            all.push((shared, Misses::default()));
            all.len() as u32 - 1
        });
        self.recent[(range / RANGE) as usize % RECENT] = (range, place);
        place
    }
}

/// Statistics of the memory system since the last reset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryStats {
    /// Number of data accesses.
    pub accesses: u64,
    /// Number of reads through the operand cache.
    pub cached_reads: u64,
    /// Number of writes through the operand cache.
    pub cached_writes: u64,
    /// Number of cached reads that missed.
    pub read_misses: u64,
    /// Number of cached writes that missed.
    pub write_misses: u64,
    /// Number of lines fetched into the instruction cache.
    pub instruction_misses: u64,
    /// Time of instruction fills in hundredths of a cycle.
    pub instruction_fill_ticks: u64,
    /// Number of lines fetched into the operand cache.
    pub operand_fills: u64,
    /// Time of operand fills in hundredths of a cycle.
    pub operand_fill_ticks: u64,
    /// Number of lines written back.
    pub write_backs: u64,
    /// Number of stores into the store queues.
    pub queue_writes: u64,
    /// Number of sent store queues.
    pub queue_flushes: u64,
    /// Number of accesses to the operand cache as RAM.
    pub cache_ram: u64,
    /// Number of accesses to registers of the chip.
    pub on_chip: u64,
    /// Number of cycles in which the bus was busy, without transfers after the end of the run.
    pub bus_busy: u64,
    /// Number of transfers to an open SDRAM row.
    pub row_hits: u64,
    /// Number of transfers that opened a row.
    pub row_misses: u64,
    /// Number of changes of the bus's direction that cost time.
    pub turns: u64,
    ranges: Ranges,
    prefetches: NumberMap<u32, Prefetches>,
    conflicts: Conflicts,
    gone: Gone,
}

impl MemoryStats {
    /// Counts a load or store through the cache that froze the CPU for `stalled` cycles.
    #[inline(always)]
    pub(crate) fn cached(&mut self, address: u32, stores: bool, missed: bool, stalled: u64) {
        let missed = u64::from(missed);
        let range = self.ranges.around(address);
        range.stalled += stalled;
        self.accesses += 1;
        if stores {
            range.writes += 1;
            range.write_misses += missed;
            self.cached_writes += 1;
            self.write_misses += missed;
        } else {
            range.reads += 1;
            range.read_misses += missed;
            self.cached_reads += 1;
            self.read_misses += missed;
        }
    }

    /// Ends the run `pending` cycles before the bus becomes free: queued transfers are not part of the run.
    pub fn leave_pending(&mut self, pending: u64) {
        self.bus_busy = self.bus_busy.saturating_sub(pending);
    }

    /// Numbers of operand and instruction misses up to now.
    #[inline]
    pub(crate) fn misses(&self) -> (u64, u64) {
        (self.read_misses + self.write_misses, self.instruction_misses)
    }

    /// Returns the counts of the range around `address`.
    #[inline]
    pub(crate) fn region(&mut self, address: u32) -> &mut Misses {
        self.ranges.around(address)
    }

    /// Returns accesses by range of [`RANGE`] bytes, lowest address first. Ranges beyond the limit share the
    /// row at FFFFFFFF.
    #[must_use]
    pub fn ranges(&self) -> Vec<(u32, Misses)> {
        self.ranges.sorted()
    }

    /// Returns the counts of the PREF at `pc`; `None` beyond the limit.
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

    /// Counts the first use of a prefetched line; `late` if it was not filled yet.
    pub(crate) fn prefetch_used(&mut self, pc: u32, late: bool) {
        if let Some(counts) = self.prefetch(pc) {
            counts.late += u64::from(late);
            counts.useful += u64::from(!late);
        }
    }

    /// Returns the results of prefetches by the address of the PREF.
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

    /// Counts an eviction. It is a conflict if the last eviction from this entry removed `evictor`: then the
    /// two lines replace each other.
    #[inline(always)]
    pub(crate) fn evicted(&mut self, victim: u32, evictor: u32, entry: usize) {
        let gone = &mut self.gone.0[entry % ENTRIES];
        if std::mem::replace(gone, victim) == evictor {
            self.conflicts.count(victim, evictor);
        }
    }

    /// Returns lines that evicted each other, the most frequent first.
    #[must_use]
    pub fn conflicts(&self) -> Vec<Conflict> {
        let mut all = self.conflicts.all();
        all.sort_by_key(|conflict| (Reverse(conflict.count), conflict.victim, conflict.evictor));
        all
    }
}
