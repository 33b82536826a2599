//! Accesses: straight to the bus's window where the address allows, else by a call.

use super::around::{Group, MARGIN};
use super::{Emitter, PLAIN, Way};
use crate::host::{Call, Context, DONE, REFUSED, WRITTEN};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Type, Value, types};
use cranelift_frontend::Variable;
use std::mem::offset_of;

/// What an access moves.
#[derive(Clone, Copy)]
pub(super) enum Item {
    /// A byte, sign-extended when read.
    Byte,
    /// Two bytes, likewise.
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

    /// The register's type.
    fn ty(self) -> Type {
        match self {
            Item::Float => types::F32,
            _ => types::I32,
        }
    }
}

/// What is written.
#[derive(Clone, Copy)]
enum Data {
    Item(Value, Item),
    /// Two FPU registers, the first at the lower address.
    Pair([Value; 2]),
}

impl Data {
    fn log2(self) -> u32 {
        match self {
            Data::Item(_, item) => item.log2(),
            Data::Pair(_) => 3,
        }
    }
}

/// An address that lies in the window.
#[derive(Clone, Copy)]
struct Inside {
    /// An address of the host.
    at: Value,
    /// How far from there.
    distance: i32,
}

/// An address to access, and whether it is one of several around it.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) address: Value,
    pub(super) several: bool,
}

impl Emitter<'_, '_> {
    /// Reads an item; leaves the region in front of the operation if that is refused.
    pub(super) fn read(&mut self, spot: Spot, item: Item) -> Value {
        let done = self.b.create_block();
        self.b.append_block_param(done, item.ty());
        let slow = self.b.create_block();
        if let Some(inside) = self.reach(spot, item.log2(), slow) {
            let value = self.load(inside.at, inside.distance, item);
            self.b.ins().jump(done, &[value.into()]);
        }
        self.cold(slow);
        let value = self.read_by_call(spot.address, item.log2());
        let value = self.narrow(value, item);
        self.b.ins().jump(done, &[value.into()]);
        self.go_on(done);
        self.b.block_params(done)[0]
    }

    /// Reads the pair of FPU registers at `address`: the first word and the second.
    pub(super) fn read_pair(&mut self, spot: Spot) -> [Value; 2] {
        let done = self.b.create_block();
        self.b.append_block_param(done, types::F32);
        self.b.append_block_param(done, types::F32);
        let slow = self.b.create_block();
        if let Some(inside) = self.reach(spot, 3, slow) {
            let values =
                [0, 4].map(|offset| self.load(inside.at, inside.distance + offset, Item::Float).into());
            self.b.ins().jump(done, &values);
        }
        self.cold(slow);
        let both = self.read_by_call(spot.address, 3);
        let high = self.b.ins().ushr_imm(both, 32);
        let values = [both, high].map(|value| self.narrow(value, Item::Float).into());
        self.b.ins().jump(done, &values);
        self.go_on(done);
        [self.b.block_params(done)[0], self.b.block_params(done)[1]]
    }

    /// Writes an item, then does what the operation does `behind` that; leaves the region in front of the operation if
    /// that is refused, behind it if code was written.
    pub(super) fn write(&mut self, spot: Spot, value: Value, item: Item, behind: impl Fn(&mut Self)) {
        let value = self.mutate(value);
        self.write_data(spot, Data::Item(value, item), behind);
    }

    /// Writes a pair of FPU registers, the first word to the lower address; else as `write`.
    pub(super) fn write_pair(&mut self, spot: Spot, pair: [Value; 2], behind: impl Fn(&mut Self)) {
        let pair = [self.mutate(pair[0]), pair[1]];
        self.write_data(spot, Data::Pair(pair), behind);
    }

    fn write_data(&mut self, spot: Spot, data: Data, behind: impl Fn(&mut Self)) {
        let (done, slow) = (self.b.create_block(), self.b.create_block());
        let log2 = data.log2();
        if let Some(inside) = self.reach_to_write(spot, log2, slow) {
            self.store_data(inside.at, inside.distance, data);
            behind(self);
            self.b.ins().jump(done, &[]);
        }
        self.cold(slow);
        let (value, log2) = (self.widen_data(data), self.word(log2));
        let status = self.call(Call::Write, &[spot.address, value, log2]);
        self.reload_window();
        self.refuse(status);
        behind(self);
        self.leave_if_written(status);
        self.b.ins().jump(done, &[]);
        self.go_on(done);
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

    fn widen_data(&mut self, data: Data) -> Value {
        match data {
            Data::Item(value, item) => self.widen(value, item),
            Data::Pair(pair) => {
                let [low, high] = pair.map(|value| self.widen(value, Item::Float));
                let high = self.b.ins().ishl_imm(high, 32);
                self.b.ins().bor(low, high)
            }
        }
    }

    /// Leaves in front of the operation if the runtime has refused it.
    pub(super) fn refuse(&mut self, status: Value) {
        let refused = self.b.ins().icmp_imm(IntCC::Equal, status, REFUSED);
        let exit = self.exit(Way::Rest(self.place));
        self.leave_if(refused, exit);
    }

    /// Leaves behind the operation if it has written code.
    pub(super) fn leave_if_written(&mut self, status: Value) {
        let written = self.b.ins().icmp_imm(IntCC::Equal, status, WRITTEN);
        let way = self.behind();
        let exit = self.exit(way);
        self.leave_if(written, exit);
    }

    /// The way out behind the operation under way.
    pub(super) fn behind(&mut self) -> Way {
        let code = super::source_block(self.source, self.place.block);
        let unfinished = code.ops().len() - self.place.index - 1;
        let pc = match unfinished {
            0 => self.place.next_pc,
            _ => self.word(code.start().wrapping_add(2 * self.place.index as u32 + 2)),
        };
        Way::Behind {
            pc,
            unfinished: unfinished as i64,
        }
    }

    fn leave_if(&mut self, condition: Value, exit: ir::Block) {
        let stay = self.b.create_block();
        self.b.ins().brif(condition, exit, &[], stay, &[]);
        self.go_on(stay);
    }

    /// Goes to `slow` unless the address is aligned and in the window: its place there. Nothing if there is no window.
    fn check(&mut self, address: Value, log2: u32, slow: ir::Block) -> Option<Value> {
        let Some(window) = self.source.shape else {
            self.b.ins().jump(slow, &[]);
            return None;
        };
        let picked = self.pick(address, log2, window.select);
        let value = self.word(window.value);
        let inside = self.b.ins().icmp(IntCC::Equal, picked, value);
        let fast = self.b.create_block();
        self.b.ins().brif(inside, fast, &[], slow, &[]);
        self.go_on(fast);
        let offset = self.and(address, window.size - 1);
        Some(self.b.ins().uextend(types::I64, offset))
    }

    /// Goes to `slow` if the line is watched.
    fn check_unwatched(&mut self, offset: Value, slow: ir::Block) {
        let at = self.version_address(offset);
        let version = self.b.ins().load(types::I32, PLAIN, at, 0);
        let fast = self.b.create_block();
        self.b.ins().brif(version, slow, &[], fast, &[]);
        self.go_on(fast);
    }

    /// Where the version of the line at a place lies.
    fn version_address(&mut self, place: Value) -> Value {
        let line = self
            .b
            .ins()
            .ushr_imm(place, i64::from(sh4::watch::LINE.trailing_zeros()));
        let index = self.b.ins().ishl_imm(line, 2);
        let watched = self.b.use_var(self.watched);
        self.b.ins().iadd(watched, index)
    }

    /// Goes to `slow` unless the address is aligned and in the window; by what is known of others around it, if it is one
    /// of several.
    fn reach(&mut self, spot: Spot, log2: u32, slow: ir::Block) -> Option<Inside> {
        let Some((group, distance)) = self.group(spot, log2) else {
            let offset = self.check(spot.address, log2, slow)?;
            return Some(self.inside(offset));
        };
        Some(self.stay_at(group.base, distance, slow))
    }

    /// The same, and unless its line is watched.
    fn reach_to_write(&mut self, spot: Spot, log2: u32, slow: ir::Block) -> Option<Inside> {
        let Some((group, distance)) = self.group(spot, log2) else {
            let offset = self.check(spot.address, log2, slow)?;
            self.check_unwatched(offset, slow);
            return Some(self.inside(offset));
        };
        let writable = match group.writable {
            Some((first, variable)) if (first..=first + 64 - (1 << log2)).contains(&distance) => variable,
            _ => self.find_writable(spot, log2, group, distance),
        };
        Some(self.stay_at(writable, distance, slow))
    }

    /// Goes to `slow` if a group's variable holds 0.
    fn stay_at(&mut self, variable: Variable, distance: i64, slow: ir::Block) -> Inside {
        let (at, fast) = (self.b.use_var(variable), self.b.create_block());
        self.b.ins().brif(at, fast, &[], slow, &[]);
        self.go_on(fast);
        Inside {
            at,
            distance: distance as i32,
        }
    }

    /// Whether 64 bytes, up from an access above its origin and down from one below, are in the window and not watched:
    /// they lie in two lines at most, whose versions lie together.
    fn find_writable(&mut self, spot: Spot, log2: u32, group: Group, distance: i64) -> Variable {
        let first = if distance < 0 {
            distance + (1 << log2) - 64
        } else {
            distance
        };
        let (look, decided) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(decided, types::I64);
        let nowhere = self.b.ins().iconst(types::I64, 0);
        let base = self.b.use_var(group.base);
        self.b.ins().brif(base, look, &[], decided, &[nowhere.into()]);
        self.go_on(look);
        let memory = self.b.use_var(self.memory);
        let place = self.b.ins().isub(base, memory);
        let place = self.b.ins().iadd_imm(place, first);
        let at = self.version_address(place);
        let versions = self.b.ins().load(types::I64, PLAIN, at, 0);
        let writable = self.b.ins().select(versions, nowhere, base);
        self.b.ins().jump(decided, &[writable.into()]);
        self.go_on(decided);
        let (variable, writable) = (self.b.declare_var(types::I64), self.b.block_params(decided)[0]);
        self.b.def_var(variable, writable);
        if let Some((origin, _)) = self.around.near(spot.address, log2)
            && let Some(group) = self.around.group(origin, log2)
        {
            group.writable = Some((first, variable));
        }
        variable
    }

    /// What is known around an address, found out if it is not yet; and its distance. Nothing if it is not one of several.
    fn group(&mut self, spot: Spot, log2: u32) -> Option<(Group, i64)> {
        let window = self
            .source
            .shape
            .filter(|window| spot.several && window.size >= 8 * MARGIN)?;
        let (origin, distance) = self.around.near(spot.address, log2)?;
        if let Some(group) = self.around.group(origin, log2) {
            return Some((*group, distance));
        }
        let picked = self.pick(origin, log2, window.select);
        let value = self.word(window.value);
        let inside = self.b.ins().icmp(IntCC::Equal, picked, value);
        let offset = self.and(origin, window.size - 1);
        let above = self.b.ins().iadd_imm(offset, -i64::from(MARGIN));
        let room = self.word(window.size - 2 * MARGIN);
        let room = self.b.ins().icmp(IntCC::UnsignedLessThan, above, room);
        let both = self.b.ins().band(inside, room);
        let offset = self.b.ins().uextend(types::I64, offset);
        let (there, nowhere) = (self.inside(offset).at, self.b.ins().iconst(types::I64, 0));
        let base = self.b.ins().select(both, there, nowhere);
        let variable = self.b.declare_var(types::I64);
        self.b.def_var(variable, base);
        let group = Group {
            base: variable,
            writable: None,
        };
        self.around.found(origin, log2, group);
        Some((group, distance))
    }

    /// The bits of an address that decide whether it is in the window, aligned, and allowed.
    fn pick(&mut self, address: Value, log2: u32, select: u32) -> Value {
        let user = u32::from(self.source.plan.mode.is_user()) << 31;
        self.and(address, select | ((1 << log2) - 1) | user)
    }

    /// Does something unless an address is in the window.
    pub(super) fn unless_inside(&mut self, address: Value, act: impl Fn(&mut Self)) {
        let (done, slow) = (self.b.create_block(), self.b.create_block());
        if self.check(address, 0, slow).is_some() {
            self.b.ins().jump(done, &[]);
        }
        self.cold(slow);
        act(self);
        self.b.ins().jump(done, &[]);
        self.go_on(done);
    }

    /// The address of a place in the window.
    fn inside(&mut self, offset: Value) -> Inside {
        let memory = self.b.use_var(self.memory);
        Inside {
            at: self.b.ins().iadd(memory, offset),
            distance: 0,
        }
    }

    fn load(&mut self, at: Value, offset: i32, item: Item) -> Value {
        match item {
            Item::Byte => self.b.ins().sload8(types::I32, PLAIN, at, offset),
            Item::Word => self.b.ins().sload16(types::I32, PLAIN, at, offset),
            Item::Long | Item::Float => self.b.ins().load(item.ty(), PLAIN, at, offset),
        }
    }

    fn store(&mut self, at: Value, offset: i32, value: Value, item: Item) {
        match item {
            Item::Byte => self.b.ins().istore8(PLAIN, value, at, offset),
            Item::Word => self.b.ins().istore16(PLAIN, value, at, offset),
            Item::Long | Item::Float => self.b.ins().store(PLAIN, value, at, offset),
        };
    }

    /// Continues in `slow`, out of the usual way.
    fn cold(&mut self, slow: ir::Block) {
        self.b.set_cold_block(slow);
        self.go_on(slow);
    }

    fn read_by_call(&mut self, address: Value, log2: u32) -> Value {
        let log2 = self.word(log2);
        let value = self.call(Call::Read, &[address, log2]);
        self.reload_window();
        let status = self.load_context(types::I32, offset_of!(Context, status));
        let fine = self.b.ins().icmp_imm(IntCC::Equal, status, DONE);
        let (stay, exit) = (self.b.create_block(), self.exit(Way::Rest(self.place)));
        self.b.ins().brif(fine, stay, &[], exit, &[]);
        self.go_on(stay);
        value
    }

    pub(super) fn load_context(&mut self, ty: Type, at: usize) -> Value {
        self.b.ins().load(ty, PLAIN, self.context, at as i32)
    }

    /// 64 bits of a call as the register holds them.
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

    /// A register's value as 64 bits for a call.
    fn widen(&mut self, value: Value, item: Item) -> Value {
        let word = match item {
            Item::Float => self.bits_of(value),
            _ => value,
        };
        self.b.ins().uextend(types::I64, word)
    }
}
