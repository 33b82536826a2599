//! Control and system registers, TRAPA, SLEEP.

use super::operations;
use crate::Bus;
use crate::Cpu;
use crate::cpu::sr;
use crate::decode::Op;
use crate::stop::Exit;

impl Cpu {
    /// (Rm) and the incremented Rm, for the LDC.L and LDS.L forms.
    #[inline(always)]
    fn pop<B: Bus>(&mut self, bus: &mut B, o: Op) -> Result<u32, Exit> {
        let value = self.load32(bus, self.r[o.m()])?;
        self.r[o.m()] = self.r[o.m()].wrapping_add(4);
        Ok(value)
    }

    /// Rn - 4 -> Rn, value -> (Rn), for the STC.L and STS.L forms.
    #[inline(always)]
    fn push<B: Bus>(&mut self, bus: &mut B, o: Op, value: u32) -> Result<(), Exit> {
        let address = self.r[o.n()].wrapping_sub(4);
        self.store32(bus, address, value)?;
        self.r[o.n()] = address;
        Ok(())
    }
}

/// imm*4 -> TRA, exception 160 with PC + 2 -> SPC. With [`Exceptions::Stop`](crate::Exceptions::Stop), the
/// run ends instead.
#[inline(always)]
pub(crate) fn trapa_imm<B: Bus>(_: &mut Cpu, _: &mut B, o: Op) -> Result<(), Exit> {
    Err(Exit::Trapa(o.imm as u8))
}

/// Waits for an interrupt: the run ends unless an interrupt is pending.
#[inline(always)]
pub(crate) fn sleep<B: Bus>(_: &mut Cpu, _: &mut B, _: Op) -> Result<(), Exit> {
    Err(Exit::Sleep)
}

operations! {
    /// PTEH, PTEL, PTEA -> UTLB entry MMUCR.URC
    ldtlb(c, _, _) { c.mmu.load_entry(); }
    /// no effect
    nop(_c, _, _) {}
    /// 0 -> MACH, MACL
    clrmac(c, _, _) { (c.mach, c.macl) = (0, 0); }
    /// 0 -> S
    clrs(c, _, _) { c.status &= !sr::S; }
    /// 1 -> S
    sets(c, _, _) { c.status |= sr::S; }
    /// 0 -> T
    clrt(c, _, _) { c.t = false; }
    /// 1 -> T
    sett(c, _, _) { c.t = true; }

    /// Rm -> SR
    ldc_rm_sr(c, _, o) { c.set_sr(c.r[o.m()]); }
    /// (Rm) -> SR, Rm + 4 -> Rm
    ldc_l_post_rm_sr(c, bus, o) {
        let value = c.pop(bus, o)?;
        c.set_sr(value);
    }
    /// SR -> Rn
    stc_sr_rn(c, _, o) { c.r[o.n()] = c.sr(); }
    /// Rn - 4 -> Rn, SR -> (Rn)
    stc_l_sr_pre_rn(c, bus, o) { c.push(bus, o, c.sr())?; }
    /// Rm -> GBR
    ldc_rm_gbr(c, _, o) { c.gbr = c.r[o.m()]; }
    /// (Rm) -> GBR, Rm + 4 -> Rm
    ldc_l_post_rm_gbr(c, bus, o) { c.gbr = c.pop(bus, o)?; }
    /// Rm -> VBR
    ldc_rm_vbr(c, _, o) { c.vbr = c.r[o.m()]; }
    /// (Rm) -> VBR, Rm + 4 -> Rm
    ldc_l_post_rm_vbr(c, bus, o) { c.vbr = c.pop(bus, o)?; }
    /// Rm -> SSR
    ldc_rm_ssr(c, _, o) { c.ssr = c.r[o.m()]; }
    /// (Rm) -> SSR, Rm + 4 -> Rm
    ldc_l_post_rm_ssr(c, bus, o) { c.ssr = c.pop(bus, o)?; }
    /// Rm -> SPC
    ldc_rm_spc(c, _, o) { c.spc = c.r[o.m()]; }
    /// (Rm) -> SPC, Rm + 4 -> Rm
    ldc_l_post_rm_spc(c, bus, o) { c.spc = c.pop(bus, o)?; }
    /// Rm -> DBR
    ldc_rm_dbr(c, _, o) { c.dbr = c.r[o.m()]; }
    /// (Rm) -> DBR, Rm + 4 -> Rm
    ldc_l_post_rm_dbr(c, bus, o) { c.dbr = c.pop(bus, o)?; }
    /// GBR -> Rn
    stc_gbr_rn(c, _, o) { c.r[o.n()] = c.gbr; }
    /// Rn - 4 -> Rn, GBR -> (Rn)
    stc_l_gbr_pre_rn(c, bus, o) { c.push(bus, o, c.gbr)?; }
    /// VBR -> Rn
    stc_vbr_rn(c, _, o) { c.r[o.n()] = c.vbr; }
    /// Rn - 4 -> Rn, VBR -> (Rn)
    stc_l_vbr_pre_rn(c, bus, o) { c.push(bus, o, c.vbr)?; }
    /// SSR -> Rn
    stc_ssr_rn(c, _, o) { c.r[o.n()] = c.ssr; }
    /// Rn - 4 -> Rn, SSR -> (Rn)
    stc_l_ssr_pre_rn(c, bus, o) { c.push(bus, o, c.ssr)?; }
    /// SPC -> Rn
    stc_spc_rn(c, _, o) { c.r[o.n()] = c.spc; }
    /// Rn - 4 -> Rn, SPC -> (Rn)
    stc_l_spc_pre_rn(c, bus, o) { c.push(bus, o, c.spc)?; }
    /// DBR -> Rn
    stc_dbr_rn(c, _, o) { c.r[o.n()] = c.dbr; }
    /// Rn - 4 -> Rn, DBR -> (Rn)
    stc_l_dbr_pre_rn(c, bus, o) { c.push(bus, o, c.dbr)?; }
    /// SGR -> Rn
    stc_sgr_rn(c, _, o) { c.r[o.n()] = c.sgr; }
    /// Rn - 4 -> Rn, SGR -> (Rn)
    stc_l_sgr_pre_rn(c, bus, o) { c.push(bus, o, c.sgr)?; }

    /// Rm -> Rn of the other bank
    ldc_rm_rn_bank(c, _, o) { c.r_bank[o.n() % 8] = c.r[o.m()]; }
    /// (Rm) -> Rn of the other bank, Rm + 4 -> Rm
    ldc_l_post_rm_rn_bank(c, bus, o) { c.r_bank[o.n() % 8] = c.pop(bus, o)?; }
    /// Rm of the other bank -> Rn
    stc_rm_bank_rn(c, _, o) { c.r[o.n()] = c.r_bank[o.m() % 8]; }
    /// Rn - 4 -> Rn, Rm of the other bank -> (Rn)
    stc_l_rm_bank_pre_rn(c, bus, o) { c.push(bus, o, c.r_bank[o.m() % 8])?; }

    /// Rm -> MACH
    lds_rm_mach(c, _, o) { c.mach = c.r[o.m()]; }
    /// (Rm) -> MACH, Rm + 4 -> Rm
    lds_l_post_rm_mach(c, bus, o) { c.mach = c.pop(bus, o)?; }
    /// MACH -> Rn
    sts_mach_rn(c, _, o) { c.r[o.n()] = c.mach; }
    /// Rn - 4 -> Rn, MACH -> (Rn)
    sts_l_mach_pre_rn(c, bus, o) { c.push(bus, o, c.mach)?; }
    /// Rm -> MACL
    lds_rm_macl(c, _, o) { c.macl = c.r[o.m()]; }
    /// (Rm) -> MACL, Rm + 4 -> Rm
    lds_l_post_rm_macl(c, bus, o) { c.macl = c.pop(bus, o)?; }
    /// MACL -> Rn
    sts_macl_rn(c, _, o) { c.r[o.n()] = c.macl; }
    /// Rn - 4 -> Rn, MACL -> (Rn)
    sts_l_macl_pre_rn(c, bus, o) { c.push(bus, o, c.macl)?; }
    /// Rm -> PR
    lds_rm_pr(c, _, o) { c.pr = c.r[o.m()]; }
    /// (Rm) -> PR, Rm + 4 -> Rm
    lds_l_post_rm_pr(c, bus, o) { c.pr = c.pop(bus, o)?; }
    /// PR -> Rn
    sts_pr_rn(c, _, o) { c.r[o.n()] = c.pr; }
    /// Rn - 4 -> Rn, PR -> (Rn)
    sts_l_pr_pre_rn(c, bus, o) { c.push(bus, o, c.pr)?; }
    /// Rm -> FPUL
    lds_rm_fpul(c, _, o) { c.fpul = c.r[o.m()]; }
    /// (Rm) -> FPUL, Rm + 4 -> Rm
    lds_l_post_rm_fpul(c, bus, o) { c.fpul = c.pop(bus, o)?; }
    /// FPUL -> Rn
    sts_fpul_rn(c, _, o) { c.r[o.n()] = c.fpul; }
    /// Rn - 4 -> Rn, FPUL -> (Rn)
    sts_l_fpul_pre_rn(c, bus, o) { c.push(bus, o, c.fpul)?; }
    /// Rm -> FPSCR
    lds_rm_fpscr(c, _, o) { c.set_fpscr(c.r[o.m()]); }
    /// (Rm) -> FPSCR, Rm + 4 -> Rm
    lds_l_post_rm_fpscr(c, bus, o) {
        let value = c.pop(bus, o)?;
        c.set_fpscr(value);
    }
    /// FPSCR -> Rn
    sts_fpscr_rn(c, _, o) { c.r[o.n()] = c.fpscr(); }
    /// Rn - 4 -> Rn, FPSCR -> (Rn)
    sts_l_fpscr_pre_rn(c, bus, o) { c.push(bus, o, c.fpscr())?; }
}
