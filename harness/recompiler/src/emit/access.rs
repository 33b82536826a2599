//! Counting accesses: in their lines, if those pass and nothing is under way that they might wait for; else they are noted
//! for the end of the block, and so are all behind them.
//!
//! Accesses that follow each other are counted together, in front of whatever may leave the region. Those of one direction
//! around one address are mostly in one line, which is then looked at once.

use super::{Emitter, PLAIN};
use crate::host::Account;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use sh4::meter::{Index, Line, Noted};
use std::mem::offset_of;

/// The number from which on accesses of a block are noted in any case: bits are not enough for more.
const LAST: u32 = 63;
/// Accesses that are counted together at most: more would take more registers than the host has.
const MOST: usize = 16;
/// Bytes in a line of the operand cache.
const LINE: u32 = 32;

/// An access that is not counted yet.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    number: u32,
    writes: bool,
    address: Value,
}

/// Some of one direction that may be in one line: the lowest and the highest address, with their distances from the same.
struct Together {
    writes: bool,
    origin: Value,
    lowest: (i64, Value),
    highest: (i64, Value),
    count: i64,
}

impl Together {
    /// Takes another one in, if it may be in the same line.
    fn take(&mut self, writes: bool, origin: Value, distance: i64, address: Value) -> bool {
        let (low, high) = (self.lowest.0.min(distance), self.highest.0.max(distance));
        if (writes, origin) != (self.writes, self.origin) || high - low >= LINE.into() {
            return false;
        }
        if distance < self.lowest.0 {
            self.lowest = (distance, address);
        } else if distance > self.highest.0 {
            self.highest = (distance, address);
        }
        self.count += 1;
        true
    }
}

impl Emitter<'_, '_> {
    /// The operation under way accesses memory, where that was reached directly: to be counted before anything else may
    /// leave the region, by [`Emitter::count_accesses`].
    pub(super) fn account(&mut self, writes: bool, address: Value) {
        if self.books.is_none() {
            return;
        }
        let number = self.place.accesses;
        if number >= LAST {
            self.count_accesses();
            return self.note(address, None);
        }
        self.pending.push(Pending {
            number,
            writes,
            address,
        });
        if self.pending.len() == MOST {
            self.count_accesses();
        }
    }

    /// Counts what was left for later.
    pub(super) fn count_accesses(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let (Some(books), Some(first)) = (self.books, pending.first()) else {
            return;
        };
        let (quiet, slow, done) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        if first.number == 0 {
            let (base, from) = (self.b.use_var(books.base), self.quiet());
            let calm = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, base, from);
            self.b.ins().brif(calm, quiet, &[], slow, &[]);
        } else {
            // Where none is noted, that has been asked before.
            let noted = self.b.use_var(books.noted);
            self.b.ins().brif(noted, slow, &[], quiet, &[]);
        }
        self.go_on(quiet);
        let together = self.together(&pending);
        let lines: Vec<Value> = together
            .iter()
            .map(|some| {
                if some.count > 1 {
                    let apart = self.b.ins().bxor(some.lowest.1, some.highest.1);
                    let one = self
                        .b
                        .ins()
                        .icmp_imm(IntCC::UnsignedLessThan, apart, i64::from(LINE));
                    self.stay_if(one, slow);
                }
                let line = self.line(books.lines, some.lowest.1);
                let there = self.load_number(line, side(some.writes) + offset_of!(Line, address));
                let wanted = self.and(some.lowest.1, !(LINE - 1));
                let same = self.b.ins().icmp(IntCC::Equal, there, wanted);
                self.stay_if(same, slow);
                line
            })
            .collect();
        for (some, line) in together.iter().zip(lines) {
            let count = self.b.ins().iconst(types::I64, some.count);
            self.add_at(line, side(some.writes) + offset_of!(Line, accesses), count);
        }
        self.b.ins().jump(done, &[]);
        self.cold(slow);
        let notes = self.load_account(offset_of!(Account, noted));
        for access in &pending {
            self.store_at(
                notes,
                note_of(access.number) + offset_of!(Noted, address),
                access.address,
            );
        }
        self.noted(pending.iter().fold(0, |bits, access| bits | bit(access.number)));
        self.b.ins().jump(done, &[]);
        self.go_on(done);
    }

    /// Which of them may be in one line.
    fn together(&self, pending: &[Pending]) -> Vec<Together> {
        let mut all: Vec<Together> = Vec::new();
        for access in pending {
            let (writes, address) = (access.writes, access.address);
            let (origin, distance) = self.around.origin(address);
            if all
                .iter_mut()
                .any(|some| some.take(writes, origin, distance, address))
            {
                continue;
            }
            all.push(Together {
                writes,
                origin,
                lowest: (distance, address),
                highest: (distance, address),
                count: 1,
            });
        }
        all
    }

    /// Where the two lines for an address lie: those for bits 13 to 5 of it, but for unusual settings.
    fn line(&mut self, lines: Index, address: Value) -> Value {
        let size = size_of::<[Line; 2]>() as u32;
        let low = self.and(address, u32::from(lines.low) << 5);
        let high = self.and(address, 1 << lines.high);
        let high = self.b.ins().ushr_imm(high, i64::from(lines.high));
        let high = self.b.ins().ishl_imm(high, 13);
        let entry = if (lines.high, lines.low) == (13, 0xFF) {
            self.and(address, 0x3FE0)
        } else {
            self.b.ins().bor(low, high)
        };
        let entry = self.b.ins().uextend(types::I64, entry);
        let place = match size {
            32 => entry,
            _ => self.b.ins().imul_imm(entry, i64::from(size / 32)),
        };
        let lines = self.load_account(offset_of!(Account, lines));
        self.b.ins().iadd(lines, place)
    }

    /// Notes the access under way for the end of the block, and that those behind it are noted too; with what it wrote past
    /// the bus's window.
    pub(super) fn note(&mut self, address: Value, value: Option<Value>) {
        if self.books.is_some() {
            let notes = self.load_account(offset_of!(Account, noted));
            let place = note_of(self.place.accesses);
            self.store_at(notes, place + offset_of!(Noted, address), address);
            if let Some(value) = value {
                self.store_at(notes, place + offset_of!(Noted, value), value);
            }
            self.noted(bit(self.place.accesses));
        }
    }

    fn store_at(&mut self, address: Value, place: usize, value: Value) {
        self.b.ins().store(PLAIN, value, address, place as i32);
    }

    /// The access under way is noted elsewhere, and so are those behind it.
    pub(super) fn is_noted(&mut self) {
        self.noted(bit(self.place.accesses));
    }

    fn noted(&mut self, bits: u64) {
        let Some(books) = self.books else { return };
        let noted = self.b.use_var(books.noted);
        let noted = self.b.ins().bor_imm(noted, bits as i64);
        self.b.def_var(books.noted, noted);
    }
}

/// Where an access is noted.
fn note_of(number: u32) -> usize {
    number as usize * size_of::<Noted>()
}

/// The bit of an access that is noted.
fn bit(number: u32) -> u64 {
    1 << number.min(LAST)
}

/// Where a line's loads or stores are.
fn side(writes: bool) -> usize {
    usize::from(writes) * size_of::<Line>()
}
