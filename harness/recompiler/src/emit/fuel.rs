//! Count of remaining instructions. Compiled code checks and reduces it once for a tree of blocks.
//!
//! A block with one predecessor in its region belongs to the predecessor's tree. The roots are the entry and
//! all blocks with several predecessors, so every loop contains a root. A root exits if the count does not
//! suffice for the longest path of its tree. Each block knows the number of instructions since its root.
//! Compiled code subtracts it before the next root and at exits.

use super::exits::{ExitKind, Pc};
use super::{Emitter, source_block};
use crate::host::AT_LIMIT;
use crate::region::Plan;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Value};

/// Maximum number of instructions in a tree of several blocks. The interpreter runs the last instructions
/// before an event, so small trees leave more to compiled code.
const LONGEST: u64 = 128;

/// Position of a block in its tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TreePosition {
    root: bool,
    /// Instructions since the root, before this block.
    before: u64,
    /// Instructions on the longest path from here to the next root, this block included.
    most: u64,
}

/// Positions of all blocks of a region.
#[derive(Debug)]
pub(crate) struct Fuel(Vec<TreePosition>);

impl Fuel {
    pub(crate) fn of(plan: &Plan) -> Fuel {
        let mut positions = vec![TreePosition::default(); plan.blocks.len()];
        for (index, predecessors) in plan.predecessors().iter().enumerate() {
            positions[index].root = index == 0 || predecessors.len() != 1;
        }
        let mut roots: Vec<usize> = (0..positions.len())
            .filter(|&index| positions[index].root)
            .collect();
        let mut trees = Vec::new();
        while let Some(index) = roots.pop() {
            let before = positions[index].before + length(plan, index);
            trees.push(index);
            for next in plan.followers(index) {
                if positions[next].root {
                    continue;
                }
                positions[next].before = before;
                if before + length(plan, next) > LONGEST {
                    positions[next] = TreePosition {
                        root: true,
                        ..TreePosition::default()
                    };
                }
                roots.push(next);
            }
        }
        // Parents precede their children in `trees`.
        for &index in trees.iter().rev() {
            let followers = plan.followers(index);
            let inside = followers.iter().filter(|&&next| !positions[next].root);
            let beyond = inside.map(|&next| positions[next].most).max().unwrap_or(0);
            positions[index].most = length(plan, index) + beyond;
        }
        Fuel(positions)
    }

    /// Returns true if a block is the root of its tree.
    pub(crate) fn is_root(&self, block: usize) -> bool {
        self.0[block].root
    }

    /// Number of instructions that must be left at the region's entry.
    pub(crate) fn at_entry(&self) -> u64 {
        self.0.first().map_or(0, |position| position.most)
    }
}

fn length(plan: &Plan, index: usize) -> u64 {
    plan.blocks[index].ops().len() as u64
}

impl Emitter<'_, '_> {
    /// Emits the check of the count, if the present block is a root.
    pub(super) fn check_count(&mut self) {
        let position = self.fuel.0[self.place.block];
        if !position.root {
            return;
        }
        let left = self.b.use_var(self.left);
        let most = position.most as i64;
        let enough = self
            .b
            .ins()
            .icmp_imm(IntCC::UnsignedGreaterThanOrEqual, left, most);
        let exit = self.exit_at_head();
        self.continue_if(enough, exit);
    }

    /// Adds an exit at the head of the present block.
    pub(super) fn exit_at_head(&mut self) -> ir::Block {
        self.exit(ExitKind::Out {
            pc: Pc::Known(source_block(self.source, self.place.block).start()),
            place: self.place,
            run: 0,
            answer: AT_LIMIT,
        })
    }

    /// Reduces the count at the end of the present block, if block `next` is a root.
    pub(super) fn reduce_count_before(&mut self, next: usize) {
        if self.fuel.0[next].root {
            let left = self.left_after(self.place, self.whole());
            self.b.def_var(self.left, left);
        }
    }

    /// Number of instructions in the present block.
    pub(super) fn whole(&self) -> i64 {
        source_block(self.source, self.place.block).ops().len() as i64
    }

    /// Remaining count after `run` executed or skipped instructions of a block.
    pub(super) fn left_after(&mut self, place: super::Place, run: i64) -> Value {
        let left = self.b.use_var(self.left);
        let before = self.fuel.0[place.block].before as i64 + run;
        self.b.ins().iadd_imm(left, -before)
    }

    /// Adds skipped instructions to the count.
    pub(super) fn refund(&mut self, count: Value) {
        let left = self.b.use_var(self.left);
        let left = self.b.ins().iadd(left, count);
        self.b.def_var(self.left, left);
    }

    /// Remaining count at the beginning of a block.
    pub(super) fn left_at_beginning(&mut self, place: super::Place) -> Value {
        let left = self.left_after(place, 0);
        match place.skipped {
            Some(skipped) => self.b.ins().isub(left, skipped),
            None => left,
        }
    }
}
