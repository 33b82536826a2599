//! Lines that plain accesses pass through at no cost, so that they need only be counted.

use super::cache::{CacheSettings, OPERAND_LINES};
use super::stats::{MemoryStats, Row};
use sh4::meter::{Index, Line};

/// No line: those are multiples of 32.
pub(super) const NONE: u32 = 1;

/// The highest bit of an entry's number.
const HIGH: u32 = 1 << 8;

/// See the module's head: reads and writes by entry.
#[derive(Clone, Debug)]
pub(crate) struct Passing {
    /// Accesses since they were last told to the statistics, which may be to other lines of the same range before; the mark
    /// is that range there, see [`Row`].
    pub(super) lines: Box<[[Line; 2]; OPERAND_LINES]>,
    /// How entries are found: masks for addresses without their lowest 5 bits, and without 17 if OIX puts bit 25 in the place
    /// of bit 13.
    low: u32,
    high: u32,
}

impl Passing {
    /// Apart, since the lines would lie on the stack of whoever calls it.
    #[cold]
    #[inline(never)]
    pub(crate) fn new(settings: &CacheSettings) -> Passing {
        let none = Line {
            address: NONE,
            mark: 0,
            accesses: 0,
        };
        Passing {
            lines: Box::new([[none; 2]; OPERAND_LINES]),
            low: if settings.operand_ram { 0x7F } else { 0xFF }
                | if settings.operand_index { 0 } else { HIGH },
            high: if settings.operand_index { HIGH } else { 0 },
        }
    }

    /// Entry of the operand cache: bits 13-5. As RAM go the entries 128-255 and 384-511.
    #[inline(always)]
    pub(crate) fn entry(&self, address: u32) -> usize {
        let place = address >> 5 & self.low | address >> 17 & self.high;
        place as usize % OPERAND_LINES
    }

    /// Loads, or stores, that pass in `entry`.
    #[inline(always)]
    pub(crate) fn line(&mut self, entry: usize, stores: bool) -> &mut Line {
        &mut self.lines[entry % OPERAND_LINES][usize::from(stores)]
    }

    /// [`Passing::entry`] in numbers.
    pub(super) fn index(&self) -> Index {
        Index {
            high: if self.high == 0 { 13 } else { 25 },
            low: (self.low & !HIGH) as u8,
        }
    }

    /// Counts an access if it may pass.
    #[inline(always)]
    pub(crate) fn passes(&mut self, address: u32, stores: bool) -> bool {
        let line = self.line(self.entry(address), stores);
        let passes = line.address == address & !31;
        line.accesses += u64::from(passes);
        passes
    }

    /// The same for one that has to wait before.
    #[inline(always)]
    pub(crate) fn passes_after(
        &mut self,
        address: u32,
        stores: bool,
        cycles: u64,
        stats: &mut MemoryStats,
    ) -> bool {
        let line = self.line(self.entry(address), stores);
        let passes = line.address == address & !31;
        if passes {
            line.accesses += 1;
            stats.row(Row(line.mark)).stalled += cycles;
        }
        passes
    }

    /// From now on loads, or stores, of the line in `entry` may pass; answers its range.
    #[inline(always)]
    pub(crate) fn open(&mut self, entry: usize, address: u32, stores: bool, stats: &mut MemoryStats) -> Row {
        let row = stats.find(address);
        self.open_row(entry, address & !31, usize::from(stores), row, stats);
        row
    }

    /// The same for loads or stores, 0 or 1, of the line at `address`, whose range is `row`.
    #[inline(always)]
    pub(super) fn open_row(
        &mut self,
        entry: usize,
        address: u32,
        which: usize,
        row: Row,
        stats: &mut MemoryStats,
    ) {
        let line = &mut self.lines[entry % OPERAND_LINES][which];
        if line.mark != row.0 {
            tell(line, which, stats);
            line.mark = row.0;
        }
        line.address = address;
    }

    /// No access passes through `entry` any more.
    #[inline(always)]
    pub(crate) fn bar(&mut self, entry: usize) {
        let [reads, writes] = &mut self.lines[entry % OPERAND_LINES];
        (reads.address, writes.address) = (NONE, NONE);
    }

    /// No write does.
    pub(crate) fn bar_writes(&mut self, entry: usize) {
        self.bar_side(entry, 1);
    }

    /// No load does, or no store.
    #[inline(always)]
    pub(super) fn bar_side(&mut self, entry: usize, which: usize) {
        self.lines[entry % OPERAND_LINES][which].address = NONE;
    }

    /// Tells the statistics everything that has passed. Nothing passes any more: others may be counted into next, in
    /// which ranges have other places.
    pub(crate) fn bar_all(&mut self, stats: &mut MemoryStats) {
        for (which, line) in self
            .lines
            .iter_mut()
            .flat_map(|lines| lines.iter_mut().enumerate())
        {
            tell(line, which, stats);
            line.address = NONE;
        }
    }

    /// Adds what was not told yet.
    pub(crate) fn add_to(&self, stats: &mut MemoryStats) {
        self.clone().bar_all(stats);
    }
}

#[inline(always)]
fn tell(line: &mut Line, which: usize, stats: &mut MemoryStats) {
    let accesses = std::mem::take(&mut line.accesses);
    if accesses == 0 {
        return;
    }
    stats.passed_in(Row(line.mark), which, accesses);
}
