//! Execution under the user break controller: one instruction at a time, with every access compared.

use crate::cpu::sr;
use crate::exception::Event;
use crate::{Access, Cpu};

impl Cpu {
    fn asid(&self) -> u8 {
        self.mmu.asid()
    }

    /// Returns the break before the instruction at `pc`. With `slot`, also a break before the instruction in
    /// its delay slot, which counts as before the branch (SH7750 manual 20.3.7). A match under SR.BL = 1 only
    /// sets the flag.
    pub(crate) fn breaks_before(&mut self, pc: u32, slot: bool) -> Option<Event> {
        let asid = self.asid();
        let here = self.ubc.fetch(pc, asid, false);
        let in_slot = slot && self.ubc.fetch(pc.wrapping_add(2), asid, false);
        ((here || in_slot) && self.status & sr::BL == 0).then_some(Event::UserBreak)
    }

    /// Returns the break after `count` instructions from `pc` on, which made `accesses`. `blocked` is BL
    /// before them. Instruction breaks need BL = 0 before and after, operand breaks only after (SH7750 manual
    /// 20.4).
    pub(crate) fn breaks_after(
        &mut self,
        pc: u32,
        count: usize,
        accesses: &[Access],
        blocked: bool,
    ) -> Option<Event> {
        let asid = self.asid();
        let mut fetched = false;
        for index in 0..count as u32 {
            fetched |= self.ubc.fetch(pc.wrapping_add(2 * index), asid, true);
        }
        let mut operand = false;
        for access in accesses {
            operand |= self.ubc.operand(access, asid);
        }
        let open = self.status & sr::BL == 0;
        (open && (operand || fetched && !blocked)).then_some(Event::UserBreak)
    }
}
