//! Direct-mapped caches: tags only, the data stays in memory.

/// How the caches are set up: CCR, in its own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheSettings {
    /// OCE.
    pub operand: bool,
    /// ICE.
    pub instruction: bool,
    /// CB: P1 is copied back, not written through.
    pub copy_back_p1: bool,
    /// WT: P0, U0 and P3 are written through.
    pub write_through_p0: bool,
    /// OIX: bit 25 takes the place of index bit 13.
    pub operand_index: bool,
    /// ORA: half of the operand cache is RAM.
    pub operand_ram: bool,
    /// IIX: bit 25 takes the place of index bit 12.
    pub instruction_index: bool,
}

impl Default for CacheSettings {
    /// As KallistiOS sets them: CCR 0000_0105.
    fn default() -> CacheSettings {
        CacheSettings::from_ccr(0x0105)
    }
}

impl CacheSettings {
    /// The settings in a value of CCR (SH7750 manual 4.2).
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

    /// Whether an address goes through a cache that is on: P0, P1 and P3.
    #[inline(always)]
    pub(crate) fn cached(address: u32) -> bool {
        !matches!(address, 0xA000_0000..=0xBFFF_FFFF | 0xE000_0000..)
            && !matches!(address, 0x7C00_0000..=0x7FFF_FFFF)
    }

    /// Whether a store to an address leaves its line dirty.
    #[inline(always)]
    pub(crate) fn copies_back(&self, address: u32) -> bool {
        match address {
            0x8000_0000..=0x9FFF_FFFF => self.copy_back_p1,
            _ => !self.write_through_p0,
        }
    }

    /// Entry of the operand cache: bits 13-5. As RAM go the entries 128-255 and 384-511.
    #[inline(always)]
    pub(crate) fn operand_entry(&self, address: u32) -> usize {
        let high = if self.operand_index {
            address >> 25
        } else {
            address >> 13
        } & 1;
        let low = if self.operand_ram { 0x7F } else { 0xFF };
        (high << 8 | address >> 5 & low) as usize
    }

    /// Entry of the instruction cache: bits 12-5.
    pub(crate) fn instruction_entry(&self, address: u32) -> usize {
        let high = if self.instruction_index {
            address >> 25
        } else {
            address >> 12
        } & 1;
        (high << 7 | address >> 5 & 0x7F) as usize
    }
}

/// A line of the operand cache.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line {
    /// Physical address of the line, bit 0 set when valid.
    tag: u32,
    pub(crate) dirty: bool,
    /// Address of the PREF that brought it, until it is used.
    pub(crate) prefetched_by: u32,
}

impl Line {
    #[inline(always)]
    pub(crate) fn holds(&self, address: u32) -> bool {
        self.tag == address & 0x1FFF_FFE0 | 1
    }

    /// The address of the line, if it is valid.
    #[inline(always)]
    pub(crate) fn address(&self) -> Option<u32> {
        (self.tag & 1 != 0).then_some(self.tag & !1)
    }

    #[inline(always)]
    pub(crate) fn filled(address: u32) -> Line {
        Line {
            tag: address & 0x1FFF_FFE0 | 1,
            dirty: false,
            prefetched_by: 0,
        }
    }
}

/// Lines of the operand cache.
pub(crate) const OPERAND_LINES: usize = 512;
/// Lines of the instruction cache.
pub(crate) const INSTRUCTION_LINES: usize = 256;
