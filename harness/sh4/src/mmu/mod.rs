//! The memory management unit: registers, TLBs, address translation (SH7750 manual, section 3).
//!
//! The CPU translates addresses only while MMUCR.AT = 1. `lookup` searches the TLBs, `arrays` has the
//! memory-mapped TLB arrays, `entry` one entry. Doubtful points: docs/hardware/sh4.md, "Address translation".

mod arrays;
mod entry;
mod lookup;
mod recent;

pub(crate) use arrays::TlbArray;
pub use entry::TlbEntry;
pub(crate) use lookup::Placement;

use crate::settings::UrcBoundary;
use entry::{PTEA_MASK, pteh, ptel};
use recent::RecentPages;
use std::fmt;

/// Entries of the UTLB (SH7750 manual 3.3.1).
const UTLB_ENTRIES: usize = 64;
/// Entries of the ITLB (SH7750 manual 3.3.2).
const ITLB_ENTRIES: usize = 4;

/// Bits of MMUCR (SH7750 manual 3.2.6).
mod mmucr {
    /// Address translation is on.
    pub(super) const AT: u32 = 1;
    /// Invalidates all entries of both TLBs; reads 0.
    pub(super) const TI: u32 = 1 << 2;
    /// Single virtual memory: privileged accesses do not compare ASIDs.
    pub(super) const SV: u32 = 1 << 8;
    /// User mode may not use the store queues.
    pub(super) const SQMD: u32 = 1 << 9;
    /// Lowest bit of URC, the entry that LDTLB writes.
    pub(super) const URC_SHIFT: u32 = 10;
    /// Lowest bit of URB, the entry that URC does not reach.
    pub(super) const URB_SHIFT: u32 = 18;
    /// Lowest bit of LRUI, which chooses the ITLB entry to replace.
    pub(super) const LRUI_SHIFT: u32 = 26;
    /// A field of six bits.
    pub(super) const FIELD: u32 = 63;
    /// All bits that exist.
    pub(super) const MASK: u32 = 0xFCFC_FF05;
}

/// The reason why a translation fails (SH7750 manual 3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlbException {
    /// No entry matches.
    Miss,
    /// The entry does not permit the access.
    Protection,
    /// The first write to a page: the entry's D is 0.
    InitialWrite,
    /// Two entries match: the CPU is reset.
    MultipleHit,
}

impl fmt::Display for TlbException {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TlbException::Miss => "TLB miss",
            TlbException::Protection => "TLB protection violation",
            TlbException::InitialWrite => "initial page write",
            TlbException::MultipleHit => "TLB multiple hit",
        })
    }
}

/// A register of memory management.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MmuRegister {
    /// Page table entry, high: page number and ASID.
    Pteh,
    /// Page table entry, low.
    Ptel,
    /// Page table entry, assistance.
    Ptea,
    /// Translation table base; only for software.
    Ttb,
    /// The address of the last TLB exception or address error.
    Tea,
    /// MMU control.
    Mmucr,
}

/// The registers of memory management and both TLBs.
#[derive(Clone, Debug)]
pub struct Mmu {
    pteh: u32,
    ptel: u32,
    ptea: u32,
    ttb: u32,
    tea: u32,
    mmucr: u32,
    utlb: Box<[TlbEntry; UTLB_ENTRIES]>,
    itlb: [TlbEntry; ITLB_ENTRIES],
    boundary: UrcBoundary,
    recent: RecentPages,
}

state::fields!(Mmu {
    pteh,
    ptel,
    ptea,
    ttb,
    tea,
    mmucr,
    utlb,
    itlb,
} keep { boundary, recent } after(|mmu: &mut Mmu| {
    mmu.pteh &= pteh::MASK;
    mmu.ptel &= ptel::MASK;
    mmu.ptea &= PTEA_MASK;
    mmu.mmucr &= mmucr::MASK;
    mmu.recent.clear();
}));

/// Compares the state that a program can see.
impl PartialEq for Mmu {
    fn eq(&self, other: &Mmu) -> bool {
        let words = |mmu: &Mmu| [mmu.pteh, mmu.ptel, mmu.ptea, mmu.ttb, mmu.tea, mmu.mmucr];
        words(self) == words(other) && self.utlb == other.utlb && self.itlb == other.itlb
    }
}

impl Eq for Mmu {}

impl Mmu {
    /// All registers 0, all entries invalid.
    pub(crate) fn new(boundary: UrcBoundary) -> Mmu {
        Mmu {
            pteh: 0,
            ptel: 0,
            ptea: 0,
            ttb: 0,
            tea: 0,
            mmucr: 0,
            utlb: Box::new([TlbEntry::default(); UTLB_ENTRIES]),
            itlb: [TlbEntry::default(); ITLB_ENTRIES],
            boundary,
            recent: RecentPages::default(),
        }
    }

    /// The value of `register`.
    #[must_use]
    pub fn register(&self, register: MmuRegister) -> u32 {
        match register {
            MmuRegister::Pteh => self.pteh,
            MmuRegister::Ptel => self.ptel,
            MmuRegister::Ptea => self.ptea,
            MmuRegister::Ttb => self.ttb,
            MmuRegister::Tea => self.tea,
            MmuRegister::Mmucr => self.mmucr,
        }
    }

    /// The UTLB's 64 entries.
    #[must_use]
    pub fn utlb(&self) -> &[TlbEntry] {
        &self.utlb[..]
    }

    /// The ITLB's 4 entries.
    #[must_use]
    pub fn itlb(&self) -> &[TlbEntry] {
        &self.itlb
    }

    /// Returns true if addresses are translated: MMUCR.AT.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.mmucr & mmucr::AT != 0
    }

    /// The address space identifier: PTEH.ASID.
    #[must_use]
    pub fn asid(&self) -> u8 {
        (self.pteh & pteh::ASID) as u8
    }

    /// Writes `register`, except for bits that do not exist.
    pub(crate) fn write(&mut self, register: MmuRegister, value: u32) {
        match register {
            MmuRegister::Pteh => {
                self.pteh = value & pteh::MASK;
                self.recent.clear();
            }
            MmuRegister::Ptel => self.ptel = value & ptel::MASK,
            MmuRegister::Ptea => self.ptea = value & PTEA_MASK,
            MmuRegister::Ttb => self.ttb = value,
            MmuRegister::Tea => self.tea = value,
            MmuRegister::Mmucr => self.write_mmucr(value),
        }
    }

    fn write_mmucr(&mut self, value: u32) {
        if value & mmucr::TI != 0 {
            for entry in self.utlb.iter_mut().chain(&mut self.itlb) {
                entry.ptel &= !ptel::V;
            }
        }
        self.mmucr = value & mmucr::MASK & !mmucr::TI;
        self.recent.clear();
    }

    /// PTEH, PTEL, PTEA -> UTLB entry MMUCR.URC (SH7750 manual 3.4.2). The ITLB does not change.
    pub(crate) fn load_entry(&mut self) {
        let index = self.field(mmucr::URC_SHIFT) as usize;
        self.utlb[index] = TlbEntry {
            pteh: self.pteh,
            ptel: self.ptel,
            ptea: self.ptea,
        };
        self.recent.clear();
    }

    /// Returns true if MMUCR.SQMD forbids the store queues to user mode.
    pub(crate) fn queues_are_privileged(&self) -> bool {
        self.mmucr & mmucr::SQMD != 0
    }

    /// Records a TLB exception or an address error: the address in TEA, its page number in PTEH (SH7750
    /// manual 5.6.2).
    pub(crate) fn note_address(&mut self, address: u32) {
        self.tea = address;
        self.pteh = address & pteh::VPN | self.pteh & pteh::ASID;
    }

    /// MMUCR is 0 after either reset (SH7750 manual, table 3.1).
    pub(crate) fn reset(&mut self) {
        self.mmucr = 0;
        self.recent.clear();
    }

    /// The six-bit field of MMUCR at `shift`.
    fn field(&self, shift: u32) -> u32 {
        self.mmucr >> shift & mmucr::FIELD
    }

    fn set_field(&mut self, shift: u32, value: u32) {
        self.mmucr = self.mmucr & !(mmucr::FIELD << shift) | (value & mmucr::FIELD) << shift;
    }
}
