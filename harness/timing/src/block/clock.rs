//! The pipeline's time and memory's together.

use super::TimingSink;
use crate::code::{BlockTable, CodeBlock};
use crate::memo::stall::MemoizedStall;
use crate::memory::Stall;

/// The time of a run.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    /// The pipeline's clock; the cycles for which memory froze the CPU, and the time of earlier runs.
    pub(super) base: u64,
    pub(super) frozen: u64,
    /// Whether time is counted.
    pub(crate) active: bool,
    /// Slots counted.
    pub(crate) slots: u64,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock {
            base: 0,
            frozen: 0,
            active: true,
            slots: 0,
        }
    }
}

impl Clock {
    /// The cycle in which the youngest instruction issued, as memory counts them.
    #[inline]
    pub(crate) fn now(&self) -> u64 {
        self.base + self.frozen
    }

    /// A run of accesses of the block number `code` stalled.
    #[inline]
    pub(super) fn freeze_for<B: TimingSink>(
        &mut self,
        blocks: &BlockTable,
        code: u32,
        stall: &MemoizedStall,
        sink: &mut B,
    ) {
        let cycles = u64::from(stall.cycles);
        self.frozen += cycles;
        if self.active {
            self.slots += 2 * cycles;
            if B::EACH_STALL {
                let code = &blocks.all[code as usize];
                for access in stall.accesses() {
                    sink.stall(code, access.index, &access.stall, (access.missed.into(), 0));
                }
            }
        }
    }

    /// The instruction at `index` of `code` stalled or missed.
    #[inline]
    pub(super) fn freeze<B: TimingSink>(
        &mut self,
        code: &CodeBlock,
        index: u8,
        stall: &Stall,
        misses: (u64, u64),
        sink: &mut B,
    ) {
        self.frozen += stall.cycles;
        if self.active && (stall.cycles > 0 || misses != (0, 0)) {
            self.slots += 2 * stall.cycles;
            sink.stall(code, index, stall, misses);
        }
    }
}
