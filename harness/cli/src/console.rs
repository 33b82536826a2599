//! Standard output and standard error of all verbs.
//!
//! The macros replace those in the standard library, which panic when a write fails. If a reader such as
//! `head` closes the pipe early, the verb finishes without further output, and without an error. Any other
//! failure on standard output, such as a full disk, is reported at the end of the verb. The console of a
//! program under `run` does not use these macros. Such a program can run forever, so it ends when the pipe is
//! closed.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum number of bytes of a line, and of a word, in a message.
const LONGEST_LINE: usize = 2000;
const LONGEST_WORD: usize = 400;

/// First failure on standard output; later writes are skipped.
static FAILED: OnceLock<io::Error> = OnceLock::new();

/// Set if standard output receives a file, so that results go to standard error.
static HOLDS_FILE: AtomicBool = AtomicBool::new(false);

/// The reader of a running program's output has closed the pipe. The run ends without an error.
#[derive(Debug)]
pub(crate) struct BrokenPipe;

impl std::fmt::Display for BrokenPipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("standard output: its reader closed the pipe")
    }
}

impl std::error::Error for BrokenPipe {}

macro_rules! print {
    ($($text:tt)*) => { $crate::console::out(format_args!($($text)*)) };
}

macro_rules! println {
    ($($text:tt)*) => { $crate::console::out(format_args!("{}\n", format_args!($($text)*))) };
}

macro_rules! eprint {
    ($($text:tt)*) => { $crate::console::err(format_args!($($text)*)) };
}

macro_rules! eprintln {
    ($($text:tt)*) => { $crate::console::err(format_args!("{}\n", format_args!($($text)*))) };
}

/// Reserves standard output for a file: from now on, results go to standard error.
pub(crate) fn keep_for_file() {
    HOLDS_FILE.store(true, Ordering::Relaxed);
}

/// Writes a file to standard output.
pub(crate) fn write_data(bytes: &[u8]) {
    if FAILED.get().is_none() {
        note(io::stdout().lock().write_all(bytes));
    }
}

/// Writes to standard output, or to standard error if standard output receives a file.
pub(crate) fn out(text: Arguments<'_>) {
    if HOLDS_FILE.load(Ordering::Relaxed) {
        return err(text);
    }
    if FAILED.get().is_none() {
        note(
            io::stdout()
                .lock()
                .write_all(harmless(text.to_string(), true).as_bytes()),
        );
    }
}

/// Escapes characters with which a name in a file could control the terminal. Keeps line ends, tabs and, with
/// `colours`, the colour sequences of views.
fn harmless(text: String, colours: bool) -> String {
    let acts = |c: char| {
        // Bidirectional control characters (Unicode, UAX 9) could hide the content of a line.
        let turns = matches!(
            c,
            '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
        );
        c.is_control() && c != '\n' && c != '\t' || turns
    };
    if !text.contains(acts) {
        return text;
    }
    let (mut shown, mut rest) = (String::with_capacity(text.len()), text.as_str());
    while let Some(at) = rest.find(acts) {
        shown += &rest[..at];
        rest = &rest[at..];
        let colour = if colours { colour_length(rest) } else { 0 };
        if colour > 0 {
            shown += &rest[..colour];
            rest = &rest[colour..];
            continue;
        }
        let mut letters = rest.chars();
        shown.extend(letters.next().into_iter().flat_map(char::escape_default));
        rest = letters.as_str();
    }
    shown + rest
}

/// Returns the length of a colour sequence (`ESC [ digits m`) at the start of a text; 0 without one.
fn colour_length(text: &str) -> usize {
    let Some(digits) = text.strip_prefix("\x1b[") else {
        return 0;
    };
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != ';');
    match end {
        Some(end) if digits[end..].starts_with('m') => 2 + end + 1,
        _ => 0,
    }
}

/// Shortens the words and lines of a message, because a line that quotes a file could have megabytes.
fn shortened(text: String) -> String {
    if text.len() <= LONGEST_WORD {
        return text;
    }
    let mut shown = String::new();
    for line in text.split_inclusive('\n') {
        let mut short = String::new();
        for word in line.split_inclusive([' ', '\n']) {
            // The user's own paths can be long.
            short += &match word.contains('/') {
                true => word.to_owned(),
                false => middle_cut(word, LONGEST_WORD),
            };
        }
        shown += &middle_cut(&short, LONGEST_LINE);
    }
    shown
}

/// Cuts the middle out of a text of more than `most` bytes. Keeps `most / 2` bytes at the start and
/// `most / 4` at the end.
fn middle_cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let first = boundary(text, most / 2);
    let last = boundary(text, text.len() - most / 4);
    format!("{}… ({} bytes) …{}", &text[..first], text.len(), &text[last..])
}

/// Returns the last start of a character at or before `at`.
fn boundary(text: &str, at: usize) -> usize {
    let starts = (0..=at).rev();
    starts
        .into_iter()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// Returns the first 200 bytes of a line of a file, for messages.
pub(crate) fn quoted(line: &str) -> String {
    const MOST: usize = 200;
    match line.len() > MOST {
        true => format!("{}… ({} bytes)", &line[..boundary(line, MOST)], line.len()),
        false => line.to_owned(),
    }
}

/// Lets `write` write a long text to standard output.
pub(crate) fn write_long(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    if FAILED.get().is_none() {
        let mut out = io::BufWriter::new(io::stdout().lock());
        note(write(&mut out).and_then(|()| out.flush()));
    }
}

/// Writes to standard error, and ignores failures.
pub(crate) fn err(text: Arguments<'_>) {
    let text = shortened(harmless(text.to_string(), false));
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes buffered data to standard output.
pub(crate) fn flush() {
    if FAILED.get().is_none() {
        note(io::stdout().lock().flush());
    }
}

/// Writes buffered data to standard output. Returns the first error of all output, unless the reader is gone.
pub(crate) fn finish() -> Option<&'static io::Error> {
    if FAILED.get().is_none() {
        note(io::stdout().lock().flush());
    }
    FAILED.get().filter(|error| error.kind() != ErrorKind::BrokenPipe)
}

fn note(written: io::Result<()>) {
    if let Err(error) = written {
        // Another thread can have set it first.
        let _ = FAILED.set(error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_drive_the_terminal() {
        let shown = |text: &str| harmless(text.to_owned(), true);
        assert_eq!(shown("a\tb\n é"), "a\tb\n é");
        assert_eq!(shown("\x1b[1;31mred\x1b[0m"), "\x1b[1;31mred\x1b[0m");
        assert_eq!(shown("\x1b]0;title\x07\r"), "\\u{1b}]0;title\\u{7}\\r");
        assert_eq!(shown("\x1b[2J\u{9b}2J\x1b["), "\\u{1b}[2J\\u{9b}2J\\u{1b}[");
        assert_eq!(shown("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(harmless("\x1b[31mX".to_owned(), false), "\\u{1b}[31mX");
    }

    #[test]
    fn lines_of_messages_are_short() {
        let long = format!("a: found {}, expected b\nc\n", "é".repeat(1 << 20));
        let shown = shortened(long);
        assert!(shown.len() < LONGEST_WORD, "{}", shown.len());
        assert!(shown.starts_with("a: found é") && shown.ends_with("é, expected b\nc\n"));
        let shown = shortened("a b/c\n".repeat(2) + &"a b/ ".repeat(1 << 20));
        assert!(shown.starts_with("a b/c\na b/c\na b/ ") && shown.len() < LONGEST_LINE);
        assert_eq!(quoted("short"), "short");
        assert_eq!(
            quoted(&"é".repeat(101)),
            format!("{}… (202 bytes)", "é".repeat(100))
        );
    }
}
