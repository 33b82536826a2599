//! Clocks for the CPU's runs: a fixed number of cycles per instruction, or a cycle model.

use crate::scheduler::Event;
use crate::system::System;
use sh4::{Observer, Retired, RetiredBlock, Taken};
use timing::memory::CacheSettings;
use timing::{ConsoleClock, Counter, Idle, Parameters, Setup};

/// Creates a model with empty caches.
pub(crate) fn counter(parameters: Parameters, ccr: u32) -> Box<Counter> {
    Box::new(Counter::new(Setup {
        parameters,
        caches: CacheSettings::from_ccr(ccr),
        ..Setup::default()
    }))
}

/// The clock of a run.
pub(crate) trait RunClock {
    /// The observer of the CPU.
    fn observer(&mut self) -> Option<&mut dyn Observer>;
    /// Returns the number of instructions that the CPU may run before the clock is read again. `remaining` is
    /// the number of cycles to the next event.
    fn budget(&self, system: &System, remaining: u64) -> u64;
    /// Marks the start of a CPU run, after `retired` instructions.
    fn begin(&mut self, system: &mut System, retired: u64);
    /// Marks its end, and advances the time.
    fn end(&mut self, system: &mut System, retired: u64);
    /// Advances the time by `cycles` during which the CPU is idle.
    fn pass(&mut self, system: &mut System, idle: Idle, cycles: u64);
}

/// Clock with a fixed number of cycles per instruction.
pub(crate) struct FastClock<'a>(pub(crate) Option<&'a mut dyn Observer>);

impl RunClock for FastClock<'_> {
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        match &mut self.0 {
            Some(observer) => Some(&mut **observer),
            None => None,
        }
    }

    fn budget(&self, system: &System, remaining: u64) -> u64 {
        remaining.div_ceil(system.settings.cycles_per_instruction)
    }

    fn begin(&mut self, system: &mut System, retired: u64) {
        system.anchor = (system.now, retired);
        system.counts_instructions = true;
    }

    fn end(&mut self, system: &mut System, retired: u64) {
        system.now = system.time_at(retired);
    }

    fn pass(&mut self, system: &mut System, _idle: Idle, cycles: u64) {
        system.now += cycles;
    }
}

/// Maximum number of instructions between two readings of the model's clock. It limits the delay of an event
/// where the code suddenly becomes slower.
const LONGEST_STEP: u64 = 4096;
/// The unit of [`Pace::cycles`].
const PACE: u64 = 16;
/// The unit of contention: hundredths, by [`Parameters`].
const HUNDRED: u64 = 100;

/// State of the model's clock between steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Cycles per instruction in the last step, in sixteenths.
    cycles: u64,
    /// Contention not yet charged, in hundredths of cycles.
    contention: u64,
}

state::fields!(Pace { cycles, contention });

impl Default for Pace {
    fn default() -> Self {
        Self {
            cycles: 2 * PACE,
            contention: 0,
        }
    }
}

impl Pace {
    /// Returns the instructions for three quarters of the time to the next event, at the current speed.
    fn budget(&self, remaining: u64) -> u64 {
        (remaining.saturating_mul(3 * PACE / 4) / self.cycles).clamp(1, LONGEST_STEP)
    }

    /// Adapts gradually to faster code and immediately to slower code, because late events are worse than
    /// extra steps.
    fn learn(&mut self, cycles: u64, instructions: u64) {
        if let Some(here) = (PACE * cycles).checked_div(instructions) {
            let here = here.max(PACE);
            self.cycles = here.max((3 * self.cycles + here) / 4);
        }
    }

    /// Returns the whole cycles that bus contention adds to `frozen` cycles of memory stalls.
    fn contend(&mut self, frozen: u64, hundredths: u32) -> u64 {
        self.contention += frozen * u64::from(hundredths);
        let cycles = self.contention / HUNDRED;
        self.contention %= HUNDRED;
        cycles
    }
}

/// The clock of a cycle model.
pub(crate) struct ModelClock<'a, C> {
    model: &'a mut C,
    pace: &'a mut Pace,
    parameters: &'a Parameters,
    /// Instructions and memory stalls at the start of the step.
    begun: (u64, u64),
}

impl<'a, C: ConsoleClock> ModelClock<'a, C> {
    pub(crate) fn new(model: &'a mut C, pace: &'a mut Pace, parameters: &'a Parameters) -> Self {
        Self {
            model,
            pace,
            parameters,
            begun: (0, 0),
        }
    }
}

impl<C: ConsoleClock> RunClock for ModelClock<'_, C> {
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(self)
    }

    fn budget(&self, _system: &System, remaining: u64) -> u64 {
        self.pace.budget(remaining)
    }

    fn begin(&mut self, system: &mut System, retired: u64) {
        self.begun = (retired, self.model.frozen());
        system.anchor = (system.now, self.model.cycles());
        system.counts_instructions = false;
    }

    fn end(&mut self, system: &mut System, retired: u64) {
        let spent = self.model.cycles().saturating_sub(system.anchor.1);
        self.pace.learn(spent, retired.saturating_sub(self.begun.0));
        let frozen = self.model.frozen().saturating_sub(self.begun.1);
        let dma = match uses_ram(system) {
            true => self.parameters.dma_stall,
            false => 0,
        };
        let lost = self.pace.contend(frozen, dma + self.parameters.refresh_stall);
        self.model.pass(Idle::Bus, lost);
        system.now = system.time_after(self.model.cycles());
    }

    fn pass(&mut self, system: &mut System, idle: Idle, cycles: u64) {
        self.model.pass(idle, cycles);
        system.now += cycles;
    }
}

/// Returns true while a DMA transfers main memory at the bus's rate. G2 takes one burst in 128 cycles, and
/// Maple fewer: both are omitted.
fn uses_ram(system: &System) -> bool {
    const FAST: [Event; 7] = [
        Event::Channel2,
        Event::SortDma,
        Event::PvrDma,
        Event::Dmac0,
        Event::Dmac1,
        Event::Dmac2,
        Event::Dmac3,
    ];
    FAST.iter().any(|event| system.scheduler.due(*event).is_some())
}

impl<C: ConsoleClock> Observer for ModelClock<'_, C> {
    fn counts(&self) -> bool {
        true
    }

    fn retire(&mut self, event: &Retired<'_>) {
        self.model.retire(event);
    }

    fn ran(&mut self, block: &RetiredBlock<'_>) {
        self.model.ran(block);
    }

    fn taken(&mut self, taken: &Taken) {
        self.model
            .pass(Idle::Entry, self.parameters.interrupt_entry.into());
        self.model.taken(taken);
    }

    fn count(&mut self, event: u8) -> Option<u64> {
        self.model.count(event)
    }

    fn elapsed(&mut self) -> Option<u64> {
        Some(self.model.cycles())
    }
}

/// A cycle model that forwards each instruction to another observer of the same run.
pub(crate) struct ObservedModel<'a, C, O> {
    pub(crate) model: &'a mut C,
    pub(crate) observer: &'a mut O,
}

impl<C: ConsoleClock, O: Observer> Observer for ObservedModel<'_, C, O> {
    fn counts(&self) -> bool {
        true
    }

    fn retire(&mut self, event: &Retired<'_>) {
        self.model.retire(event);
        self.observer.retire(event);
    }

    fn ran(&mut self, block: &RetiredBlock<'_>) {
        self.model.ran(block);
        if self.observer.is_enabled() {
            self.observer.ran(block);
        }
    }

    fn taken(&mut self, taken: &Taken) {
        self.model.taken(taken);
        self.observer.taken(taken);
    }

    fn count(&mut self, event: u8) -> Option<u64> {
        self.model.count(event)
    }
}

impl<C: ConsoleClock, O: Observer> ConsoleClock for ObservedModel<'_, C, O> {
    fn cycles(&self) -> u64 {
        self.model.cycles()
    }

    fn frozen(&self) -> u64 {
        self.model.frozen()
    }

    fn pass(&mut self, idle: Idle, cycles: u64) {
        self.model.pass(idle, cycles);
    }
}
