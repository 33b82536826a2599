//! End of a block: branch, delay slot and exits.

use super::exits::{ExitKind, Pc};
use super::{Emitter, accesses_memory, source_block};
use crate::host::{AT_BLOCK, AT_MODE};
use crate::region;
use crate::registers::Reg;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use sh4::Op;
use sh4::table::Id;

/// Next address after a branch.
#[derive(Clone, Copy)]
enum Decision {
    /// One target.
    Always(u32),
    /// `target` if the T bit `t` equals `when`, else the next address.
    If { t: Value, when: bool, target: u32 },
    /// A target computed at run time.
    Computed(Value),
}

impl Emitter<'_, '_> {
    /// Emits the end of a block, from the operation at `at` on.
    pub(super) fn end_block(&mut self, index: usize, at: usize) {
        let code = source_block(self.source, index);
        let end = code.end();
        let Some(op) = region::branch(code) else {
            return if !region::ends_mode(code) {
                self.continue_at(end)
            } else {
                self.exit_after_block(Pc::Computed(self.place.next_pc), AT_MODE)
            };
        };
        self.place.index = at;
        // An access in the delay slot of RTE uses the new SR.
        if op.id == Id::rte && code.ops().last().is_some_and(|slot| accesses_memory(*slot)) {
            return self.stop_here();
        }
        let Some(decision) = self.decide(op, end) else {
            return self.stop_here();
        };
        if code.has_slot() {
            self.place.index = at + 1;
            self.place.next_pc = self.next_pc(decision);
            if !self.operation(code.ops()[at + 1]) {
                return self.stop_here();
            }
        }
        // The delay slot may change the mode too.
        let stays = !region::ends_mode(code);
        match decision {
            Decision::If { t, when, target } => {
                self.continue_at_either(t, if when { [target, end] } else { [end, target] }, stays);
            }
            Decision::Always(target) if stays => self.continue_at(target),
            Decision::Always(target) => self.exit_after_block(Pc::Known(target), AT_MODE),
            Decision::Computed(target) if stays => self.exit_after_block(Pc::Computed(target), AT_BLOCK),
            Decision::Computed(target) => self.exit_after_block(Pc::Computed(target), AT_MODE),
        }
    }

    /// Next address after a branch; `None` if the interpreter has to run it.
    fn decide(&mut self, op: Op, end: u32) -> Option<Decision> {
        Some(match op.id {
            Id::bt | Id::bt_s | Id::bf | Id::bf_s => Decision::If {
                t: self.get(Reg::T),
                when: matches!(op.id, Id::bt | Id::bt_s),
                target: op.imm,
            },
            Id::bra => Decision::Always(op.imm),
            Id::bsr => {
                self.call_from(end);
                Decision::Always(op.imm)
            }
            Id::jmp_at_rm => Decision::Computed(self.get(Reg::r(op.m))),
            Id::jsr_at_rm => {
                let target = self.get(Reg::r(op.m));
                self.call_from(end);
                Decision::Computed(target)
            }
            Id::braf_rm => Decision::Computed(self.relative_target(op, end)),
            Id::bsrf_rm => {
                let target = self.relative_target(op, end);
                self.call_from(end);
                Decision::Computed(target)
            }
            Id::rts => Decision::Computed(self.get(Reg::PR)),
            Id::rte => Decision::Computed(self.return_from_exception(op)),
            _ => return None,
        })
    }

    /// Writes PC + 4, the end of the block, to PR.
    fn call_from(&mut self, end: u32) {
        let value = self.word(end);
        self.set(Reg::PR, value);
    }

    fn relative_target(&mut self, op: Op, end: u32) -> Value {
        let distance = self.get(Reg::r(op.m));
        self.b.ins().iadd_imm(distance, i64::from(end as i32))
    }

    fn next_pc(&mut self, decision: Decision) -> Value {
        match decision {
            Decision::Always(target) => self.word(target),
            Decision::If { t, when, target } => {
                let (target, end) = (self.word(target), self.place.next_pc);
                let (set, clear) = if when { (target, end) } else { (end, target) };
                self.b.ins().select(t, set, clear)
            }
            Decision::Computed(target) => target,
        }
    }

    /// Exits after the block. `answer` is the result of compiled code.
    fn exit_after_block(&mut self, pc: Pc, answer: i64) {
        self.save();
        let exit = self.exit(ExitKind::Out {
            pc,
            place: self.place,
            run: self.whole(),
            answer,
        });
        self.b.ins().jump(exit, &[]);
    }

    /// Continues at the block at an address, or exits.
    fn continue_at(&mut self, target: u32) {
        match self.source.plan.at(target) {
            Some(index) => {
                self.reduce_count_before(index);
                self.skip_iterations(index);
                self.save();
                self.b.ins().jump(self.heads[index], &[]);
            }
            None => self.exit_after_block(Pc::Known(target), AT_BLOCK),
        }
    }

    /// Continues at address `set` or `clear`, depending on `t`, the T bit at the branch. Exits to the address
    /// unless `stays`.
    fn continue_at_either(&mut self, t: Value, [set, clear]: [u32; 2], stays: bool) {
        let same = self.get(Reg::T) == t;
        let blocks = [self.b.create_block(), self.b.create_block()];
        self.save();
        self.b.ins().brif(t, blocks[0], &[], blocks[1], &[]);
        for (block, address, t) in [(blocks[0], set, true), (blocks[1], clear, false)] {
            self.continue_in(block);
            if same {
                self.define_t(t);
            }
            match stays {
                true => self.continue_at(address),
                false => self.exit_after_block(Pc::Known(address), AT_MODE),
            }
        }
    }

    /// Defines T as a constant, which frees a register in loops.
    fn define_t(&mut self, t: bool) {
        let value = self.b.ins().iconst(types::I8, i64::from(t));
        let variable = self.variable(Reg::T);
        self.b.def_var(variable, value);
    }
}
