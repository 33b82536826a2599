//! Running blocks, one after the other.

use std::ops::Range;

use crate::accelerate::{Accelerator, Answer, Blocks, Limit, Offer, Rest};
use crate::block::{Block, BlockCache, Straight, Turn};
use crate::cpu::sr;
use crate::decode::Op;
use crate::exception::Event;
use crate::observer::{Listener, listener};
use crate::stop::{Direction, Exit, Fault, FaultKind, Stop};
use crate::table::{Handlers, Id};
use crate::world::{Accelerated, Metered, Observed, Quiet, World};
use crate::{Bus, BusError, Cpu, Exceptions, Observer};

/// What a run did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Instructions executed to their end.
    pub executed: u64,
    /// Why it ended.
    pub stop: Stop,
}

/// Why the loop over blocks ended.
enum End {
    Stop(Stop),
    /// A break channel was armed: from here on accesses have to be watched.
    Armed,
}

impl Cpu {
    /// Executes one instruction; a branch together with its delay slot. If that raises an exception which is
    /// taken, or an interrupt comes before it, the first instruction of the handler runs.
    pub fn step<B: Bus>(&mut self, bus: &mut B) -> Result<(), Stop> {
        match self.run(bus, None, 1, &mut ()).stop {
            Stop::Limit => Ok(()),
            stop => Err(stop),
        }
    }

    /// Executes until the program counter is `until`, `max_instructions` have run, or something stops
    /// the program. A branch and its delay slot are never parted: `until` is not seen in a slot, and
    /// the limit may be passed by one. Interrupts are accepted before an instruction, never between a branch
    /// (RTE too) and its slot.
    pub fn run<B: Bus, O: Observer>(
        &mut self,
        bus: &mut B,
        until: Option<u32>,
        max_instructions: u64,
        observer: &mut O,
    ) -> Run {
        self.run_heard(bus, until, max_instructions, listener(observer))
    }

    /// The same for an observer as an object, or none: compiled once for each kind of bus.
    pub fn run_heard<B: Bus>(
        &mut self,
        bus: &mut B,
        until: Option<u32>,
        max_instructions: u64,
        listener: Option<&mut dyn Listener>,
    ) -> Run {
        self.run_with(bus, until, max_instructions, listener, None)
    }

    /// The same for a listener, and for an accelerator where nobody listens or whoever does has a meter.
    pub(crate) fn run_with<B: Bus>(
        &mut self,
        bus: &mut B,
        until: Option<u32>,
        max_instructions: u64,
        mut listener: Option<&mut dyn Listener>,
        mut accelerator: Option<&mut dyn Accelerator<B>>,
    ) -> Run {
        let mut blocks = std::mem::take(&mut self.blocks);
        let mut executed = 0;
        self.poll(bus);
        let stop = loop {
            let left = max_instructions.saturating_sub(executed);
            let (done, end) = match &mut listener {
                Some(listener) => {
                    let metered = listener.metered().is_some();
                    let observed = Observed::new(bus, *listener);
                    match &mut accelerator {
                        Some(accelerator) if metered => {
                            let accelerator = &mut **accelerator;
                            let mut world = Metered {
                                observed,
                                accelerator,
                            };
                            self.run_in(&mut world, &mut blocks, until, left)
                        }
                        _ => self.run_in(&mut { observed }, &mut blocks, until, left),
                    }
                }
                None if self.ubc.is_armed() => {
                    self.run_in(&mut Observed::new(bus, &mut ()), &mut blocks, until, left)
                }
                None => match &mut accelerator {
                    Some(accelerator) => {
                        let (quiet, accelerator) = (Quiet(bus), &mut **accelerator);
                        self.run_in(&mut Accelerated { quiet, accelerator }, &mut blocks, until, left)
                    }
                    None => self.run_in(&mut Quiet(bus), &mut blocks, until, left),
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

    fn run_in<W: World>(
        &mut self,
        world: &mut W,
        blocks: &mut BlockCache,
        until: Option<u32>,
        max_instructions: u64,
    ) -> (u64, End) {
        let before = self.retired;
        let mut executed = 0;
        // Blocks that the accelerator does not want to be offered: how many still, and how many those were.
        let (mut unasked, mut passed) = (0, 0);
        loop {
            let left = max_instructions.saturating_sub(executed);
            let Some(block) = blocks.get(self, world.bus()) else {
                let (done, end) = self.prepare(world, blocks, until, left);
                executed += done as u64;
                self.retired = before + executed;
                match end {
                    Some(end) => return (executed, end),
                    None => continue,
                }
            };
            if unasked > 0 {
                unasked -= 1;
            } else if W::ACCELERATED {
                let limit = Limit { left, until };
                match self.run_faster(world, blocks, before + executed, Offer { limit, passed }) {
                    Ok((done, stop)) => {
                        passed = 0;
                        executed += done;
                        self.retired = before + executed;
                        match stop {
                            Some(stop) => return (executed, End::Stop(stop)),
                            None => continue,
                        }
                    }
                    Err(blocks) => (unasked, passed) = (blocks, blocks),
                }
            }
            let code = &block.whole;
            let whole = code.ops.len() as u64;
            if left < whole || until.is_some_and(|until| code.holds(until)) {
                let (done, stop) = self.run_prefix(block, left, until, world);
                executed += done as u64;
                self.retired = before + executed;
                match stop {
                    Some(stop) => return (executed, End::Stop(stop)),
                    None => continue,
                }
            }
            // Again without a search, if it is a loop of one block.
            loop {
                let (done, stop) = self.run_whole(block, code, world);
                executed += done as u64;
                self.retired = before + executed;
                if let Some(stop) = stop {
                    return (executed, End::Stop(stop));
                }
                let again = block.is_next(self, world.bus()) && max_instructions - executed >= whole;
                if !again || W::ACCELERATED && unasked == 0 {
                    break;
                }
                if W::ACCELERATED {
                    unasked -= 1;
                }
            }
        }
    }

    /// Executes all of `code`. Returns how many instructions have run, and whether to stop.
    #[inline(always)]
    fn run_whole<W: World>(
        &mut self,
        block: &Block,
        code: &Straight,
        world: &mut W,
    ) -> (usize, Option<Stop>) {
        let whole = code.ops.len();
        self.skipped = 0;
        let (done, stop) = match self.run_operations(block, code, whole, world) {
            Ok(taken) => {
                if W::OBSERVED {
                    world.ran(code, 0..whole, taken);
                }
                self.pc = self.next_pc;
                (whole, None)
            }
            Err(unfinished) => self.leave(code, 0, whole - unfinished, world),
        };
        (done - self.skipped as usize, stop)
    }

    /// Lets blocks run by other means, where somebody can: how many instructions have run, and whether to stop. Errors
    /// with how many blocks behind this one to run without asking.
    fn run_faster<W: World>(
        &mut self,
        world: &mut W,
        blocks: &BlockCache,
        retired: u64,
        offer: Offer,
    ) -> Result<(u64, Option<Stop>), u32> {
        let entered = match world.enter(self, &Blocks(blocks), offer) {
            Answer::Ran(entered) => entered,
            Answer::Declined { unasked } => return Err(unasked),
        };
        let Some(rest) = entered.rest else {
            return Ok((entered.executed, None));
        };
        self.retired = retired + entered.executed;
        let (done, stop) = self.run_rest(&rest, world);
        Ok((entered.executed + done as u64, stop))
    }

    /// Ends a block whose beginning has run elsewhere.
    #[cold]
    fn run_rest<W: World>(&mut self, rest: &Rest, world: &mut W) -> (usize, Option<Stop>) {
        let code = &*rest.code;
        let whole = code.ops.len();
        (self.pc, self.next_pc) = (code.start, rest.next_pc);
        (self.skipped, self.epoch) = (rest.skipped, rest.epoch);
        world.begin();
        let (done, stop) = match self.run_told(code, rest.index..whole, world) {
            Ok(taken) => {
                world.ran(code, rest.index..whole, taken);
                self.pc = self.next_pc;
                (whole, None)
            }
            Err(unfinished) => self.leave(code, rest.index, whole - unfinished, world),
        };
        (done - self.skipped as usize, stop)
    }

    /// Executes as much of a block as the limit and `until` allow.
    #[cold]
    fn run_prefix<W: World>(
        &mut self,
        block: &Block,
        left: u64,
        until: Option<u32>,
        world: &mut W,
    ) -> (usize, Option<Stop>) {
        let code = block.plain();
        let count = code.prefix(left, until);
        if count == 0 {
            return (0, Some(if left == 0 { Stop::Limit } else { Stop::Until }));
        }
        match self.run_operations(block, code, count, world) {
            Ok(taken) => world.ran(code, 0..count, taken),
            Err(unfinished) => return self.leave(code, 0, count - unfinished, world),
        }
        self.pc = self.pc_behind(code, count - 1);
        (count, None)
    }

    /// Executes the first `count` operations of a block. Whether its branch, if that is among them, was taken, as far
    /// as anybody listens. Errors if an operation leaves the block: with how many were not run to their end.
    #[inline(always)]
    fn run_operations<W: World>(
        &mut self,
        block: &Block,
        code: &Straight,
        count: usize,
        world: &mut W,
    ) -> Result<bool, usize> {
        self.next_pc = code.end;
        self.epoch = block.epoch;
        if !W::OBSERVED {
            return match Handlers::next(self, world.bus(), &code.ops[..count]) {
                0 => Ok(false),
                unfinished => Err(unfinished),
            };
        }
        world.begin();
        self.run_told(code, 0..count, world)
    }

    /// Executes operations of a block. Whether its branch, if that is among them, was taken. Errors as above.
    #[inline(always)]
    fn run_told<W: World>(
        &mut self,
        code: &Straight,
        range: Range<usize>,
        world: &mut W,
    ) -> Result<bool, usize> {
        if W::OBSERVED && code.turn == Turn::Unclear {
            return self.run_unclear(code, range, world);
        }
        let count = range.end;
        match Handlers::next(self, world.bus(), &code.ops[range]) {
            0 => Ok(self.taken(code, count)),
            unfinished => Err(unfinished),
        }
    }

    /// Whether the branch of `code` is among the first `count` operations, which have just run, and was taken.
    #[inline]
    fn taken(&self, code: &Straight, count: usize) -> bool {
        match code.turn {
            _ if count + usize::from(code.slot) < code.ops.len() => false,
            Turn::Never => false,
            Turn::Unclear => self.turned,
            Turn::Always => true,
            Turn::Elsewhere => self.next_pc != code.end,
        }
    }

    /// The same where a branch leads to the instruction behind it or its slot: stops in front of it to look at T.
    #[cold]
    fn run_unclear<W: World>(
        &mut self,
        code: &Straight,
        range: Range<usize>,
        world: &mut W,
    ) -> Result<bool, usize> {
        let branch = code.ops.len() - 1 - usize::from(code.slot);
        let place = branch.clamp(range.start, range.end);
        let (before, behind) = (&code.ops[range.start..place], &code.ops[place..range.end]);
        self.turned = false;
        match Handlers::next(self, world.bus(), before) {
            0 => {}
            unfinished => return Err(unfinished + behind.len()),
        }
        let decides = behind.first().filter(|_| place == branch);
        self.turned = decides.is_some_and(|op| match op.id {
            Id::bt | Id::bt_s => self.t,
            _ => !self.t,
        });
        match Handlers::next(self, world.bus(), behind) {
            0 => Ok(self.turned),
            unfinished => Err(unfinished),
        }
    }

    /// Where execution goes on behind the operation at `index`.
    fn pc_behind(&self, code: &Straight, index: usize) -> u32 {
        if index + 1 == code.ops.len() {
            self.next_pc
        } else {
            code.address(index + 1)
        }
    }

    /// Puts the program counter where the operation at `index`, which left the block, wants it; those before `told` are
    /// known to whoever listens. Returns how many instructions have run, and whether to stop.
    #[cold]
    fn leave<W: World>(
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
    fn take<W: World>(&mut self, event: Event, world: &mut W) -> Option<Stop> {
        match self.raise(event) {
            Ok(taken) => {
                world.taken(&taken);
                None
            }
            Err(stop) => Some(stop),
        }
    }

    /// Enters the exception that `fault` is, if exceptions are taken and the chip has one.
    fn meet<W: World>(&mut self, fault: Fault, world: &mut W) -> Option<Stop> {
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

    /// What has to be done where no block was found: ends the run, enters an interrupt, runs one instruction
    /// under a break channel, or decodes.
    #[cold]
    fn prepare<W: World>(
        &mut self,
        world: &mut W,
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
        self.poll(world.bus());
        if let Some(event) = self.pending_interrupt() {
            return (0, stop(self.take(event, world)));
        }
        let armed = self.ubc.is_armed();
        if armed && !W::OBSERVED {
            return (0, Some(End::Armed));
        }
        match blocks.find(self, world.bus()) {
            Some(block) if armed => {
                let (done, end) = self.run_watched(block, world);
                (done, stop(end))
            }
            Some(_) => (0, None),
            None => (0, stop(self.decode(world, blocks))),
        }
    }

    /// Runs one instruction, a branch with its slot, under the user break controller.
    fn run_watched<W: World>(&mut self, block: &Block, world: &mut W) -> (usize, Option<Stop>) {
        let (pc, count) = (self.pc, block.plain().prefix(1, None));
        if let Some(event) = self.breaks_before(pc, count > 1) {
            return (0, self.take(event, world));
        }
        let blocked = self.status & sr::BL != 0;
        let (done, stop) = self.run_prefix(block, 1, None, world);
        let behind = match stop {
            None => self.breaks_behind(pc, done, world.tapped(), blocked),
            Some(_) => None,
        };
        match behind {
            Some(event) => (done, self.take(event, world)),
            None => (done, stop),
        }
    }

    /// Decodes the block at the program counter, if it may be fetched.
    fn decode<W: World>(&mut self, world: &mut W, blocks: &mut BlockCache) -> Option<Stop> {
        let decoded = self.check_fetch().and_then(|()| {
            blocks
                .decode(self, world.bus())
                .map_err(|error| self.fetch_fault(error))
        });
        match decoded {
            Ok(()) => None,
            Err(fault) => self.meet(fault, world),
        }
    }

    /// An odd program counter, or user code above 7FFFFFFF.
    fn check_fetch(&self) -> Result<(), Fault> {
        match self.check(self.pc, 1, Direction::Fetch) {
            Err(Exit::Fault(kind, _)) => Err(self.fault_at_pc(kind)),
            _ => Ok(()),
        }
    }

    fn fetch_fault(&self, error: BusError) -> Fault {
        self.fault_at_pc(FaultKind::Bus {
            direction: Direction::Fetch,
            error,
        })
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
