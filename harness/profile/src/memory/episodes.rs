//! All episodes that are known, and which of them a run is.

use super::bus::Slaves;
use super::counting::Traffic;
use super::episode::{Episode, IDLE, Key, NONE, Run, follow};
use super::shape::Shapes;
use super::stall::Frozen;
use super::ticks::Ticks;
use super::timing::{State, Timing};
use crate::hash::NumberMap;
use crate::outcome::Moment;

/// Episodes and states that are kept before all are worked out anew: memory use stays flat.
const MOST: usize = 1 << 14;
/// Runs recognised that pay for one that has to be worked out, and how many may be saved up. Where nothing comes again,
/// accesses are cheaper one by one.
const PRICE: u32 = 16;
const SAVINGS: u32 = 4096;

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
