//! The table of memoised stalls.

use super::edges::TimedAccess;
use super::layout::LayoutTable;
use super::stall::{ClassifiedRun, IDLE, Key, MemoizedStall, NONE, work_out};
use crate::hash::NumberMap;
use crate::memory::Traffic;
use crate::memory::bus::BusTargets;
use crate::memory::stall::FreezeTotals;
use crate::memory::transfers::{TransferState, Transfers};

/// Stalls and states that are kept before all are dropped: memory use stays flat.
const MOST: usize = 1 << 14;
/// Working out a stall costs this many lookups. Lookups save up to [`SAVINGS`]. Where nothing comes again,
/// the plain model is faster.
const PRICE: u32 = 16;
const SAVINGS: u32 = 4096;
/// A cycle that no run reaches.
const END: u64 = 1 << 56;

/// The sum of the stalls that came.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StallSum {
    pub(crate) traffic: Traffic,
    pub(crate) frozen: FreezeTotals,
}

/// All known stalls, and the state of the transfers.
#[derive(Clone, Debug)]
pub(crate) struct StallTable {
    states: Vec<TransferState>,
    /// For each state the cycles after which it is as good as [`IDLE`].
    horizons: Vec<u64>,
    numbers: NumberMap<TransferState, u32>,
    pub(crate) layouts: LayoutTable,
    all: Vec<MemoizedStall>,
    by_key: NumberMap<Key, u32>,
    /// The present state, the cycle in which it began, and its horizon. [`NONE`] while [`Transfers`] has it.
    state: u32,
    cycle: u64,
    horizon: u64,
    /// The last stall, and the ones that followed it the last times.
    last: u32,
    expected: [u32; 2],
    /// Lookups since savings were counted, and these.
    lookups: u32,
    savings: u32,
    /// Whether savings are low or the table is full.
    hindered: bool,
}

impl StallTable {
    pub(crate) fn new(transfers: &Transfers) -> StallTable {
        let mut table = StallTable {
            states: Vec::new(),
            horizons: Vec::new(),
            numbers: NumberMap::default(),
            layouts: LayoutTable::new(),
            all: Vec::new(),
            by_key: NumberMap::default(),
            state: NONE,
            cycle: 0,
            horizon: 0,
            last: NONE,
            expected: [NONE; 2],
            lookups: 0,
            savings: SAVINGS,
            hindered: false,
        };
        // No transfer lasts so long: this is the state IDLE.
        table.number(transfers.state(END));
        table
    }

    /// Drops everything. The plain model has the state of the transfers.
    pub(crate) fn forget(&mut self, transfers: &Transfers) {
        *self = StallTable::new(transfers);
    }

    /// Counts a lookup, and returns whether it may be made at once. If not, [`StallTable::is_full`] and
    /// [`StallTable::affordable`] decide.
    #[inline(always)]
    pub(crate) fn is_ready(&mut self) -> bool {
        self.lookups = self.lookups.wrapping_add(1);
        !(self.hindered | self.layouts.grown)
    }

    /// Whether a lookup may be made. If not, the plain model follows the next access.
    #[cold]
    pub(crate) fn affordable(&mut self) -> bool {
        self.save();
        self.layouts.grown = false;
        self.hindered = self.savings <= PRICE || self.is_full();
        self.savings > PRICE
    }

    fn save(&mut self) {
        let lookups = std::mem::take(&mut self.lookups);
        self.savings = self.savings.saturating_add(lookups).min(SAVINGS);
    }

    /// A stall has to be worked out.
    fn pay(&mut self) {
        self.save();
        self.savings = self.savings.saturating_sub(PRICE);
        self.hindered = true;
    }

    /// Gives the present state back to `transfers`.
    #[inline(always)]
    pub(crate) fn materialize(&mut self, transfers: &mut Transfers) {
        if self.state != NONE {
            transfers.resume(&self.states[self.state as usize], self.cycle);
            (self.state, self.last, self.expected) = (NONE, NONE, [NONE; 2]);
        }
    }

    fn number(&mut self, state: TransferState) -> u32 {
        if let Some(number) = self.numbers.get(&state) {
            return *number;
        }
        let number = self.states.len() as u32;
        self.horizons.push(state.horizon());
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        number
    }

    /// The state in `cycle`, and the cycles since it began.
    #[inline(always)]
    fn present(&mut self, cycle: u64, transfers: &Transfers) -> (u32, u32) {
        if self.state == NONE {
            self.import_state(cycle, transfers);
        }
        let distance = cycle - self.cycle;
        if distance >= self.horizon {
            return (IDLE, 0);
        }
        (self.state, distance as u32)
    }

    /// Takes over the state that `transfers` has in `cycle`.
    #[inline(never)]
    fn import_state(&mut self, cycle: u64, transfers: &Transfers) {
        (self.state, self.cycle) = (self.number(transfers.state(cycle)), cycle);
        self.horizon = self.horizons[self.state as usize];
    }

    /// Passes through `run` from `cycle` on, whose accesses have the first of `moments`. Returns its stall.
    #[inline(always)]
    pub(crate) fn pass(
        &mut self,
        cycle: u64,
        run: &ClassifiedRun,
        moments: &[TimedAccess],
        transfers: &mut Transfers,
        targets: &BusTargets,
    ) -> &MemoizedStall {
        let (state, distance) = self.present(cycle, transfers);
        let key = Key::new(state, distance, run);
        let number = match self.expects(&key) {
            Some(number) => number,
            None => self.look_up(key, cycle, *run, moments, transfers, targets),
        };
        self.follow(number);
        let stall = &mut self.all[number as usize];
        stall.times += 1;
        (self.state, self.horizon, self.expected) = (stall.state, stall.horizon, stall.next);
        self.cycle = cycle + u64::from(stall.cycles);
        stall
    }

    /// The stall of a key, if it followed the last one recently.
    #[inline(always)]
    fn expects(&self, key: &Key) -> Option<u32> {
        let is_it = |number: &u32| {
            let stall = self.all.get(*number as usize);
            stall.is_some_and(|stall| stall.key.is(key))
        };
        let [first, second] = self.expected;
        match is_it(&first) {
            true => Some(first),
            false => Some(second).filter(is_it),
        }
    }

    /// Notes which stall follows the last one.
    #[inline(always)]
    fn follow(&mut self, number: u32) {
        let [first, _] = self.expected;
        if number != first
            && let Some(last) = self.all.get_mut(self.last as usize)
        {
            last.next = [number, first];
        }
        self.last = number;
    }

    #[inline(never)]
    fn look_up(
        &mut self,
        key: Key,
        cycle: u64,
        run: ClassifiedRun,
        moments: &[TimedAccess],
        transfers: &mut Transfers,
        targets: &BusTargets,
    ) -> u32 {
        match self.by_key.get(&key) {
            Some(number) => *number,
            None => self.add(key, cycle, run, moments, transfers, targets),
        }
    }

    /// Works out a stall with the plain model's transfers.
    fn add(
        &mut self,
        key: Key,
        cycle: u64,
        run: ClassifiedRun,
        moments: &[TimedAccess],
        transfers: &mut Transfers,
        targets: &BusTargets,
    ) -> u32 {
        self.pay();
        let counted = transfers.exchange_counts(<_>::default());
        self.materialize(transfers);
        let layout = self.layouts.get(run.layout);
        let (mut stall, end) = work_out(key, cycle, &run, moments, layout, transfers, targets);
        let state = self.number(transfers.state(end));
        let (bus, fills) = transfers.exchange_counts(counted);
        let traffic = Traffic {
            bus,
            fills,
            ..Traffic::default()
        };
        stall.end_in(state, self.horizons[state as usize], end, transfers, traffic);
        let number = self.all.len() as u32;
        self.all.push(stall);
        self.by_key.insert(key, number);
        number
    }

    /// The sum of all stalls since the last [`StallTable::settle`].
    pub(crate) fn sum(&self) -> StallSum {
        let mut sum = StallSum::default();
        for stall in self.all.iter().filter(|stall| stall.times > 0) {
            sum.traffic.add_times(stall.traffic(), stall.times);
            sum.frozen.add_times(stall.stall(), stall.times);
        }
        sum
    }

    /// The same; the counts begin anew.
    pub(crate) fn settle(&mut self) -> StallSum {
        let sum = self.sum();
        self.all.iter_mut().for_each(|stall| stall.times = 0);
        sum
    }

    /// Whether everything should be dropped.
    pub(crate) fn is_full(&self) -> bool {
        self.all.len() >= MOST || self.states.len() >= MOST || self.layouts.is_full(MOST)
    }
}
