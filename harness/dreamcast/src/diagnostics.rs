//! What a program did that the console does not answer: counted, each place once, for the report at the end.

use std::collections::BTreeMap;
use std::fmt;

/// What was odd about an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Oddity {
    /// Nothing is assigned there.
    Unassigned,
    /// The device there does not take this size.
    Size,
    /// An on-chip register that the console does not know.
    UnknownRegister,
    /// A DMA with an address that it cannot reach.
    DmaAddress,
    /// A register was changed whose effect the console does not have.
    Inert,
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Oddity::Unassigned => "nothing is assigned there",
            Oddity::Size => "the device there does not take this size",
            Oddity::UnknownRegister => "no such on-chip register",
            Oddity::DmaAddress => "DMA cannot reach this address",
            Oddity::Inert => "the register is kept without the effect it has on a console",
        })
    }
}

/// Most places that are remembered.
const PLACES: usize = 64;

/// Odd accesses by kind and address.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    places: BTreeMap<(Oddity, u32), u64>,
    /// Accesses at places beyond the first 64.
    pub more: u64,
    /// The device register read last, and how often in a row: what a program waits for.
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

    /// Kind, address and number of odd accesses.
    pub fn iter(&self) -> impl Iterator<Item = (Oddity, u32, u64)> + '_ {
        self.places
            .iter()
            .map(|(&(oddity, address), &count)| (oddity, address, count))
    }
}
