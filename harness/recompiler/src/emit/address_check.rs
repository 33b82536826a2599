//! Address checks shared by accesses around one address, as in a copy loop.

use cranelift_codegen::ir::Value;
use sh4::accelerate::BasicBlock;
use sh4::table::{Row, flag};
use std::collections::HashMap;

/// Number of bytes before and after an address that must be in the window for a shared check.
pub(super) const MARGIN: u32 = 256;
/// Maximum distance of an access from the checked address.
const REACH: i64 = 128;
/// Minimum number of accesses through one register for a shared check in a block.
const MANY: u8 = 3;

/// A checked address: aligned, with [`MARGIN`] bytes of the window on both sides.
#[derive(Clone, Copy)]
pub(super) struct Group {
    /// Host address of the checked address.
    pub(super) base: Value,
    /// Offset from the checked address of 64 bytes without decoded code, which may be written directly.
    pub(super) unwatched: Option<i64>,
}

/// Shared address checks of one block.
#[derive(Default)]
pub(super) struct AddressCheckCache {
    origins: HashMap<Value, (Value, i64)>,
    groups: HashMap<(Value, u32), Group>,
    accesses: [u8; 16],
}

impl AddressCheckCache {
    pub(super) fn of(code: &BasicBlock) -> AddressCheckCache {
        let mut checks = AddressCheckCache::default();
        for op in code.ops() {
            if op.row().is_some_and(|row| Row::accesses(row) > 0) {
                let stores = op.row().is_some_and(|row| row.has(flag::STORE));
                let register = if stores { op.n } else { op.m };
                let count = &mut checks.accesses[usize::from(register & 15)];
                *count = count.saturating_add(1);
            }
        }
        checks
    }

    /// Returns true if the block has enough accesses through a register for a shared check.
    pub(super) fn is_used(&self, register: usize) -> bool {
        self.accesses.get(register).is_some_and(|&count| count >= MANY)
    }

    /// Records that `value` is `from` plus `distance`.
    pub(super) fn note(&mut self, value: Value, from: Value, distance: i64) {
        let (origin, far) = self.origin(from);
        self.origins.insert(value, (origin, far + distance));
    }

    /// Origin of an address, and the distance from it.
    pub(super) fn origin(&self, value: Value) -> (Value, i64) {
        self.origins.get(&value).copied().unwrap_or((value, 0))
    }

    /// Origin of an address and the distance from it, if a check of the origin covers an access of `1 <<
    /// log2` bytes at the address.
    pub(super) fn near(&self, address: Value, log2: u32) -> Option<(Value, i64)> {
        let (origin, distance) = self.origin(address);
        (distance.abs() <= REACH && distance % (1 << log2) == 0).then_some((origin, distance))
    }

    pub(super) fn group(&self, origin: Value, log2: u32) -> Option<Group> {
        self.groups.get(&(origin, log2)).copied()
    }

    pub(super) fn insert(&mut self, origin: Value, log2: u32, group: Group) {
        self.groups.insert((origin, log2), group);
    }

    /// Drops all checks.
    pub(super) fn forget(&mut self) {
        self.groups.clear();
    }
}
