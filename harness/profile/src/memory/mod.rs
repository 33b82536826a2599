//! Caches, buffers, store queues and the bus, as far as they cost time.
//!
//! Every method takes the moment of an access and answers how long the CPU stands still. One line fill can be in
//! flight; while it is, other lines may be read, cache writes wait (both measured on hardware).

mod bus;
mod cache;
mod queue;
mod region;
mod stall;
mod stats;
mod ticks;

pub use cache::CacheSettings;
pub use region::Region;
pub use stall::Stall;
pub use stats::{Conflict, MemoryStats, Misses, Prefetches, RANGE};

use crate::cause::Cause;
use crate::parameters::Parameters;
use bus::{Bus, BusCounts, Request, Transfer};
use cache::{INSTRUCTION_LINES, Line, OPERAND_LINES};
use queue::StoreQueues;
use sh4::Direction;
use sh4::table::Id;
use ticks::Ticks;

/// A line on its way into a cache.
#[derive(Clone, Copy, Debug)]
struct Fill {
    /// Physical address of the line.
    line: u32,
    /// The eight bytes that come first, 0 to 3.
    critical: u32,
    first: Ticks,
    end: Ticks,
    cause: Cause,
}

/// Statistics that are not counted into at the moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aside(MemoryStats, BusCounts);

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
    bus: Bus,
    operand: Vec<Line>,
    instruction: Vec<u32>,
    fill: Option<Fill>,
    instruction_fill: Option<Fill>,
    /// Until when the buffers and the memory stage are taken.
    write_back: Ticks,
    write_through: Ticks,
    flush: Ticks,
    memory_stage: Ticks,
    queues: StoreQueues,
    demand_overhead: Ticks,
    flush_blocks_reads: bool,
    busy: [u32; 4],
    stats: MemoryStats,
}

impl MemoryModel {
    /// Empty caches, an idle bus.
    #[must_use]
    pub fn new(settings: CacheSettings, parameters: &Parameters) -> MemoryModel {
        MemoryModel {
            settings,
            bus: Bus::new(parameters),
            operand: vec![Line::default(); OPERAND_LINES],
            instruction: vec![0; INSTRUCTION_LINES],
            fill: None,
            instruction_fill: None,
            write_back: Ticks::default(),
            write_through: Ticks::default(),
            flush: Ticks::default(),
            memory_stage: Ticks::default(),
            queues: StoreQueues::default(),
            demand_overhead: Ticks::hundredths(parameters.demand_miss_overhead),
            flush_blocks_reads: parameters.ocbwb_blocks_reads != 0,
            busy: [
                parameters.ocbi_busy_hit,
                parameters.ocbp_busy_dirty,
                parameters.movca_busy_clean,
                parameters.movca_busy_dirty,
            ],
            stats: MemoryStats::default(),
        }
    }

    /// Sets QACR0 and QACR1.
    pub fn set_qacr(&mut self, qacr: [u32; 2]) {
        self.queues.qacr = qacr;
    }

    /// Empties the operand cache without writing anything back, as between two measurements.
    pub fn drop_operand_cache(&mut self) {
        self.operand.fill(Line::default());
        self.fill = None;
    }

    /// Empties the instruction cache.
    pub fn drop_instruction_cache(&mut self) {
        self.instruction.fill(0);
        self.instruction_fill = None;
    }

    /// Takes `bytes` from `address` on out of the operand cache without writing anything back: for a chosen state of
    /// the cache.
    pub fn drop_lines(&mut self, address: u32, bytes: u32) {
        for line in self.operand.iter_mut() {
            let inside = |at: u32| at.wrapping_sub(address & 0x1FFF_FFE0) < bytes;
            if line.address().is_some_and(inside) {
                *line = Line::default();
            }
        }
    }

    /// What it did since the last reset.
    #[must_use]
    pub fn stats(&self) -> MemoryStats {
        let mut stats = self.stats.clone();
        stats.bus_busy = self.bus.counts.busy.0 / 100;
        stats.row_hits = self.bus.counts.rows_hit;
        stats.row_misses = self.bus.counts.rows_missed;
        stats.turns = self.bus.counts.turns;
        stats
    }

    /// Starts counting anew; the caches keep their contents.
    pub fn reset_stats(&mut self) {
        self.stats = MemoryStats::default();
        self.bus.counts = BusCounts::default();
    }

    /// Counts somewhere else from now on: `aside` takes what was counted, and gives what it had.
    pub(crate) fn exchange_stats(&mut self, aside: &mut Aside) {
        std::mem::swap(&mut self.stats, &mut aside.0);
        std::mem::swap(&mut self.bus.counts, &mut aside.1);
    }

    /// Operand and instruction misses so far.
    #[inline]
    pub(crate) fn misses(&self) -> (u64, u64) {
        (
            self.stats.read_misses + self.stats.write_misses,
            self.stats.instruction_misses,
        )
    }

    /// Whether a fetch in the line of the one before can be skipped: nothing is on its way.
    #[inline]
    #[must_use]
    pub fn fetches_are_quiet(&self) -> bool {
        self.instruction_fill.is_none()
    }

    /// Fetches the instruction at `pc` in cycle `now`.
    pub fn fetch(&mut self, now: u64, pc: u32) -> Stall {
        let mut stall = Stall::NONE;
        if !self.settings.instruction || !CacheSettings::cached(pc) {
            if pc & 3 == 0 {
                self.read_past_cache(now, pc, 4, Cause::InstructionMiss, &mut stall);
            }
            return stall;
        }
        let entry = &mut self.instruction[self.settings.instruction_entry(pc)];
        let line = pc & 0x1FFF_FFE0 | 1;
        if *entry == line {
            self.wait_for_instruction(now, pc, &mut stall);
            return stall;
        }
        *entry = line;
        let transfer = self.bus.transfer(&Request {
            at: Ticks::cycles(now),
            direction: Direction::Read,
            address: pc,
            bytes: 32,
            cause: Cause::InstructionMiss,
        });
        charge(&mut stall, now, &transfer, transfer.first, Cause::InstructionMiss);
        self.stats.instruction_misses += 1;
        self.stats.instruction_fill_ticks += transfer.end.since(transfer.start).0;
        self.instruction_fill = Some(Fill {
            line: line & !1,
            critical: pc >> 3 & 3,
            first: transfer.first,
            end: transfer.end,
            cause: Cause::InstructionMiss,
        });
        stall
    }

    fn wait_for_instruction(&mut self, now: u64, pc: u32, stall: &mut Stall) {
        if let Some(fill) = self.instruction_fill {
            if fill.line == pc & 0x1FFF_FFE0 {
                stall.until(now, arrival(&fill, pc), &[], Cause::InstructionMiss);
            }
            if fill.end <= Ticks::cycles(now + stall.cycles) {
                self.instruction_fill = None;
            }
        }
    }

    /// Carries out a data access of the instruction `id` in cycle `now`. `value` is what a store to a register of the
    /// chip writes there.
    pub fn access(&mut self, now: u64, id: Id, access: &DataAccess, value: u32) -> Stall {
        let mut stall = Stall::NONE;
        stall.until(now, self.memory_stage, &[], Cause::CacheOperation);
        if self
            .fill
            .is_some_and(|fill| fill.end <= Ticks::cycles(now + stall.cycles))
        {
            self.fill = None;
        }
        self.stats.accesses += 1;
        match (Region::of(access.address), id) {
            (Region::StoreQueue, Id::pref_at_rn) => self.send_queue(now, access.address, &mut stall),
            (Region::StoreQueue, _) => self.write_queue(now, access.address, &mut stall),
            (Region::CacheRam, _) => self.stats.cache_ram += 1,
            (Region::OnChip, _) => self.register(access, value),
            _ if self.settings.operand && CacheSettings::cached(access.address) => {
                self.cached(now, id, access, &mut stall);
            }
            (_, Id::pref_at_rn | Id::ocbi_at_rn | Id::ocbp_at_rn | Id::ocbwb_at_rn) => {}
            _ if access.direction == Direction::Read => {
                self.stats.region(access.address).reads += 1;
                self.read_past_cache(now, access.address, access.size, Cause::Uncached, &mut stall);
            }
            _ => {
                self.stats.region(access.address).writes += 1;
                self.write_past_cache(now, access, &mut stall);
            }
        }
        self.stats.region(access.address).stalled += stall.cycles;
        stall
    }

    fn cached(&mut self, now: u64, id: Id, access: &DataAccess, stall: &mut Stall) {
        match id {
            Id::pref_at_rn => self.prefetch(now, access, stall),
            Id::ocbi_at_rn => self.invalidate(now, access, stall),
            Id::ocbp_at_rn => self.write_line_back(now, access, true, stall),
            Id::ocbwb_at_rn => self.write_line_back(now, access, false, stall),
            Id::movca_l_r0_at_rn => self.allocate(now, access, stall),
            _ if access.direction == Direction::Read => self.read(now, access, stall),
            _ => self.write(now, access, stall),
        }
    }

    fn read(&mut self, now: u64, access: &DataAccess, stall: &mut Stall) {
        self.stats.region(access.address).reads += 1;
        self.stats.cached_reads += 1;
        if self.flush_blocks_reads {
            stall.until(now, self.flush, &[], Cause::WriteBuffer);
        }
        if self.hit(now, access, stall) {
            return;
        }
        self.stats.region(access.address).read_misses += 1;
        self.stats.read_misses += 1;
        self.demand(now, access, stall);
    }

    fn write(&mut self, now: u64, access: &DataAccess, stall: &mut Stall) {
        self.stats.region(access.address).writes += 1;
        self.stats.cached_writes += 1;
        if let Some(fill) = self.fill {
            stall.until(now, fill.end, &[], Cause::WriteDuringFill);
            self.fill = None;
        }
        let entry = self.settings.operand_entry(access.address);
        let hit = self.hit(now, access, stall);
        self.stats.region(access.address).write_misses += u64::from(!hit);
        self.stats.write_misses += u64::from(!hit);
        if !self.settings.copies_back(access.address) {
            return self.write_past_cache(now, access, stall);
        }
        if !hit {
            self.demand(now, access, stall);
        }
        self.operand[entry].dirty = true;
    }

    /// Whether the line is there; waits for its data if it is on the way.
    fn hit(&mut self, now: u64, access: &DataAccess, stall: &mut Stall) -> bool {
        let entry = self.settings.operand_entry(access.address);
        let line = &mut self.operand[entry];
        if !line.holds(access.address) {
            return false;
        }
        let by = std::mem::take(&mut line.prefetched_by);
        let before = stall.cycles;
        if let Some(fill) = self.fill.filter(|fill| fill.line == access.address & 0x1FFF_FFE0) {
            let ready = if fill.cause == Cause::PrefetchBusy {
                fill.end
            } else {
                arrival(&fill, access.address)
            };
            stall.until(now, ready, &[], fill.cause);
        }
        if by != 0 {
            self.stats.prefetch_used(by, stall.cycles > before);
        }
        true
    }

    /// Brings a line in for a load or store that waits for it.
    fn demand(&mut self, now: u64, access: &DataAccess, stall: &mut Stall) {
        if let Some(fill) = self.fill.take() {
            stall.until(now, fill.end, &[], fill.cause);
        }
        let at = Ticks::cycles(now + stall.cycles) + self.demand_overhead;
        let transfer = self.bring(at, access, Cause::OperandMiss, now, stall);
        charge(stall, now, &transfer, transfer.first, Cause::OperandMiss);
    }

    fn prefetch(&mut self, now: u64, access: &DataAccess, stall: &mut Stall) {
        self.stats.prefetch_issued(access.pc);
        let entry = self.settings.operand_entry(access.address);
        if self.operand[entry].holds(access.address) {
            self.stats.prefetch_redundant(access.pc);
            return;
        }
        if let Some(fill) = self.fill.take() {
            stall.until(now, fill.end, &[], Cause::PrefetchBusy);
        }
        let at = Ticks::cycles(now + stall.cycles);
        self.bring(at, access, Cause::PrefetchBusy, now, stall);
        self.operand[entry].prefetched_by = access.pc.max(1);
    }

    /// Fills a line; a dirty one that has to go waits in the write-back buffer until the fill is done.
    fn bring(
        &mut self,
        at: Ticks,
        access: &DataAccess,
        cause: Cause,
        now: u64,
        stall: &mut Stall,
    ) -> Transfer {
        let victim = self.evict(access);
        let mut at = at;
        if victim.is_some() && self.write_back > at {
            stall.until(now, self.write_back, &[], Cause::WriteBuffer);
            at = at.max(self.write_back);
        }
        let transfer = self.bus.transfer(&Request {
            at,
            direction: Direction::Read,
            address: access.address,
            bytes: 32,
            cause,
        });
        self.stats.operand_fills += 1;
        self.stats.operand_fill_ticks += transfer.end.since(transfer.start).0;
        self.fill = Some(Fill {
            line: access.address & 0x1FFF_FFE0,
            critical: access.address >> 3 & 3,
            first: transfer.first,
            end: transfer.end,
            cause,
        });
        if let Some(victim) = victim {
            self.send_back(transfer.end, victim);
        }
        transfer
    }

    /// Puts the access' line in the place of what was there; answers the address of a dirty one.
    fn evict(&mut self, access: &DataAccess) -> Option<u32> {
        let entry = self.settings.operand_entry(access.address);
        let victim = std::mem::replace(&mut self.operand[entry], Line::filled(access.address));
        let address = victim.address()?;
        if victim.prefetched_by != 0 {
            self.stats.prefetch_lost(victim.prefetched_by);
        }
        self.stats.evicted(address, access.address & 0x1FFF_FFE0);
        victim.dirty.then_some(address)
    }

    /// Writes a line from the write-back buffer.
    fn send_back(&mut self, at: Ticks, line: u32) {
        let transfer = self.bus.transfer(&Request {
            at,
            direction: Direction::Write,
            address: line,
            bytes: 32,
            cause: Cause::WriteBuffer,
        });
        self.stats.write_backs += 1;
        self.write_back = transfer.end;
    }

    fn invalidate(&mut self, now: u64, access: &DataAccess, stall: &mut Stall) {
        let entry = self.settings.operand_entry(access.address);
        let hit = self.operand[entry].holds(access.address);
        if hit {
            self.operand[entry] = Line::default();
        }
        self.keep_memory_stage(now, stall, if hit { self.busy[0] } else { 1 });
    }

    fn write_line_back(&mut self, now: u64, access: &DataAccess, purge: bool, stall: &mut Stall) {
        let entry = self.settings.operand_entry(access.address);
        let line = &mut self.operand[entry];
        if !line.holds(access.address) {
            return self.keep_memory_stage(now, stall, 1);
        }
        let dirty = std::mem::take(&mut line.dirty);
        if purge {
            *line = Line::default();
        }
        if dirty {
            stall.until(now, self.write_back, &[], Cause::WriteBuffer);
            self.send_back(Ticks::cycles(now + stall.cycles), access.address);
            self.flush = self.write_back;
        }
        self.keep_memory_stage(now, stall, if dirty { self.busy[1] } else { 1 });
    }

    fn allocate(&mut self, now: u64, access: &DataAccess, stall: &mut Stall) {
        self.stats.region(access.address).writes += 1;
        self.stats.cached_writes += 1;
        if let Some(fill) = self.fill.take() {
            stall.until(now, fill.end, &[], Cause::WriteDuringFill);
        }
        let entry = self.settings.operand_entry(access.address);
        let mut busy = self.busy[2];
        if !self.operand[entry].holds(access.address)
            && let Some(victim) = self.evict(access)
        {
            stall.until(now, self.write_back, &[], Cause::WriteBuffer);
            self.send_back(Ticks::cycles(now + stall.cycles), victim);
            busy = self.busy[3];
        }
        self.operand[entry].dirty = true;
        self.keep_memory_stage(now, stall, busy);
    }

    /// The instruction keeps the memory stage for `cycles`: the next access comes that much later.
    fn keep_memory_stage(&mut self, now: u64, stall: &Stall, cycles: u32) {
        self.memory_stage = Ticks::cycles(now + stall.cycles + u64::from(cycles));
    }

    fn read_past_cache(&mut self, now: u64, address: u32, bytes: u8, cause: Cause, stall: &mut Stall) {
        let transfer = self.bus.transfer(&Request {
            at: Ticks::cycles(now + stall.cycles),
            direction: Direction::Read,
            address,
            bytes,
            cause,
        });
        charge(stall, now, &transfer, transfer.end, cause);
    }

    /// A store that goes out: through the buffer, which holds one.
    fn write_past_cache(&mut self, now: u64, access: &DataAccess, stall: &mut Stall) {
        stall.until(now, self.write_through, &[], Cause::WriteBuffer);
        let transfer = self.bus.transfer(&Request {
            at: Ticks::cycles(now + stall.cycles),
            direction: Direction::Write,
            address: access.address,
            bytes: access.size,
            cause: Cause::WriteBuffer,
        });
        self.write_through = transfer.end;
    }

    /// Registers of the chip that the model itself obeys: CCR and the store queues' targets.
    fn register(&mut self, access: &DataAccess, value: u32) {
        self.stats.on_chip += 1;
        if access.direction != Direction::Write {
            return;
        }
        match access.address & 0x1FFF_FFFF {
            0x1F00_001C => self.control(value),
            0x1F00_0038 => self.queues.qacr[0] = value,
            0x1F00_003C => self.queues.qacr[1] = value,
            _ => {}
        }
    }

    /// CCR: bits 3 and 11 empty the caches.
    fn control(&mut self, value: u32) {
        self.settings = CacheSettings::from_ccr(value);
        if value & 1 << 3 != 0 {
            self.drop_operand_cache();
        }
        if value & 1 << 11 != 0 {
            self.drop_instruction_cache();
        }
    }

    fn write_queue(&mut self, now: u64, address: u32, stall: &mut Stall) {
        let queue = (address >> 5 & 1) as usize;
        stall.until(now, self.queues.busy[queue], &[], Cause::StoreQueue);
        self.stats.queue_writes += 1;
    }

    fn send_queue(&mut self, now: u64, address: u32, stall: &mut Stall) {
        let queue = (address >> 5 & 1) as usize;
        stall.until(now, self.queues.busy[queue], &[], Cause::StoreQueue);
        let transfer = self.bus.transfer(&Request {
            at: Ticks::cycles(now + stall.cycles),
            direction: Direction::Write,
            address: self.queues.target(address),
            bytes: 32,
            cause: Cause::StoreQueue,
        });
        self.queues.busy[queue] = transfer.end;
        self.stats.queue_flushes += 1;
    }

    /// When the bus is done with everything it was given, in cycles.
    #[must_use]
    pub fn bus_free(&self) -> u64 {
        self.bus.free().ceil()
    }
}

/// When the eight bytes around `address` of a line on its way are there: two cycles a beat, the asked ones first.
fn arrival(fill: &Fill, address: u32) -> Ticks {
    let beat = (address >> 3).wrapping_sub(fill.critical) & 3;
    (fill.first + Ticks::bus_cycles(beat)).min(fill.end)
}

/// Freezes until `end` of a transfer, and says for what.
fn charge(stall: &mut Stall, now: u64, transfer: &Transfer, end: Ticks, cause: Cause) {
    let shares = [
        transfer.waited,
        (Cause::Turnaround, transfer.turnaround),
        (Cause::RowMiss, transfer.row_miss),
    ];
    stall.until(now, end, &shares, cause);
}
