//! Table of block addresses with their execution counts and compiled regions.

use crate::region::{Mode, Plan};

/// Number of sets. Every address and mode belongs to one set.
const SETS: usize = 1 << 13;
/// Number of slots in a set.
const WAYS: usize = 4;
/// Divisor of the hot count: a block with fewer executions is left out of a region.
const COLD: u32 = 16;
/// Maximum number of times that the hot count of changing code is doubled.
const SETBACKS: u32 = 12;

/// Entry for the block at an address in one CPU mode.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slot {
    pc: u32,
    mode: Option<Mode>,
    /// Estimated number of executions by the interpreter. Executions of blocks that were not offered to the
    /// recompiler count for the next offered block.
    count: u32,
    /// Value of `count` at which compiling is considered, or [`NEVER`].
    due: u32,
    /// True if the region is to be recompiled at the next execution.
    pub(crate) renewed: bool,
    /// Number of changes of the code.
    setbacks: u32,
    pub(crate) region: Option<u32>,
}

const NEVER: u32 = u32::MAX;

/// Reason for which a region was discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Discarded {
    /// Another compile mode is better. The region is recompiled at the next entry.
    Renewed,
    /// The guest code has changed.
    Changed,
}

/// Table of slots in sets, so that blocks of a large program do not replace the regions of others.
pub(crate) struct Slots {
    sets: Box<[[Slot; WAYS]]>,
    /// See [`Options::hot`](crate::Options::hot); at least 1.
    hot: u32,
}

impl Slots {
    pub(crate) fn new(hot: u32) -> Slots {
        Slots {
            sets: vec![[Slot::default(); WAYS]; SETS].into(),
            hot: hot.max(1),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.sets.fill([Slot::default(); WAYS]);
    }

    /// Index of a set. The upper bits of the product depend on all bits of the address and the mode.
    fn set(pc: u32, mode: Mode) -> usize {
        // 2^32 divided by the golden ratio.
        let mixed = (pc >> 1).wrapping_add(mode.spread()).wrapping_mul(0x9E37_79B9);
        (mixed >> (u32::BITS - SETS.trailing_zeros())) as usize
    }

    /// Returns the slot of an address and a mode, if it exists.
    pub(crate) fn get(&mut self, pc: u32, mode: Mode) -> Option<&mut Slot> {
        let set = &mut self.sets[Slots::set(pc, mode)];
        set.iter_mut().find(|slot| slot.is_for(pc, mode))
    }

    /// Returns the slot of an address and a mode. If necessary, replaces a slot of the set: one without a
    /// region if there is one, with the fewest executions.
    pub(crate) fn get_or_insert(&mut self, pc: u32, mode: Mode) -> &mut Slot {
        let set = &mut self.sets[Slots::set(pc, mode)];
        let found = set.iter().position(|slot| slot.is_for(pc, mode));
        let replaced = || (0..WAYS).min_by_key(|&way| (set[way].region.is_some(), set[way].count));
        let way = found.or_else(replaced).unwrap_or(0);
        let slot = &mut set[way];
        if found.is_none() {
            *slot = Slot {
                pc,
                mode: Some(mode),
                due: self.hot,
                ..Slot::default()
            };
        }
        slot
    }

    /// Execution count of a block.
    fn count(&self, pc: u32, mode: Mode) -> u32 {
        let mut set = self.sets[Slots::set(pc, mode)].iter();
        set.find(|slot| slot.is_for(pc, mode))
            .map_or(0, |slot| slot.count)
    }

    /// Returns true if a block was executed too rarely to be compiled with other blocks.
    pub(crate) fn is_cold(&self, pc: u32, mode: Mode) -> bool {
        self.count(pc, mode) < self.hot / COLD
    }

    /// Returns true if the interpreter has run the instructions of `plan` often enough to compile it.
    pub(crate) fn is_hot(&self, plan: &Plan, mode: Mode) -> bool {
        let ran = plan
            .blocks
            .iter()
            .map(|code| u64::from(self.count(code.start(), mode)) * code.ops().len() as u64);
        ran.sum::<u64>() >= u64::from(self.hot) * plan.instructions()
    }

    /// Doubles the hot count of a block after a change of its code.
    pub(crate) fn set_back(&mut self, pc: u32, mode: Mode) {
        let hot = self.hot;
        if let Some(slot) = self.get(pc, mode) {
            let setbacks = (slot.setbacks + 1).min(SETBACKS);
            *slot = Slot {
                pc,
                mode: Some(mode),
                due: hot.saturating_mul(1 << setbacks).min(NEVER - 1),
                setbacks,
                ..Slot::default()
            };
        }
    }
}

impl Slot {
    fn is_for(&self, pc: u32, mode: Mode) -> bool {
        self.pc == pc && self.mode == Some(mode)
    }

    /// Counts an execution, and `passed` blocks since the last offer. Returns true if compiling is to be
    /// considered.
    pub(crate) fn count_execution(&mut self, passed: u32) -> bool {
        self.count = self.count.saturating_add(1 + passed).min(NEVER - 1);
        self.count >= self.due
    }

    /// Postpones compiling until the count has doubled.
    pub(crate) fn postpone(&mut self) {
        self.due = self.count.saturating_mul(2);
    }

    /// Records that the region was discarded.
    pub(crate) fn record_discard(&mut self, why: Discarded) {
        (self.region, self.renewed) = (None, why == Discarded::Renewed);
        self.due = match why {
            Discarded::Renewed => self.count,
            Discarded::Changed => self.count.saturating_mul(2),
        }
        .min(NEVER - 1);
    }

    /// Disables compiling of the block.
    pub(crate) fn disable(&mut self) {
        self.due = NEVER;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sh4::{Cpu, Settings};

    #[test]
    fn blocks_of_a_set_do_not_replace_a_region() {
        const HOT: u32 = 0x8C01_0000;
        let mode = Mode::of(&Cpu::new(Settings::default()));
        let set = Slots::set(HOT, mode);
        let others = (HOT + 2..).step_by(2).filter(|pc| Slots::set(*pc, mode) == set);
        let others: Vec<u32> = others.take(2 * WAYS).collect();
        let mut slots = Slots::new(100);
        slots.get_or_insert(HOT, mode).region = Some(7);
        for pc in &others {
            slots.get_or_insert(*pc, mode).count_execution(0);
        }
        assert_eq!(slots.get(HOT, mode).and_then(|slot| slot.region), Some(7));
        let kept = others.iter().filter(|pc| slots.get(**pc, mode).is_some());
        assert_eq!(kept.count(), WAYS - 1);
    }
}
