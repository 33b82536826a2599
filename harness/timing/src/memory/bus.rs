//! External bus: one transfer at a time, dead time for changes of direction, SDRAM rows.

use super::region::Region;
use super::ticks::Ticks;
use crate::cause::Cause;
use crate::parameters::Parameters;
use sh4::Direction;

/// Precharge and activation: 5 bus cycles, with TPC 2 and RCD 3 as set by the boot ROM.
const ROW_MISS: Ticks = Ticks::bus_cycles(5);
/// Time to the first data of a burst read: command and CAS latency 3.
const FIRST_BEAT: Ticks = Ticks::bus_cycles(4);
/// Marks a bank without an open row.
const NO_ROW: u32 = u32::MAX;

/// Duration of a transfer on an idle bus.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Burst {
    /// Time to open a row, before all other phases.
    pub(crate) row_miss: Ticks,
    /// Time from the opened row to the first eight bytes.
    first: Ticks,
    /// Time from the opened row to the end.
    own: Ticks,
}

/// Targets on the bus, and the open SDRAM rows.
#[derive(Clone, Debug)]
pub(crate) struct BusTargets {
    /// Open row of each of the four banks.
    rows: [u32; 4],
    /// Address bits that are compared with the open row.
    row_bits: u32,
    /// True if every transfer opens its row, even the row that is already open.
    always_opens: bool,
    /// Lower of the two address bits of a bank.
    bank_shift: u32,
    read_overhead: Ticks,
    pub(crate) counts: RowCounts,
}

/// Numbers of transfers to open and to closed rows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowCounts {
    pub(crate) hit: u64,
    pub(crate) missed: u64,
}

impl RowCounts {
    /// Counts a transfer; `missed` if it had to open its row.
    #[inline(always)]
    pub(crate) fn count(&mut self, missed: bool) {
        self.missed += u64::from(missed);
        self.hit += u64::from(!missed);
    }
}

impl BusTargets {
    pub(crate) fn new(parameters: &Parameters) -> BusTargets {
        BusTargets {
            rows: [NO_ROW; 4],
            row_bits: if parameters.row_policy == 2 { u32::MAX } else { 0 },
            always_opens: parameters.row_policy == 1,
            bank_shift: if parameters.row_bank_bits == 1 { 11 } else { 22 },
            read_overhead: Ticks::hundredths(parameters.mem_base_overhead),
            counts: RowCounts::default(),
        }
    }

    /// Returns the next transfer: `bytes` at a physical address, or at one in P1 or P2.
    pub(crate) fn burst(&mut self, direction: Direction, address: u32, bytes: u8) -> Burst {
        if Region::is_ram(address) {
            let missed = self.opens(address);
            self.counts.count(missed);
            return self.line(direction, missed);
        }
        let region = Region::physical(address & 0x1FFF_FFFF);
        let own = Ticks::bus_cycles(match direction {
            Direction::Write => region.write(bytes),
            _ => region.read(bytes),
        });
        Burst {
            row_miss: Ticks::default(),
            first: own,
            own,
        }
    }

    /// Returns a transfer of main memory, which may open its row. In the table of regions, a single read
    /// takes as long as a burst; its data arrive with the first beat.
    #[inline(always)]
    pub(crate) fn line(&self, direction: Direction, missed: bool) -> Burst {
        let row_miss = if missed { ROW_MISS } else { Ticks::default() };
        if direction == Direction::Write {
            let own = Ticks::bus_cycles(Region::Ram.write(32));
            return Burst {
                row_miss,
                first: own,
                own,
            };
        }
        Burst {
            row_miss,
            first: FIRST_BEAT + self.read_overhead,
            own: Ticks::bus_cycles(Region::Ram.read(32)) + self.read_overhead,
        }
    }

    /// True if the next transfer, at `address` in main memory, opens its row. The transfer is not counted.
    #[inline(always)]
    pub(crate) fn opens(&mut self, address: u32) -> bool {
        let row = address & 0x00FF_F800;
        let open = &mut self.rows[(address >> self.bank_shift & 3) as usize];
        let missed = ((*open ^ row) & self.row_bits != 0) | self.always_opens;
        *open = row;
        missed
    }
}

/// Times of a transfer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    /// Start of the transfer on the bus.
    pub(crate) start: Ticks,
    /// Time of the first eight bytes.
    pub(crate) first: Ticks,
    pub(crate) end: Ticks,
    /// Wait for the preceding transfer, and its cause.
    pub(crate) waited: (Cause, Ticks),
    pub(crate) turnaround: Ticks,
    pub(crate) row_miss: Ticks,
}

/// State of the bus.
#[derive(Clone, Debug)]
pub(crate) struct Bus {
    pub(crate) free: Ticks,
    /// True if the last transfer was a write; `None` before the first transfer.
    pub(crate) wrote: Option<bool>,
    /// Cause of stalls that wait for the last transfer.
    pub(crate) cause: Cause,
    pub(crate) turnaround: Ticks,
    pub(crate) counts: BusCounts,
}

/// Statistics of the bus.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BusCounts {
    /// Busy time.
    pub(crate) busy: Ticks,
    /// Number of changes of direction with dead time.
    pub(crate) turns: u64,
}

impl Bus {
    pub(crate) fn new(parameters: &Parameters) -> Bus {
        Bus {
            free: Ticks::default(),
            wrote: None,
            cause: Cause::OperandMiss,
            turnaround: Ticks::hundredths(parameters.bus_turnaround),
            counts: BusCounts::default(),
        }
    }

    /// Adds a transfer requested at `at`. Later stalls that wait for it have the cause `cause`.
    #[inline]
    pub(crate) fn transfer(
        &mut self,
        at: Ticks,
        direction: Direction,
        burst: &Burst,
        cause: Cause,
    ) -> Transfer {
        let writes = direction == Direction::Write;
        let idle_from = at.max(self.free);
        // Dead time starts at the end of the last transfer, so a bus that was idle long enough changes
        // direction at no cost.
        let turned = self.wrote.is_some_and(|wrote| wrote != writes);
        let dead = if turned { self.turnaround } else { Ticks::default() };
        let start = idle_from.max(self.free + dead);
        let data = start + burst.row_miss;
        let end = data + burst.own;
        let waited = (self.cause, idle_from.since(at));
        self.counts.turns += u64::from(start > idle_from);
        self.counts.busy += end.since(idle_from);
        (self.free, self.wrote, self.cause) = (end, Some(writes), cause);
        Transfer {
            start,
            first: data + burst.first,
            end,
            waited,
            turnaround: start.since(idle_from),
            row_miss: burst.row_miss,
        }
    }
}
