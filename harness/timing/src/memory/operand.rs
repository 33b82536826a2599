//! Loads, stores and cache instructions in the operand cache.

use super::cache::{Area, Line};
use super::stall::Wait;
use super::transfers::{Replacement, TagResult};
use super::{DataAccess, LINE, MemoryModel};
use sh4::Direction;
use sh4::table::Id;

impl MemoryModel {
    /// Performs MOVCA and the cache instructions.
    pub(crate) fn cached(&mut self, id: Id, access: &DataAccess, wait: &mut Wait<'_>) {
        let entry = self.lines.index.of(access.address);
        match id {
            Id::pref_at_rn => self.prefetch(entry, access, wait),
            Id::ocbi_at_rn => self.invalidate(entry, access, wait),
            Id::ocbp_at_rn => self.write_line_back(entry, access, true, wait),
            Id::ocbwb_at_rn => self.write_line_back(entry, access, false, wait),
            _ => self.allocate(entry, access, wait),
        }
    }

    /// Counts a plain load or store that hits and does not wait for a transfer in flight; it costs no time.
    /// Returns false for every other access, without an effect. This is a fast path:
    /// [`MemoryModel::access`] gives the same result.
    #[inline]
    pub(crate) fn hits_at_once(&mut self, now: u64, id: Id, access: &DataAccess) -> bool {
        let area = self.lines.areas.of(access.address);
        let stores = access.direction == Direction::Write;
        let entry = self.lines.index.of(access.address);
        let line = &mut self.lines.operand[entry];
        let plain = area.cached && access.size <= 8 && id != Id::movca_l_r0_at_rn;
        if !(plain && line.holds(access.address) && line.prefetched_by == 0)
            || stores && !area.copies_back
            || !self.transfers.are_over(now)
        {
            return false;
        }
        line.mark_dirty(stores);
        self.lines.stats.cached(access.address, stores, false, 0);
        true
    }

    /// Performs a plain load or store through the cache.
    #[inline]
    pub(crate) fn plain(&mut self, area: Area, access: &DataAccess, wait: &mut Wait<'_>) {
        let stores = access.direction == Direction::Write;
        let entry = self.lines.index.of(access.address);
        let through = stores && !area.copies_back;
        let (missed, by, tag) = self.find(entry, access.address, through);
        let late = self.transfers.plain(stores, &tag, wait);
        if by != 0 {
            self.lines.stats.prefetch_used(by, late);
        }
        if through {
            return self.write_through(missed, access, wait);
        }
        self.lines.operand[entry].mark_dirty(stores);
        self.lines
            .stats
            .cached(access.address, stores, missed, wait.stall.cycles);
    }

    /// Compares the tag of a load or store. Returns true for a miss, the address of the PREF that fetched the
    /// line (0 if no PREF did, or if the line has been used since), and the tag result. Fills the line on a
    /// miss, unless the access is a write-through store.
    #[inline]
    fn find(&mut self, entry: usize, address: u32, through: bool) -> (bool, u32, TagResult) {
        let line = &mut self.lines.operand[entry];
        if line.holds(address) {
            let by = std::mem::take(&mut line.prefetched_by);
            let last = address & LINE == self.lines.last_line;
            let tag = if last {
                TagResult::LastLine(self.lines.beat(address))
            } else {
                TagResult::Hit
            };
            return (false, by, tag);
        }
        if through {
            return (true, 0, TagResult::Hit);
        }
        (true, 0, TagResult::Miss(self.fill(entry, address)))
    }

    /// Performs a write-through store, which fills no line.
    #[inline(never)]
    fn write_through(&mut self, missed: bool, access: &DataAccess, wait: &mut Wait<'_>) {
        self.write_uncached(access, wait);
        self.lines
            .stats
            .cached(access.address, true, missed, wait.stall.cycles);
    }

    /// Fills the line of `address` into its entry.
    #[inline]
    fn fill(&mut self, entry: usize, address: u32) -> Replacement {
        let victim = self.lines.fill(entry, address);
        Replacement {
            fill: self.lines.targets.burst(Direction::Read, address, 32),
            eviction: victim.map(|victim| self.lines.targets.burst(Direction::Write, victim, 32)),
        }
    }

    fn prefetch(&mut self, entry: usize, access: &DataAccess, wait: &mut Wait<'_>) {
        let redundant = self.lines.operand[entry].holds(access.address);
        self.lines.stats.prefetch_issued(access.pc, redundant);
        if !redundant {
            let replacement = self.fill(entry, access.address);
            self.transfers.prefetch(&replacement, wait);
            self.lines.operand[entry].prefetched_by = access.pc.max(1);
        }
    }

    fn invalidate(&mut self, entry: usize, access: &DataAccess, wait: &mut Wait<'_>) {
        let hit = self.lines.operand[entry].holds(access.address);
        if hit {
            self.lines.operand[entry] = Line::default();
        }
        self.transfers
            .keep_memory_stage(wait, if hit { self.busy[0] } else { 1 });
    }

    fn write_line_back(&mut self, entry: usize, access: &DataAccess, purge: bool, wait: &mut Wait<'_>) {
        let line = &mut self.lines.operand[entry];
        if !line.holds(access.address) {
            return self.transfers.keep_memory_stage(wait, 1);
        }
        let dirty = line.is_dirty();
        line.clean();
        if purge {
            *line = Line::default();
        }
        if dirty {
            let burst = self.lines.targets.burst(Direction::Write, access.address, 32);
            self.transfers.flush(&burst, wait);
        }
        self.transfers
            .keep_memory_stage(wait, if dirty { self.busy[1] } else { 1 });
    }

    fn allocate(&mut self, entry: usize, access: &DataAccess, wait: &mut Wait<'_>) {
        self.lines.stats.region(access.address).writes += 1;
        self.lines.stats.cached_writes += 1;
        self.transfers.allocate(wait);
        let mut busy = self.busy[2];
        if !self.lines.operand[entry].holds(access.address)
            && let Some(victim) = self.lines.allocate(entry, access.address)
        {
            let burst = self.lines.targets.burst(Direction::Write, victim, 32);
            self.transfers.make_room(&burst, wait);
            busy = self.busy[3];
        }
        self.lines.operand[entry].mark_dirty(true);
        self.transfers.keep_memory_stage(wait, busy);
    }
}
