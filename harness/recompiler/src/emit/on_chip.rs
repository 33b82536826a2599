//! Accesses to the CPU's on-chip RAM and store queues, if the bus lends them.

use super::Emitter;
use super::PLAIN;
use super::memory::{Data, MemoryOperand};
use crate::host::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Value, types};
use std::mem::offset_of;

impl Emitter<'_, '_> {
    /// Emits `access` with the host address of an item in the on-chip RAM (7C000000 to 7FFFFFFF; SH7750
    /// manual, section 4.3.5). It must end with a jump. Other addresses fall through.
    pub(super) fn in_on_chip_ram(
        &mut self,
        address: Value,
        log2: u32,
        access: impl FnOnce(&mut Self, Value),
    ) {
        let Some(area_bit) = self.source.shape.and_then(|shape| shape.ram_area_bit) else {
            return;
        };
        let (inside, other) = (self.b.create_block(), self.b.create_block());
        let is_inside = self.is_in_area(address, 0x7C00_0000, log2);
        self.b.ins().brif(is_inside, inside, &[], other, &[]);
        self.continue_in(inside);
        let area = self.b.ins().ushr_imm(address, i64::from(area_bit));
        let area = self.and(area, 1);
        let area = self.b.ins().ishl_imm(area, 13);
        let offset = self.and(address, 0xFFF);
        let offset = self.b.ins().bor(offset, area);
        let offset = self.b.ins().uextend(types::I64, offset);
        let data = self.load_context(types::I64, offset_of!(Context, ram));
        let at = self.b.ins().iadd(data, offset);
        let at = self.b.ins().iadd_imm(at, 0x1000);
        access(self, at);
        self.continue_in(other);
    }

    /// Truth value: an aligned address is in the 64 MB that begin at `first`.
    fn is_in_area(&mut self, address: Value, first: u32, log2: u32) -> Value {
        let area = self.and(address, 0xFC00_0000 | ((1 << log2) - 1));
        let first = self.word(first);
        self.b.ins().icmp(IntCC::Equal, area, first)
    }

    /// Emits the write to a store queue (E0000000 to E3FFFFFF; SH7750 manual, section 4.7), if the bus lends
    /// its queues. After the write, compiled code continues in `done`. Other addresses fall through.
    pub(super) fn write_queue(
        &mut self,
        operand: MemoryOperand,
        data: Data,
        done: ir::Block,
        finish: &impl Fn(&mut Self),
    ) {
        let lent = self.source.shape.is_some_and(|shape| shape.queues);
        if !lent || self.source.plan.mode.is_user() {
            return;
        }
        let log2 = data.log2();
        let (queue, other) = (self.b.create_block(), self.b.create_block());
        let is_queue = self.is_in_area(operand.address, 0xE000_0000, log2);
        self.b.ins().brif(is_queue, queue, &[], other, &[]);
        self.continue_in(queue);
        let offset = self.and(operand.address, 0x3F);
        let offset = self.b.ins().uextend(types::I64, offset);
        let queues = self.load_context(types::I64, offset_of!(Context, queues));
        let at = self.b.ins().iadd(queues, offset);
        let value = self.widen_data(data);
        match log2 {
            0 => self.b.ins().istore8(PLAIN, value, at, 0),
            1 => self.b.ins().istore16(PLAIN, value, at, 0),
            2 => self.b.ins().istore32(PLAIN, value, at, 0),
            _ => self.b.ins().store(PLAIN, value, at, 0),
        };
        finish(self);
        self.b.ins().jump(done, &[]);
        self.continue_in(other);
    }
}
