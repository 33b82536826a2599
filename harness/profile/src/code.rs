//! Straight code that ran, and the ways through it.

use crate::hash::NumberMap;
use sh4::meter::{FEW, Part};
use sh4::table::{Id, flag};
use sh4::{Op, Stretch};

/// A decoded block, or the rest of one from an instruction inside.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    /// Address of its first instruction.
    pub(crate) start: u32,
    /// Whether its last instruction stands in a delay slot.
    slot: bool,
    /// Branches in it over one instruction, if they are few.
    skipping: Option<u8>,
    pub(crate) ops: Box<[Op]>,
    pub(crate) opcodes: Box<[u16]>,
    /// What [`MemoryModel::holds_code`](crate::memory::MemoryModel) knows of it.
    pub(crate) resident: u64,
}

/// An instruction on a way through code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    /// Its place in the code.
    pub(crate) index: u8,
    /// What it is: never a stand-in as in [`Op::skips`].
    pub(crate) id: Id,
    /// For a branch: whether it was taken.
    pub(crate) taken: bool,
}

/// A way through code, from its first instruction on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Path {
    /// How far it leads.
    length: u32,
    skips: u32,
    taken: bool,
}

impl Path {
    #[inline]
    pub(crate) fn of(stretch: &Stretch<'_>) -> Path {
        Path {
            length: stretch.ran.len() as u32,
            skips: stretch.skips,
            taken: stretch.taken,
        }
    }

    pub(crate) fn new(part: &Part) -> Path {
        Path {
            length: part.length,
            skips: part.skips,
            taken: part.taken,
        }
    }
}

impl Code {
    fn new(stretch: &Stretch<'_>) -> Code {
        let first = stretch.ran.start;
        let ops = &stretch.ops[first..];
        let skipping = ops.iter().filter(|op| op.skips().is_some()).count();
        Code {
            start: stretch.start.wrapping_add(2 * first as u32),
            slot: stretch.slot,
            skipping: (skipping <= FEW).then_some(skipping as u8),
            ops: ops.into(),
            opcodes: stretch.opcodes[first..].into(),
            resident: 0,
        }
    }

    fn is(&self, stretch: &Stretch<'_>) -> bool {
        let first = stretch.ran.start;
        self.slot == stretch.slot
            && *self.opcodes == stretch.opcodes[first..]
            && *self.ops == stretch.ops[first..]
    }

    /// Instructions in it.
    pub(crate) fn length(&self) -> u32 {
        self.ops.len() as u32
    }

    /// Its size in memory.
    #[inline]
    pub(crate) fn bytes(&self) -> u32 {
        2 * self.length()
    }

    /// The address of an instruction.
    #[inline]
    pub(crate) fn address(&self, index: u8) -> u32 {
        self.start.wrapping_add(2 * u32::from(index))
    }

    /// Whether an instruction stands in a delay slot.
    pub(crate) fn in_slot(&self, index: u8) -> bool {
        self.slot && usize::from(index) + 1 == self.ops.len()
    }

    /// How many ways to its end have places, see [`Code::place`].
    pub(crate) fn ways(&self) -> usize {
        self.skipping.map_or(0, |skipping| 2 << skipping)
    }

    /// The place of a way among those to the end: what each branch over one instruction has done, then the one at the end.
    /// Other ways have none.
    #[inline]
    pub(crate) fn place(&self, path: Path) -> Option<usize> {
        let whole = path.length == self.length() && self.skipping.is_some();
        whole.then_some((path.skips as usize) << 1 | usize::from(path.taken))
    }

    /// The instructions on a way through it.
    pub(crate) fn visits(&self, path: Path) -> Vec<Visit> {
        let ops = &self.ops[..path.length as usize];
        let mut skipping = ops.iter().filter(|op| op.skips().is_some()).count();
        let mut visits = Vec::with_capacity(ops.len());
        let mut skipped = false;
        for (index, op) in ops.iter().enumerate() {
            if std::mem::take(&mut skipped) {
                continue;
            }
            let mut taken = path.taken && op.row().is_some_and(|row| row.has(flag::BRANCH));
            if op.skips().is_some() {
                skipping -= 1;
                taken = path.skips >> skipping & 1 != 0;
                skipped = taken;
            }
            visits.push(Visit {
                index: index as u8,
                id: op.skips().unwrap_or(op.id),
                taken,
            });
        }
        visits
    }
}

/// Blocks whose code is found at once.
const RECENT: usize = 1024;
/// Codes at one address among which a known one is looked for.
const VARIANTS: usize = 16;

/// All code that ran.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    pub(crate) all: Vec<Code>,
    /// Code by the number of its block, the block being there from its beginning.
    recent: Vec<(u64, u32)>,
    /// The same with the place where it begins in the block.
    by_number: NumberMap<(u64, usize), u32>,
    by_start: NumberMap<u32, Vec<u32>>,
}

impl Codes {
    pub(crate) fn new() -> Codes {
        Codes {
            all: Vec::new(),
            recent: vec![(Stretch::UNNAMED, 0); RECENT],
            by_number: NumberMap::default(),
            by_start: NumberMap::default(),
        }
    }

    /// Whether it should be emptied: memory use has to stay flat.
    pub(crate) fn is_full(&self, most: usize) -> bool {
        self.all.len() >= most || self.by_number.len() >= most
    }

    /// The index of the code that `stretch` ran through.
    #[inline]
    pub(crate) fn find(&mut self, stretch: &Stretch<'_>) -> u32 {
        let place = stretch.number as usize % RECENT;
        let (number, code) = self.recent[place];
        let known = number == stretch.number && stretch.ran.start == 0 && number != Stretch::UNNAMED;
        if known { code } else { self.look_up(stretch) }
    }

    #[cold]
    fn look_up(&mut self, stretch: &Stretch<'_>) -> u32 {
        let key = (stretch.number, stretch.ran.start);
        let named = stretch.number != Stretch::UNNAMED;
        let code = match self.by_number.get(&key) {
            Some(code) if named => *code,
            _ => self.identify(stretch),
        };
        if named {
            self.by_number.insert(key, code);
            if stretch.ran.start == 0 {
                self.recent[stretch.number as usize % RECENT] = (stretch.number, code);
            }
        }
        code
    }

    /// The same by what stands there: a block may have been decoded anew.
    fn identify(&mut self, stretch: &Stretch<'_>) -> u32 {
        let start = stretch.start.wrapping_add(2 * stretch.ran.start as u32);
        let variants = self.by_start.entry(start).or_default();
        let known = variants
            .iter()
            .rev()
            .take(VARIANTS)
            .find(|code| self.all[**code as usize].is(stretch));
        if let Some(code) = known {
            return *code;
        }
        let code = self.all.len() as u32;
        variants.push(code);
        self.all.push(Code::new(stretch));
        code
    }
}
