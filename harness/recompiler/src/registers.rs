//! Guest registers that compiled code keeps in variables.

use cranelift_codegen::ir::{Type, types};
use sh4::Cpu;
use sh4::accelerate::offset;
use std::mem::offset_of;

/// Register that compiled code keeps in a variable. R0 to R15 have the numbers 0 to 15, FR0 to FR15 16 to 31.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reg(u8);

impl Reg {
    pub(crate) const T: Reg = Reg(32);
    pub(crate) const PR: Reg = Reg(33);
    pub(crate) const GBR: Reg = Reg(34);
    pub(crate) const MACH: Reg = Reg(35);
    pub(crate) const MACL: Reg = Reg(36);
    pub(crate) const FPUL: Reg = Reg(37);
    /// SR without T.
    pub(crate) const STATUS: Reg = Reg(38);
    /// FPSCR without the cause bits.
    pub(crate) const FPSCR: Reg = Reg(39);
    /// Cause bits of FPSCR. They have their own variable, because every FPU operation writes them and few
    /// instructions read them.
    pub(crate) const CAUSE: Reg = Reg(40);
    /// Number of registers.
    pub(crate) const COUNT: usize = 41;

    /// Rn.
    pub(crate) const fn r(n: u8) -> Reg {
        Reg(n & 15)
    }

    /// FRn.
    pub(crate) const fn fr(n: u8) -> Reg {
        Reg(16 + (n & 15))
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(crate) fn ty(self) -> Type {
        match self {
            Reg(16..=31) => types::F32,
            Reg::T => types::I8,
            _ => types::I32,
        }
    }

    /// Offset of the register in [`Cpu`]. FPSCR and its cause bits share one.
    pub(crate) fn offset(self) -> i32 {
        let at = match self {
            Reg(n @ 0..=15) => offset_of!(Cpu, r) + 4 * usize::from(n),
            Reg(n @ 16..=31) => offset_of!(Cpu, fr) + 4 * usize::from(n - 16),
            Reg::T => offset_of!(Cpu, t),
            Reg::PR => offset_of!(Cpu, pr),
            Reg::GBR => offset_of!(Cpu, gbr),
            Reg::MACH => offset_of!(Cpu, mach),
            Reg::MACL => offset_of!(Cpu, macl),
            Reg::FPUL => offset_of!(Cpu, fpul),
            Reg::STATUS => offset::STATUS,
            _ => offset::FPSCR,
        };
        at as i32
    }
}

/// A set of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Regs(u64);

impl Regs {
    pub(crate) const NONE: Regs = Regs(0);
    /// FR0 to FR15.
    pub(crate) const FR: Regs = Regs(0xFFFF << 16);
    /// R0 to R7, which have a second bank.
    pub(crate) const BANKED: Regs = Regs(0xFF);
    /// FPSCR with the cause bits.
    pub(crate) const FPSCR: Regs = Regs::NONE.and(Reg::FPSCR).and(Reg::CAUSE);

    pub(crate) const fn and(self, reg: Reg) -> Regs {
        Regs(self.0 | 1 << reg.0)
    }

    pub(crate) const fn with(self, other: Regs) -> Regs {
        Regs(self.0 | other.0)
    }

    pub(crate) fn of<const N: usize>(regs: [Reg; N]) -> Regs {
        regs.into_iter().fold(Regs::NONE, Regs::and)
    }

    pub(crate) const fn without(self, other: Regs) -> Regs {
        Regs(self.0 & !other.0)
    }

    pub(crate) fn add(&mut self, reg: Reg) {
        *self = self.and(reg);
    }

    pub(crate) fn has(self, reg: Reg) -> bool {
        self.0 >> reg.0 & 1 != 0
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Reg> {
        (0..Reg::COUNT as u8).map(Reg).filter(move |reg| self.has(*reg))
    }
}
