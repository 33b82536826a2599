//! The project under docs/template, built and tested as its users would.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.path() {
            folder if folder.is_dir() && entry.file_name() != "build" => copy(&folder, &target),
            file if file.is_file() => drop(std::fs::copy(file, target).unwrap()),
            _ => {}
        }
    }
}

/// Exit status and everything that was printed.
fn make(project: &Path, target: &str) -> (Option<i32>, String) {
    let output = Command::new("make")
        .current_dir(project)
        .arg(target)
        .arg(format!("SWIRL={}", env!("CARGO_BIN_EXE_swirl")))
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

fn has(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    assert!(
        found || std::env::var_os("CI").is_none(),
        "{tool} is not installed"
    );
    found
}

#[test]
fn a_project_is_built_tested_and_caught() {
    if !has("make") || !has("sh4-linux-gnu-gcc") {
        println!("0 projects: make or sh4-linux-gnu-gcc is not there");
        return;
    }
    let project = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("template");
    let _ = std::fs::remove_dir_all(&project);
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/template"),
        &project,
    );
    let (status, told) = make(&project, "test");
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("6 cases: 6 passed, 0 failed"), "{told}");
    let (status, told) = make(&project, "all");
    assert_eq!(status, Some(0), "{told}");
    let bytes = |path: &str| std::fs::read(project.join(path)).unwrap();
    assert_eq!(bytes("build/tile.pvr"), bytes("tests/tile/expected/tile.pvr"));
    // Saturation at one end forgotten: the case fails, names the smallest input,
    // and the report says so; what `hello` prints changes with it.
    let source = project.join("src/audio_fast.s");
    let text = std::fs::read_to_string(&source).unwrap();
    std::fs::write(&source, text.replace("bt      high", "nop")).unwrap();
    let (status, told) = make(&project, "test");
    assert_eq!(status, Some(2), "{told}");
    assert!(
        told.contains("mix16: FAILED: cd tests/mix16 && swirl verify"),
        "{told}"
    );
    assert!(told.contains("smallest case that fails"), "{told}");
    assert!(String::from_utf8_lossy(&bytes("build/results.xml")).contains("failures=\"2\""));
    assert!(String::from_utf8_lossy(&bytes("build/report.html")).contains("smallest case that fails"));
    println!("1 project");
}
