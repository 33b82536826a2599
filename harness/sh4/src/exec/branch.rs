//! Branches. A delayed branch runs before its slot: it reads registers before the slot changes them, and the
//! slot sees the registers that the branch writes. Before a delayed branch runs, `next_pc` is PC + 4; before
//! any other branch, it is PC + 2.

use super::operations;

operations! {
    /// T == 0: PC + 4 + disp*2 -> PC
    bf(c, _, o) { if !c.t { c.next_pc = o.imm; } }
    /// T == 0: PC + 4 + disp*2 -> PC, delayed
    bf_s(c, _, o) { if !c.t { c.next_pc = o.imm; } }
    /// T == 1: PC + 4 + disp*2 -> PC
    bt(c, _, o) { if c.t { c.next_pc = o.imm; } }
    /// T == 1: PC + 4 + disp*2 -> PC, delayed
    bt_s(c, _, o) { if c.t { c.next_pc = o.imm; } }
    /// PC + 4 + disp*2 -> PC, delayed
    bra(c, _, o) { c.next_pc = o.imm; }
    /// PC + 4 + Rm -> PC, delayed
    braf_rm(c, _, o) { c.next_pc = c.next_pc.wrapping_add(c.r[o.m()]); }
    /// PC + 4 -> PR, PC + 4 + disp*2 -> PC, delayed
    bsr(c, _, o) {
        c.pr = c.next_pc;
        c.next_pc = o.imm;
    }
    /// PC + 4 -> PR, PC + 4 + Rm -> PC, delayed
    bsrf_rm(c, _, o) {
        c.pr = c.next_pc;
        c.next_pc = c.next_pc.wrapping_add(c.r[o.m()]);
    }
    /// Rm -> PC, delayed
    jmp_at_rm(c, _, o) { c.next_pc = c.r[o.m()]; }
    /// PC + 4 -> PR, Rm -> PC, delayed
    jsr_at_rm(c, _, o) {
        c.pr = c.next_pc;
        c.next_pc = c.r[o.m()];
    }
    /// PR -> PC, delayed
    rts(c, _, _) { c.next_pc = c.pr; }
    /// SSR -> SR, SPC -> PC, delayed; the slot sees the new SR
    rte(c, _, _) {
        c.next_pc = c.spc;
        c.set_sr(c.ssr);
    }
}
