//! Reader for region array and object lists in VRAM (`docs/hardware/pvr2.md`, "Core input").

use crate::event::{Warning, Warnings};
use crate::limits::OBJECTS as MAX_OBJECTS;
use crate::limits::REGIONS as MAX_REGIONS;
use crate::regs::{Registers, reg};
use crate::vram::{Area, VRAM_BYTES, Vram};
use std::ops::Range;

/// One entry of the region array: one pass over a tile.
#[derive(Debug, Clone)]
pub(super) struct Pass {
    /// Index in the region array.
    pub(super) entry: usize,
    /// Position in tiles.
    pub(super) x: u32,
    pub(super) y: u32,
    /// True if no earlier entry of the sequence has an object. Entries without objects do not count, because
    /// KallistiOS's region array begins with one for tile (0, 0).
    pub(super) is_first: bool,
    /// True if the depth buffer is not cleared.
    pub(super) keep_depth: bool,
    /// True if translucent polygons are drawn in list order.
    pub(super) presort: bool,
    /// Buffer for the result until it is written to the framebuffer: index in [`Scene::slots`]. `None` if the
    /// entry does not flush.
    pub(super) slot: Option<usize>,
    /// Ranges in [`Scene::objects`], by [`crate::ListType`].
    pub(super) lists: [Range<u32>; 5],
}

/// Consecutive region entries that share the tile buffer. Each entry after the first continues its
/// predecessor, which did not flush, or keeps its depth.
#[derive(Debug, Clone)]
pub(super) struct TileSequence {
    /// Range in [`Scene::passes`].
    pub(super) passes: Range<usize>,
    /// Range in [`Scene::slots`]: one for each flushed tile; a later flush replaces an earlier one.
    pub(super) slots: Range<usize>,
}

/// A tile for the framebuffer; position in tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) x: u32,
    pub(super) y: u32,
}

/// Data that tiles read during drawing, except the parameters. It persists between frames to reuse its
/// memory.
#[derive(Debug, Default)]
pub(super) struct Scene {
    objects: Vec<u32>,
    pub(super) passes: Vec<Pass>,
    pub(super) sequences: Vec<TileSequence>,
    pub(super) slots: Vec<Slot>,
    /// Last slot of each of the 64 x 64 tiles.
    slot_of: Vec<usize>,
    entries: usize,
    /// Number of addresses beyond the end of memory; they wrap around.
    pub(super) outside: u64,
}

impl Scene {
    /// Returns the passes of a sequence.
    pub(super) fn passes(&self, sequence: &TileSequence) -> &[Pass] {
        &self.passes[sequence.passes.clone()]
    }

    /// Returns the object words of a pass's list.
    pub(super) fn list(&self, pass: &Pass, list: crate::ListType) -> &[u32] {
        let Range { start, end } = pass.lists[list.index()];
        self.objects.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Reads the region array at REGION_BASE and its lists.
    pub(super) fn read(&mut self, vram: &Vram, regs: &Registers, warnings: &mut Warnings) {
        self.objects.clear();
        self.passes.clear();
        self.sequences.clear();
        self.slots.clear();
        self.slot_of.resize(64 * 64, 0);
        self.entries = 0;
        self.outside = 0;
        let typed = regs.get(reg::FPU_PARAM_CFG) >> 21 & 1 != 0;
        let presort = regs.get(reg::ISP_FEED_CFG) & 1 != 0;
        let size = if typed { 24 } else { 20 };
        let mut address = regs.get(reg::REGION_BASE);
        for entry in 0.. {
            if entry == MAX_REGIONS {
                warnings.add(Warning::RegionArrayCut);
                break;
            }
            self.check(address);
            let word = |i: u32| vram.read32(Area::Bits32, address.wrapping_add(4 * i));
            let control = word(0);
            let lists = [1, 2, 3, 4, 5].map(|n| match n {
                5 if !typed => 0..0,
                _ => self.objects(vram, word(n), warnings),
            });
            let flush = control >> 28 & 1 == 0;
            self.push(
                flush,
                Pass {
                    entry,
                    x: control >> 2 & 0x3F,
                    y: control >> 8 & 0x3F,
                    is_first: true,
                    keep_depth: control >> 30 & 1 != 0,
                    presort: if typed { control >> 29 & 1 != 0 } else { presort },
                    slot: None,
                    lists,
                },
            );
            if control >> 31 != 0 {
                break;
            }
            address = address.wrapping_add(size);
        }
        if self.passes.first().is_some_and(|pass| pass.keep_depth) {
            warnings.add(Warning::KeptDepthMissing);
        }
    }

    fn push(&mut self, flush: bool, pass: Pass) {
        let (n, slots) = (self.passes.len(), self.slots.len());
        let last = self.passes.last();
        let last = last.filter(|last| last.slot.is_none() || pass.keep_depth);
        let (goes_on, is_first) = match last {
            Some(last) => (true, last.is_first && last.lists.iter().all(Range::is_empty)),
            None => (false, true),
        };
        match self.sequences.last_mut().filter(|_| goes_on) {
            Some(sequence) => sequence.passes.end = n + 1,
            None => self.sequences.push(TileSequence {
                passes: n..n + 1,
                slots: slots..slots,
            }),
        }
        let slot = flush.then(|| self.slot(pass.x, pass.y));
        self.passes.push(Pass {
            slot,
            is_first,
            ..pass
        });
    }

    /// Returns the slot of a tile in the last sequence.
    fn slot(&mut self, x: u32, y: u32) -> usize {
        let known = &mut self.slot_of[(y * 64 + x) as usize];
        let Some(sequence) = self.sequences.last_mut() else {
            return 0;
        };
        let is_own = sequence.slots.contains(known) && self.slots[*known] == Slot { x, y };
        if !is_own {
            *known = self.slots.len();
            self.slots.push(Slot { x, y });
            sequence.slots.end = self.slots.len();
        }
        *known
    }

    /// Counts an address beyond the end of memory.
    fn check(&mut self, address: u32) {
        self.outside += u64::from(address as usize >= VRAM_BYTES);
    }

    /// Appends the words of the list at a region entry's pointer, following links.
    fn objects(&mut self, vram: &Vram, pointer: u32, warnings: &mut Warnings) -> Range<u32> {
        let start = self.objects.len() as u32;
        let mut address = pointer & 0xFF_FFFC;
        let mut open = pointer >> 31 == 0;
        if open {
            self.check(address);
        }
        while open {
            if self.entries >= MAX_OBJECTS {
                warnings.add(Warning::ListCut);
                break;
            }
            let (block, _) = vram.bytes()[address as usize % VRAM_BYTES..].as_chunks::<4>();
            let most = block.len().min(MAX_OBJECTS - self.entries);
            // Words up to the first that is not an object.
            let objects = block[..most]
                .iter()
                .map(|word| u32::from_le_bytes(*word))
                .take_while(|word| word >> 30 != 3);
            let before = self.objects.len();
            self.objects.extend(objects);
            let found = self.objects.len() - before;
            self.entries += found;
            address = address.wrapping_add(4 * found as u32);
            if found == most {
                continue;
            }
            self.entries += 1;
            let word = vram.read32(Area::Bits32, address);
            address = address.wrapping_add(4);
            match word >> 28 {
                0b1111 => open = false,
                0b1110 => {
                    address = word & 0xFF_FFFC;
                    self.check(address);
                }
                // Reserved.
                _ => {}
            }
        }
        start..self.objects.len() as u32
    }
}
