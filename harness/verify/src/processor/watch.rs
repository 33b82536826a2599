//! Noticing writes to where a kernel has no business.

use machine::{Direction, Observer, Retired};

/// A store outside of every output and of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stray {
    /// The storing instruction.
    pub(crate) pc: u32,
    /// Where it stored.
    pub(crate) address: u32,
    /// Bytes.
    pub(crate) size: u8,
}

/// Looks at every store of a call; remembers the first that is not allowed.
///
/// Cache instructions and PREF are let through: the bytes that a store queue sends are checked where they arrive, by the
/// zones around each buffer.
pub(crate) struct WriteWatch {
    /// Physical address and length of what may be written.
    allowed: Vec<(u32, u32)>,
    pub(crate) stray: Option<Stray>,
}

/// Physical addresses: P0 to P3 are views of the same memory.
const PHYSICAL: u32 = 0x1FFF_FFFF;
/// From here on lie the store queues and the on-chip registers.
const P4: u32 = 0xE000_0000;

impl WriteWatch {
    pub(crate) fn new(allowed: impl IntoIterator<Item = (u32, u32)>) -> Self {
        WriteWatch {
            allowed: allowed
                .into_iter()
                .map(|(start, length)| (start & PHYSICAL, length))
                .collect(),
            stray: None,
        }
    }

    fn allows(&self, address: u32, size: u32) -> bool {
        let start = address & PHYSICAL;
        address >= P4
            || self.allowed.iter().any(|(from, length)| {
                start
                    .checked_sub(*from)
                    .is_some_and(|offset| offset + size <= *length)
            })
    }
}

impl Observer for WriteWatch {
    fn retire(&mut self, event: &Retired<'_>) {
        for access in event.accesses {
            let store = access.direction == Direction::Write && access.size <= 8;
            if store && self.stray.is_none() && !self.allows(access.address, access.size.into()) {
                self.stray = Some(Stray {
                    pc: event.pc,
                    address: access.address,
                    size: access.size,
                });
            }
        }
    }
}
