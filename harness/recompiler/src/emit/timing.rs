//! Counting cycles by the edges of a cycle model (see [`sh4::timing`]).
//!
//! A variable points to the last edge taken ([`crate::host::EDGE_LINKS`]). At the end of a block its link
//! leads to the next edge: compiled code counts that and adds its cycles. Then the model receives the
//! recorded accesses (see `access`).

use super::exits::Pc;
use super::{Emitter, PLAIN, Place, source_block};
use crate::host::{
    Call, Context, DONE, EDGE_ADVANCE, EDGE_LINKS, EDGE_NUMBER, EDGE_TIMES, OUTSIDE, TimingState,
};
use crate::region::skipping;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use sh4::timing::{Cursor, FilterIndex};
use std::mem::offset_of;

/// The state of the cycle model in variables.
#[derive(Clone, Copy)]
pub(super) struct TimingVariables {
    /// The address of the last edge taken.
    edge: Variable,
    pub(super) base: Variable,
    /// The recorded accesses of the present block, one bit each by their number. From the first one on all
    /// are recorded.
    pub(super) recorded: Variable,
    pub(super) lines: FilterIndex,
}

impl TimingVariables {
    pub(super) fn new(b: &mut FunctionBuilder<'_>, lines: FilterIndex) -> TimingVariables {
        let [edge, base] = [(); 2].map(|()| b.declare_var(types::I64));
        TimingVariables {
            edge,
            base,
            recorded: b.declare_var(types::I64),
            lines,
        }
    }
}

/// The place of a field of [`TimingState`] in [`Context`].
pub(super) const fn at(place: usize) -> usize {
    offset_of!(Context, timing) + place
}

/// The place of a field of [`Cursor`].
const fn cursor(place: usize) -> usize {
    at(offset_of!(TimingState, cursor)) + place
}

/// The target of a block's end: which of the branch's known targets, from 1 on for a computed branch; and the
/// block of the region there.
#[derive(Clone, Copy)]
pub(super) struct Onward {
    pub(super) which: usize,
    pub(super) to: Option<usize>,
}

impl Emitter<'_, '_> {
    /// Loads the variables from the context, at the entry and after calls of the model.
    pub(super) fn load_timing(&mut self) {
        let Some(timing) = self.timing else { return };
        let base = self.load_context(types::I64, cursor(offset_of!(Cursor, base)));
        self.b.def_var(timing.base, base);
        let edge = self.load_timing_word(offset_of!(TimingState, edge));
        self.b.def_var(timing.edge, edge);
    }

    /// Stores them there.
    pub(super) fn store_timing(&mut self) {
        let Some(timing) = self.timing else { return };
        let base = self.b.use_var(timing.base);
        self.store_context(base, cursor(offset_of!(Cursor, base)));
        let edge = self.b.use_var(timing.edge);
        self.store_context(edge, at(offset_of!(TimingState, edge)));
    }

    pub(super) fn load_timing_word(&mut self, place: usize) -> Value {
        self.load_context(types::I64, at(place))
    }

    /// A number at an address.
    pub(super) fn load_number(&mut self, address: Value, place: usize) -> Value {
        self.b.ins().load(types::I32, PLAIN, address, place as i32)
    }

    /// No access of the block is recorded yet.
    pub(super) fn begin_block(&mut self) {
        let Some(timing) = self.timing else { return };
        let none = self.b.ins().iconst(types::I64, 0);
        self.b.def_var(timing.recorded, none);
    }

    /// Counts the edge at the end of the present block, whose branch is taken or not. Exits to `pc` if the
    /// region has to be left.
    pub(super) fn end_of_block(&mut self, taken: bool, pc: Pc, onward: Onward) {
        let Some(timing) = self.timing else { return };
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
        let paths = 2 << skipping(source_block(self.source, place.block));
        let first = onward.which * paths;
        let edge = self.b.use_var(timing.edge);
        let next = match place.skips {
            None => {
                let place = EDGE_LINKS + 8 * (first + usize::from(taken));
                self.load_wide(edge, place)
            }
            Some(_) => {
                let path = self.path(place);
                let path = self.b.ins().uextend(types::I64, path);
                let distance = self.b.ins().ishl_imm(path, 3);
                let at = self.b.ins().iadd(edge, distance);
                self.load_wide(at, EDGE_LINKS + 8 * first)
            }
        };
        self.b.ins().brif(next, known, &[], slow, &[]);
        self.continue_in(known);
        let one = self.b.ins().iconst(types::I64, 1);
        self.add_at(next, EDGE_TIMES, one);
        let advance = self.load_wide(next, EDGE_ADVANCE);
        self.add_to(timing.base, advance);
        self.b.def_var(timing.edge, next);
        // An exit follows anyway.
        let exit = match onward.to {
            Some(_) => self.exit_behind(pc),
            None => done,
        };
        self.stall(timing, place, next, done, exit);
        self.cold(slow);
        let status = self.call_end_of_block(timing, place, first, onward.to);
        let goes = self.b.ins().icmp_imm(IntCC::Equal, status, DONE);
        self.b.ins().brif(goes, done, &[], exit, &[]);
        self.continue_in(done);
    }

    /// Passes the recorded accesses, if any, to the model and continues at `done`; or at `exit` if the region
    /// has to be left.
    fn stall(
        &mut self,
        timing: TimingVariables,
        place: Place,
        edge: Value,
        done: ir::Block,
        exit: ir::Block,
    ) {
        if place.accesses == 0 {
            self.b.ins().jump(done, &[]);
            return;
        }
        let stalls = self.b.create_block();
        let recorded = self.b.use_var(timing.recorded);
        self.b.ins().brif(recorded, stalls, &[], done, &[]);
        self.cold(stalls);
        let (base, count) = (self.b.use_var(timing.base), self.word(place.accesses));
        let number = self.load_wide(edge, EDGE_NUMBER);
        let idle_from = self.call(Call::Stall, &[number, base, recorded, count]);
        let never = self.b.ins().icmp_imm(IntCC::Equal, idle_from, -1);
        self.b.ins().brif(never, exit, &[], done, &[]);
    }

    /// [`Cursor::idle_from`]. Only the runtime changes it.
    pub(super) fn idle_from(&mut self) -> Value {
        self.load_context(types::I64, cursor(offset_of!(Cursor, idle_from)))
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

    fn call_end_of_block(
        &mut self,
        timing: TimingVariables,
        place: Place,
        first: usize,
        to: Option<usize>,
    ) -> Value {
        let which = self.word((place.block as u32) << 16 | self.whole() as u32);
        let (path, recorded) = (self.path(place), self.b.use_var(timing.recorded));
        let first = self.word(first as u32);
        let link = self.b.ins().iadd(path, first);
        let link = self.b.ins().ishl_imm(link, 16);
        let to = to.map_or(OUTSIDE, |to| to as u32);
        let onward = self.b.ins().bor_imm(link, i64::from(to));
        let count = self.word(place.accesses);
        self.store_timing();
        let status = self.call(Call::EndOfBlock, &[which, path, recorded, count, onward]);
        self.load_timing();
        status
    }

    /// Adds a skipping branch to the path.
    pub(super) fn note_skip(&mut self, skips: Value) {
        if self.timing.is_none() {
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

    /// The path to a place: a bit for each skipping branch, then one for the branch at the end.
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

    /// Notes the part of a block before `place`, which the engine passes to the model.
    pub(super) fn leave_open(&mut self, place: Option<Place>) {
        let Some(timing) = self.timing else { return };
        self.store_timing();
        let length = self.word(place.map_or(0, |place| place.index as u32));
        self.store_context(length, at(offset_of!(TimingState, open_length)));
        let Some(place) = place else { return };
        let (block, count) = (self.word(place.block as u32), self.word(place.accesses));
        let (path, recorded) = (self.path(place), self.b.use_var(timing.recorded));
        for (value, place) in [
            (block, offset_of!(TimingState, open_block)),
            (path, offset_of!(TimingState, open_path)),
            (recorded, offset_of!(TimingState, open_recorded)),
            (count, offset_of!(TimingState, open_count)),
        ] {
            self.store_context(value, at(place));
        }
    }
}
