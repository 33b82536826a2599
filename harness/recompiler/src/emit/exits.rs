//! The ways out of a region: all registers that it writes anywhere are stored.

use super::{Emitter, PLAIN, source_block};
use crate::host::Context;
use crate::registers::Reg;
use cranelift_codegen::ir::{self, InstBuilder, Value, types};
use sh4::Cpu;
use std::mem::offset_of;

/// What compiled code returns: the program counter is at the next block, or a block is to be ended as
/// [`Context`] says.
const AT_BLOCK: i64 = 0;
/// See [`AT_BLOCK`].
const IN_BLOCK: i64 = 1;

/// Where control leaves the region.
pub(super) struct Exit {
    pub(super) block: ir::Block,
    pub(super) way: Way,
}

pub(super) enum Way {
    /// At the head of the block at an address.
    Head(u32),
    /// Behind the block, or behind an operation that ends it early, at an address known at run time; so many
    /// instructions of it have not run.
    Behind { pc: Value, unfinished: i64 },
    /// In front of an operation, which the interpreter is to run.
    Rest(super::Place),
}
impl Emitter<'_, '_> {
    /// A block, sealed by its one predecessor, that leaves the region.
    pub(super) fn exit(&mut self, way: Way) -> ir::Block {
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        self.exits.push(Exit { block, way });
        block
    }

    pub(super) fn finish(mut self, load: ir::Block) {
        // Variables of exits are looked up while blocks are open, so that the written set is complete here.
        let exits = std::mem::take(&mut self.exits);
        for exit in &exits {
            self.b.switch_to_block(exit.block);
            self.leave(&exit.way);
        }
        self.b.switch_to_block(load);
        for reg in self.touched.iter() {
            let value = self.load_register(reg);
            let variable = self.variable(reg);
            self.b.def_var(variable, value);
        }
        let head = self.heads[0];
        self.b.ins().jump(head, &[]);
        self.b.seal_all_blocks();
        self.b.finalize();
    }

    pub(super) fn leave(&mut self, way: &Way) {
        for reg in self.written.iter() {
            // They lie together.
            if reg != Reg::CAUSE || !self.written.has(Reg::FPSCR) {
                self.store_register(reg);
            }
        }
        let mut left = self.b.use_var(self.left);
        let mut answer = AT_BLOCK;
        match way {
            Way::Head(pc) => {
                let pc = self.b.ins().iconst(types::I32, i64::from(*pc as i32));
                self.store_pc(pc);
            }
            Way::Behind { pc, unfinished } => {
                left = self.b.ins().iadd_imm(left, *unfinished);
                self.store_pc(*pc);
            }
            Way::Rest(place) => {
                left = self.leave_inside(*place, left);
                answer = IN_BLOCK;
            }
        }
        self.store_context(left, offset_of!(Context, left));
        let answer = self.b.ins().iconst(types::I32, answer);
        self.b.ins().return_(&[answer]);
    }

    /// Notes where in a block the interpreter goes on; returns what was left when it began.
    pub(super) fn leave_inside(&mut self, place: super::Place, left: Value) -> Value {
        let whole = source_block(self.source, place.block).ops().len() as i64;
        self.store_context(place.next_pc, offset_of!(Context, next_pc));
        for (number, at) in [
            (place.block, offset_of!(Context, rest_block)),
            (place.index, offset_of!(Context, rest_index)),
        ] {
            let number = self.b.ins().iconst(types::I32, number as i64);
            self.store_context(number, at);
        }
        let left = self.b.ins().iadd_imm(left, whole);
        let none = self.b.ins().iconst(types::I64, 0);
        let skipped = place.skipped.unwrap_or(none);
        self.store_context(skipped, offset_of!(Context, skipped));
        self.b.ins().isub(left, skipped)
    }

    pub(super) fn store_context(&mut self, value: Value, at: usize) {
        self.b.ins().store(PLAIN, value, self.context, at as i32);
    }

    pub(super) fn store_pc(&mut self, pc: Value) {
        self.b
            .ins()
            .store(PLAIN, pc, self.cpu, offset_of!(Cpu, pc) as i32);
    }
}
