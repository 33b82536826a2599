//! Running blocks, one after the other.

use crate::block::{Block, BlockCache};
use crate::decode::Op;
use crate::observer::{Recorder, Retired};
use crate::stop::{Direction, Exit, Fault, FaultKind, Stop};
use crate::table::{Id, dispatch, flag};
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
            let left = max_instructions - executed;
            let (count, stop) = match self.run_blocks(&mut blocks, &mut bus, until, left) {
                (0, None) => self.run_unusual(&mut blocks, &mut bus, until, left),
                ran => ran,
            };
            executed += count;
            if let Some(stop) = stop {
                break stop;
            }
        };
        self.blocks = blocks;
        Run { executed, stop }
    }

    /// Runs whole decoded blocks for as long as nothing unusual comes up.
    #[inline(never)]
    fn run_blocks<B: Bus, O: Observer>(
        &mut self,
        blocks: &mut BlockCache,
        bus: &mut Recorder<'_, B, O>,
        until: Option<u32>,
        limit: u64,
    ) -> (u64, Option<Stop>) {
        let mut executed = 0;
        while let Some(block) = blocks.get(self, bus) {
            let length = block.ops.len() as u64;
            if limit - executed < length || until.is_some_and(|until| block.holds(until)) {
                break;
            }
            if let Err((index, exit)) = self.run_block(block, bus) {
                let (count, stop) = self.leave(block, index, exit, bus);
                return (executed + count, stop);
            }
            executed += length;
        }
        (executed, None)
    }

    /// The rest: code not decoded yet, code that cannot be fetched, and single instructions.
    #[cold]
    fn run_unusual<B: Bus, O: Observer>(
        &mut self,
        blocks: &mut BlockCache,
        bus: &mut Recorder<'_, B, O>,
        until: Option<u32>,
        limit: u64,
    ) -> (u64, Option<Stop>) {
        if let Err(stop) = self.check_fetch() {
            return (0, Some(stop));
        }
        if blocks.get(self, bus).is_none()
            && let Err(error) = blocks.decode(self, bus)
        {
            return (0, Some(Stop::Fault(self.fetch_fault(error))));
        }
        let whole =
            |block: &Block| block.ops.len() as u64 <= limit && !until.is_some_and(|until| block.holds(until));
        if blocks.get(self, bus).is_some_and(whole) {
            return self.run_blocks(blocks, bus, until, limit);
        }
        match Block::decode(self, bus, 1) {
            Ok(single) => self.run_single(&single, bus),
            Err(error) => (0, Some(Stop::Fault(self.fetch_fault(error)))),
        }
    }

    /// Runs one instruction, and its slot, decoded for itself.
    #[inline(never)]
    fn run_single<B: Bus, O: Observer>(
        &mut self,
        block: &Block,
        bus: &mut Recorder<'_, B, O>,
    ) -> (u64, Option<Stop>) {
        match self.run_block(block, bus) {
            Ok(()) => (block.ops.len() as u64, None),
            Err((index, exit)) => self.leave(block, index, exit, bus),
        }
    }

    /// Executes a block to its end, or to the operation that leaves it.
    #[inline(always)]
    fn run_block<B: Bus, O: Observer>(
        &mut self,
        block: &Block,
        bus: &mut Recorder<'_, B, O>,
    ) -> Result<(), (usize, Exit)> {
        self.next_pc = block.end;
        self.epoch = block.epoch;
        for (index, &op) in block.ops.iter().enumerate() {
            let before = self.t;
            if O::ENABLED {
                bus.begin();
            }
            dispatch(self, bus, op).map_err(|exit| (index, exit))?;
            if O::ENABLED {
                self.report(block, index, before, bus);
            }
        }
        self.pc = self.next_pc;
        Ok(())
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
            Exit::CodeWritten => {
                if O::ENABLED {
                    self.report(block, index, self.t, bus);
                }
                let last = index + 1 == block.ops.len();
                self.pc = if last {
                    self.next_pc
                } else {
                    address(block, index + 1)
                };
                return (done + 1, None);
            }
            Exit::Sleep => Stop::Sleep,
            Exit::Trapa(imm) => Stop::Trapa { imm },
            Exit::Fault(kind, data) => {
                let in_slot = block.slot && index + 1 == block.ops.len();
                let pc = address(block, index);
                self.pc = if in_slot { address(block, index - 1) } else { pc };
                let opcode = bus.fetch(pc).unwrap_or(0);
                let fetch = matches!(
                    kind,
                    FaultKind::Bus {
                        direction: Direction::Fetch,
                        ..
                    }
                );
                let data = if fetch { Some(pc) } else { data };
                let fault = Fault {
                    kind,
                    pc,
                    opcode,
                    mode: self.mode(),
                    in_slot,
                    address: data,
                };
                return (done, Some(Stop::Fault(fault)));
            }
        };
        if O::ENABLED {
            self.report(block, index, self.t, bus);
        }
        self.pc = self.next_pc;
        (done + 1, Some(stop))
    }

    fn report<B: Bus, O: Observer>(
        &self,
        block: &Block,
        index: usize,
        t: bool,
        bus: &mut Recorder<'_, B, O>,
    ) {
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

fn address(block: &Block, index: usize) -> u32 {
    block.start.wrapping_add(2 * index as u32)
}

/// Whether a branch that found `t` was taken.
fn taken(op: Op, t: bool) -> bool {
    match op.id {
        Id::bt | Id::bt_s => t,
        Id::bf | Id::bf_s => !t,
        _ => op.row().is_some_and(|row| row.has(flag::BRANCH)),
    }
}
