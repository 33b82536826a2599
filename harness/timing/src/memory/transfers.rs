//! Transfers in flight, and the waiting for them. The contents of the caches are not known here.

use super::bus::{Burst, Bus, BusCounts, Transfer};
use super::stall::Wait;
use super::ticks::Ticks;
use crate::cause::Cause;
use crate::parameters::Parameters;
use sh4::Direction;

/// The last line fill of the operand cache. It has no effect once its end is past.
#[derive(Clone, Copy, Debug)]
struct Filling {
    first: Ticks,
    end: Ticks,
    cause: Cause,
}

/// The result of a tag compare.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TagResult {
    /// A hit in another line than the one filled last.
    Hit,
    /// A hit in the line filled last. The access needs the beat so many beats behind the first one.
    LastLine(u32),
    /// A miss.
    Miss(Replacement),
}

/// A line fill, and the write-back of a dirty line that it evicts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replacement {
    pub(crate) fill: Burst,
    pub(crate) eviction: Option<Burst>,
}

/// Counts of operand fills and write-backs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fills {
    pub(crate) fills: u64,
    pub(crate) ticks: Ticks,
    pub(crate) write_backs: u64,
}

impl Fills {
    pub(crate) fn add_times(&mut self, other: &Fills, times: u64) {
        self.fills += times * other.fills;
        self.ticks += other.ticks.times(times);
        self.write_backs += times * other.write_backs;
    }
}

/// The transfers in flight.
#[derive(Clone, Debug)]
pub(crate) struct Transfers {
    pub(crate) bus: Bus,
    filling: Filling,
    /// The ends of the occupation of the buffers, the memory stage and the store queues.
    write_back: Ticks,
    write_through: Ticks,
    flush: Ticks,
    memory_stage: Ticks,
    queues: [Ticks; 2],
    demand_overhead: Ticks,
    flush_blocks_reads: bool,
    pub(crate) fills: Fills,
}

/// The transfers in flight in some cycle, in time spans from then on. Transfers without any effect are left
/// out, so that equal states behave equally.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TransferState {
    /// The span until the bus is free and turned; whether it last wrote; the cause of stalls behind that.
    turned: Ticks,
    wrote: Option<bool>,
    cause: Cause,
    /// The span until the line is filled, the span from its first eight bytes to then, and the cause of
    /// stalls.
    filled: Ticks,
    beats: Ticks,
    filling: Cause,
    write_back: Ticks,
    write_through: Ticks,
    flush: Ticks,
    memory_stage: Ticks,
    queues: [Ticks; 2],
}

impl TransferState {
    /// Cycles after which the state has no effect.
    pub(crate) fn horizon(&self) -> u64 {
        let buffers = self.write_back.max(self.write_through).max(self.flush);
        let others = self.queues[0].max(self.queues[1]).max(self.memory_stage);
        self.turned.max(self.filled).max(buffers).max(others).ceil()
    }
}

impl Filling {
    const NONE: Filling = Filling {
        first: Ticks::cycles(0),
        end: Ticks::cycles(0),
        cause: Cause::OperandMiss,
    };

    /// The arrival of a beat: two cycles each.
    #[inline(always)]
    fn arrival(&self, beat: u32) -> Ticks {
        (self.first + Ticks::bus_cycles(beat)).min(self.end)
    }
}

impl Transfers {
    /// An idle bus.
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

    /// The cycles from which on hits of loads, and of stores, cost nothing. Stores wait for everything that
    /// loads wait for, and for line fills.
    #[inline]
    pub(crate) fn free_from(&self) -> [u64; 2] {
        let loads = self.memory_stage.max(self.flush).ceil();
        [loads, loads.max(self.filling.end.ceil())]
    }

    /// The state in `cycle`.
    pub(crate) fn state(&self, cycle: u64) -> TransferState {
        let now = Ticks::cycles(cycle);
        let turned = (self.bus.free + self.bus.turnaround).since(now);
        let matters = turned > Ticks::default() && self.bus.wrote.is_some();
        let fills = self.filling.end > now;
        let none = Filling::NONE;
        let filling = if fills { &self.filling } else { &none };
        TransferState {
            turned: if matters { turned } else { Ticks::default() },
            wrote: self.bus.wrote.filter(|_| matters),
            cause: if self.bus.free > now {
                self.bus.cause
            } else {
                none.cause
            },
            filled: filling.end.since(now),
            beats: filling.end.since(filling.first),
            filling: filling.cause,
            write_back: self.write_back.since(now),
            write_through: self.write_through.since(now),
            flush: self.flush.since(now),
            memory_stage: self.memory_stage.since(now),
            queues: self.queues.map(|queue| queue.since(now)),
        }
    }

    /// Continues from a state in `cycle`.
    pub(crate) fn resume(&mut self, state: &TransferState, cycle: u64) {
        let now = Ticks::cycles(cycle);
        let later = |span: Ticks| if span > Ticks::default() { now + span } else { span };
        self.bus.free = later(state.turned).since(self.bus.turnaround);
        (self.bus.wrote, self.bus.cause) = (state.wrote, state.cause);
        let end = later(state.filled);
        self.filling = Filling {
            first: end.since(state.beats),
            end,
            cause: state.filling,
        };
        self.write_back = later(state.write_back);
        self.write_through = later(state.write_through);
        self.flush = later(state.flush);
        self.memory_stage = later(state.memory_stage);
        self.queues = state.queues.map(later);
    }

    /// Replaces the counts. Returns the old ones.
    pub(crate) fn exchange_counts(&mut self, counts: (BusCounts, Fills)) -> (BusCounts, Fills) {
        (
            std::mem::replace(&mut self.bus.counts, counts.0),
            std::mem::replace(&mut self.fills, counts.1),
        )
    }

    /// Drops the fill in flight: its line was invalidated.
    pub(crate) fn drop_filling(&mut self) {
        self.filling = Filling::NONE;
    }

    /// An access begins.
    #[inline(always)]
    pub(crate) fn begin(&self, wait: &mut Wait<'_>) {
        wait.until(self.memory_stage, Cause::CacheOperation);
    }

    /// A plain load or store through the cache. Returns whether it waits for its line.
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

    /// The cycle in which a beat of the line filled last can be used: for a prefetched line, the end of the
    /// fill.
    #[inline]
    fn ready(&self, beat: u32) -> Ticks {
        if self.filling.cause == Cause::PrefetchBusy {
            self.filling.end
        } else {
            self.filling.arrival(beat)
        }
    }

    /// The cycles that a load of `beat` of the line filled last waits at `now`, if it waits for nothing else.
    #[inline]
    pub(crate) fn arrival(&self, beat: u32, now: u64) -> u64 {
        self.filling.arrival(beat).since(Ticks::cycles(now)).ceil()
    }

    /// A fill that a load or store waits for.
    #[inline]
    fn demand(&mut self, replacement: &Replacement, wait: &mut Wait<'_>) {
        wait.until(self.filling.end, self.filling.cause);
        let at = wait.at + self.demand_overhead;
        let transfer = self.fill_line(at, replacement, Cause::OperandMiss, wait);
        wait.until_end(&transfer, transfer.first, Cause::OperandMiss);
    }

    /// A fill by PREF, without waiting for its data.
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

    /// OCBP or OCBWB of a dirty line: later accesses wait for its write-back.
    pub(crate) fn flush(&mut self, eviction: &Burst, wait: &mut Wait<'_>) {
        wait.until(self.write_back, Cause::WriteBuffer);
        self.send_back(wait.at, eviction);
        self.flush = self.write_back;
    }

    /// MOVCA waits as a store does.
    pub(crate) fn allocate(&self, wait: &mut Wait<'_>) {
        wait.until(self.filling.end, Cause::WriteDuringFill);
    }

    /// MOVCA evicts a dirty line.
    pub(crate) fn make_room(&mut self, eviction: &Burst, wait: &mut Wait<'_>) {
        wait.until(self.write_back, Cause::WriteBuffer);
        self.send_back(wait.at, eviction);
    }

    /// The instruction occupies the memory stage for `cycles`, which delays the next access.
    pub(crate) fn keep_memory_stage(&mut self, wait: &Wait<'_>, cycles: u32) {
        self.memory_stage = wait.at + Ticks::cycles(cycles.into());
    }

    /// A read past the cache: the CPU waits for all of it.
    pub(crate) fn read_out(&mut self, burst: &Burst, cause: Cause, wait: &mut Wait<'_>) {
        let transfer = self.bus.transfer(wait.at, Direction::Read, burst, cause);
        wait.until_end(&transfer, transfer.end, cause);
    }

    /// A store past the cache: through the write-through buffer, which holds one.
    pub(crate) fn write_out(&mut self, burst: &Burst, wait: &mut Wait<'_>) {
        wait.until(self.write_through, Cause::WriteBuffer);
        let transfer = self
            .bus
            .transfer(wait.at, Direction::Write, burst, Cause::WriteBuffer);
        self.write_through = transfer.end;
    }

    /// A store into a store queue.
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
