//! The two store queues.

use super::ticks::Ticks;

#[derive(Clone, Debug, Default)]
pub(crate) struct StoreQueues {
    /// QACR0, QACR1: bits 4-2 are bits 28-26 of where a queue goes.
    pub(crate) qacr: [u32; 2],
    /// Until when each is being sent.
    pub(crate) busy: [Ticks; 2],
}

impl StoreQueues {
    /// Where PREF of `address` sends its queue.
    pub(crate) fn target(&self, address: u32) -> u32 {
        let queue = (address >> 5 & 1) as usize;
        (self.qacr[queue] & 0x1C) << 24 | address & 0x03FF_FFE0
    }
}
