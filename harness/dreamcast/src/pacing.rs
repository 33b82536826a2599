//! Clocks for the CPU's runs: a fixed number of cycles per instruction, or a cycle model.

use crate::scheduler::Event;
use crate::system::System;
use crate::time::Cycles;
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

/// The clock of a run. A run consists of steps; the time advances at the end of each.
pub(crate) trait RunClock {
    /// The observer of the CPU.
    fn observer(&mut self) -> Option<&mut dyn Observer>;
    /// Starts or continues a run after `retired` instructions.
    fn start(&mut self, system: &mut System, retired: u64);
    /// Returns true within a step: the last run ended before it.
    fn is_cut(&self) -> bool;
    /// Returns the deadline of a step, from the time of the next event and the run's limit.
    fn deadline(&self, next: Cycles, limit: Cycles) -> Cycles;
    /// Begins or continues a step to `System::deadline`, with at most `most` instructions, after `retired`
    /// instructions. Returns the number of instructions left in the step.
    fn begin(&mut self, system: &mut System, retired: u64, most: u64) -> u64;
    /// Ends the step, and advances the time. If `is_cut` is true, the step continues with the next
    /// [`Self::begin`] instead, unless all its instructions have run.
    fn end(&mut self, system: &mut System, retired: u64, is_cut: bool);
    /// Advances the time by `cycles` during which the CPU is idle.
    fn pass(&mut self, system: &mut System, idle: Idle, cycles: u64);
}

/// Clock with a fixed number of cycles per instruction. Its times do not depend on steps.
pub(crate) struct FastClock<'a>(pub(crate) Option<&'a mut dyn Observer>);

impl RunClock for FastClock<'_> {
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        match &mut self.0 {
            Some(observer) => Some(&mut **observer),
            None => None,
        }
    }

    fn start(&mut self, system: &mut System, retired: u64) {
        system.anchor = (system.now, retired);
        system.counts_instructions = true;
    }

    fn is_cut(&self) -> bool {
        false
    }

    fn deadline(&self, next: Cycles, limit: Cycles) -> Cycles {
        next.min(limit)
    }

    fn begin(&mut self, system: &mut System, retired: u64, most: u64) -> u64 {
        system.anchor = (system.now, retired);
        let remaining = system.deadline.since(system.now);
        remaining
            .div_ceil(system.settings.cycles_per_instruction)
            .min(most)
    }

    fn end(&mut self, system: &mut System, retired: u64, _is_cut: bool) {
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

/// A step of the model's clock.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Number of instructions before the step, and at its end.
    begin: u64,
    end: u64,
    /// Memory stalls before the step, in cycles.
    frozen: u64,
}

/// State of the model's clock between runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Cycles per instruction in the last step, in sixteenths.
    cycles: u64,
    /// Contention not yet charged, in hundredths of cycles.
    contention: u64,
    /// The step that the last run has cut.
    step: Option<Step>,
}

// A state file is never written under the model's clock.
state::fields!(Pace { cycles, contention } keep { step });

impl Default for Pace {
    fn default() -> Self {
        Self {
            cycles: 2 * PACE,
            contention: 0,
            step: None,
        }
    }
}

impl Pace {
    /// Returns true within a step of the model's clock.
    pub(crate) fn is_cut(&self) -> bool {
        self.step.is_some()
    }

    /// Removes the step that the last run has cut. The next run begins another one.
    pub(crate) fn forget_step(&mut self) {
        self.step = None;
    }

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
}

impl<'a, C: ConsoleClock> ModelClock<'a, C> {
    pub(crate) fn new(model: &'a mut C, pace: &'a mut Pace, parameters: &'a Parameters) -> Self {
        Self {
            model,
            pace,
            parameters,
        }
    }
}

impl<C: ConsoleClock> RunClock for ModelClock<'_, C> {
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(self)
    }

    fn start(&mut self, system: &mut System, _retired: u64) {
        if !self.is_cut() {
            system.anchor = (system.now, self.model.cycles());
        }
        system.counts_instructions = false;
    }

    fn is_cut(&self) -> bool {
        self.pace.is_cut()
    }

    /// Without the run's limit, because the ends of steps have an effect on the time.
    fn deadline(&self, next: Cycles, _limit: Cycles) -> Cycles {
        next
    }

    fn begin(&mut self, system: &mut System, retired: u64, most: u64) -> u64 {
        let step = match self.pace.step {
            Some(step) => step,
            None => {
                system.anchor = (system.now, self.model.cycles());
                let budget = self.pace.budget(system.deadline.since(system.now));
                Step {
                    begin: retired,
                    end: retired + budget.min(most),
                    frozen: self.model.frozen(),
                }
            }
        };
        self.pace.step = Some(step);
        step.end.saturating_sub(retired)
    }

    fn end(&mut self, system: &mut System, retired: u64, is_cut: bool) {
        let Some(step) = self.pace.step.take() else {
            return;
        };
        if is_cut && retired < step.end {
            self.pace.step = Some(step);
            return;
        }
        let spent = self.model.cycles().saturating_sub(system.anchor.1);
        self.pace.learn(spent, retired.saturating_sub(step.begin));
        let frozen = self.model.frozen().saturating_sub(step.frozen);
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
