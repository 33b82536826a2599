//! Decoded blocks by address.

use super::{BasicBlock, Block, Key};
use crate::{Bus, BusError, Cpu};
use std::fmt;

/// The index of a start address.
#[inline(always)]
fn place(pc: u32) -> usize {
    (pc >> 1) as usize % SLOTS
}

/// Blocks by start address. A new block replaces an older one with the same index.
#[derive(Default)]
pub(crate) struct BlockCache {
    /// For each index the number of its block plus 1, or 0. The host allocates zeroed memory page by page on
    /// first use. `None` until a block is decoded.
    slots: Option<Box<[u32]>>,
    blocks: Vec<Block>,
}

/// 512 KiB of code have separate indices, enough for most KallistiOS programs.
const SLOTS: usize = 1 << 18;

impl BlockCache {
    /// The number of the block at `place`, or a number past all blocks.
    #[inline(always)]
    fn index(&self, place: usize) -> Option<usize> {
        Some((self.slots.as_ref()?[place] as usize).wrapping_sub(1))
    }

    /// The current block at the program counter, if it is decoded.
    #[inline(always)]
    pub(crate) fn get<B: Bus>(&self, cpu: &Cpu, bus: &B) -> Option<&Block> {
        let block = self.blocks.get(self.index(place(cpu.pc))?)?;
        block.is_next(cpu, bus).then_some(block)
    }

    /// Finds the block if `get` has failed: after a change of the epoch, or while something needs attention.
    #[cold]
    pub(crate) fn find<B: Bus>(&mut self, cpu: &Cpu, bus: &mut B) -> Option<&Block> {
        let index = self.index(place(cpu.pc))?;
        let block = self.blocks.get_mut(index)?;
        let found = block.is_at(cpu) && block.revalidate(bus);
        found.then_some(block)
    }

    /// The address of the delay slot of the block at the program counter, if that is in another page.
    pub(crate) fn far_slot(&self, cpu: &Cpu) -> Option<u32> {
        let block = self.blocks.get(self.index(place(cpu.pc))?)?;
        let (slot, _) = block.far_slot().filter(|_| block.is_at(cpu))?;
        Some(slot)
    }

    /// The block at `pc` under `key`, if it is decoded and its code has not changed.
    pub(crate) fn current<B: Bus>(&self, bus: &B, pc: u32, key: Key) -> Option<&BasicBlock> {
        let block = self.blocks.get(self.index(place(pc))?)?;
        let same = block.whole.start == pc && block.key == key && block.whole.versions(bus) == block.version;
        same.then_some(&block.whole)
    }

    /// Decodes the block at the program counter.
    #[cold]
    pub(crate) fn decode<B: Bus>(&mut self, cpu: &mut Cpu, bus: &mut B) -> Result<(), BusError> {
        self.insert(place(cpu.pc), Block::decode(cpu, bus)?);
        Ok(())
    }

    fn insert(&mut self, place: usize, block: Block) {
        let slots = self.slots.get_or_insert_with(|| vec![0; SLOTS].into());
        match self.blocks.get_mut((slots[place] as usize).wrapping_sub(1)) {
            Some(old) => *old = block,
            None => {
                self.blocks.push(block);
                slots[place] = self.blocks.len() as u32;
            }
        }
    }
}

/// A copy starts without decoded blocks.
impl Clone for BlockCache {
    fn clone(&self) -> BlockCache {
        BlockCache::default()
    }
}

impl fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} blocks", self.blocks.len())
    }
}
