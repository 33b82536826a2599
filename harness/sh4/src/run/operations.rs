//! Runs the operations of a block: all, up to a limit, or the rest after an accelerator.

use crate::Cpu;
use crate::accelerate::{Answer, Blocks, Offer, ResumePoint};
use crate::block::{BasicBlock, Block, BlockCache, Terminator};
use crate::context::ExecContext;
use crate::dispatch::Handlers;
use crate::stop::Stop;
use crate::table::Id;
use std::ops::Range;

impl Cpu {
    /// Executes all of `code`. Returns the number of executed instructions and the stop, if there is one.
    #[inline(always)]
    pub(super) fn run_whole<W: ExecContext>(
        &mut self,
        block: &Block,
        code: &BasicBlock,
        context: &mut W,
    ) -> (usize, Option<Stop>) {
        let whole = code.ops.len();
        self.skipped = 0;
        let (done, stop) = match self.run_operations(block, code, whole, context) {
            Ok(taken) => {
                if W::OBSERVED {
                    context.ran(code, 0..whole, taken);
                }
                self.pc = self.next_pc;
                (whole, None)
            }
            Err(unfinished) => self.leave(code, 0, whole - unfinished, context),
        };
        (done - self.skipped as usize, stop)
    }

    /// Offers the block to the accelerator. Returns the number of executed instructions and the stop, if
    /// there is one. An error is the number of following blocks to run without an offer.
    pub(super) fn run_faster<W: ExecContext>(
        &mut self,
        context: &mut W,
        blocks: &BlockCache,
        retired: u64,
        offer: Offer,
    ) -> Result<(u64, Option<Stop>), u32> {
        let entered = match context.enter(self, &Blocks(blocks), offer) {
            Answer::Ran(entered) => entered,
            Answer::Declined { skip_offers } => return Err(skip_offers),
        };
        let Some(rest) = entered.rest else {
            return Ok((entered.executed, entered.yields.then_some(Stop::Yield)));
        };
        self.retired = retired + entered.executed;
        let (done, stop) = self.resume(&rest, context);
        Ok((entered.executed + done as u64, stop))
    }

    /// Ends a block after the accelerator has run its beginning.
    #[cold]
    fn resume<W: ExecContext>(&mut self, rest: &ResumePoint, context: &mut W) -> (usize, Option<Stop>) {
        let code = &*rest.code;
        let whole = code.ops.len();
        (self.pc, self.next_pc) = (code.start, rest.next_pc);
        (self.skipped, self.epoch) = (rest.skipped, rest.epoch);
        context.begin();
        let (done, stop) = match self.run_reported(code, rest.index..whole, context) {
            Ok(taken) => {
                context.ran(code, rest.index..whole, taken);
                self.pc = self.next_pc;
                (whole, None)
            }
            Err(unfinished) => self.leave(code, rest.index, whole - unfinished, context),
        };
        (done - self.skipped as usize, stop)
    }

    /// Executes the part of a block that the limit and `until` allow.
    #[cold]
    pub(super) fn run_prefix<W: ExecContext>(
        &mut self,
        block: &Block,
        left: u64,
        until: Option<u32>,
        context: &mut W,
    ) -> (usize, Option<Stop>) {
        let code = block.plain();
        let count = code.prefix(left, until);
        self.skipped = 0;
        if count == 0 {
            return (0, Some(if left == 0 { Stop::Limit } else { Stop::Until }));
        }
        match self.run_operations(block, code, count, context) {
            Ok(taken) => context.ran(code, 0..count, taken),
            Err(unfinished) => return self.leave(code, 0, count - unfinished, context),
        }
        self.pc = self.pc_after(code, count - 1);
        (count, None)
    }

    /// Executes the first `count` operations of a block. Returns true if they include its branch, it was
    /// taken, and an observer needs to know. If an operation leaves the block, the error is the number of
    /// operations that did not complete.
    #[inline(always)]
    fn run_operations<W: ExecContext>(
        &mut self,
        block: &Block,
        code: &BasicBlock,
        count: usize,
        context: &mut W,
    ) -> Result<bool, usize> {
        self.next_pc = code.end;
        self.epoch = block.epoch;
        if !W::OBSERVED {
            return match Handlers::next(self, context.bus(), &code.ops[..count]) {
                0 => Ok(false),
                unfinished => Err(unfinished),
            };
        }
        context.begin();
        self.run_reported(code, 0..count, context)
    }

    /// Executes operations of a block. Returns true if they include its branch and it was taken. If an
    /// operation leaves the block, the error is the number of operations that did not complete.
    #[inline(always)]
    fn run_reported<W: ExecContext>(
        &mut self,
        code: &BasicBlock,
        range: Range<usize>,
        context: &mut W,
    ) -> Result<bool, usize> {
        if W::OBSERVED && code.terminator == Terminator::Unclear {
            return self.run_unclear(code, range, context);
        }
        let count = range.end;
        match Handlers::next(self, context.bus(), &code.ops[range]) {
            0 => Ok(self.taken(code, count)),
            unfinished => Err(unfinished),
        }
    }

    /// Returns true if the branch of `code` is one of the first `count` operations, which have just run, and
    /// was taken.
    #[inline]
    pub(super) fn taken(&self, code: &BasicBlock, count: usize) -> bool {
        match code.terminator {
            _ if count + usize::from(code.slot) < code.ops.len() => false,
            Terminator::Never => false,
            Terminator::Unclear => self.branch_taken,
            Terminator::Always => true,
            Terminator::Elsewhere => self.next_pc != code.end,
        }
    }

    /// Runs a block with a branch to its own successor: stops before the branch, and reads T to find out
    /// whether it is taken.
    #[cold]
    fn run_unclear<W: ExecContext>(
        &mut self,
        code: &BasicBlock,
        range: Range<usize>,
        context: &mut W,
    ) -> Result<bool, usize> {
        let branch = code.ops.len() - 1 - usize::from(code.slot);
        let place = branch.clamp(range.start, range.end);
        let (before, after) = (&code.ops[range.start..place], &code.ops[place..range.end]);
        self.branch_taken = false;
        match Handlers::next(self, context.bus(), before) {
            0 => {}
            unfinished => return Err(unfinished + after.len()),
        }
        let decides = after.first().filter(|_| place == branch);
        self.branch_taken = decides.is_some_and(|op| match op.id {
            Id::bt | Id::bt_s => self.t,
            _ => !self.t,
        });
        match Handlers::next(self, context.bus(), after) {
            0 => Ok(self.branch_taken),
            unfinished => Err(unfinished),
        }
    }

    /// Returns the program counter after the operation at `index`.
    pub(super) fn pc_after(&self, code: &BasicBlock, index: usize) -> u32 {
        if index + 1 == code.ops.len() {
            self.next_pc
        } else {
            code.address(index + 1)
        }
    }
}
