//! The memory model behind a hit filter and a table of stalls.

use super::edges::TimedAccess;
use super::layout::{AccessRun, RecordsAccess};
use super::lookup::Lookup;
use super::stall::{ClassifiedRun, MemoizedStall};
use super::stalls::StallTable;
use crate::memory::stall::FreezeTotals;
use crate::memory::{CacheSettings, DataAccess, LINE, MemoryModel, MemoryStats, NO_LINE, Stall, Traffic};
use crate::parameters::Parameters;
use sh4::table::Id;
use sh4::timing::{FilterIndex, FilterLine, OPERAND_LINES};

/// A [`MemoryModel`], its recurring stalls worked out once.
///
/// Runs of plain accesses go through `MemoizedMemory::follow`, everything else through
/// [`MemoizedMemory::access`]. Both freeze the CPU for as long as [`MemoryModel::access`] does, called for
/// each access.
#[derive(Clone, Debug)]
pub struct MemoizedMemory {
    plain: MemoryModel,
    lookup: Lookup,
    /// The cycles from which on hits of loads, and of stores, cost nothing.
    free_from: [u64; 2],
    /// While the table holds the state of the transfers, `plain` does not.
    stalls: StallTable,
    /// The sum of stalls that the table has dropped.
    dropped: FreezeTotals,
}

/// Statistics that are not counted into at the moment.
#[derive(Clone, Debug, Default)]
pub struct InactiveStats(MemoryStats, Traffic);

impl MemoizedMemory {
    /// Empty caches, an idle bus.
    #[must_use]
    pub fn new(settings: CacheSettings, parameters: &Parameters) -> MemoizedMemory {
        let plain = MemoryModel::new(settings, parameters);
        MemoizedMemory {
            lookup: Lookup::new(plain.lines.index),
            free_from: [0; 2],
            stalls: StallTable::new(&plain.transfers),
            dropped: FreezeTotals::default(),
            plain,
        }
    }

    /// Sets QACR0 and QACR1.
    pub fn set_qacr(&mut self, qacr: [u32; 2]) {
        self.plain.set_qacr(qacr);
    }

    /// Empties the operand cache without writing anything back, as between two measurements.
    pub fn drop_operand_cache(&mut self) {
        self.materialize();
        self.plain.drop_operand_cache();
        self.free_from = self.plain.transfers.free_from();
        self.rebuild_filter();
    }

    /// Empties the instruction cache.
    pub fn drop_instruction_cache(&mut self) {
        self.plain.drop_instruction_cache();
    }

    /// Takes `bytes` from `address` on out of the operand cache without writing anything back.
    pub fn drop_lines(&mut self, address: u32, bytes: u32) {
        self.plain.drop_lines(address, bytes);
        self.rebuild_filter();
    }

    fn rebuild_filter(&mut self) {
        self.lookup.filter.close_all(&mut self.plain.lines.stats);
        self.lookup = Lookup::new(self.plain.lines.index);
    }

    /// Gives the state of the transfers back to the plain model.
    #[inline(always)]
    fn materialize(&mut self) {
        self.stalls.materialize(&mut self.plain.transfers);
    }

    /// Drops everything that is keyed by edges, which have other numbers from now on.
    pub(crate) fn forget_edges(&mut self) {
        self.materialize();
        self.settle();
        self.stalls.forget(&self.plain.transfers);
    }

    /// An access of the instruction `id` in cycle `now`; see [`MemoryModel::access`].
    pub fn access(&mut self, now: u64, id: Id, access: &DataAccess, value: u32) -> Stall {
        self.materialize();
        let entry = self.lookup.filter.entry(access.address);
        let (before, version) = (self.plain.lines.operand[entry], self.plain.settings_version());
        let stall = self.plain.access(now, id, access, value);
        self.free_from = self.plain.transfers.free_from();
        if self.plain.settings_version() != version {
            self.rebuild_filter();
            return stall;
        }
        let after = self.plain.lines.operand[entry];
        let filter = &mut self.lookup.filter;
        if after.address() != before.address() {
            filter.close(entry);
        } else if before.is_dirty() && !after.is_dirty() {
            filter.close_writes(entry);
        }
        if self.plain.hits_from_now_on(id, access) {
            let stores = access.direction == sh4::Direction::Write;
            filter.open(entry, access.address, stores, &mut self.plain.lines.stats);
        }
        stall
    }

    /// Fetches the aligned pair of instructions around `pc` in cycle `now`; see [`MemoryModel::fetch`].
    pub(crate) fn fetch(&mut self, now: u64, pc: u32) -> Stall {
        self.materialize();
        self.plain.fetch(now, pc)
    }

    /// The plain model. The transfers in flight are undefined.
    #[inline(always)]
    pub(crate) fn plain(&self) -> &MemoryModel {
        &self.plain
    }

    /// Counts a plain load or store in cycle `now` whose line the filter passes, and returns how long it
    /// waits for the line filled last. Otherwise nothing has happened.
    #[inline]
    pub(crate) fn hit(&mut self, now: u64, address: u32, stores: bool) -> Option<u64> {
        if self.free_from[usize::from(stores)] > now {
            return None;
        }
        let waits = if address & LINE == self.plain.lines.last_line {
            self.materialize();
            let beat = self.plain.lines.beat(address);
            self.plain.transfers.arrival(beat, now)
        } else {
            0
        };
        self.lookup
            .filter
            .count_after(address, stores, waits, &mut self.plain.lines.stats)
            .then_some(waits)
    }

    /// Follows the first of `these`, whose moments are counted from `cycle` on. Returns how many, and their
    /// stall if they wait. After 0, [`MemoizedMemory::access`] has to follow the next one. `shape` is the
    /// cached shape of the first.
    #[inline(always)]
    pub(crate) fn follow<A: RecordsAccess>(
        &mut self,
        cycle: u64,
        these: AccessRun<'_, A>,
        shape: &mut u32,
    ) -> (usize, Option<&MemoizedStall>) {
        let Some(first) = these.moments.first() else {
            return (0, None);
        };
        let now = cycle + u64::from(first.offset);
        if self.free_from[1] <= now {
            let hits = if A::FILTERED {
                0
            } else {
                self.count_hits(these.moments, these.accesses)
            };
            if hits > 0 {
                return (hits, None);
            }
            // No access waits for the line any more.
            self.plain.lines.last_line = NO_LINE;
        }
        if !self.stalls.is_ready() && !self.make_room() {
            return (0, None);
        }
        let number = self.stalls.layouts.find(AccessRun { ..these }, shape);
        let layout = self.stalls.layouts.get(number);
        let lines = &mut self.plain.lines;
        let (groups, classes) = self
            .lookup
            .classify(lines, layout, |group| these.address(group.anchor));
        let (count, stores) = (layout.accesses(groups), layout.stores);
        if classes == 0 && (count == 0 || self.free_from[usize::from(stores)] <= now) {
            self.lookup.count_first_uses(lines, 0);
            return (count, None);
        }
        let run = ClassifiedRun {
            layout: number,
            groups: groups as u32,
            classes,
        };
        let MemoryModel { transfers, lines, .. } = &mut self.plain;
        let stall = self
            .stalls
            .pass(cycle, &run, these.moments, transfers, &lines.targets);
        self.free_from = stall.free_from(cycle);
        for charge in &stall.charged {
            self.lookup.charge(lines, charge, || these.address(charge.first));
        }
        self.lookup.count_first_uses(lines, stall.late);
        (count, Some(stall))
    }

    /// Makes room for stalls that have to be worked out; false if recent runs did not pay for that.
    #[cold]
    fn make_room(&mut self) -> bool {
        if self.stalls.is_full() {
            self.forget_edges();
        }
        self.stalls.affordable()
    }

    /// Counts the first of `accesses` as far as the filter passes them, while no transfer is in flight.
    /// Returns how many.
    #[inline(always)]
    fn count_hits<A: RecordsAccess>(&mut self, moments: &[TimedAccess], accesses: &[A]) -> usize {
        let mut hits = 0;
        while let (Some(moment), Some(access)) = (moments.get(hits), accesses.get(hits))
            && moment.size <= 8
            && self.lookup.filter.count(access.address(), moment.stores)
        {
            hits += 1;
        }
        hits
    }

    /// The cycle from which on the hits of compiled code are free.
    pub(crate) fn idle_from(&self) -> u64 {
        self.free_from[1]
    }

    /// The filter's index for compiled code.
    pub(crate) fn filter_index(&self) -> FilterIndex {
        self.lookup.filter.index()
    }

    /// The filter's lines for compiled code.
    pub(crate) fn filter_lines(&mut self) -> &mut [[FilterLine; 2]; OPERAND_LINES] {
        self.lookup.filter.lines()
    }

    /// The statistics since the last reset.
    #[must_use]
    pub fn stats(&self) -> MemoryStats {
        let mut stats = self.plain.lines.stats.clone();
        self.lookup.filter.add_to(&mut stats);
        let mut traffic = self.plain.traffic();
        traffic.add_times(&self.stalls.sum().traffic, 1);
        stats.sum_up(traffic.filled);
        stats.set_traffic(&traffic);
        stats
    }

    /// Cycles for which runs of accesses froze the CPU, since the last reset.
    pub(crate) fn frozen_in_runs(&self) -> FreezeTotals {
        let mut frozen = self.dropped;
        frozen.add(&self.stalls.sum().frozen);
        frozen
    }

    /// The cycle in which the bus becomes free; see [`MemoryModel::bus_free`].
    pub fn bus_free(&mut self) -> u64 {
        self.materialize();
        self.plain.bus_free()
    }

    /// Moves the counts of the stall table into the plain model's.
    fn settle(&mut self) {
        let sum = self.stalls.settle();
        let lines = &mut self.plain.lines;
        lines.targets.counts.add_times(&sum.traffic.rows, 1);
        lines.stats.add_hits(sum.traffic.filled);
        let transfers = &mut self.plain.transfers;
        transfers.bus.counts.add_times(&sum.traffic.bus, 1);
        transfers.fills.add_times(&sum.traffic.fills, 1);
        self.dropped.add(&sum.frozen);
    }

    /// Starts counting anew; the caches keep their contents.
    pub fn reset_stats(&mut self) {
        self.exchange_stats(&mut InactiveStats::default());
    }

    /// Counts in `inactive` from now on, which receives the statistics so far.
    pub fn exchange_stats(&mut self, inactive: &mut InactiveStats) {
        self.lookup.filter.close_all(&mut self.plain.lines.stats);
        self.settle();
        self.dropped = FreezeTotals::default();
        let (lines, transfers) = (&mut self.plain.lines, &mut self.plain.transfers);
        std::mem::swap(&mut lines.stats, &mut inactive.0);
        std::mem::swap(&mut lines.targets.counts, &mut inactive.1.rows);
        std::mem::swap(&mut transfers.bus.counts, &mut inactive.1.bus);
        std::mem::swap(&mut transfers.fills, &mut inactive.1.fills);
    }
}
