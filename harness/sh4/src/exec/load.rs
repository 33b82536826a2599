//! Loads to general registers. Bytes and words of two bytes are sign extended.

use super::operations;

operations! {
    /// Rm -> Rn
    mov_rm_rn(c, _, o) { c.r[o.n()] = c.r[o.m()]; }
    /// imm -> Rn
    mov_imm_rn(c, _, o) { c.r[o.n()] = o.imm; }
    /// (PC & ~3) + 4 + disp*4 -> R0
    mova_disp_pc_r0(c, _, o) { c.r[0] = o.imm; }
    /// (PC + 4 + disp*2) -> Rn
    mov_w_disp_pc_rn(c, bus, o) { c.r[o.n()] = c.load_signed16(bus, o.imm)?; }
    /// ((PC & ~3) + 4 + disp*4) -> Rn
    mov_l_disp_pc_rn(c, bus, o) { c.r[o.n()] = c.load32(bus, o.imm)?; }

    /// (Rm) -> Rn
    mov_b_at_rm_rn(c, bus, o) { c.r[o.n()] = c.load_signed8(bus, c.r[o.m()])?; }
    /// (Rm) -> Rn
    mov_w_at_rm_rn(c, bus, o) { c.r[o.n()] = c.load_signed16(bus, c.r[o.m()])?; }
    /// (Rm) -> Rn
    mov_l_at_rm_rn(c, bus, o) { c.r[o.n()] = c.load32(bus, c.r[o.m()])?; }

    /// (Rm) -> Rn, Rm + 1 -> Rm; with m = n the loaded value stays
    mov_b_post_rm_rn(c, bus, o) {
        let value = c.load_signed8(bus, c.r[o.m()])?;
        c.r[o.m()] = c.r[o.m()].wrapping_add(1);
        c.r[o.n()] = value;
    }
    /// (Rm) -> Rn, Rm + 2 -> Rm; with m = n the loaded value stays
    mov_w_post_rm_rn(c, bus, o) {
        let value = c.load_signed16(bus, c.r[o.m()])?;
        c.r[o.m()] = c.r[o.m()].wrapping_add(2);
        c.r[o.n()] = value;
    }
    /// (Rm) -> Rn, Rm + 4 -> Rm; with m = n the loaded value stays
    mov_l_post_rm_rn(c, bus, o) {
        let value = c.load32(bus, c.r[o.m()])?;
        c.r[o.m()] = c.r[o.m()].wrapping_add(4);
        c.r[o.n()] = value;
    }

    /// (disp + Rm) -> R0
    mov_b_disp_rm_r0(c, bus, o) { c.r[0] = c.load_signed8(bus, c.r[o.m()].wrapping_add(o.imm))?; }
    /// (disp*2 + Rm) -> R0
    mov_w_disp_rm_r0(c, bus, o) { c.r[0] = c.load_signed16(bus, c.r[o.m()].wrapping_add(o.imm))?; }
    /// (disp*4 + Rm) -> Rn
    mov_l_disp_rm_rn(c, bus, o) { c.r[o.n()] = c.load32(bus, c.r[o.m()].wrapping_add(o.imm))?; }

    /// (R0 + Rm) -> Rn
    mov_b_idx_rm_rn(c, bus, o) { c.r[o.n()] = c.load_signed8(bus, c.r[0].wrapping_add(c.r[o.m()]))?; }
    /// (R0 + Rm) -> Rn
    mov_w_idx_rm_rn(c, bus, o) { c.r[o.n()] = c.load_signed16(bus, c.r[0].wrapping_add(c.r[o.m()]))?; }
    /// (R0 + Rm) -> Rn
    mov_l_idx_rm_rn(c, bus, o) { c.r[o.n()] = c.load32(bus, c.r[0].wrapping_add(c.r[o.m()]))?; }

    /// (disp + GBR) -> R0
    mov_b_disp_gbr_r0(c, bus, o) { c.r[0] = c.load_signed8(bus, c.gbr.wrapping_add(o.imm))?; }
    /// (disp*2 + GBR) -> R0
    mov_w_disp_gbr_r0(c, bus, o) { c.r[0] = c.load_signed16(bus, c.gbr.wrapping_add(o.imm))?; }
    /// (disp*4 + GBR) -> R0
    mov_l_disp_gbr_r0(c, bus, o) { c.r[0] = c.load32(bus, c.gbr.wrapping_add(o.imm))?; }
}
