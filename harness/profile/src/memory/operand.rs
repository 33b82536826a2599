//! What loads, stores and cache instructions do in the operand cache.

use super::cache::{Area, Line};
use super::stall::Wait;
use super::timing::{Change, Finds};
use super::{DataAccess, LINE, MemoryModel};
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
    #[inline]
    pub(super) fn plain(&mut self, area: Area, access: &DataAccess, wait: &mut Wait<'_>) {
        let stores = access.direction == Direction::Write;
        let entry = self.passing.entry(access.address);
        let through = stores && !area.copies_back;
        let (missed, by, finds) = self.find(entry, access.address, through);
        let late = self.timing.plain(stores, &finds, wait);
        if by != 0 {
            self.stats.prefetch_used(by, late);
        }
        if through {
            return self.write_through(missed, access, wait);
        }
        self.operand[entry].soil(stores);
        let row = self.passing.open(entry, access.address, stores, &mut self.stats);
        self.passing.add(entry, access.direction, 1);
        self.stats.row(row).stalled += wait.stall.cycles;
        self.stats.missed(row, stores, missed);
    }

    /// Whether a load or store misses, the PREF that brought its line if it is the first to use it, and what it finds.
    /// If it is not there it is now, except for what is written `through`.
    #[inline]
    fn find(&mut self, entry: usize, address: u32, through: bool) -> (bool, u32, Finds) {
        let line = &mut self.operand[entry];
        if line.holds(address) {
            let by = std::mem::take(&mut line.prefetched_by);
            let last = address & LINE == self.last_line;
            let finds = if last {
                Finds::LastLine(self.beat(address))
            } else {
                Finds::Line
            };
            return (false, by, finds);
        }
        if through {
            return (true, 0, Finds::Line);
        }
        (true, 0, Finds::Other(self.bring(entry, address)))
    }

    /// A store that goes out whether its line is there or not, and brings none.
    #[inline(never)]
    fn write_through(&mut self, missed: bool, access: &DataAccess, wait: &mut Wait<'_>) {
        self.write_past_cache(access, wait);
        self.stats.accesses += 1;
        self.stats.cached_writes += 1;
        let row = self.stats.find(access.address);
        self.stats.row(row).accesses[1] += 1;
        self.stats.row(row).stalled += wait.stall.cycles;
        self.stats.missed(row, true, missed);
    }

    /// Brings the line of `address` into its entry.
    #[inline]
    fn bring(&mut self, entry: usize, address: u32) -> Change {
        let victim = self.replace(entry, address);
        Change {
            comes: self.slaves.burst(Direction::Read, address, 32),
            goes: victim.map(|victim| self.slaves.burst(Direction::Write, victim, 32)),
        }
    }

    /// The same without the transfers: answers the address of a dirty line that goes.
    #[inline(always)]
    pub(super) fn replace(&mut self, entry: usize, address: u32) -> Option<u32> {
        (self.last_line, self.critical) = (address & LINE, address >> 3 & 3);
        self.evict(entry, address)
    }

    /// Puts the line of `address` in the place of what was there; answers the address of a dirty one.
    #[inline(always)]
    fn evict(&mut self, entry: usize, address: u32) -> Option<u32> {
        self.passing.bar(entry);
        let victim = std::mem::replace(&mut self.operand[entry], Line::filled(address));
        let line = victim.address()?;
        if victim.prefetched_by != 0 {
            self.stats.prefetch_lost(victim.prefetched_by);
        }
        self.stats.evicted(line, address & LINE, entry);
        victim.is_dirty().then_some(line)
    }

    fn prefetch(&mut self, entry: usize, access: &DataAccess, wait: &mut Wait<'_>) {
        let redundant = self.operand[entry].holds(access.address);
        self.stats.prefetch_issued(access.pc, redundant);
        if !redundant {
            let change = self.bring(entry, access.address);
            self.timing.prefetch(&change, wait);
            self.operand[entry].prefetched_by = access.pc.max(1);
        }
    }

    fn invalidate(&mut self, entry: usize, access: &DataAccess, wait: &mut Wait<'_>) {
        let hit = self.operand[entry].holds(access.address);
        if hit {
            self.passing.bar(entry);
            self.operand[entry] = Line::default();
        }
        self.timing
            .keep_memory_stage(wait, if hit { self.busy[0] } else { 1 });
    }

    fn write_line_back(&mut self, entry: usize, access: &DataAccess, purge: bool, wait: &mut Wait<'_>) {
        let line = &mut self.operand[entry];
        if !line.holds(access.address) {
            return self.timing.keep_memory_stage(wait, 1);
        }
        let dirty = line.is_dirty();
        line.clean();
        self.passing.bar_writes(entry);
        if purge {
            *line = Line::default();
            self.passing.bar(entry);
        }
        if dirty {
            let burst = self.slaves.burst(Direction::Write, access.address, 32);
            self.timing.flush(&burst, wait);
        }
        self.timing
            .keep_memory_stage(wait, if dirty { self.busy[1] } else { 1 });
    }

    fn allocate(&mut self, entry: usize, access: &DataAccess, wait: &mut Wait<'_>) {
        self.stats.region(access.address).accesses[1] += 1;
        self.stats.cached_writes += 1;
        self.timing.allocate(wait);
        let mut busy = self.busy[2];
        if !self.operand[entry].holds(access.address)
            && let Some(victim) = self.evict(entry, access.address)
        {
            let burst = self.slaves.burst(Direction::Write, victim, 32);
            self.timing.make_room(&burst, wait);
            busy = self.busy[3];
        }
        self.operand[entry].soil(true);
        self.timing.keep_memory_stage(wait, busy);
    }
}
