//! Loops that wait, as for a flag that an interrupt sets or for a register to change.
//!
//! Such a loop is a block that branches to itself and stores nothing. If a round ends with the registers with
//! which it began, the next rounds are the same as long as what it reads stays: on a steady bus
//! ([`sh4::Window::steady`]) to the end of the run, or to the time that a timed read names. Those rounds are
//! counted and not run.

use super::{Emitter, source_block};
use crate::host::Context;
use crate::region;
use crate::registers::{Reg, Regs};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use sh4::accelerate::BasicBlock;
use sh4::table::{Row, flag};
use sh4::{Direction, Op};
use std::mem::offset_of;

/// Instructions of a round, at most: longer loops do more than wait.
const LONGEST: usize = 16;

/// The present block, if it may be such a loop.
pub(super) struct WaitLoop {
    /// The registers that a round may change, as it began.
    before: Vec<(Reg, Value)>,
    /// What the blocks before this one write.
    written: Regs,
}

impl Emitter<'_, '_> {
    /// At the head of a block, behind its check of the count of instructions.
    pub(super) fn begin_waiting(&mut self) {
        let code = source_block(self.source, self.place.block);
        let steady = self.source.shape.is_some_and(|shape| shape.steady);
        if !steady || !may_wait(code) {
            return;
        }
        let forever = self.b.ins().iconst(types::I64, -1);
        self.store_context(forever, offset_of!(Context, holds));
        let registers = code.ops().iter().fold(Regs::of([Reg::T, Reg::r(0)]), |regs, op| {
            regs.and(Reg::r(op.n)).and(Reg::r(op.m))
        });
        let before = registers.iter().map(|reg| (reg, self.get(reg))).collect();
        let written = std::mem::take(&mut self.written);
        self.waiting = Some(WaitLoop { before, written });
    }

    /// At the end of a block.
    pub(super) fn end_waiting(&mut self) {
        if let Some(waiting) = self.waiting.take() {
            self.written = self.written.with(waiting.written);
        }
    }

    /// Before a block's branch to itself, behind the payment of the round.
    pub(super) fn skip_rounds(&mut self) {
        let Some(waiting) = &self.waiting else { return };
        let changed = self.written;
        let before: Vec<(Reg, Value)> = waiting
            .before
            .iter()
            .copied()
            .filter(|(reg, _)| changed.has(*reg))
            .collect();
        if before.len() < changed.iter().count() {
            return;
        }
        let (skip, on) = (self.b.create_block(), self.b.create_block());
        let mut same = self.b.ins().iconst(types::I8, 1);
        for (reg, before) in before {
            let now = self.get(reg);
            let equal = self.b.ins().icmp(IntCC::Equal, before, now);
            same = self.b.ins().band(same, equal);
        }
        self.b.ins().brif(same, skip, &[], on, &[]);
        self.cold(skip);
        let length = self.whole();
        let length = self.b.ins().iconst(types::I64, length);
        let left = self.b.use_var(self.left);
        let fitting = self.b.ins().udiv(left, length);
        // The last round that reads the same begins before the time.
        let holds = self.load_context(types::I64, offset_of!(Context, holds));
        let holds = self.b.ins().iadd_imm(holds, -1);
        let holding = self.b.ins().udiv(holds, length);
        let rounds = self.b.ins().umin(fitting, holding);
        let skipped = self.b.ins().imul(rounds, length);
        let left = self.b.ins().isub(left, skipped);
        self.b.def_var(self.left, left);
        self.b.ins().jump(on, &[]);
        self.continue_in(on);
    }
}

/// Whether a block branches to itself, and neither stores, nor counts, nor uses the FPU or the CPU's state.
fn may_wait(code: &BasicBlock) -> bool {
    const OTHER: u8 = flag::STORE | flag::MODE | flag::LAST | flag::FPU | flag::PRIVILEGED;
    let waits = |op: &Op| {
        let reads = |row: &Row| {
            row.memory
                .iter()
                .all(|operand| operand.direction == Direction::Read && operand.bytes <= 8)
        };
        op.skips().is_none() && op.row().is_some_and(|row| !row.has(OTHER) && reads(row))
    };
    let own = |op: Op| op.imm == code.start() && !region::is_computed(code);
    code.ops().len() <= LONGEST && region::branch(code).is_some_and(own) && code.ops().iter().all(waits)
}
