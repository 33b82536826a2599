//! Registers that instructions read and write, as bits of a set.

use crate::table::Operand;

/// A set of registers, one bit each. FR and XF are the banks under their current names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Resources(pub u64);

/// Bit of R0; R15 is 15 bits higher.
pub const R: u8 = 0;
/// Bit of FR0.
pub const FR: u8 = 16;
/// Bit of XF0.
pub const XF: u8 = 32;
/// Bit of T.
pub const T: u8 = 48;
/// Bit of FPUL.
pub const FPUL: u8 = 49;
/// Bit of FPSCR's cause and flag fields: results of arithmetic.
pub const FLAGS: u8 = 50;
/// Bit of FPSCR's PR, SZ, FR, RM and DN, which control FPU instructions.
pub const MODE: u8 = 51;
/// Bit of MACH.
pub const MACH: u8 = 52;
/// Bit of MACL.
pub const MACL: u8 = 53;
/// Bit of PR.
pub const PR: u8 = 54;
/// Bit of GBR.
pub const GBR: u8 = 55;
/// Bit of SR without T.
pub const SR: u8 = 56;
const VBR: u8 = 57;
const SSR: u8 = 58;
const SPC: u8 = 59;
const SGR: u8 = 60;
const DBR: u8 = 61;
/// Bit of R0 to R7 of the other bank, combined.
pub const BANKED: u8 = 62;
/// Number of bits.
pub const COUNT: usize = 63;

impl Resources {
    /// The empty set.
    pub const NONE: Resources = Resources(0);
    /// FR0-FR15, XF0-XF15, FPUL, FPSCR.
    pub const FPU: Resources = Resources(0xFFFF_FFFF << FR | 1 << FPUL | 1 << FLAGS | 1 << MODE);

    /// Returns the set of one bit.
    #[must_use]
    pub const fn one(bit: u8) -> Resources {
        Resources(1 << bit)
    }

    /// True if the set contains `bit`.
    #[must_use]
    pub const fn has(self, bit: u8) -> bool {
        self.0 >> bit & 1 != 0
    }

    /// True if the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the bits, lowest first.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (bit < 64).then_some(bit as u8)
        })
    }
}

impl std::ops::BitOr for Resources {
    type Output = Resources;

    fn bitor(self, other: Resources) -> Resources {
        Resources(self.0 | other.0)
    }
}

impl std::ops::BitAnd for Resources {
    type Output = Resources;

    fn bitand(self, other: Resources) -> Resources {
        Resources(self.0 & other.0)
    }
}

/// Returns the registers of `operand`, with the fields `n` and `m` scaled as in [`sh4::Op`].
#[must_use]
pub fn resources(operand: Operand, n: u8, m: u8) -> Resources {
    let run = |first: u8, count: u32| Resources(((1 << count) - 1) << first);
    match operand {
        Operand::Rn => run(R + (n & 15), 1),
        Operand::Rm => run(R + (m & 15), 1),
        Operand::R0 => run(R, 1),
        Operand::FRn => run(FR + (n & 15), 1),
        Operand::FRm => run(FR + (m & 15), 1),
        Operand::FR0 => run(FR, 1),
        Operand::DRn => run(FR + (n & 14), 2),
        Operand::DRm => run(FR + (m & 14), 2),
        Operand::XDm => run(XF + (m & 14), 2),
        Operand::DRnHigh => run(FR + (n & 14), 1),
        Operand::DRnLow => run(FR + (n & 14 | 1), 1),
        Operand::XDnHigh => run(XF + (n & 14), 1),
        Operand::XDnLow => run(XF + (n & 14 | 1), 1),
        Operand::FVn => run(FR + (n & 12), 4),
        Operand::FVm => run(FR + (m & 12), 4),
        Operand::V0 => run(FR + (n & 12), 1),
        Operand::V1 => run(FR + (n & 12) + 1, 1),
        Operand::V2 => run(FR + (n & 12) + 2, 1),
        Operand::V3 => run(FR + (n & 12) + 3, 1),
        Operand::Xmtrx => run(XF, 16),
        Operand::T => run(T, 1),
        Operand::Fpul => run(FPUL, 1),
        Operand::Flags => run(FLAGS, 1),
        Operand::Mode => run(MODE, 1),
        Operand::Mach => run(MACH, 1),
        Operand::Macl => run(MACL, 1),
        Operand::Pr => run(PR, 1),
        Operand::Gbr => run(GBR, 1),
        Operand::Sr => run(SR, 1),
        Operand::Vbr => run(VBR, 1),
        Operand::Ssr => run(SSR, 1),
        Operand::Spc => run(SPC, 1),
        Operand::Sgr => run(SGR, 1),
        Operand::Dbr => run(DBR, 1),
        Operand::Banked => run(BANKED, 1),
        Operand::Pc => Resources::NONE,
    }
}

/// Name of a bit.
#[must_use]
pub fn name(bit: u8) -> String {
    match bit {
        R..FR => format!("r{}", bit - R),
        FR..XF => format!("fr{}", bit - FR),
        XF..T => format!("xf{}", bit - XF),
        T => "t".into(),
        FPUL => "fpul".into(),
        FLAGS | MODE => "fpscr".into(),
        MACH => "mach".into(),
        MACL => "macl".into(),
        PR => "pr".into(),
        GBR => "gbr".into(),
        SR => "sr".into(),
        VBR => "vbr".into(),
        SSR => "ssr".into(),
        SPC => "spc".into(),
        SGR => "sgr".into(),
        DBR => "dbr".into(),
        _ => "r_bank".into(),
    }
}
