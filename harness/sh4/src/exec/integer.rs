//! Integer arithmetic, compares, division steps and extensions.

use super::operations;
use crate::Cpu;
use crate::cpu::sr;

/// `a + b + carry`, and the carry out of bit 31.
#[inline]
fn add_carry(a: u32, b: u32, carry: bool) -> (u32, bool) {
    let wide = u64::from(a) + u64::from(b) + u64::from(carry);
    (wide as u32, wide >> 32 != 0)
}

/// `a - b - borrow`, and the borrow into bit 31.
#[inline]
fn sub_borrow(a: u32, b: u32, borrow: bool) -> (u32, bool) {
    let wide = u64::from(a)
        .wrapping_sub(u64::from(b))
        .wrapping_sub(u64::from(borrow));
    (wide as u32, wide >> 63 != 0)
}

impl Cpu {
    fn set_status(&mut self, bit: u32, value: bool) {
        self.status = self.status & !bit | if value { bit } else { 0 };
    }
}

operations! {
    /// T -> Rn
    movt_rn(c, _, o) { c.r[o.n()] = c.t.into(); }
    /// Rm, lower two bytes exchanged -> Rn
    swap_b_rm_rn(c, _, o) {
        let value = c.r[o.m()];
        c.r[o.n()] = value & 0xFFFF_0000 | u32::from((value as u16).swap_bytes());
    }
    /// Rm, halves exchanged -> Rn
    swap_w_rm_rn(c, _, o) { c.r[o.n()] = c.r[o.m()].rotate_left(16); }
    /// middle 32 bits of Rm:Rn -> Rn
    xtrct_rm_rn(c, _, o) { c.r[o.n()] = c.r[o.m()] << 16 | c.r[o.n()] >> 16; }

    /// Rn + Rm -> Rn
    add_rm_rn(c, _, o) { c.r[o.n()] = c.r[o.n()].wrapping_add(c.r[o.m()]); }
    /// Rn + imm -> Rn
    add_imm_rn(c, _, o) { c.r[o.n()] = c.r[o.n()].wrapping_add(o.imm); }
    /// Rn + Rm + T -> Rn, carry -> T
    addc_rm_rn(c, _, o) { (c.r[o.n()], c.t) = add_carry(c.r[o.n()], c.r[o.m()], c.t); }
    /// Rn + Rm -> Rn, signed overflow -> T
    addv_rm_rn(c, _, o) {
        let (sum, overflow) = (c.r[o.n()] as i32).overflowing_add(c.r[o.m()] as i32);
        (c.r[o.n()], c.t) = (sum as u32, overflow);
    }
    /// Rn - Rm -> Rn
    sub_rm_rn(c, _, o) { c.r[o.n()] = c.r[o.n()].wrapping_sub(c.r[o.m()]); }
    /// Rn - Rm - T -> Rn, borrow -> T
    subc_rm_rn(c, _, o) { (c.r[o.n()], c.t) = sub_borrow(c.r[o.n()], c.r[o.m()], c.t); }
    /// Rn - Rm -> Rn, signed overflow -> T
    subv_rm_rn(c, _, o) {
        let (difference, overflow) = (c.r[o.n()] as i32).overflowing_sub(c.r[o.m()] as i32);
        (c.r[o.n()], c.t) = (difference as u32, overflow);
    }
    /// 0 - Rm -> Rn
    neg_rm_rn(c, _, o) { c.r[o.n()] = c.r[o.m()].wrapping_neg(); }
    /// 0 - Rm - T -> Rn, borrow -> T
    negc_rm_rn(c, _, o) { (c.r[o.n()], c.t) = sub_borrow(0, c.r[o.m()], c.t); }
    /// Rn - 1 -> Rn, Rn == 0 -> T
    dt_rn(c, _, o) {
        c.r[o.n()] = c.r[o.n()].wrapping_sub(1);
        c.t = c.r[o.n()] == 0;
    }

    /// R0 == imm -> T
    cmp_eq_imm_r0(c, _, o) { c.t = c.r[0] == o.imm; }
    /// Rn == Rm -> T
    cmp_eq_rm_rn(c, _, o) { c.t = c.r[o.n()] == c.r[o.m()]; }
    /// Rn >= Rm, unsigned -> T
    cmp_hs_rm_rn(c, _, o) { c.t = c.r[o.n()] >= c.r[o.m()]; }
    /// Rn >= Rm, signed -> T
    cmp_ge_rm_rn(c, _, o) { c.t = c.r[o.n()] as i32 >= c.r[o.m()] as i32; }
    /// Rn > Rm, unsigned -> T
    cmp_hi_rm_rn(c, _, o) { c.t = c.r[o.n()] > c.r[o.m()]; }
    /// Rn > Rm, signed -> T
    cmp_gt_rm_rn(c, _, o) { c.t = c.r[o.n()] as i32 > c.r[o.m()] as i32; }
    /// Rn > 0, signed -> T
    cmp_pl_rn(c, _, o) { c.t = c.r[o.n()] as i32 > 0; }
    /// Rn >= 0, signed -> T
    cmp_pz_rn(c, _, o) { c.t = c.r[o.n()] as i32 >= 0; }
    /// any byte of Rn equals the byte of Rm at the same position -> T
    cmp_str_rm_rn(c, _, o) { c.t = (c.r[o.n()] ^ c.r[o.m()]).to_le_bytes().contains(&0); }

    /// Rn\[31\] -> Q, Rm\[31\] -> M, Q ^ M -> T
    div0s_rm_rn(c, _, o) {
        let (q, m) = ((c.r[o.n()] as i32) < 0, (c.r[o.m()] as i32) < 0);
        c.set_status(sr::Q, q);
        c.set_status(sr::M, m);
        c.t = q != m;
    }
    /// 0 -> M, Q, T
    div0u(c, _, _) {
        c.status &= !(sr::M | sr::Q);
        c.t = false;
    }
    /// One step: Rn shifts left, and T enters. Rm is subtracted if Q == M, otherwise added. With c the carry
    /// or borrow: Rn\[31\] before ^ M ^ c -> Q, Q == M -> T. The step uses Rm before the shift, also with m =
    /// n.
    div1_rm_rn(c, _, o) {
        let (divisor, dividend) = (c.r[o.m()], c.r[o.n()]);
        let (q, m) = (c.status & sr::Q != 0, c.status & sr::M != 0);
        let shifted = dividend << 1 | u32::from(c.t);
        let (rest, carry) = if q == m { shifted.overflowing_sub(divisor) } else { shifted.overflowing_add(divisor) };
        let q = ((dividend as i32) < 0) ^ m ^ carry;
        c.r[o.n()] = rest;
        c.set_status(sr::Q, q);
        c.t = q == m;
    }

    /// Rm, sign extended from byte -> Rn
    exts_b_rm_rn(c, _, o) { c.r[o.n()] = c.r[o.m()] as i8 as u32; }
    /// Rm, sign extended from 16 bits -> Rn
    exts_w_rm_rn(c, _, o) { c.r[o.n()] = c.r[o.m()] as i16 as u32; }
    /// Rm, zero extended from byte -> Rn
    extu_b_rm_rn(c, _, o) { c.r[o.n()] = (c.r[o.m()] as u8).into(); }
    /// Rm, zero extended from 16 bits -> Rn
    extu_w_rm_rn(c, _, o) { c.r[o.n()] = (c.r[o.m()] as u16).into(); }
}
