//! The memory-mapped TLB arrays (SH7750 manual 3.7).

use super::entry::{PTEA_MASK, pteh, ptel};
use super::{ITLB_ENTRIES, Mmu, TlbException, UTLB_ENTRIES, lookup};

/// V in the data of an address array.
const V: u32 = 1 << 8;
/// D in the data of the UTLB's address array.
const D: u32 = 1 << 9;
/// A in an address of the UTLB's address array: the write goes to the matching entries.
const ASSOCIATIVE: u32 = 1 << 7;

/// A TLB array. Addresses of data array 1 and 2 differ in bit 23.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TlbArray {
    ItlbAddress,
    ItlbData1,
    ItlbData2,
    UtlbAddress,
    UtlbData1,
    UtlbData2,
}

impl TlbArray {
    /// The array at `address`.
    pub(crate) fn at(address: u32) -> Option<TlbArray> {
        let second = address & 1 << 23 != 0;
        match address >> 24 {
            0xF2 => Some(TlbArray::ItlbAddress),
            0xF3 if second => Some(TlbArray::ItlbData2),
            0xF3 => Some(TlbArray::ItlbData1),
            0xF6 => Some(TlbArray::UtlbAddress),
            0xF7 if second => Some(TlbArray::UtlbData2),
            0xF7 => Some(TlbArray::UtlbData1),
            _ => None,
        }
    }
}

/// The entry that an address names.
fn index(address: u32, entries: usize) -> usize {
    (address >> 8) as usize % entries
}

impl Mmu {
    /// Reads the element of `array` that `address` names.
    pub(crate) fn read_array(&self, array: TlbArray, address: u32) -> u32 {
        let itlb = &self.itlb[index(address, ITLB_ENTRIES)];
        let utlb = &self.utlb[index(address, UTLB_ENTRIES)];
        let valid = |ptel: u32| if ptel & ptel::V != 0 { V } else { 0 };
        match array {
            TlbArray::ItlbAddress => itlb.pteh | valid(itlb.ptel),
            TlbArray::ItlbData1 => itlb.ptel,
            TlbArray::ItlbData2 => itlb.ptea,
            TlbArray::UtlbAddress => {
                utlb.pteh | valid(utlb.ptel) | if utlb.ptel & ptel::D != 0 { D } else { 0 }
            }
            TlbArray::UtlbData1 => utlb.ptel,
            TlbArray::UtlbData2 => utlb.ptea,
        }
    }

    /// Writes the element of `array` that `address` names.
    pub(crate) fn write_array(
        &mut self,
        array: TlbArray,
        address: u32,
        value: u32,
    ) -> Result<(), TlbException> {
        self.recent.clear();
        let itlb = &mut self.itlb[index(address, ITLB_ENTRIES)];
        let utlb = &mut self.utlb[index(address, UTLB_ENTRIES)];
        match array {
            TlbArray::UtlbAddress if address & ASSOCIATIVE != 0 => return self.write_matching(value),
            TlbArray::ItlbAddress => {
                itlb.pteh = value & pteh::MASK;
                itlb.ptel = with_v(itlb.ptel, value);
            }
            TlbArray::ItlbData1 => itlb.ptel = value & ptel::ITLB_MASK,
            TlbArray::ItlbData2 => itlb.ptea = value & PTEA_MASK,
            TlbArray::UtlbAddress => {
                utlb.pteh = value & pteh::MASK;
                utlb.ptel = with_d(with_v(utlb.ptel, value), value);
            }
            TlbArray::UtlbData1 => utlb.ptel = value & ptel::MASK,
            TlbArray::UtlbData2 => utlb.ptea = value & PTEA_MASK,
        }
        Ok(())
    }

    /// An associative write: V and D of the matching UTLB entry, V of the matching ITLB entry. If both match,
    /// the ITLB entry becomes a copy of the UTLB's (SH7750 manual 3.7.4).
    fn write_matching(&mut self, value: u32) -> Result<(), TlbException> {
        let asid = self.compared_asid(true);
        let utlb = lookup::only(&self.utlb[..], value, asid)?;
        let itlb = lookup::only(&self.itlb, value, asid)?;
        if let Some(index) = utlb {
            let entry = &mut self.utlb[index];
            entry.ptel = with_d(with_v(entry.ptel, value), value);
        }
        match (itlb, utlb) {
            (Some(itlb), Some(utlb)) => self.copy_to_itlb(utlb, itlb),
            (Some(index), None) => self.itlb[index].ptel = with_v(self.itlb[index].ptel, value),
            (None, _) => {}
        }
        Ok(())
    }
}

/// `ptel` with V from an address array's data.
fn with_v(ptel: u32, data: u32) -> u32 {
    if data & V != 0 {
        ptel | ptel::V
    } else {
        ptel & !ptel::V
    }
}

/// `ptel` with D from the data of the UTLB's address array.
fn with_d(ptel: u32, data: u32) -> u32 {
    if data & D != 0 {
        ptel | ptel::D
    } else {
        ptel & !ptel::D
    }
}
