//! The kinds of cases: what each makes.

mod cells;
mod convert;
mod cycles;
mod frame;
mod kernel;
mod scene;
mod verb;

use super::artifact::Artifact;
use super::case::Case;
use crate::pvr_options::PvrOptions;
use anyhow::{Context, Result};
use std::path::PathBuf;

/// A kind of case.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// Keys of `case.toml` beside those that all kinds have.
    pub(super) keys: &'static [&'static str],
    /// Runs a case; an error is a failure of the case.
    pub(super) run: fn(&Case, &PvrOptions) -> Result<Made>,
}

/// What came of a case.
#[derive(Default)]
pub(super) struct Made {
    pub(super) artifacts: Vec<Artifact>,
    /// A folder that holds nothing but what this case makes.
    pub(super) folder: Option<PathBuf>,
    pub(super) warnings: Vec<String>,
}

static KINDS: [Kind; 6] = [
    scene::KIND,
    frame::KIND,
    cells::KIND,
    kernel::KIND,
    cycles::KIND,
    convert::KIND,
];

/// The kind of a name.
pub(super) fn find(name: &str) -> Result<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name).with_context(|| {
        let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
        format!("kind {name}, expected {}", names.join(", "))
    })
}
