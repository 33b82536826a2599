//! Accesses to a bus's second memory ([`sh4::MarkedMemory`]), if the bus lends it.

use super::{Emitter, PLAIN};
use crate::host::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::mem::offset_of;

impl Emitter<'_, '_> {
    /// Emits `access` with the host address of an item in the second memory. It must end with a jump. Marks
    /// the page before it, if `is_write`. Other addresses fall through.
    pub(super) fn in_marked_memory(
        &mut self,
        address: Value,
        log2: u32,
        is_write: bool,
        access: impl FnOnce(&mut Self, Value),
    ) {
        let Some(shape) = self.source.shape.and_then(|shape| shape.marked) else {
            return;
        };
        let (inside, other) = (self.b.create_block(), self.b.create_block());
        let compared = self.and(address, shape.select | ((1 << log2) - 1) | self.user());
        let is_inside = self
            .b
            .ins()
            .icmp_imm(IntCC::Equal, compared, i64::from(shape.value as i32));
        self.b.ins().brif(is_inside, inside, &[], other, &[]);
        self.continue_in(inside);
        let offset = self.and(address, shape.size - 1);
        if is_write {
            let page = self
                .b
                .ins()
                .ushr_imm(offset, i64::from(shape.page.trailing_zeros()));
            let page = self.and(page, shape.marks - 1);
            let page = self.b.ins().uextend(types::I64, page);
            let distance = self.b.ins().ishl_imm(page, 3);
            let marks = self.load_context(types::I64, offset_of!(Context, marks));
            let at = self.b.ins().iadd(marks, distance);
            let mark = self.load_context(types::I64, offset_of!(Context, mark));
            self.b.ins().store(PLAIN, mark, at, 0);
        }
        let offset = self.b.ins().uextend(types::I64, offset);
        let memory = self.load_context(types::I64, offset_of!(Context, marked));
        let at = self.b.ins().iadd(memory, offset);
        access(self, at);
        self.continue_in(other);
    }
}
