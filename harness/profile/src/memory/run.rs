//! Loads, stores and prefetches of a way through code, as many at once as go through the operand cache to main memory.

use super::MemoryModel;
use super::cache::OPERAND_LINES;
use super::episode::{Episode, LONGEST, Run};
use super::found::Found;
use super::region::Region;
use super::stats::MemoryStats;
use super::{LINE, NO_LINE, beat};
use crate::outcome::Moment;
use sh4::{Access, Direction};

/// Plain accesses of a way through code, from one on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accesses<'a> {
    pub(crate) way: u32,
    /// Address of the first instruction on the way.
    pub(crate) start: u32,
    /// The place of the first of these among all accesses there.
    pub(crate) place: usize,
    /// One for each of the accesses, or more.
    pub(crate) moments: &'a [Moment],
    pub(crate) accesses: &'a [Access],
}

impl MemoryModel {
    /// Follows the first of `these`, which are counted from `cycle` on. Answers how many it has followed, and if they had
    /// to wait, for what. If it is none, the next one has to be told to [`MemoryModel::access`].
    #[inline]
    pub(crate) fn follow(&mut self, cycle: u64, these: &Accesses<'_>) -> (usize, Option<&Episode>) {
        let Some(first) = these.moments.first() else {
            return (0, None);
        };
        let now = cycle + u64::from(first.offset);
        let passed = self.pass(now, these.accesses);
        if passed > 0 || !self.episodes.affordable() {
            return (passed, None);
        }
        let (count, found) = self.look(now, these);
        let (moments, accesses) = (&these.moments[..count], &these.accesses[..count]);
        if count == 0 || (found == 0 && self.is_free(now, accesses)) {
            tell_first_uses(&mut self.first_uses, 0, &mut self.stats);
            return (count, None);
        }
        if self.episodes.is_full() {
            self.forget_ways();
        }
        let run = Run {
            way: these.way,
            place: these.place as u16,
            count: count as u16,
            found,
        };
        let (timing, slaves) = (&mut self.timing, &self.slaves);
        let episode = self.episodes.pass(cycle, &run, moments, accesses, timing, slaves);
        let end = cycle + u64::from(episode.cycles);
        self.free_from = episode.free_from.map(|from| end + u64::from(from));
        for (place, cycles) in &episode.charged {
            let address = accesses[usize::from(*place)].address;
            self.stats.region(address).stalled += u64::from(*cycles);
        }
        if !self.first_uses.is_empty() {
            tell_first_uses(&mut self.first_uses, episode.late, &mut self.stats);
        }
        (count, Some(episode))
    }

    /// Whether `accesses` that find their lines cost nothing from cycle `now` on.
    fn is_free(&self, now: u64, accesses: &[Access]) -> bool {
        let stores = |access: &Access| access.direction == Direction::Write;
        self.free_from[usize::from(accesses.iter().any(stores))] <= now
    }

    /// What the first of `these` find, from cycle `now` on; they are counted, and lines come and go. Answers how many.
    #[inline(always)]
    fn look(&mut self, now: u64, these: &Accesses<'_>) -> (usize, u64) {
        if self.free_from[1] <= now {
            self.last_line = NO_LINE;
        }
        let accesses = &these.accesses[..these.accesses.len().min(LONGEST)];
        let (mut all, mut count) = (0, 0);
        while let Some(access) = accesses.get(count) {
            let entry = self.passing.entry(access.address);
            let Some(found) = self.look_at(entry, access, these, count) else {
                break;
            };
            all |= found.0 << (4 * count);
            count += 1;
            if is_prefetch(access) {
                continue;
            }
            let last = if access.address & LINE == self.last_line {
                u64::MAX
            } else {
                0
            };
            let critical = self.critical;
            let begin = count;
            while let Some(other) = accesses.get(count)
                && is_alike(access, other)
            {
                let found = Found::alike(beat(other.address, critical)).0;
                all |= (found & last) << (4 * count);
                count += 1;
            }
            self.passing.add(entry, access.direction, 1 + count - begin);
        }
        (count, all)
    }

    /// What the access at `place` of `these` finds; nothing if it is not for here.
    #[inline(always)]
    fn look_at(
        &mut self,
        entry: usize,
        access: &Access,
        these: &Accesses<'_>,
        place: usize,
    ) -> Option<Found> {
        if is_prefetch(access) {
            self.look_for_prefetch(entry, access, these, place)
        } else if self.passing.lets_pass(entry, access.address, access.direction) {
            Some(self.finds_line(access.address))
        } else {
            self.look_closer(entry, access, place)
        }
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

    /// What an access finds, the one at `place`, that is the first one of its kind to its line, which may pass then. Nothing
    /// if it is not for here: then nothing has happened.
    #[inline(never)]
    fn look_closer(&mut self, entry: usize, access: &Access, place: usize) -> Option<Found> {
        let (address, stores) = (access.address, access.direction == Direction::Write);
        if !self.areas.in_ram(address, stores) {
            return None;
        }
        let line = &mut self.operand[entry % OPERAND_LINES];
        let there = line.holds(address);
        let found = if there {
            let by = std::mem::take(&mut line.prefetched_by);
            if by != 0 {
                self.first_uses.push((place as u8, by));
            }
            self.finds_line(address)
        } else {
            self.fetch_line(entry, address)?
        };
        self.operand[entry % OPERAND_LINES].soil(stores);
        let row = self.passing.open(entry, address, stores, &mut self.stats);
        self.stats.missed(row, stores, !there);
        Some(found)
    }

    /// The same for a PREF.
    #[inline(never)]
    fn look_for_prefetch(
        &mut self,
        entry: usize,
        access: &Access,
        these: &Accesses<'_>,
        place: usize,
    ) -> Option<Found> {
        if !self.areas.in_ram(access.address, false) {
            return None;
        }
        let pc = these
            .start
            .wrapping_add(2 * u32::from(these.moments[place].index));
        let redundant = self.operand[entry % OPERAND_LINES].holds(access.address);
        let found = if redundant {
            Found::LINE
        } else {
            let found = self.fetch_line(entry, access.address)?;
            self.operand[entry % OPERAND_LINES].prefetched_by = pc.max(1);
            found
        };
        self.stats.prefetch_issued(pc, redundant);
        self.stats.accesses += 1;
        Some(found)
    }

    /// Brings a line of main memory into `entry`, unless what has to go for it belongs elsewhere.
    #[inline(always)]
    fn fetch_line(&mut self, entry: usize, address: u32) -> Option<Found> {
        let line = &self.operand[entry % OPERAND_LINES];
        if line.is_dirty() && !line.address().is_some_and(Region::is_ram) {
            return None;
        }
        let goes = self.replace(entry, address);
        let opens = self.slaves.opens(address);
        Some(Found::other(opens, goes.map(|line| self.slaves.opens(line))))
    }
}

/// PREF accesses a whole line.
#[inline(always)]
fn is_prefetch(access: &Access) -> bool {
    access.size > 8
}

/// Whether an access does to the same line what `one` does, a load or store, with as many bytes.
#[inline(always)]
fn is_alike(one: &Access, other: &Access) -> bool {
    (one.address ^ other.address) < 32 && one.direction == other.direction && one.size == other.size
}

/// `late`: see [`Episode`].
fn tell_first_uses(uses: &mut Vec<(u8, u32)>, late: u16, stats: &mut MemoryStats) {
    for (place, by) in uses.drain(..) {
        stats.prefetch_used(by, late >> place & 1 != 0);
    }
}
