//! The tag compares of a run of accesses. They count, fill and evict; they take no time.

use super::hit_class::HitClass;
use super::hit_filter::HitFilter;
use super::layout::{LONGEST, LineGroup, RunLayout};
use super::stall::Charge;
use crate::memory::LINE;
use crate::memory::cache::{EntryIndex, Line, OPERAND_LINES};
use crate::memory::lines::Lines;
use crate::memory::stats::RangeIndex;

/// A group whose tag is compared.
#[derive(Clone, Copy)]
struct Compared<'a> {
    group: &'a LineGroup,
    /// Its place in the run.
    number: usize,
    address: u32,
    entry: usize,
}

/// The hit filter, and notes on the groups of the present run.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    pub(crate) filter: HitFilter,
    /// Groups that are the first to use a prefetched line, and the address of the PREF. Empty between runs.
    first_uses: Vec<(u8, u32)>,
    /// The range of each group; none for PREFs.
    ranges: [RangeIndex; LONGEST],
}

impl Lookup {
    pub(crate) fn new(index: EntryIndex) -> Lookup {
        Lookup {
            filter: HitFilter::new(index),
            first_uses: Vec::new(),
            ranges: [RangeIndex::NONE; LONGEST],
        }
    }

    /// Compares the tags of a layout's groups; `anchor` gives the address of a group's anchor. Returns the
    /// number of groups done and their hit classes. It ends before a group outside main memory, or one that
    /// evicts a dirty line of other memory.
    #[inline(always)]
    pub(crate) fn classify(
        &mut self,
        lines: &mut Lines,
        layout: &RunLayout,
        anchor: impl Fn(&LineGroup) -> u32,
    ) -> (usize, u64) {
        let (mut all, mut number) = (0, 0);
        for group in layout.groups() {
            let address = anchor(group).wrapping_add(group.distance);
            let compared = Compared {
                group,
                number,
                address,
                entry: self.filter.entry(address),
            };
            let class = if group.prefetches {
                self.prefetch(lines, compared)
            } else {
                self.access(lines, compared)
            };
            let Some(class) = class else { break };
            all |= class.0 << (4 * number);
            number += 1;
        }
        (number, all)
    }

    /// Loads or stores.
    #[inline(always)]
    fn access(&mut self, lines: &mut Lines, compared: Compared<'_>) -> Option<HitClass> {
        let Compared {
            group,
            number,
            address,
            entry,
        } = compared;
        let line = self.filter.line(entry, group.stores);
        if line.address == address & !31 {
            line.accesses += u64::from(group.count);
            self.ranges[number % LONGEST] = RangeIndex(line.mark);
            return Some(hit(lines, address));
        }
        if lines.operand[entry % OPERAND_LINES].holds(address) {
            return self.first_hit(lines, compared);
        }
        let (class, victim) = self.fill(lines, compared, group.stores, 0)?;
        self.open(lines, compared);
        lines.count_eviction(entry, victim, address);
        Some(class)
    }

    /// A hit that the filter does not pass yet. Nothing has happened if the line is not of main memory.
    #[inline(never)]
    fn first_hit(&mut self, lines: &mut Lines, compared: Compared<'_>) -> Option<HitClass> {
        let Compared {
            group,
            number,
            address,
            entry,
        } = compared;
        if !lines.areas.in_ram(address, group.stores) {
            return None;
        }
        let line = &mut lines.operand[entry % OPERAND_LINES];
        let by = std::mem::take(&mut line.prefetched_by);
        if by != 0 {
            self.first_uses.push((number as u8, by));
        }
        line.soil(group.stores);
        self.open(lines, compared);
        self.filter.line(entry, group.stores).accesses += u64::from(group.count);
        Some(hit(lines, address))
    }

    /// Passes the group's line from here on.
    #[inline(always)]
    fn open(&mut self, lines: &mut Lines, compared: Compared<'_>) {
        let Compared { entry, address, .. } = compared;
        let stats = &mut lines.stats;
        let row = self.filter.open(entry, address, compared.group.stores, stats);
        self.ranges[compared.number % LONGEST] = row;
    }

    /// A PREF.
    #[inline(never)]
    fn prefetch(&mut self, lines: &mut Lines, compared: Compared<'_>) -> Option<HitClass> {
        let Compared { address, entry, .. } = compared;
        let pc = compared.group.pc;
        let redundant = lines.operand[entry % OPERAND_LINES].holds(address);
        let class = if !redundant {
            let (class, victim) = self.fill(lines, compared, false, pc.max(1))?;
            lines.count_eviction(entry, victim, address);
            class
        } else if lines.areas.in_ram(address, false) {
            HitClass::HIT
        } else {
            return None;
        };
        lines.stats.prefetch_issued(pc, redundant);
        lines.stats.accesses += 1;
        self.ranges[compared.number % LONGEST] = RangeIndex::NONE;
        Some(class)
    }

    /// Fills a line of main memory, dirty if `stores`, for the PREF at `by` if that is not 0. Also returns
    /// the evicted line, which the statistics do not know yet.
    #[inline(always)]
    fn fill(
        &mut self,
        lines: &mut Lines,
        compared: Compared<'_>,
        stores: bool,
        by: u32,
    ) -> Option<(HitClass, Line)> {
        let Compared { address, entry, .. } = compared;
        let line = &mut lines.operand[entry % OPERAND_LINES];
        let victim = *line;
        let evicts = victim.is_dirty();
        if evicts && !victim.is_ram() || !lines.areas.in_ram(address, stores) {
            return None;
        }
        *line = Line::filled(address);
        line.soil(stores);
        line.prefetched_by = by;
        (lines.last_line, lines.critical) = (address & LINE, address >> 3 & 3);
        self.filter.close(entry);
        let fill = lines.targets.opens(address);
        let eviction = evicts.then(|| lines.targets.opens(victim.address().unwrap_or_default()));
        Some((HitClass::miss(fill, eviction), victim))
    }

    /// Counts the stall of a group; `address` is that of its first access.
    #[inline(always)]
    pub(crate) fn charge(&self, lines: &mut Lines, charge: &Charge, address: impl Fn() -> u32) {
        let row = self.ranges[usize::from(charge.group) % LONGEST];
        let cycles = u64::from(charge.cycles);
        let Some(tally) = lines.stats.tally(row) else {
            lines.stats.region(address()).stalled += cycles;
            return;
        };
        let which = usize::from(charge.stores);
        tally.stalled += cycles;
        tally.misses[which] += u64::from(charge.accesses > 0);
        tally.accesses[which] += u64::from(charge.accesses);
    }

    /// Counts the prefetched lines that the run was the first to use: a set bit of `late` says that the group
    /// had to wait.
    #[inline(always)]
    pub(crate) fn count_first_uses(&mut self, lines: &mut Lines, late: u16) {
        for (group, by) in self.first_uses.drain(..) {
            lines.stats.prefetch_used(by, late >> group & 1 != 0);
        }
    }
}

/// The class of a hit.
#[inline(always)]
fn hit(lines: &Lines, address: u32) -> HitClass {
    if address & LINE == lines.last_line {
        HitClass::last_line(lines.beat(address))
    } else {
        HitClass::HIT
    }
}
