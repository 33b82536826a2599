//! Numbers of violations, which may only fall.

use crate::files::{part, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A violation of a rule.
pub(crate) struct Violation {
    /// The file, relative to the workspace.
    pub(crate) path: String,
    /// Line, counted from 1; 0 for the whole file.
    pub(crate) line: usize,
    pub(crate) what: String,
}

/// Maximum number of places of a crate that a failure prints.
const SHOWN: usize = 12;

fn list() -> PathBuf {
    root().join("tests/data/tidy.txt")
}

/// Numbers by rule and crate.
type Allowed = BTreeMap<(String, String), usize>;

fn allowed() -> Allowed {
    let text = std::fs::read_to_string(list()).unwrap();
    let rows = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    let row = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        [rule, part, count] => ((rule.to_owned(), part.to_owned()), count.parse().unwrap()),
        _ => panic!("data/tidy.txt: {line}, expected RULE CRATE COUNT"),
    };
    rows.map(row).collect()
}

fn write(allowed: &Allowed) {
    let text = std::fs::read_to_string(list()).unwrap();
    let mut new: String = text
        .lines()
        .take_while(|line| line.starts_with('#'))
        .fold(String::new(), |text, line| text + line + "\n");
    for ((rule, part), count) in allowed.iter().filter(|(_, count)| **count > 0) {
        new += &format!("{rule} {part} {count}\n");
    }
    std::fs::write(list(), new).unwrap();
}

/// Compares violations with the allowed numbers of each crate. Returns a text for each difference.
pub(crate) fn hold(rule: &str, reason: &str, found: &[Violation]) -> Vec<String> {
    let mut by_part: BTreeMap<String, Vec<&Violation>> = BTreeMap::new();
    for violation in found {
        by_part.entry(part(&violation.path)).or_default().push(violation);
    }
    let mut allowed = allowed();
    let of_rule = allowed.keys().filter(|(name, _)| name == rule);
    let parts: BTreeSet<String> = of_rule
        .map(|(_, part)| part.clone())
        .chain(by_part.keys().cloned())
        .collect();
    let update = std::env::var("SWIRL_TIDY_UPDATE").ok();
    let (mut failures, mut changed) = (Vec::new(), false);
    for part in parts {
        let places = by_part.get(&part).map_or(&[][..], Vec::as_slice);
        let may = allowed.entry((rule.to_owned(), part.clone())).or_default();
        let lower = places.len() < *may && update.is_some();
        if lower || (places.len() > *may && update.as_deref() == Some("raise")) {
            *may = places.len();
            changed = true;
        }
        if *may > 0 {
            println!("tidy: {rule}: {part}: {may} exceptions remain");
        }
        if places.len() < *may {
            let count = places.len();
            failures.push(format!(
                "{rule}: {part}: {may} exceptions, {count} needed: lower the number in tests/data/tidy.txt \
                    (SWIRL_TIDY_UPDATE=1)"
            ));
        } else if places.len() > *may {
            failures.push(excess(rule, reason, &part, places, *may));
        }
    }
    if changed {
        write(&allowed);
    }
    failures
}

fn excess(rule: &str, reason: &str, part: &str, places: &[&Violation], may: usize) -> String {
    let mut text = format!("{rule}: {part}: {} places, {may} allowed. {reason}", places.len());
    for Violation { path, line, what } in places.iter().take(SHOWN) {
        text += &format!("\n  {path}:{line}: {what}");
    }
    if places.len() > SHOWN {
        text += &format!("\n  and {} others", places.len() - SHOWN);
    }
    text
}
