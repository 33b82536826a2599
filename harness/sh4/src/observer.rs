//! Listening to what the CPU does.

use std::ops::Range;

use crate::table::{Id, Row, flag};
use crate::timing::BlockTiming;
use crate::{Direction, Op, Taken};

/// A data access of an instruction.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Effective address.
    pub address: u32,
    /// Bytes: 1, 2, 4, 8; 32 for PREF and the cache instructions.
    pub size: u8,
    /// Read or write. PREF is a read, the cache instructions are writes.
    pub direction: Direction,
    /// What was read or written, zero-extended; 0 for PREF, the cache instructions and reads that failed.
    pub value: u64,
}

/// An instruction that ran to its end.
#[derive(Clone, Copy, Debug)]
pub struct Retired<'a> {
    /// Its address.
    pub pc: u32,
    /// Its opcode.
    pub opcode: u16,
    /// What it is.
    pub id: Id,
    /// Destination register field, scaled to the first register it names; 0 without one.
    pub n: u8,
    /// Source register field, likewise.
    pub m: u8,
    /// Whether it stood in a delay slot.
    pub in_slot: bool,
    /// For a branch: whether it was taken.
    pub taken: bool,
    /// Its data accesses in order; at most two.
    pub accesses: &'a [Access],
}

/// BasicBlock code that has run: a decoded block, or the part of one that execution went through.
#[derive(Clone, Debug)]
pub struct RetiredBlock<'a> {
    /// Names the block, in this process: where it is the same, so are `start`, `ops`, `opcodes` and `slot`.
    /// [`RetiredBlock::UNNAMED`] for what no CPU has decoded.
    pub number: u64,
    /// Address of the block's first instruction.
    pub start: u32,
    /// The whole block, one operation an instruction. [`Id::skip_if_true`] and [`Id::skip_if_false`] stand for BT and
    /// BF over the instruction behind them.
    pub ops: &'a [Op],
    /// Their opcodes.
    pub opcodes: &'a [u16],
    /// Whether the block's last instruction stands in a delay slot.
    pub slot: bool,
    /// Which of the operations have run to their end, or were skipped.
    pub ran: Range<usize>,
    /// A bit for each [`Id::skip_if_true`] and [`Id::skip_if_false`] among those, the last one's lowest: whether it has
    /// skipped the instruction behind it.
    pub skips: u32,
    /// Whether the branch at the block's end, if it has run, was taken.
    pub taken: bool,
    /// The data accesses of the instructions that ran, in order; [`Row::accesses`](crate::table::Row::accesses) of each.
    pub accesses: &'a [Access],
}

impl<'a> RetiredBlock<'a> {
    /// The number of blocks that do not have one.
    pub const UNNAMED: u64 = 0;

    /// One instruction that has run. `op` is what it was decoded to; of that its immediate is not told.
    #[must_use]
    pub fn single(event: &'a Retired<'a>, op: &'a Op) -> RetiredBlock<'a> {
        RetiredBlock {
            number: RetiredBlock::UNNAMED,
            start: event.pc,
            ops: std::slice::from_ref(op),
            opcodes: std::slice::from_ref(&event.opcode),
            slot: event.in_slot,
            ran: 0..1,
            skips: 0,
            taken: event.taken,
            accesses: event.accesses,
        }
    }

    /// What ran before the operation at `place`, and what from there on.
    #[must_use]
    pub fn split(&self, place: usize) -> (RetiredBlock<'a>, RetiredBlock<'a>) {
        let branch = self.ops.len().saturating_sub(1 + usize::from(self.slot));
        let skipping = |ops: &[Op]| ops.iter().filter(|op| op.skips().is_some()).count() as u32;
        let behind = skipping(&self.ops[place..self.ran.end]);
        let before = &self.ops[self.ran.start..place];
        let made = before
            .iter()
            .map(|op| op.row().map_or(0, Row::accesses))
            .sum::<usize>();
        let (accesses, rest) = self.accesses.split_at(made.min(self.accesses.len()));
        let skips = self.skips.checked_shr(behind).unwrap_or(0);
        // The instruction at `place` did not run if the one before has skipped it.
        let skipped = before.last().is_some_and(|op| op.skips().is_some()) && skips & 1 != 0;
        let first = RetiredBlock {
            ran: self.ran.start..place,
            skips,
            taken: self.taken && place > branch,
            accesses,
            ..self.clone()
        };
        let second = RetiredBlock {
            ran: place + usize::from(skipped)..self.ran.end,
            skips: self.skips & 1_u32.checked_shl(behind).unwrap_or(0).wrapping_sub(1),
            taken: self.taken && place <= branch,
            accesses: rest,
            ..self.clone()
        };
        (first, second)
    }

    /// The instructions that ran, one by one.
    pub fn instructions(&self) -> impl Iterator<Item = Retired<'a>> {
        let (ops, opcodes) = (self.ops, self.opcodes);
        let (start, slot, skips, taken) = (self.start, self.slot, self.skips, self.taken);
        let mut accesses = self.accesses;
        let mut skipping = self.ops[self.ran.clone()]
            .iter()
            .filter(|op| op.skips().is_some())
            .count();
        let mut indices = self.ran.clone();
        std::iter::from_fn(move || {
            let index = indices.next()?;
            let op = ops[index];
            let mut taken = taken && op.row().is_some_and(|row| row.has(flag::BRANCH));
            if op.skips().is_some() {
                skipping -= 1;
                taken = skips >> skipping & 1 != 0;
            }
            if op.skips().is_some() && taken {
                indices.next();
            }
            let id = op.skips().unwrap_or(op.id);
            let count = op.row().map_or(0, Row::accesses).min(accesses.len());
            let (mine, behind) = accesses.split_at(count);
            accesses = behind;
            Some(Retired {
                pc: start.wrapping_add(2 * index as u32),
                opcode: opcodes[index],
                id,
                n: op.n,
                m: op.m,
                in_slot: slot && index + 1 == ops.len(),
                taken,
                accesses: mine,
            })
        })
    }
}

/// Hears of every instruction, in program order: a branch before its slot. Cycle costs are its business.
pub trait Observer {
    /// False leaves the calls out at compile time.
    const ENABLED: bool = true;
    /// Whether [`Observer::count`] may answer. It is told of everything that has run before it is asked.
    const COUNTS: bool = false;

    /// `event` has just run.
    fn retire(&mut self, event: &Retired<'_>);

    /// `retired` has just run. Whoever does not want to hear of instructions one by one takes them here.
    #[inline]
    fn ran(&mut self, retired: &RetiredBlock<'_>) {
        for event in retired.instructions() {
            self.retire(&event);
        }
    }

    /// An exception or interrupt was entered. Instructions that raised one are not retired, TRAPA is.
    fn taken(&mut self, _taken: &Taken) {}

    /// How often performance event `event` (PMCR bits 5-0) has happened so far, as a count that only grows: what the
    /// program reads through PMCTR. Nothing if it is not counted here; the bus is asked then.
    fn count(&mut self, _event: u8) -> Option<u64> {
        None
    }

    /// What compiled code counts in. Nothing if this has to be told of everything.
    fn timing(&mut self) -> Option<&mut dyn BlockTiming> {
        None
    }
}

/// Does not listen, and costs nothing.
impl Observer for () {
    const ENABLED: bool = false;

    fn retire(&mut self, _event: &Retired<'_>) {}
}

impl<O: Observer> Observer for &mut O {
    const ENABLED: bool = O::ENABLED;
    const COUNTS: bool = O::COUNTS;

    fn retire(&mut self, event: &Retired<'_>) {
        (**self).retire(event);
    }

    fn ran(&mut self, retired: &RetiredBlock<'_>) {
        (**self).ran(retired);
    }

    fn taken(&mut self, taken: &Taken) {
        (**self).taken(taken);
    }

    fn count(&mut self, event: u8) -> Option<u64> {
        (**self).count(event)
    }

    fn timing(&mut self) -> Option<&mut dyn BlockTiming> {
        (**self).timing()
    }
}

/// An [`Observer`] as an object, so that a machine's operations are compiled once for all of them. It is called once a
/// block, where the price of that does not show.
pub trait Listener {
    /// See [`Observer::ran`].
    fn on_block(&mut self, retired: &RetiredBlock<'_>);
    /// See [`Observer::taken`].
    fn on_exception(&mut self, taken: &Taken);
    /// See [`Observer::count`]; nothing at once without [`Observer::COUNTS`].
    fn counted(&mut self, event: u8) -> Option<u64>;
    /// See [`Observer::COUNTS`].
    fn counts(&self) -> bool;
    /// See [`Observer::timing`].
    fn block_timing(&mut self) -> Option<&mut dyn BlockTiming>;
}

impl<O: Observer> Listener for O {
    fn on_block(&mut self, retired: &RetiredBlock<'_>) {
        self.ran(retired);
    }

    fn on_exception(&mut self, taken: &Taken) {
        self.taken(taken);
    }

    fn counted(&mut self, event: u8) -> Option<u64> {
        self.count(event)
    }

    fn counts(&self) -> bool {
        O::COUNTS
    }

    fn block_timing(&mut self) -> Option<&mut dyn BlockTiming> {
        self.timing()
    }
}

/// The observer as an object, if it listens at all.
pub fn listener<O: Observer>(observer: &mut O) -> Option<&mut dyn Listener> {
    if O::ENABLED { Some(observer) } else { None }
}
