//! Rules for names, prose and files of the project, each with its reason.
//!
//! Each rule lists violations. `data/tidy.txt` has the number of violations that each crate may still have.
//! The test fails if a crate has more or fewer, so that the numbers only fall. `SWIRL_TIDY_UPDATE=1` writes
//! lower numbers into this file. `SWIRL_TIDY_UPDATE=raise` also writes higher ones, after a merge; such a
//! change must be justified.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

mod architecture;
mod commands;
mod cycles;
mod files;
mod links;
mod modules;
mod packages;
mod prose;
mod ratchet;
mod text;
mod words;

use ratchet::{Violation, hold};

/// A rule with its name in `data/tidy.txt`.
struct Rule {
    name: &'static str,
    reason: &'static str,
    find: fn() -> Vec<Violation>,
}

const RULES: [Rule; 15] = [
    Rule {
        name: "columns",
        reason: "Two files fit side by side where lines have at most 110 columns.",
        find: text::columns,
    },
    Rule {
        name: "lines",
        reason: "A file of at most 500 lines can be read in one go.",
        find: text::lines,
    },
    Rule {
        name: "words",
        reason: "Private words and metaphors have to be learnt; the field's terms are known.",
        find: words::retired,
    },
    Rule {
        name: "types",
        reason: "A type's name says what the type is, in the field's terms.",
        find: words::retired_types,
    },
    Rule {
        name: "prose",
        reason: "Readers understand a plain sentence at once: subject, verb, object, and the actor by name.",
        find: prose::hard,
    },
    Rule {
        name: "citations",
        reason: "A reader can open only public documents and this repository.",
        find: words::citations,
    },
    Rule {
        name: "modules",
        reason: "A crate's README is its map; it lists the modules that exist and no others.",
        find: modules::tables,
    },
    Rule {
        name: "tests",
        reason: "Cargo builds only the tests that a crate's `tests/main.rs` names.",
        find: modules::unbuilt_tests,
    },
    Rule {
        name: "commands",
        reason: "A command in the documentation works.",
        find: commands::parse,
    },
    Rule {
        name: "links",
        reason: "A link leads to a file, and the book's summary lists every page.",
        find: links::broken,
    },
    Rule {
        name: "paths",
        reason: "A newcomer follows ARCHITECTURE.md and CONTRIBUTING.md to the files that they name.",
        find: architecture::paths,
    },
    Rule {
        name: "imports",
        reason: "ARCHITECTURE.md says which crate uses which; the manifests decide.",
        find: architecture::imports,
    },
    Rule {
        name: "cycles",
        reason: "A file that others of a circle import cannot be read or changed without them.",
        find: cycles::circles,
    },
    Rule {
        name: "absence",
        reason: "In CI a test whose files are missing fails; elsewhere it prints `0 files`.",
        find: packages::silent_absence,
    },
    Rule {
        name: "packages",
        reason: "A package contains everything that it is built from, and says what it is.",
        find: packages::incomplete,
    },
];

#[test]
fn the_project_is_tidy() {
    let mut failures = Vec::new();
    for rule in &RULES {
        failures.extend(hold(rule.name, rule.reason, &(rule.find)()));
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
