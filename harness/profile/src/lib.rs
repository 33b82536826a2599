//! Where the cycles of SH-4 code go.
//!
//! A [`Profiler`] (everything, by instruction) or a [`Counter`] (totals only, faster, the same figures) listens to a run
//! as an [`sh4::Observer`] and gives a [`Profile`]: each issue slot used or lost for one [`Cause`], the console's 33
//! [`events`], what the caches and the bus did. [`view`] makes text of it, [`export`] other tools' files, [`Report`]
//! JSON. The crate knows no machine and no kernel; it computes nothing that execution depends on.
//!
//! Sources: SH7750 hardware manual, section 8; measurements on consoles for the memory system. What is not certain is a
//! field of [`Parameters`]; what is left out stands in [`NOT_MODELLED`].

mod bounds;
mod calls;
mod cause;
mod chain;
mod code;
mod counter;
mod counts;
mod cycles;
mod dwarf;
pub mod events;
mod explain;
pub mod export;
mod flow;
mod hash;
mod insn;
mod ledger;
mod limits;
pub mod memory;
mod metered;
mod moved;
mod order;
mod origin;
mod outcome;
mod parameters;
mod pipeline;
mod places;
mod profiler;
mod report;
pub mod resource;
mod serial;
mod shadow;
mod site;
mod step;
pub mod table;
mod trail;
pub mod view;

pub use bounds::{Bound, Bounds};
pub use calls::{Calls, Edge, Node};
pub use cause::{CAUSES, Cause};
pub use counter::Counter;
pub use counts::{Counts, FpuStages, Kept};
pub use cycles::Cycles;
pub use dwarf::{DwarfError, source_lines};
pub use insn::Insn;
pub use ledger::Ledger;
pub use limits::NOT_MODELLED;
pub use moved::Moved;
pub use order::dependence;
pub use parameters::{Confidence, DESCRIPTIONS, Description, ParameterError, Parameters, Unit};
pub use pipeline::{Issue, Pipeline, State, pairs};
pub use places::{Line, Places, instruction};
pub use profiler::{Profile, Profiler, Setup};
pub use report::*;
pub use site::{Costs, Site};
pub use step::{Step, Steps};
