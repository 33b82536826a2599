//! What has been counted, and where.

use super::MemoryModel;
use super::bus::{BusCounts, RowCounts};
use super::stall::Frozen;
use super::stats::MemoryStats;
use super::timing::Fills;

/// Statistics that are not counted into at the moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aside(MemoryStats, Traffic);

/// What goes over the bus. Its parts are counted where they come about.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traffic {
    pub(super) rows: RowCounts,
    pub(super) bus: BusCounts,
    pub(super) fills: Fills,
    /// Loads and stores of lines that runs have brought.
    pub(super) brought: [u64; 2],
}

impl Traffic {
    pub(super) fn add_times(&mut self, other: &Traffic, times: u64) {
        self.rows.add_times(&other.rows, times);
        self.bus.add_times(&other.bus, times);
        self.fills.add_times(&other.fills, times);
        for (sum, more) in self.brought.iter_mut().zip(other.brought) {
            *sum += times * more;
        }
    }
}

impl MemoryModel {
    /// What it did since the last reset.
    #[must_use]
    pub fn stats(&self) -> MemoryStats {
        let mut stats = self.lines.stats.clone();
        self.lines.passing.add_to(&mut stats);
        let mut traffic = Traffic {
            rows: self.lines.slaves.counts,
            bus: self.timing.bus.counts,
            fills: self.timing.fills,
            brought: [0; 2],
        };
        traffic.add_times(&self.episodes.sum().traffic, 1);
        stats.sum_up(traffic.brought);
        stats.row_hits = traffic.rows.hit;
        stats.row_misses = traffic.rows.missed;
        stats.bus_busy = traffic.bus.busy.floor();
        stats.turns = traffic.bus.turns;
        stats.operand_fills = traffic.fills.fills;
        stats.operand_fill_ticks = traffic.fills.ticks.0;
        stats.write_backs = traffic.fills.write_backs;
        stats
    }

    /// Cycles for which runs of accesses froze the CPU, since counting began.
    pub(crate) fn frozen_in_runs(&self) -> Frozen {
        let mut frozen = self.frozen;
        frozen.add(&self.episodes.sum().frozen);
        frozen
    }

    /// Counts what runs came to where everything else is counted.
    pub(super) fn settle_runs(&mut self) {
        let sum = self.episodes.settle();
        self.lines.slaves.counts.add_times(&sum.traffic.rows, 1);
        self.timing.bus.counts.add_times(&sum.traffic.bus, 1);
        self.timing.fills.add_times(&sum.traffic.fills, 1);
        self.lines.stats.pass(sum.traffic.brought);
        self.frozen.add(&sum.frozen);
    }

    /// Starts counting anew; the caches keep their contents.
    pub fn reset_stats(&mut self) {
        self.exchange_stats(&mut Aside::default());
    }

    /// Counts somewhere else from now on: `aside` takes what was counted, and gives what it had.
    pub(crate) fn exchange_stats(&mut self, aside: &mut Aside) {
        self.lines.passing.bar_all(&mut self.lines.stats);
        self.settle_runs();
        self.frozen = Frozen::default();
        std::mem::swap(&mut self.lines.stats, &mut aside.0);
        std::mem::swap(&mut self.lines.slaves.counts, &mut aside.1.rows);
        std::mem::swap(&mut self.timing.bus.counts, &mut aside.1.bus);
        std::mem::swap(&mut self.timing.fills, &mut aside.1.fills);
    }
}
