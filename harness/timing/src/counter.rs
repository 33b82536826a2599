//! The fast cycle counter.

use crate::block::{BlockTable, BlockTimer, CodeBlock, EdgeTable, TimingSink};
use crate::cause::Cause;
use crate::console::{ConsoleClock, Idle};
use crate::counts::Counts;
use crate::cycle_counts::CycleCounts;
use crate::events::{ELAPSED, EventCounts};
use crate::ledger::Ledger;
use crate::memory::{MemoryModel, Stall};
use crate::setup::Setup;
use sh4::{Observer, Op, Retired, RetiredBlock, Taken};

/// Counts of edges that the block timer has dropped from its table, and the stalls of single accesses.
#[derive(Clone, Debug, Default)]
struct Totals {
    ledger: Ledger,
    counts: Counts,
}

impl TimingSink for Totals {
    fn stall(&mut self, _code: &CodeBlock, _index: u8, stall: &Stall, _misses: (u64, u64)) {
        for (cause, cycles) in stall.parts() {
            self.ledger.freeze(cause, cycles);
        }
    }

    fn drop_edges(&mut self, blocks: &BlockTable, edges: &EdgeTable) {
        edges.add_to(blocks, &mut self.ledger, &mut self.counts);
    }
}

/// Counts the cycles and events of a run.
///
/// The result equals the result of [`PlainCounter`](crate::PlainCounter), the reference implementation.
///
/// ```
/// use sh4::{Cpu, Settings, flat::FlatBus};
/// use timing::{Counter, Setup};
///
/// let mut bus = FlatBus::new(0x0C00_0000, 0x1000);
/// // mov #100,r0; dt r0; bf .-2; sleep
/// bus.load(0x0C00_0000, &[0x64, 0xE0, 0x10, 0x40, 0xFD, 0x8B, 0x1B, 0x00]);
/// let mut cpu = Cpu::new(Settings::default());
/// cpu.pc = 0x8C00_0000;
/// let mut counter = Counter::new(Setup::default());
/// cpu.run(&mut bus, None, 1_000, &mut counter);
/// let counts = counter.finish();
/// assert_eq!(counts.counts.instructions, 202);
/// // 99 branches are taken: 3 cycles per iteration, and the first fetch misses the cache.
/// assert!(counts.cycles().0 > 297);
/// ```
#[derive(Clone, Debug)]
pub struct Counter {
    setup: Setup,
    timer: BlockTimer,
    totals: Totals,
}

impl Counter {
    /// Creates a counter with an empty pipeline and empty caches.
    #[must_use]
    pub fn new(setup: Setup) -> Counter {
        Counter {
            timer: BlockTimer::new(&setup),
            totals: Totals::default(),
            setup,
        }
    }

    /// Resets all counts but keeps the contents of the caches, for a second, warm run.
    pub fn restart(&mut self) {
        let timer = std::mem::replace(&mut self.timer, BlockTimer::new(&self.setup));
        self.timer = timer.restart(&self.setup);
        self.totals = Totals::default();
    }

    /// Returns the hardware's events up to now, as read from PMCTR.
    #[must_use]
    pub fn events(&self) -> EventCounts {
        let (ledger, counts) = self.so_far();
        let stats = self.timer.memory().stats();
        let mut events = EventCounts::new(&ledger, &counts, &stats, &self.setup.parameters);
        // Time without instructions is included, except SLEEP.
        events.add(ELAPSED, self.timer.idle().awake());
        events
    }

    fn so_far(&self) -> (Ledger, Counts) {
        let (mut ledger, mut counts) = (self.totals.ledger, self.totals.counts);
        self.timer.add_to(&mut ledger, &mut counts);
        (ledger, counts)
    }

    /// Returns the settings.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the timer, to continue with another counter or a profiler.
    #[must_use]
    pub fn into_timer(self) -> BlockTimer {
        self.timer
    }

    /// Returns caches, buffers and bus for changing their state.
    pub fn memory_mut(&mut self) -> &mut MemoryModel {
        self.timer.memory_mut()
    }

    /// Ends the run.
    #[must_use]
    pub fn finish(self) -> CycleCounts {
        let (mut ledger, counts) = self.so_far();
        ledger.lose(Cause::End, self.timer.pipeline().unfilled(), 0);
        let pending = self.timer.pending();
        let mut memory = self.timer.memory().stats();
        memory.leave_pending(pending);
        CycleCounts {
            events: EventCounts::new(&ledger, &counts, &memory, &self.setup.parameters),
            ledger,
            counts,
            memory,
            changed_code: self.timer.changed_code(),
            last_pc: self.timer.last_pc(),
            setup: self.setup,
        }
    }
}

/// Returns the decoded operation of an instruction, as far as it affects timing.
#[must_use]
pub fn operation(event: &Retired<'_>) -> Op {
    Op {
        id: event.id,
        n: event.n,
        m: event.m,
        imm: 0,
    }
}

impl Observer for Counter {
    fn counts(&self) -> bool {
        true
    }

    fn retire(&mut self, event: &Retired<'_>) {
        self.ran(&RetiredBlock::single(event, &operation(event)));
    }

    fn ran(&mut self, block: &RetiredBlock<'_>) {
        self.timer.make_room(&mut self.totals);
        self.timer.execute(block, &mut self.totals);
    }

    fn taken(&mut self, taken: &Taken) {
        self.totals.counts.interrupts += u64::from(taken.event.is_interrupt());
    }

    fn count(&mut self, event: u8) -> Option<u64> {
        if event == ELAPSED {
            return Some(self.timer.slots() / 2 + self.timer.idle().awake());
        }
        let Totals { ledger, counts } = &mut self.totals;
        self.timer.move_to(ledger, counts);
        self.events().get(event)
    }
}

impl ConsoleClock for Counter {
    fn cycles(&self) -> u64 {
        self.timer.slots() / 2 + self.timer.idle().all()
    }

    fn frozen(&self) -> u64 {
        self.timer.frozen()
    }

    fn pass(&mut self, idle: Idle, cycles: u64) {
        self.timer.pass(idle, cycles);
    }
}
