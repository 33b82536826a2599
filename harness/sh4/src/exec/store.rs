//! Stores of general registers, and the cache instructions.

use super::operations;
use crate::onchip::refused;
use crate::{CacheOperation, Direction};

operations! {
    /// Rm -> (Rn)
    mov_b_rm_at_rn(c, bus, o) { c.store8(bus, c.r[o.n()], c.r[o.m()] as u8)?; }
    /// Rm -> (Rn)
    mov_w_rm_at_rn(c, bus, o) { c.store16(bus, c.r[o.n()], c.r[o.m()] as u16)?; }
    /// Rm -> (Rn)
    mov_l_rm_at_rn(c, bus, o) { c.store32(bus, c.r[o.n()], c.r[o.m()])?; }

    /// Rn - 1 -> Rn, Rm -> (Rn); with m = n the value before the decrement is stored
    mov_b_rm_pre_rn(c, bus, o) {
        let address = c.r[o.n()].wrapping_sub(1);
        c.store8(bus, address, c.r[o.m()] as u8)?;
        c.r[o.n()] = address;
    }
    /// Rn - 2 -> Rn, Rm -> (Rn); with m = n the value before the decrement is stored
    mov_w_rm_pre_rn(c, bus, o) {
        let address = c.r[o.n()].wrapping_sub(2);
        c.store16(bus, address, c.r[o.m()] as u16)?;
        c.r[o.n()] = address;
    }
    /// Rn - 4 -> Rn, Rm -> (Rn); with m = n the value before the decrement is stored
    mov_l_rm_pre_rn(c, bus, o) {
        let address = c.r[o.n()].wrapping_sub(4);
        c.store32(bus, address, c.r[o.m()])?;
        c.r[o.n()] = address;
    }

    /// R0 -> (disp + Rn)
    mov_b_r0_disp_rn(c, bus, o) { c.store8(bus, c.r[o.n()].wrapping_add(o.imm), c.r[0] as u8)?; }
    /// R0 -> (disp*2 + Rn)
    mov_w_r0_disp_rn(c, bus, o) { c.store16(bus, c.r[o.n()].wrapping_add(o.imm), c.r[0] as u16)?; }
    /// Rm -> (disp*4 + Rn)
    mov_l_rm_disp_rn(c, bus, o) { c.store32(bus, c.r[o.n()].wrapping_add(o.imm), c.r[o.m()])?; }

    /// Rm -> (R0 + Rn)
    mov_b_rm_idx_rn(c, bus, o) { c.store8(bus, c.r[0].wrapping_add(c.r[o.n()]), c.r[o.m()] as u8)?; }
    /// Rm -> (R0 + Rn)
    mov_w_rm_idx_rn(c, bus, o) { c.store16(bus, c.r[0].wrapping_add(c.r[o.n()]), c.r[o.m()] as u16)?; }
    /// Rm -> (R0 + Rn)
    mov_l_rm_idx_rn(c, bus, o) { c.store32(bus, c.r[0].wrapping_add(c.r[o.n()]), c.r[o.m()])?; }

    /// R0 -> (disp + GBR)
    mov_b_r0_disp_gbr(c, bus, o) { c.store8(bus, c.gbr.wrapping_add(o.imm), c.r[0] as u8)?; }
    /// R0 -> (disp*2 + GBR)
    mov_w_r0_disp_gbr(c, bus, o) { c.store16(bus, c.gbr.wrapping_add(o.imm), c.r[0] as u16)?; }
    /// R0 -> (disp*4 + GBR)
    mov_l_r0_disp_gbr(c, bus, o) { c.store32(bus, c.gbr.wrapping_add(o.imm), c.r[0])?; }

    /// R0 -> (Rn), the line allocated without being read
    movca_l_r0_at_rn(c, bus, o) {
        let address = c.r[o.n()];
        c.admit(bus, address, 2, Direction::Write)?;
        bus.write32_allocate(address, c.r[0]).map_err(|e| refused(Direction::Write, address, e))?;
    }
    /// invalidate the line of (Rn)
    ocbi_at_rn(c, bus, o) {
        let address = c.r[o.n()];
        c.admit(bus, address, 0, Direction::Write)?;
        bus.cache(CacheOperation::Invalidate, address).map_err(|e| refused(Direction::Write, address, e))?;
    }
    /// write back and invalidate the line of (Rn)
    ocbp_at_rn(c, bus, o) {
        let address = c.r[o.n()];
        c.admit(bus, address, 0, Direction::Read)?;
        bus.cache(CacheOperation::Purge, address).map_err(|e| refused(Direction::Read, address, e))?;
    }
    /// write back the line of (Rn)
    ocbwb_at_rn(c, bus, o) {
        let address = c.r[o.n()];
        c.admit(bus, address, 0, Direction::Read)?;
        bus.cache(CacheOperation::WriteBack, address).map_err(|e| refused(Direction::Read, address, e))?;
    }
    /// fetch the line of (Rn), or send the store queue of (Rn)
    pref_at_rn(c, bus, o) { c.prefetch(bus, c.r[o.n()])?; }
}
