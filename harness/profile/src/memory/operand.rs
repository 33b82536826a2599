//! What loads, stores and cache instructions do in the operand cache.

use super::bus::{Request, Transfer};
use super::cache::Line;
use super::ticks::Ticks;
use super::{DataAccess, Fill, MemoryModel, Stall, arrival, charge};
use crate::cause::Cause;
use sh4::Direction;
use sh4::table::Id;

impl MemoryModel {
    /// MOVCA and the cache instructions.
    pub(super) fn cached(&mut self, now: u64, id: Id, access: &DataAccess, stall: &mut Stall) {
        match id {
            Id::pref_at_rn => self.prefetch(now, access, stall),
            Id::ocbi_at_rn => self.invalidate(now, access, stall),
            Id::ocbp_at_rn => self.write_line_back(now, access, true, stall),
            Id::ocbwb_at_rn => self.write_line_back(now, access, false, stall),
            _ => self.allocate(now, access, stall),
        }
    }

    /// A plain load or store through the cache.
    pub(super) fn plain(&mut self, now: u64, access: &DataAccess, stall: &mut Stall) {
        let entry = self.settings.operand_entry(access.address);
        let (missed, counted) = match access.direction {
            Direction::Write => self.store(now, entry, access, stall),
            _ => (self.load(now, entry, access, stall), true),
        };
        if counted {
            self.passing
                .count(entry, access, missed, stall.cycles, &mut self.stats);
        }
    }

    /// Whether it missed.
    fn load(&mut self, now: u64, entry: usize, access: &DataAccess, stall: &mut Stall) -> bool {
        if self.flush_blocks_reads {
            stall.until(now, self.flush, Cause::WriteBuffer);
        }
        let missed = !self.hit(now, entry, access, stall);
        if missed {
            self.stats.read_misses += 1;
            self.demand(now, access, stall);
        }
        missed
    }

    /// Whether it missed, and whether it stayed in the cache.
    fn store(&mut self, now: u64, entry: usize, access: &DataAccess, stall: &mut Stall) -> (bool, bool) {
        if let Some(fill) = self.fill.take() {
            stall.until(now, fill.end, Cause::WriteDuringFill);
        }
        let missed = !self.hit(now, entry, access, stall);
        self.stats.write_misses += u64::from(missed);
        if !self.settings.copies_back(access.address) {
            self.write_past_cache(now, access, stall);
            self.stats.accesses += 1;
            self.stats.cached_writes += 1;
            let range = self.stats.region(access.address);
            range.writes += 1;
            range.write_misses += u64::from(missed);
            range.stalled += stall.cycles;
            return (missed, false);
        }
        if missed {
            self.demand(now, access, stall);
        }
        self.operand[entry].dirty = true;
        (missed, true)
    }

    /// Whether the line is there; waits for its data if it is on the way.
    fn hit(&mut self, now: u64, entry: usize, access: &DataAccess, stall: &mut Stall) -> bool {
        let line = &mut self.operand[entry];
        if !line.holds(access.address) {
            return false;
        }
        let by = std::mem::take(&mut line.prefetched_by);
        let before = stall.cycles;
        if let Some(fill) = self
            .fill
            .as_ref()
            .filter(|fill| fill.line == access.address & 0x1FFF_FFE0)
        {
            let ready = if fill.cause == Cause::PrefetchBusy {
                fill.end
            } else {
                arrival(fill, access.address)
            };
            stall.until(now, ready, fill.cause);
        }
        if by != 0 {
            self.stats.prefetch_used(by, stall.cycles > before);
        }
        true
    }

    /// Brings a line in for a load or store that waits for it.
    fn demand(&mut self, now: u64, access: &DataAccess, stall: &mut Stall) {
        if let Some(fill) = self.fill.take() {
            stall.until(now, fill.end, fill.cause);
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
            stall.until(now, fill.end, Cause::PrefetchBusy);
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
            stall.until(now, self.write_back, Cause::WriteBuffer);
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
        self.passing.bar(entry, &mut self.stats);
        let victim = std::mem::replace(&mut self.operand[entry], Line::filled(access.address));
        let address = victim.address()?;
        if victim.prefetched_by != 0 {
            self.stats.prefetch_lost(victim.prefetched_by);
        }
        self.stats.evicted(address, access.address & 0x1FFF_FFE0, entry);
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
            self.passing.bar(entry, &mut self.stats);
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
        self.passing.bar_writes(entry, &mut self.stats);
        if purge {
            *line = Line::default();
            self.passing.bar(entry, &mut self.stats);
        }
        if dirty {
            stall.until(now, self.write_back, Cause::WriteBuffer);
            self.send_back(Ticks::cycles(now + stall.cycles), access.address);
            self.flush = self.write_back;
        }
        self.keep_memory_stage(now, stall, if dirty { self.busy[1] } else { 1 });
    }

    fn allocate(&mut self, now: u64, access: &DataAccess, stall: &mut Stall) {
        self.stats.region(access.address).writes += 1;
        self.stats.cached_writes += 1;
        if let Some(fill) = self.fill.take() {
            stall.until(now, fill.end, Cause::WriteDuringFill);
        }
        let entry = self.settings.operand_entry(access.address);
        let mut busy = self.busy[2];
        if !self.operand[entry].holds(access.address)
            && let Some(victim) = self.evict(access)
        {
            stall.until(now, self.write_back, Cause::WriteBuffer);
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
}
