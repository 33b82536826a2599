//! Targets of the two store queues.

#[derive(Clone, Debug, Default)]
pub(crate) struct StoreQueues {
    /// QACR0 and QACR1: bits 4-2 give bits 28-26 of the target.
    pub(crate) qacr: [u32; 2],
}

/// Returns the queue at an address.
pub(crate) fn queue(address: u32) -> usize {
    (address >> 5 & 1) as usize
}

impl StoreQueues {
    /// Returns the target to which PREF of `address` sends its queue.
    pub(crate) fn target(&self, address: u32) -> u32 {
        (self.qacr[queue(address)] & 0x1C) << 24 | address & 0x03FF_FFE0
    }
}
