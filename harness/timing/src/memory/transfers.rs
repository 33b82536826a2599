//! Transfers in flight, and waits for them. This module does not know the contents of the caches.

use super::bus::{Burst, Bus, Transfer};
use super::stall::Wait;
use super::ticks::Ticks;
use crate::cause::Cause;
use crate::parameters::Parameters;
use sh4::Direction;

/// The last line fill of the operand cache; it has no effect after its end.
#[derive(Clone, Copy, Debug)]
struct Filling {
    first: Ticks,
    end: Ticks,
    cause: Cause,
}

/// Result of a tag compare.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TagResult {
    /// A hit in another line than the last filled one.
    Hit,
    /// A hit in the last filled line. The number is the beat that transfers the accessed bytes; 0 is the
    /// first beat.
    LastLine(u32),
    /// A miss.
    Miss(Replacement),
}

/// A line fill, and the write-back of an evicted dirty line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replacement {
    pub(crate) fill: Burst,
    pub(crate) eviction: Option<Burst>,
}

/// Statistics of operand fills and write-backs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fills {
    pub(crate) fills: u64,
    pub(crate) ticks: Ticks,
    pub(crate) write_backs: u64,
}

/// Transfers in flight.
#[derive(Clone, Debug)]
pub(crate) struct Transfers {
    pub(crate) bus: Bus,
    filling: Filling,
    /// Times until which the buffers, the memory stage and the store queues are occupied.
    write_back: Ticks,
    write_through: Ticks,
    flush: Ticks,
    memory_stage: Ticks,
    queues: [Ticks; 2],
    demand_overhead: Ticks,
    flush_blocks_reads: bool,
    pub(crate) fills: Fills,
}

impl Filling {
    const NONE: Filling = Filling {
        first: Ticks::cycles(0),
        end: Ticks::cycles(0),
        cause: Cause::OperandMiss,
    };

    /// Returns the arrival of a beat: two cycles each.
    #[inline(always)]
    fn arrival(&self, beat: u32) -> Ticks {
        (self.first + Ticks::bus_cycles(beat)).min(self.end)
    }
}

impl Transfers {
    /// Creates an idle bus.
    pub(crate) fn new(parameters: &Parameters) -> Transfers {
        Transfers {
            bus: Bus::new(parameters),
            filling: Filling::NONE,
            write_back: Ticks::default(),
            write_through: Ticks::default(),
            flush: Ticks::default(),
            memory_stage: Ticks::default(),
            queues: [Ticks::default(); 2],
            demand_overhead: Ticks::hundredths(parameters.demand_miss_overhead),
            flush_blocks_reads: parameters.ocbwb_blocks_reads != 0,
            fills: Fills::default(),
        }
    }

    /// True if a hit in cycle `now` does not wait for a transfer.
    #[inline]
    pub(crate) fn are_over(&self, now: u64) -> bool {
        self.memory_stage.max(self.flush).max(self.filling.end) <= Ticks::cycles(now)
    }

    /// Drops the fill in flight, because its line was invalidated.
    pub(crate) fn drop_filling(&mut self) {
        self.filling = Filling::NONE;
    }

    /// Begins an access.
    #[inline(always)]
    pub(crate) fn begin(&self, wait: &mut Wait<'_>) {
        wait.until(self.memory_stage, Cause::CacheOperation);
    }

    /// Performs a plain load or store through the cache. Returns whether it waits for its line.
    #[inline]
    pub(crate) fn plain(&mut self, stores: bool, tag: &TagResult, wait: &mut Wait<'_>) -> bool {
        self.begin(wait);
        if stores {
            wait.until(self.filling.end, Cause::WriteDuringFill);
        } else if self.flush_blocks_reads {
            wait.until(self.flush, Cause::WriteBuffer);
        }
        let before = wait.at;
        match tag {
            TagResult::Hit => {}
            TagResult::LastLine(beat) => wait.until(self.ready(*beat), self.filling.cause),
            TagResult::Miss(replacement) => self.demand(replacement, wait),
        }
        wait.at > before
    }

    /// Returns the cycle in which a beat of the last filled line becomes usable: for a prefetched line, the
    /// end of the fill.
    #[inline]
    fn ready(&self, beat: u32) -> Ticks {
        if self.filling.cause == Cause::PrefetchBusy {
            self.filling.end
        } else {
            self.filling.arrival(beat)
        }
    }

    /// Performs a fill that a load or store waits for.
    #[inline]
    fn demand(&mut self, replacement: &Replacement, wait: &mut Wait<'_>) {
        wait.until(self.filling.end, self.filling.cause);
        let at = wait.at + self.demand_overhead;
        let transfer = self.fill_line(at, replacement, Cause::OperandMiss, wait);
        wait.until_end(&transfer, transfer.first, Cause::OperandMiss);
    }

    /// Performs a fill by PREF, which does not wait for its data.
    pub(crate) fn prefetch(&mut self, replacement: &Replacement, wait: &mut Wait<'_>) {
        wait.until(self.filling.end, Cause::PrefetchBusy);
        self.fill_line(wait.at, replacement, Cause::PrefetchBusy, wait);
    }

    /// Fills a line. An evicted dirty line waits in the write-back buffer until the fill ends.
    #[inline]
    fn fill_line(
        &mut self,
        at: Ticks,
        replacement: &Replacement,
        cause: Cause,
        wait: &mut Wait<'_>,
    ) -> Transfer {
        let mut at = at;
        if replacement.eviction.is_some() && self.write_back > at {
            wait.until(self.write_back, Cause::WriteBuffer);
            at = self.write_back;
        }
        let transfer = self.bus.transfer(at, Direction::Read, &replacement.fill, cause);
        self.fills.fills += 1;
        self.fills.ticks += transfer.end.since(transfer.start);
        self.filling = Filling {
            first: transfer.first,
            end: transfer.end,
            cause,
        };
        if let Some(eviction) = &replacement.eviction {
            self.send_back(transfer.end, eviction);
        }
        transfer
    }

    /// Writes a line from the write-back buffer.
    fn send_back(&mut self, at: Ticks, eviction: &Burst) {
        let transfer = self
            .bus
            .transfer(at, Direction::Write, eviction, Cause::WriteBuffer);
        self.fills.write_backs += 1;
        self.write_back = transfer.end;
    }

    /// Performs OCBP or OCBWB of a dirty line: later accesses wait for its write-back.
    pub(crate) fn flush(&mut self, eviction: &Burst, wait: &mut Wait<'_>) {
        wait.until(self.write_back, Cause::WriteBuffer);
        self.send_back(wait.at, eviction);
        self.flush = self.write_back;
    }

    /// Makes MOVCA wait for a line fill in flight, like a store.
    pub(crate) fn allocate(&self, wait: &mut Wait<'_>) {
        wait.until(self.filling.end, Cause::WriteDuringFill);
    }

    /// Evicts a dirty line for MOVCA.
    pub(crate) fn make_room(&mut self, eviction: &Burst, wait: &mut Wait<'_>) {
        wait.until(self.write_back, Cause::WriteBuffer);
        self.send_back(wait.at, eviction);
    }

    /// Occupies the memory stage for `cycles`, which delays the next access.
    pub(crate) fn keep_memory_stage(&mut self, wait: &Wait<'_>, cycles: u32) {
        self.memory_stage = wait.at + Ticks::cycles(cycles.into());
    }

    /// Performs a read without the cache: the CPU waits until its end.
    pub(crate) fn read_out(&mut self, burst: &Burst, cause: Cause, wait: &mut Wait<'_>) {
        let transfer = self.bus.transfer(wait.at, Direction::Read, burst, cause);
        wait.until_end(&transfer, transfer.end, cause);
    }

    /// Performs a store without the cache, through the write-through buffer, which has one entry.
    pub(crate) fn write_out(&mut self, burst: &Burst, wait: &mut Wait<'_>) {
        wait.until(self.write_through, Cause::WriteBuffer);
        let transfer = self
            .bus
            .transfer(wait.at, Direction::Write, burst, Cause::WriteBuffer);
        self.write_through = transfer.end;
    }

    /// Performs a store into a store queue.
    pub(crate) fn write_queue(&self, queue: usize, wait: &mut Wait<'_>) {
        wait.until(self.queues[queue], Cause::StoreQueue);
    }

    /// Sends a store queue.
    pub(crate) fn send_queue(&mut self, queue: usize, burst: &Burst, wait: &mut Wait<'_>) {
        self.write_queue(queue, wait);
        let transfer = self
            .bus
            .transfer(wait.at, Direction::Write, burst, Cause::StoreQueue);
        self.queues[queue] = transfer.end;
    }
}
