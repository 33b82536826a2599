//! Runs kernels on emulated processors and compares them bit for bit with their references.
//!
//! [`Processor`] is the trait of a processor with a program, [`Target`] a processor with its kernels.
//! [`Emulated`] and [`Checked`] implement [`sh4_kernels::Kernels`]: the first runs the assembly; the second
//! runs assembly and reference and stops at the first different bit. [`Metered`] counts the cycles of each
//! call. [`Verifier`] runs a kernel on generated cases. [`mutate()`] flips bits of a kernel's code and checks
//! that the verifier notices. [`user`] verifies functions of any program.
//!
//! ```
//! use verify::Verifier;
//!
//! let kernel = sh4_kernels::find("transform_points").expect("a kernel of the manifest");
//! let report = Verifier::new()?.run(kernel, 20, 1, |_| {});
//! assert!(report.passed(), "{:?}", report.first_problem);
//! # Ok::<(), verify::RomError>(())
//! ```

mod arena;
mod checked;
mod cost;
mod element;
mod emulated;
mod limits;
mod metered;
mod mutate;
mod parallel;
mod processor;
mod rom;
mod suggest;
mod verifier;

pub mod arm7;
pub mod user;

pub use arena::PlaceError;
pub use checked::{Checked, Failed, Tally};
pub use cost::{Caches, Cost, QACR};
pub use element::Element;
pub use emulated::Emulated;
pub use limits::LIMITS;
pub use metered::{Costs, Metered, Origin};
pub use mutate::{Flip, Mutants, Mutate, Survey, mutate};
pub use processor::{
    Argument, Call, CallFailure, FreeRegister, Garbage, Open, OpenError, Port, Processor, RedZoneUse,
    Returned, Rom, SH4, Sh4, Stray, Target,
};
pub use rom::{KERNELS_ELF, RomError};
pub use suggest::{did_you_mean, did_you_mean_or_all, did_you_mean_symbol};
pub use verifier::{Report, Verifier, run_kernels};
