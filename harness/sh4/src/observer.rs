//! Observers of execution.

use std::ops::Range;

use crate::table::{Id, Row, flag};
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
    /// The value read or written, zero-extended; 0 for PREF, the cache instructions and reads that failed.
    pub value: u64,
}

/// An instruction that completed.
#[derive(Clone, Copy, Debug)]
pub struct Retired<'a> {
    /// Address of the instruction.
    pub pc: u32,
    /// Opcode of the instruction.
    pub opcode: u16,
    /// The instruction.
    pub id: Id,
    /// Destination register field, scaled to the first register it names; 0 without one.
    pub n: u8,
    /// Source register field, scaled in the same way.
    pub m: u8,
    /// True for an instruction in a delay slot.
    pub in_slot: bool,
    /// For a branch: true if it was taken.
    pub taken: bool,
    /// Data accesses in order; at most two.
    pub accesses: &'a [Access],
}

/// An executed block, or the executed part of one.
#[derive(Clone, Debug)]
pub struct RetiredBlock<'a> {
    /// Number of the block in this process: blocks with the same number have the same `start`, `ops`,
    /// `opcodes` and `slot`. [`RetiredBlock::UNNAMED`] for blocks that no CPU has decoded.
    pub number: u64,
    /// Address of the block's first instruction.
    pub start: u32,
    /// All operations of the block, one per instruction. [`Id::skip_if_true`] and [`Id::skip_if_false`]
    /// represent BT and BF over the next instruction.
    pub ops: &'a [Op],
    /// Opcodes of the operations.
    pub opcodes: &'a [u16],
    /// True if the last instruction of the block is in a delay slot.
    pub slot: bool,
    /// The operations that were executed or skipped.
    pub ran: Range<usize>,
    /// One bit for each executed [`Id::skip_if_true`] and [`Id::skip_if_false`], with the last one in bit 0.
    /// The bit is 1 if the operation skipped the next instruction.
    pub skips: u32,
    /// True if the branch at the end of the block was executed and taken.
    pub taken: bool,
    /// The data accesses in order; [`Row::accesses`](crate::table::Row::accesses) of each executed
    /// instruction.
    pub accesses: &'a [Access],
}

impl<'a> RetiredBlock<'a> {
    /// The number of all blocks that no CPU has decoded.
    pub const UNNAMED: u64 = 0;

    /// One executed instruction. `op` is its decoded operation; the immediate is not used.
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

    /// Splits the executed part before the operation at `place`.
    #[must_use]
    pub fn split(&self, place: usize) -> (RetiredBlock<'a>, RetiredBlock<'a>) {
        let branch = self.ops.len().saturating_sub(1 + usize::from(self.slot));
        let skipping = |ops: &[Op]| ops.iter().filter(|op| op.skips().is_some()).count() as u32;
        let after = skipping(&self.ops[place..self.ran.end]);
        let before = &self.ops[self.ran.start..place];
        let made = before
            .iter()
            .map(|op| op.row().map_or(0, Row::accesses))
            .sum::<usize>();
        let (accesses, rest) = self.accesses.split_at(made.min(self.accesses.len()));
        let skips = self.skips.checked_shr(after).unwrap_or(0);
        // The operation at `place` did not run if the operation before it skipped it.
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
            skips: self.skips & 1_u32.checked_shl(after).unwrap_or(0).wrapping_sub(1),
            taken: self.taken && place <= branch,
            accesses: rest,
            ..self.clone()
        };
        (first, second)
    }

    /// The executed instructions, one by one.
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
            let (mine, after) = accesses.split_at(count);
            accesses = after;
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

/// Receives every executed instruction in program order, a branch before its slot. A cycle model is an
/// observer.
pub trait Observer {
    /// Returns true if the CPU must call the observer.
    fn is_enabled(&self) -> bool {
        true
    }

    /// Returns true if [`Observer::count`] may return a count. The CPU then reports all executed instructions
    /// before it calls `count`.
    fn counts(&self) -> bool {
        false
    }

    /// Receives an executed instruction.
    fn retire(&mut self, event: &Retired<'_>);

    /// Receives an executed block. The default implementation passes each instruction to `retire`.
    #[inline]
    fn ran(&mut self, retired: &RetiredBlock<'_>) {
        for event in retired.instructions() {
            self.retire(&event);
        }
    }

    /// Receives an exception or interrupt that was entered. The CPU does not retire an instruction that
    /// raised one, except TRAPA.
    fn taken(&mut self, _taken: &Taken) {}

    /// The number of times that performance event `event` (PMCR bits 5-0) has happened; PMCTR reads it. It
    /// never decreases. If this returns `None`, the CPU reads the bus's count.
    fn count(&mut self, _event: u8) -> Option<u64> {
        None
    }

    /// The number of cycles until now, if the observer is the clock of the bus's devices. The bus receives it
    /// with a deferred access ([`Bus::begin_deferred`](crate::Bus::begin_deferred)).
    fn elapsed(&mut self) -> Option<u64> {
        None
    }
}

/// Run without an observer and without its cost.
impl Observer for () {
    fn is_enabled(&self) -> bool {
        false
    }

    fn retire(&mut self, _event: &Retired<'_>) {}
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn is_enabled(&self) -> bool {
        (**self).is_enabled()
    }

    fn counts(&self) -> bool {
        (**self).counts()
    }

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

    fn elapsed(&mut self) -> Option<u64> {
        (**self).elapsed()
    }
}

/// The observer as an object, if it is enabled.
pub fn enabled<O: Observer>(observer: &mut O) -> Option<&mut dyn Observer> {
    if observer.is_enabled() {
        Some(observer)
    } else {
        None
    }
}
