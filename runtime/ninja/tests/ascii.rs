//! The ASCII forms over whole files: real models to text and back, the samples of the specifications.

mod common;

use ninja::{Chunk, File};

/// A file in the order of its text: what differs in arrangement alone becomes equal.
fn canonical(mut file: File) -> File {
    for chunk in &mut file.chunks {
        if let Chunk::Model(tree) = chunk {
            tree.renumber();
        }
    }
    file.forget_layout();
    file.trailing = 0;
    file
}

/// Binary to text to binary; the bytes must be those of the canonical file, and the text must be stable.
fn round_trip(path: &std::path::Path) -> Option<(usize, usize)> {
    let name = path.display();
    let bytes = std::fs::read(path).unwrap();
    let mut file = ninja::read(&bytes).unwrap();
    let before = file.chunks.len();
    file.chunks.retain(|chunk| !matches!(chunk, Chunk::Raw(_)));
    let raw = before - file.chunks.len();
    let options = ninja::ascii::WriteOptions::default();
    let text = ninja::ascii::write(&file, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
    let again = ninja::ascii::read(text.as_bytes()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let expected = canonical(file).write().unwrap();
    let found = canonical(again.file.clone()).write().unwrap();
    assert!(found == expected, "{name}: other bytes");
    assert!(again.file.write().unwrap() == expected, "{name}: another order");
    let second = ninja::ascii::write(&again.file, &options).unwrap();
    assert!(second == text, "{name}: another text");
    assert_eq!(again.warnings.first().map(ToString::to_string), None, "{name}");
    Some((text.len(), raw))
}

#[test]
fn real_models_survive_the_text() {
    for part in ["pso", "ikaruga"] {
        let Some(dir) = common::corpus(part) else {
            println!("{part}: corpus not present, 0 files");
            continue;
        };
        let results: Vec<_> = common::nj_files(&dir)
            .iter()
            .filter_map(|path| round_trip(path))
            .collect();
        let text: usize = results.iter().map(|(text, _)| text).sum();
        let raw: usize = results.iter().map(|(_, raw)| raw).sum();
        println!(
            "{part}: {} files equal, {text} bytes of text, {raw} raw chunks left out",
            results.len()
        );
        assert!(!results.is_empty());
    }
}
