//! The registers of memory management, as state: address translation itself is not there.
//!
//! Addresses are physical under MMUCR.AT = 0, which is how the console's programs run; a write that would
//! turn translation on is refused. LDTLB loads the UTLB all the same, since a program may fill it first.

/// Entries of the UTLB (SH7750 manual 3.3.7).
const ENTRIES: usize = 64;

/// Bits of MMUCR (SH7750 manual 3.2.5).
mod mmucr {
    /// Address translation.
    pub(super) const AT: u32 = 1;
    /// TLB invalidate; reads 0.
    pub(super) const TI: u32 = 1 << 2;
    /// Store queues are out of user mode's reach.
    pub(super) const SQMD: u32 = 1 << 9;
    /// Lowest bit of URC, the entry LDTLB writes.
    pub(super) const URC_SHIFT: u32 = 10;
    /// LRUI, URB, URC, SQMD, SV, TI, AT.
    pub(super) const MASK: u32 = 0xFCFC_FF05;
}

/// An entry as LDTLB writes it: the three registers it is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TlbEntry {
    /// PTEH: page number in bits 31-10, ASID in bits 7-0.
    pub pteh: u32,
    /// PTEL: physical page, V (bit 8), SZ, PR, C, D, SH, WT.
    pub ptel: u32,
    /// PTEA: TC and SA.
    pub ptea: u32,
}

/// PTEL's V: the entry is valid.
const VALID: u32 = 1 << 8;

/// PTEH, PTEL, PTEA, TTB, TEA, MMUCR, and the UTLB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mmu {
    /// Page table entry, high.
    pub pteh: u32,
    /// Page table entry, low.
    pub ptel: u32,
    /// Page table entry, assistance.
    pub ptea: u32,
    /// Translation table base; software's own.
    pub ttb: u32,
    /// The address of the last address error.
    pub tea: u32,
    mmucr: u32,
    utlb: Box<[TlbEntry; ENTRIES]>,
}

impl Default for Mmu {
    fn default() -> Mmu {
        Mmu {
            pteh: 0,
            ptel: 0,
            ptea: 0,
            ttb: 0,
            tea: 0,
            mmucr: 0,
            utlb: Box::new([TlbEntry::default(); ENTRIES]),
        }
    }
}

impl Mmu {
    /// MMUCR.
    #[must_use]
    pub fn mmucr(&self) -> u32 {
        self.mmucr
    }

    /// The UTLB's 64 entries.
    #[must_use]
    pub fn utlb(&self) -> &[TlbEntry] {
        &self.utlb[..]
    }

    /// Writes MMUCR; false, and nothing written, if that would turn translation on.
    pub(crate) fn set_mmucr(&mut self, value: u32) -> bool {
        if value & mmucr::AT != 0 {
            return false;
        }
        if value & mmucr::TI != 0 {
            for entry in self.utlb.iter_mut() {
                entry.ptel &= !VALID;
            }
        }
        self.mmucr = value & mmucr::MASK & !mmucr::TI;
        true
    }

    /// PTEH, PTEL, PTEA -> UTLB entry MMUCR.URC (SH7750 manual 3.3.7; LDTLB).
    pub(crate) fn load_entry(&mut self) {
        let index = (self.mmucr >> mmucr::URC_SHIFT) as usize % ENTRIES;
        self.utlb[index] = TlbEntry {
            pteh: self.pteh,
            ptel: self.ptel,
            ptea: self.ptea,
        };
    }

    /// Whether MMUCR.SQMD keeps user mode out of the store queues.
    pub(crate) fn queues_are_privileged(&self) -> bool {
        self.mmucr & mmucr::SQMD != 0
    }

    /// An address error: TEA, and the page number in PTEH (SH7750 manual 5.6.2).
    pub(crate) fn note_address(&mut self, address: u32) {
        self.tea = address;
        self.pteh = address & 0xFFFF_FC00 | self.pteh & 0xFF;
    }

    /// MMUCR is 0 after either reset.
    pub(crate) fn reset(&mut self) {
        self.mmucr = 0;
    }
}
