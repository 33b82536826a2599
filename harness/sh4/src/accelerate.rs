//! What a compiler of decoded blocks needs of the interpreter, and the interpreter of it.
//!
//! [`Cpu::run_accelerated`] is the interpreter's own loop. Before it runs a block it offers it to an [`Accelerator`],
//! which may run that one and as many more as it likes, and gives back where the interpreter is to go on. So what an
//! accelerator cannot do (exceptions, on-chip registers, anything rare) it need not do: it names the operation that it
//! has come to ([`ResumePoint`]), and the interpreter runs the block from there as if it had run its beginning too.

use std::sync::Arc;

pub use crate::block::{BasicBlock, Key};

use crate::block::BlockCache;
use crate::observer::{Access, Listener, RetiredBlock};
use crate::stop::Exit;
use crate::table::Handlers;
use crate::tap::Tap;
use crate::timing::BlockTiming;
use crate::{Bus, Cpu, Direction, Op};

/// Runs decoded blocks by other means than the interpreter.
pub trait Accelerator<B: Bus> {
    /// The block at the program counter is decoded and current, and nothing needs attention before it: it may run, with
    /// others behind it, within the offer's limit; or the interpreter is to run it.
    ///
    /// What has run must be what the interpreter would have run. A block is begun only if the bus's code epoch is
    /// still what it was, the key still that of the block, the limit leaves room for all of it, and [`Limit::until`] is
    /// not inside. With a `timing`, all that has run is in its books.
    fn enter(
        &mut self,
        cpu: &mut Cpu,
        bus: &mut B,
        blocks: &Blocks<'_>,
        offer: Offer,
        timing: Option<&mut dyn BlockTiming>,
    ) -> Answer;
}

/// A block to run, and more behind it.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// Where the run ends.
    pub limit: Limit,
    /// Blocks that the interpreter has run since the last offer, as the last answer wanted it.
    pub passed: u32,
}

/// What becomes of a block that was offered.
#[derive(Debug)]
pub enum Answer {
    /// It has run, or the beginning of it.
    Ran(Entered),
    /// It is the interpreter's.
    Declined {
        /// How many blocks behind it are not to be offered in this run: asking for each costs as much as a short one.
        unasked: u32,
    },
}

/// Where a run ends in any case.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Instructions that may still run.
    pub left: u64,
    /// An address not to run past.
    pub until: Option<u32>,
}

/// What an accelerator has done. Without `rest` the program counter is at the next block.
#[derive(Debug)]
pub struct Entered {
    /// Instructions run to their end; those at the beginning of the block in `rest` are not counted.
    pub executed: u64,
    /// The block that the interpreter is to end.
    pub rest: Option<ResumePoint>,
}

/// A block whose operations have run up to `index`, registers and all.
#[derive(Debug)]
pub struct ResumePoint {
    /// The block.
    pub code: Arc<BasicBlock>,
    /// The first operation that has not run.
    pub index: usize,
    /// How many of those before were skipped.
    pub skipped: u32,
    /// Where execution goes on behind the block, as far as known at `index`: what a branch before it has chosen.
    pub next_pc: u32,
    /// The bus's code epoch when the block began.
    pub epoch: u64,
}

/// The blocks that the interpreter has decoded so far.
#[derive(Debug)]
pub struct Blocks<'a>(pub(crate) &'a BlockCache);

impl Blocks<'_> {
    /// The block at `pc` under `key`, if it was decoded and its code is still the same.
    #[must_use]
    pub fn at<B: Bus>(&self, bus: &B, pc: u32, key: Key) -> Option<&BasicBlock> {
        self.0.current(bus, pc, key)
    }
}

impl BasicBlock {
    /// Address of the first instruction.
    #[must_use]
    pub fn start(&self) -> u32 {
        self.start
    }

    /// Address behind the last instruction.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.end
    }

    /// One operation an instruction.
    #[must_use]
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Whether the last operation stands in the delay slot of the one before.
    #[must_use]
    pub fn has_slot(&self) -> bool {
        self.slot
    }

    /// The whole block as an observer would be told of it, without branches taken and accesses.
    #[must_use]
    pub fn retired(&self) -> RetiredBlock<'_> {
        RetiredBlock {
            number: self.number,
            start: self.start,
            ops: &self.ops,
            opcodes: &self.opcodes,
            slot: self.slot,
            ran: 0..self.ops.len(),
            skips: 0,
            taken: false,
            accesses: &[],
        }
    }
}

/// How an operation that was run by itself has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SingleResult {
    /// To its end.
    Done,
    /// To its end, and the block is to be left behind it: watched code was written.
    Written,
    /// It has changed no register; run by the interpreter it will say why.
    Refused,
}

impl Cpu {
    /// [`Cpu::run`] with whoever runs blocks faster. State, memory, stop and count come out the same.
    pub fn run_accelerated<B: Bus>(
        &mut self,
        bus: &mut B,
        until: Option<u32>,
        max_instructions: u64,
        accelerator: &mut dyn Accelerator<B>,
    ) -> crate::Run {
        self.run_with(bus, until, max_instructions, None, Some(accelerator))
    }

    /// The same with a listener. What it hears and counts comes out the same too: if it has no
    /// [`BlockTiming`](crate::timing::BlockTiming), the interpreter runs everything.
    pub fn run_accelerated_observed<B: Bus>(
        &mut self,
        bus: &mut B,
        until: Option<u32>,
        max_instructions: u64,
        listener: Option<&mut dyn Listener>,
        accelerator: &mut dyn Accelerator<B>,
    ) -> crate::Run {
        self.run_with(bus, until, max_instructions, listener, Some(accelerator))
    }

    /// What blocks are found by at present; one that no block has while something needs attention.
    #[must_use]
    pub fn block_key(&self) -> Key {
        self.key
    }

    /// Whether the program may access `1 << log2` bytes at `address`, by alignment and privilege.
    #[must_use]
    pub fn permits(&self, address: u32, log2: usize, direction: Direction) -> bool {
        self.check(address, log2.min(3), direction).is_ok()
    }

    /// Runs one decoded operation, which must not be a branch, on the registers as they are.
    pub fn run_operation<B: Bus>(&mut self, bus: &mut B, op: Op) -> SingleResult {
        self.run_single(bus, op)
    }

    /// The same, where what it accesses is told to `on_block` if it was not refused.
    pub fn run_operation_observed<B: Bus>(
        &mut self,
        bus: &mut B,
        op: Op,
        mut on_block: impl FnMut(&[Access]),
    ) -> SingleResult {
        let mut tap = Tap::new(bus, None, false);
        let alone = self.run_single(&mut tap, op);
        if alone != SingleResult::Refused {
            on_block(tap.accesses());
        }
        alone
    }

    fn run_single<B: Bus>(&mut self, bus: &mut B, op: Op) -> SingleResult {
        self.epoch = bus.code_epoch();
        match Handlers::next(self, bus, std::slice::from_ref(&op)) {
            0 => SingleResult::Done,
            _ if matches!(self.exit, Exit::CodeWritten) => SingleResult::Written,
            _ => SingleResult::Refused,
        }
    }
}

/// Where registers that have accessors lie in [`Cpu`], in bytes: for compiled code. Others have public fields.
pub mod offset {
    use crate::Cpu;

    /// SR without T; writing S, Q and M needs nothing else.
    pub const STATUS: usize = std::mem::offset_of!(Cpu, status);
    /// FPSCR; writing cause and flag needs nothing else.
    pub const FPSCR: usize = std::mem::offset_of!(Cpu, fpscr);
}
