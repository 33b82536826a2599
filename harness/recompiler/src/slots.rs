//! What is known of start addresses: how often the interpreter has come there, and what is compiled for them.

use crate::region::{Mode, Plan};

/// Places; a newer address takes the place of an older one.
const SLOTS: usize = 1 << 14;
/// A block that has run less often than this part of what makes a block hot is left out of its region.
const COLD: u32 = 16;
/// How often the wait for a place whose code changes is doubled.
const SETBACKS: u32 = 12;

/// A start address under one mode.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slot {
    pc: u32,
    mode: Option<Mode>,
    /// How often the interpreter has begun the block, as far as it asked.
    count: u32,
    /// At which count it is looked at; never if that is [`NEVER`].
    due: u32,
    /// Compiling it is decided: it was compiled before.
    pub(crate) renewed: bool,
    /// How often what was compiled for it was found to be changed.
    setbacks: u32,
    pub(crate) region: Option<u32>,
}

const NEVER: u32 = u32::MAX;

/// Why a region was thrown away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Discarded {
    /// It is to be compiled again as soon as control comes there.
    Renewed,
    /// It is no longer the code there.
    Changed,
    /// The interpreter is faster.
    Slower,
}

/// How many times as often the interpreter has to come to where a region was given up.
const RETIRED: u32 = 64;

/// All of them, direct-mapped.
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

    /// That of an address under a mode, if it has one.
    pub(crate) fn get(&mut self, pc: u32, mode: Mode) -> Option<&mut Slot> {
        let slot = &mut self.slots[Slots::place(pc, mode)];
        (slot.pc == pc && slot.mode == Some(mode)).then_some(slot)
    }

    /// The same; if it has none, it takes one.
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

    /// How often the interpreter has begun a block.
    fn count(&self, pc: u32, mode: Mode) -> u32 {
        let slot = &self.slots[Slots::place(pc, mode)];
        if slot.pc == pc && slot.mode == Some(mode) {
            slot.count
        } else {
            0
        }
    }

    /// Whether a block has run too rarely to be compiled with others.
    pub(crate) fn is_cold(&self, pc: u32, mode: Mode) -> bool {
        self.count(pc, mode) < self.hot / COLD
    }

    /// Whether the interpreter has run as many instructions of `plan` as make compiling it worth while.
    pub(crate) fn pays(&self, plan: &Plan, mode: Mode) -> bool {
        let ran = plan
            .blocks
            .iter()
            .map(|code| u64::from(self.count(code.start(), mode)) * code.ops().len() as u64);
        ran.sum::<u64>() >= u64::from(self.hot) * plan.instructions()
    }

    /// What was compiled for a place is no longer its code: the next time it has to be hotter.
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
    /// The interpreter comes here, and has run `passed` blocks since it asked last. Whether to look if compiling pays.
    pub(crate) fn come(&mut self, passed: u32) -> bool {
        self.count = self.count.saturating_add(1 + passed).min(NEVER - 1);
        self.count >= self.due
    }

    /// Looked at again when that often as many blocks have run.
    pub(crate) fn put_off(&mut self) {
        self.due = self.count.saturating_mul(2);
    }

    /// What was compiled for it is gone.
    pub(crate) fn lost(&mut self, why: Discarded) {
        (self.region, self.renewed) = (None, why == Discarded::Renewed);
        self.due = match why {
            Discarded::Renewed => self.count,
            Discarded::Changed => self.count.saturating_mul(2),
            Discarded::Slower => self.count.saturating_mul(RETIRED),
        }
        .min(NEVER - 1);
    }

    /// Not looked at again.
    pub(crate) fn give_up(&mut self) {
        self.due = NEVER;
    }
}
