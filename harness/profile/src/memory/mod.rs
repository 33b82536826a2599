//! Caches, buffers, store queues and the bus, as far as they cost time.
//!
//! Every method takes the moment of an access and answers how long the CPU stands still. One line fill can be in
//! flight; while it is, other lines may be read, cache writes wait (both measured on hardware).

mod bus;
mod cache;
mod conflicts;
mod counting;
mod episode;
mod episodes;
mod fetch;
mod found;
mod lines;
mod operand;
mod outside;
mod passing;
mod queue;
mod region;
mod run;
mod shape;
mod stall;
mod stats;
mod ticks;
mod timing;

pub use cache::CacheSettings;
pub use conflicts::Conflict;
pub(crate) use counting::Aside;
pub(crate) use episode::Episode;
pub use region::Region;
pub(crate) use run::{Accesses, Told};
pub use stall::Stall;
pub use stats::{MemoryStats, Misses, Prefetches, RANGE};

use crate::cause::Cause;
use crate::parameters::Parameters;
use cache::{INSTRUCTION_LINES, Line, OPERAND_LINES};
use episodes::Episodes;
use lines::Lines;
use passing::Passing;
use queue::StoreQueues;
use sh4::Direction;
use sh4::meter::{self, Index};
use sh4::table::Id;
use stall::{Frozen, Wait};
use ticks::Ticks;
use timing::Timing;

/// Bits of the physical address of a line.
const LINE: u32 = 0x1FFF_FFE0;
/// No line.
const NO_LINE: u32 = 1;

/// A line on its way into the instruction cache.
#[derive(Clone, Copy, Debug)]
struct Fill {
    line: u32,
    /// The eight bytes that come first, 0 to 3.
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

/// See the module's head.
#[derive(Clone, Debug)]
pub struct MemoryModel {
    settings: CacheSettings,
    lines: Lines,
    /// See [`Timing::free_from`].
    free_from: [u64; 2],
    instruction: Vec<u32>,
    /// Changes whenever what the instruction cache holds does.
    code_version: u64,
    instruction_fill: Option<Fill>,
    queues: StoreQueues,
    timing: Timing,
    /// Runs that were worked out. While they say what is under way, `timing` does not.
    episodes: Episodes,
    /// What runs waited for whose episodes are gone.
    frozen: Frozen,
    busy: [u32; 4],
}

/// Which beat of its line has `address`, if the eight bytes number `critical` come first.
#[inline(always)]
fn beat(address: u32, critical: u32) -> u32 {
    (address >> 3).wrapping_sub(critical) & 3
}

impl MemoryModel {
    /// Empty caches, an idle bus.
    #[must_use]
    pub fn new(settings: CacheSettings, parameters: &Parameters) -> MemoryModel {
        let timing = Timing::new(parameters);
        MemoryModel {
            settings,
            lines: Lines::new(&settings, parameters),
            free_from: [0; 2],
            instruction: vec![0; INSTRUCTION_LINES],
            code_version: 1,
            instruction_fill: None,
            queues: StoreQueues::default(),
            episodes: Episodes::new(&timing),
            timing,
            frozen: Frozen::default(),
            busy: [
                parameters.ocbi_busy_hit,
                parameters.ocbp_busy_dirty,
                parameters.movca_busy_clean,
                parameters.movca_busy_dirty,
            ],
        }
    }

    /// Sets QACR0 and QACR1.
    pub fn set_qacr(&mut self, qacr: [u32; 2]) {
        self.queues.qacr = qacr;
    }

    /// Empties the operand cache without writing anything back, as between two measurements.
    pub fn drop_operand_cache(&mut self) {
        self.lines.operand.fill(Line::default());
        self.unfold();
        self.timing.drop_filling();
        self.lines.last_line = NO_LINE;
        self.free_from = self.timing.free_from();
        self.lines.passing.bar_all(&mut self.lines.stats);
        self.lines.passing = Passing::new(&self.settings);
    }

    /// Empties the instruction cache.
    pub fn drop_instruction_cache(&mut self) {
        self.instruction.fill(0);
        self.instruction_fill = None;
        self.code_version += 1;
    }

    /// Takes `bytes` from `address` on out of the operand cache without writing anything back: for a chosen state of
    /// the cache.
    pub fn drop_lines(&mut self, address: u32, bytes: u32) {
        for (entry, line) in self.lines.operand.iter_mut().enumerate() {
            let inside = |at: u32| at.wrapping_sub(address & LINE) < bytes;
            if line.address().is_some_and(inside) {
                *line = Line::default();
                self.lines.passing.bar(entry);
            }
        }
    }

    /// Operand and instruction misses so far.
    #[inline]
    pub(crate) fn misses(&self) -> (u64, u64) {
        self.lines.stats.misses()
    }

    /// Counts a plain load or store in cycle `now` if its line was accessed likewise before and is still there or on its
    /// way; answers how long it waits for that. Otherwise nothing has happened, and [`MemoryModel::access`] is to be
    /// told.
    #[inline]
    pub(crate) fn known(&mut self, now: u64, address: u32, stores: bool) -> Option<u64> {
        if self.free_from[usize::from(stores)] > now {
            return None;
        }
        let waits = if address & LINE == self.lines.last_line {
            self.unfold();
            self.timing.arrival(self.lines.beat(address), now)
        } else {
            0
        };
        self.lines
            .passing
            .passes_after(address, stores, waits, &mut self.lines.stats)
            .then_some(waits)
    }

    /// Lets `timing` say what is under way.
    #[inline(always)]
    fn unfold(&mut self) {
        self.episodes.unfold(&mut self.timing);
    }

    /// The numbers of ways through code mean something else from now on.
    pub(crate) fn forget_ways(&mut self) {
        self.unfold();
        self.settle_runs();
        self.episodes.forget(&self.timing);
    }

    /// Carries out a data access of the instruction `id` in cycle `now`. `value` is what a store to a register of the
    /// chip writes there.
    pub fn access(&mut self, now: u64, id: Id, access: &DataAccess, value: u32) -> Stall {
        self.unfold();
        let mut stall = Stall::NONE;
        let mut wait = Wait::new(now, &mut stall);
        let area = self.lines.areas.of(access.address);
        // PREF and the cache instructions have 32 bytes.
        if area.cached && access.size <= 8 && id != Id::movca_l_r0_at_rn {
            self.plain(area, access, &mut wait);
        } else {
            self.timing.begin(&mut wait);
            self.special(id, access, value, &mut wait);
            self.lines.stats.accesses += 1;
            if stall.cycles > 0 {
                self.lines.stats.region(access.address).stalled += stall.cycles;
            }
        }
        self.free_from = self.timing.free_from();
        stall
    }

    /// Every access that is no plain load or store through the cache.
    #[inline(never)]
    fn special(&mut self, id: Id, access: &DataAccess, value: u32, wait: &mut Wait<'_>) {
        match (Region::of(access.address), id) {
            (Region::StoreQueue, Id::pref_at_rn) => self.send_queue(access.address, wait),
            (Region::StoreQueue, _) => self.write_queue(access.address, wait),
            (Region::CacheRam, _) => self.lines.stats.cache_ram += 1,
            (Region::OnChip, _) => self.register(access, value),
            _ if self.settings.operand && CacheSettings::cached(access.address) => {
                self.cached(id, access, wait);
            }
            (_, Id::pref_at_rn | Id::ocbi_at_rn | Id::ocbp_at_rn | Id::ocbwb_at_rn) => {}
            _ if access.direction == Direction::Read => {
                self.lines.stats.region(access.address).accesses[0] += 1;
                self.read_past_cache(access.address, access.size, Cause::Uncached, wait);
            }
            _ => {
                self.lines.stats.region(access.address).accesses[1] += 1;
                self.write_past_cache(access, wait);
            }
        }
    }

    /// From which cycle on plain accesses may pass, as [`MemoryModel::follow`] sees it.
    pub(crate) fn quiet_from(&self) -> u64 {
        self.free_from[1]
    }

    /// How entries of the operand cache are found.
    pub(crate) fn index(&self) -> Index {
        self.lines.passing.index()
    }

    /// The lines that plain accesses pass through, and [`MemoryModel::code_version`].
    pub(crate) fn lines(&mut self) -> (&mut [[meter::Line; 2]; OPERAND_LINES], u64) {
        let version = self.code_version();
        (&mut self.lines.passing.lines, version)
    }

    /// At which version code is known to be in its cache: at none while some is on its way.
    #[inline]
    pub(crate) fn code_version(&self) -> u64 {
        match self.instruction_fill {
            Some(_) => u64::MAX,
            None => self.code_version,
        }
    }

    /// When the bus is done with everything it was given, in cycles.
    #[must_use]
    pub fn bus_free(&self) -> u64 {
        self.episodes.bus_free(&self.timing).ceil()
    }
}
