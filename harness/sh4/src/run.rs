//! Running blocks, one after the other.

use crate::block::{Block, BlockCache};
use crate::decode::Op;
use crate::observer::{Recorder, Retired};
use crate::stop::{Direction, Exit, Fault, FaultKind, Stop};
use crate::table::{Id, TABLE, dispatch, flag};
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
        let mut bus = Recorder::new(bus, observer);
        let mut executed = 0;
        let stop = loop {
            if executed >= max_instructions {
                break Stop::Limit;
            }
            if until == Some(self.pc) {
                break Stop::Until;
            }
            match self.next_block(&mut blocks, &mut bus, until, max_instructions - executed) {
                (count, None) => executed += count,
                (count, Some(stop)) => {
                    executed += count;
                    break stop;
                }
            }
        };
        self.blocks = blocks;
        Run { executed, stop }
    }

    /// Runs the block at the program counter, or as much as `until` and `limit` allow.
    #[inline]
    fn next_block<B: Bus, O: Observer>(
        &mut self,
        blocks: &mut BlockCache,
        bus: &mut Recorder<'_, B, O>,
        until: Option<u32>,
        limit: u64,
    ) -> (u64, Option<Stop>) {
        if self.pc & self.forbidden[1] != 0 && let Err(stop) = self.check_fetch() {
            return (0, Some(stop));
        }
        let block = match blocks.find(self, bus, Block::key(self)) {
            Ok(block) => block,
            Err(error) => return (0, Some(Stop::Fault(self.fetch_fault(error)))),
        };
        let cut = until.is_some_and(|until| (block.start..block.end).contains(&until));
        if cut || block.ops.len() as u64 > limit {
            return match Block::decode(self, bus, 1) {
                Ok(single) => self.run_block(&single, bus),
                Err(error) => (0, Some(Stop::Fault(self.fetch_fault(error)))),
            };
        }
        self.run_block(block, bus)
    }

    /// Executes a block to its end, or to a stop, or until a store has changed watched code.
    #[inline]
    fn run_block<B: Bus, O: Observer>(
        &mut self,
        block: &Block,
        bus: &mut Recorder<'_, B, O>,
    ) -> (u64, Option<Stop>) {
        self.next_pc = block.end;
        let epoch = bus.code_epoch();
        for (index, &op) in block.ops.iter().enumerate() {
            let before = if O::ENABLED { bus.begin(); self.t } else { false };
            if let Err(exit) = dispatch(self, bus, op) {
                return self.leave(block, index, exit, bus);
            }
            if O::ENABLED {
                self.report(block, index, before, bus);
            }
            if stores(op.id) && bus.code_epoch() != epoch && index + 1 < block.ops.len() {
                self.pc = address(block, index + 1);
                return (index as u64 + 1, None);
            }
        }
        self.pc = self.next_pc;
        (block.ops.len() as u64, None)
    }

    /// Puts the program counter where the stop leaves it.
    #[cold]
    fn leave<B: Bus, O: Observer>(
        &mut self,
        block: &Block,
        index: usize,
        exit: Exit,
        bus: &mut Recorder<'_, B, O>,
    ) -> (u64, Option<Stop>) {
        let done = index as u64;
        let stop = match exit {
            Exit::Sleep => Stop::Sleep,
            Exit::Trapa(imm) => Stop::Trapa { imm },
            Exit::Fault(kind, data) => {
                let in_slot = block.slot && index + 1 == block.ops.len();
                let pc = address(block, index);
                self.pc = if in_slot { address(block, index - 1) } else { pc };
                let opcode = bus.fetch(pc).unwrap_or(0);
                let fetch = matches!(kind, FaultKind::Bus { direction: Direction::Fetch, .. });
                let data = if fetch { Some(pc) } else { data };
                let fault = Fault { kind, pc, opcode, mode: self.mode(), in_slot, address: data };
                return (done, Some(Stop::Fault(fault)));
            }
        };
        if O::ENABLED {
            self.report(block, index, self.t, bus);
        }
        self.pc = self.next_pc;
        (done + 1, Some(stop))
    }

    fn report<B: Bus, O: Observer>(&self, block: &Block, index: usize, t: bool, bus: &mut Recorder<'_, B, O>) {
        let op = block.ops[index];
        let pc = address(block, index);
        let opcode = bus.fetch(pc).unwrap_or(0);
        let in_slot = block.slot && index + 1 == block.ops.len();
        bus.retire(Retired {
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

    /// An odd program counter, or user code above 7FFFFFFF.
    #[cold]
    fn check_fetch(&self) -> Result<(), Stop> {
        match self.check(self.pc, 1, Direction::Fetch) {
            Err(Exit::Fault(kind, _)) => Err(Stop::Fault(self.fault_at_pc(kind))),
            _ => Ok(()),
        }
    }

    fn fetch_fault(&self, error: BusError) -> Fault {
        self.fault_at_pc(FaultKind::Bus { direction: Direction::Fetch, error })
    }

    fn fault_at_pc(&self, kind: FaultKind) -> Fault {
        Fault { kind, pc: self.pc, opcode: 0, mode: self.mode(), in_slot: false, address: Some(self.pc) }
    }
}

fn address(block: &Block, index: usize) -> u32 {
    block.start.wrapping_add(2 * index as u32)
}

#[inline]
fn stores(id: Id) -> bool {
    TABLE.get(id as usize).is_some_and(|row| row.has(flag::STORE))
}

/// Whether a branch that found `t` was taken.
fn taken(op: Op, t: bool) -> bool {
    match op.id {
        Id::bt | Id::bt_s => t,
        Id::bf | Id::bf_s => !t,
        _ => op.row().is_some_and(|row| row.has(flag::BRANCH)),
    }
}
