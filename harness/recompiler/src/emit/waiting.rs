//! Loops that wait for an interrupt, a device register or a count.
//!
//! Such a loop has a few blocks without stores, and is entered only at its head. If an iteration ends with
//! the same registers as it began, the next iterations repeat it until a value that it reads changes. On a
//! steady bus ([`sh4::Window::steady`]), memory does not change during the run. A timed read of a device also
//! returns the time until which its value holds. If all iterations run the same blocks, registers changed
//! only by DT may count down meanwhile, but not to 0. Compiled code counts these iterations instead of
//! running them.

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

/// Maximum number of instructions in a loop. Longer loops do more than wait.
const LONGEST: usize = 16;
/// Maximum number of blocks in a loop.
const BLOCKS: usize = 6;

/// Loop of a region that may wait.
pub(super) struct WaitLoop {
    /// The blocks; the first is the head.
    blocks: Vec<usize>,
    /// Block that branches to the head.
    tail: usize,
    /// True if an iteration reads memory.
    reads: bool,
    /// Registers that only DT changes, once in each iteration.
    counters: Regs,
    /// Other registers that an iteration may change.
    others: Regs,
    /// Values of `others` at the beginning of an iteration.
    before: Vec<(Reg, Value)>,
    /// Remaining count at the beginning of an iteration.
    left: Option<Value>,
}

/// Finds the loops of a plan that may wait. `is_root` returns true for blocks that check the instruction
/// count.
pub(super) fn find(plan: &Plan, is_root: impl Fn(usize) -> bool) -> Vec<WaitLoop> {
    let waits: Vec<bool> = plan.blocks.iter().map(|code| may_wait(code)).collect();
    let predecessors = plan.predecessors();
    let mut loops = Vec::new();
    for head in (0..waits.len()).filter(|&head| is_root(head)) {
        for &tail in &predecessors[head] {
            let blocks = blocks_between(&predecessors, &waits, head, tail);
            loops.extend(blocks.and_then(|blocks| WaitLoop::of(plan, blocks, tail)));
        }
    }
    // Iterations of an inner loop forget how long the reads of the outer loop hold.
    let heads: Vec<usize> = loops.iter().map(WaitLoop::head).collect();
    loops.retain(|waiting| !waiting.blocks[1..].iter().any(|block| heads.contains(block)));
    loops
}

/// Blocks of the loop that a branch from `tail` to `head` closes. `None` if the loop does more than wait, or
/// has another entry.
fn blocks_between(
    predecessors: &[Vec<usize>],
    waits: &[bool],
    head: usize,
    tail: usize,
) -> Option<Vec<usize>> {
    let (mut blocks, mut next) = (vec![head], vec![tail]);
    while let Some(block) = next.pop() {
        if blocks.contains(&block) {
            continue;
        }
        // Block 0 is the entry of the region.
        if block == 0 || !waits[block] || blocks.len() == BLOCKS {
            return None;
        }
        blocks.push(block);
        next.extend(&predecessors[block]);
    }
    waits[head].then_some(blocks)
}

impl WaitLoop {
    fn of(plan: &Plan, blocks: Vec<usize>, tail: usize) -> Option<WaitLoop> {
        let ops = blocks.iter().flat_map(|&index| plan.blocks[index].ops());
        let ops: Vec<Op> = ops.copied().collect();
        let names = |op: &Op, reg: u8| op.n == reg || op.m == reg;
        let named_once = |reg: u8| ops.iter().filter(|op| names(op, reg)).count() == 1;
        // An unused register field contains 0, the number of R0.
        let counts = |op: &Op| op.id == Id::dt_rn && op.n != 0 && named_once(op.n);
        // A loop that increments an address never waits.
        let walks = |op: &Op| op.id == Id::add_imm_rn && named_once(op.n) || is_step(*op);
        if ops.len() > LONGEST || ops.iter().any(walks) {
            return None;
        }
        let inside = |block: usize| {
            let followers = plan.followers(block).into_iter();
            followers.filter(|next| blocks.contains(next)).count()
        };
        let is_cycle = blocks.iter().all(|&block| inside(block) == 1);
        let counters = ops.iter().filter(|op| is_cycle && counts(op));
        let counters = counters.fold(Regs::NONE, |regs, op| regs.and(Reg::r(op.n)));
        let named = ops.iter().fold(Regs::of([Reg::T, Reg::r(0)]), |regs, op| {
            regs.and(Reg::r(op.n)).and(Reg::r(op.m))
        });
        Some(WaitLoop {
            tail,
            reads: ops
                .iter()
                .any(|op| op.row().is_some_and(|row| Row::accesses(row) > 0)),
            counters,
            others: named.without(counters),
            before: Vec::new(),
            left: None,
            blocks,
        })
    }

    fn head(&self) -> usize {
        self.blocks[0]
    }
}

impl Emitter<'_, '_> {
    /// Emits the beginning of an iteration, after the check of the instruction count.
    pub(super) fn begin_waiting(&mut self) {
        let head = self.place.block;
        for at in 0..self.waiting.len() {
            if self.waiting[at].head() != head {
                continue;
            }
            if self.waiting[at].reads {
                let forever = self.b.ins().iconst(types::I64, -1);
                self.store_context(forever, offset_of!(Context, holds));
            }
            let others = self.waiting[at].others;
            self.waiting[at].before = others.iter().map(|reg| (reg, self.get(reg))).collect();
            self.waiting[at].left = Some(self.b.use_var(self.left));
        }
    }

    /// Emits code that skips iterations. It precedes a block's branch to the root `to`, and follows the code
    /// that reduces the count.
    pub(super) fn skip_iterations(&mut self, to: usize) {
        let tail = self.place.block;
        let ends = |waiting: &WaitLoop| (waiting.head(), waiting.tail) == (to, tail);
        let Some(at) = self.waiting.iter().position(ends) else {
            return;
        };
        let waiting = self.waiting.remove(at);
        let Some(left_before) = waiting.left else {
            return;
        };
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
        let left = self.b.use_var(self.left);
        let length = self.b.ins().isub(left_before, left);
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
