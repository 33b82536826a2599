//! Lines and words with their positions.

use std::fmt;
use std::str::FromStr;

/// An error with its position in a scene.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: found {found}, expected {expected}")]
pub struct SceneError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Found text.
    pub found: String,
    /// Expected text.
    pub expected: String,
}

/// A word with its position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Word<'a> {
    /// Start of an empty text.
    pub(crate) fn start() -> Self {
        Self {
            text: "",
            line: 1,
            column: 1,
        }
    }

    pub(crate) fn error(&self, expected: impl fmt::Display) -> SceneError {
        self.fault(format!("'{}'", self.text), expected)
    }

    /// Creates an error with another found text than the word itself.
    pub(crate) fn fault(&self, found: impl Into<String>, expected: impl fmt::Display) -> SceneError {
        SceneError {
            line: self.line,
            column: self.column,
            found: found.into(),
            expected: expected.to_string(),
        }
    }

    /// Splits `key=value`; a word without `=` is a key without value.
    pub(crate) fn key_value(&self) -> (&'a str, Option<Word<'a>>) {
        match self.text.split_once('=') {
            Some((key, value)) => (key, Some(self.part(key.chars().count() + 1, value))),
            None => (self.text, None),
        }
    }

    fn part(&self, skip: usize, text: &'a str) -> Word<'a> {
        Word {
            text,
            line: self.line,
            column: self.column + skip,
        }
    }

    /// Splits at commas.
    pub(crate) fn parts(&self) -> Vec<Word<'a>> {
        let mut skip = 0;
        let parts = self.text.split(',').map(|text| {
            let part = self.part(skip, text);
            skip += text.chars().count() + 1;
            part
        });
        parts.collect()
    }

    fn parse<T: FromStr>(&self, expected: &str) -> Result<T, SceneError> {
        self.text.parse().map_err(|_| self.error(expected))
    }

    /// Parses a decimal number.
    pub(crate) fn float(&self) -> Result<f32, SceneError> {
        self.parse("a number such as 0.5")
    }

    /// Parses a fixed number of decimals, separated by commas.
    pub(crate) fn floats<const N: usize>(&self) -> Result<[f32; N], SceneError> {
        let numbers: Result<Vec<f32>, _> = self.parts().iter().map(Word::float).collect();
        let numbers = numbers?;
        numbers
            .try_into()
            .map_err(|_| self.error(format!("{N} numbers with commas between")))
    }

    /// Parses an integer: decimal, or hexadecimal after `0x`.
    pub(crate) fn integer(&self) -> Result<u32, SceneError> {
        let expected = "an integer such as 12 or 0xC";
        match self.text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).map_err(|_| self.error(expected)),
            None => self.parse(expected),
        }
    }

    /// Parses an integer within a range.
    pub(crate) fn within(&self, range: std::ops::RangeInclusive<u32>) -> Result<u32, SceneError> {
        let value = self.integer()?;
        if range.contains(&value) {
            return Ok(value);
        }
        Err(self.error(format!("{} to {}", range.start(), range.end())))
    }

    /// Parses a colour of six or eight hexadecimal digits, RRGGBB or AARRGGBB.
    pub(crate) fn colour(&self) -> Result<u32, SceneError> {
        let value = u32::from_str_radix(self.text, 16).ok();
        match (self.text.len(), value) {
            (6, Some(rgb)) => Ok(0xFF00_0000 | rgb),
            (8, Some(argb)) => Ok(argb),
            _ => Err(self.error("a colour RRGGBB or AARRGGBB")),
        }
    }

    /// Parses a word of a list.
    pub(crate) fn one_of<T: Copy>(&self, names: &[(&str, T)]) -> Result<T, SceneError> {
        let found = names.iter().find(|(name, _)| *name == self.text);
        found.map(|&(_, value)| value).ok_or_else(|| {
            let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            self.error(format!("one of {}", names.join(", ")))
        })
    }

    /// Parses `on` or `off`.
    pub(crate) fn switch(&self) -> Result<bool, SceneError> {
        self.one_of(&[("on", true), ("off", false)])
    }
}

/// A statement: its keyword and the following words.
#[derive(Debug, Clone)]
pub(crate) struct Statement<'a> {
    pub(crate) keyword: Word<'a>,
    rest: std::vec::IntoIter<Word<'a>>,
    /// Position after the last word, for errors about missing words.
    end: Word<'a>,
}

impl<'a> Statement<'a> {
    /// Returns the next word; fails if there is none.
    pub(crate) fn word(&mut self, expected: &str) -> Result<Word<'a>, SceneError> {
        self.rest
            .next()
            .ok_or_else(|| self.end.fault("the end of the line", expected))
    }

    /// Returns the next word, if there is one.
    pub(crate) fn next(&mut self) -> Option<Word<'a>> {
        self.rest.next()
    }

    /// Fails unless all words are used.
    pub(crate) fn done(&mut self) -> Result<(), SceneError> {
        match self.rest.next() {
            Some(word) => Err(word.error("the end of the line")),
            None => Ok(()),
        }
    }
}

/// Iterates over the statements of a text: one per line; `#` before a word starts a comment.
pub(crate) fn statements(text: &str) -> impl Iterator<Item = Statement<'_>> {
    text.lines().zip(1..).filter_map(|(line, number)| {
        let mut words = words(line, number).into_iter();
        let keyword = words.next()?;
        let last = words.as_slice().last().unwrap_or(&keyword);
        let end = last.part(last.text.chars().count(), "");
        Some(Statement {
            keyword,
            rest: words,
            end,
        })
    })
}

fn words(line: &str, number: usize) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut column = 1;
    for piece in line.split_inclusive(char::is_whitespace) {
        let text = piece.trim_end();
        if text.starts_with('#') {
            break;
        }
        if !text.is_empty() {
            words.push(Word {
                text,
                line: number,
                column,
            });
        }
        column += piece.chars().count();
    }
    words
}
