//! Logic, shifts, and instructions that only set T or S.

use super::Emitter;
use super::memory::{Item, MemoryOperand};
use crate::registers::{Reg, Regs};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use sh4::table::Id;
use sh4::{Op, sr};

impl Emitter<'_, '_> {
    /// Emits logic operations and shifts. Returns false for other operations.
    pub(super) fn logic(&mut self, op: Op) -> bool {
        let (n, m, r0) = (Reg::r(op.n), Reg::r(op.m), Reg::r(0));
        match op.id {
            Id::and_rm_rn => self.binary(n, m, |e, n, m| e.b.ins().band(n, m)),
            Id::or_rm_rn => self.binary(n, m, |e, n, m| e.b.ins().bor(n, m)),
            Id::xor_rm_rn => self.binary(n, m, |e, n, m| e.b.ins().bxor(n, m)),
            Id::not_rm_rn => self.unary(n, m, |e, x| e.b.ins().bnot(x)),
            Id::and_imm_r0 => self.unary(r0, r0, |e, x| e.and(x, op.imm)),
            Id::or_imm_r0 => self.unary(r0, r0, |e, x| e.b.ins().bor_imm(x, i64::from(op.imm))),
            Id::xor_imm_r0 => self.unary(r0, r0, |e, x| e.b.ins().bxor_imm(x, i64::from(op.imm))),
            Id::tst_rm_rn => {
                let (left, right) = (self.get(n), self.get(m));
                let both = self.b.ins().band(left, right);
                self.test(both);
            }
            Id::tst_imm_r0 => {
                let value = self.get(r0);
                let both = self.and(value, op.imm);
                self.test(both);
            }
            Id::tst_b_imm_idx_gbr => {
                let (base, index) = (self.get(Reg::GBR), self.get(r0));
                let address = self.b.ins().iadd(base, index);
                let operand = MemoryOperand {
                    address,
                    shares_check: false,
                };
                let value = self.read(operand, Item::Byte);
                let both = self.and(value, op.imm);
                self.test(both);
            }
            Id::tas_b_at_rn => self.test_and_set(op),
            Id::clrt | Id::sett => {
                let value = self.b.ins().iconst(types::I8, i64::from(op.id == Id::sett));
                self.set(Reg::T, value);
            }
            Id::clrs => self.unary(Reg::STATUS, Reg::STATUS, |e, x| e.and(x, !sr::S)),
            Id::sets => self.unary(Reg::STATUS, Reg::STATUS, |e, x| {
                e.b.ins().bor_imm(x, i64::from(sr::S))
            }),
            Id::clrmac => {
                let zero = self.word(0);
                self.set(Reg::MACH, zero);
                self.set(Reg::MACL, zero);
            }
            Id::nop => {}
            _ => return self.shift(op),
        }
        true
    }

    /// Emits TAS.B. The interpreter runs it outside of the window, and on watched lines.
    fn test_and_set(&mut self, op: Op) {
        let address = self.get(Reg::r(op.n));
        let operand = MemoryOperand {
            address,
            shares_check: false,
        };
        self.save();
        let (done, slow) = (self.b.create_block(), self.b.create_block());
        if let Some(inside) = self.reach_to_write(operand, 0, slow) {
            let value = self.load(inside.at, inside.distance, Item::Byte);
            self.test(value);
            let value = self.b.ins().bor_imm(value, 0x80);
            self.store(inside.at, inside.distance, value, Item::Byte);
            self.b.ins().jump(done, &[]);
        }
        self.cold(slow);
        self.call_interpreter(op, Regs::of([Reg::T]));
        self.b.ins().jump(done, &[]);
        self.continue_in(done);
    }

    /// Sets T if the value is 0.
    fn test(&mut self, value: Value) {
        let truth = self.b.ins().icmp_imm(IntCC::Equal, value, 0);
        self.set(Reg::T, truth);
    }

    fn shift(&mut self, op: Op) -> bool {
        let n = Reg::r(op.n);
        let left = |amount: i64| move |e: &mut Self, x: Value| e.b.ins().ishl_imm(x, amount);
        let right = |amount: i64| move |e: &mut Self, x: Value| e.b.ins().ushr_imm(x, amount);
        match op.id {
            Id::shll2_rn => self.unary(n, n, left(2)),
            Id::shll8_rn => self.unary(n, n, left(8)),
            Id::shll16_rn => self.unary(n, n, left(16)),
            Id::shlr2_rn => self.unary(n, n, right(2)),
            Id::shlr8_rn => self.unary(n, n, right(8)),
            Id::shlr16_rn => self.unary(n, n, right(16)),
            Id::shal_rn | Id::shll_rn => self.shift_out(n, 31, left(1)),
            Id::shlr_rn => self.shift_out(n, 0, right(1)),
            Id::shar_rn => self.shift_out(n, 0, |e, x| e.b.ins().sshr_imm(x, 1)),
            Id::rotl_rn => self.shift_out(n, 31, |e, x| e.b.ins().rotl_imm(x, 1)),
            Id::rotr_rn => self.shift_out(n, 0, |e, x| e.b.ins().rotr_imm(x, 1)),
            Id::rotcl_rn => {
                let t = self.t_word();
                self.shift_out(n, 31, |e, x| {
                    let rest = e.b.ins().ishl_imm(x, 1);
                    e.b.ins().bor(rest, t)
                });
            }
            Id::rotcr_rn => {
                let t = self.t_word();
                let t = self.b.ins().ishl_imm(t, 31);
                self.shift_out(n, 0, |e, x| {
                    let rest = e.b.ins().ushr_imm(x, 1);
                    e.b.ins().bor(rest, t)
                });
            }
            Id::shad_rm_rn => self.shift_by(n, Reg::r(op.m), true),
            Id::shld_rm_rn => self.shift_by(n, Reg::r(op.m), false),
            _ => return false,
        }
        true
    }

    /// Applies `f` to the register, and writes its bit `out` to T.
    fn shift_out(&mut self, n: Reg, out: i64, f: impl Fn(&mut Self, Value) -> Value) {
        let value = self.get(n);
        let truth = if out == 31 {
            self.b.ins().icmp_imm(IntCC::SignedLessThan, value, 0)
        } else {
            let bit = self.b.ins().ireduce(types::I8, value);
            self.b.ins().band_imm(bit, 1)
        };
        let value = f(self, value);
        self.set(n, value);
        self.set(Reg::T, truth);
    }

    /// SHAD or SHLD: shifts left by Rm; if Rm is negative, shifts right by its complement plus one.
    fn shift_by(&mut self, n: Reg, m: Reg, arithmetic: bool) {
        let (value, amount) = (self.get(n), self.get(m));
        // Cranelift's shifts use the amount modulo 32.
        let left = self.b.ins().ishl(value, amount);
        let back = self.b.ins().bnot(amount);
        let right = if arithmetic {
            let most = self.b.ins().sshr(value, back);
            self.b.ins().sshr_imm(most, 1)
        } else {
            let most = self.b.ins().ushr(value, back);
            self.b.ins().ushr_imm(most, 1)
        };
        let negative = self.b.ins().icmp_imm(IntCC::SignedLessThan, amount, 0);
        let value = self.b.ins().select(negative, right, left);
        self.set(n, value);
    }
}
