//! ASCII files: no panic, and what reads and can be written as text reads back to the same bytes, but for the sizes that
//! cell streams state: the text computes them.
//!
//! `cargo +nightly fuzz run ascii` in `runtime/ninja`; the samples of `tests/data/seeds` make a good first corpus.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ninja::ascii::{WriteOptions, read, write};
use ninja::{CellChunk, Chunk};

fuzz_target!(|text: &[u8]| {
    let Ok(first) = read(text) else { return };
    let (Ok(bytes), Ok(text)) = (first.file.write(), write(&first.file, &WriteOptions::default())) else {
        return;
    };
    let mut again = read(text.as_bytes()).expect("it was written here").file;
    let mut before = ninja::read(&bytes).expect("it was written here");
    again.renumber();
    before.renumber();
    before.chunks.iter_mut().for_each(compute_sizes);
    assert_eq!(again.write(), before.write());
});

/// Gives the stamps and cells of a stream the sizes that a text has.
fn compute_sizes(chunk: &mut Chunk) {
    let Chunk::CellStream(stream) = chunk else { return };
    for chunk in &mut stream.chunks {
        if let CellChunk::Change(change) = chunk {
            change.size = (change.words.len() % 16) as u8;
        }
    }
    stream.count_stamps().expect("it was written as text");
}
