//! Errors and warnings with their position in the text.

use std::fmt;

/// Position in a text. Lines and columns count from 1; columns count bytes, including tabs as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub struct TextPlace {
    /// Line number.
    pub line: u32,
    /// Column in bytes.
    pub column: u32,
}

impl fmt::Display for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The reason why a text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}: found {found}, expected {expected}")]
pub struct TextError {
    /// Position of the error.
    pub place: TextPlace,
    /// The construct.
    pub what: &'static str,
    /// Found text.
    pub found: String,
    /// Expected text; for a misspelled name, the nearest known name.
    pub expected: String,
}

/// An unusual construct that the reader still understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextWarning {
    /// Position of the construct.
    pub place: TextPlace,
    /// Kind of warning.
    pub kind: TextWarningKind,
}

impl fmt::Display for TextWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

/// Kinds of [`TextWarning`]; `Display` gives their texts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextWarningKind {
    /// A known misspelling.
    #[error("{found} is read as {meant}")]
    Misspelt {
        /// Spelling in the text.
        found: String,
        /// The macro's name.
        meant: &'static str,
    },
    /// A size or count that contradicts the data.
    #[error("{what} is given as {stated}, the data make it {found}")]
    Count {
        /// Name of the size or count.
        what: &'static str,
        /// Value in the text.
        stated: u32,
        /// Value counted from the data; the reader uses this one.
        found: u32,
    },
    /// Two values without a comma between them.
    #[error("a comma is missing")]
    MissingComma,
    /// An integer of more than 32 bits.
    #[error("{0:#x} has more than 32 bits, the low ones are used")]
    WideInteger(u64),
    /// A value with more bits than its field.
    #[error("{value} does not fit into {bits} bits and is cut")]
    Cut {
        /// Value in the text.
        value: i64,
        /// Bits of the field.
        bits: u8,
    },
    /// A leading zero.
    #[error("a number with a leading zero is read as {0}, as C does")]
    Octal(u64),
    /// A leading zero before digits that are not octal.
    #[error("a number with a leading zero is read as decimal {0}; C refuses it")]
    NotOctal(u64),
    /// A NaN or infinity as some C libraries print it.
    #[error("{0} is not a number in C")]
    PrintedNan(String),
    /// Integers expected as the bits of floats, but written as floats. A C compiler would convert them to
    /// integers.
    #[error("{}", float_words(.first, *.count))]
    FloatInWords {
        /// The first such number.
        first: String,
        /// Number of such values in the chunk.
        count: u32,
    },
    /// Non-ASCII text outside comments.
    #[error("non-ASCII text outside of a comment is skipped")]
    Note,
    /// A definition that no other definition refers to.
    #[error("no structure that a file can store refers to {0}: left out")]
    Unused(String),
    /// A name used before its definition.
    #[error("{0} is used before its definition; a C compiler would refuse it")]
    Forward(String),
    /// A name defined twice with the same content.
    #[error("{0} is defined twice, both times the same")]
    Duplicate(String),
    /// A list without its end word.
    #[error("the list has no CnkEnd() at its end; it is added")]
    NoListEnd,
    /// Members left out at the end of a structure.
    #[error("{0} and the members after it are missing and become 0")]
    MissingMembers(&'static str),
    /// A bracket that does not match.
    #[error("{0} is missing")]
    MissingBracket(&'static str),
    /// A preprocessor line that has no meaning here.
    #[error("the preprocessor line is ignored")]
    Directive,
    /// A default name that is defined nowhere.
    #[error("{0} is not defined in this text")]
    DefaultName(String),
    /// The motion's element bits do not fit its key tables.
    #[error("the motion's type is {stated:#06x}, its tables make it {used:#06x}")]
    MotionBits {
        /// Type in the text.
        stated: u16,
        /// Type that the reader used.
        used: u16,
    },
    /// The kind of keys differs from the motion's type.
    #[error("key table {table} is of kind {found}, the motion's type says {expected}")]
    KeyKind {
        /// Index in the MDATA structure.
        table: usize,
        /// Type of the array.
        found: &'static str,
        /// Names of matching types.
        expected: &'static str,
    },
    /// A value that the older library's macro drops.
    #[error("the value of {0} is used; the older library's macro dropped it")]
    OldMacro(&'static str),
    /// Unexpected content at the end of chunk data.
    #[error("{0}")]
    Structure(String),
    /// A warning of the binary reader, which reads the assembled chunks.
    #[error("{0}")]
    Reader(crate::error::WarningKind),
    /// The reader dropped further warnings.
    #[error("{0} more warnings are left out")]
    More(u64),
}

fn float_words(first: &str, count: u32) -> String {
    match count {
        1 => format!("{first} is taken as a float's value; a C compiler would store an integer"),
        n => format!(
            "{n} numbers, {first} is the first, are taken as floats' values; a C compiler would store \
             integers"
        ),
    }
}

/// An error at a byte offset, before conversion to line and column.
#[derive(Debug)]
pub(super) struct Fail {
    /// Byte offset in the text.
    pub(super) at: usize,
    pub(super) what: &'static str,
    pub(super) found: String,
    pub(super) expected: String,
}

/// The error is boxed because this type passes through the innermost loops.
pub(super) type Failable<T> = Result<T, Box<Fail>>;

#[cold]
pub(super) fn fail<T>(
    at: usize,
    what: &'static str,
    found: impl Into<String>,
    expected: impl Into<String>,
) -> Failable<T> {
    let (found, expected) = (found.into(), expected.into());
    Err(Box::new(Fail {
        at,
        what,
        found,
        expected,
    }))
}

/// Collects warnings by byte offset. Their number is limited, so that a bad text cannot exhaust memory.
#[derive(Debug, Default)]
pub(super) struct TextWarnings {
    list: Vec<(usize, TextWarningKind)>,
    left_out: u64,
}

impl TextWarnings {
    const MAX: usize = 1000;

    #[cold]
    pub(super) fn push(&mut self, at: usize, kind: TextWarningKind) {
        match self.list.len() < Self::MAX {
            true => self.list.push((at, kind)),
            false => self.left_out += 1,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the warnings in text order.
    pub(super) fn finish(mut self, lines: &Lines) -> Vec<TextWarning> {
        self.list.sort_by_key(|(at, _)| *at);
        let mut list: Vec<TextWarning> = self
            .list
            .into_iter()
            .map(|(at, kind)| TextWarning {
                place: lines.place(at),
                kind,
            })
            .collect();
        if self.left_out > 0 {
            let place = list.last().map_or_else(TextPlace::default, |w| w.place);
            let kind = TextWarningKind::More(self.left_out);
            list.push(TextWarning { place, kind });
        }
        list
    }
}

/// Offsets of the line starts; computed only if there is a message to print.
pub(super) struct Lines(Vec<u32>);

impl Lines {
    pub(super) fn new(text: &[u8]) -> Self {
        let breaks = text.iter().enumerate().filter(|(_, b)| **b == b'\n');
        Lines(
            std::iter::once(0)
                .chain(breaks.map(|(i, _)| i as u32 + 1))
                .collect(),
        )
    }

    pub(super) fn place(&self, at: usize) -> TextPlace {
        let line = self.0.partition_point(|start| *start as usize <= at);
        let start = self.0.get(line.wrapping_sub(1)).copied().unwrap_or(0);
        TextPlace {
            line: line as u32,
            column: at as u32 - start + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let lines = Lines::new(b"ab\nc\n\nd");
        let at = |at| (lines.place(at).line, lines.place(at).column);
        assert_eq!(
            [at(0), at(2), at(3), at(5), at(6)],
            [(1, 1), (1, 3), (2, 1), (3, 1), (4, 1)]
        );
    }
}
