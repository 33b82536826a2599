//! Several accesses around one address, as a copy loop or a matrix in memory makes them: checked once.

use cranelift_codegen::ir::Value;
use cranelift_frontend::Variable;
use sh4::accelerate::BasicBlock;
use sh4::table::{Row, flag};
use std::collections::HashMap;

/// Bytes that have to lie in the window on both sides of an address for the check to do for what lies around it.
pub(super) const MARGIN: u32 = 256;
/// How far from it an access may be.
const REACH: i64 = 128;
/// Accesses through a register that make it worth while in a block.
const MANY: u8 = 3;

/// What was found out of an address: where it lies on the host. Where accesses elsewhere are calls, the variables hold 0
/// if that is of no use, and after every call that reaches the bus; where they leave, what is found is so.
#[derive(Clone, Copy)]
pub(super) struct Group {
    /// If all around it is in the window, and it is aligned.
    pub(super) base: Variable,
    /// If moreover 64 bytes from a distance on may be written.
    pub(super) writable: Option<(i64, Variable)>,
}

/// See the module's head. Holds for one block.
#[derive(Default)]
pub(super) struct AddressCheckCache {
    origins: HashMap<Value, (Value, i64)>,
    groups: HashMap<(Value, u32), Group>,
    accesses: [u8; 16],
}

impl AddressCheckCache {
    pub(super) fn of(code: &BasicBlock) -> AddressCheckCache {
        let mut around = AddressCheckCache::default();
        for op in code.ops() {
            if op.row().is_some_and(|row| Row::accesses(row) > 0) {
                let stores = op.row().is_some_and(|row| row.has(flag::STORE));
                let register = if stores { op.n } else { op.m };
                let count = &mut around.accesses[usize::from(register & 15)];
                *count = count.saturating_add(1);
            }
        }
        around
    }

    /// Whether a block accesses memory often through a register.
    pub(super) fn is_used(&self, register: usize) -> bool {
        self.accesses.get(register).is_some_and(|&count| count >= MANY)
    }

    /// `value` is `from` and a distance.
    pub(super) fn note(&mut self, value: Value, from: Value, distance: i64) {
        let (origin, far) = self.origin(from);
        self.origins.insert(value, (origin, far + distance));
    }

    /// What an address is a distance from.
    pub(super) fn origin(&self, value: Value) -> (Value, i64) {
        self.origins.get(&value).copied().unwrap_or((value, 0))
    }

    /// The origin of an address and its distance, if what is known of the one serves an access of `1 << log2` bytes there.
    pub(super) fn near(&self, address: Value, log2: u32) -> Option<(Value, i64)> {
        let (origin, distance) = self.origin(address);
        (distance.abs() <= REACH && distance % (1 << log2) == 0).then_some((origin, distance))
    }

    pub(super) fn group(&mut self, origin: Value, log2: u32) -> Option<&mut Group> {
        self.groups.get_mut(&(origin, log2))
    }

    pub(super) fn found(&mut self, origin: Value, log2: u32, group: Group) {
        self.groups.insert((origin, log2), group);
    }

    /// Nothing is known any more.
    pub(super) fn forget(&mut self) {
        self.groups.clear();
    }

    /// All variables of groups.
    pub(super) fn variables(&self) -> Vec<Variable> {
        let groups = self.groups.values();
        groups
            .flat_map(|group| std::iter::once(group.base).chain(group.writable.map(|(_, variable)| variable)))
            .collect()
    }
}
