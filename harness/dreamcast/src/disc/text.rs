//! Reads text files that describe a disc: lines, and names of track files.

use super::storage::Storage;
use super::{DiscError, MAX_TEXT};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Reads a text of at most 64 KiB.
pub(super) fn read_text(files: Storage<'_>, path: &Path) -> Result<String, DiscError> {
    let (file, size) = files.open(path)?;
    if size > MAX_TEXT {
        let found = format!("{size} bytes");
        return Err(DiscError::file(path, found, format!("at most {MAX_TEXT}")));
    }
    let mut text = String::new();
    file.take(MAX_TEXT)
        .read_to_string(&mut text)
        .map_err(|error| DiscError::Host(path.to_owned(), error))?;
    // Editors can write a byte order mark at the start.
    Ok(text.trim_start_matches('\u{FEFF}').to_owned())
}

/// A line of the text.
pub(super) struct Place<'a> {
    pub(super) files: Storage<'a>,
    pub(super) path: &'a Path,
    pub(super) line: usize,
}

impl Place<'_> {
    pub(super) fn wrong(&self, found: impl Into<String>, expected: impl Into<String>) -> DiscError {
        DiscError::Line {
            path: self.path.to_owned(),
            line: self.line,
            found: found.into(),
            expected: expected.into(),
        }
    }
}

/// Splits a line into words; a word can be quoted. Returns `None` if a closing quote is missing.
pub(super) fn words(line: &str) -> Option<Vec<&str>> {
    let (before, name, after) = match line.split_once('"') {
        Some((before, rest)) => {
            let (name, after) = rest.split_once('"')?;
            (before, Some(name), after)
        }
        None => (line, None, ""),
    };
    let words = before.split_whitespace().chain(name);
    Some(words.chain(after.split_whitespace()).collect())
}

/// Returns a track file in the text's folder. The name must not contain folders, and a link must not lead
/// outside.
pub(super) fn beside(place: &Place<'_>, name: &str) -> Result<PathBuf, DiscError> {
    let outside = || place.wrong(format!("file {name:?}"), "a file in the folder of this text");
    let mut parts = Path::new(name).components();
    let (Some(Component::Normal(_)), None) = (parts.next(), parts.next()) else {
        return Err(outside());
    };
    place.files.beside(place.path, name)?.ok_or_else(outside)
}
