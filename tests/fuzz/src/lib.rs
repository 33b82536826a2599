#![doc = include_str!("../README.md")]
#![allow(clippy::panic, reason = "a panic is how a fuzzer notices a broken promise")]

mod chip;
mod console;
mod counting;
mod dictionary;
mod first;
mod first_structured;
mod formats;
mod host;
mod playing;
mod prepare;
mod programs;
mod scenes;
mod sound;
mod source;
mod states;
mod targets;
mod texts;
mod worst;

pub use dictionary::dictionary;
pub use prepare::prepare;
pub use source::Random;
pub use targets::TARGETS;
pub use worst::{WORST, Worst};

use std::path::{Path, PathBuf};

/// A function that takes any bytes. It must neither panic nor hang.
pub struct Target {
    /// The name in `SWIRL_FUZZ_TARGET` and in `fuzz/regressions`.
    pub name: &'static str,
    /// The tested operation, and the values that must be equal.
    pub about: &'static str,
    /// Runs one input. Panics if the tested code breaks a promise.
    pub run: fn(&[u8]),
    /// Returns the first inputs.
    pub first: fn() -> Vec<Vec<u8>>,
    /// Maximum input length; longer inputs find no more errors.
    pub longest: usize,
    /// Number of changed inputs in an ordinary test: about a quarter of a second.
    pub tried: u64,
}

/// Returns the target with a name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// The files of `fuzz/regressions` for a target.
#[must_use]
pub fn regressions(target: &Target) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/regressions")
        .join(target.name);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Runs an input of a target: the body of `fuzz/fuzz_targets/any.rs`.
///
/// # Panics
/// If there is no such target, or the input breaks a promise.
pub fn run(name: &str, bytes: &[u8]) {
    let target = target(name).expect("the name is one of TARGETS");
    (target.run)(&bytes[..bytes.len().min(target.longest)]);
}
