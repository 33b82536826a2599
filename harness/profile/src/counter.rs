//! The counting mode: the same cycles and events without saying where.

use crate::calls::Calls;
use crate::cause::Cause;
use crate::code::{Code, Codes};
use crate::counts::Counts;
use crate::events::{ELAPSED, EventCounts};
use crate::flow::{Books, Flow};
use crate::ledger::Ledger;
use crate::memory::{Episode, MemoryModel, Stall};
use crate::outcome::Outcomes;
use crate::profiler::{Profile, Setup, single};
use crate::step::Steps;
use sh4::meter::Meter;
use sh4::{Observer, Retired, Stretch};

/// Totals: those of edges that are gone, and all freezes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Totals {
    ledger: Ledger,
    counts: Counts,
}

impl Books for Totals {
    fn memory(&mut self, _code: &Code, _index: u8, stall: &Stall, _misses: (u64, u64)) {
        for (cause, cycles) in stall.parts() {
            self.ledger.freeze(cause, cycles);
        }
    }

    /// The memory model knows how often each came.
    fn episode(&mut self, _codes: &Codes, _code: u32, _episode: &Episode) {}

    fn fold(&mut self, codes: &Codes, outcomes: &Outcomes) {
        outcomes.add_to(codes, &mut self.ledger, &mut self.counts);
    }
}

/// Listens to a run and counts.
#[derive(Clone, Debug)]
pub struct Counter {
    setup: Setup,
    pub(crate) flow: Flow,
    pub(crate) totals: Totals,
}

impl Counter {
    /// An empty pipeline and empty caches. A region in `setup` is not regarded: this mode counts whole runs.
    #[must_use]
    pub fn new(setup: Setup) -> Counter {
        Counter {
            flow: Flow::new(&setup),
            totals: Totals::default(),
            setup,
        }
    }

    /// Forgets all counts but keeps the caches' contents: for a second, warm run.
    pub fn restart(&mut self) {
        let flow = std::mem::replace(&mut self.flow, Flow::new(&self.setup));
        self.flow = flow.restart(&self.setup);
        self.totals = Totals::default();
    }

    /// The hardware's events so far: what PMCTR would read now.
    #[must_use]
    pub fn events(&self) -> EventCounts {
        let (ledger, counts) = self.so_far();
        EventCounts::new(
            &ledger,
            &counts,
            &self.flow.memory.stats(),
            &self.setup.parameters,
        )
    }

    fn so_far(&self) -> (Ledger, Counts) {
        let (mut ledger, mut counts) = (self.totals.ledger, self.totals.counts);
        self.flow.add_to(&mut ledger, &mut counts);
        for (cause, cycles) in self.flow.memory.frozen_in_runs().parts() {
            ledger.freeze(cause, cycles);
        }
        (ledger, counts)
    }

    /// The memory model, to bring its caches into a state of one's choice.
    pub fn memory_mut(&mut self) -> &mut MemoryModel {
        &mut self.flow.memory
    }

    /// Closes the books. What the explaining mode alone knows is empty.
    #[must_use]
    pub fn finish(self) -> Profile {
        let (mut ledger, counts) = self.so_far();
        ledger.lose(Cause::End, self.flow.pipeline().unfilled(), 0);
        let memory = self.flow.memory.stats();
        Profile {
            events: EventCounts::new(&ledger, &counts, &memory, &self.setup.parameters),
            ledger,
            counts,
            memory,
            sites: Vec::new(),
            calls: Calls::default(),
            steps: Steps::default(),
            chain: None,
            interval: None,
            entered: 1,
            changed_code: self.flow.changed_code,
            last_pc: self.flow.last_pc(),
            setup: self.setup,
        }
    }
}

impl Observer for Counter {
    const COUNTS: bool = true;

    fn retire(&mut self, event: &Retired<'_>) {
        self.ran(&Stretch::single(event, &single(event)));
    }

    fn ran(&mut self, stretch: &Stretch<'_>) {
        self.flow.make_room(&mut self.totals);
        self.flow.pass(stretch, &mut self.totals);
    }

    fn count(&mut self, event: u8) -> Option<u64> {
        if event == ELAPSED {
            return Some(self.flow.clock.slots / 2);
        }
        self.events().get(event)
    }

    fn meter(&mut self) -> Option<&mut dyn Meter> {
        Some(self)
    }
}
