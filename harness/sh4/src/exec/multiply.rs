//! Multiplication, and multiply and accumulate.

use super::operations;
use crate::cpu::sr;
use crate::{Cpu, MacLongSaturation, MacWordFlag};

impl Cpu {
    fn mac(&self) -> u64 {
        u64::from(self.mach) << 32 | u64::from(self.macl)
    }

    fn set_mac(&mut self, value: u64) {
        (self.mach, self.macl) = ((value >> 32) as u32, value as u32);
    }

    /// MAC.L with S = 1.
    fn accumulate_saturated(&mut self, product: i64) {
        const HIGHEST: i128 = 0x7FFF_FFFF_FFFF;
        const LOWEST: i128 = -0x8000_0000_0000;
        match self.settings().macl_saturate_mode {
            MacLongSaturation::Range48 => {
                let sum = i128::from(self.mac() as i64) + i128::from(product);
                self.set_mac(sum.clamp(LOWEST, HIGHEST) as u64);
            }
            MacLongSaturation::LowHalf => {
                let sum = i128::from(self.mac() & 0xFFFF_FFFF_FFFF) + i128::from(product);
                let result = sum.clamp(LOWEST, HIGHEST) as u64;
                let kept = self.mach & 0xFFFF_0000;
                self.set_mac(result);
                self.mach = kept | self.mach & 0xFFFF;
            }
        }
    }

    /// MAC.W with S = 1: only MACL, saturated at 32 bits.
    fn accumulate_word_saturated(&mut self, product: i32) {
        let old = self.macl as i32;
        self.macl = old.saturating_add(product) as u32;
        if old.checked_add(product).is_none() {
            match self.settings().macw_mach_flag {
                MacWordFlag::SetBit0 => self.mach |= 1,
                MacWordFlag::WriteOne => self.mach = 1,
                MacWordFlag::Unchanged => {}
            }
        }
    }
}

operations! {
    /// Rn * Rm -> MACL
    mul_l_rm_rn(c, _, o) { c.macl = c.r[o.n()].wrapping_mul(c.r[o.m()]); }
    /// Rn * Rm, signed 16 bits -> MACL
    muls_w_rm_rn(c, _, o) { c.macl = (i32::from(c.r[o.n()] as i16) * i32::from(c.r[o.m()] as i16)) as u32; }
    /// Rn * Rm, unsigned 16 bits -> MACL
    mulu_w_rm_rn(c, _, o) { c.macl = u32::from(c.r[o.n()] as u16) * u32::from(c.r[o.m()] as u16); }
    /// Rn * Rm, signed -> MACH:MACL
    dmuls_l_rm_rn(c, _, o) { c.set_mac((i64::from(c.r[o.n()] as i32) * i64::from(c.r[o.m()] as i32)) as u64); }
    /// Rn * Rm, unsigned -> MACH:MACL
    dmulu_l_rm_rn(c, _, o) { c.set_mac(u64::from(c.r[o.n()]) * u64::from(c.r[o.m()])); }

    /// (Rn) * (Rm) + MAC -> MAC, signed; Rn + 4, Rm + 4. (Rn) is read first; with m = n the operands are two
    /// consecutive items. S = 1 saturates to 48 bits.
    mac_l_post_rm_post_rn(c, bus, o) {
        let same = if o.n() == o.m() { 4 } else { 0 };
        let left = c.load32(bus, c.r[o.n()])? as i32;
        let right = c.load32(bus, c.r[o.m()].wrapping_add(same))? as i32;
        c.r[o.n()] = c.r[o.n()].wrapping_add(4);
        c.r[o.m()] = c.r[o.m()].wrapping_add(4);
        let product = i64::from(left) * i64::from(right);
        if c.status & sr::S == 0 {
            c.set_mac(c.mac().wrapping_add(product as u64));
        } else {
            c.accumulate_saturated(product);
        }
    }
    /// (Rn) * (Rm) + MAC -> MAC, signed 16 bits; Rn + 2, Rm + 2. (Rn) is read first; with m = n the operands
    /// are two consecutive items. S = 1 saturates MACL to 32 bits.
    mac_w_post_rm_post_rn(c, bus, o) {
        let same = if o.n() == o.m() { 2 } else { 0 };
        let left = c.load16(bus, c.r[o.n()])? as i16;
        let right = c.load16(bus, c.r[o.m()].wrapping_add(same))? as i16;
        c.r[o.n()] = c.r[o.n()].wrapping_add(2);
        c.r[o.m()] = c.r[o.m()].wrapping_add(2);
        let product = i32::from(left) * i32::from(right);
        if c.status & sr::S == 0 {
            c.set_mac(c.mac().wrapping_add(i64::from(product) as u64));
        } else {
            c.accumulate_word_saturated(product);
        }
    }
}
