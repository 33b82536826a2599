//! The external bus: one transfer at a time, a price for changing direction, SDRAM rows.

use super::region::Region;
use super::ticks::Ticks;
use crate::cause::Cause;
use crate::parameters::Parameters;
use sh4::Direction;

/// A transfer to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    /// Earliest start.
    pub(crate) at: Ticks,
    pub(crate) direction: Direction,
    /// Physical address.
    pub(crate) address: u32,
    pub(crate) bytes: u8,
    /// What those say who have to wait for it.
    pub(crate) cause: Cause,
}

/// When it took place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    /// When the bus began to work on it.
    pub(crate) start: Ticks,
    /// When the first eight bytes were there.
    pub(crate) first: Ticks,
    pub(crate) end: Ticks,
    /// Waiting for the transfer before, and its cause.
    pub(crate) waited: (Cause, Ticks),
    pub(crate) turnaround: Ticks,
    pub(crate) row_miss: Ticks,
}

/// Precharge and activation, bus cycles: TPC 2 and RCD 3 as the boot ROM sets them.
const ROW_MISS: u32 = 5;
/// Bus cycles until the first data of a burst read: command and CAS latency 3.
const FIRST_BEAT: u32 = 4;

#[derive(Clone, Debug)]
pub(crate) struct Bus {
    free: Ticks,
    last: Option<(Direction, Cause)>,
    /// Open row of each of the four banks.
    rows: [Option<u32>; 4],
    turnaround: Ticks,
    read_overhead: Ticks,
    rows_tracked: bool,
    rows_always_miss: bool,
    low_bank_bits: bool,
    pub(crate) counts: BusCounts,
}

/// What the bus did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BusCounts {
    /// Time in which it worked.
    pub(crate) busy: Ticks,
    pub(crate) rows_hit: u64,
    pub(crate) rows_missed: u64,
    /// Changes of direction that cost something.
    pub(crate) turns: u64,
}

impl Bus {
    pub(crate) fn new(parameters: &Parameters) -> Bus {
        Bus {
            free: Ticks::default(),
            last: None,
            rows: [None; 4],
            turnaround: Ticks::hundredths(parameters.bus_turnaround),
            read_overhead: Ticks::hundredths(parameters.mem_base_overhead),
            rows_tracked: parameters.row_policy == 2,
            rows_always_miss: parameters.row_policy == 1,
            low_bank_bits: parameters.row_bank_bits == 1,
            counts: BusCounts::default(),
        }
    }

    pub(crate) fn transfer(&mut self, request: &Request) -> Transfer {
        let idle_from = request.at.max(self.free);
        let turned = self
            .last
            .is_some_and(|(direction, _)| direction != request.direction);
        // Dead time runs from the end of the last transfer: a bus that has long been idle turns for nothing.
        let ready = if turned {
            self.free + self.turnaround
        } else {
            self.free
        };
        let start = idle_from.max(ready);
        self.counts.turns += u64::from(start > idle_from);
        let region = Region::physical(request.address & 0x1FFF_FFFF);
        let missed = region == Region::Ram && self.misses_row(request.address);
        let row_miss = Ticks::bus_cycles(if missed { ROW_MISS } else { 0 });
        let (own, first) = self.duration(region, request);
        let end = start + row_miss + own;
        let waited = idle_from.since(request.at);
        let blocker = self.last.map_or(Cause::OperandMiss, |(_, cause)| cause);
        self.counts.busy += end.since(idle_from);
        self.free = end;
        self.last = Some((request.direction, request.cause));
        Transfer {
            start,
            first: start + row_miss + first,
            end,
            waited: (blocker, waited),
            turnaround: start.since(idle_from),
            row_miss,
        }
    }

    /// Its whole time without row miss, and the time until the first data.
    fn duration(&self, region: Region, request: &Request) -> (Ticks, Ticks) {
        if request.direction == Direction::Write {
            let own = Ticks::bus_cycles(region.write(request.bytes));
            return (own, own);
        }
        let own = Ticks::bus_cycles(region.read(request.bytes));
        if region == Region::Ram {
            let first = Ticks::bus_cycles(FIRST_BEAT) + self.read_overhead;
            // A single read takes as long as a burst in the table; its data is the first beat.
            return (own + self.read_overhead, first);
        }
        (own, own)
    }

    fn misses_row(&mut self, address: u32) -> bool {
        let bank = if self.low_bank_bits {
            address >> 11
        } else {
            address >> 22
        } & 3;
        let row = address & 0x00FF_F800;
        let open = &mut self.rows[bank as usize];
        let missed = match (self.rows_tracked, self.rows_always_miss) {
            (true, _) => *open != Some(row),
            (false, always) => always,
        };
        *open = Some(row);
        if missed {
            self.counts.rows_missed += 1;
        } else {
            self.counts.rows_hit += 1;
        }
        missed
    }

    /// When the bus is done with everything it was given.
    pub(crate) fn free(&self) -> Ticks {
        self.free
    }
}
