//! Profiles of SH-4 code: the attribution of cycles to instructions, views and exports.
//!
//! A [`Profiler`] observes a run as an [`sh4::Observer`] and returns a [`Profile`]. For each instruction and
//! call it contains the used and lost issue slots, each lost slot with one [`Cause`](timing::Cause). It also
//! contains the chip's 33 events, and statistics of caches and bus. A [`timing::Counter`] counts the same
//! totals faster; `Profile::from` takes its result. [`view`] makes text, [`export`] the files of other tools,
//! [`Report`] JSON. The cycle model is the crate `timing`; [`NOT_MODELLED`] lists its omissions.

mod attribution;
mod bounds;
mod calls;
mod chain;
mod dwarf;
pub mod export;
mod limits;
mod order;
mod places;
mod profile;
mod profiler;
pub mod program;
mod recent_blocks;
mod relocation;
mod report;
mod site;
pub mod spans;
mod step;
pub mod view;

pub use bounds::{Bound, Bounds};
pub use calls::{CallEdge, CallNode, Calls};
pub use dwarf::{DwarfError, Reader as DwarfReader, functions, load as load_dwarf, objects, source_lines};
pub use limits::NOT_MODELLED;
pub use order::dependence;
pub use places::{Places, SourceLine, instruction};
pub use profile::Profile;
pub use profiler::Profiler;
pub use relocation::CodeRelocation;
pub use report::*;
pub use site::{Costs, Site};
pub use spans::Origin;
pub use step::{Step, Steps};
