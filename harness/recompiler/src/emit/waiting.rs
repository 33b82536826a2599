//! Loops that wait for an interrupt, a device register or a count.
//!
//! Such a loop is a cycle of a few blocks without stores. If an iteration ends with the same registers as it
//! began, the next iterations repeat it until a value that it reads changes. On a steady bus
//! ([`sh4::Window::steady`]), memory does not change during the run. A timed read of a device also returns
//! the time until which its value holds. Registers changed only by DT may count down meanwhile, but not to 0.
//! Compiled code counts these iterations instead of running them.

use super::Emitter;
use crate::host::Context;
use crate::region::{self, Plan};
use crate::registers::{Reg, Regs};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use sh4::accelerate::BasicBlock;
use sh4::table::{Group, Id, Row, flag};
use sh4::{Direction, Op};
use std::mem::offset_of;

/// Maximum number of instructions in an iteration. Longer loops do more than wait.
const LONGEST: usize = 16;
/// Maximum number of blocks in an iteration.
const BLOCKS: usize = 3;

/// Loop of a region that may wait.
pub(super) struct WaitLoop {
    /// First block of an iteration.
    head: usize,
    /// Block that branches to `head`.
    tail: usize,
    /// Number of instructions in an iteration.
    length: i64,
    /// True if an iteration reads memory.
    reads: bool,
    /// Registers that only DT changes.
    counters: Regs,
    /// Other registers that an iteration may change.
    others: Regs,
    /// Values of `others` at the beginning of an iteration.
    before: Vec<(Reg, Value)>,
}

/// Finds the loops of a plan that may wait. `is_root` returns true for blocks that check the instruction
/// count.
pub(super) fn find(plan: &Plan, is_root: impl Fn(usize) -> bool) -> Vec<WaitLoop> {
    let waits: Vec<bool> = plan.blocks.iter().map(|code| may_wait(code)).collect();
    let heads = (0..waits.len()).filter(|&head| is_root(head));
    heads
        .filter_map(|head| cycle(plan, &waits, &is_root, vec![head]))
        .filter_map(|path| WaitLoop::of(plan, &path))
        .collect()
}

/// Completes a cycle that begins with `path`. Only its first block is a root, which checks the count (see
/// [`super::fuel`]). Each other block has one predecessor.
fn cycle(
    plan: &Plan,
    waits: &[bool],
    is_root: &impl Fn(usize) -> bool,
    path: Vec<usize>,
) -> Option<Vec<usize>> {
    let (&head, &last) = (path.first()?, path.last()?);
    if !waits[last] {
        return None;
    }
    let followers = plan.followers(last);
    if followers.contains(&head) {
        return Some(path);
    }
    let mut inner = followers
        .into_iter()
        .filter(|&next| !is_root(next) && path.len() < BLOCKS);
    inner.find_map(|next| cycle(plan, waits, is_root, [&path[..], &[next]].concat()))
}

impl WaitLoop {
    fn of(plan: &Plan, path: &[usize]) -> Option<WaitLoop> {
        let ops: Vec<Op> = path
            .iter()
            .flat_map(|&index| plan.blocks[index].ops())
            .copied()
            .collect();
        let names = |op: &Op, reg: u8| op.n == reg || op.m == reg;
        let named_once = |reg: u8| ops.iter().filter(|op| names(op, reg)).count() == 1;
        // An unused register field contains 0, the number of R0.
        let counts = |op: &Op| op.id == Id::dt_rn && op.n != 0 && named_once(op.n);
        // A loop that increments an address never waits.
        let walks = |op: &Op| op.id == Id::add_imm_rn && named_once(op.n) || is_step(*op);
        if ops.len() > LONGEST || ops.iter().any(walks) {
            return None;
        }
        let counters = ops.iter().filter(|op| counts(op));
        let counters = counters.fold(Regs::NONE, |regs, op| regs.and(Reg::r(op.n)));
        let named = ops.iter().fold(Regs::of([Reg::T, Reg::r(0)]), |regs, op| {
            regs.and(Reg::r(op.n)).and(Reg::r(op.m))
        });
        Some(WaitLoop {
            head: *path.first()?,
            tail: *path.last()?,
            length: ops.len() as i64,
            reads: ops
                .iter()
                .any(|op| op.row().is_some_and(|row| Row::accesses(row) > 0)),
            counters,
            others: named.without(counters),
            before: Vec::new(),
        })
    }
}

impl Emitter<'_, '_> {
    /// Emits the beginning of an iteration, after the check of the instruction count.
    pub(super) fn begin_waiting(&mut self) {
        let head = self.place.block;
        let Some(at) = self.waiting.iter().position(|waiting| waiting.head == head) else {
            return;
        };
        if self.waiting[at].reads {
            let forever = self.b.ins().iconst(types::I64, -1);
            self.store_context(forever, offset_of!(Context, holds));
        }
        let others = self.waiting[at].others;
        self.waiting[at].before = others.iter().map(|reg| (reg, self.get(reg))).collect();
    }

    /// Emits code that skips iterations. It precedes a block's branch to the root `to`, and follows the code
    /// that reduces the count.
    pub(super) fn skip_iterations(&mut self, to: usize) {
        let tail = self.place.block;
        let ends = |waiting: &WaitLoop| (waiting.head, waiting.tail) == (to, tail);
        let Some(at) = self.waiting.iter().position(ends) else {
            return;
        };
        let waiting = self.waiting.remove(at);
        let (skip, on) = (self.b.create_block(), self.b.create_block());
        let mut same = self.b.ins().iconst(types::I8, 1);
        for (reg, before) in waiting.before {
            let now = self.get(reg);
            if now != before {
                let equal = self.b.ins().icmp(IntCC::Equal, before, now);
                same = self.b.ins().band(same, equal);
            }
        }
        self.b.ins().brif(same, skip, &[], on, &[]);
        self.cold(skip);
        let length = self.b.ins().iconst(types::I64, waiting.length);
        let left = self.b.use_var(self.left);
        let mut iterations = self.b.ins().udiv(left, length);
        if waiting.reads {
            // The last iteration that reads the same values begins before `holds`.
            let holds = self.load_context(types::I64, offset_of!(Context, holds));
            let holds = self.b.ins().iadd_imm(holds, -1);
            let holding = self.b.ins().udiv(holds, length);
            iterations = self.b.ins().umin(iterations, holding);
        }
        for reg in waiting.counters.iter() {
            // The iteration in which DT sets T differs from all others, and so does the next one.
            let (count, one) = (self.get(reg), self.word(1));
            let count = self.b.ins().umax(count, one);
            let above = self.b.ins().isub(count, one);
            let above = self.b.ins().uextend(types::I64, above);
            iterations = self.b.ins().umin(iterations, above);
        }
        for reg in waiting.counters.iter() {
            let count = self.get(reg);
            let down = self.b.ins().ireduce(types::I32, iterations);
            let count = self.b.ins().isub(count, down);
            self.set(reg, count);
        }
        let skipped = self.b.ins().imul(iterations, length);
        let left = self.b.ins().isub(left, skipped);
        self.b.def_var(self.left, left);
        self.b.ins().jump(on, &[]);
        self.continue_in(on);
    }
}

/// Returns true if a block changes only R0 to R15 and T, has no store, and does not end with a computed
/// branch.
fn may_wait(code: &BasicBlock) -> bool {
    const OTHER: u8 = flag::STORE | flag::MODE | flag::LAST | flag::FPU | flag::PRIVILEGED;
    let waits = |op: &Op| {
        let reads = |row: &Row| {
            row.memory
                .iter()
                .all(|operand| operand.direction == Direction::Read && operand.bytes <= 8)
        };
        let plain = |row: &Row| matches!(row.group, Group::MT | Group::EX | Group::LS | Group::BR);
        // Divisions change Q and M; BSR changes PR.
        let other = matches!(op.id, Id::div0s_rm_rn | Id::div0u | Id::div1_rm_rn | Id::bsr);
        let row = |row: &Row| !row.has(OTHER) && reads(row) && plain(row);
        !other && op.skips().is_none() && op.row().is_some_and(row)
    };
    !region::is_computed(code) && code.ops().iter().all(waits)
}

/// Returns true if an operation reads memory and increments the address.
fn is_step(op: Op) -> bool {
    matches!(
        op.id,
        Id::mov_b_post_rm_rn | Id::mov_w_post_rm_rn | Id::mov_l_post_rm_rn
    )
}
