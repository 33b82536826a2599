//! FMOV and the other moves of FPU registers. They copy bits unchanged, including NaNs.
//!
//! With SZ = 1 a pair moves as one 64-bit item: the even register is the word at the lower address.

use super::operations;
use crate::cpu::fpscr;
use crate::decode::Op;

impl Op {
    /// The even register of pair `n`.
    #[inline]
    fn pair_n(self) -> usize {
        usize::from(self.n & 14)
    }

    /// The even register of pair `m`.
    #[inline]
    fn pair_m(self) -> usize {
        usize::from(self.m & 14)
    }
}

/// The pair at `even`, in the order of memory.
#[inline]
fn pair(bank: &[u32; 16], even: usize) -> u64 {
    u64::from(bank[even]) | u64::from(bank[even | 1]) << 32
}

#[inline]
fn set_pair(bank: &mut [u32; 16], even: usize, value: u64) {
    bank[even] = value as u32;
    bank[even | 1] = (value >> 32) as u32;
}

operations! {
    /// FRm -> FRn
    fmov_frm_frn(c, _, o) { c.fr[o.n()] = c.fr[o.m()]; }
    /// (Rm) -> FRn
    fmov_s_at_rm_frn(c, bus, o) { c.fr[o.n()] = c.load32(bus, c.r[o.m()])?; }
    /// FRm -> (Rn)
    fmov_s_frm_at_rn(c, bus, o) { c.store32(bus, c.r[o.n()], c.fr[o.m()])?; }
    /// (Rm) -> FRn, Rm + 4 -> Rm
    fmov_s_post_rm_frn(c, bus, o) {
        c.fr[o.n()] = c.load32(bus, c.r[o.m()])?;
        c.r[o.m()] = c.r[o.m()].wrapping_add(4);
    }
    /// Rn - 4 -> Rn, FRm -> (Rn)
    fmov_s_frm_pre_rn(c, bus, o) {
        let address = c.r[o.n()].wrapping_sub(4);
        c.store32(bus, address, c.fr[o.m()])?;
        c.r[o.n()] = address;
    }
    /// (R0 + Rm) -> FRn
    fmov_s_idx_rm_frn(c, bus, o) { c.fr[o.n()] = c.load32(bus, c.r[0].wrapping_add(c.r[o.m()]))?; }
    /// FRm -> (R0 + Rn)
    fmov_s_frm_idx_rn(c, bus, o) { c.store32(bus, c.r[0].wrapping_add(c.r[o.n()]), c.fr[o.m()])?; }

    /// DRm -> DRn
    fmov_drm_drn(c, _, o) {
        let value = pair(&c.fr, o.pair_m());
        set_pair(&mut c.fr, o.pair_n(), value);
    }
    /// DRm -> XDn
    fmov_drm_xdn(c, _, o) {
        let value = pair(&c.fr, o.pair_m());
        set_pair(&mut c.xf, o.pair_n(), value);
    }
    /// XDm -> DRn
    fmov_xdm_drn(c, _, o) {
        let value = pair(&c.xf, o.pair_m());
        set_pair(&mut c.fr, o.pair_n(), value);
    }
    /// XDm -> XDn
    fmov_xdm_xdn(c, _, o) {
        let value = pair(&c.xf, o.pair_m());
        set_pair(&mut c.xf, o.pair_n(), value);
    }

    /// (Rm) -> DRn
    fmov_d_at_rm_drn(c, bus, o) {
        let value = c.load64(bus, c.r[o.m()])?;
        set_pair(&mut c.fr, o.pair_n(), value);
    }
    /// DRm -> (Rn)
    fmov_d_drm_at_rn(c, bus, o) { c.store64(bus, c.r[o.n()], pair(&c.fr, o.pair_m()))?; }
    /// (Rm) -> DRn, Rm + 8 -> Rm
    fmov_d_post_rm_drn(c, bus, o) {
        let value = c.load64(bus, c.r[o.m()])?;
        set_pair(&mut c.fr, o.pair_n(), value);
        c.r[o.m()] = c.r[o.m()].wrapping_add(8);
    }
    /// Rn - 8 -> Rn, DRm -> (Rn)
    fmov_d_drm_pre_rn(c, bus, o) {
        let address = c.r[o.n()].wrapping_sub(8);
        c.store64(bus, address, pair(&c.fr, o.pair_m()))?;
        c.r[o.n()] = address;
    }
    /// (R0 + Rm) -> DRn
    fmov_d_idx_rm_drn(c, bus, o) {
        let value = c.load64(bus, c.r[0].wrapping_add(c.r[o.m()]))?;
        set_pair(&mut c.fr, o.pair_n(), value);
    }
    /// DRm -> (R0 + Rn)
    fmov_d_drm_idx_rn(c, bus, o) {
        c.store64(bus, c.r[0].wrapping_add(c.r[o.n()]), pair(&c.fr, o.pair_m()))?;
    }

    /// (Rm) -> XDn
    fmov_d_at_rm_xdn(c, bus, o) {
        let value = c.load64(bus, c.r[o.m()])?;
        set_pair(&mut c.xf, o.pair_n(), value);
    }
    /// XDm -> (Rn)
    fmov_d_xdm_at_rn(c, bus, o) { c.store64(bus, c.r[o.n()], pair(&c.xf, o.pair_m()))?; }
    /// (Rm) -> XDn, Rm + 8 -> Rm
    fmov_d_post_rm_xdn(c, bus, o) {
        let value = c.load64(bus, c.r[o.m()])?;
        set_pair(&mut c.xf, o.pair_n(), value);
        c.r[o.m()] = c.r[o.m()].wrapping_add(8);
    }
    /// Rn - 8 -> Rn, XDm -> (Rn)
    fmov_d_xdm_pre_rn(c, bus, o) {
        let address = c.r[o.n()].wrapping_sub(8);
        c.store64(bus, address, pair(&c.xf, o.pair_m()))?;
        c.r[o.n()] = address;
    }
    /// (R0 + Rm) -> XDn
    fmov_d_idx_rm_xdn(c, bus, o) {
        let value = c.load64(bus, c.r[0].wrapping_add(c.r[o.m()]))?;
        set_pair(&mut c.xf, o.pair_n(), value);
    }
    /// XDm -> (R0 + Rn)
    fmov_d_xdm_idx_rn(c, bus, o) {
        c.store64(bus, c.r[0].wrapping_add(c.r[o.n()]), pair(&c.xf, o.pair_m()))?;
    }

    /// 0.0 -> FRn
    fldi0_frn(c, _, o) { c.fr[o.n()] = 0; }
    /// 1.0 -> FRn
    fldi1_frn(c, _, o) { c.fr[o.n()] = 0x3F80_0000; }
    /// FRm -> FPUL
    flds_frm_fpul(c, _, o) { c.fpul = c.fr[o.m()]; }
    /// FPUL -> FRn
    fsts_fpul_frn(c, _, o) { c.fr[o.n()] = c.fpul; }
    /// FRn without sign -> FRn
    fabs_frn(c, _, o) { c.fr[o.n()] &= 0x7FFF_FFFF; }
    /// DRn without sign -> DRn; the sign is in the even register
    fabs_drn(c, _, o) { c.fr[o.n()] &= 0x7FFF_FFFF; }
    /// FRn with inverted sign -> FRn
    fneg_frn(c, _, o) { c.fr[o.n()] ^= 0x8000_0000; }
    /// DRn with inverted sign -> DRn; the sign is in the even register
    fneg_drn(c, _, o) { c.fr[o.n()] ^= 0x8000_0000; }
    /// ~FPSCR.FR -> FPSCR.FR
    frchg(c, _, _) { c.set_fpscr(c.fpscr() ^ fpscr::FR); }
    /// ~FPSCR.SZ -> FPSCR.SZ
    fschg(c, _, _) { c.set_fpscr(c.fpscr() ^ fpscr::SZ); }
}
