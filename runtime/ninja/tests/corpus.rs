//! Real files: every one reads, and is written back byte for byte.

use std::fs;
use std::path::{Path, PathBuf};

fn files_below(dir: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("nj")) {
            found.push(path);
        }
    }
}

#[test]
fn quick() {
    let mut files = Vec::new();
    files_below(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/ninja"),
        &mut files,
    );
    let mut bad = 0;
    for path in &files {
        let bytes = fs::read(path).unwrap();
        match ninja::read(&bytes) {
            Ok(file) => {
                for w in &file.warnings {
                    println!("{path:?} {w}");
                }
                match file.write() {
                    Ok(b) if b == bytes => {}
                    Ok(b) => {
                        bad += 1;
                        println!(
                            "{path:?} differs {} {} at {:?}",
                            b.len(),
                            bytes.len(),
                            b.iter().zip(&bytes).position(|(a, b)| a != b)
                        );
                    }
                    Err(e) => {
                        bad += 1;
                        println!("{path:?} write {e}");
                    }
                }
            }
            Err(e) => {
                bad += 1;
                println!("{path:?} {e}")
            }
        }
    }
    println!("{} files {bad} bad", files.len());
}
