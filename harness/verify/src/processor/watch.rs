//! Loads and stores outside of the memory that a call may use.

use super::dirty::DirtyPages;
use machine::{Direction, Observer, RedZone, RedZoneLoad, Retired};

/// An access outside of every buffer and of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StrayAccess {
    /// The instruction.
    pub(crate) pc: u32,
    pub(crate) address: u32,
    /// Bytes.
    pub(crate) size: u8,
    pub(crate) direction: Direction,
}

/// Checks every load and store of a call. Records the first access that is not allowed, the first value kept
/// below R15, and all memory that the call stores to.
///
/// Cache instructions and PREF are not checked: the guard zones around each buffer check the bytes that a
/// store queue sends.
#[derive(Default)]
pub(crate) struct AccessWatch {
    /// `None`: stores are not checked.
    stores: Option<Ranges>,
    /// `None`: loads are not checked.
    loads: Option<Ranges>,
    pub(crate) stray: Option<StrayAccess>,
    pub(crate) dirty: DirtyPages,
    pub(crate) red_zone: RedZone,
    pub(crate) below: Option<RedZoneLoad>,
}

/// Physical address and length.
struct Ranges(Vec<(u32, u32)>);

/// Physical addresses: P0 to P3 are views of the same memory.
const PHYSICAL: u32 = 0x1FFF_FFFF;
/// First address of the store queues and on-chip registers.
const P4: u32 = 0xE000_0000;
/// Size in bytes of the largest load or store; PREF and the cache instructions report 32.
const LARGEST: u8 = 8;

impl AccessWatch {
    /// Checks stores.
    pub(crate) fn stores(allowed: impl IntoIterator<Item = (u32, u32)>) -> Self {
        AccessWatch {
            stores: Some(Ranges::of(allowed)),
            ..AccessWatch::default()
        }
    }

    /// Also checks loads.
    pub(crate) fn and_loads(self, allowed: impl IntoIterator<Item = (u32, u32)>) -> Self {
        AccessWatch {
            loads: Some(Ranges::of(allowed)),
            ..self
        }
    }
}

impl Ranges {
    fn of(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let physical = |(start, length): (u32, u32)| (start & PHYSICAL, length);
        Ranges(ranges.into_iter().map(physical).collect())
    }

    fn allow(&self, address: u32, size: u32) -> bool {
        let start = address & PHYSICAL;
        let inside = |(from, length): &(u32, u32)| {
            let offset = start.checked_sub(*from);
            offset.is_some_and(|offset| offset + size <= *length)
        };
        address >= P4 || self.0.iter().any(inside)
    }
}

impl Observer for AccessWatch {
    fn retire(&mut self, event: &Retired<'_>) {
        let below = self.red_zone.retire(event);
        self.below = self.below.or(below);
        for access in event.accesses {
            // PREF changes no RAM here: it sends a store queue to the tile accelerator. A store to QACR,
            // which could redirect it, marks all memory as changed.
            if access.direction == Direction::Write {
                self.dirty.note(access.address, access.size.into());
            }
            let ranges = match access.direction {
                Direction::Write => self.stores.as_ref(),
                _ => self.loads.as_ref(),
            };
            let stray = access.size <= LARGEST
                && ranges.is_some_and(|ranges| !ranges.allow(access.address, access.size.into()));
            if stray && self.stray.is_none() {
                self.stray = Some(StrayAccess {
                    pc: event.pc,
                    address: access.address,
                    size: access.size,
                    direction: access.direction,
                });
            }
        }
    }
}
