//! Counts unsupported accesses by address, for the report at the end of a run.

use std::collections::BTreeMap;
use std::fmt;

/// Kind of an unsupported access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Oddity {
    /// No device is assigned to the address.
    Unassigned,
    /// The device does not accept this size.
    Size,
    /// The console does not have this on-chip register.
    UnknownRegister,
    /// A DMA with an unreachable address.
    DmaAddress,
    /// A register was changed, but its effect is not emulated.
    Inert,
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Oddity::Unassigned => "no device is assigned to this address",
            Oddity::Size => "the device does not accept this size",
            Oddity::UnknownRegister => "no such on-chip register",
            Oddity::DmaAddress => "DMA cannot reach this address",
            Oddity::Inert => "the register is stored, but its effect is not emulated",
        })
    }
}

/// Maximum number of stored addresses.
const PLACES: usize = 64;

/// Unsupported accesses by kind and address.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    places: BTreeMap<(Oddity, u32), u64>,
    /// Number of accesses to further addresses, after the table of addresses is full.
    pub more: u64,
    /// Last read device register, and the number of consecutive reads. A program that waits polls this
    /// register.
    pub polled: (u32, u64),
}

impl Diagnostics {
    pub(crate) fn note(&mut self, oddity: Oddity, address: u32) {
        if self.places.len() >= PLACES && !self.places.contains_key(&(oddity, address)) {
            self.more += 1;
            return;
        }
        *self.places.entry((oddity, address)).or_default() += 1;
    }

    pub(crate) fn polls(&mut self, address: u32) {
        match self.polled {
            (last, ref mut times) if last == address => *times += 1,
            _ => self.polled = (address, 1),
        }
    }

    /// Returns kind, address and number of unsupported accesses.
    pub fn iter(&self) -> impl Iterator<Item = (Oddity, u32, u64)> + '_ {
        self.places
            .iter()
            .map(|(&(oddity, address), &count)| (oddity, address, count))
    }
}
