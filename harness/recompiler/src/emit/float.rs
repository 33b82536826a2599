//! Changes of the FPU's mode, and floating-point arithmetic on the host for operands and results for which it
//! provably equals the chip's. `sh4_fpu::host` has the rules and proofs for RM = 0. All other operands and
//! results exit the region.
//!
//! Under RM = 1 the host truncates, too (`host::mode`), with these differences:
//!
//! - An overflow gives the largest number, so this result exits the region.
//! - A truncated sum minus its larger operand is still exact. If bits were lost, the unit of the sum is
//!   larger than the unit of the smaller operand. So the difference is a whole number of units of the
//!   smaller operand or of the sum, and at most one unit of the sum larger than the smaller operand.
//! - The code generator computes operations on constants rounded to nearest. So no operand is a constant
//!   single: `moves` and `float_from` make constants that the code generator does not compute with.
//!
//! While flag I of FPSCR is clear, compiled code continues only if results are exact, so that neither flag
//! nor cause changes. Once flag I is set, only the cause of the last operation matters. The code generator
//! then computes the cause only at the exits that store it.

use super::exits::ExitKind;
use super::{Emitter, PLAIN};
use crate::registers::Reg;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self, InstBuilder, Value, types};
use sh4::accelerate::{KEY_MODE, offset};
use sh4::table::Id;
use sh4::{FPSCR_MASK, Op, fpscr};

/// The cause bits of FPSCR.
pub(super) const CAUSES: u32 = 0x3F << fpscr::CAUSE_SHIFT;

impl Emitter<'_, '_> {
    /// Emits arithmetic. Returns false for other operations, and in modes without inlined
    /// arithmetic.
    pub(super) fn float(&mut self, op: Op) -> bool {
        if !self.source.inline_floats {
            return false;
        }
        let unusual = self.b.create_block();
        let before = self.normal.clone();
        if !self.float_on_host(op, unusual) {
            return false;
        }
        if self.compile_mode().unusual_floats {
            let done = self.b.create_block();
            self.b.ins().jump(done, &[]);
            self.cold(unusual);
            self.fallback(op);
            self.b.ins().jump(done, &[]);
            self.continue_in(done);
            // The path through the fallback has not checked any value.
            self.normal = before;
        } else {
            self.exit_at(unusual, ExitKind::Resume(self.place));
        }
        true
    }

    /// Emits LDS Rm,FPSCR and FSCHG. Returns false for other operations.
    pub(super) fn float_mode(&mut self, op: Op) -> bool {
        match op.id {
            Id::lds_rm_fpscr => self.load_fpscr(op),
            // With PR = 1 the effect depends on a setting.
            Id::fschg if self.source.plan.mode.block & 1 == 0 => {
                let old = self.whole_fpscr();
                let new = self.b.ins().bxor_imm(old, i64::from(fpscr::SZ));
                self.set_fpscr(new);
            }
            _ => return false,
        }
        true
    }

    /// LDS Rm,FPSCR. Programs change PR and SZ around double-precision arithmetic and moves of pairs. The
    /// interpreter changes the other fields that select a mode.
    fn load_fpscr(&mut self, op: Op) {
        const OTHER_MODES: u32 = fpscr::FR | fpscr::DN | fpscr::RM | 0x1F << fpscr::ENABLE_SHIFT;
        let value = self.get(Reg::r(op.m));
        let new = self.and(value, FPSCR_MASK);
        let old = self.whole_fpscr();
        let changes = self.b.ins().bxor(new, old);
        let changes = self.and(changes, OTHER_MODES);
        let [same, other, done] = [(); 3].map(|()| self.b.create_block());
        self.b.ins().brif(changes, other, &[], same, &[]);
        self.continue_in(same);
        self.set_fpscr(new);
        self.b.ins().jump(done, &[]);
        self.cold(other);
        self.fallback(op);
        self.b.ins().jump(done, &[]);
        self.continue_in(done);
    }

    /// Sets FPSCR without a change of FR, DN, RM or the enabled traps.
    fn set_fpscr(&mut self, new: Value) {
        let key = self.source.plan.mode.block;
        for (reg, mask) in [(Reg::FPSCR, !CAUSES), (Reg::CAUSE, CAUSES)] {
            let value = self.and(new, mask);
            self.set(reg, value);
        }
        let mode = self.b.ins().ushr_imm(new, i64::from(fpscr::PR.trailing_zeros()));
        let mode = self.and(mode, KEY_MODE);
        let mode = self.b.ins().bor_imm(mode, i64::from(key & !KEY_MODE));
        self.b.ins().store(PLAIN, mode, self.cpu, offset::KEY as i32);
    }

    /// Emits host arithmetic; unusual operands and results go to `unusual`.
    fn float_on_host(&mut self, op: Op, unusual: ir::Block) -> bool {
        let (n, m) = (Reg::fr(op.n), Reg::fr(op.m));
        match op.id {
            Id::fadd_frm_frn => self.float_sum(n, m, false, unusual),
            Id::fsub_frm_frn => self.float_sum(n, m, true, unusual),
            Id::fmul_frm_frn => self.float_product(n, m, unusual),
            Id::fmac_fr0_frm_frn if self.source.fma => self.float_mac(n, m, unusual),
            Id::fdiv_frm_frn => self.float_quotient(n, m, unusual),
            Id::fsqrt_frn => self.float_root(n, unusual),
            Id::fcmp_eq_frm_frn => self.float_compare(FloatCC::Equal, n, m, unusual),
            Id::fcmp_gt_frm_frn => self.float_compare(FloatCC::GreaterThan, n, m, unusual),
            Id::float_fpul_frn => self.float_from(n, unusual),
            Id::ftrc_frm_fpul => self.float_to(m, unusual),
            Id::ftrv_xmtrx_fvn => match self.sum() {
                Some(sum) => self.transform(op.n, sum, unusual),
                None => return false,
            },
            Id::fipr_fvm_fvn => match self.sum() {
                Some(sum) => self.inner_product(op, sum, unusual),
                None => return false,
            },
            _ => return self.double_on_host(op, unusual),
        }
        true
    }

    /// `n + m` or `n - m`. A sum of zero is exact, because the operands are not denormal.
    fn float_sum(&mut self, n: Reg, m: Reg, subtract: bool, exit: ir::Block) {
        let (x, mut y) = (self.get(n), self.get(m));
        self.require_normal(x, exit);
        self.require_normal(y, exit);
        let sum = if subtract {
            self.b.ins().fsub(x, y)
        } else {
            self.b.ins().fadd(x, y)
        };
        self.require_settled(sum, exit, |e| e.is_zero(sum));
        if subtract {
            y = self.b.ins().fneg(y);
        }
        self.finish_float(n, sum, exit, |e| e.is_inexact(sum, x, y));
    }

    /// Returns whether `sum`, rounded from `x + y`, is inexact. Subtracting the larger operand from the sum
    /// is exact, and gives the smaller operand if the sum is exact. The code tests both operands.
    pub(super) fn is_inexact(&mut self, sum: Value, x: Value, y: Value) -> Value {
        let (first, second) = (self.b.ins().fsub(sum, x), self.b.ins().fsub(sum, y));
        let first = self.b.ins().fcmp(FloatCC::NotEqual, first, y);
        let second = self.b.ins().fcmp(FloatCC::NotEqual, second, x);
        self.b.ins().bor(first, second)
    }

    fn float_product(&mut self, n: Reg, m: Reg, exit: ir::Block) {
        let (x, y) = (self.get(n), self.get(m));
        self.require_normal(x, exit);
        self.require_normal(y, exit);
        let product = self.b.ins().fmul(x, y);
        // A double holds the product of two singles.
        let wide = |e: &mut Self| {
            let (x, y) = (e.wide(x), e.wide(y));
            e.b.ins().fmul(x, y)
        };
        self.require_settled(product, exit, |e| {
            let wide = wide(e);
            e.is_zero(wide)
        });
        self.finish_float(n, product, exit, |e| {
            let (wide, rounded) = (wide(e), e.wide(product));
            e.b.ins().fcmp(FloatCC::NotEqual, wide, rounded)
        });
    }

    fn float_mac(&mut self, n: Reg, m: Reg, exit: ir::Block) {
        let (a, b, c) = (self.get(Reg::fr(0)), self.get(m), self.get(n));
        for operand in [a, b, c] {
            self.require_normal(operand, exit);
        }
        let result = self.b.ins().fma(a, b, c);
        // In double precision the product is exact, and so are the two differences of `is_inexact`.
        let wide = |e: &mut Self| {
            let [a, b, c] = [a, b, c].map(|value| e.wide(value));
            (e.b.ins().fmul(a, b), c)
        };
        self.require_settled(result, exit, |e| {
            let (product, c) = wide(e);
            let sum = e.b.ins().fadd(product, c);
            e.is_zero(sum)
        });
        self.finish_float(n, result, exit, |e| {
            let ((product, c), result) = (wide(e), e.wide(result));
            e.is_inexact(result, product, c)
        });
    }

    fn float_quotient(&mut self, n: Reg, m: Reg, exit: ir::Block) {
        let (x, y) = (self.get(n), self.get(m));
        self.require_normal(x, exit);
        self.require_normal(y, exit);
        let quotient = self.b.ins().fdiv(x, y);
        self.require(Self::is_settled, quotient, exit);
        self.finish_float(n, quotient, exit, |e| {
            let [quotient, y, x] = [quotient, y, x].map(|value| e.wide(value));
            let back = e.b.ins().fmul(quotient, y);
            e.b.ins().fcmp(FloatCC::NotEqual, back, x)
        });
    }

    /// Square root of a positive number; the result is always in range.
    fn float_root(&mut self, n: Reg, exit: ir::Block) {
        let x = self.get(n);
        self.require(
            |e, x| {
                let bits = e.bits_of(x);
                let above = e.b.ins().iadd_imm(bits, -0x0080_0000);
                let most = e.word(0x7F00_0000);
                e.b.ins().icmp(IntCC::UnsignedLessThan, above, most)
            },
            x,
            exit,
        );
        let root = self.b.ins().sqrt(x);
        self.finish_float(n, root, exit, |e| {
            let (root, x) = (e.wide(root), e.wide(x));
            let back = e.b.ins().fmul(root, root);
            e.b.ins().fcmp(FloatCC::NotEqual, back, x)
        });
    }

    fn float_compare(&mut self, condition: FloatCC, n: Reg, m: Reg, exit: ir::Block) {
        let (x, y) = (self.get(n), self.get(m));
        self.require_normal(x, exit);
        self.require_normal(y, exit);
        let ordered = self.b.ins().fcmp(FloatCC::Ordered, x, y);
        self.continue_if(ordered, exit);
        let truth = self.b.ins().fcmp(condition, x, y);
        self.set(Reg::T, truth);
        self.note_exact();
    }

    fn float_from(&mut self, n: Reg, exit: ir::Block) {
        let integer = self.get(Reg::FPUL);
        // A constant integer becomes a constant double, which is exact.
        let exact = self.b.ins().fcvt_from_sint(types::F64, integer);
        let result = self.b.ins().fdemote(types::F32, exact);
        self.finish_float(n, result, exit, |e| {
            let rounded = e.wide(result);
            e.b.ins().fcmp(FloatCC::NotEqual, rounded, exact)
        });
    }

    /// Conversion of a number below 2^31 in magnitude to an integer; it is never inexact.
    fn float_to(&mut self, m: Reg, exit: ir::Block) {
        let x = self.get(m);
        self.require(
            |e, x| {
                let bits = e.bits_of(x);
                let magnitude = e.and(bits, 0x7FFF_FFFF);
                let limit = e.word(0x4F00_0000);
                e.b.ins().icmp(IntCC::UnsignedLessThan, magnitude, limit)
            },
            x,
            exit,
        );
        let lanes = self.b.ins().scalar_to_vector(types::F32X4, x);
        let integers = self.b.ins().x86_cvtt2dq(types::I32X4, lanes);
        let integer = self.b.ins().extractlane(integers, 0);
        self.set(Reg::FPUL, integer);
        self.note_exact();
    }

    /// Sets the result and the cause; see [`Self::finish_cause`].
    fn finish_float(&mut self, n: Reg, result: Value, exit: ir::Block, inexact: impl Fn(&mut Self) -> Value) {
        let inexact = inexact(self);
        self.finish_cause(inexact, exit);
        self.normal.insert(result);
        self.set(n, result);
    }

    /// Sets the cause. Exits instead if the result is inexact and flag I is clear.
    pub(super) fn finish_cause(&mut self, inexact: Value, exit: ir::Block) {
        if self.source.plan.mode.inexact {
            let cause = self.b.ins().uextend(types::I32, inexact);
            let cause = self.b.ins().ishl_imm(cause, i64::from(fpscr::CAUSE_SHIFT));
            self.set_cause(cause);
        } else {
            let stay = self.b.create_block();
            self.b.ins().brif(inexact, exit, &[], stay, &[]);
            self.continue_in(stay);
            self.note_exact();
        }
    }

    pub(super) fn note_exact(&mut self) {
        let none = self.word(0);
        self.set_cause(none);
    }

    pub(super) fn set_cause(&mut self, cause: Value) {
        self.set(Reg::CAUSE, cause);
    }
}
