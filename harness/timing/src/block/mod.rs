//! Timing of executed blocks.
//!
//! The [`EdgeTable`] gives the pipeline's time. Caches and bus process each access in the cycle given by the
//! pipeline. The fetches of a block cost no time if the instruction cache contains all of it.

mod edges;
mod shadow;

pub use crate::code::{BlockTable, CodeBlock, PathInstruction};
pub use edges::EdgeTable;
pub use shadow::Shadow;

use crate::code::BlockPath;
use crate::console::{Idle, IdleTime};
use crate::counts::Counts;
use crate::hash::NumberMap;
use crate::ledger::Ledger;
use crate::memory::{DataAccess, MemoryModel, Stall};
use crate::pipeline::{Pipeline, START};
use crate::setup::Setup;
use sh4::{Access, RetiredBlock};

/// Maximum number of blocks, edges and states; then all are dropped, to limit memory use.
const MAX: usize = 1 << 15;
/// Maximum number of addresses with a stored opcode.
const SEEN: usize = 1 << 18;

/// Receives the timing results of executed blocks.
pub trait TimingSink {
    /// Reports that the instruction at `index` of `code` froze the CPU for `stall`, with these numbers of new
    /// operand and instruction misses.
    fn stall(&mut self, code: &CodeBlock, index: u8, stall: &Stall, misses: (u64, u64));

    /// Reports the counts of all edges, which will then be dropped.
    fn drop_edges(&mut self, blocks: &BlockTable, edges: &EdgeTable);
}

/// Time of a run: pipeline, caches and bus.
#[derive(Clone, Debug)]
pub struct BlockTimer {
    blocks: BlockTable,
    edges: EdgeTable,
    memory: MemoryModel,
    /// Offset of the pipeline's clock: cycles in which memory froze the CPU, and the time of earlier runs.
    base: u64,
    frozen: u64,
    /// True if time is counted.
    active: bool,
    /// Number of counted slots.
    slots: u64,
    /// Time without instructions.
    idle: IdleTime,
    /// Number of blocks that begin in a different aligned pair of instructions than the preceding fetch.
    fetches: u64,
    /// Address of the last instruction.
    last: u32,
    /// Opcode at each address, and the first address with a second opcode.
    seen: NumberMap<u32, u16>,
    changed_code: Option<u32>,
    /// Number of times that blocks and edges were dropped; their indices are valid for one generation.
    generation: u64,
}

impl BlockTimer {
    /// Creates a timer with an empty pipeline and empty caches.
    #[must_use]
    pub fn new(setup: &Setup) -> BlockTimer {
        let mut memory = MemoryModel::new(setup.caches, &setup.parameters);
        memory.set_qacr(setup.qacr);
        BlockTimer {
            blocks: BlockTable::new(),
            edges: EdgeTable::new(&setup.parameters),
            memory,
            base: 0,
            frozen: 0,
            active: true,
            slots: 0,
            idle: IdleTime::default(),
            fetches: 0,
            last: u32::MAX,
            seen: NumberMap::default(),
            changed_code: None,
            generation: 0,
        }
    }

    /// Starts another run: the pipeline is emptied; caches and bus keep their state.
    #[must_use]
    pub fn restart(self, setup: &Setup) -> BlockTimer {
        let frozen = self.end();
        let mut memory = self.memory;
        memory.reset_stats();
        BlockTimer {
            memory,
            frozen,
            ..BlockTimer::new(setup)
        }
    }

    /// Resets the counts, for another counter or a profiler. Time, pipeline, caches and bus continue.
    #[must_use]
    pub fn recount(mut self) -> BlockTimer {
        self.edges.forget();
        self.memory.reset_stats();
        self.blocks = BlockTable::new();
        self.generation += 1;
        self.seen.clear();
        (self.changed_code, self.fetches) = (None, 0);
        // The last cycle may have a free slot.
        self.slots &= 1;
        self.frozen = self.frozen.saturating_sub(self.idle.all());
        self.base += self.idle.all();
        self.idle = IdleTime::default();
        self
    }

    /// True if time is counted.
    #[must_use]
    #[inline]
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// Starts or stops counting time.
    pub fn set_active(&mut self, active: bool) {
        self.active = active;
    }

    /// Number of issue slots counted up to now.
    #[must_use]
    #[inline]
    pub fn slots(&self) -> u64 {
        self.slots
    }

    /// Adds `cycles` without an instruction. They are not issue slots.
    pub fn pass(&mut self, idle: Idle, cycles: u64) {
        self.idle.add(idle, cycles);
        self.frozen = self.frozen.saturating_add(cycles);
    }

    /// Time without instructions.
    #[must_use]
    pub fn idle(&self) -> &IdleTime {
        &self.idle
    }

    /// Cycles in which memory froze the CPU, including earlier runs.
    #[must_use]
    pub fn frozen(&self) -> u64 {
        self.frozen.saturating_sub(self.idle.all())
    }

    /// Cycle in which the last instruction issued.
    #[must_use]
    #[inline]
    pub fn now(&self) -> u64 {
        self.base + self.frozen
    }

    /// Known blocks.
    #[must_use]
    #[inline]
    pub fn blocks(&self) -> &BlockTable {
        &self.blocks
    }

    /// Known edges.
    #[must_use]
    #[inline]
    pub fn edges(&self) -> &EdgeTable {
        &self.edges
    }

    /// Returns caches, buffers and bus.
    #[must_use]
    pub fn memory(&self) -> &MemoryModel {
        &self.memory
    }

    /// Returns caches, buffers and bus for changing their state.
    pub fn memory_mut(&mut self) -> &mut MemoryModel {
        &mut self.memory
    }

    /// Number of blocks that begin in a different aligned pair of instructions than the preceding fetch.
    #[must_use]
    pub fn fetches(&self) -> u64 {
        self.fetches
    }

    /// Address at which two different opcodes were executed.
    #[must_use]
    pub fn changed_code(&self) -> Option<u32> {
        self.changed_code
    }

    /// Number of times that blocks and edges were dropped, which invalidates their indices.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// Address of the last instruction; 0 without instructions.
    #[must_use]
    pub fn last_pc(&self) -> u32 {
        if self.last == u32::MAX { 0 } else { self.last }
    }

    /// First cycle after the last instruction.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.now() + self.edges.pipeline().end() - START
    }

    /// Number of cycles for which the bus stays busy after [`BlockTimer::end`].
    pub fn pending(&self) -> u64 {
        let end = self.end();
        self.memory.bus_free().saturating_sub(end)
    }

    /// Returns the pipeline in its current state.
    #[must_use]
    pub fn pipeline(&self) -> Pipeline {
        self.edges.pipeline()
    }

    /// Adds the counts of all edges and the fetches, without stalls.
    pub fn add_to(&self, ledger: &mut Ledger, counts: &mut Counts) {
        self.edges.add_to(&self.blocks, ledger, counts);
        counts.fetches += self.fetches;
    }

    /// Adds the counts of all edges, without fetches and stalls, and sets them to 0.
    pub(crate) fn move_to(&mut self, ledger: &mut Ledger, counts: &mut Counts) {
        self.edges.move_to(&self.blocks, ledger, counts);
    }

    /// Computes the time of an executed block. Returns the index of its edge.
    #[inline]
    pub fn execute<B: TimingSink>(&mut self, block: &RetiredBlock<'_>, sink: &mut B) -> u32 {
        let code = self.blocks.find(block);
        let known = self.edges.len();
        let edge = self.edges.follow(&self.blocks, code, BlockPath::of(block));
        if self.edges.len() != known {
            self.compare_opcodes(edge);
        }
        self.count(edge, code);
        let here = &mut self.blocks.all[code as usize];
        let (start, bytes) = (here.start(), here.bytes());
        if self.memory.holds_code(start, bytes, &mut here.resident) {
            for (place, access) in block.accesses.iter().enumerate() {
                self.access(edge, place, access, sink);
            }
        } else {
            self.fetch_and_access(edge, block.accesses, sink);
        }
        let timed = &self.edges.all[edge as usize];
        self.last = timed.last;
        self.base += u64::from(timed.advance);
        edge
    }

    /// Counts an execution of `edge`.
    #[inline]
    fn count(&mut self, edge: u32, code: u32) {
        if self.active {
            self.edges.count(edge, self.slots & 1 != 0);
            self.slots += u64::from(self.edges.all[edge as usize].slots);
            let start = self.blocks.all[code as usize].start();
            self.fetches += u64::from(start >> 2 != self.last >> 2);
        }
    }

    /// Processes the access at `place` of an edge.
    #[inline]
    fn access<B: TimingSink>(&mut self, edge: u32, place: usize, access: &Access, sink: &mut B) {
        let timed = &self.edges.all[edge as usize];
        let Some(moment) = timed.accesses.get(place) else {
            return;
        };
        let code = &self.blocks.all[timed.code as usize];
        let request = DataAccess {
            address: access.address,
            size: moment.size,
            direction: moment.direction,
            pc: code.address(moment.index),
        };
        let now = self.base + self.frozen + u64::from(moment.offset);
        if self.memory.hits_at_once(now, moment.id, &request) {
            return;
        }
        let before = self.memory.misses();
        let stall = self.memory.access(now, moment.id, &request, access.value as u32);
        let (code, index) = (timed.code, moment.index);
        self.freeze(code, index, &stall, before, sink);
    }

    /// Processes all accesses and the fetches between them, for code that may not be in the instruction
    /// cache.
    #[cold]
    fn fetch_and_access<B: TimingSink>(&mut self, edge: u32, accesses: &[Access], sink: &mut B) {
        let mut accesses = accesses.iter().enumerate().peekable();
        for visit in 0..self.edges.all[edge as usize].visits.len() {
            let timed = &self.edges.all[edge as usize];
            let (code, index, offset) = (timed.code, timed.visits[visit].index, timed.issues[visit].cycle);
            self.fetch(code, index, offset, sink);
            let is_mine = |place: usize, timer: &BlockTimer| {
                let moments = &timer.edges.all[edge as usize].accesses;
                moments.get(place).is_some_and(|moment| moment.index == index)
            };
            while let Some((place, access)) = accesses.next_if(|(place, _)| is_mine(*place, self)) {
                self.access(edge, place, access, sink);
            }
        }
    }

    /// Fetches an instruction, unless the preceding fetch included it or its line is known to be present.
    fn fetch<B: TimingSink>(&mut self, code: u32, index: u8, offset: u64, sink: &mut B) {
        let pc = self.blocks.all[code as usize].address(index);
        let last = std::mem::replace(&mut self.last, pc);
        if last >> 2 == pc >> 2 || last >> 5 == pc >> 5 && self.memory.has_fetched(pc) {
            return;
        }
        let before = self.memory.misses();
        let stall = self.memory.fetch(self.now() + offset, pc);
        self.freeze(code, index, &stall, before, sink);
    }

    /// Reports the stall and misses of the instruction at `index` of the block number `code`, if any;
    /// `before` is the number of misses before it.
    #[inline]
    fn freeze<B: TimingSink>(
        &mut self,
        code: u32,
        index: u8,
        stall: &Stall,
        before: (u64, u64),
        sink: &mut B,
    ) {
        let now = self.memory.misses();
        if stall.cycles == 0 && now == before {
            return;
        }
        self.frozen += stall.cycles;
        if self.active {
            self.slots += 2 * stall.cycles;
            let misses = (now.0 - before.0, now.1 - before.1);
            sink.stall(&self.blocks.all[code as usize], index, stall, misses);
        }
    }

    /// Returns the operation of `block` at which the measured region begins or ends next.
    #[must_use]
    pub fn border(&self, block: &RetiredBlock<'_>, region: (u32, u32)) -> Option<usize> {
        let address = if self.active { region.1 } else { region.0 };
        let place = (address.wrapping_sub(block.start) / 2) as usize;
        let ran = address & 1 == 0
            && block.ran.contains(&place)
            && block.instructions().any(|event| event.pc == address);
        ran.then_some(place)
    }

    /// Drops blocks and edges if there are too many. Call it between blocks.
    #[inline]
    pub fn make_room<B: TimingSink>(&mut self, sink: &mut B) {
        if self.is_full() {
            self.forget(sink);
        }
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.edges.is_full(MAX) || self.blocks.is_full(MAX)
    }

    #[cold]
    fn forget<B: TimingSink>(&mut self, sink: &mut B) {
        sink.drop_edges(&self.blocks, &self.edges);
        self.edges.forget();
        self.blocks = BlockTable::new();
        self.generation += 1;
        if self.seen.len() > SEEN {
            self.seen.clear();
        }
    }

    /// Compares the opcodes of a new edge with earlier ones at the same addresses.
    fn compare_opcodes(&mut self, edge: u32) {
        let timed = &self.edges.all[edge as usize];
        let code = &self.blocks.all[timed.code as usize];
        for visit in &timed.visits {
            let (pc, opcode) = (code.address(visit.index), code.opcodes[usize::from(visit.index)]);
            if self
                .seen
                .insert(pc, opcode)
                .is_some_and(|before| before != opcode)
            {
                self.changed_code.get_or_insert(pc);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockTimer, MAX, TimingSink};
    use crate::memory::Stall;
    use crate::{Setup, operation};
    use sh4::table::Id;
    use sh4::{Retired, RetiredBlock};

    struct Ignore;

    impl TimingSink for Ignore {
        fn stall(&mut self, _: &super::CodeBlock, _: u8, _: &Stall, _: (u64, u64)) {}

        fn drop_edges(&mut self, _: &super::BlockTable, _: &super::EdgeTable) {}
    }

    /// Code that is never repeated does not fill the tables beyond their limit.
    #[test]
    fn tables_have_a_limit() {
        let mut timer = BlockTimer::new(&Setup::default());
        for i in 0..2 * MAX as u32 {
            let event = Retired {
                pc: 0x8C00_0000 + 2 * i,
                opcode: 0x0017,
                id: Id::mul_l_rm_rn,
                n: 0,
                m: 1,
                in_slot: false,
                taken: false,
                accesses: &[],
            };
            timer.make_room(&mut Ignore);
            timer.execute(&RetiredBlock::single(&event, &operation(&event)), &mut Ignore);
            assert!(timer.blocks.all.len() <= MAX && timer.edges.all.len() <= MAX + 1);
        }
        assert!(timer.generation() > 0);
    }
}
