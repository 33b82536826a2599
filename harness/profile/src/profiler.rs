//! The explaining mode: every lost slot booked to its instruction.

use crate::calls::Calls;
use crate::code::Path;
use crate::counts::Counts;
use crate::cycles::Cycles;
use crate::events::{ELAPSED, EventCounts};
use crate::explain::Explained;
use crate::flow::Flow;
use crate::ledger::Ledger;
use crate::memory::{Aside, CacheSettings, MemoryModel, MemoryStats};
use crate::parameters::Parameters;
use crate::shadow::Shadow;
use crate::site::Site;
use crate::step::Steps;
use sh4::{Observer, Op, Retired, Stretch};

/// How a run is to be looked at.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The open figures.
    pub parameters: Parameters,
    /// The caches at the start; stores to CCR change them.
    pub caches: CacheSettings,
    /// QACR0 and QACR1 at the start; stores there change them.
    pub qacr: [u32; 2],
    /// Only from the first address to the second, every time execution comes to the first.
    pub region: Option<(u32, u32)>,
}

/// Listens to a run and knows afterwards where its cycles went.
#[derive(Clone, Debug)]
pub struct Profiler {
    setup: Setup,
    flow: Flow,
    explained: Explained,
    /// The pipeline at both ends of the open figures.
    shadows: Option<Box<[Shadow; 2]>>,
    /// The cycle in which this run began.
    start: u64,
    aside: Aside,
    entered: u64,
}

impl Profiler {
    /// An empty pipeline and empty caches.
    #[must_use]
    pub fn new(setup: Setup) -> Profiler {
        let ends = [setup.parameters.fastest(), setup.parameters.slowest()];
        let mut flow = Flow::new(&setup);
        flow.clock.active = setup.region.is_none();
        Profiler {
            explained: Explained::new(&setup.parameters),
            shadows: Some(Box::new(ends.map(|parameters| Shadow::new(&parameters)))),
            start: 0,
            aside: Aside::default(),
            entered: u64::from(flow.clock.active),
            flow,
            setup,
        }
    }

    /// The same without the interval that the open figures leave.
    #[must_use]
    pub fn without_interval(mut self) -> Profiler {
        self.shadows = None;
        self
    }

    /// Forgets all costs but keeps the caches' contents: for a second, warm run.
    pub fn restart(&mut self) {
        let fresh = Profiler::new(self.setup.clone());
        let flow = std::mem::replace(&mut self.flow, Flow::new(&self.setup));
        let interval = self.shadows.is_some();
        *self = Profiler {
            // The bus's clock goes on where it was: a fill in flight ends when it would have.
            start: flow.end(),
            flow: flow.restart(&self.setup),
            ..fresh
        };
        self.flow.clock.active = self.setup.region.is_none();
        if !interval {
            self.shadows = None;
        }
    }

    /// The memory model, to bring its caches into a state of one's choice.
    pub fn memory_mut(&mut self) -> &mut MemoryModel {
        &mut self.flow.memory
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
        let (mut ledger, mut counts) = (self.explained.ledger, self.explained.counts);
        self.flow.add_to(&mut ledger, &mut counts);
        (ledger, counts)
    }

    /// Cycles since the start of the run, memory stalls included.
    #[must_use]
    pub fn clock(&self) -> Cycles {
        Cycles(self.flow.end() - self.start)
    }
}

impl Observer for Profiler {
    const COUNTS: bool = true;

    fn retire(&mut self, event: &Retired<'_>) {
        self.ran(&Stretch::single(event, &single(event)));
    }

    fn ran(&mut self, stretch: &Stretch<'_>) {
        self.flow.make_room(&mut self.explained);
        match self.setup.region {
            None => self.pass(stretch),
            Some(region) => self.pass_region(stretch, region),
        }
    }

    fn count(&mut self, event: u8) -> Option<u64> {
        if event == ELAPSED {
            return Some(self.flow.clock.slots / 2);
        }
        self.events().get(event)
    }
}

/// What an instruction was decoded to, as far as costs depend on it.
pub(crate) fn single(event: &Retired<'_>) -> Op {
    Op {
        id: event.id,
        n: event.n,
        m: event.m,
        imm: 0,
    }
}

impl Profiler {
    fn pass(&mut self, stretch: &Stretch<'_>) {
        let (now, slots) = (self.flow.clock.now(), self.flow.clock.slots);
        self.explained.arrive(stretch, self.flow.clock.active);
        let edge = self.flow.pass(stretch, &mut self.explained);
        if let Some(shadows) = &mut self.shadows {
            let flow = &self.flow;
            let code = flow.outcomes.all[edge as usize].code;
            for shadow in shadows.iter_mut() {
                shadow.pass(&flow.codes, flow.serial.number(), code, Path::of(stretch));
            }
        }
        self.explained.book(edge, &self.flow, now - self.start, slots);
    }

    /// The same where the measured region may begin or end inside.
    fn pass_region(&mut self, stretch: &Stretch<'_>, region: (u32, u32)) {
        let mut rest = stretch.clone();
        while let Some(place) = self.flow.border(&rest, region) {
            if place > rest.ran.start {
                let (before, behind) = rest.split(place);
                self.pass(&before);
                rest = behind;
            }
            self.toggle();
            if rest.ran.len() < 2 {
                break;
            }
            let (first, behind) = rest.split(rest.ran.start + 1);
            self.pass(&first);
            rest = behind;
        }
        if !rest.ran.is_empty() {
            self.pass(&rest);
        }
    }

    /// Begins or ends the measured region.
    fn toggle(&mut self) {
        let inside = !self.flow.clock.active;
        self.flow.clock.active = inside;
        self.flow.memory.exchange_stats(&mut self.aside);
        self.entered += u64::from(inside);
        for shadow in self.shadows.iter_mut().flat_map(|shadows| shadows.iter_mut()) {
            shadow.toggle(inside);
        }
    }

    /// Closes the books.
    #[must_use]
    pub fn finish(mut self) -> Profile {
        let unfilled = if self.flow.clock.active {
            self.flow.pipeline().unfilled()
        } else {
            0
        };
        if !self.flow.clock.active {
            // What was counted inside stands aside.
            self.flow.memory.exchange_stats(&mut self.aside);
        }
        let mut explained = self.explained;
        explained.finish(&self.flow, unfilled);
        explained.reorder();
        let memory = self.flow.memory.stats();
        let here = explained.ledger.cycles();
        let frozen = explained.ledger.frozen();
        let interval = self.shadows.map(|shadows| {
            let ends = shadows.map(|shadow| Cycles(shadow.finish(self.flow.clock.active)) + frozen);
            // Issue in order is not monotonic: a later instruction can let two others pair.
            [ends[0].min(ends[1]).min(here), ends[0].max(ends[1]).max(here)]
        });
        Profile {
            events: EventCounts::new(
                &explained.ledger,
                &explained.counts,
                &memory,
                &self.setup.parameters,
            ),
            ledger: explained.ledger,
            counts: explained.counts,
            memory,
            sites: explained.sites.all,
            calls: explained.calls,
            steps: explained.trail.steps,
            chain: Some(explained.chain.length()),
            interval,
            entered: self.entered,
            changed_code: self.flow.changed_code,
            last_pc: self.flow.last_pc(),
            setup: self.setup,
        }
    }
}

/// What a run cost.
#[derive(Clone, Debug)]
pub struct Profile {
    /// How it was looked at.
    pub setup: Setup,
    /// All slots.
    pub ledger: Ledger,
    /// What the instructions were.
    pub counts: Counts,
    /// The hardware's events.
    pub events: EventCounts,
    /// What memory did.
    pub memory: MemoryStats,
    /// Costs by instruction, lowest address first.
    pub sites: Vec<Site>,
    /// Who called whom.
    pub calls: Calls,
    /// The last instructions; their `site` is an index into `sites`.
    pub steps: Steps,
    /// Length of the longest chain of dependent results, cycles; not known in the counting mode.
    pub chain: Option<u64>,
    /// Total cycles with the open figures at their fast and at their slow end, if that was asked for.
    pub interval: Option<[Cycles; 2]>,
    /// How often execution came to the measured region.
    pub entered: u64,
    /// An address at which two opcodes ran.
    pub changed_code: Option<u32>,
    /// The last instruction.
    pub last_pc: u32,
}

impl Profile {
    /// Total time.
    #[must_use]
    pub fn cycles(&self) -> Cycles {
        self.ledger.cycles()
    }
}
