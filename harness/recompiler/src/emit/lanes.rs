//! Adjacent singles in memory or in a host vector, moved four at a time.
//!
//! Programs usually load and store FTRV's vectors register by register.

use super::{Emitter, PLAIN};
use cranelift_codegen::ir::{self, InstBuilder, Value, types};
use std::collections::{HashMap, HashSet};

/// Known facts about the singles of one block.
#[derive(Default)]
pub(super) struct Lanes {
    /// The address from which each single was loaded. Cleared when something may have written to memory.
    loaded: HashMap<Value, (Value, i32)>,
    /// For each single that is a lane of a vector: the vector, and the number of the lane.
    parts: HashMap<Value, (Value, u8)>,
    /// The last stores of lanes of one vector, without a call or a load between them.
    stores: Vec<Stored>,
    /// Singles that were loaded again as part of a vector.
    doubled: Vec<Value>,
}

/// A store of a vector's lane.
#[derive(Clone, Copy)]
struct Stored {
    block: ir::Block,
    instruction: ir::Inst,
    at: Value,
    offset: i32,
    vector: Value,
    lane: u8,
}

impl Stored {
    /// The address of the whole vector.
    fn whole(&self) -> (ir::Block, Value, Value, i32) {
        (
            self.block,
            self.vector,
            self.at,
            self.offset - 4 * i32::from(self.lane),
        )
    }
}

impl Lanes {
    /// Begins a block.
    pub(super) fn begin(&mut self) {
        self.is_written();
        self.parts.clear();
    }

    /// Notes that `value` is a lane of `vector`.
    pub(super) fn is_part(&mut self, value: Value, vector: Value, lane: u8) {
        self.parts.insert(value, (vector, lane));
    }

    /// Notes the address that `value` was loaded from.
    pub(super) fn is_loaded(&mut self, value: Value, at: Value, offset: i32) {
        self.loaded.insert(value, (at, offset));
    }

    /// Notes that something reads memory.
    pub(super) fn is_read(&mut self) {
        self.stores.clear();
    }

    /// Notes that something may have written to memory.
    pub(super) fn is_written(&mut self) {
        self.loaded.clear();
        self.stores.clear();
    }

    /// The vector that consists of these lanes.
    fn vector_of(&self, values: [Value; 4]) -> Option<Value> {
        let (vector, 0) = *self.parts.get(&values[0])? else {
            return None;
        };
        (1..4)
            .all(|lane| self.parts.get(&values[lane]) == Some(&(vector, lane as u8)))
            .then_some(vector)
    }

    /// The address at which these are adjacent in memory.
    fn place_of(&self, values: [Value; 4]) -> Option<(Value, i32)> {
        let first = *self.loaded.get(&values[0])?;
        let (at, offset) = first;
        (1..4)
            .all(|lane| self.loaded.get(&values[lane]) == Some(&(at, offset + 4 * lane as i32)))
            .then_some(first)
    }
}

impl Emitter<'_, '_> {
    /// A vector of four singles.
    pub(super) fn vector(&mut self, values: [Value; 4]) -> Value {
        if let Some(vector) = self.lanes.vector_of(values) {
            return vector;
        }
        if let Some((at, offset)) = self.lanes.place_of(values) {
            self.lanes.doubled.extend(values);
            return self.b.ins().load(types::F32X4, PLAIN, at, offset);
        }
        let mut vector = self.b.ins().scalar_to_vector(types::F32X4, values[0]);
        for (lane, &value) in values.iter().enumerate().skip(1) {
            vector = self.b.ins().insertlane(vector, value, lane as u8);
        }
        vector
    }

    /// A lane of a vector.
    pub(super) fn lane(&mut self, vector: Value, lane: u8) -> Value {
        let value = self.b.ins().extractlane(vector, lane);
        self.lanes.is_part(value, vector, lane);
        value
    }

    /// Stores a single. If it is the last of four lanes that become adjacent in memory, stores the whole
    /// vector instead.
    pub(super) fn store_single(&mut self, at: Value, offset: i32, value: Value) {
        let earlier = std::mem::take(&mut self.lanes.stores);
        self.lanes.is_written();
        let instruction = self.b.ins().store(PLAIN, value, at, offset);
        let (Some(&(vector, lane)), Some(block)) = (self.lanes.parts.get(&value), self.b.current_block())
        else {
            return;
        };
        let stored = Stored {
            block,
            instruction,
            at,
            offset,
            vector,
            lane,
        };
        let mut stores: Vec<Stored> = earlier
            .into_iter()
            .filter(|other| other.whole() == stored.whole() && other.lane != lane)
            .collect();
        stores.push(stored);
        if stores.len() == 4 {
            for store in stores.drain(..) {
                self.b.func.layout.remove_inst(store.instruction);
            }
            let (_, _, _, offset) = stored.whole();
            self.b.ins().store(PLAIN, vector, at, offset);
        }
        self.lanes.stores = stores;
    }

    /// Removes the loads of singles whose vector was loaded instead. All blocks must be sealed.
    pub(super) fn drop_doubled(&mut self) {
        let doubled = std::mem::take(&mut self.lanes.doubled);
        if doubled.is_empty() {
            return;
        }
        let func = &mut self.b.func;
        let mut used = HashSet::new();
        for block in func.layout.blocks() {
            for instruction in func.layout.block_insts(block) {
                let values = func.dfg.inst_values(instruction);
                used.extend(values.map(|value| func.dfg.resolve_aliases(value)));
            }
        }
        for value in doubled {
            if let ir::ValueDef::Result(load, _) = func.dfg.value_def(value)
                && !used.contains(&value)
                && func.layout.inst_block(load).is_some()
            {
                func.layout.remove_inst(load);
            }
        }
    }
}
