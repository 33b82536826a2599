//! Builds and runs the programs of docs/c-programs as their README describes.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use crate::common::{copy_folder, make, swirl, text};
use std::path::Path;

#[test]
fn all_programs_print_and_draw_what_is_expected() {
    if !["make", corpus::sh4::COMPILER]
        .into_iter()
        .all(corpus::sh4::installed)
    {
        return;
    }
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap();
    let project = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c-programs");
    let _ = std::fs::remove_dir_all(&project);
    copy_folder(&repository.join("docs/c-programs"), &project);
    let root = format!("ROOT={}", repository.display());
    let (status, said) = make(&project, &["-s", "test", &root]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("11 cases: 11 passed, 0 failed"), "{said}");
    assert!(!said.contains("warning"), "{said}");
    tone(&project);
}

/// `sound` plays a square wave of 441 Hz for half a second.
fn tone(project: &Path) {
    let [elf, wav] = ["build/sound.elf", "build/tone.wav"].map(|path| project.join(path));
    let output = swirl(&["run", elf.to_str().unwrap(), "--audio", wav.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let bytes = std::fs::read(wav).unwrap();
    let samples = bytes[44..].as_chunks::<4>().0;
    let left: Vec<i16> = samples
        .iter()
        .map(|four| i16::from_le_bytes([four[0], four[1]]))
        .collect();
    let rises = left.windows(2).filter(|pair| pair[0] < 0 && pair[1] > 0).count();
    assert!((215..=221).contains(&rises), "{rises} periods");
    assert!(left.iter().any(|sample| *sample > 1000), "silence");
}
