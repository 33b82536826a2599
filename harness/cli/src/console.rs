//! Standard output and standard error of all verbs.
//!
//! The macros replace those of the standard library, which panic when a write fails. A reader that closes the
//! pipe early, as `head` does, is no error: the verb finishes and prints nothing more. Any other failure on
//! standard output, such as a full disk, is reported when the verb is done. The console of a program under
//! `run` does not use these macros: such a program may run forever, so it ends when the pipe is closed.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The first failure on standard output: nothing is written there behind it.
static FAILED: OnceLock<io::Error> = OnceLock::new();

/// Whether standard output takes a file, so that results go to standard error.
static HOLDS_FILE: AtomicBool = AtomicBool::new(false);

/// The reader of a running program's text has closed the pipe: the run ends, and it is no error.
#[derive(Debug)]
pub(crate) struct ReaderGone;

impl std::fmt::Display for ReaderGone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("standard output: its reader closed the pipe")
    }
}

impl std::error::Error for ReaderGone {}

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

/// Keeps standard output free for a file: results go to standard error from now on.
pub(crate) fn keep_for_file() {
    HOLDS_FILE.store(true, Ordering::Relaxed);
}

/// Writes a file to standard output.
pub(crate) fn write_data(bytes: &[u8]) {
    if FAILED.get().is_none() {
        note(io::stdout().lock().write_all(bytes));
    }
}

/// Writes to standard output, or to standard error where standard output takes a file.
pub(crate) fn out(text: Arguments<'_>) {
    if HOLDS_FILE.load(Ordering::Relaxed) {
        return err(text);
    }
    if FAILED.get().is_none() {
        note(io::stdout().lock().write_fmt(text));
    }
}

/// Lets `write` write much to standard output.
pub(crate) fn write_long(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    if FAILED.get().is_none() {
        let mut out = io::BufWriter::new(io::stdout().lock());
        note(write(&mut out).and_then(|()| out.flush()));
    }
}

/// Writes to standard error; a failure is ignored.
pub(crate) fn err(text: Arguments<'_>) {
    let _ = io::stderr().lock().write_fmt(text);
}

/// Writes what standard output still holds back, while the verb goes on.
pub(crate) fn flush() {
    if FAILED.get().is_none() {
        note(io::stdout().lock().flush());
    }
}

/// Writes what standard output still holds back. The error of all that was said, if somebody could have read
/// it.
pub(crate) fn finish() -> Option<&'static io::Error> {
    if FAILED.get().is_none() {
        note(io::stdout().lock().flush());
    }
    FAILED.get().filter(|error| error.kind() != ErrorKind::BrokenPipe)
}

fn note(written: io::Result<()>) {
    if let Err(error) = written {
        // Another thread may have been first.
        let _ = FAILED.set(error);
    }
}
