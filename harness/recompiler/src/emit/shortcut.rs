//! Shortcuts of a meter: its steps as a function of their own (see [`sh4::meter`]).
//!
//! Places are masked to the size of what they are in, whatever the meter says.

use super::PLAIN;
use super::account::at;
use super::shim::{begin, keeping};
use crate::host::{Account, Context};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Signature, Type, types};
use cranelift_frontend::FunctionBuilder;
use sh4::meter::{
    CELLS, FILTER, Field, Held, LINES, LOG, Line, Meter, Noted, Operation, Standing, Steps, Test, Value,
};
use std::mem::offset_of;

/// (context, way, base); [`Context::status`] says whether it was taken, 1, or nothing has happened, 0.
///
/// It keeps all registers, so that loops which take it need not.
pub(crate) fn signature() -> Signature {
    keeping(&[types::I64; 2])
}

/// The function under construction.
struct Shortcut<'f> {
    b: FunctionBuilder<'f>,
    context: ir::Value,
    way: [ir::Value; 2],
    cells: ir::Value,
    noted: ir::Value,
    held: ir::Value,
    lines: ir::Value,
    gone: ir::Value,
    values: Vec<ir::Value>,
    fails: ir::Block,
    written: bool,
    done: bool,
}

/// Returns from one that was taken or not.
fn leave(b: &mut FunctionBuilder<'_>, context: ir::Value, taken: bool) {
    let taken = b.ins().iconst(types::I32, i64::from(taken));
    let place = offset_of!(Context, status) as i32;
    b.ins().store(PLAIN, taken, context, place);
    b.ins().return_(&[]);
}

/// Emits one that is never taken.
pub(crate) fn no_shortcut(mut b: FunctionBuilder<'_>) {
    let context = begin(&mut b)[0];
    leave(&mut b, context, false);
    b.finalize();
}

/// Emits the shortcut that `meter` gives a number. False if it has not explained all of it.
pub(crate) fn shortcut(mut b: FunctionBuilder<'_>, meter: &mut dyn Meter, number: u32) -> bool {
    let &[context, way, base] = begin(&mut b).as_slice() else {
        return false;
    };
    let fails = b.create_block();
    let mut pointer = |place| b.ins().load(types::I64, PLAIN, context, at(place) as i32);
    let mut shortcut = Shortcut {
        cells: pointer(offset_of!(Account, cells)),
        noted: pointer(offset_of!(Account, noted)),
        held: pointer(offset_of!(Account, held)),
        lines: pointer(offset_of!(Account, lines)),
        gone: pointer(offset_of!(Account, gone)),
        context,
        way: [way, base],
        b,
        values: Vec::new(),
        fails,
        written: false,
        done: false,
    };
    meter.explain(number, &mut shortcut);
    shortcut.finish()
}

impl Shortcut<'_> {
    fn finish(mut self) -> bool {
        if !self.done {
            // So that what there is is a whole function.
            self.b.ins().jump(self.fails, &[]);
        }
        self.b.seal_block(self.fails);
        self.b.set_cold_block(self.fails);
        self.b.switch_to_block(self.fails);
        leave(&mut self.b, self.context, false);
        self.b.finalize();
        self.done
    }

    fn keep(&mut self, value: ir::Value) -> Value {
        self.values.push(value);
        Value(self.values.len() as u32 - 1)
    }

    fn get(&self, value: Value) -> ir::Value {
        self.values[value.0 as usize]
    }

    fn pointer(&mut self, place: usize) -> ir::Value {
        self.b
            .ins()
            .load(types::I64, PLAIN, self.context, at(place) as i32)
    }

    fn test(&mut self, test: Test, one: Value, other: Value) -> ir::Value {
        let condition = match test {
            Test::Equal => IntCC::Equal,
            Test::Differ => IntCC::NotEqual,
            Test::AtMost => IntCC::UnsignedLessThanOrEqual,
            Test::Below => IntCC::UnsignedLessThan,
        };
        let (one, other) = (self.get(one), self.get(other));
        self.b.ins().icmp(condition, one, other)
    }

    /// Where one of `count` items of `size` bytes lies, by its number of 32 or 64 bits.
    fn item(&mut self, table: ir::Value, number: Value, count: usize, size: usize) -> ir::Value {
        let number = self.get(number);
        let number = self.b.ins().band_imm(number, count as i64 - 1);
        let number = match self.b.func.dfg.value_type(number) {
            types::I64 => number,
            _ => self.b.ins().uextend(types::I64, number),
        };
        let distance = self.b.ins().ishl_imm(number, i64::from(size.trailing_zeros()));
        self.b.ins().iadd(table, distance)
    }

    /// The address of a field, its distance from there and its type.
    fn place(&mut self, field: Field, entry: Value) -> (ir::Value, i32, Type) {
        let line = |stores: bool, place: usize| (usize::from(stores) * size_of::<Line>() + place) as i32;
        let (table, size, distance, ty) = match field {
            Field::Tag => (
                self.held,
                size_of::<Held>(),
                offset_of!(Held, tag) as i32,
                types::I32,
            ),
            Field::PrefetchedBy => {
                let place = offset_of!(Held, prefetched_by) as i32;
                (self.held, size_of::<Held>(), place, types::I32)
            }
            Field::Gone => (self.gone, size_of::<u32>(), 0, types::I32),
            Field::Address(stores) => {
                let place = line(stores, offset_of!(Line, address));
                (self.lines, size_of::<[Line; 2]>(), place, types::I32)
            }
            Field::Mark(stores) => {
                let place = line(stores, offset_of!(Line, mark));
                (self.lines, size_of::<[Line; 2]>(), place, types::I32)
            }
            Field::Accesses(stores) => {
                let place = line(stores, offset_of!(Line, accesses));
                (self.lines, size_of::<[Line; 2]>(), place, types::I64)
            }
        };
        (self.item(table, entry, LINES, size), distance, ty)
    }

    fn writes(&mut self) {
        self.written = true;
    }
}

// Sizes are shifts, and numbers masks.
const _: () = assert!(
    size_of::<Held>().is_power_of_two()
        && size_of::<[Line; 2]>().is_power_of_two()
        && LINES.is_power_of_two()
        && LOG.is_power_of_two()
        && FILTER.is_power_of_two()
);

impl Steps for Shortcut<'_> {
    fn word(&mut self, value: u32) -> Value {
        let value = self.b.ins().iconst(types::I32, i64::from(value));
        self.keep(value)
    }

    fn wide(&mut self, value: u64) -> Value {
        let value = self.b.ins().iconst(types::I64, value as i64);
        self.keep(value)
    }

    fn way(&mut self) -> [Value; 2] {
        self.way.map(|value| self.keep(value))
    }

    fn address(&mut self, place: u8) -> Value {
        let place = usize::from(place) * size_of::<Noted>() + offset_of!(Noted, address);
        let value = self.b.ins().load(types::I32, PLAIN, self.noted, place as i32);
        self.keep(value)
    }

    fn cell(&mut self, place: usize) -> Value {
        assert!(place < CELLS, "no cell {place}");
        let value = self.b.ins().load(types::I64, PLAIN, self.cells, 8 * place as i32);
        self.keep(value)
    }

    fn set_cell(&mut self, place: usize, value: Value) {
        assert!(place < CELLS, "no cell {place}");
        self.writes();
        let value = self.get(value);
        self.b.ins().store(PLAIN, value, self.cells, 8 * place as i32);
    }

    fn log(&mut self, place: Value, value: Value) {
        self.writes();
        let log = self.pointer(offset_of!(Account, log));
        let at = self.item(log, place, LOG, 8);
        let value = self.get(value);
        self.b.ins().store(PLAIN, value, at, 0);
    }

    fn filter(&mut self, place: Value) -> Value {
        let filter = self.pointer(offset_of!(Account, filter));
        let at = self.item(filter, place, FILTER, 8);
        let value = self.b.ins().load(types::I64, PLAIN, at, 0);
        self.keep(value)
    }

    fn entry(&mut self, address: Value) -> Value {
        let address = self.get(address);
        let entry = self.b.ins().ushr_imm(address, 5);
        let entry = self.b.ins().band_imm(entry, LINES as i64 - 1);
        self.keep(entry)
    }

    fn field(&mut self, field: Field, entry: Value) -> Value {
        let (at, distance, ty) = self.place(field, entry);
        let value = self.b.ins().load(ty, PLAIN, at, distance);
        self.keep(value)
    }

    fn set_field(&mut self, field: Field, entry: Value, value: Value) {
        self.writes();
        let (at, distance, ty) = self.place(field, entry);
        let value = self.get(value);
        assert_eq!(self.b.func.dfg.value_type(value), ty, "{field:?}");
        self.b.ins().store(PLAIN, value, at, distance);
    }

    fn apply(&mut self, operation: Operation, one: Value, other: Value) -> Value {
        let (one, other) = (self.get(one), self.get(other));
        let ins = self.b.ins();
        let value = match operation {
            Operation::Add => ins.iadd(one, other),
            Operation::Sub => ins.isub(one, other),
            Operation::Mul => ins.imul(one, other),
            Operation::And => ins.band(one, other),
            Operation::Shift => ins.ushr(one, other),
            Operation::Rotate => ins.rotr(one, other),
        };
        self.keep(value)
    }

    fn join(&mut self, halves: [Value; 2]) -> Value {
        let [low, high] = halves.map(|half| {
            let half = self.get(half);
            self.b.ins().uextend(types::I64, half)
        });
        let high = self.b.ins().ishl_imm(high, 32);
        let value = self.b.ins().bor(low, high);
        self.keep(value)
    }

    fn split(&mut self, value: Value) -> [Value; 2] {
        let value = self.get(value);
        let low = self.b.ins().ireduce(types::I32, value);
        let high = self.b.ins().ushr_imm(value, 32);
        let high = self.b.ins().ireduce(types::I32, high);
        [low, high].map(|half| self.keep(half))
    }

    fn pick(&mut self, test: Test, values: [Value; 2], of: [Value; 2]) -> Value {
        let holds = self.test(test, of[0], of[1]);
        let [one, other] = values.map(|value| self.get(value));
        let value = self.b.ins().select(holds, one, other);
        self.keep(value)
    }

    fn require(&mut self, test: Test, one: Value, other: Value) {
        assert!(!self.written, "nothing may be written before all is asked");
        let holds = self.test(test, one, other);
        let goes_on = self.b.create_block();
        self.b.ins().brif(holds, goes_on, &[], self.fails, &[]);
        self.b.seal_block(goes_on);
        self.b.switch_to_block(goes_on);
    }

    fn when(&mut self, test: Test, values: [Value; 2], then: &mut dyn FnMut(&mut dyn Steps)) {
        let holds = self.test(test, values[0], values[1]);
        let (does, behind) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(holds, does, &[], behind, &[]);
        self.b.seal_block(does);
        self.b.set_cold_block(does);
        self.b.switch_to_block(does);
        then(self);
        self.b.ins().jump(behind, &[]);
        self.b.seal_block(behind);
        self.b.switch_to_block(behind);
    }

    fn done(&mut self, quiet: Value) {
        let quiet = self.get(quiet);
        let place = offset_of!(Account, standing) + offset_of!(Standing, quiet);
        self.b.ins().store(PLAIN, quiet, self.context, at(place) as i32);
        leave(&mut self.b, self.context, true);
        self.done = true;
    }
}
