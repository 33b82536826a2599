//! Lines that plain accesses pass through at no cost, so that they need only be counted.

use super::DataAccess;
use super::cache::{CacheSettings, OPERAND_LINES};
use super::stats::MemoryStats;
use sh4::Direction;

/// No line: those are multiples of 32.
const NONE: u32 = 1;

/// Reads or writes in an entry of the operand cache, since they were last told to the statistics.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// Effective address of the line that may be accessed.
    line: u32,
    misses: u32,
    accesses: u64,
    stalled: u64,
}

/// See the module's head: reads and writes by entry.
#[derive(Clone, Debug)]
pub(crate) struct Passing {
    entries: Box<[[Side; 2]; OPERAND_LINES]>,
    /// [`CacheSettings::operand_entry`] in numbers.
    high: u32,
    low: u32,
}

/// 0 for reads, 1 for writes.
#[inline(always)]
fn side(direction: Direction) -> usize {
    usize::from(direction == Direction::Write)
}

impl Passing {
    /// Apart, since the lines would lie on the stack of whoever calls it.
    #[cold]
    #[inline(never)]
    pub(crate) fn new(settings: &CacheSettings) -> Passing {
        let none = Side {
            line: NONE,
            misses: 0,
            accesses: 0,
            stalled: 0,
        };
        Passing {
            entries: Box::new([[none; 2]; OPERAND_LINES]),
            high: if settings.operand_index { 25 } else { 13 },
            low: if settings.operand_ram { 0x7F } else { 0xFF },
        }
    }

    #[inline(always)]
    fn side(&mut self, address: u32, direction: Direction) -> &mut Side {
        let place = (address >> self.high & 1) << 8 | address >> 5 & self.low;
        &mut self.entries[place as usize % OPERAND_LINES][side(direction)]
    }

    /// Counts an access if it may pass.
    #[inline(always)]
    pub(crate) fn passes(&mut self, address: u32, direction: Direction) -> bool {
        let side = self.side(address, direction);
        let passes = side.line == address & !31;
        side.accesses += u64::from(passes);
        passes
    }

    /// The same for one that has to wait before.
    #[inline(always)]
    pub(crate) fn passes_after(&mut self, address: u32, direction: Direction, cycles: u64) -> bool {
        let side = self.side(address, direction);
        let passes = side.line == address & !31;
        if passes {
            side.accesses += 1;
            side.stalled += cycles;
        }
        passes
    }

    /// Counts an access that found its line in `entry` or brought it there. From now on others to it may pass.
    pub(crate) fn count(
        &mut self,
        entry: usize,
        access: &DataAccess,
        missed: bool,
        stalled: u64,
        stats: &mut MemoryStats,
    ) {
        let side = side(access.direction);
        if self.entries[entry][side].line != access.address & !31 {
            self.tell_side(entry, side, stats);
        }
        let side = &mut self.entries[entry][side];
        side.line = access.address & !31;
        side.accesses += 1;
        side.misses += u32::from(missed);
        side.stalled += stalled;
    }

    /// No access passes through `entry` any more.
    #[inline]
    pub(crate) fn bar(&mut self, entry: usize, stats: &mut MemoryStats) {
        self.tell_side(entry, 0, stats);
        self.tell_side(entry, 1, stats);
        self.entries[entry][0].line = NONE;
        self.entries[entry][1].line = NONE;
    }

    /// No write does.
    pub(crate) fn bar_writes(&mut self, entry: usize, stats: &mut MemoryStats) {
        self.tell_side(entry, 1, stats);
        self.entries[entry][1].line = NONE;
    }

    /// Tells the statistics everything that has passed.
    pub(crate) fn tell(&mut self, stats: &mut MemoryStats) {
        for entry in 0..OPERAND_LINES {
            self.tell_side(entry, 0, stats);
            self.tell_side(entry, 1, stats);
        }
    }

    /// Adds what was not told yet.
    pub(crate) fn add_to(&self, stats: &mut MemoryStats) {
        self.clone().tell(stats);
    }

    #[inline]
    fn tell_side(&mut self, entry: usize, which: usize, stats: &mut MemoryStats) {
        let side = &mut self.entries[entry][which];
        if side.accesses == 0 {
            return;
        }
        stats.accesses += side.accesses;
        let range = stats.region(side.line);
        range.stalled += side.stalled;
        if which == 0 {
            range.reads += side.accesses;
            range.read_misses += u64::from(side.misses);
            stats.cached_reads += side.accesses;
        } else {
            range.writes += side.accesses;
            range.write_misses += u64::from(side.misses);
            stats.cached_writes += side.accesses;
        }
        *side = Side {
            misses: 0,
            accesses: 0,
            stalled: 0,
            ..*side
        };
    }
}
