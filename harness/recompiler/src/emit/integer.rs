//! Integer arithmetic, compares, division steps, extensions and multiplication.

use super::Emitter;
use crate::registers::Reg;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use sh4::table::Id;
use sh4::{Op, sr};

impl Emitter<'_, '_> {
    /// Emits integer arithmetic. Returns false for other operations.
    pub(super) fn integer(&mut self, op: Op) -> bool {
        let (n, m) = (Reg::r(op.n), Reg::r(op.m));
        match op.id {
            Id::movt_rn => {
                let t = self.t_word();
                self.set(n, t);
            }
            Id::swap_b_rm_rn => self.swap_bytes(n, m),
            Id::swap_w_rm_rn => self.unary(n, m, |e, x| e.b.ins().rotl_imm(x, 16)),
            Id::xtrct_rm_rn => self.binary(n, m, |e, n, m| {
                let (high, low) = (e.b.ins().ishl_imm(m, 16), e.b.ins().ushr_imm(n, 16));
                e.b.ins().bor(high, low)
            }),
            Id::add_rm_rn => self.binary(n, m, |e, n, m| e.b.ins().iadd(n, m)),
            Id::add_imm_rn => self.unary(n, n, |e, x| e.add_distance(x, i64::from(op.imm as i32))),
            Id::sub_rm_rn => self.binary(n, m, |e, n, m| e.b.ins().isub(n, m)),
            Id::neg_rm_rn => self.unary(n, m, |e, x| e.b.ins().ineg(x)),
            Id::addc_rm_rn => self.add_carry(n, m),
            Id::subc_rm_rn => {
                let minuend = self.get(n);
                self.sub_borrow(n, minuend, m);
            }
            Id::negc_rm_rn => {
                let zero = self.word(0);
                self.sub_borrow(n, zero, m);
            }
            Id::addv_rm_rn => self.overflowing(n, m, false),
            Id::subv_rm_rn => self.overflowing(n, m, true),
            Id::dt_rn => {
                self.unary(n, n, |e, x| e.b.ins().iadd_imm(x, -1));
                self.compare_imm(IntCC::Equal, n, 0);
            }
            Id::exts_b_rm_rn => self.unary(n, m, |e, x| {
                let byte = e.b.ins().ireduce(types::I8, x);
                e.b.ins().sextend(types::I32, byte)
            }),
            Id::exts_w_rm_rn => self.unary(n, m, |e, x| {
                let half = e.b.ins().ireduce(types::I16, x);
                e.b.ins().sextend(types::I32, half)
            }),
            Id::extu_b_rm_rn => self.unary(n, m, |e, x| e.and(x, 0xFF)),
            Id::extu_w_rm_rn => self.unary(n, m, |e, x| e.and(x, 0xFFFF)),
            _ => return self.comparison(op) || self.division(op) || self.multiplication(op),
        }
        true
    }

    fn comparison(&mut self, op: Op) -> bool {
        let (n, m) = (Reg::r(op.n), Reg::r(op.m));
        match op.id {
            Id::cmp_eq_imm_r0 => self.compare_imm(IntCC::Equal, Reg::r(0), op.imm),
            Id::cmp_eq_rm_rn => self.compare(IntCC::Equal, n, m),
            Id::cmp_hs_rm_rn => self.compare(IntCC::UnsignedGreaterThanOrEqual, n, m),
            Id::cmp_ge_rm_rn => self.compare(IntCC::SignedGreaterThanOrEqual, n, m),
            Id::cmp_hi_rm_rn => self.compare(IntCC::UnsignedGreaterThan, n, m),
            Id::cmp_gt_rm_rn => self.compare(IntCC::SignedGreaterThan, n, m),
            Id::cmp_pl_rn => self.compare_imm(IntCC::SignedGreaterThan, n, 0),
            Id::cmp_pz_rn => self.compare_imm(IntCC::SignedGreaterThanOrEqual, n, 0),
            Id::cmp_str_rm_rn => self.compare_bytes(n, m),
            _ => return false,
        }
        true
    }

    /// Applies `f` to `from` and writes `to`.
    pub(super) fn unary(&mut self, to: Reg, from: Reg, f: impl Fn(&mut Self, Value) -> Value) {
        let value = self.get(from);
        let value = f(self, value);
        self.set(to, value);
    }

    /// Applies `f` to `n` and `m` and writes `n`.
    pub(super) fn binary(&mut self, n: Reg, m: Reg, f: impl Fn(&mut Self, Value, Value) -> Value) {
        let (left, right) = (self.get(n), self.get(m));
        let value = f(self, left, right);
        self.set(n, value);
    }

    fn compare(&mut self, condition: IntCC, n: Reg, m: Reg) {
        let (left, right) = (self.get(n), self.get(m));
        let truth = self.b.ins().icmp(condition, left, right);
        self.set(Reg::T, truth);
    }

    pub(super) fn compare_imm(&mut self, condition: IntCC, n: Reg, right: u32) {
        let (left, right) = (self.get(n), self.word(right));
        let truth = self.b.ins().icmp(condition, left, right);
        self.set(Reg::T, truth);
    }

    /// CMP/STR: sets T if any byte is equal. A byte of the difference is 0 exactly if subtracting 1 from it
    /// borrows.
    fn compare_bytes(&mut self, n: Reg, m: Reg) {
        let (left, right) = (self.get(n), self.get(m));
        let difference = self.b.ins().bxor(left, right);
        let ones = self.word(0x0101_0101);
        let less = self.b.ins().isub(difference, ones);
        let borrowed = self.b.ins().band_not(less, difference);
        let borrowed = self.and(borrowed, 0x8080_8080);
        let truth = self.b.ins().icmp_imm(IntCC::NotEqual, borrowed, 0);
        self.set(Reg::T, truth);
    }

    fn swap_bytes(&mut self, n: Reg, m: Reg) {
        let value = self.get(m);
        let high = self.and(value, 0xFFFF_0000);
        let low = self.b.ins().ireduce(types::I16, value);
        let low = self.b.ins().bswap(low);
        let low = self.b.ins().uextend(types::I32, low);
        let value = self.b.ins().bor(high, low);
        self.set(n, value);
    }

    fn add_carry(&mut self, n: Reg, m: Reg) {
        let (left, right, carry) = (self.get(n), self.get(m), self.t_word());
        let part = self.b.ins().iadd(left, right);
        let first = self.b.ins().icmp(IntCC::UnsignedLessThan, part, left);
        let sum = self.b.ins().iadd(part, carry);
        let second = self.b.ins().icmp(IntCC::UnsignedLessThan, sum, part);
        let carry = self.b.ins().bor(first, second);
        self.set(n, sum);
        self.set(Reg::T, carry);
    }

    fn sub_borrow(&mut self, n: Reg, minuend: Value, m: Reg) {
        let (subtrahend, borrow) = (self.get(m), self.t_word());
        let part = self.b.ins().isub(minuend, subtrahend);
        let first = self.b.ins().icmp(IntCC::UnsignedLessThan, minuend, subtrahend);
        let rest = self.b.ins().isub(part, borrow);
        let second = self.b.ins().icmp(IntCC::UnsignedLessThan, part, borrow);
        let borrow = self.b.ins().bor(first, second);
        self.set(n, rest);
        self.set(Reg::T, borrow);
    }

    /// Sets T on overflow: both operands (the second one inverted for a subtraction) have one sign, and the
    /// result has the other.
    fn overflowing(&mut self, n: Reg, m: Reg, subtract: bool) {
        let (left, right) = (self.get(n), self.get(m));
        let (result, other) = if subtract {
            (self.b.ins().isub(left, right), right)
        } else {
            (self.b.ins().iadd(left, right), left)
        };
        let one = self.b.ins().bxor(left, if subtract { other } else { result });
        let two = if subtract {
            self.b.ins().bxor(left, result)
        } else {
            self.b.ins().bxor(right, result)
        };
        let both = self.b.ins().band(one, two);
        let truth = self.b.ins().icmp_imm(IntCC::SignedLessThan, both, 0);
        self.set(n, result);
        self.set(Reg::T, truth);
    }

    fn division(&mut self, op: Op) -> bool {
        let (n, m) = (Reg::r(op.n), Reg::r(op.m));
        match op.id {
            Id::div0u => {
                self.unary(Reg::STATUS, Reg::STATUS, |e, x| e.and(x, !(sr::Q | sr::M)));
                let zero = self.b.ins().iconst(types::I8, 0);
                self.set(Reg::T, zero);
            }
            Id::div0s_rm_rn => self.divide_signed(n, m),
            Id::div1_rm_rn => self.divide_step(n, m),
            _ => return false,
        }
        true
    }

    fn divide_signed(&mut self, n: Reg, m: Reg) {
        let (dividend, divisor) = (self.get(n), self.get(m));
        let (q, m) = (
            self.b.ins().ushr_imm(dividend, 31),
            self.b.ins().ushr_imm(divisor, 31),
        );
        let differ = self.b.ins().icmp(IntCC::NotEqual, q, m);
        let (q, m) = (
            self.b.ins().ishl_imm(q, i64::from(sr::Q.trailing_zeros())),
            self.b.ins().ishl_imm(m, i64::from(sr::M.trailing_zeros())),
        );
        let status = self.get(Reg::STATUS);
        let status = self.and(status, !(sr::Q | sr::M));
        let status = self.b.ins().bor(status, q);
        let status = self.b.ins().bor(status, m);
        self.set(Reg::STATUS, status);
        self.set(Reg::T, differ);
    }

    fn status_bit(&mut self, bit: u32) -> Value {
        let status = self.get(Reg::STATUS);
        let bit = self.and(status, bit);
        self.b.ins().icmp_imm(IntCC::NotEqual, bit, 0)
    }

    fn divide_step(&mut self, n: Reg, m: Reg) {
        let (dividend, divisor, t) = (self.get(n), self.get(m), self.t_word());
        let (q, m) = (self.status_bit(sr::Q), self.status_bit(sr::M));
        let differ = self.b.ins().bxor(q, m);
        let shifted = self.b.ins().ishl_imm(dividend, 1);
        let shifted = self.b.ins().bor(shifted, t);
        let sum = self.b.ins().iadd(shifted, divisor);
        let difference = self.b.ins().isub(shifted, divisor);
        let carry = self.b.ins().icmp(IntCC::UnsignedLessThan, sum, shifted);
        let borrow = self.b.ins().icmp(IntCC::UnsignedLessThan, shifted, divisor);
        let rest = self.b.ins().select(differ, sum, difference);
        let over = self.b.ins().select(differ, carry, borrow);
        let negative = self.b.ins().icmp_imm(IntCC::SignedLessThan, dividend, 0);
        let q = self.b.ins().bxor(negative, m);
        let q = self.b.ins().bxor(q, over);
        let t = self.b.ins().icmp(IntCC::Equal, q, m);
        let word = self.b.ins().uextend(types::I32, q);
        let word = self.b.ins().ishl_imm(word, i64::from(sr::Q.trailing_zeros()));
        let status = self.get(Reg::STATUS);
        let status = self.and(status, !sr::Q);
        let status = self.b.ins().bor(status, word);
        self.set(n, rest);
        self.set(Reg::STATUS, status);
        self.set(Reg::T, t);
    }

    fn multiplication(&mut self, op: Op) -> bool {
        let (left, right) = (Reg::r(op.n), Reg::r(op.m));
        let half = |e: &mut Self, value, signed| {
            let half = e.b.ins().ireduce(types::I16, value);
            if signed {
                e.b.ins().sextend(types::I32, half)
            } else {
                e.b.ins().uextend(types::I32, half)
            }
        };
        match op.id {
            Id::mul_l_rm_rn | Id::muls_w_rm_rn | Id::mulu_w_rm_rn => {
                let (mut left, mut right) = (self.get(left), self.get(right));
                if op.id != Id::mul_l_rm_rn {
                    let signed = op.id == Id::muls_w_rm_rn;
                    (left, right) = (half(self, left, signed), half(self, right, signed));
                }
                let product = self.b.ins().imul(left, right);
                self.set(Reg::MACL, product);
            }
            Id::dmuls_l_rm_rn | Id::dmulu_l_rm_rn => {
                let signed = op.id == Id::dmuls_l_rm_rn;
                let [left, right] = [left, right].map(|reg| {
                    let value = self.get(reg);
                    if signed {
                        self.b.ins().sextend(types::I64, value)
                    } else {
                        self.b.ins().uextend(types::I64, value)
                    }
                });
                let product = self.b.ins().imul(left, right);
                let high = self.b.ins().ushr_imm(product, 32);
                let (low, high) = (
                    self.b.ins().ireduce(types::I32, product),
                    self.b.ins().ireduce(types::I32, high),
                );
                self.set(Reg::MACH, high);
                self.set(Reg::MACL, low);
            }
            _ => return false,
        }
        true
    }
}
