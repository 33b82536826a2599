//! The interface between the interpreter and a compiler of decoded blocks.
//!
//! [`Cpu::run_accelerated`] is the interpreter's loop. It offers each block to an [`Accelerator`], which may
//! run that block and more. The accelerator returns a [`ResumePoint`] before an operation that it does not
//! support (exceptions, on-chip registers, rare cases). The interpreter runs the block from there.

use std::sync::Arc;

pub use crate::block::{BasicBlock, KEY_MODE, Key};

use crate::block::BlockCache;
use crate::dispatch::Handlers;
use crate::observer::RetiredBlock;
use crate::stop::Exit;
use crate::table::{Row, flag};
use crate::{Bus, BusError, Cpu, Direction, Op};

/// Runs decoded blocks in place of the interpreter.
pub trait Accelerator<B: Bus> {
    /// Offers the block at the program counter, which is decoded and current, with no interrupt pending.
    ///
    /// The accelerator runs the block and the blocks that follow it within the offer's limit, or declines.
    /// The result equals the interpreter's. It begins a block only if all of these hold: the bus's code epoch
    /// has not changed, the CPU has the key of the block, the limit leaves room for the whole block, and
    /// [`Limit::until`] is not inside it.
    fn enter(&mut self, cpu: &mut Cpu, bus: &mut B, blocks: &Blocks<'_>, offer: Offer) -> Answer;

    /// Returns named counts of the work done, for developers.
    fn report(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Discards compiled code after breakpoints have changed.
    fn discard(&mut self) {}
}

/// The limits of an accelerated run.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// The end of the run.
    pub limit: Limit,
    /// Number of blocks that the interpreter has run since the last offer; at most `skip_offers` of the last
    /// answer.
    pub passed: u32,
}

/// The answer to an offer.
#[derive(Debug)]
pub enum Answer {
    /// The accelerator has run the block or its beginning.
    Ran(Entered),
    /// The interpreter runs the block.
    Declined {
        /// Number of following blocks that the interpreter must not offer. An offer takes as much time as a
        /// short block.
        skip_offers: u32,
    },
}

/// The end of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Instructions that may still run.
    pub left: u64,
    /// An address at which the run ends.
    pub until: Option<u32>,
}

/// The result of a run. Without `rest` the program counter is at the next block.
#[derive(Debug)]
pub struct Entered {
    /// Instructions executed, without those at the beginning of the block in `rest`.
    pub executed: u64,
    /// The block that the interpreter continues.
    pub rest: Option<ResumePoint>,
    /// The bus has asked for the end of the run ([`Bus::end_deferred`]); then there is no `rest`.
    pub yields: bool,
}

/// A block that was executed up to the operation at `index`.
#[derive(Debug)]
pub struct ResumePoint {
    /// The block.
    pub code: Arc<BasicBlock>,
    /// The first operation that has not run.
    pub index: usize,
    /// The count of skipped operations before it.
    pub skipped: u32,
    /// Address of the next instruction after the block, as far as a branch before `index` has determined it.
    pub next_pc: u32,
    /// The bus's code epoch when the block began.
    pub epoch: u64,
}

/// The decoded blocks.
#[derive(Debug)]
pub struct Blocks<'a>(pub(crate) &'a BlockCache);

impl Blocks<'_> {
    /// The block at `pc` under `key`, if it was decoded and its code has not changed.
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

    /// Address after the last instruction.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.end
    }

    /// One operation per instruction.
    #[must_use]
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Returns true if the last operation is in the delay slot of the operation before it.
    #[must_use]
    pub fn has_slot(&self) -> bool {
        self.slot
    }

    /// The whole block for an observer, without taken branches and accesses.
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

/// Returns false for operations that need no bus: FPU operations on registers.
#[must_use]
pub fn uses_bus(op: Op) -> bool {
    op.row()
        .is_none_or(|row| !row.has(flag::FPU) || Row::accesses(row) > 0)
}

/// The result of a single operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SingleResult {
    /// The operation has run.
    Done,
    /// The operation has run and has written to watched code: the caller must leave the block.
    Written,
    /// The operation has changed no state: the bus answers only with the time ([`Bus::begin_deferred`]).
    Deferred,
    /// The operation has changed no state; the interpreter reports the reason.
    Refused,
}

impl Cpu {
    /// The key of the current block. While an interrupt or a break channel needs attention, it is a value
    /// that no block has.
    #[must_use]
    pub fn block_key(&self) -> Key {
        self.key
    }

    /// Returns true if the program may access `1 << log2` bytes at `address`, by alignment and privilege.
    #[inline]
    #[must_use]
    pub fn permits(&self, address: u32, log2: usize, direction: Direction) -> bool {
        self.check(address, log2.min(3), direction).is_ok()
    }

    /// Runs one decoded operation on the current registers. The operation must not be a branch. Calls `bus`
    /// only if [`uses_bus`] returns true.
    pub fn run_operation<B: Bus>(&mut self, bus: &mut B, op: Op) -> SingleResult {
        if uses_bus(op) {
            self.epoch = bus.code_epoch();
        }
        match Handlers::next(self, bus, std::slice::from_ref(&op)) {
            0 => SingleResult::Done,
            _ if matches!(self.exit, Exit::CodeWritten) => SingleResult::Written,
            _ if self.bus_error() == Some(BusError::Deferred) => SingleResult::Deferred,
            _ => SingleResult::Refused,
        }
    }
}

/// Byte offsets of private registers in [`Cpu`], for compiled code.
pub mod offset {
    use crate::Cpu;

    /// SR without T. Compiled code may write S, Q and M.
    pub const STATUS: usize = std::mem::offset_of!(Cpu, status);
    /// FPSCR. Compiled code may write cause, flag, PR and SZ.
    pub const FPSCR: usize = std::mem::offset_of!(Cpu, fpscr);
    /// The block key ([`Cpu::block_key`]). Compiled code writes [`KEY_MODE`](super::KEY_MODE) when it writes
    /// FPSCR.
    pub const KEY: usize = std::mem::offset_of!(Cpu, key);
}
