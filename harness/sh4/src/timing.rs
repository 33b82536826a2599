//! The interface between compiled code and a cycle model.
//!
//! Compiled code does not report each block that it ran. It follows the edges that the cycle model has timed
//! ([`TimedEdge`]), and counts hits in lines that cost nothing ([`FilterLine`]). It calls the model
//! ([`BlockTiming`]) where no edge is known yet, and at the end of a block for the accesses from the first
//! one on that is no free hit.

use crate::RetiredBlock;

/// No edge, and no block.
pub const NONE: u32 = u32::MAX;

/// The most skipping branches of a block whose paths have places in [`TimingTables::ends`]. The interpreter
/// runs blocks with more.
pub const MAX_SKIPS: usize = 6;

/// Following edges that an edge holds itself: those of a block with one skipping branch.
pub const NEXT_EDGES: usize = 4;

/// A path through a block from one state of the pipeline, with its time.
#[repr(C, align(64))]
#[derive(Clone, Debug)]
pub struct TimedEdge {
    /// How often execution took the edge, by whether the issue slots before it were odd. Compiled code does
    /// not know and counts in the first.
    pub times: [u64; 2],
    /// The number of the block that followed; [`NONE`] at first.
    pub next: u32,
    /// Where the edges of that block begin in [`TimingTables::ends`].
    pub next_ends: u32,
    /// The first of those edges that were taken from here: numbers, or [`NONE`].
    pub after: [u32; NEXT_EDGES],
    /// Cycles of the pipeline's clock.
    pub advance: u32,
    /// Issue slots used and lost.
    pub slots: u32,
    /// Address of its last instruction.
    pub last: u32,
    /// The number of the pipeline's state behind it.
    pub state: u32,
}

/// Loads or stores to a line of the operand cache that cost nothing more than their issue slot.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct FilterLine {
    /// Effective address of the line; no multiple of 32 if there is none.
    pub address: u32,
    /// The model's own.
    pub mark: u32,
    /// Hits counted.
    pub accesses: u64,
}

/// Entries of the operand cache.
pub const OPERAND_LINES: usize = 512;

/// Finds the entry of [`TimingTables::lines`] for an address: bit `high` of the address is bit 8 of the
/// entry's number; bits 5 and up, masked by `low`, are the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilterIndex {
    /// A bit of the address.
    pub high: u8,
    /// A mask.
    pub low: u8,
}

/// The position of a run in the timing tables.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The number of the edge that execution took last.
    pub edge: u64,
    /// The pipeline's clock behind it.
    pub base: u64,
    /// First fetches of blocks from another aligned pair than the fetch before, since the last call of the
    /// model.
    pub fetches: u64,
    /// The cycle from which on hits are free: until then a transfer is in flight that they may wait for.
    pub idle_from: u64,
}

/// The tables of a cycle model. Compiled code counts in them.
#[derive(Debug)]
pub struct TimingTables<'a> {
    /// All known edges.
    pub edges: &'a mut [TimedEdge],
    /// For each block and each state before it, one place for each path. A path's index has a bit for each
    /// skipping branch, the last one lowest, 1 if it skips; then 1 if the branch at the block's end is taken.
    /// The place holds a number of `edges`, or [`NONE`].
    pub ends: &'a [u32],
    /// For each entry of the operand cache: loads that hit for free, and stores.
    pub lines: &'a mut [[FilterLine; 2]; OPERAND_LINES],
    /// Changes with the contents of the instruction cache.
    pub code_version: u64,
    /// The present position.
    pub cursor: Cursor,
}

/// A data access recorded by compiled code. The instruction gives its size and direction.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordedAccess {
    /// Effective address.
    pub address: u32,
    /// The lower half of the value that was written outside the bus's window; undefined otherwise.
    pub value: u32,
}

/// The part of a block that was executed.
#[derive(Clone, Copy, Debug)]
pub struct ExecutedPart {
    /// The block's number.
    pub block: u32,
    /// Operations from the first one on.
    pub length: u32,
    /// See [`RetiredBlock::skips`].
    pub skips: u32,
    /// See [`RetiredBlock::taken`].
    pub taken: bool,
}

/// A cycle model that compiled code can follow. The result equals that of an [`Observer`](crate::Observer)
/// that receives the same blocks one by one.
///
/// Compiled code may call it while the host treats denormal floats as zeros. Implementations do no float
/// arithmetic.
pub trait BlockTiming {
    /// The name of the present numbers of blocks and edges. It changes when the model drops its tables.
    fn serial(&self) -> u64;

    /// The present index of the operand cache.
    fn filter_index(&self) -> FilterIndex;

    /// The number of a block; `whole` is an execution of all of it.
    fn block_number(&mut self, whole: &RetiredBlock<'_>) -> u32;

    /// The tables.
    fn tables(&mut self) -> TimingTables<'_>;

    /// Moves the model's position to `cursor`, which compiled code has reached through the tables.
    fn advance_to(&mut self, cursor: &Cursor);

    /// Enters the block `number`, after [`BlockTiming::advance_to`]. `resident` is the version at which the
    /// instruction cache held its code. Returns false if the block's fetches cost time: then
    /// [`Observer::ran`](crate::Observer::ran) has to receive the block.
    fn enter(&mut self, number: u32, resident: &mut u64) -> bool;

    /// Executes `part` of a block behind `cursor`, with its `accesses`. Those before `first` are counted
    /// already and their contents are undefined. Moves `cursor` behind the part. Returns whether
    /// [`BlockTiming::tables`] have changed.
    fn execute(
        &mut self,
        cursor: &mut Cursor,
        part: &ExecutedPart,
        first: usize,
        accesses: &[RecordedAccess],
    ) -> bool;

    /// Adds the stalls of the accesses from `first` on of an `edge` that is counted already; the pipeline's
    /// clock behind it is `base`. Returns [`Cursor::idle_from`], or nothing if [`BlockTiming::tables`] have
    /// changed.
    fn stall(&mut self, edge: u32, base: u64, first: usize, accesses: &[RecordedAccess]) -> Option<u64>;
}
