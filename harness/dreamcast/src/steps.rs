//! The loop of a run: delivers due events, runs the CPU for a step, and advances the time.

use crate::checks::StackTap;
use crate::config::{Ended, Until};
use crate::debug::DebugStop;
use crate::firmware::{self, Served};
use crate::pacing::RunClock;
use crate::run::{Dreamcast, is_fetch};
use crate::system::Halt;
use crate::time::Cycles;
use machine::Cached;
use sh4::{FaultKind, Observer, Run, Stop};
use timing::Idle;

/// Cycles charged for a firmware call. This is an assumption; no measurement exists.
const CALL: u64 = 200;
/// Maximum number of instructions in a step, for a console without scheduled events.
const MAX_INSTRUCTIONS: u64 = 1 << 32;

impl Dreamcast {
    pub(crate) fn run_to_end(&mut self, until: Until, clock: &mut impl RunClock) -> Ended {
        loop {
            // A step that a debugger or the limit of instructions has cut continues first: events and limits
            // of time have an effect only between steps.
            let is_cut = clock.is_cut();
            if !is_cut {
                self.system.deliver(self.system.now);
                if self.system.checks.is_some() {
                    self.system.settle(&self.cpu);
                    if self.system.checks_end() {
                        return Ended::Check;
                    }
                }
            }
            if let Some(hit) = self.system.take_watch_hit() {
                return Ended::Debug(DebugStop::Watchpoint(hit));
            }
            if !is_cut {
                if let Some(Halt::Reset) = self.system.halt.take() {
                    return Ended::Reset;
                }
                if self.system.frame >= until.frame {
                    return Ended::Frame;
                }
                if self.system.now >= until.time {
                    return Ended::Time;
                }
            }
            let left = until.instructions.saturating_sub(self.cpu.retired());
            if left == 0 {
                return Ended::Instructions;
            }
            if !is_cut && self.waiting_text() >= until.text {
                return Ended::Text;
            }
            let next = self.system.scheduler.next();
            let ended = match self.sleeping {
                true => self.sleep(until.time.min(next), clock),
                false => self.step(clock.deadline(next, until.time), left, clock),
            };
            let waiting = self.waiting_text();
            if let Some(record) = &mut self.record
                && !clock.is_cut()
            {
                record.note(waiting, self.system.now);
            }
            if let Some(ended) = ended {
                self.check_end(&ended);
                return ended;
            }
        }
    }

    /// Runs the CPU until `deadline`, for at most `left` instructions, or until a device access needs
    /// attention.
    fn step(&mut self, deadline: Cycles, left: u64, clock: &mut impl RunClock) -> Option<Ended> {
        let before = self.cpu.retired();
        if !clock.is_cut() {
            self.system.deadline = deadline;
            self.system.seen_request = self.system.intc.request();
        }
        let runs_undefined = self.cpu.carries_out_undefined();
        let most = if runs_undefined || self.system.is_entering_heap() {
            1
        } else {
            MAX_INSTRUCTIONS
        };
        let whole = clock.begin(&mut self.system, before, most);
        let run = self.run_cpu(whole.min(left), clock.observer());
        if runs_undefined {
            self.cpu.carry_out_undefined(false);
        }
        self.system.passed_heap();
        let is_cut = match run.stop {
            Stop::Limit => run.executed < whole,
            Stop::Yield => !self.system.step_must_end(),
            Stop::Breakpoint => true,
            // Without a debugger this is a reset, which ends the run.
            Stop::Caught { .. } => self.caught.is_some(),
            _ => false,
        };
        clock.end(&mut self.system, before + run.executed, is_cut);
        match run.stop {
            Stop::Limit | Stop::Yield => None,
            Stop::Sleep => {
                self.sleeping = true;
                None
            }
            Stop::Fault(fault) if fault.kind == FaultKind::FpuUndefined && self.reports_undefined => {
                self.pass_undefined(fault.pc);
                None
            }
            Stop::Fault(fault) if is_fetch(&fault) && self.system.at_heap(&self.cpu) => None,
            Stop::Fault(fault) if is_fetch(&fault) => self.call(run.stop, clock),
            Stop::Breakpoint => Some(Ended::Debug(DebugStop::Breakpoint)),
            Stop::Caught { event, pc, resets } => self.catch(event, pc, resets),
            stop => Some(Ended::Fault(stop)),
        }
    }

    fn run_cpu(&mut self, budget: u64, observer: Option<&mut dyn Observer>) -> Run {
        let Some(mut watch) = self.system.take_stack_watch() else {
            return self.run_watched(budget, observer);
        };
        let mut tap = StackTap {
            watch: &mut watch,
            inner: observer,
        };
        let run = self.run_watched(budget, Some(&mut tap));
        self.system.put_stack_watch(watch);
        run
    }

    fn run_watched(&mut self, budget: u64, observer: Option<&mut dyn Observer>) -> Run {
        let system = &mut self.system;
        if self.caches {
            return self
                .cpu
                .run_observed(&mut Cached::new(system), None, budget, observer);
        }
        match &mut self.accelerator {
            Some(accelerator) if observer.is_none() => {
                self.cpu.run_accelerated(system, None, budget, &mut **accelerator)
            }
            _ => self.cpu.run_observed(system, None, budget, observer),
        }
    }

    /// Handles SLEEP: wakes the CPU for an interrupt, or advances to `deadline`. Ends the run if no interrupt
    /// can occur.
    ///
    /// SR.BL does not block interrupts during SLEEP (SH7750 manual 9.3.2).
    fn sleep(&mut self, deadline: Cycles, clock: &mut impl RunClock) -> Option<Ended> {
        let mask = (self.cpu.sr() >> 4 & 15) as u8;
        if self
            .system
            .intc
            .request()
            .is_some_and(|request| request.level > mask)
        {
            self.sleeping = false;
            return None;
        }
        if !self
            .system
            .intc
            .could_interrupt(mask, self.system.events.any_enabled())
        {
            return Some(Ended::Asleep);
        }
        let cycles = deadline.since(self.system.now);
        clock.pass(&mut self.system, Idle::Sleep, cycles);
        None
    }

    /// Handles a fetch that the bus refused: a firmware call, or a fault.
    fn call(&mut self, stop: Stop, clock: &mut impl RunClock) -> Option<Ended> {
        let snapshot = self.system.expose_cache();
        let served = firmware::serve(&mut self.cpu, &mut self.system, &mut self.host);
        self.system.restore_cache(snapshot);
        match served {
            Some(Served::Done | Served::Jump) => {
                clock.pass(&mut self.system, Idle::Firmware, CALL);
                None
            }
            Some(Served::Exit(code)) => Some(Ended::Exit(code)),
            Some(Served::Menu) => Some(Ended::Menu),
            Some(Served::Exception) => Some(Ended::Unhandled),
            None => Some(Ended::Fault(stop)),
        }
    }
}
