//! The exits that regions take, and which regions are discarded.

use super::Recompiler;
use crate::slots::Discarded;
use sh4::Bus;

impl<B: Bus> Recompiler<B> {
    /// Notes an exit in front of an operation. Where that is frequent and can be avoided, the region is
    /// compiled again at its next entry.
    pub(super) fn learn(&mut self, region: usize, block: usize, index: usize) {
        let hot = self.options.hot;
        if let Ok(left) = &mut self.regions[region]
            && left.left_inside(block, index, hot, &mut self.block_profile)
        {
            self.lose(region, Discarded::Renewed);
        }
    }

    /// Discards a region.
    pub(super) fn lose(&mut self, index: usize, why: Discarded) {
        self.links.forget();
        if let Ok(region) = std::mem::replace(&mut self.regions[index], Err(why))
            && let Some(slot) = self.slots.get(region.start(), region.mode)
        {
            slot.lost(why);
        }
    }
}
