//! Counting: what compiled code writes into the books of a meter (see [`sh4::meter`]).
//!
//! Each block stands at a node: it and the way by which the last one was left. At its end the node's link says which one
//! follows; there it is counted, and the way's cycles are added. Of accesses that are noted (see `access`) the meter is told then.

use super::exits::Pc;
use super::{Emitter, PLAIN, Place, source_block};
use crate::host::{Account, Call, Context, DONE, NODE_ADVANCE, NODE_LINKS, NODE_TIMES, NODE_WAY, OUTSIDE};
use crate::region::skipping;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use sh4::meter::{Index, Standing};
use std::mem::offset_of;

/// The places of a meter's books in variables.
#[derive(Clone, Copy)]
pub(super) struct Books {
    /// Where the node lies on the host.
    node: Variable,
    pub(super) base: Variable,
    /// Accesses of the block under way that are noted, one bit each by their number. From the first one on all are.
    pub(super) noted: Variable,
    pub(super) lines: Index,
}

impl Books {
    pub(super) fn new(b: &mut FunctionBuilder<'_>, lines: Index) -> Books {
        let [node, base] = [(); 2].map(|()| b.declare_var(types::I64));
        Books {
            node,
            base,
            noted: b.declare_var(types::I64),
            lines,
        }
    }
}

/// A place in the account, from the context on.
pub(super) const fn at(place: usize) -> usize {
    offset_of!(Context, account) + place
}

/// The same in [`Standing`].
const fn standing(place: usize) -> usize {
    at(offset_of!(Account, standing)) + place
}

/// Where a block leads: by which of the addresses that its branch is known to lead to, from 1 on if that is computed, and
/// to which block of the region.
#[derive(Clone, Copy)]
pub(super) struct Onward {
    pub(super) which: usize,
    pub(super) to: Option<usize>,
}

impl Emitter<'_, '_> {
    /// Takes the variables from the context, at the entry and after whatever tells the meter something.
    pub(super) fn load_books(&mut self) {
        let Some(books) = self.books else { return };
        let base = self.load_context(types::I64, standing(offset_of!(Standing, base)));
        self.b.def_var(books.base, base);
        let node = self.load_account(offset_of!(Account, node));
        self.b.def_var(books.node, node);
    }

    /// Puts them there.
    pub(super) fn store_books(&mut self) {
        let Some(books) = self.books else { return };
        let base = self.b.use_var(books.base);
        self.store_context(base, standing(offset_of!(Standing, base)));
        let node = self.b.use_var(books.node);
        self.store_context(node, at(offset_of!(Account, node)));
    }

    pub(super) fn load_account(&mut self, place: usize) -> Value {
        self.load_context(types::I64, at(place))
    }

    /// A number at an address.
    pub(super) fn load_number(&mut self, address: Value, place: usize) -> Value {
        self.b.ins().load(types::I32, PLAIN, address, place as i32)
    }

    /// A block begins.
    pub(super) fn arrive(&mut self) {
        let Some(books) = self.books else { return };
        let none = self.b.ins().iconst(types::I64, 0);
        self.b.def_var(books.noted, none);
    }

    /// The block under way has come to its end, by a branch that is taken or not: counts the way. Leaves for `pc` if the
    /// region has to be left.
    pub(super) fn step(&mut self, taken: bool, pc: Pc, onward: Onward) {
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
        let ways = 2 << skipping(source_block(self.source, place.block));
        let first = onward.which * ways;
        let node = self.b.use_var(books.node);
        let next = match place.skips {
            None => {
                let place = NODE_LINKS + 8 * (first + usize::from(taken));
                self.load_wide(node, place)
            }
            Some(_) => {
                let path = self.path(place);
                let path = self.b.ins().uextend(types::I64, path);
                let distance = self.b.ins().ishl_imm(path, 3);
                let at = self.b.ins().iadd(node, distance);
                self.load_wide(at, NODE_LINKS + 8 * first)
            }
        };
        self.b.ins().brif(next, known, &[], slow, &[]);
        self.go_on(known);
        let one = self.b.ins().iconst(types::I64, 1);
        self.add_at(next, NODE_TIMES, one);
        let advance = self.load_wide(next, NODE_ADVANCE);
        self.add_to(books.base, advance);
        self.b.def_var(books.node, next);
        // Behind a way out nobody need ask.
        let exit = match onward.to {
            Some(_) => self.exit_behind(pc),
            None => done,
        };
        self.wait(books, place, next, done, exit);
        self.cold(slow);
        let status = self.settle(books, place, first, onward.to);
        let goes = self.b.ins().icmp_imm(IntCC::Equal, status, DONE);
        self.b.ins().brif(goes, done, &[], exit, &[]);
        self.go_on(done);
    }

    /// Tells of the accesses that are noted, if there are any, and goes on to `done`; or to `exit` if the region has to
    /// be left.
    fn wait(&mut self, books: Books, place: Place, node: Value, done: ir::Block, exit: ir::Block) {
        if place.accesses == 0 {
            self.b.ins().jump(done, &[]);
            return;
        }
        let waits = self.b.create_block();
        let noted = self.b.use_var(books.noted);
        self.b.ins().brif(noted, waits, &[], done, &[]);
        self.cold(waits);
        let (base, count) = (self.b.use_var(books.base), self.word(place.accesses));
        let way = self.load_wide(node, NODE_WAY);
        let quiet = self.call(Call::Wait, &[way, base, noted, count]);
        let never = self.b.ins().icmp_imm(IntCC::Equal, quiet, -1);
        self.b.ins().brif(never, exit, &[], done, &[]);
    }

    /// See [`Standing::quiet`]. Only the runtime changes it.
    pub(super) fn quiet(&mut self) -> Value {
        self.load_context(types::I64, standing(offset_of!(Standing, quiet)))
    }

    fn load_wide(&mut self, address: Value, place: usize) -> Value {
        self.b.ins().load(types::I64, PLAIN, address, place as i32)
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

    fn settle(&mut self, books: Books, place: Place, first: usize, to: Option<usize>) -> Value {
        let which = self.word((place.block as u32) << 16 | self.whole() as u32);
        let (path, noted) = (self.path(place), self.b.use_var(books.noted));
        let first = self.word(first as u32);
        let link = self.b.ins().iadd(path, first);
        let link = self.b.ins().ishl_imm(link, 16);
        let to = to.map_or(OUTSIDE, |to| to as u32);
        let onward = self.b.ins().bor_imm(link, i64::from(to));
        let count = self.word(place.accesses);
        self.store_books();
        let status = self.call(Call::Step, &[which, path, noted, count, onward]);
        self.load_books();
        status
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
