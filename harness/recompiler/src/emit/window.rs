//! Address checks against the bus's window, and conversion to host addresses.

use super::address_check::{Group, MARGIN};
use super::memory::MemoryOperand;
use super::{Emitter, PLAIN};
use crate::host::WindowShape;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Value, types};

/// Host address of an access in the window.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    /// Host address.
    pub(super) at: Value,
    /// Distance added to it.
    pub(super) distance: i32,
}

impl Group {
    /// Host address of an access at a distance from the checked address.
    fn at(self, distance: i64) -> Inside {
        Inside {
            at: self.base,
            distance: distance as i32,
        }
    }
}

impl Emitter<'_, '_> {
    /// Goes to `slow` unless the address is aligned and in the window. Returns the offset in the window, or
    /// `None` if there is no window.
    pub(super) fn check(&mut self, address: Value, log2: u32, slow: ir::Block) -> Option<Value> {
        let Some(window) = self.source.shape else {
            self.b.ins().jump(slow, &[]);
            return None;
        };
        let (place, outside) = self.pick(address, log2, window);
        self.exit_if(outside, slow);
        let offset = self.and(place, window.size - 1);
        Some(self.b.ins().uextend(types::I64, offset))
    }

    /// Goes to `slow` if the line is watched.
    pub(super) fn check_unwatched(&mut self, offset: Value, slow: ir::Block) {
        let at = self.version_address(offset);
        let version = self.b.ins().load(types::I32, PLAIN, at, 0);
        let fast = self.b.create_block();
        self.b.ins().brif(version, slow, &[], fast, &[]);
        self.continue_in(fast);
    }

    /// Host address of the version of the line at an offset.
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
    pub(super) fn reach(&mut self, operand: MemoryOperand, log2: u32, slow: ir::Block) -> Option<Inside> {
        let Some((group, distance)) = self.group(operand, log2, slow) else {
            let offset = self.check(operand.address, log2, slow)?;
            return Some(self.inside(offset));
        };
        Some(group.at(distance))
    }

    /// Like [`reach`](Self::reach), for a write: also goes to `slow` if the line is watched.
    pub(super) fn reach_to_write(
        &mut self,
        operand: MemoryOperand,
        log2: u32,
        slow: ir::Block,
    ) -> Option<Inside> {
        let Some((group, distance)) = self.group(operand, log2, slow) else {
            let offset = self.check(operand.address, log2, slow)?;
            self.check_unwatched(offset, slow);
            return Some(self.inside(offset));
        };
        let size = 1 << log2;
        let known = group
            .unwatched
            .is_some_and(|first| (first..=first + 64 - size).contains(&distance));
        if !known {
            // The checked 64 bytes include this access, and extend from it away from the origin.
            let first = if distance < 0 {
                distance + size - 64
            } else {
                distance
            };
            let versions = self.versions(group.base, first);
            self.exit_if(versions, slow);
            if let Some((origin, _)) = self.address_checks.near(operand.address, log2) {
                let unwatched = Some(first);
                self.address_checks
                    .insert(origin, log2, Group { unwatched, ..group });
            }
        }
        Some(group.at(distance))
    }

    /// Loads the versions of two lines: the line at distance `first` from a group's base, and the next one.
    fn versions(&mut self, base: Value, first: i64) -> Value {
        let memory = self.b.use_var(self.memory);
        let place = self.b.ins().isub(base, memory);
        let place = self.b.ins().iadd_imm(place, first);
        let at = self.version_address(place);
        self.b.ins().load(types::I64, PLAIN, at, 0)
    }

    /// Returns the shared check of an address and the distance from the checked address. Emits the check at
    /// its first use. Returns `None` if no other access shares it, or if accesses outside of the window are
    /// calls. A shared check also fails near the window's ends, where programs have their stacks, so it would
    /// cause many calls.
    fn group(&mut self, operand: MemoryOperand, log2: u32, slow: ir::Block) -> Option<(Group, i64)> {
        let window = self.source.shape.filter(|window| {
            operand.shares_check && self.exits_outside_window() && window.size >= 8 * MARGIN
        })?;
        let (origin, distance) = self.address_checks.near(operand.address, log2)?;
        if let Some(group) = self.address_checks.group(origin, log2) {
            return Some((group, distance));
        }
        let (offset, room) = self.pick_around(origin, log2, window);
        self.continue_if(room, slow);
        let offset = self.b.ins().uextend(types::I64, offset);
        let base = self.inside(offset).at;
        let group = Group {
            base,
            unwatched: None,
        };
        self.address_checks.insert(origin, log2, group);
        Some((group, distance))
    }

    /// Goes to `slow` if a condition is 0.
    pub(super) fn continue_if(&mut self, condition: Value, slow: ir::Block) {
        let stay = self.b.create_block();
        self.b.ins().brif(condition, stay, &[], slow, &[]);
        self.continue_in(stay);
    }

    /// Offset of an address in the window, and a number that is 0 only if the address is in the window,
    /// aligned and permitted.
    ///
    /// The window's base contains only bits that the window compares. Subtracting it makes them 0 exactly for
    /// addresses in the window, and does not change other bits.
    fn pick(&mut self, address: Value, log2: u32, window: WindowShape) -> (Value, Value) {
        let place = self.b.ins().iadd_imm(address, -i64::from(window.value));
        let outside = self.and(place, window.select | ((1 << log2) - 1) | self.user());
        (place, outside)
    }

    /// Offset of an address in the window, and true if it is aligned and at least [`MARGIN`] bytes from both
    /// ends.
    ///
    /// One comparison suffices. The bits that the window compares are above its size, and the rotation moves
    /// the alignment bits above it too.
    fn pick_around(&mut self, address: Value, log2: u32, window: WindowShape) -> (Value, Value) {
        let place = self.b.ins().iadd_imm(address, -i64::from(window.value));
        let offset = self.and(place, window.select | self.user() | (window.size - 1));
        let above = self.b.ins().iadd_imm(offset, -i64::from(MARGIN));
        let above = self.b.ins().rotr_imm(above, i64::from(log2));
        let room = self.word((window.size - 2 * MARGIN) >> log2);
        let room = self.b.ins().icmp(IntCC::UnsignedLessThan, above, room);
        (offset, room)
    }

    /// Mask of the address bit that must be 0 in user mode.
    pub(super) fn user(&self) -> u32 {
        u32::from(self.source.plan.mode.is_user()) << 31
    }

    /// Emits `act` for addresses outside of the window.
    pub(super) fn unless_inside(&mut self, address: Value, act: impl Fn(&mut Self)) {
        let (done, slow) = (self.b.create_block(), self.b.create_block());
        if self.check(address, 0, slow).is_some() {
            self.b.ins().jump(done, &[]);
        }
        self.cold(slow);
        act(self);
        self.b.ins().jump(done, &[]);
        self.continue_in(done);
    }

    /// Host address of an offset in the window.
    pub(super) fn inside(&mut self, offset: Value) -> Inside {
        let memory = self.b.use_var(self.memory);
        Inside {
            at: self.b.ins().iadd(memory, offset),
            distance: 0,
        }
    }
}
