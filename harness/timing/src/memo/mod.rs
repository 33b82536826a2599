//! Timing that is worked out once and looked up when it comes again.
//!
//! The plain model is the definition: [`Pipeline`](crate::Pipeline) and
//! [`MemoryModel`](crate::memory::MemoryModel), as [`PlainCounter`](crate::PlainCounter) uses them. This
//! folder gives the same results faster; tests compare both.
//!
//! - [`edges`]: the pipeline's work for a path through a block, by the state before it.
//! - [`origin`]: accesses of a path that go by the same register, so that their distances are constant.
//! - [`hit_filter`]: lines whose hits cost nothing, so that they are only counted. Compiled code reads it.
//! - [`layout`], [`hit_class`]: a run of accesses as groups in one line each, and the result of a group's tag
//!   compare.
//! - [`lookup`]: the tag compares of a run, which also fill and evict.
//! - [`stall`], [`stalls`]: the stall of a run, by its layout, its hit classes and the transfers in flight.
//! - [`memory`]: the memory model with all of this in front of it.

pub(crate) mod edges;
pub(crate) mod hit_class;
pub(crate) mod hit_filter;
pub(crate) mod layout;
pub(crate) mod lookup;
pub(crate) mod memory;
pub(crate) mod origin;
pub(crate) mod stall;
pub(crate) mod stalls;

pub use memory::{InactiveStats, MemoizedMemory};
