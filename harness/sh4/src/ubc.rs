//! The user break controller: two channels that compare every instruction and operand access.
//!
//! Source: SH7750 manual, section 20. The CPU uses it only while a channel is armed, and then runs one
//! instruction at a time.

use crate::exception::Reset;
use crate::{Access, Direction};

/// Bits of BRCR.
pub mod brcr {
    /// Channel A has matched.
    pub const CMFA: u16 = 1 << 15;
    /// Channel B has matched.
    pub const CMFB: u16 = 1 << 14;
    /// Channel A breaks after the instruction instead of before it.
    pub const PCBA: u16 = 1 << 10;
    /// Channel B compares data too.
    pub const DBEB: u16 = 1 << 7;
    /// Channel B breaks after the instruction instead of before it.
    pub const PCBB: u16 = 1 << 6;
    /// B only counts after A.
    pub const SEQ: u16 = 1 << 3;
    /// User breaks go to DBR.
    pub const UBDE: u16 = 1;
    /// The bits that exist.
    pub const MASK: u16 = 0xC4C9;
}

/// One channel's registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channel {
    /// BAR: address.
    pub address: u32,
    /// BAMR: bits 3, 1, 0 mask the address, bit 2 masks the ASID.
    pub mask: u8,
    /// BBR: bits 5-4 instruction or operand, 3-2 read or write, 6, 1, 0 size.
    pub cycle: u16,
    /// BASR: ASID.
    pub asid: u8,
}

state::fields!(Channel {
    address,
    mask,
    cycle,
    asid
});

/// Matches of channels A and B.
type Matches = (bool, bool);

/// The registers of both channels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ubc {
    /// Channel A.
    pub a: Channel,
    /// Channel B.
    pub b: Channel,
    /// BDRB: data of channel B.
    pub data: u32,
    /// BDMRB: the comparison ignores data bits that are set here.
    pub data_mask: u32,
    /// BRCR.
    pub control: u16,
    /// With SEQ: A has matched.
    first: bool,
}

state::fields!(Ubc {
    a,
    b,
    data,
    data_mask,
    control,
    first
});

impl Channel {
    fn is_armed(self) -> bool {
        self.cycle & 0x30 != 0 && self.cycle & 0x0C != 0
    }

    /// Address bits that are compared, by BAM2, BAM1, BAM0.
    fn compared(self) -> u32 {
        match self.mask >> 1 & 4 | self.mask & 3 {
            0 => u32::MAX,
            1 => !0x3FF,
            2 => !0xFFF,
            4 => !0xFFFF,
            5 => !0xF_FFFF,
            // 3 masks all of them; 6 and 7 are reserved.
            _ => 0,
        }
    }

    fn in_space(self, asid: u8) -> bool {
        self.mask & 4 != 0 || self.asid == asid
    }

    /// An instruction fetch at `pc`. It counts as a read.
    fn fetches(self, pc: u32, asid: u8) -> bool {
        self.cycle & 0x10 != 0
            && self.cycle & 0x04 != 0
            && self.address & 1 == 0
            && (self.address ^ pc) & self.compared() == 0
            && self.in_space(asid)
    }

    /// Compares an operand access. Ignores address bits below the access size.
    fn accesses(self, access: &Access, asid: u8) -> bool {
        let direction = match access.direction {
            Direction::Write => 0x08,
            Direction::Read | Direction::Fetch => 0x04,
        };
        let wanted = match self.cycle >> 4 & 4 | self.cycle & 3 {
            0 => access.size,
            1 => 1,
            2 => 2,
            3 => 4,
            _ => 8,
        };
        self.cycle & 0x20 != 0
            && self.cycle & direction != 0
            && access.size == wanted
            && (self.address ^ access.address) & self.compared() & !(u32::from(wanted) - 1) == 0
            && self.in_space(asid)
    }
}

impl Ubc {
    /// Returns true if any channel can match: both its cycle and its direction are selected.
    #[must_use]
    pub fn is_armed(&self) -> bool {
        self.a.is_armed() || self.b.is_armed()
    }

    /// Returns true if breaks go to DBR.
    pub(crate) fn uses_dbr(&self) -> bool {
        self.control & brcr::UBDE != 0
    }

    /// Resets the controller. A power-on reset disarms both channels and clears BRCR; a manual reset keeps
    /// all registers (SH7750 manual, table 20.1). Every reset clears the record that A has matched.
    pub(crate) fn reset(&mut self, kind: Reset) {
        self.first = false;
        if kind == Reset::PowerOn {
            (self.a.cycle, self.b.cycle, self.control) = (0, 0, 0);
        }
    }

    /// Writes BRCR. Clearing SEQ also clears the record that A has matched.
    pub(crate) fn set_control(&mut self, value: u16) {
        self.control = value & brcr::MASK;
        self.first &= self.control & brcr::SEQ != 0;
    }

    /// Returns true if the instruction at `pc` causes a break. With `after`, tests only channels that break
    /// after the instruction; otherwise only channels that break before it.
    pub(crate) fn fetch(&mut self, pc: u32, asid: u8, after: bool) -> bool {
        let side = |bit: u16| (self.control & bit != 0) == after;
        let matches = (
            side(brcr::PCBA) && self.a.fetches(pc, asid),
            side(brcr::PCBB) && self.b.fetches(pc, asid),
        );
        self.note(matches)
    }

    /// Returns true for an operand break. The CPU always takes it after the instruction.
    pub(crate) fn operand(&mut self, access: &Access, asid: u8) -> bool {
        let b = self.b.accesses(access, asid)
            && (self.control & brcr::DBEB == 0 || self.data_matches(access.size, access.value));
        self.note((self.a.accesses(access, asid), b))
    }

    fn data_matches(&self, size: u8, value: u64) -> bool {
        let equal = |value: u32, bits: u32| (value ^ self.data) & !self.data_mask & bits == 0;
        let (low, high) = (value as u32, (value >> 32) as u32);
        match size {
            1 => equal(low, 0xFF),
            2 => equal(low, 0xFFFF),
            8 => equal(low, u32::MAX) || equal(high, u32::MAX),
            _ => equal(low, u32::MAX),
        }
    }

    /// Sets the flags. Returns true if the matches cause a break. With SEQ, only a match of B after an
    /// earlier match of A sets a flag and breaks (SH7750 manual 20.3.3, 20.3.8).
    fn note(&mut self, (a, b): Matches) -> bool {
        if self.control & brcr::SEQ == 0 {
            self.control |= if a { brcr::CMFA } else { 0 } | if b { brcr::CMFB } else { 0 };
            return a || b;
        }
        let breaks = b && self.first;
        if breaks {
            self.control |= brcr::CMFB;
        }
        self.first = !b && (self.first || a);
        breaks
    }
}
