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

/// Precharge and activation: 5 bus cycles, TPC 2 and RCD 3 as the boot ROM sets them.
const ROW_MISS: Ticks = Ticks::bus_cycles(5);
/// Until the first data of a burst read: command and CAS latency 3.
const FIRST_BEAT: Ticks = Ticks::bus_cycles(4);
/// No row.
const NO_ROW: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(crate) struct Bus {
    free: Ticks,
    /// Of the last transfer, if there was one.
    direction: Option<Direction>,
    cause: Cause,
    /// Open row of each of the four banks.
    rows: [u32; 4],
    turnaround: Ticks,
    read_overhead: Ticks,
    rows_tracked: bool,
    rows_always_miss: bool,
    /// The lower of a bank's two address bits.
    bank_shift: u32,
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
            direction: None,
            cause: Cause::OperandMiss,
            rows: [NO_ROW; 4],
            turnaround: Ticks::hundredths(parameters.bus_turnaround),
            read_overhead: Ticks::hundredths(parameters.mem_base_overhead),
            rows_tracked: parameters.row_policy == 2,
            rows_always_miss: parameters.row_policy == 1,
            bank_shift: if parameters.row_bank_bits == 1 { 11 } else { 22 },
            counts: BusCounts::default(),
        }
    }

    /// Inlined, so that nothing is left of what is known of a line's request where one is made.
    #[inline(always)]
    pub(crate) fn transfer(&mut self, request: &Request) -> Transfer {
        let idle_from = request.at.max(self.free);
        let turned = self
            .direction
            .is_some_and(|direction| direction != request.direction);
        // Dead time runs from the end of the last transfer: a bus that has long been idle turns for nothing.
        let dead = if turned { self.turnaround } else { Ticks::default() };
        let start = idle_from.max(self.free + dead);
        self.counts.turns += u64::from(start > idle_from);
        let (row_miss, own, first) = if Region::is_ram(request.address) {
            let row_miss = self.open_row(request.address);
            let (own, first) = self.burst(request);
            (row_miss, own, first)
        } else {
            let own = elsewhere(request);
            (Ticks::default(), own, own)
        };
        let end = start + row_miss + own;
        let waited = (self.cause, idle_from.since(request.at));
        self.counts.busy += end.since(idle_from);
        self.free = end;
        (self.direction, self.cause) = (Some(request.direction), request.cause);
        Transfer {
            start,
            first: start + row_miss + first,
            end,
            waited,
            turnaround: start.since(idle_from),
            row_miss,
        }
    }

    /// What a transfer of main memory takes without row miss, and the time until its first data. A single read takes as
    /// long as a burst in the table; its data is the first beat.
    #[inline(always)]
    fn burst(&self, request: &Request) -> (Ticks, Ticks) {
        if request.direction == Direction::Write {
            let own = Ticks::bus_cycles(Region::Ram.write(request.bytes));
            return (own, own);
        }
        let own = Ticks::bus_cycles(Region::Ram.read(request.bytes));
        (own + self.read_overhead, FIRST_BEAT + self.read_overhead)
    }

    /// Opens the row of `address`; answers what that takes.
    #[inline(always)]
    fn open_row(&mut self, address: u32) -> Ticks {
        let row = address & 0x00FF_F800;
        let open = &mut self.rows[(address >> self.bank_shift & 3) as usize];
        let missed = (*open != row && self.rows_tracked) || self.rows_always_miss;
        *open = row;
        self.counts.rows_missed += u64::from(missed);
        self.counts.rows_hit += u64::from(!missed);
        if missed { ROW_MISS } else { Ticks::default() }
    }

    /// When the bus is done with everything it was given.
    pub(crate) fn free(&self) -> Ticks {
        self.free
    }
}

/// What a transfer takes that is not of main memory.
#[inline(never)]
fn elsewhere(request: &Request) -> Ticks {
    let region = Region::physical(request.address & 0x1FFF_FFFF);
    Ticks::bus_cycles(match request.direction {
        Direction::Write => region.write(request.bytes),
        _ => region.read(request.bytes),
    })
}
