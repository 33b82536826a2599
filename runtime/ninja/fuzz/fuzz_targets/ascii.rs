//! ASCII files: no panic, and what reads and can be written as text reads back to the same bytes.
//!
//! `cargo +nightly fuzz run ascii` in `runtime/ninja`; the samples of `tests/data/seeds` make a good first corpus.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ninja::ascii::{WriteOptions, read, write};

fuzz_target!(|text: &[u8]| {
    let Ok(first) = read(text) else { return };
    let (Ok(bytes), Ok(text)) = (first.file.write(), write(&first.file, &WriteOptions::default())) else {
        return;
    };
    let mut again = read(text.as_bytes()).expect("it was written here").file;
    let mut before = ninja::read(&bytes).expect("it was written here");
    again.renumber();
    before.renumber();
    assert_eq!(again.write(), before.write());
});
