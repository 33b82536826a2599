//! Builds and tests the project in docs/template as its users would.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

use crate::common::{copy_folder, make, swirl, text};
use std::path::{Path, PathBuf};

#[test]
fn a_project_is_built_tested_and_caught() {
    if !["make", corpus::sh4::COMPILER]
        .into_iter()
        .all(corpus::sh4::installed)
    {
        return;
    }
    let project = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("template");
    let _ = std::fs::remove_dir_all(&project);
    copy_folder(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/template"),
        &project,
    );
    let (status, told) = make(&project, &["test"]);
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("6 cases: 6 passed, 0 failed"), "{told}");
    let (status, told) = make(&project, &["all"]);
    assert_eq!(status, Some(0), "{told}");
    let hello = project.join("build/hello.elf");
    let profiled = swirl(&["profile", "--elf", hello.to_str().unwrap()]);
    let found = text(&profiled.stdout);
    assert_eq!(profiled.status.code(), Some(0), "{}", text(&profiled.stderr));
    assert!(found.contains("print_sample"), "{found}");
    let bytes = |path: &str| std::fs::read(project.join(path)).unwrap();
    assert_eq!(bytes("build/tile.pvr"), bytes("tests/tile/expected/tile.pvr"));
    // Without saturation at one end, the case must fail with the smallest input, in the report too, and the
    // output of `hello` must change.
    let source = project.join("src/audio_fast.s");
    let text = std::fs::read_to_string(&source).unwrap();
    std::fs::write(&source, text.replace("bt      high", "nop")).unwrap();
    let (status, told) = make(&project, &["test"]);
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
