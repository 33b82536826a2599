//! Handles operations that leave their block: a stop, an exception, or a repetition on a bus that includes
//! the CPU's own registers.

use crate::Direction;
use crate::block::BasicBlock;
use crate::context::ExecContext;
use crate::decode::Op;
use crate::dispatch::Handlers;
use crate::exception::Event;
use crate::stop::{Exit, Fault, FaultKind, Stop};
use crate::{Bus, BusError, Cpu, Exceptions};

impl Cpu {
    /// Sets the program counter after the operation at `index` has left its block. The observer has already
    /// received the operations before `reported`. Returns the number of executed instructions, and the stop
    /// if there is one.
    #[cold]
    pub(super) fn leave<W: ExecContext>(
        &mut self,
        code: &BasicBlock,
        mut reported: usize,
        index: usize,
        context: &mut W,
    ) -> (usize, Option<Stop>) {
        let taken = self.taken(code, index + 1);
        let deferred = self.bus_error() == Some(BusError::Deferred);
        let own = self.bus_error() == Some(BusError::Unmapped) && !context.bus().is_tapped();
        let mut yields = false;
        if deferred || own {
            if index > reported {
                context.ran(code, reported..index, taken);
            }
            context.begin();
            reported = index;
            context.bus().deferred_pc(code.address(index));
            // The CPU's own registers need the time too, because the bus supplies the performance counts.
            let elapsed = context.elapsed();
            let retired = self.retired + index as u64 - u64::from(self.skipped);
            context.bus().begin_deferred(retired, elapsed);
            self.run_on_tap(&code.ops[index], context);
            yields = context.bus().end_deferred();
        }
        if let Exit::Fault(kind, data) = self.exit {
            let fault = self.fault(code, index, kind, data, context.bus());
            let branch = index - usize::from(fault.in_slot);
            self.pc = code.address(branch);
            let caught = Event::of(&fault).and_then(|event| self.caught(event, fault.pc));
            // A caught exception is raised again in the next run, after the branch before a delay slot.
            let done = if caught.is_some() { branch } else { index };
            if reported < done {
                context.ran(code, reported..done, self.taken(code, done));
            }
            return (done, caught.or_else(|| self.handle_fault(fault, context)));
        }
        if let Exit::Trapa(imm) = self.exit {
            self.pc = code.address(index);
            if let Some(stop) = self.caught(Event::Trapa { imm }, self.pc) {
                if reported < index {
                    context.ran(code, reported..index, taken);
                }
                return (index, Some(stop));
            }
        }
        context.ran(code, reported..index + 1, taken);
        self.pc = self.pc_after(code, index);
        let stop = match self.exit {
            Exit::Sleep if self.pending_interrupt().is_none() => {
                self.asleep = true;
                Some(Stop::Sleep)
            }
            Exit::Trapa(imm) if self.settings().exceptions == Exceptions::Stop => Some(Stop::Trapa { imm }),
            Exit::Trapa(imm) => self.take(Event::Trapa { imm }, context),
            _ => yields.then_some(Stop::Yield),
        };
        (index + 1, stop)
    }

    /// Returns the bus's error for the data access at which an operation left its block.
    pub(crate) fn bus_error(&self) -> Option<BusError> {
        match self.exit {
            Exit::Fault(FaultKind::Bus { direction, error }, _) if direction != Direction::Fetch => {
                Some(error)
            }
            _ => None,
        }
    }

    /// Repeats an operation after the bus refused or deferred its access, on a bus that includes the CPU's
    /// own registers. The operation has had no effect yet. MAC repeats its first read.
    fn run_on_tap<W: ExecContext>(&mut self, op: &Op, context: &mut W) {
        context.on_tap(|tap| {
            if Handlers::next(self, tap, std::slice::from_ref(op)) == 0 {
                // The operation is complete, and leaves the block.
                self.exit = Exit::CodeWritten;
            }
        });
    }

    /// Enters `event`, or returns the reason for the end of the run.
    pub(super) fn take<W: ExecContext>(&mut self, event: Event, context: &mut W) -> Option<Stop> {
        match self.raise(event) {
            Ok(taken) => {
                context.taken(&taken);
                None
            }
            Err(stop) => Some(stop),
        }
    }

    /// Enters the exception for `fault`, if the settings take exceptions and the chip has one for it.
    pub(super) fn handle_fault<W: ExecContext>(&mut self, fault: Fault, context: &mut W) -> Option<Stop> {
        match Event::of(&fault) {
            Some(event) if self.settings().exceptions == Exceptions::Take => {
                let stop = self.take(event, context);
                self.raised_at = fault.pc;
                stop
            }
            _ => Some(Stop::Fault(fault)),
        }
    }

    fn fault<B: Bus>(
        &self,
        code: &BasicBlock,
        index: usize,
        kind: FaultKind,
        data: Option<u32>,
        bus: &mut B,
    ) -> Fault {
        let pc = code.address(index);
        let fetch = matches!(
            kind,
            FaultKind::Bus {
                direction: Direction::Fetch,
                ..
            } | FaultKind::Tlb {
                direction: Direction::Fetch,
                ..
            }
        );
        Fault {
            kind,
            pc,
            opcode: bus.fetch(pc).unwrap_or(0),
            mode: self.mode(),
            in_slot: code.slot && index + 1 == code.ops.len(),
            address: if fetch { Some(pc) } else { data },
        }
    }
}
