//! Start addresses: execution counts, and compiled regions.

use crate::region::{Mode, Plan};

/// The count of slots. A newer address replaces an older one.
const SLOTS: usize = 1 << 14;
/// The fraction of the hot count below which a block is left out of a region.
const COLD: u32 = 16;
/// The most times that the hot count of changing code is doubled.
const SETBACKS: u32 = 12;

/// A start address under one mode.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slot {
    pc: u32,
    mode: Option<Mode>,
    /// How often the interpreter has begun the block, as far as it made offers.
    count: u32,
    /// The count at which compiling is considered; or [`NEVER`].
    due: u32,
    /// It was compiled before and is compiled again at once.
    pub(crate) renewed: bool,
    /// How often its code has changed.
    setbacks: u32,
    pub(crate) region: Option<u32>,
}

const NEVER: u32 = u32::MAX;

/// The reason for which a region was discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Discarded {
    /// It is compiled again at the next entry.
    Renewed,
    /// Its code has changed.
    Changed,
}

/// All slots, direct-mapped.
pub(crate) struct Slots {
    slots: Box<[Slot]>,
    /// See [`Options::hot`](crate::Options::hot); at least 1.
    hot: u32,
}

impl Slots {
    pub(crate) fn new(hot: u32) -> Slots {
        Slots {
            slots: vec![Slot::default(); SLOTS].into(),
            hot: hot.max(1),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.slots.fill(Slot::default());
    }

    fn place(pc: u32, mode: Mode) -> usize {
        (pc >> 1).wrapping_add(mode.spread()) as usize % SLOTS
    }

    /// The slot of an address and a mode, if there is one.
    pub(crate) fn get(&mut self, pc: u32, mode: Mode) -> Option<&mut Slot> {
        let slot = &mut self.slots[Slots::place(pc, mode)];
        (slot.pc == pc && slot.mode == Some(mode)).then_some(slot)
    }

    /// The same; allocates a slot if there is none.
    pub(crate) fn take(&mut self, pc: u32, mode: Mode) -> &mut Slot {
        let slot = &mut self.slots[Slots::place(pc, mode)];
        if slot.pc != pc || slot.mode != Some(mode) {
            *slot = Slot {
                pc,
                mode: Some(mode),
                due: self.hot,
                ..Slot::default()
            };
        }
        slot
    }

    /// The execution count of a block.
    fn count(&self, pc: u32, mode: Mode) -> u32 {
        let slot = &self.slots[Slots::place(pc, mode)];
        if slot.pc == pc && slot.mode == Some(mode) {
            slot.count
        } else {
            0
        }
    }

    /// Whether a block was executed too rarely to be compiled with others.
    pub(crate) fn is_cold(&self, pc: u32, mode: Mode) -> bool {
        self.count(pc, mode) < self.hot / COLD
    }

    /// Whether the interpreter has run enough instructions of `plan` to compile it.
    pub(crate) fn pays(&self, plan: &Plan, mode: Mode) -> bool {
        let ran = plan
            .blocks
            .iter()
            .map(|code| u64::from(self.count(code.start(), mode)) * code.ops().len() as u64);
        ran.sum::<u64>() >= u64::from(self.hot) * plan.instructions()
    }

    /// Doubles the hot count of a slot whose code has changed.
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
    /// Counts an execution and `passed` blocks since the last offer. Returns whether to consider compiling.
    pub(crate) fn come(&mut self, passed: u32) -> bool {
        self.count = self.count.saturating_add(1 + passed).min(NEVER - 1);
        self.count >= self.due
    }

    /// Considers it again when the count has doubled.
    pub(crate) fn put_off(&mut self) {
        self.due = self.count.saturating_mul(2);
    }

    /// Its region was discarded.
    pub(crate) fn lost(&mut self, why: Discarded) {
        (self.region, self.renewed) = (None, why == Discarded::Renewed);
        self.due = match why {
            Discarded::Renewed => self.count,
            Discarded::Changed => self.count.saturating_mul(2),
        }
        .min(NEVER - 1);
    }

    /// Never considers it again.
    pub(crate) fn give_up(&mut self) {
        self.due = NEVER;
    }
}
