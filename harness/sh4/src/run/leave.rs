//! Exits of an operation from its block: a stop, an exception, or a second run on a bus that includes the
//! CPU's own registers.

use crate::Direction;
use crate::block::BasicBlock;
use crate::context::ExecContext;
use crate::decode::Op;
use crate::dispatch::Handlers;
use crate::exception::Event;
use crate::stop::{Exit, Fault, FaultKind, Stop};
use crate::{Bus, BusError, Cpu, Exceptions};

impl Cpu {
    /// Sets the program counter after the operation at `index` has left its block. The observer has received
    /// the operations before `told`. Returns the number of executed instructions, and the stop if there is
    /// one.
    #[cold]
    pub(super) fn leave<W: ExecContext>(
        &mut self,
        code: &BasicBlock,
        mut told: usize,
        index: usize,
        context: &mut W,
    ) -> (usize, Option<Stop>) {
        let taken = self.taken(code, index + 1);
        let deferred = self.bus_error() == Some(BusError::Deferred);
        let own = self.bus_error() == Some(BusError::Unmapped) && !context.bus().is_tapped();
        let mut yields = false;
        if deferred || own {
            if index > told {
                context.ran(code, told..index, taken);
            }
            context.begin();
            told = index;
            context.bus().deferred_pc(code.address(index));
            // On-chip registers of the CPU need the time too: the bus answers for the performance counters.
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
            // A caught exception happens again, with the branch before it.
            let done = if caught.is_some() { branch } else { index };
            if told < done {
                context.ran(code, told..done, self.taken(code, done));
            }
            return (done, caught.or_else(|| self.meet(fault, context)));
        }
        if let Exit::Trapa(imm) = self.exit {
            self.pc = code.address(index);
            if let Some(stop) = self.caught(Event::Trapa { imm }, self.pc) {
                if told < index {
                    context.ran(code, told..index, taken);
                }
                return (index, Some(stop));
            }
        }
        context.ran(code, told..index + 1, taken);
        self.pc = self.pc_behind(code, index);
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

    /// The bus's answer to the data access at which an operation left its block.
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
                // Complete, and the block is left.
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

    /// Enters the exception that `fault` is, if exceptions are taken and the chip has one.
    pub(super) fn meet<W: ExecContext>(&mut self, fault: Fault, context: &mut W) -> Option<Stop> {
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
