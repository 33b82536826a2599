//! The timing of executed blocks, for interpreted and compiled code.
//!
//! The pipeline's time is looked up in the [`EdgeTable`]. Caches and bus follow each access in the cycle that
//! the pipeline gives. The fetches of a block cost nothing if the instruction cache holds all of it.

mod access;
mod clock;
mod compiled;
mod shadow;

pub use crate::code::{BlockTable, CodeBlock, PathInstruction};
pub use crate::memo::edges::EdgeTable;
pub use shadow::Shadow;

use crate::code::BlockPath;
use crate::console::{Idle, IdleTime};
use crate::counts::Counts;
use crate::hash::NumberMap;
use crate::ledger::Ledger;
use crate::memo::MemoizedMemory;
use crate::memory::Stall;
use crate::pipeline::{Pipeline, START};
use crate::serial::Serial;
use crate::setup::Setup;
use clock::Clock;
use sh4::RetiredBlock;

/// Blocks, edges and states that are kept before all are dropped: memory use stays flat.
const MOST: usize = 1 << 15;
/// Addresses whose opcode is remembered, at most.
const SEEN: usize = 1 << 18;

/// Receives the timing results of executed blocks.
pub trait TimingSink {
    /// Whether [`TimingSink::stall`] receives the stalls of memoised runs too. A counter takes their sum from
    /// [`BlockTimer::add_to`].
    const EACH_STALL: bool = true;

    /// The instruction at `index` of `code` froze the CPU for `stall`, with so many new misses of operands
    /// and instructions.
    fn stall(&mut self, code: &CodeBlock, index: u8, stall: &Stall, misses: (u64, u64));

    /// Takes the counts of all edges, which are dropped next.
    fn drop_edges(&mut self, blocks: &BlockTable, edges: &EdgeTable);
}

/// The time of a run: pipeline, caches and bus.
#[derive(Clone, Debug)]
pub struct BlockTimer {
    pub(crate) blocks: BlockTable,
    pub(crate) edges: EdgeTable,
    pub(crate) memory: MemoizedMemory,
    clock: Clock,
    /// Time without instructions.
    idle: IdleTime,
    /// First fetches of blocks from another aligned pair than the fetch before.
    fetches: u64,
    /// The address of the last instruction.
    last: u32,
    /// The opcode at each address, and the first address at which a second one ran.
    seen: NumberMap<u32, u16>,
    changed_code: Option<u32>,
    /// The name of the present numbers of blocks and edges.
    serial: Serial,
}

impl BlockTimer {
    /// An empty pipeline and empty caches.
    #[must_use]
    pub fn new(setup: &Setup) -> BlockTimer {
        let mut memory = MemoizedMemory::new(setup.caches, &setup.parameters);
        memory.set_qacr(setup.qacr);
        BlockTimer {
            blocks: BlockTable::new(),
            edges: EdgeTable::new(&setup.parameters),
            memory,
            clock: Clock::default(),
            idle: IdleTime::default(),
            fetches: 0,
            last: u32::MAX,
            seen: NumberMap::default(),
            changed_code: None,
            serial: Serial::default(),
        }
    }

    /// Begins another run: the pipeline is empty, caches and bus are as they were.
    #[must_use]
    pub fn restart(self, setup: &Setup) -> BlockTimer {
        let frozen = self.end();
        let mut memory = self.memory;
        memory.reset_stats();
        memory.forget_edges();
        let mut next = BlockTimer::new(setup);
        next.clock.frozen = frozen;
        BlockTimer { memory, ..next }
    }

    /// Begins to count anew, for another counter or a profiler. The time, the pipeline, the caches and the
    /// bus go on as they were.
    #[must_use]
    pub fn recount(mut self) -> BlockTimer {
        self.edges.forget();
        self.memory.reset_stats();
        self.memory.forget_edges();
        self.blocks = BlockTable::new();
        self.serial = Serial::default();
        self.seen.clear();
        (self.changed_code, self.fetches) = (None, 0);
        // The last cycle may have a slot left.
        self.clock.slots &= 1;
        self.clock.frozen = self.clock.frozen.saturating_sub(self.idle.all());
        self.clock.base += self.idle.all();
        self.idle = IdleTime::default();
        self
    }

    /// Whether time is counted.
    #[must_use]
    #[inline]
    pub fn is_active(&self) -> bool {
        self.clock.active
    }

    /// Counts time from now on, or does not.
    pub fn set_active(&mut self, active: bool) {
        self.clock.active = active;
    }

    /// Issue slots counted so far.
    #[must_use]
    #[inline]
    pub fn slots(&self) -> u64 {
        self.clock.slots
    }

    /// Lets `cycles` pass without an instruction. They are no issue slots.
    pub fn pass(&mut self, idle: Idle, cycles: u64) {
        self.idle.add(idle, cycles);
        self.clock.frozen = self.clock.frozen.saturating_add(cycles);
    }

    /// Time that passed without instructions.
    #[must_use]
    pub fn idle(&self) -> &IdleTime {
        &self.idle
    }

    /// Cycles for which memory froze the CPU, and those of earlier runs.
    #[must_use]
    pub fn frozen(&self) -> u64 {
        self.clock.frozen.saturating_sub(self.idle.all())
    }

    /// The cycle in which the last instruction issued.
    #[must_use]
    #[inline]
    pub fn now(&self) -> u64 {
        self.clock.now()
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

    /// Caches, buffers and bus.
    #[must_use]
    pub fn memory(&self) -> &MemoizedMemory {
        &self.memory
    }

    /// Caches, buffers and bus, to change their state.
    pub fn memory_mut(&mut self) -> &mut MemoizedMemory {
        &mut self.memory
    }

    /// First fetches of blocks from another aligned pair than the fetch before.
    #[must_use]
    pub fn fetches(&self) -> u64 {
        self.fetches
    }

    /// An address at which two opcodes ran.
    #[must_use]
    pub fn changed_code(&self) -> Option<u32> {
        self.changed_code
    }

    /// The name of the present numbers of blocks and edges.
    #[must_use]
    pub fn serial(&self) -> u64 {
        self.serial.number()
    }

    /// The address of the last instruction; 0 if there is none.
    #[must_use]
    pub fn last_pc(&self) -> u32 {
        if self.last == u32::MAX { 0 } else { self.last }
    }

    /// The cycle behind the last instruction.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.clock.now() + self.edges.pipeline().end() - START
    }

    /// The cycles for which the bus stays busy behind [`BlockTimer::end`].
    pub fn pending(&mut self) -> u64 {
        let end = self.end();
        self.memory.bus_free().saturating_sub(end)
    }

    /// The pipeline in its present state.
    #[must_use]
    pub fn pipeline(&self) -> Pipeline {
        self.edges.pipeline()
    }

    /// Adds the counts of all edges and the fetches. Stalls are missing.
    pub fn add_to(&self, ledger: &mut Ledger, counts: &mut Counts) {
        self.edges.add_to(&self.blocks, ledger, counts);
        counts.fetches += self.fetches;
    }

    /// Times an executed block. Returns the number of its edge.
    #[inline]
    pub fn execute<B: TimingSink>(&mut self, block: &RetiredBlock<'_>, sink: &mut B) -> u32 {
        let code = self.blocks.find(block);
        let known = self.edges.timed.len();
        let edge = self.edges.follow(&self.blocks, code, BlockPath::of(block));
        if self.edges.timed.len() != known {
            return self.first_time(edge, block, sink);
        }
        self.pass_by(edge, code, block, sink);
        edge
    }

    #[inline]
    fn pass_by<B: TimingSink>(&mut self, edge: u32, code: u32, block: &RetiredBlock<'_>, sink: &mut B) {
        self.count(edge, code);
        let here = &mut self.blocks.all[code as usize];
        let (start, bytes) = (here.start, here.bytes());
        if self.memory.plain().holds_code(start, bytes, &mut here.resident) {
            if !block.accesses.is_empty() {
                self.access_from(self.clock.base, 0, edge, block.accesses, sink);
            }
        } else {
            self.fetch_and_access(edge, code, block.accesses, sink);
        }
        self.finish_edge(edge);
    }

    /// Counts an execution of `edge`.
    #[inline]
    fn count(&mut self, edge: u32, code: u32) {
        if self.clock.active {
            let timed = &mut self.edges.timed[edge as usize];
            timed.times[(self.clock.slots & 1) as usize] += 1;
            self.clock.slots += u64::from(timed.slots);
            let start = self.blocks.all[code as usize].start;
            self.fetches += u64::from(start >> 2 != self.last >> 2);
        }
    }

    /// Moves to the end of `edge`.
    #[inline]
    fn finish_edge(&mut self, edge: u32) {
        let timed = &self.edges.timed[edge as usize];
        self.last = timed.last;
        self.clock.base += u64::from(timed.advance);
    }

    /// The same for a new edge.
    #[cold]
    fn first_time<B: TimingSink>(&mut self, edge: u32, block: &RetiredBlock<'_>, sink: &mut B) -> u32 {
        self.compare_opcodes(edge);
        let code = self.edges.details[edge as usize].code;
        self.pass_by(edge, code, block, sink);
        edge
    }

    /// The operation of `block` at which the measured region begins or ends next.
    #[must_use]
    pub fn border(&self, block: &RetiredBlock<'_>, region: (u32, u32)) -> Option<usize> {
        let address = if self.clock.active { region.1 } else { region.0 };
        let place = (address.wrapping_sub(block.start) / 2) as usize;
        let ran = address & 1 == 0
            && block.ran.contains(&place)
            && block.instructions().any(|event| event.pc == address);
        ran.then_some(place)
    }

    /// Drops blocks and edges if they have become too many. Call it between blocks.
    #[inline]
    pub fn make_room<B: TimingSink>(&mut self, sink: &mut B) {
        if self.is_full() {
            self.forget(sink);
        }
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.edges.is_full(MOST) || self.blocks.is_full(MOST)
    }

    #[cold]
    fn forget<B: TimingSink>(&mut self, sink: &mut B) {
        sink.drop_edges(&self.blocks, &self.edges);
        self.edges.forget();
        self.memory.forget_edges();
        self.blocks = BlockTable::new();
        self.serial = Serial::default();
        if self.seen.len() > SEEN {
            self.seen.clear();
        }
    }

    /// Compares the opcodes of a new edge with those that ran at the same addresses before.
    fn compare_opcodes(&mut self, edge: u32) {
        let details = &self.edges.details[edge as usize];
        let code = &self.blocks.all[details.code as usize];
        for visit in &details.visits {
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
    use super::{BlockTimer, MOST, TimingSink};
    use crate::memory::Stall;
    use crate::{Setup, operation};
    use sh4::table::Id;
    use sh4::{Retired, RetiredBlock};

    struct Ignore;

    impl TimingSink for Ignore {
        fn stall(&mut self, _: &super::CodeBlock, _: u8, _: &Stall, _: (u64, u64)) {}

        fn drop_edges(&mut self, _: &super::BlockTable, _: &super::EdgeTable) {}
    }

    /// Code that never comes again does not fill the tables beyond their limit.
    #[test]
    fn tables_have_a_limit() {
        let mut timer = BlockTimer::new(&Setup::default());
        let serial = timer.serial();
        for i in 0..2 * MOST as u32 {
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
            assert!(timer.blocks.all.len() <= MOST && timer.edges.timed.len() <= MOST + 1);
        }
        assert_ne!(timer.serial(), serial);
    }
}
