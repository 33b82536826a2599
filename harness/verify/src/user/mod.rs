//! Verifies functions of a program, given its ELF file and a specification (TOML) of the calls and
//! comparisons.
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
//! [`Spec::parse`] reads the file. [`UserVerifier`] runs generated cases on both sides and reports the first
//! difference, shrunk to the smallest case that still differs. A case depends only on its seed.
//! [`SPEC_TABLES`] has every key.

mod arrays;
mod builtin;
mod case;
mod compare;
mod cycles;
mod debug_info;
mod expr;
mod fpscr;
mod generate;
mod keys;
mod pair;
mod program;
mod report;
mod run;
mod scaffold;
mod shrink;
mod spec;
mod unwritten;
mod verifier;
mod watched;

pub use arrays::{ArrayDifference, InputArray};
pub use case::UserCase;
pub use compare::{Difference, Distance};
pub use cycles::UserCycles;
pub use keys::{KeyTable, SPEC_TABLES, SpecKey};
pub use report::{Problem, Stopped, UserReport, WorstElement};
pub use run::Failure;
pub use scaffold::{ScaffoldError, scaffold};
pub use spec::{Against, Spec, SpecError, UserKernel};
pub use verifier::{Plan, SetupError, UserVerifier};
pub use watched::UserCall;

/// Names of the generators, for `values`.
#[must_use]
pub fn generators() -> Vec<&'static str> {
    generate::NAMED.iter().map(|(name, ..)| *name).collect()
}

/// Names of the element types.
#[must_use]
pub fn element_types() -> Vec<&'static str> {
    crate::element::NAMES.iter().map(|(name, _)| *name).collect()
}

/// FPSCR at the entry of a function in an ELF file, and a note with the reason. `None` if the compiler's
/// options give single precision, the default.
#[must_use]
pub fn entry_fpscr(elf: &[u8], entry: u32, symbol: &str) -> Option<(u32, String)> {
    let debug = debug_info::DebugInfo::of(elf);
    let found = fpscr::at_entry([None; 2], entry, symbol, debug.as_ref());
    let (value, reason) = (found.value?, found.reason?);
    (value != fpscr::DN).then(|| (value, verifier::note(value, "fpscr", &reason)))
}

/// Words that the `fpscr` key accepts.
#[must_use]
pub fn fpscr_words() -> Vec<&'static str> {
    fpscr::WORDS.iter().map(|(word, _)| *word).collect()
}
