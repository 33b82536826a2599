//! One TLB entry: its fields, the addresses that it matches, and the accesses that it permits.

use super::TlbException;
use crate::Direction;

/// Fields of PTEL (SH7750 manual 3.2.2).
pub(super) mod ptel {
    /// The physical page number.
    pub(in crate::mmu) const PPN: u32 = 0x1FFF_FC00;
    /// The entry is valid.
    pub(in crate::mmu) const V: u32 = 1 << 8;
    /// The high bit of the page size.
    pub(in crate::mmu) const SZ1: u32 = 1 << 7;
    /// User mode may access the page.
    pub(in crate::mmu) const USER: u32 = 1 << 6;
    /// The page may be written.
    pub(in crate::mmu) const WRITABLE: u32 = 1 << 5;
    /// The low bit of the page size.
    pub(in crate::mmu) const SZ0: u32 = 1 << 4;
    /// The page is cached.
    pub(in crate::mmu) const C: u32 = 1 << 3;
    /// The page was written.
    pub(in crate::mmu) const D: u32 = 1 << 2;
    /// The entry matches under every ASID.
    pub(in crate::mmu) const SH: u32 = 1 << 1;
    /// Stores go through the cache.
    pub(in crate::mmu) const WT: u32 = 1;
    /// All bits that exist.
    pub(in crate::mmu) const MASK: u32 = 0x1FFF_FDFF;
    /// The bits that an ITLB entry has: no D, no WT, one bit of protection (3.3.2).
    pub(in crate::mmu) const ITLB_MASK: u32 = MASK & !(D | WT | WRITABLE);
}

/// Fields of PTEH (SH7750 manual 3.2.1).
pub(super) mod pteh {
    /// The virtual page number.
    pub(in crate::mmu) const VPN: u32 = 0xFFFF_FC00;
    /// The address space identifier.
    pub(in crate::mmu) const ASID: u32 = 0xFF;
    /// All bits that exist.
    pub(in crate::mmu) const MASK: u32 = VPN | ASID;
}

/// The bits of PTEA that exist: TC and SA (SH7750 manual 3.2.3).
pub(super) const PTEA_MASK: u32 = 15;

/// A TLB entry in the layout of the three registers that LDTLB loads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TlbEntry {
    /// PTEH: page number in bits 31-10, ASID in bits 7-0.
    pub pteh: u32,
    /// PTEL: physical page, V (bit 8), SZ, PR, C, D, SH, WT.
    pub ptel: u32,
    /// PTEA: TC and SA.
    pub ptea: u32,
}

state::fields!(TlbEntry { pteh, ptel, ptea } after(|entry: &mut TlbEntry| {
    entry.pteh &= pteh::MASK;
    entry.ptel &= ptel::MASK;
    entry.ptea &= PTEA_MASK;
}));

impl TlbEntry {
    /// Returns true if lookups use the entry.
    #[must_use]
    pub const fn is_valid(&self) -> bool {
        self.ptel & ptel::V != 0
    }

    /// Bytes of the page: 1 KB, 4 KB, 64 KB or 1 MB.
    #[must_use]
    pub const fn page_bytes(&self) -> u32 {
        match (self.ptel & ptel::SZ1 != 0, self.ptel & ptel::SZ0 != 0) {
            (false, false) => 1 << 10,
            (false, true) => 1 << 12,
            (true, false) => 1 << 16,
            (true, true) => 1 << 20,
        }
    }

    /// The 29-bit physical address of `address`, which must be in the page.
    #[must_use]
    pub const fn physical(&self, address: u32) -> u32 {
        let offset = self.page_bytes() - 1;
        self.ptel & ptel::PPN & !offset | address & offset
    }

    /// Returns true if the page holds `address`. Compares `asid`, if it is given.
    pub(super) fn matches(&self, address: u32, asid: Option<u32>) -> bool {
        let page = pteh::VPN & !(self.page_bytes() - 1);
        let same_space =
            || self.ptel & ptel::SH != 0 || asid.is_none_or(|asid| (self.pteh ^ asid) & pteh::ASID == 0);
        self.is_valid() && (self.pteh ^ address) & page == 0 && same_space()
    }

    /// Checks the permission of a data access (SH7750 manual, figure 3.10): first the protection, then the
    /// first write to the page.
    pub(super) fn check(&self, direction: Direction, privileged: bool) -> Result<(), TlbException> {
        let write = direction == Direction::Write;
        let has = |bit: u32| self.ptel & bit != 0;
        if !(privileged || has(ptel::USER)) || write && !has(ptel::WRITABLE) {
            return Err(TlbException::Protection);
        }
        if write && !has(ptel::D) {
            return Err(TlbException::InitialWrite);
        }
        Ok(())
    }

    /// Checks the permission of an instruction fetch (SH7750 manual, figure 3.11).
    pub(super) fn check_fetch(&self, privileged: bool) -> Result<(), TlbException> {
        if privileged || self.ptel & ptel::USER != 0 {
            Ok(())
        } else {
            Err(TlbException::Protection)
        }
    }
}
