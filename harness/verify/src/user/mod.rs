//! Verifying a kernel that is not ours: an ELF, and a TOML file that says what to call and what to compare.
//!
//! ```toml
//! [[kernel]]
//! call    = "scale_fast"                # symbol, with or without the leading underscore
//! against = "scale_c"                   # symbol of the same ELF, or "builtin:NAME"
//! fpscr   = "single, nearest, flush"
//!
//! [kernel.args]                         # in the order of the prototype
//! data = { inout = "f32[n]", values = "finite" }
//! n    = { value = "u32", range = "1..=64" }
//! by   = { value = "f32", values = "finite" }
//!
//! [kernel.check]
//! compare = "bits"
//! cycles  = { cache = "warm", at = { n = 64 }, max = 400 }
//! ```
//!
//! [`Spec::parse`] reads the file, [`UserVerifier`] runs generated cases on both sides and reports the first that
//! differs, shrunk to the smallest that still does. A case is a function of its seed alone.

mod builtin;
mod case;
mod compare;
mod cycles;
mod expr;
mod generate;
mod report;
mod run;
mod shrink;
mod spec;
mod verifier;
mod watched;

pub use case::UserCase;
pub use cycles::UserCycles;
pub use report::{Problem, UserReport};
pub use run::Failure;
pub use spec::{Against, Spec, SpecError, UserKernel};
pub use verifier::{SetupError, UserVerifier};
pub use watched::UserCall;
