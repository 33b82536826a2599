//! Caches, buffers, store queues and the bus. This module defines the time that memory accesses take.
//!
//! Each method receives the cycle of an access and returns the number of cycles in which the CPU is frozen.
//! One line fill can be in flight. Other lines may be read during a fill; cache writes wait for its end (both
//! measured on hardware).

pub(crate) mod bus;
pub(crate) mod cache;
mod conflicts;
mod fetch;
pub(crate) mod lines;
mod operand;
mod queue;
mod region;
pub(crate) mod stall;
pub(crate) mod stats;
pub(crate) mod ticks;
pub(crate) mod transfers;
mod uncached;

pub use cache::CacheSettings;
pub use conflicts::Conflict;
pub use region::Region;
pub use stall::Stall;
pub use stats::{MemoryStats, Misses, Prefetches, RANGE};

use crate::cause::Cause;
use crate::parameters::Parameters;
use bus::{BusCounts, RowCounts};
use cache::{INSTRUCTION_LINES, Line};
use lines::Lines;
use queue::StoreQueues;
use sh4::Direction;
use sh4::table::Id;
use stall::Wait;
use ticks::Ticks;
use transfers::{Fills, Transfers};

/// Bits of a line's physical address.
pub(crate) const LINE: u32 = 0x1FFF_FFE0;
/// Marks a missing line.
pub(crate) const NO_LINE: u32 = 1;
/// Maximum entries in each table of ranges, conflicts and prefetches, to limit memory use.
const LIMIT: usize = 4096;

/// A line fill of the instruction cache.
#[derive(Clone, Copy, Debug)]
struct Fill {
    line: u32,
    /// Index (0 to 3) of the eight bytes that arrive first.
    critical: u32,
    first: Ticks,
    end: Ticks,
}

/// One data access of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct DataAccess {
    /// Effective address.
    pub address: u32,
    /// Bytes; 32 for PREF and the cache instructions.
    pub size: u8,
    /// Read or write.
    pub direction: Direction,
    /// Address of the instruction.
    pub pc: u32,
}

/// Memory model: caches, buffers, store queues and bus.
#[derive(Clone, Debug)]
pub struct MemoryModel {
    settings: CacheSettings,
    pub(crate) lines: Lines,
    instruction: Vec<u32>,
    /// Version number that changes with the contents of the instruction cache.
    code_version: u64,
    instruction_fill: Option<Fill>,
    queues: StoreQueues,
    pub(crate) transfers: Transfers,
    busy: [u32; 4],
    /// Time of an access to a peripheral's register.
    register_access: Ticks,
}

/// Returns the beat in which `address` arrives if the fill begins with eight-byte group `critical`.
#[inline(always)]
pub(crate) fn beat(address: u32, critical: u32) -> u32 {
    (address >> 3).wrapping_sub(critical) & 3
}

impl MemoryModel {
    /// Creates empty caches and an idle bus.
    #[must_use]
    pub fn new(settings: CacheSettings, parameters: &Parameters) -> MemoryModel {
        MemoryModel {
            settings,
            lines: Lines::new(&settings, parameters),
            instruction: vec![0; INSTRUCTION_LINES],
            code_version: 1,
            instruction_fill: None,
            queues: StoreQueues::default(),
            transfers: Transfers::new(parameters),
            busy: [
                parameters.ocbi_busy_hit,
                parameters.ocbp_busy_dirty,
                parameters.movca_busy_clean,
                parameters.movca_busy_dirty,
            ],
            register_access: Ticks::cycles(parameters.register_access.into()),
        }
    }

    /// Sets QACR0 and QACR1.
    pub fn set_qacr(&mut self, qacr: [u32; 2]) {
        self.queues.qacr = qacr;
    }

    /// Empties the operand cache without write-backs, as between two measurements.
    pub fn drop_operand_cache(&mut self) {
        self.lines.operand.fill(Line::default());
        self.transfers.drop_filling();
        self.lines.last_line = NO_LINE;
    }

    /// Empties the instruction cache.
    pub fn drop_instruction_cache(&mut self) {
        self.instruction.fill(0);
        self.instruction_fill = None;
        self.code_version += 1;
    }

    /// Invalidates the lines of `bytes` from `address` on without write-backs.
    pub fn drop_lines(&mut self, address: u32, bytes: u32) {
        for line in self.lines.operand.iter_mut() {
            let inside = |at: u32| at.wrapping_sub(address & LINE) < bytes;
            if line.address().is_some_and(inside) {
                *line = Line::default();
            }
        }
    }

    /// Numbers of operand and instruction misses up to now.
    #[inline]
    pub(crate) fn misses(&self) -> (u64, u64) {
        self.lines.stats.misses()
    }

    /// Performs a data access of the instruction `id` in cycle `now`. `value` is the value stored to a
    /// register of the chip.
    pub fn access(&mut self, now: u64, id: Id, access: &DataAccess, value: u32) -> Stall {
        let mut stall = Stall::NONE;
        let mut wait = Wait::new(now, &mut stall);
        let area = self.lines.areas.of(access.address);
        // PREF and the cache instructions have a size of 32 bytes.
        if area.cached && access.size <= 8 && id != Id::movca_l_r0_at_rn {
            self.plain(area, access, &mut wait);
        } else {
            self.transfers.begin(&mut wait);
            self.special(id, access, value, &mut wait);
            self.lines.stats.accesses += 1;
            if stall.cycles > 0 {
                self.lines.stats.region(access.address).stalled += stall.cycles;
            }
        }
        stall
    }

    /// Performs every access other than a plain load or store through the cache.
    #[inline(never)]
    fn special(&mut self, id: Id, access: &DataAccess, value: u32, wait: &mut Wait<'_>) {
        match (Region::of(access.address), id) {
            (Region::StoreQueue, Id::pref_at_rn) => self.send_queue(access.address, wait),
            (Region::StoreQueue, _) => self.write_queue(access.address, wait),
            (Region::CacheRam, _) => self.lines.stats.cache_ram += 1,
            (Region::OnChip, _) => self.register(access, value, wait),
            _ if self.settings.operand && CacheSettings::cached(access.address) => {
                self.cached(id, access, wait);
            }
            (_, Id::pref_at_rn | Id::ocbi_at_rn | Id::ocbp_at_rn | Id::ocbwb_at_rn) => {}
            _ if access.direction == Direction::Read => {
                self.lines.stats.region(access.address).reads += 1;
                self.read_uncached(access.address, access.size, Cause::Uncached, wait);
            }
            _ => {
                self.lines.stats.region(access.address).writes += 1;
                self.write_uncached(access, wait);
            }
        }
    }

    /// Returns the cycle in which the bus becomes free.
    #[must_use]
    pub fn bus_free(&self) -> u64 {
        self.transfers.bus.free.ceil()
    }

    /// Returns the statistics since the last reset.
    #[must_use]
    pub fn stats(&self) -> MemoryStats {
        let (rows, bus) = (&self.lines.targets.counts, &self.transfers.bus.counts);
        let fills = &self.transfers.fills;
        let mut stats = self.lines.stats.clone();
        (stats.row_hits, stats.row_misses) = (rows.hit, rows.missed);
        (stats.bus_busy, stats.turns) = (bus.busy.floor(), bus.turns);
        (stats.operand_fills, stats.operand_fill_ticks) = (fills.fills, fills.ticks.0);
        stats.write_backs = fills.write_backs;
        stats
    }

    /// Resets the statistics; the caches keep their contents.
    pub fn reset_stats(&mut self) {
        self.exchange_stats(&mut InactiveStats::default());
    }

    /// Exchanges the statistics with `inactive`, which receives those up to now.
    pub fn exchange_stats(&mut self, inactive: &mut InactiveStats) {
        let (lines, transfers) = (&mut self.lines, &mut self.transfers);
        std::mem::swap(&mut lines.stats, &mut inactive.stats);
        std::mem::swap(&mut lines.targets.counts, &mut inactive.rows);
        std::mem::swap(&mut transfers.bus.counts, &mut inactive.bus);
        std::mem::swap(&mut transfers.fills, &mut inactive.fills);
    }
}

/// Statistics that are currently not counted.
#[derive(Clone, Debug, Default)]
pub struct InactiveStats {
    stats: MemoryStats,
    rows: RowCounts,
    bus: BusCounts,
    fills: Fills,
}
