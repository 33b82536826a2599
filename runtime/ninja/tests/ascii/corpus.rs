//! Real files: binary to text to binary.

use crate::common;
use ninja::ascii::{TextWarningKind, WriteOptions, read, write};
use ninja::{Chunk, Container, File};
use std::path::Path;

/// Returns the file without raw chunks, which have no text form, and the number of raw chunks.
pub(crate) fn without_raw(mut file: File) -> (File, usize) {
    let before = file.chunks.len();
    file.chunks.retain(|chunk| !matches!(chunk, Chunk::Raw(_)));
    let left_out = before - file.chunks.len();
    (file, left_out)
}

/// Converts to text and back. The bytes must equal the renumbered file, and a second text must equal the
/// first. Returns the text.
pub(crate) fn round_trip(name: &str, file: &File) -> String {
    let options = WriteOptions::default();
    let text = write(file, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
    let again = read(text.as_bytes()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut expected = file.clone();
    // A text has neither trailing bytes nor warnings.
    expected.byte_order = ninja::ByteOrder::Little;
    expected.size_order = ninja::ByteOrder::Little;
    expected.container = Container::Iff;
    expected.renumber();
    let expected = expected.write().unwrap();
    let mut twice = ninja::read(&expected).unwrap();
    twice.renumber();
    assert!(twice.write().unwrap() == expected, "{name}: numbered anew twice");
    let mut found = again.file.clone();
    found.renumber();
    assert!(found.write().unwrap() == expected, "{name}: other bytes");
    // The file before renumbering gives the same bytes, because reading a text uses the canonical order.
    assert!(again.file.write().unwrap() == expected, "{name}: another order");
    assert!(
        write(&again.file, &options).unwrap() == text,
        "{name}: another text"
    );
    // The binary reader gives the same warnings for both.
    let known = |kind: &TextWarningKind| match kind {
        TextWarningKind::Reader(kind) => file.warnings.iter().any(|w| w.kind == *kind),
        _ => false,
    };
    let new = again.warnings.iter().find(|w| !known(&w.kind));
    assert_eq!(new.map(ToString::to_string), None, "{name}");
    text
}

/// Hand-written samples. Chunks without text form are left out and counted.
#[test]
fn hand_made_bytes_survive_the_text() {
    let (mut samples, mut chunks) = (0, 0);
    for (name, bytes) in common::hex_samples() {
        let file = ninja::read(&bytes).unwrap();
        for chunk in &file.chunks {
            let mut part = file.clone();
            part.chunks = vec![chunk.clone()];
            if let Err(error) = write(&part, &WriteOptions::default()) {
                println!("{name}: left out: {error}");
                continue;
            }
            round_trip(&name, &part);
            chunks += 1;
        }
        samples += 1;
    }
    println!("{samples} samples, {chunks} chunks equal");
    assert!(chunks > 20);
}

#[test]
fn real_files_survive_the_text() {
    for part in ["pso", "ikaruga"] {
        let Some(dir) = common::corpus(part) else {
            corpus::absent(part);
            continue;
        };
        let (mut files, mut bytes, mut raw, mut chunks) = (0, 0, 0, 0);
        for path in common::nj_files(&dir) {
            let (file, left_out) = without_raw(ninja::read(&std::fs::read(&path).unwrap()).unwrap());
            bytes += round_trip(&path.display().to_string(), &file).len();
            (files, raw, chunks) = (files + 1, raw + left_out, chunks + file.chunks.len());
        }
        println!(
            "{part}: {files} files, {chunks} chunks equal; {bytes} bytes of text; {raw} raw chunks have no \
             text form"
        );
        assert!(files > 0);
    }
}

/// The largest real file as text.
pub(crate) fn largest() -> Option<(String, File)> {
    let files = ["pso", "ikaruga"].iter().filter_map(|part| common::corpus(part));
    let paths = files.flat_map(|dir| common::nj_files(&dir));
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |m| m.len());
    let path = paths.max_by_key(|path| size(path))?;
    let file = ninja::read(&std::fs::read(&path).ok()?).ok()?;
    Some((path.display().to_string(), file))
}
