//! What lies in the operand cache and which rows are open: what an access finds, without when.

use super::bus::Slaves;
use super::cache::{Areas, CacheSettings, Line, OPERAND_LINES};
use super::episode::Charge;
use super::found::Found;
use super::passing::Passing;
use super::shape::{Group, LONGEST, Layout};
use super::stats::{MemoryStats, Row};
use super::{LINE, NO_LINE, beat};
use crate::parameters::Parameters;

/// See the module's head.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) areas: Areas,
    pub(super) operand: Box<[Line; OPERAND_LINES]>,
    pub(super) passing: Passing,
    /// The line that came in last, and which of its eight bytes came first, 0 to 3.
    pub(super) last_line: u32,
    pub(super) critical: u32,
    pub(super) slaves: Slaves,
    pub(super) stats: MemoryStats,
    /// Groups of a run that are the first to use a prefetched line, and the PREF: empty between runs.
    pub(super) first_uses: Vec<(u8, u32)>,
    /// The range of each group of a run under way; none for PREFs.
    pub(super) touched: [Row; LONGEST],
}

impl Lines {
    pub(super) fn new(settings: &CacheSettings, parameters: &Parameters) -> Lines {
        Lines {
            areas: Areas::new(settings),
            operand: Box::new([Line::default(); OPERAND_LINES]),
            passing: Passing::new(settings),
            last_line: NO_LINE,
            critical: 0,
            slaves: Slaves::new(parameters),
            stats: MemoryStats::default(),
            first_uses: Vec::new(),
            touched: [Row::NONE; LONGEST],
        }
    }

    /// Which beat of the line that came last has `address`.
    #[inline(always)]
    pub(super) fn beat(&self, address: u32) -> u32 {
        beat(address, self.critical)
    }

    /// Brings the line of `address` into its entry; answers the address of a dirty one that goes.
    #[inline(always)]
    pub(super) fn replace(&mut self, entry: usize, address: u32) -> Option<u32> {
        (self.last_line, self.critical) = (address & LINE, address >> 3 & 3);
        self.evict(entry, address)
    }

    /// Puts the line of `address` in the place of what was there; answers the address of a dirty one.
    pub(super) fn evict(&mut self, entry: usize, address: u32) -> Option<u32> {
        self.passing.bar(entry);
        let comes = Line::filled(address);
        let victim = std::mem::replace(&mut self.operand[entry % OPERAND_LINES], comes);
        self.gone(entry, victim, address);
        victim.address().filter(|_| victim.is_dirty())
    }

    /// The line of `address` has come into the place of `victim`.
    #[inline(always)]
    fn gone(&mut self, entry: usize, victim: Line, address: u32) {
        let Some(line) = victim.address() else { return };
        if victim.prefetched_by != 0 {
            self.stats.prefetch_lost(victim.prefetched_by);
        }
        self.stats.evicted(line, address & LINE, entry);
    }

    /// What the groups of a layout find, whose anchors' addresses `anchor` knows; they are counted, and lines come and go.
    /// Answers how many groups are for here: not those outside main memory, or that would send away what is.
    #[inline(always)]
    pub(super) fn look(&mut self, layout: &Layout, anchor: impl Fn(&Group) -> u32) -> (usize, u64) {
        let (mut all, mut number) = (0, 0);
        for group in layout.groups() {
            let address = anchor(group).wrapping_add(group.distance);
            let entry = self.passing.entry(address);
            let found = if group.prefetches {
                self.look_for_prefetch(entry, address, group.pc, number)
            } else {
                self.look_at(entry, address, group, number)
            };
            let Some(found) = found else { break };
            all |= found.0 << (4 * number);
            number += 1;
        }
        (number, all)
    }

    /// What a group of loads or stores finds.
    #[inline(always)]
    fn look_at(&mut self, entry: usize, address: u32, group: &Group, number: usize) -> Option<Found> {
        let line = self.passing.line(entry, group.stores);
        if line.address == address & !31 {
            line.accesses += u64::from(group.count);
            self.touched[number % LONGEST] = Row(line.mark);
            return Some(self.finds_line(address));
        }
        if self.operand[entry % OPERAND_LINES].holds(address) {
            return self.look_closer(entry, address, group, number);
        }
        let (found, victim) = self.fetch_line(entry, address, group.stores, 0)?;
        self.open(entry, address, group.stores, number);
        self.gone(entry, victim, address);
        Some(found)
    }

    /// What an access finds whose line is there.
    #[inline(always)]
    fn finds_line(&self, address: u32) -> Found {
        if address & LINE == self.last_line {
            Found::last_line(self.beat(address))
        } else {
            Found::LINE
        }
    }

    /// What a group finds that is the first one of its kind in its line, which is there. If it is not for here, nothing has
    /// happened.
    #[inline(never)]
    fn look_closer(&mut self, entry: usize, address: u32, group: &Group, number: usize) -> Option<Found> {
        if !self.areas.in_ram(address, group.stores) {
            return None;
        }
        let line = &mut self.operand[entry % OPERAND_LINES];
        let by = std::mem::take(&mut line.prefetched_by);
        if by != 0 {
            self.first_uses.push((number as u8, by));
        }
        line.soil(group.stores);
        self.open(entry, address, group.stores, number);
        self.passing.line(entry, group.stores).accesses += u64::from(group.count);
        Some(self.finds_line(address))
    }

    /// A group's line may pass from here on.
    #[inline(always)]
    fn open(&mut self, entry: usize, address: u32, stores: bool, number: usize) {
        let row = self.passing.open(entry, address, stores, &mut self.stats);
        self.touched[number % LONGEST] = row;
    }

    /// The same as [`Lines::look_at`] for a PREF at `pc`.
    #[inline(never)]
    fn look_for_prefetch(&mut self, entry: usize, address: u32, pc: u32, number: usize) -> Option<Found> {
        let redundant = self.operand[entry % OPERAND_LINES].holds(address);
        let found = if !redundant {
            let (found, victim) = self.fetch_line(entry, address, false, pc.max(1))?;
            self.gone(entry, victim, address);
            found
        } else if self.areas.in_ram(address, false) {
            Found::LINE
        } else {
            return None;
        };
        self.stats.prefetch_issued(pc, redundant);
        self.stats.accesses += 1;
        self.touched[number % LONGEST] = Row::NONE;
        Some(found)
    }

    /// Brings a line of main memory into `entry`, dirty or by a PREF if so, unless what has to go for it belongs elsewhere.
    /// Answers also that, of which nobody has been told yet.
    #[inline(always)]
    fn fetch_line(&mut self, entry: usize, address: u32, stores: bool, by: u32) -> Option<(Found, Line)> {
        let line = &mut self.operand[entry % OPERAND_LINES];
        let victim = *line;
        let goes = victim.is_dirty();
        if goes && !victim.is_ram() || !self.areas.in_ram(address, stores) {
            return None;
        }
        *line = Line::filled(address);
        line.soil(stores);
        line.prefetched_by = by;
        (self.last_line, self.critical) = (address & LINE, address >> 3 & 3);
        self.passing.bar(entry);
        let opens = self.slaves.opens(address);
        let goes = goes.then(|| self.slaves.opens(victim.address().unwrap_or_default()));
        Some((Found::other(opens, goes), victim))
    }

    /// What a group of the run under way has come to; `address` says where, if it is a PREF.
    #[inline(always)]
    pub(super) fn charge(&mut self, charge: &Charge, address: impl Fn() -> u32) {
        let row = self.touched[usize::from(charge.group) % LONGEST];
        if !self.stats.charge(row, charge) {
            self.stats.region(address()).stalled += u64::from(charge.cycles);
        }
    }

    /// What became of the prefetches of the run that has ended: whether the groups that used them first came too early, by
    /// the bits of `late`.
    #[inline(always)]
    pub(super) fn tell_first_uses(&mut self, late: u16) {
        for (group, by) in self.first_uses.drain(..) {
            self.stats.prefetch_used(by, late >> group & 1 != 0);
        }
    }
}
