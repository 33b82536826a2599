//! Recompilation of regions after frequent exits.

use super::Recompiler;
use crate::slots::Discarded;
use sh4::Bus;

impl<B: Bus> Recompiler<B> {
    /// Counts an exit before an operation. If such exits are frequent and avoidable, discards the region; it
    /// is recompiled at its next entry.
    pub(super) fn learn(&mut self, region: usize, block: usize, index: usize) {
        let hot = self.options.hot;
        if let Ok(left) = &mut self.regions[region]
            && left.count_exit(block, index, hot, &mut self.block_profile)
        {
            self.discard_region(region, Discarded::Renewed);
        }
    }

    /// Discards a region.
    pub(super) fn discard_region(&mut self, index: usize, why: Discarded) {
        self.links.forget();
        if let Ok(region) = std::mem::replace(&mut self.regions[index], Err(why))
            && let Some(slot) = self.slots.get(region.start(), region.mode)
        {
            slot.record_discard(why);
        }
    }
}
