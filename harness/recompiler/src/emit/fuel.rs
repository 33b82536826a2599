//! The count of remaining instructions, checked and reduced once for a tree of blocks.
//!
//! A block with one predecessor in its region belongs to the predecessor's tree. The roots are the entry and
//! all blocks with several predecessors, so every loop has one. A root continues only if the count suffices
//! for the longest path of its tree. The instructions since the root are a constant in each block, subtracted
//! before the next root and at exits.

use super::exits::{ExitKind, Pc};
use super::{Emitter, source_block};
use crate::host::AT_LIMIT;
use crate::region::Plan;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Value, types};

/// Instructions of a tree of several blocks, at most. The interpreter runs when fewer remain.
const LONGEST: u64 = 128;

/// The part of a block in the count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Toll {
    root: bool,
    /// Instructions since the root, before this block.
    owed: u64,
    /// Instructions on the longest path from here to the next root, this block included.
    most: u64,
}

/// The part of each block of a region in the count.
#[derive(Debug)]
pub(crate) struct Fuel(Vec<Toll>);

impl Fuel {
    pub(crate) fn of(plan: &Plan) -> Fuel {
        let mut tolls = vec![Toll::default(); plan.blocks.len()];
        for (index, leaders) in plan.leaders().into_iter().enumerate() {
            tolls[index].root = index == 0 || leaders != 1;
        }
        let mut roots: Vec<usize> = (0..tolls.len()).filter(|&index| tolls[index].root).collect();
        let mut trees = Vec::new();
        while let Some(index) = roots.pop() {
            let behind = tolls[index].owed + length(plan, index);
            trees.push(index);
            for next in plan.followers(index) {
                if tolls[next].root {
                    continue;
                }
                tolls[next].owed = behind;
                if behind + length(plan, next) > LONGEST {
                    tolls[next] = Toll {
                        root: true,
                        ..Toll::default()
                    };
                }
                roots.push(next);
            }
        }
        // Children are behind their parents there.
        for &index in trees.iter().rev() {
            let followers = plan.followers(index);
            let inside = followers.iter().filter(|&&next| !tolls[next].root);
            let beyond = inside.map(|&next| tolls[next].most).max().unwrap_or(0);
            tolls[index].most = length(plan, index) + beyond;
        }
        Fuel(tolls)
    }

    /// Whether a block is the root of its tree.
    pub(crate) fn is_root(&self, block: usize) -> bool {
        self.0[block].root
    }

    /// The instruction count that the region's entry requires.
    pub(crate) fn at_entry(&self) -> u64 {
        self.0.first().map_or(0, |toll| toll.most)
    }
}

fn length(plan: &Plan, index: usize) -> u64 {
    plan.blocks[index].ops().len() as u64
}

impl Emitter<'_, '_> {
    /// At a root: exits if the count does not suffice.
    pub(super) fn require_fuel(&mut self) {
        let toll = self.fuel.0[self.place.block];
        if !toll.root {
            return;
        }
        let left = self.b.use_var(self.left);
        let most = toll.most as i64;
        let enough = self
            .b
            .ins()
            .icmp_imm(IntCC::UnsignedGreaterThanOrEqual, left, most);
        let exit = self.exit_at_head();
        self.stay_if(enough, exit);
    }

    /// The exit at the head of the present block.
    pub(super) fn exit_at_head(&mut self) -> ir::Block {
        self.exit(ExitKind::Out {
            pc: Pc::Known(source_block(self.source, self.place.block).start()),
            place: self.place,
            run: 0,
            answer: AT_LIMIT,
        })
    }

    /// Subtracts the executed instructions at the end of the present block, before a root.
    pub(super) fn pay_before(&mut self, next: usize) {
        if self.fuel.0[next].root {
            let left = self.left_behind(self.place, self.whole());
            self.b.def_var(self.left, left);
        }
    }

    /// The instructions of the present block.
    pub(super) fn whole(&self) -> i64 {
        source_block(self.source, self.place.block).ops().len() as i64
    }

    /// The count behind so many executed or skipped instructions of a block.
    pub(super) fn left_behind(&mut self, place: super::Place, run: i64) -> Value {
        let left = self.b.use_var(self.left);
        let owed = self.fuel.0[place.block].owed as i64 + run;
        self.b.ins().iadd_imm(left, -owed)
    }

    /// Adds skipped instructions to the count again.
    pub(super) fn refund(&mut self, count: Value) {
        let left = self.b.use_var(self.left);
        let left = self.b.ins().iadd(left, count);
        self.b.def_var(self.left, left);
    }

    /// The count at the beginning of a block.
    pub(super) fn left_at_beginning(&mut self, place: super::Place) -> Value {
        let left = self.left_behind(place, 0);
        match place.skipped {
            Some(skipped) => self.b.ins().isub(left, skipped),
            None => left,
        }
    }

    /// The count of skipped instructions of a block.
    pub(super) fn skipped(&mut self, place: super::Place) -> Value {
        match place.skipped {
            Some(skipped) => skipped,
            None => self.b.ins().iconst(types::I64, 0),
        }
    }
}
