//! The exits that regions take, and which regions are discarded.

use super::Recompiler;
use crate::host::RegionExit;
use crate::slots::Discarded;
use sh4::Bus;

impl<B: Bus> Recompiler<B> {
    /// Notes the exit of a region, which is avoided when the region is compiled again.
    pub(super) fn learn(&mut self, index: usize, left: RegionExit, pc: u32) {
        let hot = self.options.hot;
        let Ok(region) = &mut self.regions[index] else {
            return;
        };
        let renew = match left {
            RegionExit::Inside { block, index, .. } => {
                region.left_inside(block, index, hot, &mut self.block_profile)
            }
            RegionExit::At { block } => region.left_behind(block, pc, hot, &mut self.block_profile),
        };
        if renew {
            self.renew(index);
        }
    }

    /// Compiles a region again at its next entry.
    pub(super) fn renew(&mut self, index: usize) {
        self.lose(index, Discarded::Renewed);
    }

    /// Discards a region.
    fn lose(&mut self, index: usize, why: Discarded) {
        if let Ok(region) = std::mem::replace(&mut self.regions[index], Err(why))
            && let Some(slot) = self.slots.get(region.start(), region.mode)
        {
            slot.lost(why);
        }
    }

    /// Evicts a region: the interpreter is faster.
    pub(super) fn retire(&mut self, index: usize) {
        if self.regions[index].is_ok() {
            self.lose(index, Discarded::Slower);
            self.statistics.retired += 1;
        }
    }

    /// Notes that a block of a region has led to `pc`, where nothing is compiled.
    pub(super) fn note_from(&mut self, index: usize, left: RegionExit, pc: u32) {
        if let (Ok(region), RegionExit::At { block }) = (&self.regions[index], left) {
            self.from = Some(index);
            region.note_end(block, pc, &mut self.block_profile);
        }
    }
}
