//! The profiler: attributes every lost slot to an instruction.

use crate::attribution::Attribution;
use crate::profile::Profile;
use sh4::{Observer, Retired, RetiredBlock};
use timing::events::{ELAPSED, EventCounts};
use timing::{BlockTimer, Counts, Cycles, InactiveStats, Ledger, MemoryModel, Setup, Shadow, operation};

/// Attributes the cycles of a run to its instructions.
#[derive(Clone, Debug)]
pub struct Profiler {
    setup: Setup,
    timer: BlockTimer,
    attribution: Attribution,
    /// Pipelines with the uncertain constants at their fast and slow ends.
    shadows: Option<Box<[Shadow; 2]>>,
    /// Cycle in which this run began.
    start: u64,
    /// Memory statistics that do not count now: outside the measured region while the run is inside it, or
    /// the reverse. Entering or leaving the region exchanges them with the memory model's.
    inactive: InactiveStats,
    entered: u64,
    /// Cycles of the transfers still queued when the run left the measured region.
    pending: u64,
}

impl Profiler {
    /// Returns a profiler with an empty pipeline and empty caches.
    #[must_use]
    pub fn new(setup: Setup) -> Profiler {
        let ends = [setup.parameters.fastest(), setup.parameters.slowest()];
        let mut timer = BlockTimer::new(&setup);
        timer.set_active(setup.region.is_none());
        Profiler {
            attribution: Attribution::new(&setup.parameters),
            shadows: Some(Box::new(ends.map(|parameters| Shadow::new(&parameters)))),
            start: 0,
            inactive: InactiveStats::default(),
            entered: u64::from(timer.is_active()),
            pending: 0,
            timer,
            setup,
        }
    }

    /// Returns a profiler without [`Profile::interval`].
    #[must_use]
    pub fn without_interval(mut self) -> Profiler {
        self.shadows = None;
        self
    }

    /// Resets all costs but keeps the contents of the caches, for a second, warm run.
    pub fn restart(&mut self) {
        let fresh = Profiler::new(self.setup.clone());
        let timer = std::mem::replace(&mut self.timer, BlockTimer::new(&self.setup));
        let interval = self.shadows.is_some();
        *self = Profiler {
            // The bus's clock continues, so that a pending fill ends at its time.
            start: timer.end(),
            timer: timer.restart(&self.setup),
            ..fresh
        };
        self.timer.set_active(self.setup.region.is_none());
        if !interval {
            self.shadows = None;
        }
    }

    /// Caches, buffers and bus, for changing their state.
    pub fn memory_mut(&mut self) -> &mut MemoryModel {
        self.timer.memory_mut()
    }

    /// The hardware's events up to now, as PMCTR returns them.
    #[must_use]
    pub fn events(&self) -> EventCounts {
        let (ledger, counts) = self.so_far();
        EventCounts::new(
            &ledger,
            &counts,
            &self.timer.memory().stats(),
            &self.setup.parameters,
        )
    }

    fn so_far(&self) -> (Ledger, Counts) {
        let (mut ledger, mut counts) = (self.attribution.ledger, self.attribution.counts);
        self.timer.add_to(&mut ledger, &mut counts);
        (ledger, counts)
    }

    /// Cycles since the start of the run, memory stalls included.
    #[must_use]
    pub fn clock(&self) -> Cycles {
        Cycles(self.timer.end() - self.start)
    }
}

impl Observer for Profiler {
    fn counts(&self) -> bool {
        true
    }

    fn retire(&mut self, event: &Retired<'_>) {
        self.ran(&RetiredBlock::single(event, &operation(event)));
    }

    fn ran(&mut self, block: &RetiredBlock<'_>) {
        self.timer.make_room(&mut self.attribution);
        match self.setup.region {
            None => self.execute(block),
            Some(region) => self.execute_region(block, region),
        }
    }

    fn count(&mut self, event: u8) -> Option<u64> {
        if event == ELAPSED {
            return Some(self.timer.slots() / 2);
        }
        self.events().get(event)
    }
}

impl Profiler {
    fn execute(&mut self, block: &RetiredBlock<'_>) {
        let (now, slots) = (self.timer.now(), self.timer.slots());
        self.attribution.arrive(block, self.timer.is_active());
        let edge = self.timer.execute(block, &mut self.attribution);
        if let Some(shadows) = &mut self.shadows {
            for shadow in shadows.iter_mut() {
                shadow.execute(&self.timer, edge, block);
            }
        }
        self.attribution
            .execute(edge, &self.timer, now - self.start, slots);
    }

    /// Runs a block in which the measured region can begin or end.
    fn execute_region(&mut self, block: &RetiredBlock<'_>, region: (u32, u32)) {
        let mut rest = block.clone();
        while let Some(place) = self.timer.border(&rest, region) {
            if place > rest.ran.start {
                let (before, behind) = rest.split(place);
                self.execute(&before);
                rest = behind;
            }
            self.toggle();
            if rest.ran.len() < 2 {
                break;
            }
            let (first, behind) = rest.split(rest.ran.start + 1);
            self.execute(&first);
            rest = behind;
        }
        if !rest.ran.is_empty() {
            self.execute(&rest);
        }
    }

    /// Begins or ends the measured region.
    fn toggle(&mut self) {
        let inside = !self.timer.is_active();
        if !inside {
            self.pending += self.timer.pending();
        }
        self.timer.set_active(inside);
        self.timer.memory_mut().exchange_stats(&mut self.inactive);
        self.entered += u64::from(inside);
        for shadow in self.shadows.iter_mut().flat_map(|shadows| shadows.iter_mut()) {
            shadow.toggle(inside);
        }
    }

    /// Ends the run.
    #[must_use]
    pub fn finish(mut self) -> Profile {
        if self.timer.is_active() {
            self.pending += self.timer.pending();
        }
        let unfilled = if self.timer.is_active() {
            self.timer.pipeline().unfilled()
        } else {
            0
        };
        if !self.timer.is_active() {
            // Gives the region's statistics back to the memory model.
            self.timer.memory_mut().exchange_stats(&mut self.inactive);
        }
        let mut attribution = self.attribution;
        attribution.finish(&self.timer, unfilled);
        attribution.reorder();
        let mut memory = self.timer.memory().stats();
        memory.leave_pending(self.pending);
        let here = attribution.ledger.cycles();
        let frozen = attribution.ledger.frozen();
        let interval = self.shadows.map(|shadows| {
            let ends = shadows.map(|shadow| Cycles(shadow.finish(self.timer.is_active())) + frozen);
            // In-order issue is not monotonic: delaying one instruction can allow two others to pair. The
            // slow end can therefore take less time.
            [ends[0].min(ends[1]).min(here), ends[0].max(ends[1]).max(here)]
        });
        Profile {
            events: EventCounts::new(
                &attribution.ledger,
                &attribution.counts,
                &memory,
                &self.setup.parameters,
            ),
            ledger: attribution.ledger,
            counts: attribution.counts,
            memory,
            sites: attribution.sites.all,
            calls: attribution.calls,
            steps: attribution.recent_blocks.steps,
            chain: Some(attribution.chain.length()),
            interval,
            entered: self.entered,
            changed_code: self.timer.changed_code(),
            last_pc: self.timer.last_pc(),
            setup: self.setup,
        }
    }
}
