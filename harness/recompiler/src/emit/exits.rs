//! Exits of a region. An exit stores all registers that the region writes.
//!
//! Consecutive exits share the return, and the stores of registers that do not change between them. Most of a
//! region's code consists of exits, and so does most of its compile time.

use super::{Emitter, PLAIN, source_block};
use crate::host::{Context, IN_BLOCK, is_slot};
use crate::registers::{Reg, Regs};
use cranelift_codegen::ir::{self, InstBuilder, Value, types};
use sh4::Cpu;
use std::mem::offset_of;

/// An exit of the region.
pub(super) struct Exit {
    block: ir::Block,
    kind: ExitKind,
    /// Registers written since the previous exit.
    fresh: Regs,
    /// True if the exit begins a new group: it is the first one of a block that is a root (see `fuel`).
    begins_group: bool,
}

/// Maximum number of exits in a group, which shares stores.
const GROUP: usize = 32;

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

impl ExitKind {
    fn place(&self) -> &super::Place {
        match self {
            ExitKind::Out { place, .. } | ExitKind::Resume(place) => place,
        }
    }
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
        let (place, last) = (kind.place().block, self.exits.last());
        let first = last.is_none_or(|last| last.kind.place().block != place);
        self.exits.push(Exit {
            block,
            kind,
            fresh: std::mem::take(&mut self.fresh),
            begins_group: first && self.fuel.is_root(place),
        });
    }

    /// Ends the function: emits the entry's loads and the exits.
    pub(super) fn finish(mut self, load: ir::Block) {
        if self.written.has(Reg::FPSCR) || self.written.has(Reg::CAUSE) {
            // Both are parts of one word, which is stored as a whole.
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
        let mut exits = &std::mem::take(&mut self.exits)[..];
        while let Some(rest) = exits.get(1..) {
            let others = rest
                .iter()
                .position(|exit| exit.begins_group)
                .unwrap_or(rest.len());
            let (group, others) = exits.split_at((1 + others).min(GROUP));
            self.exit_group(group);
            exits = others;
        }
        self.drop_doubled();
        self.b.finalize();
    }

    /// Emits exits that share stores.
    fn exit_group(&mut self, exits: &[Exit]) {
        let fresh = exits.iter().skip(1).map(|exit| exit.fresh);
        let differ = fresh.fold(Regs::NONE, Regs::with).whole();
        let end = self.b.create_block();
        self.b.append_block_param(end, types::I32);
        for exit in exits {
            self.b.switch_to_block(exit.block);
            let cpu = self.cpu_at_exit();
            self.store_registers(cpu, self.written.only(differ));
            let answer = self.finish_exit(cpu, exit.kind);
            let answer = self.b.ins().iconst(types::I32, answer);
            self.b.ins().jump(end, &[answer.into()]);
        }
        self.b.set_cold_block(end);
        self.continue_in(end);
        let cpu = self.cpu_at_exit();
        self.store_registers(cpu, self.written.without(differ));
        let answer = self.b.block_params(end)[0];
        self.b.ins().return_(&[answer]);
    }

    fn cpu_at_exit(&mut self) -> Value {
        self.load_context(types::I64, offset_of!(Context, cpu_at_exit))
    }

    fn store_registers(&mut self, cpu: Value, regs: Regs) {
        for reg in regs.iter() {
            // Storing FPSCR also stores the cause bits.
            if reg != Reg::CAUSE || !regs.has(Reg::FPSCR) {
                self.store_register_at(cpu, reg);
            }
        }
    }

    /// Stores the program counter or the position in the block, and the remaining count. Returns the result
    /// of compiled code.
    fn finish_exit(&mut self, cpu: Value, kind: ExitKind) -> i64 {
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
                self.b.ins().store(PLAIN, pc, cpu, at);
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
