//! The end of a block: its branch, the slot, and the ways on.

use super::{Emitter, Way, source_block};
use crate::region;
use crate::registers::Reg;
use cranelift_codegen::ir::{self, InstBuilder, Value, types};
use sh4::Op;
use sh4::table::Id;

/// What a branch has decided.
enum Decision {
    /// One address.
    Always(u32),
    /// Taken if a truth value is not 0, which is T or its opposite.
    If { taken: Value, t: bool, target: u32 },
    /// An address known at run time.
    Computed(Value),
}

impl Emitter<'_, '_> {
    /// What stands behind the straight operations of a block, from the operation at `at` on.
    pub(super) fn end_block(&mut self, index: usize, at: usize) {
        let code = source_block(self.source, index);
        let end = code.end();
        let Some(op) = region::branch(code) else {
            return if region::ends_mode(code) {
                self.go_behind()
            } else {
                self.go_to(end)
            };
        };
        self.place.index = at;
        self.mutating = self.source.mutated == Some(op.id);
        let Some(decision) = self.decide(op, end) else {
            return self.stop_here();
        };
        let before = self.t_if_decided(&decision);
        if code.has_slot() {
            self.place.index = at + 1;
            self.place.next_pc = self.next_pc(&decision);
            self.mutating = self.source.mutated == Some(code.ops()[at + 1].id);
            if !self.operation(code.ops()[at + 1]) {
                return self.stop_here();
            }
        }
        self.mutating = false;
        let same_t = self.t_if_decided(&decision) == before;
        match decision {
            // In a slot the mode may change too.
            _ if region::ends_mode(code) => self.go_behind(),
            Decision::Always(target) => self.go_to(target),
            Decision::If { taken, t, target } => self.go_either(taken, target, end, same_t.then_some(t)),
            Decision::Computed(_) => self.go_behind(),
        }
    }

    /// T, where a decision depends on it.
    fn t_if_decided(&mut self, decision: &Decision) -> Option<Value> {
        match decision {
            Decision::If { .. } => Some(self.get(Reg::T)),
            _ => None,
        }
    }

    /// Nothing if the interpreter has to decide.
    fn decide(&mut self, op: Op, end: u32) -> Option<Decision> {
        Some(match op.id {
            Id::bt | Id::bt_s | Id::bf | Id::bf_s => {
                let t = matches!(op.id, Id::bt | Id::bt_s);
                let value = self.get(Reg::T);
                let taken = if t != self.mutating {
                    value
                } else {
                    self.not(value)
                };
                let t = t != self.mutating;
                Decision::If {
                    taken,
                    t,
                    target: op.imm,
                }
            }
            Id::bra => Decision::Always(if self.mutating { end } else { op.imm }),
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
            Id::braf_rm => Decision::Computed(self.far(op, end)),
            Id::bsrf_rm => {
                let target = self.far(op, end);
                self.call_from(end);
                Decision::Computed(target)
            }
            Id::rts => Decision::Computed(self.get(Reg::PR)),
            _ => return None,
        })
        .map(|decision| match decision {
            Decision::Computed(target) => Decision::Computed(self.mutate(target)),
            other => other,
        })
    }

    /// PC + 4, which is the end of the block, to PR.
    fn call_from(&mut self, end: u32) {
        let value = self.word(end);
        self.set(Reg::PR, value);
    }

    fn far(&mut self, op: Op, end: u32) -> Value {
        let distance = self.get(Reg::r(op.m));
        self.b.ins().iadd_imm(distance, i64::from(end as i32))
    }

    fn next_pc(&mut self, decision: &Decision) -> Value {
        match *decision {
            Decision::Always(target) => self.word(target),
            Decision::If { taken, target, .. } => {
                let (target, end) = (self.word(target), self.place.next_pc);
                self.b.ins().select(taken, target, end)
            }
            Decision::Computed(target) => target,
        }
    }

    /// Leaves behind the block, for wherever its branch has led.
    fn go_behind(&mut self) {
        let way = Way::Behind {
            pc: self.place.next_pc,
            unfinished: 0,
        };
        let exit = self.exit(way);
        self.b.ins().jump(exit, &[]);
    }

    /// On to the block at an address, or out.
    fn go_to(&mut self, target: u32) {
        let block = self.way_to(target);
        self.b.ins().jump(block, &[]);
    }

    /// On to one of two. `t`: what T is if the branch is taken, if it is known.
    fn go_either(&mut self, taken: Value, target: u32, end: u32, t: Option<bool>) {
        let (there, on) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(taken, there, &[], on, &[]);
        for (block, address, t) in [(there, target, t), (on, end, t.map(|t| !t))] {
            self.go_on(block);
            if let Some(t) = t {
                self.know_t(t);
            }
            self.go_to(address);
        }
    }

    /// T has a known value here: said so that loops need not carry it.
    fn know_t(&mut self, t: bool) {
        let value = self.b.ins().iconst(types::I8, i64::from(t));
        let variable = self.variable(Reg::T);
        self.b.def_var(variable, value);
    }

    fn way_to(&mut self, target: u32) -> ir::Block {
        match self.source.plan.at(target) {
            Some(index) => self.heads[index],
            None => self.exit(Way::Head(target)),
        }
    }
}
