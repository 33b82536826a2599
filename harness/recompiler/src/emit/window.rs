//! The check whether an address is in the bus's window, and its place on the host.

use super::address_check::{Group, MARGIN};
use super::memory::Spot;
use super::{Emitter, PLAIN};
use crate::host::WindowShape;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Value, types};
use cranelift_frontend::Variable;

/// A place in the window.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    /// An address of the host.
    pub(super) at: Value,
    /// A distance from it.
    pub(super) distance: i32,
}

impl Emitter<'_, '_> {
    /// Goes to `slow` unless the address is aligned and in the window. Returns its place; nothing without a
    /// window.
    pub(super) fn check(&mut self, address: Value, log2: u32, slow: ir::Block) -> Option<Value> {
        self.count_accesses();
        let Some(window) = self.source.shape else {
            self.b.ins().jump(slow, &[]);
            return None;
        };
        let (place, outside) = self.pick(address, log2, window);
        self.leave_if(outside, slow);
        let offset = self.and(place, window.size - 1);
        Some(self.b.ins().uextend(types::I64, offset))
    }

    /// Goes to `slow` if the line is watched.
    pub(super) fn check_unwatched(&mut self, offset: Value, slow: ir::Block) {
        self.count_accesses();
        let at = self.version_address(offset);
        let version = self.b.ins().load(types::I32, PLAIN, at, 0);
        let fast = self.b.create_block();
        self.b.ins().brif(version, slow, &[], fast, &[]);
        self.continue_in(fast);
    }

    /// The address of the version of the line at a place.
    pub(super) fn version_address(&mut self, place: Value) -> Value {
        let line = self
            .b
            .ins()
            .ushr_imm(place, i64::from(sh4::watch::LINE.trailing_zeros()));
        let index = self.b.ins().ishl_imm(line, 2);
        let watched = self.b.use_var(self.watched);
        self.b.ins().iadd(watched, index)
    }

    /// Goes to `slow` unless the address is aligned and in the window. Uses a shared check if there is one.
    pub(super) fn reach(&mut self, spot: Spot, log2: u32, slow: ir::Block) -> Option<Inside> {
        let Some((group, distance)) = self.group(spot, log2, slow) else {
            let offset = self.check(spot.address, log2, slow)?;
            return Some(self.inside(offset));
        };
        Some(self.stay_at(group.base, distance, slow))
    }

    /// The same; also goes to `slow` if its line is watched.
    pub(super) fn reach_to_write(&mut self, spot: Spot, log2: u32, slow: ir::Block) -> Option<Inside> {
        let Some((group, distance)) = self.group(spot, log2, slow) else {
            let offset = self.check(spot.address, log2, slow)?;
            self.check_unwatched(offset, slow);
            return Some(self.inside(offset));
        };
        let writable = match group.writable {
            Some((first, variable)) if (first..=first + 64 - (1 << log2)).contains(&distance) => variable,
            _ => self.find_writable(spot, log2, group, distance, slow),
        };
        Some(self.stay_at(writable, distance, slow))
    }

    /// Goes to `slow` if a group's variable holds 0. It never does where a failed check exits.
    fn stay_at(&mut self, variable: Variable, distance: i64, slow: ir::Block) -> Inside {
        let at = self.b.use_var(variable);
        if !self.leaves_far() {
            self.stay_if(at, slow);
        }
        Inside {
            at,
            distance: distance as i32,
        }
    }

    /// Whether 64 bytes, up from an access above its origin or down from one below, are in the window and not
    /// watched. They are in at most two lines with adjacent versions.
    fn find_writable(
        &mut self,
        spot: Spot,
        log2: u32,
        group: Group,
        distance: i64,
        slow: ir::Block,
    ) -> Variable {
        let first = if distance < 0 {
            distance + (1 << log2) - 64
        } else {
            distance
        };
        let base = self.b.use_var(group.base);
        let variable = if self.leaves_far() {
            let versions = self.versions(base, first);
            self.leave_if(versions, slow);
            group.base
        } else {
            self.base_if_writable(base, first)
        };
        if let Some((origin, _)) = self.around.near(spot.address, log2)
            && let Some(group) = self.around.group(origin, log2)
        {
            group.writable = Some((first, variable));
        }
        variable
    }

    /// A group's base, or 0 if that is 0 or the bytes at the distance `first` are watched.
    fn base_if_writable(&mut self, base: Value, first: i64) -> Variable {
        self.count_accesses();
        let (look, decided) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(decided, types::I64);
        let nowhere = self.b.ins().iconst(types::I64, 0);
        self.b.ins().brif(base, look, &[], decided, &[nowhere.into()]);
        self.continue_in(look);
        let versions = self.versions(base, first);
        let writable = self.b.ins().select(versions, nowhere, base);
        self.b.ins().jump(decided, &[writable.into()]);
        self.continue_in(decided);
        let writable = self.b.block_params(decided)[0];
        self.keep(writable)
    }

    /// The versions of the two lines from a group's base and a distance on.
    fn versions(&mut self, base: Value, first: i64) -> Value {
        let memory = self.b.use_var(self.memory);
        let place = self.b.ins().isub(base, memory);
        let place = self.b.ins().iadd_imm(place, first);
        let at = self.version_address(place);
        self.b.ins().load(types::I64, PLAIN, at, 0)
    }

    /// The shared check of an address, emitted if there is none yet, and the distance. Nothing if no other
    /// access shares it.
    fn group(&mut self, spot: Spot, log2: u32, slow: ir::Block) -> Option<(Group, i64)> {
        let window = self
            .source
            .shape
            .filter(|window| spot.several && window.size >= 8 * MARGIN)?;
        let (origin, distance) = self.around.near(spot.address, log2)?;
        if let Some(group) = self.around.group(origin, log2) {
            return Some((*group, distance));
        }
        let (offset, room) = self.pick_around(origin, log2, window);
        let offset = self.b.ins().uextend(types::I64, offset);
        let there = self.inside(offset).at;
        let base = if self.leaves_far() {
            self.stay_if(room, slow);
            self.keep(there)
        } else {
            let nowhere = self.b.ins().iconst(types::I64, 0);
            let base = self.b.ins().select(room, there, nowhere);
            self.keep(base)
        };
        let group = Group { base, writable: None };
        self.around.found(origin, log2, group);
        Some((group, distance))
    }

    fn keep(&mut self, value: Value) -> Variable {
        let variable = self.b.declare_var(types::I64);
        self.b.def_var(variable, value);
        variable
    }

    /// Continues if a condition is not 0, else goes to `slow`.
    pub(super) fn stay_if(&mut self, condition: Value, slow: ir::Block) {
        self.count_accesses();
        let stay = self.b.create_block();
        self.b.ins().brif(condition, stay, &[], slow, &[]);
        self.continue_in(stay);
    }

    /// The offset of an address in the window, and a number that is 0 only if the address is in the window,
    /// aligned and permitted.
    ///
    /// The window's base has only deciding bits. Subtracting it leaves them 0 exactly for addresses in the
    /// window, and keeps all other bits.
    fn pick(&mut self, address: Value, log2: u32, window: WindowShape) -> (Value, Value) {
        let place = self.b.ins().iadd_imm(address, -i64::from(window.value));
        let outside = self.and(place, window.select | ((1 << log2) - 1) | self.user());
        (place, outside)
    }

    /// The offset of an address in the window, and whether it is aligned with room around it.
    ///
    /// One comparison is enough: deciding bits are above the window's size, and the bits that have to be 0
    /// for alignment are rotated above it.
    fn pick_around(&mut self, address: Value, log2: u32, window: WindowShape) -> (Value, Value) {
        let place = self.b.ins().iadd_imm(address, -i64::from(window.value));
        let offset = self.and(place, window.select | self.user() | (window.size - 1));
        let above = self.b.ins().iadd_imm(offset, -i64::from(MARGIN));
        let above = self.b.ins().rotr_imm(above, i64::from(log2));
        let room = self.word((window.size - 2 * MARGIN) >> log2);
        let room = self.b.ins().icmp(IntCC::UnsignedLessThan, above, room);
        (offset, room)
    }

    /// The address bit that user mode has no access to.
    fn user(&self) -> u32 {
        u32::from(self.source.plan.mode.is_user()) << 31
    }

    /// Calls `f` unless an address is in the window, or exits to the interpreter.
    pub(super) fn unless_inside(&mut self, address: Value, act: impl Fn(&mut Self)) {
        if self.leaves_far() {
            let front = self.front();
            self.check(address, 0, front);
            return;
        }
        let (done, slow) = (self.b.create_block(), self.b.create_block());
        if self.check(address, 0, slow).is_some() {
            self.b.ins().jump(done, &[]);
        }
        self.cold(slow);
        act(self);
        self.b.ins().jump(done, &[]);
        self.continue_in(done);
    }

    /// The host address of a place in the window.
    pub(super) fn inside(&mut self, offset: Value) -> Inside {
        let memory = self.b.use_var(self.memory);
        Inside {
            at: self.b.ins().iadd(memory, offset),
            distance: 0,
        }
    }
}
