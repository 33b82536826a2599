//! Direct-mapped caches: only tags; the data are in memory.

use super::LINE;

/// Settings of the caches: the bits of CCR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheSettings {
    /// OCE: operand cache enabled.
    pub operand: bool,
    /// ICE: instruction cache enabled.
    pub instruction: bool,
    /// CB: P1 uses copy-back instead of write-through.
    pub copy_back_p1: bool,
    /// WT: P0, U0 and P3 use write-through.
    pub write_through_p0: bool,
    /// OIX: bit 25 replaces index bit 13.
    pub operand_index: bool,
    /// ORA: half of the operand cache is RAM.
    pub operand_ram: bool,
    /// IIX: bit 25 replaces index bit 12.
    pub instruction_index: bool,
}

impl Default for CacheSettings {
    /// Settings of KallistiOS: CCR 0000_0105.
    fn default() -> CacheSettings {
        CacheSettings::from_ccr(0x0105)
    }
}

impl CacheSettings {
    /// Returns the settings in a value of CCR (SH7750 manual 4.2).
    #[must_use]
    pub fn from_ccr(ccr: u32) -> CacheSettings {
        let bit = |n: u32| ccr >> n & 1 != 0;
        CacheSettings {
            operand: bit(0),
            write_through_p0: bit(1),
            copy_back_p1: bit(2),
            operand_ram: bit(5),
            operand_index: bit(7),
            instruction: bit(8),
            instruction_index: bit(15),
        }
    }

    /// True if an address uses an enabled cache: P0, P1 and P3.
    #[inline(always)]
    pub(crate) fn cached(address: u32) -> bool {
        !matches!(address, 0xA000_0000..=0xBFFF_FFFF | 0xE000_0000..)
            && !matches!(address, 0x7C00_0000..=0x7FFF_FFFF)
    }

    /// True if a store to an address leaves its line dirty.
    #[inline(always)]
    pub(crate) fn copies_back(&self, address: u32) -> bool {
        match address {
            0x8000_0000..=0x9FFF_FFFF => self.copy_back_p1,
            _ => !self.write_through_p0,
        }
    }

    /// Index in the instruction cache: bits 12-5.
    pub(crate) fn instruction_entry(&self, address: u32) -> usize {
        let high = if self.instruction_index {
            address >> 25
        } else {
            address >> 12
        } & 1;
        (high << 7 | address >> 5 & 0x7F) as usize
    }
}

/// Computes the index in the operand cache for an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EntryIndex {
    /// Mask for `address >> 5`.
    pub(crate) low: u32,
    /// Mask for `address >> 17`. With OIX, this shift moves bit 25 to the place of bit 13.
    pub(crate) high: u32,
}

/// Highest bit of an index.
pub(crate) const HIGH_ENTRY_BIT: u32 = 1 << 8;

impl EntryIndex {
    /// Creates the computation for `settings`. With ORA, the entries 128-255 and 384-511 are RAM.
    pub(crate) fn new(settings: &CacheSettings) -> EntryIndex {
        let high_bit = if settings.operand_index { 0 } else { HIGH_ENTRY_BIT };
        EntryIndex {
            low: if settings.operand_ram { 0x7F } else { 0xFF } | high_bit,
            high: HIGH_ENTRY_BIT - high_bit,
        }
    }

    /// Returns the index for `address`: bits 13-5.
    #[inline(always)]
    pub(crate) fn of(self, address: u32) -> usize {
        let place = address >> 5 & self.low | address >> 17 & self.high;
        place as usize % OPERAND_LINES
    }
}

/// Properties of each sixty-fourth of the address space for some settings.
#[derive(Clone, Debug)]
pub(crate) struct Areas([Area; 64]);

/// Properties of one sixty-fourth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Area {
    /// Loads and stores use the operand cache.
    pub(crate) cached: bool,
    /// Stores leave their line dirty.
    pub(crate) copies_back: bool,
}

/// Address bits of area 7: registers, and the cache as RAM.
const AREA_7: u32 = 0x1C00_0000;

impl Areas {
    pub(crate) fn new(settings: &CacheSettings) -> Areas {
        Areas(std::array::from_fn(|area| {
            let address = (area as u32) << 26;
            let cached = settings.operand && CacheSettings::cached(address) && address & AREA_7 != AREA_7;
            Area {
                cached,
                copies_back: settings.copies_back(address),
            }
        }))
    }

    #[inline(always)]
    pub(crate) fn of(&self, address: u32) -> Area {
        self.0[(address >> 26) as usize]
    }
}

/// A line of the operand cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// Physical address with [`VALID`] and [`DIRTY`]; 0 for an invalid line.
    tag: u32,
    /// Address of the PREF that fetched the line, until the first use.
    pub(crate) prefetched_by: u32,
}

const VALID: u32 = 1;
const DIRTY: u32 = 2;

impl Line {
    /// Creates a clean line with the physical address of `address`.
    #[inline(always)]
    pub(crate) fn filled(address: u32) -> Line {
        Line {
            tag: address & LINE | VALID,
            prefetched_by: 0,
        }
    }

    /// True if the line contains `address`.
    #[inline(always)]
    pub(crate) fn holds(&self, address: u32) -> bool {
        self.tag & !DIRTY == address & LINE | VALID
    }

    /// Address of the line, if it is valid.
    #[inline(always)]
    pub(crate) fn address(&self) -> Option<u32> {
        (self.tag != 0).then_some(self.tag & LINE)
    }

    /// True if memory has older data.
    #[inline(always)]
    pub(crate) fn is_dirty(&self) -> bool {
        self.tag & DIRTY != 0
    }

    /// Marks a valid line as dirty if `written` is true.
    #[inline(always)]
    pub(crate) fn mark_dirty(&mut self, written: bool) {
        self.tag |= if written { DIRTY } else { 0 };
    }

    /// Marks the line clean.
    pub(crate) fn clean(&mut self) {
        self.tag &= !DIRTY;
    }
}

/// Number of lines of the operand cache.
pub(crate) const OPERAND_LINES: usize = 512;
/// Number of lines of the instruction cache.
pub(crate) const INSTRUCTION_LINES: usize = 256;
