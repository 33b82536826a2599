//! What loads, stores and cache instructions do in the operand cache.

use super::bus::{Request, Transfer};
use super::cache::{Area, Line};
use super::stall::Wait;
use super::ticks::Ticks;
use super::{DataAccess, Fill, LINE, MemoryModel};
use crate::cause::Cause;
use sh4::Direction;
use sh4::table::Id;

impl MemoryModel {
    /// MOVCA and the cache instructions.
    pub(super) fn cached(&mut self, id: Id, access: &DataAccess, wait: &mut Wait<'_>) {
        let entry = self.passing.entry(access.address);
        match id {
            Id::pref_at_rn => self.prefetch(entry, access, wait),
            Id::ocbi_at_rn => self.invalidate(entry, access, wait),
            Id::ocbp_at_rn => self.write_line_back(entry, access, true, wait),
            Id::ocbwb_at_rn => self.write_line_back(entry, access, false, wait),
            _ => self.allocate(entry, access, wait),
        }
    }

    /// A plain load or store through the cache.
    #[inline(always)]
    pub(super) fn plain(&mut self, area: Area, access: &DataAccess, wait: &mut Wait<'_>) {
        let stores = access.direction == Direction::Write;
        if stores {
            wait.until(self.fill.end, Cause::WriteDuringFill);
        } else if self.flush_blocks_reads {
            wait.until(self.flush, Cause::WriteBuffer);
        }
        let entry = self.passing.entry(access.address);
        let missed = !self.hit(entry, access, wait);
        if stores && !area.copies_back {
            return self.write_through(missed, access, wait);
        }
        if missed {
            self.demand(entry, access, wait);
        }
        self.operand[entry].soil(stores);
        let row = self.passing.count(entry, access, &mut self.stats);
        let range = self.stats.row(row);
        range.stalled += wait.stall.cycles;
        let missed = u64::from(missed);
        if stores {
            range.write_misses += missed;
            self.stats.write_misses += missed;
        } else {
            range.read_misses += missed;
            self.stats.read_misses += missed;
        }
    }

    /// A store that goes out whether its line is there or not, and brings none.
    #[inline(never)]
    fn write_through(&mut self, missed: bool, access: &DataAccess, wait: &mut Wait<'_>) {
        self.write_past_cache(access, wait);
        self.stats.accesses += 1;
        self.stats.cached_writes += 1;
        self.stats.write_misses += u64::from(missed);
        let range = self.stats.region(access.address);
        range.writes += 1;
        range.write_misses += u64::from(missed);
        range.stalled += wait.stall.cycles;
    }

    /// Whether the line is there; waits for its data if it is on the way.
    #[inline(always)]
    fn hit(&mut self, entry: usize, access: &DataAccess, wait: &mut Wait<'_>) -> bool {
        let line = &mut self.operand[entry];
        if !line.holds(access.address) {
            return false;
        }
        let by = std::mem::take(&mut line.prefetched_by);
        let before = wait.stall.cycles;
        if self.fill.line == access.address & LINE {
            let ready = if self.fill.cause == Cause::PrefetchBusy {
                self.fill.end
            } else {
                self.fill.arrival(access.address)
            };
            wait.until(ready, self.fill.cause);
        }
        if by != 0 {
            self.stats.prefetch_used(by, wait.stall.cycles > before);
        }
        true
    }

    /// Brings a line in for a load or store that waits for it.
    #[inline(always)]
    fn demand(&mut self, entry: usize, access: &DataAccess, wait: &mut Wait<'_>) {
        wait.until(self.fill.end, self.fill.cause);
        let at = wait.at + self.demand_overhead;
        let transfer = self.bring(entry, at, access, Cause::OperandMiss, wait);
        wait.until_end(&transfer, transfer.first, Cause::OperandMiss);
    }

    fn prefetch(&mut self, entry: usize, access: &DataAccess, wait: &mut Wait<'_>) {
        let redundant = self.operand[entry].holds(access.address);
        self.stats.prefetch_issued(access.pc, redundant);
        if redundant {
            return;
        }
        wait.until(self.fill.end, Cause::PrefetchBusy);
        self.bring(entry, wait.at, access, Cause::PrefetchBusy, wait);
        self.operand[entry].prefetched_by = access.pc.max(1);
    }

    /// Fills a line; a dirty one that has to go waits in the write-back buffer until the fill is done.
    #[inline(always)]
    fn bring(
        &mut self,
        entry: usize,
        at: Ticks,
        access: &DataAccess,
        cause: Cause,
        wait: &mut Wait<'_>,
    ) -> Transfer {
        let victim = self.evict(entry, access);
        let mut at = at;
        if victim.is_some() && self.write_back > at {
            wait.until(self.write_back, Cause::WriteBuffer);
            at = self.write_back;
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
        self.fill = Fill::new(access.address, &transfer, cause);
        self.free_from[1] = self.free_from[0].max(transfer.end.ceil());
        if let Some(victim) = victim {
            self.send_back(transfer.end, victim);
        }
        transfer
    }

    /// Puts the access' line in the place of what was there; answers the address of a dirty one.
    #[inline(always)]
    fn evict(&mut self, entry: usize, access: &DataAccess) -> Option<u32> {
        self.passing.bar(entry, &mut self.stats);
        let victim = std::mem::replace(&mut self.operand[entry], Line::filled(access.address));
        let address = victim.address()?;
        if victim.prefetched_by != 0 {
            self.stats.prefetch_lost(victim.prefetched_by);
        }
        self.stats.evicted(address, access.address & LINE, entry);
        victim.is_dirty().then_some(address)
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

    fn invalidate(&mut self, entry: usize, access: &DataAccess, wait: &mut Wait<'_>) {
        let hit = self.operand[entry].holds(access.address);
        if hit {
            self.passing.bar(entry, &mut self.stats);
            self.operand[entry] = Line::default();
        }
        self.keep_memory_stage(wait, if hit { self.busy[0] } else { 1 });
    }

    fn write_line_back(&mut self, entry: usize, access: &DataAccess, purge: bool, wait: &mut Wait<'_>) {
        let line = &mut self.operand[entry];
        if !line.holds(access.address) {
            return self.keep_memory_stage(wait, 1);
        }
        let dirty = line.is_dirty();
        line.clean();
        self.passing.bar_writes(entry, &mut self.stats);
        if purge {
            *line = Line::default();
            self.passing.bar(entry, &mut self.stats);
        }
        if dirty {
            wait.until(self.write_back, Cause::WriteBuffer);
            self.send_back(wait.at, access.address);
            self.flush = self.write_back;
        }
        self.keep_memory_stage(wait, if dirty { self.busy[1] } else { 1 });
    }

    fn allocate(&mut self, entry: usize, access: &DataAccess, wait: &mut Wait<'_>) {
        self.stats.region(access.address).writes += 1;
        self.stats.cached_writes += 1;
        wait.until(self.fill.end, Cause::WriteDuringFill);
        let mut busy = self.busy[2];
        if !self.operand[entry].holds(access.address)
            && let Some(victim) = self.evict(entry, access)
        {
            wait.until(self.write_back, Cause::WriteBuffer);
            self.send_back(wait.at, victim);
            busy = self.busy[3];
        }
        self.operand[entry].soil(true);
        self.keep_memory_stage(wait, busy);
    }

    /// The instruction keeps the memory stage for `cycles`: the next access comes that much later.
    fn keep_memory_stage(&mut self, wait: &Wait<'_>, cycles: u32) {
        self.memory_stage = wait.at + Ticks::cycles(cycles.into());
    }
}
