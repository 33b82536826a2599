//! The run loop over decoded blocks.

mod leave;
mod operations;
mod prepare;

use crate::accelerate::{Accelerator, Limit, Offer};
use crate::block::BlockCache;
use crate::context::{Accelerated, ExecContext, Observed, Unobserved};
use crate::observer::enabled;
use crate::stop::Stop;
use crate::translated::Translated;
use crate::{Bus, Cpu, Observer};

/// Result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Instructions executed to their end.
    pub executed: u64,
    /// Reason for its end.
    pub stop: Stop,
}

/// Reason why the loop over blocks ended.
enum End {
    Stop(Stop),
    /// The run continues on another bus: the program armed a break channel, which watches accesses, or
    /// switched address translation.
    OtherBus,
}

impl Cpu {
    /// Executes one instruction, or a branch together with its delay slot. If the instruction raises an
    /// exception, or an interrupt is accepted before it, executes the first instruction of the handler
    /// instead.
    ///
    /// # Errors
    /// If the run ends for a reason other than its limit of one instruction.
    pub fn step<B: Bus>(&mut self, bus: &mut B) -> Result<(), Stop> {
        match self.run(bus, None, 1, &mut ()).stop {
            Stop::Limit => Ok(()),
            stop => Err(stop),
        }
    }

    /// Executes until the program counter is `until`, `max_instructions` have run, or the program stops. A
    /// branch and its delay slot run together: `until` in a slot has no effect, and the run may exceed the
    /// limit by one. Interrupts are accepted before an instruction, but never between a branch (including
    /// RTE) and its slot.
    pub fn run<B: Bus, O: Observer>(
        &mut self,
        bus: &mut B,
        until: Option<u32>,
        max_instructions: u64,
        observer: &mut O,
    ) -> Run {
        self.run_observed(bus, until, max_instructions, enabled(observer))
    }

    /// Runs like [`Cpu::run`] with an optional observer as a trait object, so that it is compiled once for
    /// each type of bus.
    pub fn run_observed<B: Bus>(
        &mut self,
        bus: &mut B,
        until: Option<u32>,
        max_instructions: u64,
        observer: Option<&mut dyn Observer>,
    ) -> Run {
        self.run_with(bus, until, max_instructions, observer, None)
    }

    /// Runs like [`Cpu::run`] with an accelerator. The resulting state, memory, stop and count are the same.
    pub fn run_accelerated<B: Bus>(
        &mut self,
        bus: &mut B,
        until: Option<u32>,
        max_instructions: u64,
        accelerator: &mut dyn Accelerator<B>,
    ) -> Run {
        self.run_with(bus, until, max_instructions, None, Some(accelerator))
    }

    /// Runs like [`Cpu::run`] with an observer, an accelerator, or neither.
    pub(crate) fn run_with<B: Bus>(
        &mut self,
        bus: &mut B,
        until: Option<u32>,
        max_instructions: u64,
        mut observer: Option<&mut dyn Observer>,
        mut accelerator: Option<&mut dyn Accelerator<B>>,
    ) -> Run {
        let mut blocks = std::mem::take(&mut self.blocks);
        let mut executed = 0;
        self.poll(bus);
        if self.asleep && self.pending_interrupt().is_none() {
            self.asleep = false;
            self.refresh_key();
        }
        let stop = loop {
            let left = max_instructions.saturating_sub(executed);
            let (done, end) = match &mut observer {
                _ if self.mmu.is_on() => self.run_translated(bus, &mut blocks, until, left, &mut observer),
                Some(observer) => self.run_in(&mut Observed::new(bus, *observer), &mut blocks, until, left),
                None if self.ubc.is_armed() => {
                    self.run_in(&mut Observed::new(bus, &mut ()), &mut blocks, until, left)
                }
                None => match &mut accelerator {
                    Some(accelerator) => {
                        let (unobserved, accelerator) = (Unobserved(bus), &mut **accelerator);
                        self.run_in(
                            &mut Accelerated {
                                unobserved,
                                accelerator,
                            },
                            &mut blocks,
                            until,
                            left,
                        )
                    }
                    None => self.run_in(&mut Unobserved(bus), &mut blocks, until, left),
                },
            };
            executed += done;
            if let End::Stop(stop) = end {
                break stop;
            }
        };
        self.blocks = blocks;
        Run { executed, stop }
    }

    /// Runs under address translation, without an accelerator. The bus is a trait object, so that operations
    /// are compiled only once.
    fn run_translated(
        &mut self,
        bus: &mut dyn Bus,
        blocks: &mut BlockCache,
        until: Option<u32>,
        left: u64,
        observer: &mut Option<&mut dyn Observer>,
    ) -> (u64, End) {
        let mut bus = Translated::new(bus);
        match observer {
            Some(observer) => self.run_in(&mut Observed::new(&mut bus, *observer), blocks, until, left),
            None if self.ubc.is_armed() => {
                self.run_in(&mut Observed::new(&mut bus, &mut ()), blocks, until, left)
            }
            None => self.run_in(&mut Unobserved(&mut bus), blocks, until, left),
        }
    }

    fn run_in<W: ExecContext>(
        &mut self,
        context: &mut W,
        blocks: &mut BlockCache,
        until: Option<u32>,
        max_instructions: u64,
    ) -> (u64, End) {
        let before = self.retired;
        let mut executed = 0;
        // Number of blocks to run before the next offer to the accelerator, and the number that the last
        // answer requested.
        let (mut skip_offers, mut passed) = (0, 0);
        loop {
            let left = max_instructions.saturating_sub(executed);
            self.stay_in_page(context.bus(), left);
            let Some(block) = blocks.get(self, context.bus()) else {
                let (done, end) = self.prepare(context, blocks, until, left);
                executed += done as u64;
                self.retired = before + executed;
                match end {
                    Some(end) => return (executed, end),
                    None => continue,
                }
            };
            if skip_offers > 0 {
                skip_offers -= 1;
            } else if W::ACCELERATED {
                let limit = Limit { left, until };
                match self.run_faster(context, blocks, before + executed, Offer { limit, passed }) {
                    Ok((done, stop)) => {
                        passed = 0;
                        executed += done;
                        self.retired = before + executed;
                        match stop {
                            Some(stop) => return (executed, End::Stop(stop)),
                            None => continue,
                        }
                    }
                    Err(blocks) => (skip_offers, passed) = (blocks, blocks),
                }
            }
            let code = &block.whole;
            let whole = code.ops.len() as u64;
            if left < whole || until.is_some_and(|until| code.holds(until)) {
                let (done, stop) = self.run_prefix(block, left, until, context);
                executed += done as u64;
                self.retired = before + executed;
                match stop {
                    Some(stop) => return (executed, End::Stop(stop)),
                    None => continue,
                }
            }
            // A block that branches to itself runs again without a lookup.
            loop {
                let (done, stop) = self.run_whole(block, code, context);
                executed += done as u64;
                self.retired = before + executed;
                if let Some(stop) = stop {
                    return (executed, End::Stop(stop));
                }
                let again = block.is_next(self, context.bus()) && max_instructions - executed >= whole;
                if !again || W::ACCELERATED && skip_offers == 0 {
                    break;
                }
                if W::ACCELERATED {
                    skip_offers -= 1;
                }
            }
        }
    }
}
