//! The count of instructions that may still run: checked and taken off once for a tree of blocks.
//!
//! A block with one predecessor in its region belongs to that one's tree; the roots are the entry and all blocks that
//! several lead to, so every loop has one. A root goes on only if there is enough left for its tree's longest way. What has
//! run since is a constant in each block, which is taken off on the ways to the next root and out of the region.

use super::exits::{ExitKind, Pc};
use super::{Emitter, source_block};
use crate::region::Plan;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Value, types};

/// Instructions of a tree at most, if it has several blocks: where less than that is left, the interpreter runs.
const LONGEST: u64 = 128;

/// What a block has to do with the count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Toll {
    root: bool,
    /// Instructions since the root, before this block.
    owed: u64,
    /// Instructions on the longest way from here to the next root, this block included.
    most: u64,
}

/// What each block of a region has to do with the count.
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
        // Children stand behind their parents there.
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

    /// Instructions that have to be left at the region's entry.
    pub(crate) fn at_entry(&self) -> u64 {
        self.0.first().map_or(0, |toll| toll.most)
    }
}

fn length(plan: &Plan, index: usize) -> u64 {
    plan.blocks[index].ops().len() as u64
}

impl Emitter<'_, '_> {
    /// At a root: leaves if there is not enough for what follows.
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

    /// The way out at the head of the present block.
    pub(super) fn exit_at_head(&mut self) -> ir::Block {
        self.exit(ExitKind::Out {
            pc: Pc::RegionTiming(source_block(self.source, self.place.block).start()),
            place: self.place,
            run: 0,
            open: false,
        })
    }

    /// Takes off what has run at the end of the present block, on the way to another that is a root.
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

    /// What is left when so many instructions of a block have run or been skipped.
    pub(super) fn left_behind(&mut self, place: super::Place, run: i64) -> Value {
        let left = self.b.use_var(self.left);
        let owed = self.fuel.0[place.block].owed as i64 + run;
        self.b.ins().iadd_imm(left, -owed)
    }

    /// Gives instructions back that were skipped.
    pub(super) fn refund(&mut self, count: Value) {
        let left = self.b.use_var(self.left);
        let left = self.b.ins().iadd(left, count);
        self.b.def_var(self.left, left);
    }

    /// What was left when a block began.
    pub(super) fn left_at_beginning(&mut self, place: super::Place) -> Value {
        let left = self.left_behind(place, 0);
        match place.skipped {
            Some(skipped) => self.b.ins().isub(left, skipped),
            None => left,
        }
    }

    /// How many instructions of a block were skipped.
    pub(super) fn skipped(&mut self, place: super::Place) -> Value {
        match place.skipped {
            Some(skipped) => skipped,
            None => self.b.ins().iconst(types::I64, 0),
        }
    }
}
