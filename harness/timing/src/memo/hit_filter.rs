//! Lines whose plain hits cost no time, so that hits are only counted.

use crate::memory::cache::{EntryIndex, HIGH_ENTRY_BIT, OPERAND_LINES};
use crate::memory::stats::{MemoryStats, RangeIndex};
use sh4::timing::{FilterIndex, FilterLine};

/// No line: lines are multiples of 32.
const NONE: u32 = 1;

/// For each entry of the operand cache, the line in which loads hit for free, and the one in which stores do.
#[derive(Clone, Debug)]
pub(crate) struct HitFilter {
    /// The hits are those since the last [`tell`]. They may be of several lines of one range of the
    /// statistics, which the mark names (see [`RangeIndex`]).
    lines: Box<[[FilterLine; 2]; OPERAND_LINES]>,
    index: EntryIndex,
}

impl HitFilter {
    /// A filter that passes nothing. Not inlined: the lines would lie on the caller's stack.
    #[cold]
    #[inline(never)]
    pub(crate) fn new(index: EntryIndex) -> HitFilter {
        let none = FilterLine {
            address: NONE,
            mark: 0,
            accesses: 0,
        };
        HitFilter {
            lines: Box::new([[none; 2]; OPERAND_LINES]),
            index,
        }
    }

    /// The lines, for compiled code.
    pub(crate) fn lines(&mut self) -> &mut [[FilterLine; 2]; OPERAND_LINES] {
        &mut self.lines
    }

    /// The entry of the operand cache for `address`.
    #[inline(always)]
    pub(crate) fn entry(&self, address: u32) -> usize {
        self.index.of(address)
    }

    /// The line of `entry` for loads, or for stores.
    #[inline(always)]
    pub(crate) fn line(&mut self, entry: usize, stores: bool) -> &mut FilterLine {
        &mut self.lines[entry % OPERAND_LINES][usize::from(stores)]
    }

    /// [`HitFilter::entry`] for compiled code.
    pub(crate) fn index(&self) -> FilterIndex {
        FilterIndex {
            high: if self.index.high == 0 { 13 } else { 25 },
            low: (self.index.low & !HIGH_ENTRY_BIT) as u8,
        }
    }

    /// Counts an access if it hits for free.
    #[inline(always)]
    pub(crate) fn count(&mut self, address: u32, stores: bool) -> bool {
        let line = self.line(self.entry(address), stores);
        let hit = line.address == address & !31;
        line.accesses += u64::from(hit);
        hit
    }

    /// Counts an access if it hits after `cycles` of waiting.
    #[inline(always)]
    pub(crate) fn count_after(
        &mut self,
        address: u32,
        stores: bool,
        cycles: u64,
        stats: &mut MemoryStats,
    ) -> bool {
        let line = self.line(self.entry(address), stores);
        let hit = line.address == address & !31;
        if hit {
            line.accesses += 1;
            stats.row(RangeIndex(line.mark)).stalled += cycles;
        }
        hit
    }

    /// Passes loads, or stores, of the line of `address` in `entry`. Returns the line's range.
    #[inline(always)]
    pub(crate) fn open(
        &mut self,
        entry: usize,
        address: u32,
        stores: bool,
        stats: &mut MemoryStats,
    ) -> RangeIndex {
        let row = stats.find(address);
        let which = usize::from(stores);
        let line = &mut self.lines[entry % OPERAND_LINES][which];
        if line.mark != row.0 {
            tell(line, which, stats);
            line.mark = row.0;
        }
        line.address = address & !31;
        row
    }

    /// Passes nothing in `entry`.
    #[inline(always)]
    pub(crate) fn close(&mut self, entry: usize) {
        let [reads, writes] = &mut self.lines[entry % OPERAND_LINES];
        (reads.address, writes.address) = (NONE, NONE);
    }

    /// Passes no stores in `entry`.
    pub(crate) fn close_writes(&mut self, entry: usize) {
        self.lines[entry % OPERAND_LINES][1].address = NONE;
    }

    /// Moves all counts into the statistics and passes nothing. The marks are those of `stats`.
    pub(crate) fn close_all(&mut self, stats: &mut MemoryStats) {
        for (which, line) in self
            .lines
            .iter_mut()
            .flat_map(|lines| lines.iter_mut().enumerate())
        {
            tell(line, which, stats);
            line.address = NONE;
        }
    }

    /// Adds the counts to a copy of the statistics.
    pub(crate) fn add_to(&self, stats: &mut MemoryStats) {
        self.clone().close_all(stats);
    }
}

/// Moves a line's count into the statistics.
#[inline(always)]
fn tell(line: &mut FilterLine, which: usize, stats: &mut MemoryStats) {
    let accesses = std::mem::take(&mut line.accesses);
    if accesses > 0 {
        stats.count_hits(RangeIndex(line.mark), which, accesses);
    }
}
