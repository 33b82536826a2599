//! Double-precision arithmetic on the host, under the rules of single precision ([`float`](super::float)):
//! operands normal or zero, a result that is normal or an exact zero.
//!
//! A product, quotient or root is inexact if its remainder is not 0. A fused multiplication and addition
//! computes the remainder without rounding if the remainder's last bit is a normal number. For this, the
//! operands and results that a remainder depends on must be at least 2^-900: the last bit of the remainder is
//! at most 106 bits below, so it is at least 2^-1006.

use super::Emitter;
use crate::registers::Reg;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self, InstBuilder, MemFlags, Value, types};
use sh4::Op;
use sh4::table::Id;

/// Bit pattern of infinity.
const INFINITY: u64 = 0x7FF0_0000_0000_0000;
/// Bit pattern of the smallest number that cannot be a rounded-up denormal.
const LEAST: u64 = 0x0010_0000_0000_0001;
/// Bit pattern of 2^-900.
const LEAST_WITH_REMAINDER: u64 = (1023 - 900) << 52;
/// Bit pattern of 2^31.
const TWO_TO_31: u64 = 0x41E0_0000_0000_0000;

impl Emitter<'_, '_> {
    /// Emits double-precision arithmetic; unusual operands and results go to `unusual`. Returns false for
    /// other operations.
    pub(super) fn double_on_host(&mut self, op: Op, unusual: ir::Block) -> bool {
        if !self.source.fma {
            return false;
        }
        match op.id {
            Id::fadd_drm_drn => self.double_sum(op, false, unusual),
            Id::fsub_drm_drn => self.double_sum(op, true, unusual),
            Id::fmul_drm_drn => self.double_product(op, unusual),
            Id::fdiv_drm_drn => self.double_quotient(op, unusual),
            Id::fsqrt_drn => self.double_root(op, unusual),
            Id::fcmp_eq_drm_drn => self.double_compare(FloatCC::Equal, op, unusual),
            Id::fcmp_gt_drm_drn => self.double_compare(FloatCC::GreaterThan, op, unusual),
            Id::float_fpul_drn => {
                let integer = self.get(Reg::FPUL);
                let result = self.b.ins().fcvt_from_sint(types::F64, integer);
                self.set_double(op.n, result);
                self.note_exact();
            }
            Id::ftrc_drm_fpul => self.double_to_integer(op, unusual),
            Id::fcnvsd_fpul_drn => self.single_to_double(op, unusual),
            Id::fcnvds_drm_fpul => self.double_to_single(op, unusual),
            _ => return false,
        }
        true
    }

    /// The double in FRn and FRn+1; the register with the even number has the upper half.
    fn get_double(&mut self, n: u8) -> Value {
        let halves = [n & 14, n | 1].map(|n| self.get(Reg::fr(n)));
        let [high, low] = halves.map(|half| {
            let bits = self.bits_of(half);
            self.b.ins().uextend(types::I64, bits)
        });
        let high = self.b.ins().ishl_imm(high, 32);
        let bits = self.b.ins().bor(high, low);
        self.b.ins().bitcast(types::F64, MemFlags::new(), bits)
    }

    fn set_double(&mut self, n: u8, value: Value) {
        let bits = self.double_bits(value);
        let high = self.b.ins().ushr_imm(bits, 32);
        for (n, half) in [(n & 14, high), (n | 1, bits)] {
            let half = self.b.ins().ireduce(types::I32, half);
            let half = self.float_of(half);
            self.set(Reg::fr(n), half);
        }
    }

    fn double_bits(&mut self, value: Value) -> Value {
        self.b.ins().bitcast(types::I64, MemFlags::new(), value)
    }

    /// Goes to `exit` if an operand is denormal, unless the host also treats denormals as zero.
    fn require_normal_double(&mut self, value: Value, exit: ir::Block) {
        if self.source.plan.mode.flush {
            return;
        }
        let bits = self.double_bits(value);
        let twice = self.b.ins().iadd(bits, bits);
        let below = self.b.ins().iadd_imm(twice, -1);
        let denormals = self.b.ins().iconst(types::I64, 0x001F_FFFF_FFFF_FFFF);
        let normal = self
            .b
            .ins()
            .icmp(IntCC::UnsignedGreaterThanOrEqual, below, denormals);
        self.continue_if(normal, exit);
    }

    /// Returns whether a number is finite, with a magnitude of at least the number with the bits `least`.
    /// Under RM = 1 the largest number, which can be the result of an overflow, counts as infinite.
    fn is_from(&mut self, value: Value, least: u64) -> Value {
        let infinite = INFINITY - u64::from(!self.source.plan.mode.nearest);
        let bits = self.double_bits(value);
        let twice = self.b.ins().iadd(bits, bits);
        let above = self.b.ins().iadd_imm(twice, -((least << 1) as i64));
        let most = self
            .b
            .ins()
            .iconst(types::I64, ((infinite << 1) - (least << 1)) as i64);
        self.b.ins().icmp(IntCC::UnsignedLessThan, above, most)
    }

    fn require_from(&mut self, value: Value, least: u64, exit: ir::Block) {
        let passed = self.is_from(value, least);
        self.continue_if(passed, exit);
    }

    /// Continues if `settled`, or else if `zero` is true; otherwise goes to `exit`.
    fn require_settled_double(&mut self, settled: Value, exit: ir::Block, zero: impl Fn(&mut Self) -> Value) {
        let (stay, rare) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(settled, stay, &[], rare, &[]);
        self.continue_in(rare);
        let zero = zero(self);
        self.b.ins().brif(zero, stay, &[], exit, &[]);
        self.continue_in(stay);
    }

    /// Returns whether the remainder `a * b - c` is not 0.
    fn has_remainder(&mut self, a: Value, b: Value, c: Value) -> Value {
        let c = self.b.ins().fneg(c);
        let remainder = self.b.ins().fma(a, b, c);
        let zero = self.b.ins().f64const(0.0);
        self.b.ins().fcmp(FloatCC::NotEqual, remainder, zero)
    }

    /// Sets the result of an operation and the cause; see [`Self::finish_cause`].
    fn finish_double(&mut self, n: u8, result: Value, inexact: Value, exit: ir::Block) {
        self.finish_cause(inexact, exit);
        self.set_double(n, result);
    }

    fn double_sum(&mut self, op: Op, subtract: bool, exit: ir::Block) {
        let (x, mut y) = (self.get_double(op.n), self.get_double(op.m));
        self.require_normal_double(x, exit);
        self.require_normal_double(y, exit);
        if subtract {
            y = self.b.ins().fneg(y);
        }
        let sum = self.b.ins().fadd(x, y);
        let settled = self.is_from(sum, LEAST);
        self.require_settled_double(settled, exit, |e| {
            let bits = e.double_bits(sum);
            let twice = e.b.ins().iadd(bits, bits);
            e.b.ins().icmp_imm(IntCC::Equal, twice, 0)
        });
        let inexact = self.is_inexact(sum, x, y);
        self.finish_double(op.n, sum, inexact, exit);
    }

    fn double_product(&mut self, op: Op, exit: ir::Block) {
        let (x, y) = (self.get_double(op.n), self.get_double(op.m));
        self.require_normal_double(x, exit);
        self.require_normal_double(y, exit);
        let product = self.b.ins().fmul(x, y);
        let settled = self.is_from(product, LEAST_WITH_REMAINDER);
        self.require_settled_double(settled, exit, |e| {
            // A factor of zero; infinity and NaN give no zero.
            let [x, y] = [x, y].map(|factor| e.is_zero(factor));
            let factor = e.b.ins().bor(x, y);
            let product = e.is_zero(product);
            e.b.ins().band(factor, product)
        });
        let inexact = self.has_remainder(x, y, product);
        self.finish_double(op.n, product, inexact, exit);
    }

    fn double_quotient(&mut self, op: Op, exit: ir::Block) {
        let (x, y) = (self.get_double(op.n), self.get_double(op.m));
        self.require_from(x, LEAST_WITH_REMAINDER, exit);
        self.require_normal_double(y, exit);
        let quotient = self.b.ins().fdiv(x, y);
        self.require_from(quotient, LEAST_WITH_REMAINDER, exit);
        let inexact = self.has_remainder(quotient, y, x);
        self.finish_double(op.n, quotient, inexact, exit);
    }

    /// Square root of a positive number.
    fn double_root(&mut self, op: Op, exit: ir::Block) {
        let x = self.get_double(op.n);
        let bits = self.double_bits(x);
        let above = self.b.ins().iadd_imm(bits, -(LEAST_WITH_REMAINDER as i64));
        let most = (INFINITY - LEAST_WITH_REMAINDER) as i64;
        let most = self.b.ins().iconst(types::I64, most);
        let positive = self.b.ins().icmp(IntCC::UnsignedLessThan, above, most);
        self.continue_if(positive, exit);
        let root = self.b.ins().sqrt(x);
        let inexact = self.has_remainder(root, root, x);
        self.finish_double(op.n, root, inexact, exit);
    }

    fn double_compare(&mut self, condition: FloatCC, op: Op, exit: ir::Block) {
        let (x, y) = (self.get_double(op.n), self.get_double(op.m));
        self.require_normal_double(x, exit);
        self.require_normal_double(y, exit);
        let ordered = self.b.ins().fcmp(FloatCC::Ordered, x, y);
        self.continue_if(ordered, exit);
        let truth = self.b.ins().fcmp(condition, x, y);
        self.set(Reg::T, truth);
        self.note_exact();
    }

    /// Conversion of a number below 2^31 in magnitude to an integer; it is never inexact.
    fn double_to_integer(&mut self, op: Op, exit: ir::Block) {
        let x = self.get_double(op.m);
        let bits = self.double_bits(x);
        let twice = self.b.ins().iadd(bits, bits);
        let limit = self.b.ins().iconst(types::I64, (TWO_TO_31 << 1) as i64);
        let small = self.b.ins().icmp(IntCC::UnsignedLessThan, twice, limit);
        self.continue_if(small, exit);
        let integer = self.b.ins().fcvt_to_sint_sat(types::I32, x);
        self.set(Reg::FPUL, integer);
        self.note_exact();
    }

    /// FCNVSD, which is exact.
    fn single_to_double(&mut self, op: Op, exit: ir::Block) {
        let bits = self.get(Reg::FPUL);
        let x = self.float_of(bits);
        self.require_normal(x, exit);
        let ordered = self.b.ins().fcmp(FloatCC::Ordered, x, x);
        self.continue_if(ordered, exit);
        let wide = self.wide(x);
        self.set_double(op.n, wide);
        self.note_exact();
    }

    /// FCNVDS.
    fn double_to_single(&mut self, op: Op, exit: ir::Block) {
        let x = self.get_double(op.m);
        self.require_normal_double(x, exit);
        let single = self.b.ins().fdemote(types::F32, x);
        self.require_settled(single, exit, |e| e.is_zero(x));
        let back = self.wide(single);
        let inexact = self.b.ins().fcmp(FloatCC::NotEqual, back, x);
        self.finish_cause(inexact, exit);
        let bits = self.bits_of(single);
        self.set(Reg::FPUL, bits);
    }
}
