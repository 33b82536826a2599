//! Where the cycles of SH-4 code go.
mod cause;
mod cycles;
mod insn;
mod ledger;
mod parameters;
mod pipeline;
pub mod resource;
pub mod table;

pub use cause::{CAUSES, Cause};
pub use cycles::Cycles;
pub use insn::Insn;
pub use ledger::Ledger;
pub use parameters::{Confidence, DESCRIPTIONS, Description, ParameterError, Parameters, Unit};
pub use pipeline::{Issue, Pipeline, State, pairs};
