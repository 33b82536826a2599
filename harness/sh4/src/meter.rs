//! Counting while compiled code runs: what an [`Observer`](crate::Observer) shares with it.
//!
//! Compiled code does not tell of straight code that has run. It follows the observer's own books instead: in which state
//! of the pipeline a block was entered, by which way it was left, what that cost ([`Way`]), and whether an access finds its
//! line ([`Line`]). Whatever those do not say yet it tells the observer ([`Meter`]): at the end of a block, with all
//! accesses from the first one on that is no plain hit.

use crate::Stretch;

/// No way, and no block.
pub const NONE: u32 = u32::MAX;

/// Branches over one instruction in a block up to which each way through it has a place in [`Tables::ends`]: what has more
/// is not for compiled code.
pub const FEW: usize = 6;

/// Ways behind a way that it knows itself: those through a block with one branch over one instruction.
pub const AFTER: usize = 4;

/// A way through a block, from one state of the pipeline on.
#[repr(C, align(64))]
#[derive(Clone, Debug)]
pub struct Way {
    /// How often execution went there, by whether the slots booked before were odd; compiled code does not know and
    /// takes the first.
    pub times: [u64; 2],
    /// The number of the block that came next; [`NONE`] at first.
    pub next: u32,
    /// Where the ways through that one begin in [`Tables::ends`].
    pub next_ends: u32,
    /// The first of those, as far as they were taken from here: numbers of ways, or [`NONE`].
    pub after: [u32; AFTER],
    /// Cycles that the pipeline's clock moves.
    pub advance: u32,
    /// Issue slots used and lost.
    pub slots: u32,
    /// Address of its last instruction.
    pub last: u32,
    /// The state of the pipeline behind it, in the meter's own numbers.
    pub state: u32,
}

/// Loads or stores to a line of the operand cache that cost nothing more than their slot.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Effective address of the line; no multiple of 32 if there is none.
    pub address: u32,
    /// The meter's own.
    pub mark: u32,
    /// How many there were.
    pub accesses: u64,
}

/// Entries of the operand cache.
pub const LINES: usize = 512;

/// Which of the [`Tables::lines`] is for an address: bit `high` of it, and bits 5 and up as far as `low` has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    /// A bit of the address: bit 8 of the entry's number.
    pub high: u8,
    /// A mask of its other bits.
    pub low: u8,
}

/// How far the books have come.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The number of the way by which the last block was left.
    pub way: u64,
    /// The pipeline's clock behind that.
    pub base: u64,
    /// First fetches of blocks that were from another word than the one before, since the meter was told last.
    pub fetches: u64,
    /// From which moment of that clock on accesses pass; before it, something is under way that they may have to wait for.
    pub quiet: u64,
}

/// The books as they are at present. Compiled code counts in them.
#[derive(Debug)]
pub struct Tables<'a> {
    /// All ways that are known.
    pub ways: &'a mut [Way],
    /// For each block in each state that it was entered in, one place a way: the branches over one instruction in it as
    /// bits, the last one's lowest, each 1 if it skips; then 1 if the branch at its end is taken. A number of
    /// `ways`, or [`NONE`].
    pub ends: &'a [u32],
    /// For each entry of the operand cache: loads that pass, and stores.
    pub lines: &'a mut [[Line; 2]; LINES],
    /// Blocks that were found in the instruction cache at this version are still there.
    pub code_version: u64,
    /// How far the books have come.
    pub standing: Standing,
}

/// A data access that compiled code has noted. How many bytes it has, and whether it reads or writes, says the row of its
/// operation.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noted {
    /// Effective address.
    pub address: u32,
    /// The lower half of what was written, if that went past the bus's window; else it means nothing.
    pub value: u32,
}

/// The part of a block that has run.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The block's number.
    pub block: u32,
    /// How many of its operations, from the first on.
    pub length: u32,
    /// See [`Stretch::skips`].
    pub skips: u32,
    /// See [`Stretch::taken`].
    pub taken: bool,
}

/// An [`Observer`](crate::Observer) that can count while compiled code runs. Everything comes out as if it had been told
/// of the same code block by block. It may be called with denormal floats taken for zeros, and should not use any.
pub trait Meter {
    /// Names what its numbers mean: another meter has another one, and when it has forgotten everything it changes.
    fn serial(&self) -> u64;

    /// How entries of the operand cache are found at present.
    fn index(&self) -> Index;

    /// The number of a block, which `whole` ran through.
    fn number(&mut self, whole: &Stretch<'_>) -> u32;

    /// The books.
    fn tables(&mut self) -> Tables<'_>;

    /// Compiled code has come to there by itself. Has to be told before [`Meter::arrive`].
    fn catch_up(&mut self, standing: &Standing);

    /// Execution comes to the block `number`, whose code had been found in the instruction cache at version `known`. False
    /// if it has to be told of by [`Observer::ran`](crate::Observer::ran).
    fn arrive(&mut self, number: u32, known: &mut u64) -> bool;

    /// Compiled code has come to `standing` by itself, and then `part` has run. Its `accesses` from the `first` on are told
    /// of now; those before are counted in [`Tables::lines`], and what is said of them here means nothing. `standing` is
    /// then how far the books have come; the answer is whether [`Meter::tables`] are others than before.
    fn settle(&mut self, standing: &mut Standing, part: &Part, first: usize, accesses: &[Noted]) -> bool;

    /// Compiled code has come by itself to the end of a block, where the pipeline's clock says `base`, and has counted the
    /// `way` there. The block's `accesses` from the `first` on are told of now, as in [`Meter::settle`]. The answer is
    /// [`Standing::quiet`]; nothing if [`Meter::tables`] are others than before.
    fn wait(&mut self, way: u32, base: u64, first: usize, accesses: &[Noted]) -> Option<u64>;
}
