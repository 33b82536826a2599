//! Runs of loads and stores: how long they wait is worked out once for each way in which they can go.
//!
//! What a run waits for depends on the moments of its accesses, which a way through code has once and for all; on what each
//! of them finds in the cache; and on what is under way before. The same comes again and again: the run has only to be
//! recognised.

use super::bus::{RowCounts, Slaves};
use super::counting::Traffic;
use super::found::Found;
use super::shape::{Group, Layout, Shapes};
use super::stall::{Frozen, Stall, Wait};
use super::ticks::Ticks;
use super::timing::{Finds, State, Timing};
use crate::hash::NumberMap;
use crate::outcome::Moment;

/// Episodes and states that are kept before all are worked out anew: memory use stays flat.
const MOST: usize = 1 << 14;
const NONE: u32 = u32::MAX;
/// Runs recognised that pay for one that has to be worked out, and how many may be saved up. Where nothing comes again,
/// accesses are cheaper one by one.
const PRICE: u32 = 16;
const SAVINGS: u32 = 4096;

/// A run of accesses, as far as its waiting depends on it: how they fall into lines, how many groups of them there are, and
/// what these find.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) layout: u32,
    pub(super) groups: u32,
    pub(super) found: u64,
}

/// A run, and what is under way: a state and the cycles since then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key([u64; 3]);

impl Key {
    /// Equality word by word: they have just been written so, and a wider load would have to wait for that.
    #[inline(always)]
    fn is(&self, other: &Key) -> bool {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        (a ^ d) | (b ^ e) | (c ^ f) == 0
    }

    #[inline(always)]
    fn new(state: u32, distance: u32, run: &Run) -> Key {
        Key([
            u64::from(state) | u64::from(distance) << 32,
            u64::from(run.layout) | u64::from(run.groups) << 32,
            run.found,
        ])
    }
}

/// An access that had to wait.
#[derive(Clone, Debug)]
pub(crate) struct Waited {
    /// The instruction's place in the code.
    pub(crate) index: u8,
    pub(crate) missed: bool,
    pub(crate) stall: Stall,
}

/// What a group has come to, for the range of its line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Charge {
    /// Cycles that it waited.
    pub(super) cycles: u32,
    pub(super) group: u8,
    /// The place of its first access in the run.
    pub(super) first: u8,
    pub(super) stores: bool,
    /// Accesses if it missed, else 0: then they are counted in its line.
    pub(super) accesses: u8,
}

/// A run as it went.
#[derive(Clone, Debug)]
pub(crate) struct Episode {
    key: Key,
    /// How often it came since the last [`Episodes::settle`].
    times: u64,
    /// What is under way behind it, for how many cycles that matters, and from which cycle on loads and stores pass, counted
    /// from there.
    state: u32,
    horizon: u64,
    free_from: [u32; 2],
    /// All waiting.
    pub(crate) cycles: u32,
    /// Groups that came to a line before it was there: the lowest bit is the first.
    pub(super) late: u16,
    /// The episodes that followed the last times, the latest first.
    next: [u32; 2],
    /// Groups that waited or missed.
    pub(super) charged: Box<[Charge]>,
    course: Box<Course>,
}

/// What happens in it, as far as that is asked for later.
#[derive(Clone, Debug)]
struct Course {
    /// All waiting, and by access.
    stall: Stall,
    waited: Box<[Waited]>,
    traffic: Traffic,
}

impl Episode {
    /// The accesses that had to wait.
    pub(crate) fn waited(&self) -> &[Waited] {
        &self.course.waited
    }

    /// What was under way: nothing, or a state and the cycles since then.
    pub(super) fn under_way(&self) -> Option<(u32, u32)> {
        let [state, distance] = [self.key.0[0] as u32, (self.key.0[0] >> 32) as u32];
        (state != IDLE).then_some((state, distance))
    }

    /// What is under way behind it, for how many cycles that matters, and after how many loads and stores pass.
    pub(super) fn leaves(&self) -> (u32, u64, [u32; 2]) {
        (self.state, self.horizon, self.free_from)
    }

    /// From which cycle on loads and stores pass, if it was from `cycle` on.
    #[inline(always)]
    pub(super) fn free_from(&self, cycle: u64) -> [u64; 2] {
        let end = cycle + u64::from(self.cycles);
        self.free_from.map(|from| end + u64::from(from))
    }
}

/// What runs came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) traffic: Traffic,
    pub(super) frozen: Frozen,
}

/// All that are known, and what is under way.
#[derive(Clone, Debug)]
pub(super) struct Episodes {
    states: Vec<State>,
    /// Cycles after which nothing of a state matters any more.
    horizons: Vec<u64>,
    numbers: NumberMap<State, u32>,
    pub(super) shapes: Shapes,
    all: Vec<Episode>,
    by_key: NumberMap<Key, u32>,
    /// The state, if what is under way is known here and not in [`Timing`], and the cycle in which it was.
    state: u32,
    cycle: u64,
    /// Cycles from then on after which nothing of it matters any more.
    horizon: u64,
    /// The episode that passed last, and those that followed it the last times.
    last: u32,
    expected: [u32; 2],
    /// Runs that were looked for since savings were last counted, and these.
    runs: u32,
    savings: u32,
    /// Whether there are none, or too much is known.
    hindered: bool,
}

/// The state in which nothing is under way.
const IDLE: u32 = 0;
/// A cycle that no run comes to.
const END: u64 = 1 << 56;

impl Episodes {
    pub(super) fn new(timing: &Timing) -> Episodes {
        let mut episodes = Episodes {
            states: Vec::new(),
            horizons: Vec::new(),
            numbers: NumberMap::default(),
            shapes: Shapes::new(),
            all: Vec::new(),
            by_key: NumberMap::default(),
            state: NONE,
            cycle: 0,
            horizon: 0,
            last: NONE,
            expected: [NONE; 2],
            runs: 0,
            savings: SAVINGS,
            hindered: false,
        };
        // Whatever is under way is past at the end of time.
        episodes.number(timing.state(END));
        episodes
    }

    /// Forgets all. What is under way has to be known elsewhere.
    pub(super) fn forget(&mut self, timing: &Timing) {
        *self = Episodes::new(timing);
    }

    /// Whether a run may be looked for at once. Otherwise [`Episodes::is_full`] and [`Episodes::affordable`] are to be asked.
    #[inline(always)]
    pub(super) fn is_ready(&mut self) -> bool {
        self.runs = self.runs.wrapping_add(1);
        !(self.hindered | self.shapes.grown)
    }

    /// Whether a run may be looked for. If not, its first access has to be followed by itself.
    #[cold]
    pub(super) fn affordable(&mut self) -> bool {
        self.save();
        self.shapes.grown = false;
        self.hindered = self.savings <= PRICE || self.is_full();
        self.savings > PRICE
    }

    fn save(&mut self) {
        let runs = std::mem::take(&mut self.runs);
        self.savings = self.savings.saturating_add(runs).min(SAVINGS);
    }

    /// One has to be worked out.
    fn pay(&mut self) {
        self.save();
        self.savings = self.savings.saturating_sub(PRICE);
        self.hindered = true;
    }

    /// Lets `timing` know what is under way, if it does not.
    #[inline(always)]
    pub(super) fn unfold(&mut self, timing: &mut Timing) {
        if self.state != NONE {
            timing.resume(&self.states[self.state as usize], self.cycle);
            (self.state, self.last, self.expected) = (NONE, NONE, [NONE; 2]);
        }
    }

    /// When the bus is free, if that is known here.
    pub(super) fn bus_free(&self, timing: &Timing) -> Ticks {
        let mut timing = timing.clone();
        self.clone().unfold(&mut timing);
        timing.bus.free
    }

    fn number(&mut self, state: State) -> u32 {
        if let Some(number) = self.numbers.get(&state) {
            return *number;
        }
        let number = self.states.len() as u32;
        self.horizons.push(state.horizon());
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        number
    }

    /// The state at `cycle`: one, and the cycles since then.
    #[inline(always)]
    fn present(&mut self, cycle: u64, timing: &Timing) -> (u32, u32) {
        if self.state == NONE {
            self.fold(cycle, timing);
        }
        self.since(cycle)
    }

    /// The same if that is known here.
    #[inline(always)]
    fn since(&self, cycle: u64) -> (u32, u32) {
        let distance = cycle - self.cycle;
        if distance >= self.horizon {
            return (IDLE, 0);
        }
        (self.state, distance as u32)
    }

    /// Takes over from `timing` what is under way in `cycle`.
    #[inline(never)]
    fn fold(&mut self, cycle: u64, timing: &Timing) {
        (self.state, self.cycle) = (self.number(timing.state(cycle)), cycle);
        self.horizon = self.horizons[self.state as usize];
    }

    /// The episode that `run` is, from `cycle` on, whose accesses have the first of `moments`; it has passed now.
    #[inline(always)]
    pub(super) fn pass(
        &mut self,
        cycle: u64,
        run: &Run,
        moments: &[Moment],
        timing: &mut Timing,
        slaves: &Slaves,
    ) -> &Episode {
        let (state, distance) = self.present(cycle, timing);
        let key = Key::new(state, distance, run);
        let episode = match self.expects(&key) {
            Some(episode) => episode,
            None => self.look_up(key, cycle, *run, moments, timing, slaves),
        };
        self.come(episode, cycle)
    }

    /// The number of the episode that `run` is from `cycle` on, if that is known.
    #[inline(always)]
    pub(super) fn known(&self, cycle: u64, run: &Run) -> Option<u32> {
        if self.state == NONE {
            return None;
        }
        let (state, distance) = self.since(cycle);
        let key = Key::new(state, distance, run);
        self.expects(&key).or_else(|| self.find(&key))
    }

    /// The episode of a key, if it has followed the last one of late.
    #[inline(always)]
    fn expects(&self, key: &Key) -> Option<u32> {
        let is_it = |number: &u32| {
            let episode = self.all.get(*number as usize);
            episode.is_some_and(|episode| episode.key.is(key))
        };
        let [first, second] = self.expected;
        match is_it(&first) {
            true => Some(first),
            false => Some(second).filter(is_it),
        }
    }

    #[inline(never)]
    fn find(&self, key: &Key) -> Option<u32> {
        self.by_key.get(key).copied()
    }

    /// An episode passes, from `cycle` on.
    #[inline(always)]
    pub(super) fn come(&mut self, number: u32, cycle: u64) -> &Episode {
        let [first, _] = self.expected;
        if number != first
            && let Some(last) = self.all.get_mut(self.last as usize)
        {
            last.next = [number, first];
        }
        self.last = number;
        let episode = &mut self.all[number as usize];
        episode.times += 1;
        (self.state, self.horizon, self.expected) = (episode.state, episode.horizon, episode.next);
        self.cycle = cycle + u64::from(episode.cycles);
        episode
    }

    /// A state, since when, and for how many cycles it matters, if that is known here.
    pub(super) fn under_way(&self) -> Option<(u32, u64, u64)> {
        (self.state != NONE).then_some((self.state, self.cycle, self.horizon))
    }

    /// Compiled code has come to the end of an episode, in this cycle.
    pub(super) fn stand_behind(&mut self, number: u32, cycle: u64) {
        let episode = &self.all[number as usize];
        (self.state, self.horizon, self.expected) = (episode.state, episode.horizon, episode.next);
        (self.last, self.cycle) = (number, cycle);
    }

    /// An episode has passed so often in compiled code.
    pub(super) fn add(&mut self, number: u32, times: u64) {
        self.all[number as usize].times += times;
    }

    /// The episode with a number, if that is one.
    #[inline(always)]
    pub(super) fn get(&self, number: u32) -> Option<&Episode> {
        self.all.get(number as usize)
    }

    #[inline(never)]
    fn look_up(
        &mut self,
        key: Key,
        cycle: u64,
        run: Run,
        moments: &[Moment],
        timing: &mut Timing,
        slaves: &Slaves,
    ) -> u32 {
        match self.by_key.get(&key) {
            Some(number) => *number,
            None => {
                self.pay();
                let counted = timing.exchange_counts(<_>::default());
                self.unfold(timing);
                let layout = self.shapes.layout(run.layout);
                let (mut episode, end) = follow(key, cycle, &run, moments, layout, timing, slaves);
                episode.state = self.number(timing.state(end));
                episode.horizon = self.horizons[episode.state as usize];
                episode.free_from = timing.free_from().map(|from| from.saturating_sub(end) as u32);
                let (bus, fills) = timing.exchange_counts(counted);
                (episode.course.traffic.bus, episode.course.traffic.fills) = (bus, fills);
                self.all.push(episode);
                let number = self.all.len() as u32 - 1;
                self.by_key.insert(key, number);
                number
            }
        }
    }

    /// What all runs came to since the last time this was settled.
    pub(super) fn sum(&self) -> Sum {
        let mut sum = Sum::default();
        for episode in self.all.iter().filter(|episode| episode.times > 0) {
            sum.traffic.add_times(&episode.course.traffic, episode.times);
            sum.frozen.add_times(&episode.course.stall, episode.times);
        }
        sum
    }

    /// The same; it is taken from here.
    pub(super) fn settle(&mut self) -> Sum {
        let sum = self.sum();
        self.all.iter_mut().for_each(|episode| episode.times = 0);
        sum
    }

    /// Whether it should forget all.
    pub(super) fn is_full(&self) -> bool {
        self.all.len() >= MOST || self.states.len() >= MOST || self.shapes.is_full(MOST)
    }
}

/// Follows a run access by access. Answers also the cycle in which it ends; what is said of the state there has to be put
/// in.
fn follow(
    key: Key,
    cycle: u64,
    run: &Run,
    moments: &[Moment],
    layout: &Layout,
    timing: &mut Timing,
    slaves: &Slaves,
) -> (Episode, u64) {
    let (mut all, mut waited, mut charged, mut late) = (Stall::NONE, Vec::new(), Vec::new(), 0);
    let (mut rows, mut brought) = (RowCounts::default(), [0; 2]);
    for (number, group) in layout.groups().iter().take(run.groups as usize).enumerate() {
        let found = Found::of(run.found, number);
        found.count_rows(&mut rows);
        let before = all.cycles;
        let first = usize::from(group.first);
        let mine = moments.iter().enumerate().skip(first);
        for (place, moment) in mine.take(group.count.into()) {
            let leads = place == first;
            let finds = if leads {
                found.finds(slaves)
            } else {
                found.behind(|first| layout.beat(place, first))
            };
            let mut stall = Stall::NONE;
            let now = cycle + all.cycles + u64::from(moment.offset);
            let waits = access(group, &finds, timing, &mut Wait::new(now, &mut stall));
            late |= u16::from(leads && waits) << number;
            all.join(&stall);
            let missed = leads && found.missed() && !group.prefetches;
            if stall.cycles > 0 || missed {
                waited.push(Waited {
                    index: moment.index,
                    missed,
                    stall,
                });
            }
        }
        let missed = found.missed() && !group.prefetches;
        if missed {
            brought[usize::from(group.stores)] += u64::from(group.count);
        }
        if missed || all.cycles > before {
            charged.push(Charge {
                cycles: (all.cycles - before) as u32,
                group: number as u8,
                first: group.first,
                stores: group.stores,
                accesses: if missed { group.count } else { 0 },
            });
        }
    }
    let episode = Episode {
        key,
        times: 0,
        state: NONE,
        horizon: 0,
        free_from: [0; 2],
        cycles: all.cycles as u32,
        late,
        next: [NONE; 2],
        charged: charged.into(),
        course: Box::new(Course {
            stall: all,
            waited: waited.into(),
            traffic: Traffic {
                rows,
                brought,
                ..Traffic::default()
            },
        }),
    };
    (episode, cycle + all.cycles)
}

/// An access of a group. Whether a load or store waits for its line.
fn access(group: &Group, finds: &Finds, timing: &mut Timing, wait: &mut Wait<'_>) -> bool {
    if !group.prefetches {
        return timing.plain(group.stores, finds, wait);
    }
    timing.begin(wait);
    if let Finds::Other(change) = finds {
        timing.prefetch(change, wait);
    }
    false
}
