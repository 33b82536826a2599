//! Checks of operands and results for which the host's arithmetic equals the chip's.

use super::Emitter;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self, InstBuilder, Value, types};

/// Twice the bit pattern of the smallest number that cannot be a rounded-up denormal.
const LEAST: u32 = 0x0080_0001 << 1;
/// Twice the number of bit patterns from [`LEAST`] to infinity.
const SETTLED: u32 = (0x7F80_0000 << 1) - LEAST;

impl Emitter<'_, '_> {
    pub(super) fn require(
        &mut self,
        test: impl Fn(&mut Self, Value) -> Value,
        value: Value,
        exit: ir::Block,
    ) {
        let passed = test(self, value);
        self.continue_if(passed, exit);
    }

    /// Goes to `exit` if an operand is denormal, unless the host also treats denormals as zero.
    pub(super) fn require_normal(&mut self, value: Value, exit: ir::Block) {
        if self.source.plan.mode.flush || !self.normal.insert(value) {
            return;
        }
        self.require(
            |e, value| {
                let twice = e.twice(value);
                let below = e.b.ins().iadd_imm(twice, -1);
                let limit = e.word(0x00FF_FFFF);
                e.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, below, limit)
            },
            value,
            exit,
        );
    }

    /// Goes to `exit` if a result is near the ends of the range, except an exact `zero`.
    pub(super) fn require_settled(
        &mut self,
        value: Value,
        exit: ir::Block,
        zero: impl Fn(&mut Self) -> Value,
    ) {
        let (stay, rare) = (self.b.create_block(), self.b.create_block());
        let settled = self.is_settled(value);
        self.b.ins().brif(settled, stay, &[], rare, &[]);
        self.continue_in(rare);
        let zero = zero(self);
        self.b.ins().brif(zero, stay, &[], exit, &[]);
        self.continue_in(stay);
    }

    /// Returns whether a result is far from the ends of the range. Under RM = 1 the largest number can be the
    /// result of an overflow.
    pub(super) fn is_settled(&mut self, value: Value) -> Value {
        let twice = self.twice(value);
        let above = self.b.ins().iadd_imm(twice, -i64::from(LEAST));
        let largest = if self.source.plan.mode.nearest { 0 } else { 2 };
        let most = self.word(SETTLED - largest);
        self.b.ins().icmp(IntCC::UnsignedLessThan, above, most)
    }

    /// Bit pattern shifted left by one, which removes the sign.
    pub(super) fn twice(&mut self, value: Value) -> Value {
        let bits = self.bits_of(value);
        self.b.ins().iadd(bits, bits)
    }

    /// Compares the bit pattern of a single with zero. The host's comparison may take denormals as zero.
    pub(super) fn is_zero(&mut self, value: Value) -> Value {
        if self.type_of(value) == types::F32 {
            let twice = self.twice(value);
            return self.b.ins().icmp_imm(IntCC::Equal, twice, 0);
        }
        let zero = self.b.ins().f64const(0.0);
        self.b.ins().fcmp(FloatCC::Equal, value, zero)
    }

    pub(super) fn wide(&mut self, value: Value) -> Value {
        self.b.ins().fpromote(types::F64, value)
    }
}
