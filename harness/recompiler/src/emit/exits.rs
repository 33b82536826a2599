//! The ways out of a region: all registers that it writes anywhere are stored.

use super::{Emitter, PLAIN};
use crate::host::Context;
use crate::registers::{Reg, Regs};
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

#[derive(Clone, Copy)]
pub(super) enum Way {
    /// To an address, when so many instructions of a block have run or been skipped; `open` if they are not counted yet.
    Out {
        pc: Pc,
        place: super::Place,
        run: i64,
        open: bool,
    },
    /// In front of an operation, which the interpreter is to run.
    Rest(super::Place),
}

#[derive(Clone, Copy)]
pub(super) enum Pc {
    Known(u32),
    Computed(Value),
}

impl Emitter<'_, '_> {
    /// A block that leaves the region; what leads there may come later.
    pub(super) fn exit(&mut self, way: Way) -> ir::Block {
        let block = self.b.create_block();
        self.exit_at(block, way);
        block
    }

    /// Makes that of a block which ways lead to already.
    pub(super) fn exit_at(&mut self, block: ir::Block, way: Way) {
        self.b.set_cold_block(block);
        self.exits.push(Exit { block, way });
    }

    /// Ends the function: everything but the entry's loads and the exits is emitted.
    pub(super) fn finish(mut self, load: ir::Block) {
        if self.written.has(Reg::FPSCR) || self.written.has(Reg::CAUSE) {
            // They lie together, and are stored together.
            self.touched = self.touched.with(Regs::FPSCR);
        }
        self.b.switch_to_block(load);
        for reg in self.touched.iter() {
            let value = self.load_register(reg);
            let variable = self.variable(reg);
            self.b.def_var(variable, value);
        }
        let head = self.heads[0];
        self.b.ins().jump(head, &[]);
        // All ways are known: what exits look up is found without detours.
        self.b.seal_all_blocks();
        for exit in std::mem::take(&mut self.exits) {
            self.b.switch_to_block(exit.block);
            self.leave(exit.way);
        }
        self.b.finalize();
    }

    fn leave(&mut self, way: Way) {
        for reg in self.written.iter() {
            // They lie together.
            if reg != Reg::CAUSE || !self.written.has(Reg::FPSCR) {
                self.store_register(reg);
            }
        }
        let place = match way {
            Way::Out { place, .. } | Way::Rest(place) => place,
        };
        let block = self.word(place.block as u32);
        self.store_context(block, offset_of!(Context, block));
        let (left, answer) = match way {
            Way::Out { pc, place, run, open } => {
                self.leave_open(open.then_some(super::Place {
                    index: run as usize,
                    ..place
                }));
                let pc = match pc {
                    Pc::Known(pc) => self.word(pc),
                    Pc::Computed(pc) => pc,
                };
                self.store_pc(pc);
                (self.left_behind(place, run), AT_BLOCK)
            }
            Way::Rest(place) => {
                self.leave_open(Some(place));
                self.leave_inside(place);
                (self.left_at_beginning(place), IN_BLOCK)
            }
        };
        self.store_context(left, offset_of!(Context, left));
        let answer = self.b.ins().iconst(types::I32, answer);
        self.b.ins().return_(&[answer]);
    }

    /// Notes where in a block the interpreter goes on.
    fn leave_inside(&mut self, place: super::Place) {
        self.store_context(place.next_pc, offset_of!(Context, next_pc));
        let index = self.word(place.index as u32);
        self.store_context(index, offset_of!(Context, index));
        let skipped = self.skipped(place);
        self.store_context(skipped, offset_of!(Context, skipped));
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
