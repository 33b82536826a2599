//! Counting accesses.
//!
//! While no transfer is in flight, compiled code counts an access in its line of the hit filter, if the
//! filter passes it. The first access that is no free hit is recorded for the end of the block, and so are
//! all behind it. Consecutive accesses are counted together, before anything that may leave the region.
//! Accesses of one direction around one address are usually in one line: then one comparison is enough.

use super::{Emitter, PLAIN};
use crate::host::TimingState;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use sh4::timing::{FilterIndex, FilterLine, RecordedAccess};
use std::mem::offset_of;

/// From this number on the accesses of a block are recorded in any case: there are no more bits.
const LAST: u32 = 63;
/// Accesses that are counted together, at most: the host has no registers for more.
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

/// Accesses of one direction that may be in one line: the lowest and the highest address, with their
/// distances from the origin.
struct Together {
    writes: bool,
    origin: Value,
    lowest: (i64, Value),
    highest: (i64, Value),
    count: i64,
}

impl Together {
    /// Adds an access that may be in the same line.
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
    /// Adds a direct memory access of the present operation. [`Emitter::count_accesses`] counts it before
    /// anything may leave the region.
    pub(super) fn count_access(&mut self, writes: bool, address: Value) {
        if self.timing.is_none() {
            return;
        }
        let number = self.place.accesses;
        if number >= LAST {
            self.count_accesses();
            return self.record(address, None);
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

    /// Counts the pending accesses.
    pub(super) fn count_accesses(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let (Some(timing), Some(first)) = (self.timing, pending.first()) else {
            return;
        };
        let (idle, slow, done) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        if first.number == 0 {
            let (base, from) = (self.b.use_var(timing.base), self.idle_from());
            let is_idle = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, base, from);
            self.b.ins().brif(is_idle, idle, &[], slow, &[]);
        } else {
            // Without a recorded access, this was compared before.
            let recorded = self.b.use_var(timing.recorded);
            self.b.ins().brif(recorded, slow, &[], idle, &[]);
        }
        self.continue_in(idle);
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
                let line = self.line(timing.lines, some.lowest.1);
                let there = self.load_number(line, side(some.writes) + offset_of!(FilterLine, address));
                let wanted = self.and(some.lowest.1, !(LINE - 1));
                let same = self.b.ins().icmp(IntCC::Equal, there, wanted);
                self.stay_if(same, slow);
                line
            })
            .collect();
        for (some, line) in together.iter().zip(lines) {
            let count = self.b.ins().iconst(types::I64, some.count);
            self.add_at(line, side(some.writes) + offset_of!(FilterLine, accesses), count);
        }
        self.b.ins().jump(done, &[]);
        self.cold(slow);
        let buffer = self.load_timing_word(offset_of!(TimingState, recorded));
        for access in &pending {
            self.store_at(
                buffer,
                place_of(access.number) + offset_of!(RecordedAccess, address),
                access.address,
            );
        }
        self.recorded(pending.iter().fold(0, |bits, access| bits | bit(access.number)));
        self.b.ins().jump(done, &[]);
        self.continue_in(done);
    }

    /// Groups accesses that may be in one line.
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

    /// The address of the filter's lines for an address: by its bits 13 to 5 under the usual settings.
    fn line(&mut self, lines: FilterIndex, address: Value) -> Value {
        let size = size_of::<[FilterLine; 2]>() as u32;
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
        let lines = self.load_timing_word(offset_of!(TimingState, lines));
        self.b.ins().iadd(lines, place)
    }

    /// Records the present access for the end of the block, with the value that it wrote outside the bus's
    /// window.
    pub(super) fn record(&mut self, address: Value, value: Option<Value>) {
        if self.timing.is_some() {
            let buffer = self.load_timing_word(offset_of!(TimingState, recorded));
            let place = place_of(self.place.accesses);
            self.store_at(buffer, place + offset_of!(RecordedAccess, address), address);
            if let Some(value) = value {
                self.store_at(buffer, place + offset_of!(RecordedAccess, value), value);
            }
            self.recorded(bit(self.place.accesses));
        }
    }

    fn store_at(&mut self, address: Value, place: usize, value: Value) {
        self.b.ins().store(PLAIN, value, address, place as i32);
    }

    /// The runtime has recorded the present access.
    pub(super) fn is_recorded(&mut self) {
        self.recorded(bit(self.place.accesses));
    }

    fn recorded(&mut self, bits: u64) {
        let Some(timing) = self.timing else { return };
        let recorded = self.b.use_var(timing.recorded);
        let recorded = self.b.ins().bor_imm(recorded, bits as i64);
        self.b.def_var(timing.recorded, recorded);
    }
}

/// The place of an access in the buffer.
fn place_of(number: u32) -> usize {
    number as usize * size_of::<RecordedAccess>()
}

/// The bit of a recorded access.
fn bit(number: u32) -> u64 {
    1 << number.min(LAST)
}

/// The place of a line's loads or stores.
fn side(writes: bool) -> usize {
    usize::from(writes) * size_of::<FilterLine>()
}
