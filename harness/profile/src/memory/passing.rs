//! Lines that plain accesses pass through at no cost, so that they need only be counted.

use super::cache::{CacheSettings, OPERAND_LINES};
use super::stats::{MemoryStats, Row};
use sh4::Direction;

/// No line: those are multiples of 32.
const NONE: u32 = 1;

/// Reads or writes in an entry of the operand cache.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// Effective address of the line that may be accessed.
    line: u32,
    /// Its range in the statistics.
    row: Row,
    /// Since they were last told to the statistics.
    accesses: u64,
}

/// See the module's head: reads and writes by entry.
#[derive(Clone, Debug)]
pub(crate) struct Passing {
    entries: Box<[[Side; 2]; OPERAND_LINES]>,
    /// How entries are found: the place of bit 13, which is bit 25 if OIX says so, and a mask of the lower ones.
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
            row: Row::default(),
            accesses: 0,
        };
        Passing {
            entries: Box::new([[none; 2]; OPERAND_LINES]),
            high: if settings.operand_index { 25 } else { 13 },
            low: if settings.operand_ram { 0x7F } else { 0xFF },
        }
    }

    /// Entry of the operand cache: bits 13-5. As RAM go the entries 128-255 and 384-511.
    #[inline(always)]
    pub(crate) fn entry(&self, address: u32) -> usize {
        let place = (address >> self.high & 1) << 8 | address >> 5 & self.low;
        place as usize % OPERAND_LINES
    }

    #[inline(always)]
    fn side(&mut self, address: u32, direction: Direction) -> &mut Side {
        &mut self.entries[self.entry(address)][side(direction)]
    }

    /// Counts an access if it may pass.
    #[inline(always)]
    pub(crate) fn passes(&mut self, address: u32, direction: Direction) -> bool {
        self.passes_at(self.entry(address), address, direction)
    }

    /// The same if its entry is known.
    #[inline(always)]
    pub(crate) fn passes_at(&mut self, entry: usize, address: u32, direction: Direction) -> bool {
        let side = &mut self.entries[entry % OPERAND_LINES][side(direction)];
        let passes = side.line == address & !31;
        side.accesses += u64::from(passes);
        passes
    }

    /// The same for one that has to wait before.
    #[inline(always)]
    pub(crate) fn passes_after(
        &mut self,
        address: u32,
        direction: Direction,
        cycles: u64,
        stats: &mut MemoryStats,
    ) -> bool {
        let side = self.side(address, direction);
        let passes = side.line == address & !31;
        if passes {
            side.accesses += 1;
            stats.row(side.row).stalled += cycles;
        }
        passes
    }

    /// Counts an access that found its line in `entry` or brought it there, and answers its range. From now on others to
    /// it may pass.
    #[inline(always)]
    pub(crate) fn count(&mut self, entry: usize, address: u32, stores: bool, stats: &mut MemoryStats) -> Row {
        let which = usize::from(stores);
        let side = &mut self.entries[entry % OPERAND_LINES][which];
        if side.line != address & !31 {
            side.tell(which, stats);
            side.line = address & !31;
            side.row = stats.find(address);
        }
        side.accesses += 1;
        side.row
    }

    /// No access passes through `entry` any more.
    #[inline(always)]
    pub(crate) fn bar(&mut self, entry: usize, stats: &mut MemoryStats) {
        let [reads, writes] = &mut self.entries[entry % OPERAND_LINES];
        reads.bar(0, stats);
        writes.bar(1, stats);
    }

    /// No write does.
    pub(crate) fn bar_writes(&mut self, entry: usize, stats: &mut MemoryStats) {
        self.entries[entry % OPERAND_LINES][1].bar(1, stats);
    }

    /// Tells the statistics everything that has passed. Nothing passes any more: others may be counted into next, in
    /// which ranges have other places.
    pub(crate) fn bar_all(&mut self, stats: &mut MemoryStats) {
        (0..OPERAND_LINES).for_each(|entry| self.bar(entry, stats));
    }

    /// Adds what was not told yet.
    pub(crate) fn add_to(&self, stats: &mut MemoryStats) {
        self.clone().bar_all(stats);
    }
}

impl Side {
    #[inline(always)]
    fn bar(&mut self, which: usize, stats: &mut MemoryStats) {
        self.tell(which, stats);
        self.line = NONE;
    }

    #[inline(always)]
    fn tell(&mut self, which: usize, stats: &mut MemoryStats) {
        let accesses = std::mem::take(&mut self.accesses);
        if accesses == 0 {
            return;
        }
        stats.accesses += accesses;
        if which == 0 {
            stats.cached_reads += accesses;
            stats.row(self.row).reads += accesses;
        } else {
            stats.cached_writes += accesses;
            stats.row(self.row).writes += accesses;
        }
    }
}
