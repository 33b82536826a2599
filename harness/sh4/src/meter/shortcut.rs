//! Shortcuts: what compiled code does by itself in place of [`Meter::wait`](super::Meter::wait).
//!
//! Runs of accesses that have to be told of come again and again, and mostly do what they did before. A meter says once, in
//! small [`Steps`], what it looks at then and what it changes; host code is made of them, which from then on is tried at the
//! end of a block. Either everything is as it was, and has been done; or nothing has happened, and the meter is told.
//!
//! Steps only reach the places of a [`Desk`], and no further than these: what a meter says may be wrong, but not unsafe.

use super::{LINES, Line};

/// Numbers of shortcuts, of which 0 is none.
pub const SHORTCUTS: usize = 64;
/// Cells of a desk.
pub const CELLS: usize = 2048;
/// The cell with the number of the shortcut to be tried next.
pub const NEXT: usize = 0;
/// Words of a desk's log.
pub const LOG: usize = 512;
/// Words of a desk's filter.
pub const FILTER: usize = 1024;

/// A line that the operand cache holds.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    /// Its physical address, with what the meter notes in the lowest bits.
    pub tag: u32,
    /// The meter's own.
    pub prefetched_by: u32,
}

/// What shortcuts work on.
#[derive(Debug)]
pub struct Desk<'a> {
    /// The meter's own, but for [`NEXT`].
    pub cells: &'a mut [u64; CELLS],
    /// Written one word after the other.
    pub log: &'a mut [u64; LOG],
    /// Only read.
    pub filter: &'a [u64; FILTER],
    /// Lines of the operand cache.
    pub held: &'a mut [Held; LINES],
    /// For each of them an address.
    pub gone: &'a mut [u32; LINES],
    /// Those of [`Tables`](super::Tables).
    pub lines: &'a mut [[Line; 2]; LINES],
}

/// A value that steps have, of 32 or 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value(pub u32);

/// What two values of one width come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Wraps.
    Add,
    /// Wraps.
    Sub,
    /// Wraps.
    Mul,
    /// Bit by bit.
    And,
    /// The first to the right by the second, zeros from the left.
    Shift,
    /// The first to the right by the second, around.
    Rotate,
}

/// How two values of one width, without signs, compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// They are the same.
    Equal,
    /// They are not.
    Differ,
    /// The first is no more than the second.
    AtMost,
    /// The first is less than the second.
    Below,
}

/// What there is for each entry of the operand cache. The truth value is that of stores: loads have their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// [`Held::tag`].
    Tag,
    /// [`Held::prefetched_by`].
    PrefetchedBy,
    /// Of [`Desk::gone`].
    Gone,
    /// [`Line::address`].
    Address(bool),
    /// [`Line::mark`].
    Mark(bool),
    /// [`Line::accesses`], the only one of 64 bits.
    Accesses(bool),
}

/// The steps of a shortcut, as they are taken. Whatever is asked for ([`Steps::require`]) is asked before anything is
/// written.
pub trait Steps {
    /// A number of 32 bits.
    fn word(&mut self, value: u32) -> Value;

    /// A number of 64 bits.
    fn wide(&mut self, value: u64) -> Value;

    /// The way that was taken, and where the pipeline's clock is behind it, of 64 bits both.
    fn way(&mut self) -> [Value; 2];

    /// The address of an access, by its place among those of the block: 32 bits.
    fn address(&mut self, place: u8) -> Value;

    /// A cell of the desk: 64 bits.
    fn cell(&mut self, place: usize) -> Value;

    /// Writes a cell.
    fn set_cell(&mut self, place: usize, value: Value);

    /// Writes a word of the log, whose place is one of 64 bits.
    fn log(&mut self, place: Value, value: Value);

    /// A word of the filter, whose place is one of 64 bits.
    fn filter(&mut self, place: Value) -> Value;

    /// The entry of the operand cache for an address, where entries follow each other as lines do.
    fn entry(&mut self, address: Value) -> Value;

    /// What there is for an entry.
    fn field(&mut self, field: Field, entry: Value) -> Value;

    /// Writes that.
    fn set_field(&mut self, field: Field, entry: Value, value: Value);

    /// What two values come to.
    fn apply(&mut self, operation: Operation, one: Value, other: Value) -> Value;

    /// 64 bits of two times 32, the lower ones first.
    fn join(&mut self, halves: [Value; 2]) -> Value;

    /// Two times 32 bits of 64, the lower ones first.
    fn split(&mut self, value: Value) -> [Value; 2];

    /// The first of two values if the test holds, else the second.
    fn pick(&mut self, test: Test, values: [Value; 2], of: [Value; 2]) -> Value;

    /// Nothing happens unless the test holds.
    fn require(&mut self, test: Test, one: Value, other: Value);

    /// Does something if the test holds, which is seldom.
    fn when(&mut self, test: Test, values: [Value; 2], then: &mut dyn FnMut(&mut dyn Steps));

    /// All has been done; from which moment on accesses pass, as [`Standing::quiet`](super::Standing::quiet) has it.
    fn done(&mut self, quiet: Value);
}
