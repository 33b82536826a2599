//! The operations of a block.

use super::address_check::AddressCheckCache;
use super::exits::ExitKind;
use super::{Emitter, Place, source_block};
use crate::region;
use crate::registers::Reg;
use cranelift_codegen::ir::{InstBuilder, types};
use sh4::Op;
use sh4::table::Id;

impl Emitter<'_, '_> {
    pub(super) fn block(&mut self, index: usize) {
        let code = &source_block(self.source, index);
        self.b.switch_to_block(self.heads[index]);
        self.normal.clear();
        self.address_checks = AddressCheckCache::of(code);
        self.lanes.begin();
        let end = self.b.ins().iconst(types::I32, i64::from(code.end() as i32));
        self.place = Place {
            block: index,
            index: 0,
            next_pc: end,
            skipped: None,
        };
        self.check_count();
        self.begin_waiting();
        let straight = code.ops().len()
            - match region::branch(code) {
                Some(_) => 1 + usize::from(code.has_slot()),
                None => 0,
            };
        let mut at = 0;
        while at < straight {
            let op = code.ops()[at];
            self.place.index = at;
            match op.skips() {
                Some(branch) => {
                    self.skip(branch == Id::bt, code.ops()[at + 1]);
                    at += 2;
                }
                None if self.operation(op) => at += 1,
                None => return self.stop_here(),
            }
        }
        self.end_block(index, straight);
    }

    /// Exits to the interpreter before the present operation.
    pub(super) fn stop_here(&mut self) {
        self.save();
        let exit = self.exit(ExitKind::Resume(self.place));
        self.b.ins().jump(exit, &[]);
    }

    /// Emits one operation, not a branch. Returns false if the interpreter has to run it.
    pub(super) fn operation(&mut self, op: Op) -> bool {
        if self.integer(op) || self.logic(op) || self.moves(op) {
            return true;
        }
        self.save();
        self.float(op) || self.float_mode(op) || self.fallback(op)
    }

    /// Emits a branch over operation `op`, which only writes its register `n`, as a selection.
    fn skip(&mut self, when: bool, op: Op) {
        let t = self.get(Reg::T);
        let target = Reg::r(op.n);
        let before = self.get(target);
        self.operation(op);
        let after = self.get(target);
        let (set, clear) = if when { (before, after) } else { (after, before) };
        let value = self.b.ins().select(t, set, clear);
        self.set(target, value);
        let taken = if when { t } else { self.not(t) };
        let count = self.b.ins().uextend(types::I64, taken);
        self.refund(count);
        self.place.skipped = Some(match self.place.skipped {
            Some(before) => self.b.ins().iadd(before, count),
            None => count,
        });
    }
}
