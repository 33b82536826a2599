//! Running blocks, one after the other.

use crate::block::{Block, BlockCache};
use crate::decode::Op;
use crate::observer::{Quiet, Recorder, Retired, World};
use crate::stop::{Direction, Exit, Fault, FaultKind, Stop};
use crate::table::{Handlers, Id, flag};
use crate::{Bus, BusError, Cpu, Observer};

/// What a run did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Instructions executed to their end.
    pub executed: u64,
    /// Why it ended.
    pub stop: Stop,
}

impl Cpu {
    /// Executes one instruction; a branch together with its delay slot.
    pub fn step<B: Bus>(&mut self, bus: &mut B) -> Result<(), Stop> {
        match self.run(bus, None, 1, &mut ()).stop {
            Stop::Limit => Ok(()),
            stop => Err(stop),
        }
    }

    /// Executes until the program counter is `until`, `max_instructions` have run, or something stops
    /// the program. A branch and its delay slot are never parted: `until` is not seen in a slot, and
    /// the limit may be passed by one.
    pub fn run<B: Bus, O: Observer>(
        &mut self,
        bus: &mut B,
        until: Option<u32>,
        max_instructions: u64,
        observer: &mut O,
    ) -> Run {
        let mut blocks = std::mem::take(&mut self.blocks);
        let run = if O::ENABLED {
            self.run_in(
                &mut Recorder::new(bus, observer),
                &mut blocks,
                until,
                max_instructions,
            )
        } else {
            self.run_in(&mut Quiet(bus), &mut blocks, until, max_instructions)
        };
        self.blocks = blocks;
        run
    }

    fn run_in<W: World>(
        &mut self,
        world: &mut W,
        blocks: &mut BlockCache,
        until: Option<u32>,
        max_instructions: u64,
    ) -> Run {
        let mut executed = 0;
        loop {
            let left = max_instructions.saturating_sub(executed);
            let Some(block) = blocks.get(self, world.bus()) else {
                match self.prepare(world.bus(), blocks, until, left) {
                    Ok(()) => continue,
                    Err(stop) => return Run { executed, stop },
                }
            };
            let whole = block.ops.len();
            let (done, end) = if left < whole as u64 || until.is_some_and(|until| block.holds(until)) {
                self.run_prefix(block, left, until, world)
            } else if let Err(unfinished) = self.run_operations(block, whole, world) {
                self.leave(block, whole - unfinished, world)
            } else {
                self.pc = self.next_pc;
                (whole, None)
            };
            executed += done as u64;
            if let Some(stop) = end {
                return Run { executed, stop };
            }
        }
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
        let count = block.prefix(left, until);
        if count == 0 {
            return (0, Some(if left == 0 { Stop::Limit } else { Stop::Until }));
        }
        if let Err(unfinished) = self.run_operations(block, count, world) {
            return self.leave(block, count - unfinished, world);
        }
        self.pc = self.pc_behind(block, count - 1);
        (count, None)
    }

    /// Executes the first `count` operations of a block. Errors if one leaves it: with how many were
    /// not run to their end.
    #[inline(always)]
    fn run_operations<W: World>(&mut self, block: &Block, count: usize, world: &mut W) -> Result<(), usize> {
        let handlers = const { &Handlers::<W::Bus>::ALL };
        self.next_pc = block.end;
        self.epoch = block.epoch;
        let mut rest = block.ops[..count].iter();
        while let Some(op) = rest.next() {
            let before = self.t;
            if W::OBSERVED {
                world.begin();
            }
            if !handlers[op.id as usize](self, world.bus(), op) {
                return Err(rest.len() + 1);
            }
            if W::OBSERVED {
                self.report(block, count - rest.len() - 1, before, world);
            }
        }
        Ok(())
    }

    /// Where execution goes on behind the operation at `index`.
    fn pc_behind(&self, block: &Block, index: usize) -> u32 {
        if index + 1 == block.ops.len() {
            self.next_pc
        } else {
            block.address(index + 1)
        }
    }

    /// Puts the program counter where the operation at `index`, which left the block, wants it. Returns
    /// how many instructions have run, and whether to stop.
    #[cold]
    fn leave<W: World>(&mut self, block: &Block, index: usize, world: &mut W) -> (usize, Option<Stop>) {
        let stop = match self.exit {
            Exit::CodeWritten => None,
            Exit::Sleep => Some(Stop::Sleep),
            Exit::Trapa(imm) => Some(Stop::Trapa { imm }),
            Exit::Fault(kind, data) => {
                let fault = self.fault(block, index, kind, data, world.bus());
                self.pc = if fault.in_slot {
                    block.address(index - 1)
                } else {
                    fault.pc
                };
                return (index, Some(Stop::Fault(fault)));
            }
        };
        if W::OBSERVED {
            self.report(block, index, self.t, world);
        }
        self.pc = self.pc_behind(block, index);
        (index + 1, stop)
    }

    fn fault<B: Bus>(
        &self,
        block: &Block,
        index: usize,
        kind: FaultKind,
        data: Option<u32>,
        bus: &mut B,
    ) -> Fault {
        let pc = block.address(index);
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
            in_slot: block.slot && index + 1 == block.ops.len(),
            address: if fetch { Some(pc) } else { data },
        }
    }

    fn report<W: World>(&self, block: &Block, index: usize, t: bool, world: &mut W) {
        let op = block.ops[index];
        let pc = block.address(index);
        let opcode = world.bus().fetch(pc).unwrap_or(0);
        let in_slot = block.slot && index + 1 == block.ops.len();
        world.retire(Retired {
            pc,
            opcode,
            id: op.id,
            n: op.n,
            m: op.m,
            in_slot,
            taken: taken(op, t),
            accesses: &[],
        });
    }

    /// Decodes the block at the program counter, if execution is to go on there at all.
    #[cold]
    fn prepare<B: Bus>(
        &mut self,
        bus: &mut B,
        blocks: &mut BlockCache,
        until: Option<u32>,
        left: u64,
    ) -> Result<(), Stop> {
        if left == 0 {
            return Err(Stop::Limit);
        }
        if until == Some(self.pc) {
            return Err(Stop::Until);
        }
        self.check_fetch()?;
        blocks
            .decode(self, bus)
            .map_err(|error| Stop::Fault(self.fetch_fault(error)))
    }

    /// An odd program counter, or user code above 7FFFFFFF.
    #[cold]
    fn check_fetch(&self) -> Result<(), Stop> {
        match self.check(self.pc, 1, Direction::Fetch) {
            Err(Exit::Fault(kind, _)) => Err(Stop::Fault(self.fault_at_pc(kind))),
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

/// Whether a branch that found `t` was taken.
fn taken(op: Op, t: bool) -> bool {
    match op.id {
        Id::bt | Id::bt_s => t,
        Id::bf | Id::bf_s => !t,
        _ => op.row().is_some_and(|row| row.has(flag::BRANCH)),
    }
}
