//! Memory accesses: direct for addresses in the bus's window (`window`), by a call for others.

use super::exits::{ExitKind, Pc};
use super::{Emitter, PLAIN};
use crate::host::{AT_ATTENTION, Call, Context, DONE, REFUSED, WRITTEN};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Type, Value, types};
use std::mem::offset_of;

/// Type of the accessed data.
#[derive(Clone, Copy)]
pub(super) enum Item {
    /// A byte, sign-extended when read.
    Byte,
    /// Two bytes, sign-extended when read.
    Word,
    /// Four bytes.
    Long,
    /// Four bytes to or from an FPU register.
    Float,
}

impl Item {
    fn log2(self) -> u32 {
        match self {
            Item::Byte => 0,
            Item::Word => 1,
            Item::Long | Item::Float => 2,
        }
    }

    pub(super) fn bytes(self) -> i64 {
        1 << self.log2()
    }

    /// Type of the register.
    fn ty(self) -> Type {
        match self {
            Item::Float => types::F32,
            _ => types::I32,
        }
    }
}

/// Data to be written.
#[derive(Clone, Copy)]
pub(super) enum Data {
    Item(Value, Item),
    /// Two FPU registers; the first goes to the lower address.
    Pair([Value; 2]),
}

impl Data {
    pub(super) fn log2(self) -> u32 {
        match self {
            Data::Item(_, item) => item.log2(),
            Data::Pair(_) => 3,
        }
    }
}

/// Address of an access. `shares_check` is true if other accesses can share its check.
#[derive(Clone, Copy)]
pub(super) struct MemoryOperand {
    pub(super) address: Value,
    pub(super) shares_check: bool,
}

impl Emitter<'_, '_> {
    /// Returns true if accesses outside of the window exit the region before their operation. Otherwise they
    /// are calls.
    pub(super) fn exits_outside_window(&self) -> bool {
        self.source.shape.is_some() && !self.compile_mode().outside_window
    }

    /// Adds an exit before the present operation.
    pub(super) fn exit_before(&mut self) -> ir::Block {
        self.exit(ExitKind::Resume(self.place))
    }

    /// Reads an item. Exits before the operation if the access is refused.
    pub(super) fn read(&mut self, operand: MemoryOperand, item: Item) -> Value {
        self.save();
        if self.exits_outside_window() {
            let exit = self.exit_before();
            if let Some(inside) = self.reach(operand, item.log2(), exit) {
                let value = self.load(inside.at, inside.distance, item);
                return value;
            }
        }
        let done = self.b.create_block();
        self.b.append_block_param(done, item.ty());
        let slow = self.b.create_block();
        if let Some(inside) = self.reach(operand, item.log2(), slow) {
            let value = self.load(inside.at, inside.distance, item);
            self.b.ins().jump(done, &[value.into()]);
        }
        self.cold(slow);
        self.in_on_chip_ram(operand.address, item.log2(), |e, at| {
            let value = e.load(at, 0, item);
            e.b.ins().jump(done, &[value.into()]);
        });
        self.in_marked_memory(operand.address, item.log2(), false, |e, at| {
            let value = e.load(at, 0, item);
            e.b.ins().jump(done, &[value.into()]);
        });
        let value = self.read_by_call(operand.address, item.log2());
        let value = self.narrow(value, item);
        self.b.ins().jump(done, &[value.into()]);
        self.continue_in(done);
        self.b.block_params(done)[0]
    }

    /// Reads a pair of FPU registers: the word at the lower address, then the other.
    pub(super) fn read_pair(&mut self, operand: MemoryOperand) -> [Value; 2] {
        self.save();
        if self.exits_outside_window() {
            let exit = self.exit_before();
            if let Some(inside) = self.reach(operand, 3, exit) {
                let pair = [0, 4].map(|offset| self.load(inside.at, inside.distance + offset, Item::Float));
                return pair;
            }
        }
        let done = self.b.create_block();
        self.b.append_block_param(done, types::F32);
        self.b.append_block_param(done, types::F32);
        let slow = self.b.create_block();
        if let Some(inside) = self.reach(operand, 3, slow) {
            let pair = [0, 4].map(|offset| self.load(inside.at, inside.distance + offset, Item::Float));
            self.b.ins().jump(done, &pair.map(Into::into));
        }
        self.cold(slow);
        self.in_on_chip_ram(operand.address, 3, |e, at| {
            let pair = [0, 4].map(|offset| e.load(at, offset, Item::Float));
            e.b.ins().jump(done, &pair.map(Into::into));
        });
        self.in_marked_memory(operand.address, 3, false, |e, at| {
            let pair = [0, 4].map(|offset| e.load(at, offset, Item::Float));
            e.b.ins().jump(done, &pair.map(Into::into));
        });
        let both = self.read_by_call(operand.address, 3);
        let high = self.b.ins().ushr_imm(both, 32);
        let values = [both, high].map(|value| self.narrow(value, Item::Float).into());
        self.b.ins().jump(done, &values);
        self.continue_in(done);
        [self.b.block_params(done)[0], self.b.block_params(done)[1]]
    }

    /// Writes an item, then emits the rest of the operation with `finish`. Exits before the operation if the
    /// access is refused, and after it if code was written.
    pub(super) fn write(
        &mut self,
        operand: MemoryOperand,
        value: Value,
        item: Item,
        finish: impl Fn(&mut Self),
    ) {
        self.write_data(operand, Data::Item(value, item), finish);
    }

    /// Writes a pair of FPU registers like `write`, the first word to the lower address.
    pub(super) fn write_pair(
        &mut self,
        operand: MemoryOperand,
        pair: [Value; 2],
        finish: impl Fn(&mut Self),
    ) {
        self.write_data(operand, Data::Pair(pair), finish);
    }

    fn write_data(&mut self, operand: MemoryOperand, data: Data, finish: impl Fn(&mut Self)) {
        let log2 = data.log2();
        self.save();
        if self.exits_outside_window() {
            let exit = self.exit_before();
            if let Some(inside) = self.reach_to_write(operand, log2, exit) {
                self.store_data(inside.at, inside.distance, data);
                return finish(self);
            }
        }
        let (done, slow) = (self.b.create_block(), self.b.create_block());
        if let Some(inside) = self.reach_to_write(operand, log2, slow) {
            self.store_data(inside.at, inside.distance, data);
            finish(self);
            self.b.ins().jump(done, &[]);
        }
        self.cold(slow);
        self.write_queue(operand, data, done, &finish);
        self.in_on_chip_ram(operand.address, log2, |e, at| {
            e.store_data(at, 0, data);
            finish(e);
            e.b.ins().jump(done, &[]);
        });
        self.in_marked_memory(operand.address, log2, true, |e, at| {
            e.store_data(at, 0, data);
            finish(e);
            e.b.ins().jump(done, &[]);
        });
        let form = self.place.number() << 2 | i64::from(log2);
        let (value, form) = (self.widen_data(data), self.b.ins().iconst(types::I64, form));
        self.store_left();
        let status = self.call(Call::Write, &[operand.address, value, form]);
        self.reload_window();
        self.exit_if_refused(status);
        finish(self);
        self.store_unsaved();
        self.exit_if_written(status);
        self.b.ins().jump(done, &[]);
        self.continue_in(done);
    }

    fn store_data(&mut self, at: Value, distance: i32, data: Data) {
        match data {
            Data::Item(value, item) => self.store(at, distance, value, item),
            Data::Pair([first, second]) => {
                self.store(at, distance, first, Item::Float);
                self.store(at, distance + 4, second, Item::Float);
            }
        }
    }

    pub(super) fn widen_data(&mut self, data: Data) -> Value {
        match data {
            Data::Item(value, item) => self.widen(value, item),
            Data::Pair(pair) => {
                let [low, high] = pair.map(|value| self.widen(value, Item::Float));
                let high = self.b.ins().ishl_imm(high, 32);
                self.b.ins().bor(low, high)
            }
        }
    }

    /// Exits before the operation if the runtime has refused it.
    pub(super) fn exit_if_refused(&mut self, status: Value) {
        let refused = self.b.ins().icmp_imm(IntCC::Equal, status, REFUSED);
        let exit = self.exit_before();
        self.exit_if(refused, exit);
    }

    /// Exits after the operation if it has written code.
    pub(super) fn exit_if_written(&mut self, status: Value) {
        let written = self.b.ins().icmp_imm(IntCC::Equal, status, WRITTEN);
        let kind = self.exit_after();
        let exit = self.exit(kind);
        self.exit_if(written, exit);
    }

    /// Kind of the exit after the present operation.
    fn exit_after(&mut self) -> ExitKind {
        let run = self.place.index as i64 + 1;
        let pc = if run == self.whole() {
            Pc::Computed(self.place.next_pc)
        } else {
            let code = super::source_block(self.source, self.place.block);
            Pc::Known(code.start().wrapping_add(2 * run as u32))
        };
        ExitKind::Out {
            pc,
            place: self.place,
            run,
            answer: AT_ATTENTION,
        }
    }

    pub(super) fn exit_if(&mut self, condition: Value, exit: ir::Block) {
        let stay = self.b.create_block();
        self.b.ins().brif(condition, exit, &[], stay, &[]);
        self.continue_in(stay);
    }

    pub(super) fn load(&mut self, at: Value, offset: i32, item: Item) -> Value {
        self.lanes.is_read();
        match item {
            Item::Byte => self.b.ins().sload8(types::I32, PLAIN, at, offset),
            Item::Word => self.b.ins().sload16(types::I32, PLAIN, at, offset),
            Item::Long => self.b.ins().load(types::I32, PLAIN, at, offset),
            Item::Float => {
                let value = self.b.ins().load(types::F32, PLAIN, at, offset);
                self.lanes.is_loaded(value, at, offset);
                value
            }
        }
    }

    pub(super) fn store(&mut self, at: Value, offset: i32, value: Value, item: Item) {
        if let Item::Float = item {
            return self.store_single(at, offset, value);
        }
        self.lanes.is_written();
        match item {
            Item::Byte => self.b.ins().istore8(PLAIN, value, at, offset),
            Item::Word => self.b.ins().istore16(PLAIN, value, at, offset),
            _ => self.b.ins().store(PLAIN, value, at, offset),
        };
    }

    /// Continues in `slow`, which is marked as cold.
    pub(super) fn cold(&mut self, slow: ir::Block) {
        self.b.set_cold_block(slow);
        self.continue_in(slow);
    }

    fn read_by_call(&mut self, address: Value, log2: u32) -> Value {
        let log2 = self.word(log2);
        self.store_left();
        let value = self.call(Call::Read, &[address, log2]);
        self.reload_window();
        let status = self.load_context(types::I32, offset_of!(Context, status));
        let fine = self.b.ins().icmp_imm(IntCC::Equal, status, DONE);
        let (stay, exit) = (self.b.create_block(), self.exit_before());
        self.b.ins().brif(fine, stay, &[], exit, &[]);
        self.continue_in(stay);
        value
    }

    /// Stores the remaining count before the present operation, for calls.
    pub(super) fn store_left(&mut self) {
        let left = self.left_after(self.place, self.place.index as i64);
        self.store_context(left, offset_of!(Context, left));
    }

    pub(super) fn load_context(&mut self, ty: Type, at: usize) -> Value {
        self.b.ins().load(ty, PLAIN, self.context, at as i32)
    }

    /// Converts the 64-bit result of a call to the register's form.
    fn narrow(&mut self, value: Value, item: Item) -> Value {
        let word = self.b.ins().ireduce(types::I32, value);
        match item {
            Item::Byte => {
                let byte = self.b.ins().ireduce(types::I8, word);
                self.b.ins().sextend(types::I32, byte)
            }
            Item::Word => {
                let half = self.b.ins().ireduce(types::I16, word);
                self.b.ins().sextend(types::I32, half)
            }
            Item::Long => word,
            Item::Float => self.float_of(word),
        }
    }

    /// Converts a register's value to the 64 bits of a call.
    fn widen(&mut self, value: Value, item: Item) -> Value {
        let word = match item {
            Item::Float => self.bits_of(value),
            _ => value,
        };
        self.b.ins().uextend(types::I64, word)
    }
}
