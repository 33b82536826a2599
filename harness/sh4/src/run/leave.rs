//! What an operation that leaves its block wants: a stop, an exception, or to be run again with the CPU's own registers
//! behind the bus.

use crate::Direction;
use crate::block::Straight;
use crate::decode::Op;
use crate::dispatch::Handlers;
use crate::exception::Event;
use crate::stop::{Exit, Fault, FaultKind, Stop};
use crate::world::World;
use crate::{Bus, BusError, Cpu, Exceptions};

impl Cpu {
    /// Puts the program counter where the operation at `index`, which left the block, wants it; those before `told` are
    /// known to whoever listens. Returns how many instructions have run, and whether to stop.
    #[cold]
    pub(super) fn leave<W: World>(
        &mut self,
        code: &Straight,
        mut told: usize,
        index: usize,
        world: &mut W,
    ) -> (usize, Option<Stop>) {
        let taken = self.taken(code, index + 1);
        if self.refused_by_bus() && !world.bus().is_tapped() {
            if index > told {
                world.ran(code, told..index, taken);
            }
            world.begin();
            told = index;
            self.run_on_tap(&code.ops[index], world);
        }
        if let Exit::Fault(kind, data) = self.exit {
            if told < index {
                world.ran(code, told..index, taken);
            }
            let fault = self.fault(code, index, kind, data, world.bus());
            self.pc = if fault.in_slot {
                code.address(index - 1)
            } else {
                fault.pc
            };
            return (index, self.meet(fault, world));
        }
        world.ran(code, told..index + 1, taken);
        self.pc = self.pc_behind(code, index);
        let stop = match self.exit {
            Exit::Sleep if self.pending_interrupt().is_none() => Some(Stop::Sleep),
            Exit::Trapa(imm) if self.settings().exceptions == Exceptions::Stop => Some(Stop::Trapa { imm }),
            Exit::Trapa(imm) => self.take(Event::Trapa { imm }, world),
            _ => None,
        };
        (index + 1, stop)
    }

    /// Whether an operation was left since nothing is mapped where it reads or writes.
    fn refused_by_bus(&self) -> bool {
        let Exit::Fault(FaultKind::Bus { direction, error }, _) = self.exit else {
            return false;
        };
        direction != Direction::Fetch && error == BusError::Unmapped
    }

    /// Runs an operation again whose access the bus refused, this time with the CPU's own registers behind the bus.
    /// It has changed nothing; a first read, as MAC has one, is done twice.
    fn run_on_tap<W: World>(&mut self, op: &Op, world: &mut W) {
        world.on_tap(|tap| {
            if Handlers::next(self, tap, std::slice::from_ref(op)) == 0 {
                // Complete, and the block is left.
                self.exit = Exit::CodeWritten;
            }
        });
    }

    /// Enters `event`, or tells why the run ends.
    pub(super) fn take<W: World>(&mut self, event: Event, world: &mut W) -> Option<Stop> {
        match self.raise(event) {
            Ok(taken) => {
                world.taken(&taken);
                None
            }
            Err(stop) => Some(stop),
        }
    }

    /// Enters the exception that `fault` is, if exceptions are taken and the chip has one.
    pub(super) fn meet<W: World>(&mut self, fault: Fault, world: &mut W) -> Option<Stop> {
        match Event::of(&fault) {
            Some(event) if self.settings().exceptions == Exceptions::Take => self.take(event, world),
            _ => Some(Stop::Fault(fault)),
        }
    }

    fn fault<B: Bus>(
        &self,
        code: &Straight,
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
