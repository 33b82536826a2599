//! Table of macros and flags. A macro counts as read if a sample's text contains it and compiles to the
//! sample's bytes. It counts as written if the text written for a sample's bytes contains it.

use crate::rows::proof::words;
use crate::rows::sample::{FILES, samples};
use crate::rows::tables::{check, readme, table_of};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

#[derive(Default)]
struct Use {
    /// True if the bytes of a sample come from the text.
    is_read: bool,
    is_read_over: bool,
    is_refused: bool,
    is_written: bool,
    files: BTreeSet<&'static str>,
}

/// All words of the samples' texts and of the texts written for their bytes.
fn uses() -> BTreeMap<String, Use> {
    let mut uses: BTreeMap<String, Use> = BTreeMap::new();
    for file in FILES {
        for sample in samples(file) {
            let cells = sample
                .cells()
                .unwrap_or_else(|error| panic!("{}: {error}", sample.place));
            for word in words(sample.text.as_deref().unwrap_or_default()) {
                let used = uses.entry(word.to_owned()).or_default();
                used.is_read |= cells.0[2] == Some("yes") && !sample.bytes.is_empty();
                used.is_read_over |= cells.0[2] == Some("read over");
                used.is_refused |= cells.0[2] == Some("error");
                used.files.insert(file);
            }
            for word in words(sample.output().as_deref().unwrap_or_default()) {
                uses.entry(word.to_owned()).or_default().is_written = true;
            }
        }
    }
    uses
}

/// Names in backquotes.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// A row with its last three cells as the samples prove them.
fn proven(line: &str, uses: &BTreeMap<String, Use>) -> Result<String, String> {
    let (head, rest) = line.split_once(" | ").ok_or(line)?;
    let meaning = rest.rsplitn(4, " | ").last().ok_or(line)?;
    let names = quoted(head);
    let of = |name: &&str| {
        let used = uses.get(*name);
        let input = match used {
            Some(used) if used.is_read => "yes",
            Some(used) if used.is_read_over => "read over",
            Some(used) if used.is_refused => "error",
            _ => "no sample",
        };
        let output = if used.is_some_and(|used| used.is_written) {
            "yes"
        } else {
            "no"
        };
        (input, output)
    };
    let first = names.first().map(of).ok_or(line)?;
    if let Some(other) = names.iter().find(|name| of(name) != first) {
        return Err(format!("{other}: {:?}, but {}: {first:?}", of(other), names[0]));
    }
    let files: BTreeSet<&str> = names
        .iter()
        .filter_map(|name| uses.get(*name))
        .flat_map(|used| used.files.iter().copied())
        .collect();
    let files: Vec<String> = files.iter().map(|file| format!("`{file}.txt`")).collect();
    let (input, output) = first;
    Ok(format!(
        "{head} | {meaning} | {input} | {output} | {} |",
        files.join(", ")
    ))
}

#[test]
fn every_macro_is_in_a_sample() {
    let text = fs::read_to_string(readme()).unwrap();
    let table = table_of(&text, "Macros");
    let uses = uses();
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for line in table.lines() {
        if !line.starts_with("| `") {
            rows.push(line.to_owned());
            continue;
        }
        match proven(line, &uses) {
            Ok(row) if row.contains("no sample") => wrong.push(row),
            Ok(row) => rows.push(row),
            Err(error) => wrong.push(error),
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
    check("Macros", &rows.join("\n"));
}
