//! Registers by name, for callers that choose them at run time.

use sh4::{Cpu, MmuRegister};

/// A 32-bit register. Numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the manual's")]
pub enum Register {
    /// R0 to R15 of the active bank.
    R(u8),
    /// R0 to R7 of the other bank.
    RBank(u8),
    /// FR0 to FR15.
    Fr(u8),
    /// XF0 to XF15.
    Xf(u8),
    Pc,
    Pr,
    Sr,
    Gbr,
    Vbr,
    Ssr,
    Spc,
    Sgr,
    Dbr,
    Mach,
    Macl,
    Fpul,
    Fpscr,
    Expevt,
    Intevt,
    Tra,
    Tea,
}

impl Register {
    pub(crate) fn read(self, cpu: &Cpu) -> Option<u32> {
        let indexed = |bank: &[u32], n: u8| bank.get(usize::from(n)).copied();
        match self {
            Register::R(n) => indexed(&cpu.r, n),
            Register::RBank(n) => indexed(&cpu.r_bank, n),
            Register::Fr(n) => indexed(&cpu.fr, n),
            Register::Xf(n) => indexed(&cpu.xf, n),
            Register::Sr => Some(cpu.sr()),
            Register::Fpscr => Some(cpu.fpscr()),
            Register::Pc => Some(cpu.pc),
            Register::Pr => Some(cpu.pr),
            Register::Gbr => Some(cpu.gbr),
            Register::Vbr => Some(cpu.vbr),
            Register::Ssr => Some(cpu.ssr),
            Register::Spc => Some(cpu.spc),
            Register::Sgr => Some(cpu.sgr),
            Register::Dbr => Some(cpu.dbr),
            Register::Mach => Some(cpu.mach),
            Register::Macl => Some(cpu.macl),
            Register::Fpul => Some(cpu.fpul),
            Register::Expevt => Some(cpu.expevt),
            Register::Intevt => Some(cpu.intevt),
            Register::Tra => Some(cpu.tra),
            Register::Tea => Some(cpu.mmu().register(MmuRegister::Tea)),
        }
    }

    pub(crate) fn write(self, cpu: &mut Cpu, value: u32) -> Option<()> {
        let place = match self {
            Register::R(n) => cpu.r.get_mut(usize::from(n))?,
            Register::RBank(n) => cpu.r_bank.get_mut(usize::from(n))?,
            Register::Fr(n) => cpu.fr.get_mut(usize::from(n))?,
            Register::Xf(n) => cpu.xf.get_mut(usize::from(n))?,
            Register::Sr => {
                cpu.set_sr(value);
                return Some(());
            }
            Register::Fpscr => {
                cpu.set_fpscr(value);
                return Some(());
            }
            Register::Tea => {
                cpu.set_mmu(MmuRegister::Tea, value);
                return Some(());
            }
            Register::Pc => &mut cpu.pc,
            Register::Pr => &mut cpu.pr,
            Register::Gbr => &mut cpu.gbr,
            Register::Vbr => &mut cpu.vbr,
            Register::Ssr => &mut cpu.ssr,
            Register::Spc => &mut cpu.spc,
            Register::Sgr => &mut cpu.sgr,
            Register::Dbr => &mut cpu.dbr,
            Register::Mach => &mut cpu.mach,
            Register::Macl => &mut cpu.macl,
            Register::Fpul => &mut cpu.fpul,
            Register::Expevt => &mut cpu.expevt,
            Register::Intevt => &mut cpu.intevt,
            Register::Tra => &mut cpu.tra,
        };
        *place = value;
        Some(())
    }
}
