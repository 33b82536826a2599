//! Exits of a region. An exit stores its position and FPSCR. The CPU has the other registers already
//! (`variables`).

use super::{Emitter, PLAIN, source_block};
use crate::host::{Context, IN_BLOCK, is_slot};
use crate::registers::Regs;
use cranelift_codegen::ir::{self, InstBuilder, Value, types};
use sh4::Cpu;
use std::mem::offset_of;

/// An exit of the region.
pub(super) struct Exit {
    block: ir::Block,
    kind: ExitKind,
}

#[derive(Clone, Copy)]
pub(super) enum ExitKind {
    /// Exit to address `pc` after `run` executed or skipped instructions of a block. `answer` is the result
    /// of compiled code.
    Out {
        pc: Pc,
        place: super::Place,
        run: i64,
        answer: i64,
    },
    /// Exit before an operation, which the interpreter runs.
    Resume(super::Place),
}

/// The address at which the program continues.
#[derive(Clone, Copy)]
pub(super) enum Pc {
    /// Known when the region is compiled.
    Known(u32),
    /// Computed by compiled code.
    Computed(Value),
}

impl Emitter<'_, '_> {
    /// Adds an exit block. Branches to it may follow later.
    pub(super) fn exit(&mut self, kind: ExitKind) -> ir::Block {
        let block = self.b.create_block();
        self.exit_at(block, kind);
        block
    }

    /// Turns a block that has predecessors into an exit.
    pub(super) fn exit_at(&mut self, block: ir::Block, kind: ExitKind) {
        self.b.set_cold_block(block);
        self.exits.push(Exit { block, kind });
    }

    /// Ends the function: emits the entry's loads and the exits.
    pub(super) fn finish(mut self, load: ir::Block) {
        if self.writes_fpscr {
            // FPSCR's cause and its other fields are parts of one word, which is stored as a whole.
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
        // Sealed blocks make lookups of variables short.
        self.b.seal_all_blocks();
        let end = self.b.create_block();
        self.b.append_block_param(end, types::I32);
        for Exit { block, kind } in std::mem::take(&mut self.exits) {
            self.b.switch_to_block(block);
            if self.writes_fpscr {
                self.store_fpscr();
            }
            let answer = self.finish_exit(kind);
            let answer = self.b.ins().iconst(types::I32, answer);
            self.b.ins().jump(end, &[answer.into()]);
        }
        self.b.set_cold_block(end);
        self.continue_in(end);
        let answer = self.b.block_params(end)[0];
        self.b.ins().return_(&[answer]);
        self.drop_doubled();
        self.b.finalize();
    }

    /// Stores the program counter or the position in the block, and the remaining count. Returns the result
    /// of compiled code.
    fn finish_exit(&mut self, kind: ExitKind) -> i64 {
        let (left, answer) = match kind {
            ExitKind::Out {
                pc,
                place,
                run,
                answer,
            } => {
                let pc = match pc {
                    Pc::Known(pc) => self.word(pc),
                    Pc::Computed(pc) => pc,
                };
                let at = offset_of!(Cpu, pc) as i32;
                self.b.ins().store(PLAIN, pc, self.cpu, at);
                (self.left_after(place, run), answer)
            }
            ExitKind::Resume(place) => {
                self.store_position(place);
                (self.left_at_beginning(place), IN_BLOCK)
            }
        };
        self.store_context(left, offset_of!(Context, left));
        answer
    }

    /// Stores the position at which the interpreter continues. Values that the runtime knows are not stored.
    fn store_position(&mut self, place: super::Place) {
        let resume = self.b.ins().iconst(types::I64, place.number());
        self.store_context(resume, offset_of!(Context, resume));
        if is_slot(source_block(self.source, place.block), place.index) {
            self.store_context(place.next_pc, offset_of!(Context, next_pc));
        }
        if let Some(skipped) = place.skipped {
            self.store_context(skipped, offset_of!(Context, skipped));
        }
    }

    pub(super) fn store_context(&mut self, value: Value, at: usize) {
        self.b.ins().store(PLAIN, value, self.context, at as i32);
    }
}
