//! Which run is done again, and how often.

use super::episode::{Episode, NONE, Run};
use super::episodes::Episodes;
use super::repeat::{Measured, Repeat};
use super::run::Accesses;
use super::shape::Group;
use super::shortcuts::Made;
use super::stats::{MemoryStats, Row};
use super::{MemoryModel, NO_LINE};
use crate::hash::mix;
use arrayvec::ArrayVec;
use sh4::meter::Noted;

/// Places for what is kept of runs, by hash.
const SLOTS: usize = 1024;
/// Episodes of a slot that are counted apart.
const EPISODES: usize = 4;
/// Failures in a row that make pauses longer: up to 256 runs.
const FAILURES: u32 = 10;
/// A run that fails takes patience, one that is done again gives some back: how much there is, at the most and behind a rest;
/// what a failure takes, which costs about as many times what is saved otherwise; and for how many runs nobody tries then.
const PATIENCE: u32 = 64;
const FAILURE: u32 = 4;
const RENEWED: u32 = 16;
const REST: u32 = 2048;

/// What is known of runs of one layout that lie alike in their lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    /// See [`Shapes::find`](super::shape::Shapes::find).
    key: u64,
    layout: u32,
    pub(super) way: u32,
    accesses: usize,
    /// Cycles that the pipeline's clock moves on the way.
    pub(super) advance: u64,
    /// When the first access is made, from the beginning of the way on, and whether there are stores.
    pub(super) offset: u32,
    pub(super) stores: usize,
    /// Whether there is something to do again, and how often that was done, of late more than before.
    kept: bool,
    pub(super) times: u32,
    /// How often it was done again since it was last thought of as a shortcut.
    pub(super) since: u32,
    pub(super) repeat: Repeat,
    pub(super) made: Made,
    /// Episodes that it was, [`NONE`] where it did not wait, and how often each is to be counted.
    came_to: ArrayVec<(u32, u64), EPISODES>,
    /// The ones that were done again behind it the last times, the latest first.
    next: [usize; 2],
    /// How often in a row nothing could be done again, and for how many runs nobody tries to keep anything.
    failures: u32,
    pause: u32,
}

/// All that is kept.
#[derive(Clone, Debug)]
pub(super) struct Repeats {
    slots: Vec<Slot>,
    /// By hash, numbers of slots; [`SLOTS`] if there is none.
    places: Box<[u16; SLOTS]>,
    /// The slot that came last, and those that followed it the last times.
    last: usize,
    expected: [usize; 2],
    patience: u32,
    rest: u32,
}

impl Slot {
    /// Whether it should be tried now to keep what a run does, since nothing could be done again.
    fn tries(&mut self) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            return false;
        }
        self.failures = (self.failures + 1).min(FAILURES);
        self.pause = (1 << self.failures) >> 2;
        true
    }

    /// Adds what was not counted yet.
    fn add_to(&self, episodes: &Episodes, stats: &mut MemoryStats) {
        for (episode, times) in self.came_to.iter() {
            self.count(episodes.get(*episode), *times, stats);
        }
    }

    /// It has come to an episode so often in compiled code.
    fn add(&mut self, episode: u32, more: u64) {
        let mut known = self.came_to.iter_mut();
        let known = known.find(|(known, _)| *known == episode);
        debug_assert!(known.is_some(), "shortcuts are barred where nobody counts them");
        if let Some((_, times)) = known {
            *times += more;
        }
        self.times = self.times.saturating_add(more.min(u64::from(u32::MAX)) as u32);
        self.failures = 0;
    }

    /// It has come to an episode. False if that has not been counted before.
    #[inline(always)]
    fn come_to(&mut self, episode: u32) -> bool {
        for (known, times) in self.came_to.iter_mut() {
            if *known == episode {
                *times += 1;
                return true;
            }
        }
        false
    }

    fn run(&self) -> Run {
        Run {
            layout: self.layout,
            groups: self.repeat.groups as u32,
            found: self.repeat.found,
        }
    }

    /// Counts what the run comes to `times`.
    fn count(&self, episode: Option<&Episode>, times: u64, stats: &mut MemoryStats) {
        if times == 0 {
            return;
        }
        for hits in self.repeat.hits.iter() {
            stats.passed_in(hits.row, hits.stores.into(), times * u64::from(hits.count));
        }
        for (pc, redundant) in self.repeat.prefetches.iter() {
            stats.prefetch_issued(*pc, *redundant, times);
            stats.accesses += times;
        }
        let late = episode.map_or(0, |episode| episode.late);
        for (group, by) in self.repeat.first_uses.iter() {
            stats.prefetch_used(*by, late >> group & 1 != 0, times);
        }
        for charge in episode.iter().flat_map(|episode| &episode.charged) {
            stats.charge(self.repeat.touched[usize::from(charge.group)], charge, times);
        }
    }
}

impl Repeats {
    pub(super) fn new() -> Repeats {
        Repeats {
            slots: Vec::new(),
            places: Box::new([SLOTS as u16; SLOTS]),
            last: 0,
            expected: [0; 2],
            patience: PATIENCE,
            rest: 0,
        }
    }

    /// The slot for a key.
    fn find(&mut self, key: u64) -> usize {
        let place = &mut self.places[(mix(key) >> 54) as usize % SLOTS];
        if usize::from(*place) == SLOTS {
            *place = self.slots.len() as u16;
            self.slots.push(Slot {
                key,
                ..Slot::default()
            });
        }
        usize::from(*place)
    }

    /// Counts what a slot has come to.
    fn tell(&mut self, number: usize, episodes: &Episodes, stats: &mut MemoryStats) {
        let slot = &mut self.slots[number];
        slot.add_to(episodes, stats);
        slot.came_to.clear();
    }

    /// Of two slots for the same runs, the one that is to be emptied: what came less often of late.
    fn lesser(&mut self, slots: [usize; 2]) -> usize {
        let [one, other] = slots.map(|number| self.slots[number].times);
        let (lesser, greater) = match other < one {
            true => (slots[1], slots[0]),
            false => (slots[0], slots[1]),
        };
        self.slots[greater].times /= 2;
        lesser
    }

    /// Whether it should be tried to do something again. Where little comes again, trying costs more than it saves.
    #[inline(always)]
    fn are_worth_while(&mut self) -> bool {
        self.rest = self.rest.saturating_sub(1);
        self.rest == 0
    }

    /// Nothing could be done again.
    fn failed(&mut self) {
        self.patience = self.patience.saturating_sub(FAILURE);
        if self.patience == 0 {
            (self.patience, self.rest) = (RENEWED, REST);
        }
    }

    /// Something was done again.
    #[inline(always)]
    fn came(&mut self, number: usize) {
        self.patience = (self.patience + 1).min(PATIENCE);
        self.link(number);
    }

    #[inline(always)]
    fn link(&mut self, number: usize) {
        let [first, _] = self.expected;
        if number != first
            && let Some(last) = self.slots.get_mut(self.last)
        {
            last.next = [number, first];
        }
        self.last = number;
        self.expected = self.slots[number].next;
    }

    pub(super) fn get(&self, number: usize) -> Option<&Slot> {
        self.slots.get(number)
    }

    pub(super) fn slot(&mut self, number: usize) -> &mut Slot {
        &mut self.slots[number]
    }

    /// No slot has shortcuts any more.
    pub(super) fn forget_shortcuts(&mut self) {
        for slot in &mut self.slots {
            slot.made = Made::default();
        }
    }

    /// Compiled code has done a slot again so often, and came to an episode.
    pub(super) fn add(&mut self, number: usize, episode: u32, times: u64) {
        self.slots[number].add(episode, times);
        self.patience = (u64::from(self.patience) + times).min(PATIENCE.into()) as u32;
    }

    /// Compiled code has done a slot again the last time.
    pub(super) fn stand_behind(&mut self, number: usize) {
        (self.last, self.expected) = (number, self.slots[number].next);
    }

    /// Adds what was not counted yet.
    pub(super) fn add_to(&self, episodes: &Episodes, stats: &mut MemoryStats) {
        for slot in &self.slots {
            slot.add_to(episodes, stats);
        }
    }
}

impl MemoryModel {
    /// Nothing is done again that was done until now.
    pub(super) fn forget_repeats(&mut self) {
        self.repeats.add_to(&self.episodes, &mut self.lines.stats);
        self.repeats = Repeats::new();
        self.forget_shortcuts();
    }

    /// Follows `accesses`, all those of a way, which was left when the pipeline's clock together with memory's part of the
    /// time was at `end`, if they do what was expected of them. The cycles for which they froze the CPU.
    #[inline(always)]
    pub(crate) fn go_on(&mut self, way: u32, end: u64, accesses: &[Noted]) -> Option<u64> {
        if !self.repeats.are_worth_while() {
            return None;
        }
        let [first, second] = self.repeats.expected;
        match self.repeat(first, way, end, accesses) {
            None => self.repeat_other(second, way, end, accesses),
            cycles => cycles,
        }
    }

    #[inline(never)]
    fn repeat_other(&mut self, number: usize, way: u32, end: u64, accesses: &[Noted]) -> Option<u64> {
        self.repeat(number, way, end, accesses)
    }

    /// Does again what is in a slot, if that is for these accesses and is what happens. For the rest see
    /// [`MemoryModel::go_on`].
    #[inline(always)]
    fn repeat(&mut self, number: usize, way: u32, end: u64, accesses: &[Noted]) -> Option<u64> {
        let slot = self.repeats.slots.get_mut(number)?;
        if !(slot.kept && slot.way == way && slot.accesses == accesses.len()) {
            return None;
        }
        let cycle = end.wrapping_sub(slot.advance);
        let now = cycle + u64::from(slot.offset);
        if self.free_from[1] <= now {
            self.lines.last_line = NO_LINE;
        }
        let waits = slot.repeat.found != 0 || self.free_from[slot.stores] > now;
        let episode = match waits {
            true => self.episodes.known(cycle, &slot.run())?,
            false => NONE,
        };
        let address = |place: u8| {
            accesses
                .get(usize::from(place))
                .map_or(0, |access| access.address)
        };
        let measured = slot.repeat.measure(address)?;
        if !(measured.inside || self.enter_ranges(number, &measured)) {
            return None;
        }
        let slot = &mut self.repeats.slots[number];
        if !self.lines.again(&mut slot.repeat, &measured) {
            return None;
        }
        slot.failures = 0;
        slot.times = slot.times.saturating_add(1);
        slot.since = slot.since.saturating_add(1);
        let mut cycles = 0;
        if waits {
            let episode = self.episodes.come(episode, cycle);
            cycles = u64::from(episode.cycles);
            self.free_from = episode.free_from(cycle);
        }
        if !slot.come_to(episode) {
            self.come_first(number, episode, address);
        }
        self.repeats.came(number);
        self.passed_again(number, episode);
        Some(cycles)
    }

    /// What is in a slot is counted in other ranges from now on; false if it cannot be.
    #[inline(never)]
    fn enter_ranges(&mut self, number: usize, measured: &Measured) -> bool {
        self.bar_shortcuts(number);
        let stats = &mut self.lines.stats;
        self.repeats.tell(number, &self.episodes, stats);
        self.repeats.slots[number]
            .repeat
            .enter_ranges(&measured.moves, stats)
    }

    /// What is in a slot has come to an episode for the first time, or the first time for long.
    #[inline(never)]
    fn come_first(&mut self, number: usize, episode: u32, address: impl Fn(u8) -> u32) {
        if self.repeats.slots[number].came_to.is_full() {
            self.bar_shortcuts(number);
            self.repeats.tell(number, &self.episodes, &mut self.lines.stats);
        }
        let slot = &mut self.repeats.slots[number];
        let stats = &mut self.lines.stats;
        slot.came_to.push((episode, 0));
        let episode = self.episodes.get(episode);
        // PREFs are counted in the range of their address, which is there from the first one on that waits.
        for charge in episode.iter().flat_map(|episode| &episode.charged) {
            let touched = &mut slot.repeat.touched[usize::from(charge.group)];
            if *touched == Row::NONE {
                *touched = stats.find(address(charge.first));
            }
        }
        slot.count(episode, 1, stats);
    }

    /// Follows `these`, all accesses of a way, if they do again what was done before, or may do so the next time. Answers
    /// how many it has followed, and the cycles for which they froze the CPU. For the rest see [`MemoryModel::follow`].
    #[inline(never)]
    pub(crate) fn follow_again(
        &mut self,
        cycle: u64,
        advance: u32,
        these: Accesses<'_, Noted>,
        shape: &mut u32,
    ) -> (usize, u64) {
        let Some(first) = these.moments.first() else {
            return (0, 0);
        };
        let (count, offset) = (these.accesses.len(), first.offset);
        if self.repeats.rest > 0 || usize::from(first.plain) < count || !self.episodes.is_ready() {
            return (0, 0);
        }
        let (layout, key) = self.episodes.shapes.find(Accesses { ..these }, shape);
        // What such runs do mostly, and what they do besides.
        let keys = [key, !key];
        let numbers = keys.map(|key| self.repeats.find(key));
        let end = cycle + u64::from(advance);
        for (number, key) in numbers.into_iter().zip(keys) {
            if self.repeats.slots[number].key == key
                && let Some(cycles) = self.repeat(number, these.way, end, these.accesses)
            {
                return (count, cycles);
            }
        }
        self.repeats.failed();
        self.passed_anew();
        let whole = self.episodes.shapes.layout(layout).is_whole(count);
        let number = self.repeats.lesser(numbers);
        if !whole || !self.repeats.slots[number].tries() {
            return (0, 0);
        }
        self.drop_shortcuts(number);
        self.repeats.tell(number, &self.episodes, &mut self.lines.stats);
        let slot = &mut self.repeats.slots[number];
        slot.key = if number == numbers[0] { key } else { !key };
        (slot.layout, slot.way, slot.accesses) = (layout, these.way, count);
        (slot.offset, slot.advance) = (offset, advance.into());
        self.follow_to_keep(number, cycle, &these)
    }

    /// The same for a slot that is empty: keeps there what they do.
    fn follow_to_keep(&mut self, number: usize, cycle: u64, these: &Accesses<'_, Noted>) -> (usize, u64) {
        let slot = &mut self.repeats.slots[number];
        if self.free_from[1] <= cycle + u64::from(slot.offset) {
            self.lines.last_line = NO_LINE;
        }
        let layout = self.episodes.shapes.layout(slot.layout);
        let address = |group: &Group| these.address(group.anchor);
        let sight = self.lines.sight(layout, address);
        let (groups, found) = self.lines.look(layout, address);
        let all = layout.accesses(groups) == slot.accesses;
        slot.stores = layout.stores.into();
        (slot.times, slot.since) = (0, 0);
        slot.kept = all && slot.repeat.keep(layout, found, &sight, &self.lines, address);
        let (kept, layout) = (slot.kept, slot.layout);
        if kept {
            self.repeats.link(number);
        }
        let (passed, episode) = self.come_to(cycle, these, layout, groups, found);
        (passed, episode.map_or(0, |episode| episode.cycles.into()))
    }
}
