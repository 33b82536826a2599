//! Checks the folders and crates that ARCHITECTURE.md and CONTRIBUTING.md name.

use crate::files::root;
use crate::ratchet::Violation;
use std::collections::BTreeSet;

const PAGES: [&str; 2] = ["ARCHITECTURE.md", "CONTRIBUTING.md"];

/// Paths in backticks that do not exist. Names in capitals match any name.
pub(crate) fn paths() -> Vec<Violation> {
    let mut found = Vec::new();
    for page in PAGES {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        for (line, text) in text.lines().enumerate() {
            let quoted = text.split('`').skip(1).step_by(2);
            let missing = quoted.filter(|path| is_path(path) && !root().join(path).exists());
            found.extend(missing.map(|path| Violation {
                path: page.to_owned(),
                line: line + 1,
                what: format!("{path} is not there"),
            }));
        }
    }
    found
}

/// Returns true if a quotation is a path from the root: its first part is a folder there.
fn is_path(text: &str) -> bool {
    let mut parts = text.split('/');
    let begins = parts.next().is_some_and(|first| root().join(first).is_dir());
    let is_general = |part: &str| part.contains('*') || part.contains("NAME") || part.contains("VERB");
    begins && text.contains('/') && !text.contains(' ') && !text.split('/').any(is_general)
}

/// Rows of the table of crates that differ from the crates' manifests.
pub(crate) fn imports() -> Vec<Violation> {
    let text = std::fs::read_to_string(root().join(PAGES[0])).unwrap();
    let rows: Vec<(usize, Vec<&str>)> = text
        .lines()
        .enumerate()
        .map(|(line, text)| (line + 1, text.split('|').map(str::trim).collect()))
        .filter(|(_, cells): &(usize, Vec<&str>)| {
            cells.len() == 6 && manifest(cells[1].trim_matches('`')).is_some()
        })
        .collect();
    let crates: BTreeSet<&str> = rows.iter().map(|(_, cells)| cells[2].trim_matches('`')).collect();
    let mut found = Vec::new();
    for (line, cells) in &rows {
        let manifest = manifest(cells[1].trim_matches('`')).unwrap_or_default();
        let said: BTreeSet<&str> = cells[4].split(", ").filter(|name| *name != "–").collect();
        let real = dependencies(&manifest, &crates);
        if cells[4] != "most" && said != real {
            found.push(Violation {
                path: PAGES[0].to_owned(),
                line: *line,
                what: format!("{} imports {real:?}, not {said:?}", cells[2]),
            });
        }
    }
    if rows.len() < 20 {
        found.push(Violation {
            path: PAGES[0].to_owned(),
            line: 0,
            what: format!("{} rows of crates found, expected at least 20", rows.len()),
        });
    }
    found
}

fn manifest(folder: &str) -> Option<String> {
    std::fs::read_to_string(root().join(folder).join("Cargo.toml")).ok()
}

/// Returns the project's crates among the dependencies of a manifest, including target-specific dependencies.
fn dependencies<'a>(manifest: &str, crates: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
    let sections = manifest
        .split("\n[")
        .filter_map(|section| section.split_once("]\n"));
    let used = sections.filter(|(name, _)| *name == "dependencies" || name.ends_with(".dependencies"));
    let lines = used.flat_map(|(_, section)| section.lines());
    let names = lines.filter_map(|line| line.split(['.', ' ', '=']).next());
    names.filter_map(|name| crates.get(name).copied()).collect()
}
