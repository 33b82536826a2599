//! Cycle model of the SH-4: instruction costs, pipeline, caches, buffers, SDRAM, and the chip's 33
//! performance events.
//!
//! A [`Counter`] observes a run as an [`sh4::Observer`] and counts its cycles. The [`PlainCounter`] is the
//! reference implementation: it issues each instruction in the [`Pipeline`] and performs each access in the
//! [`MemoryModel`]. Profiler and counter share the [`BlockTimer`], which stores the pipeline's time for each
//! path through a block.
//!
//! Sources: SH7750 hardware manual, section 8; measurements on consoles for the memory system. Each uncertain
//! constant is a field of [`Parameters`].

pub mod block;
mod cause;
mod code;
mod console;
mod counter;
mod counts;
mod cycle_counts;
mod cycles;
pub mod events;
pub mod hash;
mod insn;
mod ledger;
pub mod memory;
mod parameters;
mod pipeline;
mod plain;
pub mod resource;
mod setup;
pub mod table;

pub use block::{BlockTimer, Shadow, TimingSink};
pub use cause::{CAUSES, Cause};
pub use console::{ConsoleClock, Idle, IdleTime};
pub use counter::{Counter, operation};
pub use counts::{Counts, FpuStages, StageUse};
pub use cycle_counts::CycleCounts;
pub use cycles::Cycles;
pub use insn::{Consumer, Insn, Producer, Write};
pub use ledger::Ledger;
pub use memory::{InactiveStats, MemoryModel};
pub use parameters::{Parameters, likely};
pub use pipeline::{Issue, Pipeline, PipelineState, latency, pairs};
pub use plain::PlainCounter;
pub use settings::Table;
pub use setup::Setup;
