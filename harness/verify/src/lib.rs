//! Kernels on emulated processors, compared bit for bit with their references.
//!
//! [`Processor`] is what a processor has to offer, [`Target`] which programs and kernels it runs. [`Emulated`] and
//! [`Checked`] are the two other implementations of [`sh4_kernels::Kernels`]: the first runs the assembly, the second
//! runs both and stops at the first bit that differs; [`Metered`] counts what each call costs. [`Verifier`] feeds a kernel with generated cases and reports;
//! [`mutate()`] damages a kernel's code and holds the verifier to noticing.

mod arena;
mod checked;
mod cost;
mod element;
mod emulated;
mod metered;
mod mutate;
mod processor;
mod rom;
mod suggest;
mod verifier;

pub mod user;

pub use arena::PlaceError;
pub use checked::{Checked, Failed, Tally};
pub use cost::{Caches, Cost, QACR};
pub use element::Element;
pub use emulated::Emulated;
pub use metered::{Costs, Metered, Origin};
pub use mutate::{Flip, Mutants, Mutate, Survey, mutate};
pub use processor::{
    Argument, Call, CallFailure, Open, OpenError, Port, Processor, Returned, Rom, SH4, Sh4, Stray, Target,
};
pub use rom::{KERNELS_ELF, RomError};
pub use suggest::did_you_mean;
pub use verifier::{Report, Verifier};
