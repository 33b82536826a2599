//! FTRV and FIPR, by the runtime in vector registers.

use super::Emitter;
use crate::host::{Call, Context, REFUSED};
use crate::registers::Reg;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Value, types};
use sh4::{Op, fpscr};
use std::mem::offset_of;

impl Emitter<'_, '_> {
    /// XMTRX * FVn -> FVn
    pub(super) fn transform(&mut self, n: u8, call: Call, exit: ir::Block) {
        let vector = self.vector(n);
        let vector = self.call(call, &[vector]);
        // Refused, the vector comes back as it was: nobody need keep the old one. Inexact it does not.
        let early = self.source.plan.mode.inexact && !self.mutating;
        if early {
            self.set_vector(n, vector);
        }
        self.note_status(exit);
        if !early {
            self.set_vector(n, vector);
        }
    }

    fn set_vector(&mut self, n: u8, vector: Value) {
        for (lane, reg) in registers(n).into_iter().enumerate() {
            self.set_lane(reg, vector, lane as u8);
        }
    }

    /// FVn . FVm -> FR\[n+3\]
    pub(super) fn inner_product(&mut self, op: Op, call: Call, exit: ir::Block) {
        let vectors = [self.vector(op.n), self.vector(op.m)];
        let vector = self.call(call, &vectors);
        self.note_status(exit);
        self.set_lane(Reg::fr(op.n | 3), vector, 0);
    }

    fn vector(&mut self, n: u8) -> Value {
        let values = registers(n).map(|reg| self.get(reg));
        let mut vector = self.b.ins().scalar_to_vector(types::F32X4, values[0]);
        for (lane, &value) in values.iter().enumerate().skip(1) {
            vector = self.b.ins().insertlane(vector, value, lane as u8);
        }
        vector
    }

    /// Sets the cause, or goes to `exit` if the call has refused; while flag I is clear also if it is inexact.
    fn note_status(&mut self, exit: ir::Block) {
        let status = self.load_context(types::I32, offset_of!(Context, status));
        // 0 is exact, 1 inexact.
        let limit = if self.source.plan.mode.inexact { REFUSED } else { 1 };
        let fine = self.b.ins().icmp_imm(IntCC::UnsignedLessThan, status, limit);
        self.stay_if(fine, exit);
        let cause = self.b.ins().ishl_imm(status, i64::from(fpscr::CAUSE_SHIFT));
        self.set_cause(cause);
    }

    fn set_lane(&mut self, reg: Reg, vector: Value, lane: u8) {
        let value = self.b.ins().extractlane(vector, lane);
        self.normal.insert(value);
        self.set(reg, value);
    }
}

/// FVn.
fn registers(n: u8) -> [Reg; 4] {
    [0, 1, 2, 3].map(|i| Reg::fr((n & 12) + i))
}
