//! Results of address translation, which the CPU passes to its translating bus.

use crate::mmu::{Placement, TlbException};

/// Set in the block keys of translated code.
const TRANSLATED: u32 = 1 << 4;
/// Lowest bit of the number of the 1 KB page in the block keys of translated code.
const PAGE_KEY_SHIFT: u32 = 8;
/// The bits of a physical address that a store queue is sent to.
pub(crate) const QUEUE_TARGET: u32 = 0x1FFF_FFE0;
/// Bytes of the smallest page. No block under translation reaches across such a boundary, except for the
/// delay slot of a branch.
pub(crate) const PAGE_BYTES: u32 = 1 << 10;
/// Returns true if `address` is in the store queues.
pub(crate) fn is_store_queue(address: u32) -> bool {
    address >> 26 == 0xE000_0000 >> 26
}

/// The instruction page that the program counter is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CodePage {
    /// First effective address.
    pub(crate) start: u32,
    /// Number to add to an effective address to get the address on the inner bus.
    pub(crate) distance: u32,
}

/// A delay slot in another page than its branch.
pub(crate) type FarSlot = (u32, Result<u32, TlbException>);

/// Results of address translation for the next accesses through a [`Translated`] bus.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Translation {
    pub(crate) data: Placement,
    /// The physical address that PREF sends a store queue to.
    pub(crate) queue: u32,
    /// `None` if instruction addresses are not translated.
    pub(crate) code: Option<CodePage>,
    pub(crate) slot: Option<FarSlot>,
    /// CCR.ORA.
    pub(crate) on_chip_ram: bool,
}

impl Translation {
    /// Returns true if data at `address` is translated (SH7750 manual 3.3.3): in P0, U0, P3 and the store
    /// queues, but not in on-chip RAM.
    pub(crate) fn covers(&self, address: u32) -> bool {
        match address >> 29 {
            0..=3 => !(self.on_chip_ram && address >> 26 == 0x7C00_0000 >> 26),
            6 => true,
            _ => is_store_queue(address),
        }
    }

    /// Returns the translated address of an instruction.
    pub(crate) fn place_code(&self, address: u32) -> Option<u32> {
        let Some(page) = self.code else {
            return Some(address);
        };
        if address & !(PAGE_BYTES - 1) == page.start {
            return Some(address.wrapping_add(page.distance));
        }
        match self.slot {
            Some((slot, Ok(place))) if slot == address => Some(place),
            _ => None,
        }
    }
}

impl CodePage {
    /// The part of a block's key that identifies the physical page.
    pub(crate) fn key(self) -> u32 {
        let place = self.start.wrapping_add(self.distance) / PAGE_BYTES;
        TRANSLATED | place << PAGE_KEY_SHIFT
    }
}

/// Returns true if instructions at `address` are translated: in P0, U0 and P3.
pub(crate) fn is_code_translated(address: u32) -> bool {
    matches!(address >> 29, 0..=3 | 6)
}
