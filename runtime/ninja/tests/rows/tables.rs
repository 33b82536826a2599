//! Tables of chunks, structures and elements.

use crate::rows::proof::Cells;
use crate::rows::sample::{Sample, samples};
use std::fs;
use std::path::PathBuf;

/// Headings in the README with the files of their samples.
const TABLES: [(&str, &str, &str); 6] = [
    ("IFF", "iff", "chunk"),
    ("Structures", "structures", "structure"),
    ("Vertex chunks", "vertices", "chunk"),
    ("Polygon chunks", "polygons", "chunk"),
    ("Motion elements", "motions", "element"),
    ("Cell streams", "cells", "chunk or block"),
];

pub(crate) fn readme() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

/// Rows of the table under a heading, with the lines of its head.
pub(crate) fn table_of(readme: &str, heading: &str) -> String {
    let start = readme
        .find(&format!("\n### {heading}\n"))
        .unwrap_or_else(|| panic!("no heading {heading}"));
    let lines = readme[start + 1..].lines().skip(1);
    let lines = lines.skip_while(|line| !line.starts_with("| "));
    let lines: Vec<&str> = lines.take_while(|line| line.starts_with('|')).collect();
    lines.join("\n")
}

/// Compares a table with the results of the samples, or writes it into the README.
pub(crate) fn check(heading: &str, expected: &str) {
    let path = readme();
    let text = fs::read_to_string(&path).unwrap();
    let found = table_of(&text, heading);
    if found == expected {
        return;
    }
    if std::env::var_os("SWIRL_WRITE_TABLES").is_some() {
        fs::write(&path, text.replacen(&found, expected, 1)).unwrap();
        return;
    }
    let differing = found.lines().zip(expected.lines()).find(|(a, b)| a != b);
    let (found, expected) = differing.unwrap_or((
        found.lines().last().unwrap_or_default(),
        expected.lines().last().unwrap_or_default(),
    ));
    panic!("{heading}: the README says\n  {found}\nand the samples prove\n  {expected}");
}

/// Values of a column.
fn merged(cells: &[Cells], column: usize) -> String {
    let mut values: Vec<&str> = cells.iter().filter_map(|cells| cells.0[column]).collect();
    values.dedup();
    match values.is_empty() {
        true => "–".to_owned(),
        false => values.join(", "),
    }
}

fn row(name: &str, samples: &[Sample]) -> Result<String, String> {
    let of_row = samples.iter().filter(|sample| sample.row == name);
    let cells: Result<Vec<Cells>, String> = of_row
        .map(|sample| {
            sample
                .cells()
                .map_err(|error| format!("{}: {name}: {error}", sample.place))
        })
        .collect();
    let cells = cells?;
    let columns = [0, 1, 2, 3].map(|column| merged(&cells, column));
    Ok(format!("| {name} | {} | {} |", columns.join(" | "), cells.len()))
}

#[test]
fn every_cell_is_what_the_samples_prove() {
    let mut wrong = Vec::new();
    for (heading, file, what) in TABLES {
        let samples = samples(file);
        let mut names: Vec<&str> = samples.iter().map(|sample| sample.row.as_str()).collect();
        let mut seen = Vec::new();
        names.retain(|name| {
            let is_new = !seen.contains(name);
            seen.push(*name);
            is_new
        });
        let mut table = vec![
            format!("| {what} | read | written | ASCII in | ASCII out | samples |"),
            "|---|---|---|---|---|---|".to_owned(),
        ];
        for name in names {
            match row(name, &samples) {
                Ok(row) => table.push(row),
                Err(error) => wrong.push(error),
            }
        }
        if wrong.is_empty() {
            check(heading, &table.join("\n"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
