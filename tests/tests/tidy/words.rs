//! Retired words, and citations of documents that a reader does not have.

use crate::files::{Text, with_extensions};
use crate::ratchet::Violation;

/// Private words. Names are split at underscores and capitals, so `DeskCells` has the word `desk`.
const WORDS: [&str; 9] = [
    "desk", "books", "standing", "habits", "habit", "shelf", "wish", "patience", "whoever",
];

/// Private phrases and names of more than one word.
const PHRASES: [&str; 10] = [
    "sit_down",
    "stand_behind",
    "take_back",
    "hand_over",
    "sit down",
    "is told of",
    "are told of",
    "what passes",
    "does again",
    "brings to light",
];

/// Old names of types, for which `docs/reference/terms.md` has better words.
const TYPES: [&str; 44] = [
    "Meter", "Standing", "Books", "Desk", "Way", "Noted", "Told", "Stretch", "Straight", "World", "Quiet",
    "Rest", "Left", "Alone", "Around", "Habits", "Manner", "Worth", "Visit", "Zeros", "Episode", "Found",
    "Passing", "Bring", "Goes", "Slaves", "Moved", "Kept", "Figure", "Paint", "Look", "Waiting", "Team",
    "Shares", "Side", "Shelf", "Job", "Board", "Faster", "Shot", "Stage", "Subject", "Film", "Listener",
];

/// The path of this file, which contains the retired words.
const SELF: &str = "tests/tests/tidy/words.rs";

fn prose() -> impl Iterator<Item = Text> {
    let files = with_extensions(&["rs", "md", "s", "toml", "sh"]).into_iter();
    files.filter(|file| file.path != SELF)
}

/// Returns a violation for each line in which `find` finds something.
fn by_line(files: impl Iterator<Item = Text>, find: impl Fn(&str, &str) -> Option<String>) -> Vec<Violation> {
    let mut found = Vec::new();
    for Text { path, text } in files {
        for (line, text) in text.lines().enumerate() {
            if let Some(what) = find(&path, text) {
                found.push(Violation {
                    path: path.clone(),
                    line: line + 1,
                    what,
                });
            }
        }
    }
    found
}

/// Lines with retired words, in names and in prose.
pub(crate) fn retired() -> Vec<Violation> {
    by_line(prose(), |_, line| {
        let words = words(line);
        let word = WORDS.iter().find(|word| words.iter().any(|found| found == *word));
        let lower = line.to_lowercase();
        word.or_else(|| PHRASES.iter().find(|phrase| lower.contains(**phrase)))
            .map(|word| format!("\"{word}\""))
    })
}

/// Returns the words of a line in lower case; splits names into their words.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut lower = false;
    for c in line.chars() {
        let ends = !c.is_alphabetic() || (c.is_uppercase() && lower);
        if ends {
            words.push(String::new());
        }
        if c.is_alphabetic() {
            words.last_mut().unwrap().extend(c.to_lowercase());
        }
        lower = c.is_lowercase();
    }
    words
}

/// Types with retired names.
pub(crate) fn retired_types() -> Vec<Violation> {
    let files = with_extensions(&["rs"])
        .into_iter()
        .filter(|file| file.path != SELF);
    by_line(files, |_, line| {
        let mut words = line
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty());
        words.find(|word| ["struct", "enum", "trait", "type"].contains(word))?;
        let name = words.next()?;
        let comment = line.trim_start().starts_with("//");
        (TYPES.contains(&name) && !comment).then(|| format!("type {name}"))
    })
}

/// Citations of the folder next to the checkout. Tests and benches that read its files may name their paths.
pub(crate) fn citations() -> Vec<Violation> {
    by_line(prose(), |path, line| {
        let data = ["/tests/", "/benches/", "/examples/", "/fuzz/"]
            .iter()
            .any(|folder| path.contains(folder));
        let data = data || path.starts_with("tests/");
        let numbered = |name: &str| {
            let mut after = line.match_indices(name).map(|(at, _)| &line[at + name.len()..]);
            after.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        let places: &[&str] = if data {
            &["facts/", "seeds/"]
        } else {
            &["facts/", "seeds/", "../shared"]
        };
        let place = places.iter().find(|place| line.contains(**place));
        let section = ["facts ", "seed 00", "seeds 00"]
            .iter()
            .find(|name| numbered(name));
        place.or(section).map(|cited| format!("\"{cited}\""))
    })
}
