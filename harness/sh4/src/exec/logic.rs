//! Logic and shifts.

use super::operations;

operations! {
    /// Rn & Rm -> Rn
    and_rm_rn(c, _, o) { c.r[o.n()] &= c.r[o.m()]; }
    /// R0 & imm -> R0
    and_imm_r0(c, _, o) { c.r[0] &= o.imm; }
    /// (R0 + GBR) & imm -> (R0 + GBR)
    and_b_imm_idx_gbr(c, bus, o) {
        let address = c.gbr.wrapping_add(c.r[0]);
        let value = c.load8(bus, address)?;
        c.store8(bus, address, value & o.imm as u8)?;
    }
    /// ~Rm -> Rn
    not_rm_rn(c, _, o) { c.r[o.n()] = !c.r[o.m()]; }
    /// Rn | Rm -> Rn
    or_rm_rn(c, _, o) { c.r[o.n()] |= c.r[o.m()]; }
    /// R0 | imm -> R0
    or_imm_r0(c, _, o) { c.r[0] |= o.imm; }
    /// (R0 + GBR) | imm -> (R0 + GBR)
    or_b_imm_idx_gbr(c, bus, o) {
        let address = c.gbr.wrapping_add(c.r[0]);
        let value = c.load8(bus, address)?;
        c.store8(bus, address, value | o.imm as u8)?;
    }
    /// (Rn) == 0 -> T, (Rn) | 80 -> (Rn)
    tas_b_at_rn(c, bus, o) {
        let address = c.r[o.n()];
        c.admit(bus, address, 0, crate::Direction::Read)?;
        bus.purge_for_test_and_set(address)
            .map_err(|e| crate::onchip::refused(crate::Direction::Write, address, e))?;
        let value = c.load8(bus, address)?;
        c.store8(bus, address, value | 0x80)?;
        c.t = value == 0;
    }
    /// Rn & Rm == 0 -> T
    tst_rm_rn(c, _, o) { c.t = c.r[o.n()] & c.r[o.m()] == 0; }
    /// R0 & imm == 0 -> T
    tst_imm_r0(c, _, o) { c.t = c.r[0] & o.imm == 0; }
    /// (R0 + GBR) & imm == 0 -> T
    tst_b_imm_idx_gbr(c, bus, o) { c.t = c.load8(bus, c.gbr.wrapping_add(c.r[0]))? & o.imm as u8 == 0; }
    /// Rn ^ Rm -> Rn
    xor_rm_rn(c, _, o) { c.r[o.n()] ^= c.r[o.m()]; }
    /// R0 ^ imm -> R0
    xor_imm_r0(c, _, o) { c.r[0] ^= o.imm; }
    /// (R0 + GBR) ^ imm -> (R0 + GBR)
    xor_b_imm_idx_gbr(c, bus, o) {
        let address = c.gbr.wrapping_add(c.r[0]);
        let value = c.load8(bus, address)?;
        c.store8(bus, address, value ^ o.imm as u8)?;
    }

    /// T <- Rn <- T
    rotcl_rn(c, _, o) {
        let value = c.r[o.n()];
        c.r[o.n()] = value << 1 | u32::from(c.t);
        c.t = value >> 31 != 0;
    }
    /// T -> Rn -> T
    rotcr_rn(c, _, o) {
        let value = c.r[o.n()];
        c.r[o.n()] = value >> 1 | u32::from(c.t) << 31;
        c.t = value & 1 != 0;
    }
    /// T <- Rn <- MSB
    rotl_rn(c, _, o) {
        c.t = c.r[o.n()] >> 31 != 0;
        c.r[o.n()] = c.r[o.n()].rotate_left(1);
    }
    /// LSB -> Rn -> T
    rotr_rn(c, _, o) {
        c.t = c.r[o.n()] & 1 != 0;
        c.r[o.n()] = c.r[o.n()].rotate_right(1);
    }

    /// Rm >= 0: Rn << Rm\[4:0\] -> Rn; else Rn >> (32 - Rm\[4:0\]), arithmetic: 32 places for 0
    shad_rm_rn(c, _, o) {
        let (value, amount) = (c.r[o.n()], c.r[o.m()]);
        c.r[o.n()] = if amount as i32 >= 0 {
            value << (amount & 31)
        } else {
            ((value as i32 >> (!amount & 31)) >> 1) as u32
        };
    }
    /// Rm >= 0: Rn << Rm\[4:0\] -> Rn; else Rn >> (32 - Rm\[4:0\]), logical: 32 places for 0
    shld_rm_rn(c, _, o) {
        let (value, amount) = (c.r[o.n()], c.r[o.m()]);
        c.r[o.n()] = if amount as i32 >= 0 {
            value << (amount & 31)
        } else {
            (value >> (!amount & 31)) >> 1
        };
    }
    /// T <- Rn <- 0
    shal_rn(c, _, o) {
        c.t = c.r[o.n()] >> 31 != 0;
        c.r[o.n()] <<= 1;
    }
    /// MSB -> Rn -> T
    shar_rn(c, _, o) {
        c.t = c.r[o.n()] & 1 != 0;
        c.r[o.n()] = (c.r[o.n()] as i32 >> 1) as u32;
    }
    /// T <- Rn <- 0
    shll_rn(c, _, o) {
        c.t = c.r[o.n()] >> 31 != 0;
        c.r[o.n()] <<= 1;
    }
    /// 0 -> Rn -> T
    shlr_rn(c, _, o) {
        c.t = c.r[o.n()] & 1 != 0;
        c.r[o.n()] >>= 1;
    }
    /// Rn << 2 -> Rn
    shll2_rn(c, _, o) { c.r[o.n()] <<= 2; }
    /// Rn << 8 -> Rn
    shll8_rn(c, _, o) { c.r[o.n()] <<= 8; }
    /// Rn << 16 -> Rn
    shll16_rn(c, _, o) { c.r[o.n()] <<= 16; }
    /// Rn >> 2 -> Rn
    shlr2_rn(c, _, o) { c.r[o.n()] >>= 2; }
    /// Rn >> 8 -> Rn
    shlr8_rn(c, _, o) { c.r[o.n()] >>= 8; }
    /// Rn >> 16 -> Rn
    shlr16_rn(c, _, o) { c.r[o.n()] >>= 16; }
}
