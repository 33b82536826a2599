//! Loads and stores of a way through code, as many at once as go through the operand cache to main memory.

use super::MemoryModel;
use super::cache::OPERAND_LINES;
use super::episode::{Episode, Found, LONGEST, Run};
use super::region::Region;
use super::{LINE, NO_LINE};
use crate::outcome::Moment;
use sh4::{Access, Direction};

impl MemoryModel {
    /// Follows the first of `accesses`: plain loads and stores at `moments`, which are counted from `cycle` on. They are those
    /// from `place` on among the accesses of `way`. Answers how many it has followed, and if they had to wait, for what. If
    /// it is none, the next one has to be told to [`MemoryModel::access`].
    #[inline]
    pub(crate) fn follow(
        &mut self,
        cycle: u64,
        way: u32,
        place: usize,
        moments: &[Moment],
        accesses: &[Access],
    ) -> (usize, Option<&Episode>) {
        let Some(first) = moments.first() else {
            return (0, None);
        };
        let now = cycle + u64::from(first.offset);
        let passed = self.pass(now, accesses);
        if passed > 0 || !self.episodes.affordable() {
            return (passed, None);
        }
        let (count, found) = self.look(now, accesses);
        if count == 0 || (found == 0 && self.is_free(now, &accesses[..count])) {
            return (count, None);
        }
        if self.episodes.is_full() {
            self.forget_ways();
        }
        let run = Run {
            way,
            place: place as u16,
            count: count as u16,
            found,
        };
        let (moments, accesses) = (&moments[..count], &accesses[..count]);
        let (timing, slaves) = (&mut self.timing, &self.slaves);
        let episode = self.episodes.pass(cycle, &run, moments, accesses, timing, slaves);
        let end = cycle + episode.stall.cycles;
        self.free_from = episode.free_from.map(|from| end + from);
        self.timing.bus.counts.add(&episode.bus);
        self.timing.fills.add(&episode.fills);
        for (place, cycles) in &episode.charged {
            let address = accesses[usize::from(*place)].address;
            self.stats.region(address).stalled += u64::from(*cycles);
        }
        (count, Some(episode))
    }

    /// Whether `accesses` that find their lines cost nothing from cycle `now` on.
    fn is_free(&self, now: u64, accesses: &[Access]) -> bool {
        let stores = |access: &Access| access.direction == Direction::Write;
        self.free_from[usize::from(accesses.iter().any(stores))] <= now
    }

    /// What the first of `accesses` find, from cycle `now` on; they are counted, and lines come and go. Answers how many.
    #[inline(always)]
    fn look(&mut self, now: u64, accesses: &[Access]) -> (usize, u64) {
        if self.free_from[1] <= now {
            self.last_line = NO_LINE;
        }
        let mut all = 0;
        let mut count = 0;
        for access in accesses.iter().take(LONGEST) {
            let entry = self.passing.entry(access.address);
            let found = if !self.passing.passes_at(entry, access.address, access.direction) {
                match self.look_closer(entry, access) {
                    Some(found) => found,
                    None => break,
                }
            } else if access.address & LINE == self.last_line {
                Found::last_line(self.beat(access.address))
            } else {
                Found::default()
            };
            all |= found.0 << (4 * count);
            count += 1;
        }
        (count, all)
    }

    /// What an access finds that is the first one of its kind to its line. Nothing if it is not for here: then nothing has
    /// happened.
    #[inline(never)]
    fn look_closer(&mut self, entry: usize, access: &Access) -> Option<Found> {
        let (address, stores) = (access.address, access.direction == Direction::Write);
        let area = self.areas.of(address);
        if !area.cached || !area.ram || stores && !area.copies_back {
            return None;
        }
        let line = &self.operand[entry % OPERAND_LINES];
        let found = if line.holds(address) {
            // The fate of a prefetched line is not known before the time is.
            if line.prefetched_by != 0 {
                return None;
            }
            let last = address & LINE == self.last_line;
            if last {
                Found::last_line(self.beat(address))
            } else {
                Found::default()
            }
        } else {
            if line.is_dirty() && !line.address().is_some_and(Region::is_ram) {
                return None;
            }
            let goes = self.replace(entry, address);
            let opens = self.slaves.opens(address);
            Found::other(opens, goes.map(|line| self.slaves.opens(line)))
        };
        self.operand[entry % OPERAND_LINES].soil(stores);
        let row = self.passing.count(entry, address, stores, &mut self.stats);
        self.stats.missed(row, stores, found.missed());
        Some(found)
    }
}
