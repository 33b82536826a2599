//! FTRV and FIPR. The runtime computes them in vector registers.

use super::Emitter;
use crate::host::{Call, Context, DONE, Product, REFUSED, Sum};
use crate::registers::Reg;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Value, types};
use sh4::{Op, fpscr};
use std::mem::offset_of;

impl Emitter<'_, '_> {
    /// Returns the model of the additions, if the runtime supports it in the present mode.
    pub(super) fn sum(&self) -> Option<Sum> {
        let mode = self.source.plan.mode;
        let supported = |sum: &Sum| mode.flush && (mode.nearest || *sum == Sum::Cut);
        self.source.sum.filter(supported)
    }

    /// XMTRX * FVn -> FVn
    pub(super) fn transform(&mut self, n: u8, sum: Sum, exit: ir::Block) {
        let vector = self.fv(n);
        let vector = self.product(true, sum, &[vector]);
        // A refused call returns the vector unchanged, so the old value need not be kept.
        self.set_fv(n, vector);
        self.note_status(exit);
    }

    /// FVn . FVm -> FR\[n+3\]
    pub(super) fn inner_product(&mut self, op: Op, sum: Sum, exit: ir::Block) {
        let vectors = [self.fv(op.n), self.fv(op.m)];
        let vector = self.product(false, sum, &vectors);
        self.note_status(exit);
        self.set_lane(Reg::fr(op.n | 3), vector, 0);
    }

    /// Calls the runtime for a product. While flag I is clear, the runtime refuses inexact products.
    fn product(&mut self, transform: bool, sum: Sum, vectors: &[Value]) -> Value {
        let product = Product {
            transform,
            sum,
            lossless: self.is_lossless(),
        };
        self.call(Call::Product(product), vectors)
    }

    fn is_lossless(&self) -> bool {
        !self.source.plan.mode.inexact
    }

    fn fv(&mut self, n: u8) -> Value {
        let values = registers(n).map(|reg| self.get(reg));
        self.vector(values)
    }

    fn set_fv(&mut self, n: u8, vector: Value) {
        for (lane, reg) in registers(n).into_iter().enumerate() {
            self.set_lane(reg, vector, lane as u8);
        }
    }

    fn set_lane(&mut self, reg: Reg, vector: Value, lane: u8) {
        let value = self.lane(vector, lane);
        self.normal.insert(value);
        self.set(reg, value);
    }

    /// Sets the cause, or exits if the runtime has refused.
    fn note_status(&mut self, exit: ir::Block) {
        let status = self.load_context(types::I32, offset_of!(Context, status));
        if self.is_lossless() {
            let fine = self.b.ins().icmp_imm(IntCC::Equal, status, DONE);
            self.continue_if(fine, exit);
            let none = self.word(0);
            return self.set_cause(none);
        }
        // The status is 0 for exact, 1 for inexact.
        let fine = self.b.ins().icmp_imm(IntCC::UnsignedLessThan, status, REFUSED);
        self.continue_if(fine, exit);
        let cause = self.b.ins().ishl_imm(status, i64::from(fpscr::CAUSE_SHIFT));
        self.set_cause(cause);
    }
}

/// Registers of FVn.
fn registers(n: u8) -> [Reg; 4] {
    [0, 1, 2, 3].map(|i| Reg::fr((n & 12) + i))
}
