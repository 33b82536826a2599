//! Kinds of cases.

mod budget;
mod convert;
mod cycles;
mod frame;
mod kernel;
mod program;
mod scene;
mod verb;

pub(super) use super::case::{CaseOutput, Kind};
use anyhow::{Context, Result};

static KINDS: [Kind; 7] = [
    scene::KIND,
    frame::FRAME,
    frame::CELLS,
    kernel::KIND,
    cycles::KIND,
    convert::KIND,
    program::KIND,
];

/// Returns all kinds, in the order of the help.
pub(super) fn all() -> &'static [Kind] {
    &KINDS
}

/// Returns the kind with a name.
pub(super) fn find(name: &str) -> Result<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name).with_context(|| {
        let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
        format!("kind {name}, expected {}", names.join(", "))
    })
}
