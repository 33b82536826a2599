//! Preparation of a block: limits, interrupts, the user break controller, decoding.

use super::End;
use crate::Direction;
use crate::block::{Block, BlockCache};
use crate::context::ExecContext;
use crate::cpu::sr;
use crate::exception::Event;
use crate::stop::{Exit, Fault, FaultKind, Stop};
use crate::{Bus, Cpu};

impl Cpu {
    /// Handles a missing block: ends the run, enters an interrupt, runs one instruction under a break
    /// channel, or decodes a block.
    #[cold]
    pub(super) fn prepare<W: ExecContext>(
        &mut self,
        context: &mut W,
        blocks: &mut BlockCache,
        until: Option<u32>,
        left: u64,
    ) -> (usize, Option<End>) {
        let stop = |stop: Option<Stop>| stop.map(End::Stop);
        if left == 0 {
            return (0, Some(End::Stop(Stop::Limit)));
        }
        if until == Some(self.pc) {
            return (0, Some(End::Stop(Stop::Until)));
        }
        self.poll(context.bus());
        if let Some(event) = self.pending_interrupt() {
            return (0, stop(self.take(event, context)));
        }
        if self.is_at_breakpoint() {
            return (0, Some(End::Stop(Stop::Breakpoint)));
        }
        let armed = self.ubc.is_armed();
        let translates = context.bus().translation().is_some();
        if armed && !W::OBSERVED || translates != self.mmu.is_on() {
            return (0, Some(End::OtherBus));
        }
        if let Err(kind) = self.enter_page(context.bus()) {
            return (0, stop(self.handle_fault_at_pc(kind, context)));
        }
        if let Some(pc) = blocks.far_slot(self) {
            self.enter_slot(context.bus(), pc);
        }
        let far_slot = Cpu::far_slot(context.bus());
        let found = blocks.find(self, context.bus());
        let found = found.filter(|block| block.far_slot().is_none() || block.far_slot() == far_slot);
        let mut until = until;
        if let Some(block) = found.filter(|block| block.has_breakpoint()) {
            let code = block.plain();
            match self.next_break(code) {
                Ok(next) => {
                    let near = until.filter(|until| code.holds(*until));
                    let distance = |address: &u32| address.wrapping_sub(code.start);
                    until = near.into_iter().chain(next).min_by_key(distance);
                }
                Err(stop) => return (0, Some(End::Stop(stop))),
            }
        }
        match found {
            Some(block) if armed => {
                let (done, end) = self.run_watched(block, context);
                (done, stop(end))
            }
            Some(block) if block.far_slot().is_some() || block.has_breakpoint() => {
                let (done, end) = self.run_prefix(block, left, until, context);
                (done, stop(end))
            }
            Some(_) => (0, None),
            None => (0, stop(self.decode(context, blocks))),
        }
    }

    /// Runs one instruction under the user break controller. A branch runs together with its delay slot.
    fn run_watched<W: ExecContext>(&mut self, block: &Block, context: &mut W) -> (usize, Option<Stop>) {
        let (pc, count) = (self.pc, block.plain().prefix(1, None));
        if let Some(event) = self.breaks_before(pc, count > 1) {
            return (0, self.take(event, context));
        }
        let blocked = self.status & sr::BL != 0;
        let (done, stop) = self.run_prefix(block, 1, None, context);
        let behind = match stop {
            None => self.breaks_after(pc, done, context.tapped(), blocked),
            Some(_) => None,
        };
        match behind {
            Some(event) => (done, self.take(event, context)),
            None => (done, stop),
        }
    }

    /// Decodes the block at the program counter, if it may be fetched.
    fn decode<W: ExecContext>(&mut self, context: &mut W, blocks: &mut BlockCache) -> Option<Stop> {
        let decoded = self.check_fetch().and_then(|()| {
            let decoded = blocks.decode(self, context.bus());
            decoded.map_err(|error| FaultKind::Bus {
                direction: Direction::Fetch,
                error,
            })
        });
        match decoded {
            Ok(()) => None,
            Err(kind) => self.handle_fault_at_pc(kind, context),
        }
    }

    /// Checks for an odd program counter, and for user code above 7FFFFFFF.
    pub(crate) fn check_fetch(&self) -> Result<(), FaultKind> {
        match self.check(self.pc, 1, Direction::Fetch) {
            Err(Exit::Fault(kind, _)) => Err(kind),
            _ => Ok(()),
        }
    }

    fn handle_fault_at_pc<W: ExecContext>(&mut self, kind: FaultKind, context: &mut W) -> Option<Stop> {
        let fault = self.fault_at_pc(kind);
        let caught = Event::of(&fault).and_then(|event| self.caught(event, fault.pc));
        caught.or_else(|| self.handle_fault(fault, context))
    }

    fn fault_at_pc(&self, kind: FaultKind) -> Fault {
        Fault {
            kind,
            pc: self.pc,
            opcode: 0,
            mode: self.mode(),
            in_slot: false,
            address: Some(self.pc),
        }
    }
}
