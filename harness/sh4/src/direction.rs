//! The direction of an access.

/// The kind of an access.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Data read.
    Read,
    /// Data write, and the cache instructions.
    Write,
    /// Instruction fetch.
    Fetch,
}
