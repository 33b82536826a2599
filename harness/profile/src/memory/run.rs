//! Loads, stores and prefetches of a way through code, as many at once as go through the operand cache to main memory.

use super::episode::{Episode, Run};
use super::{MemoryModel, NO_LINE};
use crate::outcome::Moment;
use sh4::Access;
use sh4::meter::Noted;

/// An access as whoever followed the run tells of it.
pub(crate) trait Told: Copy {
    /// Effective address.
    fn address(&self) -> u32;

    /// What is written to a register of the chip.
    fn value(&self) -> u32;

    /// Whether it has been tried if the first one of several costs nothing, by [`MemoryModel::pass`] or in the same way.
    const TRIED: bool;
}

impl Told for Access {
    const TRIED: bool = false;

    #[inline(always)]
    fn address(&self) -> u32 {
        self.address
    }

    fn value(&self) -> u32 {
        self.value as u32
    }
}

impl Told for Noted {
    const TRIED: bool = true;

    #[inline(always)]
    fn address(&self) -> u32 {
        self.address
    }

    fn value(&self) -> u32 {
        self.value
    }
}

/// Plain accesses of a way through code, from one on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accesses<'a, A> {
    pub(crate) way: u32,
    /// Address of the first instruction on the way.
    pub(crate) start: u32,
    /// The place of the first of these among all accesses there.
    pub(crate) place: usize,
    /// One for each of the accesses, or more.
    pub(crate) moments: &'a [Moment],
    pub(crate) accesses: &'a [A],
}

impl<A: Told> Accesses<'_, A> {
    /// The address of the one at `place`.
    #[inline(always)]
    pub(super) fn address(&self, place: u8) -> u32 {
        let access = self.accesses.get(usize::from(place));
        access.map_or(0, Told::address)
    }
}

impl MemoryModel {
    /// Follows the first of `these`, which are counted from `cycle` on. Answers how many it has followed, and if they had
    /// to wait, for what. If it is none, the next one has to be told to [`MemoryModel::access`]. `shape` is that of the
    /// first of their moments.
    #[inline(always)]
    pub(crate) fn follow<A: Told>(
        &mut self,
        cycle: u64,
        these: Accesses<'_, A>,
        shape: &mut u32,
    ) -> (usize, Option<&Episode>) {
        let Some(first) = these.moments.first() else {
            return (0, None);
        };
        let now = cycle + u64::from(first.offset);
        if self.free_from[1] <= now {
            let passed = if A::TRIED {
                0
            } else {
                self.pass(these.moments, these.accesses)
            };
            if passed > 0 {
                return (passed, None);
            }
            self.lines.last_line = NO_LINE;
        }
        if !self.episodes.is_ready() && !self.make_ready() {
            return (0, None);
        }
        let number = self.episodes.shapes.find(Accesses { ..these }, shape);
        let layout = self.episodes.shapes.layout(number);
        let (groups, found) = self.lines.look(layout, |group| these.address(group.anchor));
        self.come_to(cycle, &these, number, groups, found)
    }

    /// The first `groups` of a layout of `these` have `found` this. For the rest see [`MemoryModel::follow`].
    #[inline(always)]
    pub(super) fn come_to<A: Told>(
        &mut self,
        cycle: u64,
        these: &Accesses<'_, A>,
        number: u32,
        groups: usize,
        found: u64,
    ) -> (usize, Option<&Episode>) {
        let layout = self.episodes.shapes.layout(number);
        let count = layout.accesses(groups);
        let begin = these.moments.first().map_or(0, |first| first.offset);
        let now = cycle + u64::from(begin);
        if found == 0 && (count == 0 || self.free_from[usize::from(layout.stores)] <= now) {
            self.lines.tell_first_uses(0);
            return (count, None);
        }
        let run = Run {
            layout: number,
            groups: groups as u32,
            found,
        };
        let episode = self
            .episodes
            .pass(cycle, &run, these.moments, &mut self.timing, &self.lines.slaves);
        self.free_from = episode.free_from(cycle);
        for charge in &episode.charged {
            self.lines.charge(charge, || these.address(charge.first));
        }
        if !self.lines.first_uses.is_empty() {
            self.lines.tell_first_uses(episode.late);
        }
        (count, Some(episode))
    }

    /// Makes room for what has to be worked out; false if it is not worth while at present.
    #[cold]
    fn make_ready(&mut self) -> bool {
        if self.episodes.is_full() {
            self.forget_ways();
        }
        self.episodes.affordable()
    }

    /// Counts the first of `accesses`, plain loads and stores while nothing is under way, as far as they find their lines, so
    /// that they cost no time. Answers how many.
    #[inline(always)]
    fn pass<A: Told>(&mut self, moments: &[Moment], accesses: &[A]) -> usize {
        let mut passed = 0;
        while let (Some(moment), Some(access)) = (moments.get(passed), accesses.get(passed))
            && moment.size <= 8
            && self.lines.passing.passes(access.address(), moment.stores)
        {
            passed += 1;
        }
        passed
    }
}
