//! Lengths of lines and files.

use crate::files::with_extensions;
use crate::ratchet::Violation;

const COLUMNS: usize = 110;
const LINES: usize = 500;

/// Lines of Rust files that are too long.
pub(crate) fn columns() -> Vec<Violation> {
    let mut found = Vec::new();
    for file in with_extensions(&["rs"]) {
        for (line, text) in file.text.lines().enumerate() {
            let columns = text.chars().count();
            if columns > COLUMNS {
                found.push(Violation {
                    path: file.path.clone(),
                    line: line + 1,
                    what: format!("{columns} columns, at most {COLUMNS}"),
                });
            }
        }
    }
    found
}

/// Rust files that are too long.
pub(crate) fn lines() -> Vec<Violation> {
    let files = with_extensions(&["rs"])
        .into_iter()
        .map(|file| (file.text.lines().count(), file));
    let long = files.filter(|(lines, _)| *lines > LINES);
    long.map(|(lines, file)| Violation {
        path: file.path,
        line: 0,
        what: format!("{lines} lines, at most {LINES}"),
    })
    .collect()
}
