//! Searches in the TLBs, and the two counters that select the entry to replace.

use super::entry::ptel;
use super::{Mmu, TlbEntry, TlbException, mmucr, pteh};
use crate::Direction;
use crate::settings::UrcBoundary;

/// First physical address of area 7, which holds the P4 registers (SH7750 manual 3.3.4).
const AREA_7: u32 = 0x1C00_0000;

/// The result of a translation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Placement {
    /// The physical address as an effective address that needs no translation: P0 for a cached page, P2 for
    /// another one, P4 for area 7.
    pub(crate) address: u32,
    /// Stores go through the cache: the page's C and WT are 1.
    pub(crate) write_through: bool,
}

impl Placement {
    /// The result for an access without translation.
    pub(crate) const fn untranslated(address: u32) -> Placement {
        Placement {
            address,
            write_through: false,
        }
    }

    fn of(entry: &TlbEntry, address: u32) -> Placement {
        let physical = entry.physical(address);
        let cached = entry.ptel & ptel::C != 0;
        Placement {
            address: match physical {
                AREA_7.. => 0xE000_0000 | physical,
                _ if cached => physical,
                _ => 0xA000_0000 | physical,
            },
            write_through: cached && entry.ptel & ptel::WT != 0,
        }
    }
}

/// The index of the only entry that matches.
pub(super) fn only(
    entries: &[TlbEntry],
    address: u32,
    asid: Option<u32>,
) -> Result<Option<usize>, TlbException> {
    let indices = entries.iter().enumerate();
    let mut matching = indices.filter(|(_, entry)| entry.matches(address, asid));
    match (matching.next(), matching.next()) {
        (_, Some(_)) => Err(TlbException::MultipleHit),
        (first, None) => Ok(first.map(|(index, _)| index)),
    }
}

impl Mmu {
    /// The ASID to compare; none for privileged accesses in single virtual memory mode (SH7750 manual 3.3.6).
    pub(super) fn compared_asid(&self, privileged: bool) -> Option<u32> {
        let single = privileged && self.mmucr & mmucr::SV != 0;
        (!single).then_some(self.pteh & pteh::ASID)
    }

    /// Translates a data access through the UTLB.
    pub(crate) fn translate(
        &mut self,
        address: u32,
        direction: Direction,
        privileged: bool,
    ) -> Result<Placement, TlbException> {
        let entry = &self.utlb[self.find(address, privileged)?];
        entry.check(direction, privileged)?;
        Ok(Placement::of(entry, address))
    }

    /// Translates an instruction fetch through the ITLB, which a miss refills from the UTLB.
    pub(crate) fn translate_fetch(
        &mut self,
        address: u32,
        privileged: bool,
    ) -> Result<Placement, TlbException> {
        let index = match self.find_in_itlb(address, privileged)? {
            Some(index) => index,
            None => self.refill(address, privileged)?,
        };
        self.place_fetch(index, address, privileged)
    }

    /// Translates an instruction fetch if the ITLB holds the page and permits the fetch. Otherwise changes no
    /// state.
    pub(crate) fn translate_fetch_again(&mut self, address: u32, privileged: bool) -> Option<Placement> {
        let index = self.find_in_itlb(address, privileged).ok()??;
        self.place_fetch(index, address, privileged).ok()
    }

    fn find_in_itlb(&self, address: u32, privileged: bool) -> Result<Option<usize>, TlbException> {
        only(&self.itlb, address, self.compared_asid(privileged))
    }

    fn place_fetch(
        &mut self,
        index: usize,
        address: u32,
        privileged: bool,
    ) -> Result<Placement, TlbException> {
        let entry = &self.itlb[index];
        entry.check_fetch(privileged)?;
        let placement = Placement::of(entry, address);
        self.use_itlb(index);
        Ok(placement)
    }

    /// Searches the UTLB and increments URC.
    fn find(&mut self, address: u32, privileged: bool) -> Result<usize, TlbException> {
        self.count_urc();
        if let Some(index) = self.recent.get(address, privileged) {
            return Ok(index);
        }
        let found = only(&self.utlb[..], address, self.compared_asid(privileged))?;
        let index = found.ok_or(TlbException::Miss)?;
        self.recent.put(address, privileged, index);
        Ok(index)
    }

    /// Copies the UTLB's entry for `address` into the ITLB entry that LRUI names.
    fn refill(&mut self, address: u32, privileged: bool) -> Result<usize, TlbException> {
        let from = self.find(address, privileged)?;
        let index = self.least_recent();
        self.copy_to_itlb(from, index);
        Ok(index)
    }

    /// Copies entry `from` of the UTLB to entry `to` of the ITLB.
    pub(super) fn copy_to_itlb(&mut self, from: usize, to: usize) {
        let entry = self.utlb[from];
        self.itlb[to] = TlbEntry {
            ptel: entry.ptel & ptel::ITLB_MASK,
            ..entry
        };
    }

    /// Increments URC: it wraps after 63, and at URB unless URB is 0 (SH7750 manual 3.2.6).
    fn count_urc(&mut self) {
        let (urc, urb) = (self.field(mmucr::URC_SHIFT), self.field(mmucr::URB_SHIFT));
        let wraps = match self.boundary {
            UrcBoundary::BelowUrb => urc + 1 == urb,
            UrcBoundary::ThroughUrb => urc == urb,
        };
        let next = if urb > 0 && wraps { 0 } else { urc + 1 };
        self.set_field(mmucr::URC_SHIFT, next);
    }

    /// Sets LRUI after a use of ITLB entry `index` (SH7750 manual 3.2.6, upper table).
    fn use_itlb(&mut self, index: usize) {
        let (kept, set) = match index {
            0 => (0b000111, 0b000000),
            1 => (0b111001, 0b100000),
            2 => (0b111110, 0b010100),
            _ => (0b111111, 0b001011),
        };
        let lrui = self.field(mmucr::LRUI_SHIFT);
        self.set_field(mmucr::LRUI_SHIFT, lrui & kept | set);
    }

    /// The ITLB entry to replace, by LRUI (SH7750 manual 3.2.6, lower table). Values of LRUI that the manual
    /// does not list select entry 0.
    fn least_recent(&self) -> usize {
        let lrui = self.field(mmucr::LRUI_SHIFT);
        match lrui {
            _ if lrui & 0b111000 == 0b111000 => 0,
            _ if lrui & 0b100110 == 0b000110 => 1,
            _ if lrui & 0b010101 == 0b000001 => 2,
            _ if lrui & 0b001011 == 0 => 3,
            _ => 0,
        }
    }
}
