//! Counting: what compiled code writes into the books of a meter (see [`sh4::meter`]).
//!
//! Between two blocks stands the way by which the last one was left. At a block's head that says whether this is the block
//! that was expected, and where its ways are; at its end, the way taken is counted and its cycles are added. Of accesses
//! that are noted (see `access`) the meter is told then.

use super::exits::Pc;
use super::{Emitter, PLAIN, Place, source_block};
use crate::host::{Account, Call, Context, DONE, Here};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use sh4::meter::{AFTER, Index, Standing, Way};
use std::mem::offset_of;

/// The places of a meter's books in variables.
#[derive(Clone, Copy)]
pub(super) struct Books {
    /// The way by which the last block was left: where it lies on the host.
    way: Variable,
    pub(super) base: Variable,
    pub(super) quiet: Variable,
    /// Accesses of the block under way that are noted, one bit each by their number. From the first one on all are.
    pub(super) noted: Variable,
    pub(super) lines: Index,
}

impl Books {
    pub(super) fn new(b: &mut FunctionBuilder<'_>, lines: Index) -> Books {
        let [way, base, quiet] = [(); 3].map(|()| b.declare_var(types::I64));
        Books {
            way,
            base,
            quiet,
            noted: b.declare_var(types::I64),
            lines,
        }
    }
}

/// A place in the account, from the context on.
const fn at(place: usize) -> usize {
    offset_of!(Context, account) + place
}

/// The same in [`Standing`].
const fn standing(place: usize) -> usize {
    at(offset_of!(Account, standing)) + place
}

/// A way's size is that power of two.
const WAY_BITS: i64 = size_of::<Way>().trailing_zeros() as i64;

impl Emitter<'_, '_> {
    /// Takes the variables from the context, at the entry and after whatever tells the meter something.
    pub(super) fn load_books(&mut self) {
        let Some(books) = self.books else { return };
        for (variable, place) in [
            (books.base, offset_of!(Standing, base)),
            (books.quiet, offset_of!(Standing, quiet)),
        ] {
            let value = self.load_context(types::I64, standing(place));
            self.b.def_var(variable, value);
        }
        let number = self.load_context(types::I64, standing(offset_of!(Standing, way)));
        let way = self.way(number);
        self.b.def_var(books.way, way);
    }

    /// Puts them there.
    pub(super) fn store_books(&mut self) {
        let Some(books) = self.books else { return };
        let base = self.b.use_var(books.base);
        self.store_context(base, standing(offset_of!(Standing, base)));
        let (way, ways) = (
            self.b.use_var(books.way),
            self.load_account(offset_of!(Account, ways)),
        );
        let distance = self.b.ins().isub(way, ways);
        let number = self.b.ins().ushr_imm(distance, WAY_BITS);
        self.store_context(number, standing(offset_of!(Standing, way)));
    }

    /// Calls what tells the meter something.
    pub(super) fn call_meter(&mut self, call: Call, arguments: &[Value]) -> Value {
        self.store_books();
        let answer = self.call(call, arguments);
        self.load_books();
        answer
    }

    pub(super) fn load_account(&mut self, place: usize) -> Value {
        self.load_context(types::I64, at(place))
    }

    /// A word at an address, as 64 bits.
    pub(super) fn load_wide(&mut self, address: Value, place: usize) -> Value {
        self.b.ins().uload32(PLAIN, address, place as i32)
    }

    /// Where the way of a number lies on the host.
    fn way(&mut self, number: Value) -> Value {
        let ways = self.load_account(offset_of!(Account, ways));
        let distance = self.b.ins().ishl_imm(number, WAY_BITS);
        self.b.ins().iadd(ways, distance)
    }

    /// A number at an address.
    pub(super) fn load_number(&mut self, address: Value, place: usize) -> Value {
        self.b.ins().load(types::I32, PLAIN, address, place as i32)
    }

    /// Leaves at the block's head if the interpreter has to tell of it. It has not if execution comes there from the last
    /// block as before, and its code was found in the cache.
    pub(super) fn arrive(&mut self) {
        let Some(books) = self.books else { return };
        let (block, exit) = (self.place.block, self.exit_at_head());
        let (slow, go) = (self.b.create_block(), self.b.create_block());
        let way = self.b.use_var(books.way);
        let here = self.load_account(offset_of!(Account, here));
        let place = block * size_of::<Here>();
        let next = self.load_number(way, offset_of!(Way, next));
        let expected = self.load_number(here, place + offset_of!(Here, expected));
        let same = self.b.ins().icmp(IntCC::Equal, next, expected);
        self.b.ins().brif(same, go, &[], slow, &[]);
        self.cold(slow);
        let block = self.word(block as u32);
        let goes = self.call_meter(Call::Arrive, &[block]);
        self.b.ins().brif(goes, go, &[], exit, &[]);
        self.go_on(go);
        let none = self.b.ins().iconst(types::I64, 0);
        self.b.def_var(books.noted, none);
    }

    /// The block under way has come to its end, by a branch that is taken or not: counts the way. Leaves for `pc` if the
    /// region has to be left.
    pub(super) fn step(&mut self, taken: bool, pc: Pc) {
        let Some(books) = self.books else { return };
        let (known, slow, done) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let which = self.b.ins().iconst(types::I8, i64::from(taken));
        let place = Place {
            index: self.whole() as usize,
            taken: Some(which),
            ..self.place
        };
        let before = self.b.use_var(books.way);
        let next = if 2 << self.skipping() <= AFTER {
            self.find_after(before, place)
        } else {
            self.find_end(before, place, slow)
        };
        // What the books say is not trusted to lie in them.
        let count = self.load_account(offset_of!(Account, way_count));
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThan, next, count);
        self.b.ins().brif(fits, known, &[], slow, &[]);
        self.go_on(known);
        self.count_way(books, before, next);
        self.wait(books, place, next, pc, done);
        self.cold(slow);
        let status = self.settle(books, place);
        let goes = self.b.ins().icmp_imm(IntCC::Equal, status, DONE);
        let exit = self.exit_behind(pc);
        self.b.ins().brif(goes, done, &[], exit, &[]);
        self.go_on(done);
    }

    /// Tells of the accesses that are noted, if there are any, and goes on to `done`; or leaves for `pc` if the region has to
    /// be left.
    fn wait(&mut self, books: Books, place: Place, way: Value, pc: Pc, done: ir::Block) {
        if place.accesses == 0 {
            self.b.ins().jump(done, &[]);
            return;
        }
        let waits = self.b.create_block();
        let noted = self.b.use_var(books.noted);
        self.b.ins().brif(noted, waits, &[], done, &[]);
        self.cold(waits);
        let (base, count) = (self.b.use_var(books.base), self.word(place.accesses));
        let quiet = self.call_meter(Call::Wait, &[way, base, noted, count]);
        self.b.def_var(books.quiet, quiet);
        let never = self.b.ins().icmp_imm(IntCC::Equal, quiet, -1);
        let exit = self.exit_behind(pc);
        self.b.ins().brif(never, exit, &[], done, &[]);
    }

    /// How many branches over one instruction the block has.
    fn skipping(&self) -> u32 {
        let ops = source_block(self.source, self.place.block).ops();
        ops.iter().filter(|op| op.skips().is_some()).count() as u32
    }

    /// The number of the way by which the block is left in `place`, or none, where the last way has it.
    fn find_after(&mut self, before: Value, place: Place) -> Value {
        let path = self.path(place);
        let path = self.b.ins().uextend(types::I64, path);
        let distance = self.b.ins().ishl_imm(path, 2);
        let at = self.b.ins().iadd(before, distance);
        self.load_wide(at, offset_of!(Way, after))
    }

    /// The same, where there are too many for that; goes to `slow` if the books have no place for it.
    fn find_end(&mut self, before: Value, place: Place, slow: ir::Block) -> Value {
        let inside = self.b.create_block();
        let begin = self.load_wide(before, offset_of!(Way, next_ends));
        let path = self.path(place);
        let path = self.b.ins().uextend(types::I64, path);
        let index = self.b.ins().iadd(begin, path);
        let count = self.load_account(offset_of!(Account, end_count));
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThan, index, count);
        self.b.ins().brif(fits, inside, &[], slow, &[]);
        self.go_on(inside);
        let ends = self.load_account(offset_of!(Account, ends));
        let index = self.b.ins().ishl_imm(index, 2);
        let at = self.b.ins().iadd(ends, index);
        self.load_wide(at, 0)
    }

    fn count_way(&mut self, books: Books, before: Value, number: Value) {
        let way = self.way(number);
        self.add_one(way, offset_of!(Way, times));
        let advance = self.load_wide(way, offset_of!(Way, advance));
        self.add_to(books.base, advance);
        let fetch = self.load_wide(before, offset_of!(Way, fetch));
        // Counted there: loops have better use for a register.
        self.add_at(self.context, standing(offset_of!(Standing, fetches)), fetch);
        self.b.def_var(books.way, way);
    }

    fn add_one(&mut self, address: Value, place: usize) {
        let one = self.b.ins().iconst(types::I64, 1);
        self.add_at(address, place, one);
    }

    pub(super) fn add_at(&mut self, address: Value, place: usize, value: Value) {
        let sum = self.b.ins().load(types::I64, PLAIN, address, place as i32);
        let sum = self.b.ins().iadd(sum, value);
        self.b.ins().store(PLAIN, sum, address, place as i32);
    }

    fn add_to(&mut self, variable: Variable, value: Value) {
        let sum = self.b.use_var(variable);
        let sum = self.b.ins().iadd(sum, value);
        self.b.def_var(variable, sum);
    }

    fn settle(&mut self, books: Books, place: Place) -> Value {
        let (block, count) = (self.word(place.block as u32), self.word(place.accesses));
        let (path, noted) = (self.path(place), self.b.use_var(books.noted));
        let length = self.word(self.whole() as u32);
        self.call_meter(Call::Settle, &[block, path, noted, count, length])
    }

    /// A branch over one instruction has skipped it or not.
    pub(super) fn note_skip(&mut self, skips: Value) {
        if self.books.is_none() {
            return;
        }
        let bit = self.b.ins().uextend(types::I32, skips);
        self.place.skips = Some(match self.place.skips {
            Some(before) => {
                let before = self.b.ins().ishl_imm(before, 1);
                self.b.ins().bor(before, bit)
            }
            None => bit,
        });
    }

    /// What the branches in front of a place have done: those over one instruction, then the one at the end.
    pub(super) fn path(&mut self, place: Place) -> Value {
        let zero = self.word(0);
        let skips = place.skips.unwrap_or(zero);
        let skips = self.b.ins().ishl_imm(skips, 1);
        match place.taken {
            Some(taken) => {
                let taken = self.b.ins().uextend(types::I32, taken);
                self.b.ins().bor(skips, taken)
            }
            None => skips,
        }
    }

    /// Notes which part of a block the engine has to tell the meter of: what stands in front of `place`.
    pub(super) fn leave_open(&mut self, place: Option<Place>) {
        let Some(books) = self.books else { return };
        self.store_books();
        let length = self.word(place.map_or(0, |place| place.index as u32));
        self.store_context(length, at(offset_of!(Account, open_length)));
        let Some(place) = place else { return };
        let (block, count) = (self.word(place.block as u32), self.word(place.accesses));
        let (path, noted) = (self.path(place), self.b.use_var(books.noted));
        for (value, place) in [
            (block, offset_of!(Account, open_block)),
            (path, offset_of!(Account, open_path)),
            (noted, offset_of!(Account, open_noted)),
            (count, offset_of!(Account, open_count)),
        ] {
            self.store_context(value, at(place));
        }
    }
}

const _: () = assert!(size_of::<Way>().is_power_of_two());
