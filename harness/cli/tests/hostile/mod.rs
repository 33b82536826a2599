//! Files designed to take time or memory, or to reach other files. Each must end within two seconds of
//! processor time and 512 MiB of address space, with one message.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

mod debug_info;
mod discs;
mod elf;
mod outputs;
mod repeats;
mod scenes;
mod texts;

use crate::common::text;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Creates a folder for a test's files.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the command in a folder, limited to 512 MiB and two seconds of processor time.
fn limited(folder: &Path, arguments: &[&str]) -> Output {
    // A shell sets the limits: Rust's library has no call for it.
    Command::new("sh")
        .args(["-c", "ulimit -v 524288; ulimit -t 2; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_swirl"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("DISPLAY")
        .output()
        .unwrap()
}

/// Runs the command, which must end with a status and print a short text without control characters.
fn ends(folder: &Path, arguments: &[&str], statuses: &[i32]) -> String {
    let output = limited(folder, arguments);
    let shown = text(&output.stderr);
    let status = output.status;
    assert!(
        status.code().is_some_and(|code| statuses.contains(&code)),
        "{arguments:?}: {status}, expected {statuses:?}: {shown:.400}"
    );
    let acts = |c: char| c.is_control() && c != '\n' && c != '\t';
    assert!(!shown.contains(acts), "{arguments:?}: {shown:?}");
    assert!(shown.len() < 4000, "{arguments:?}: {} bytes", shown.len());
    shown
}

/// Runs the command, which must reject its input: status 2 and one message that contains `found`.
fn refused(folder: &Path, arguments: &[&str], found: &str) {
    let shown = ends(folder, arguments, &[2]);
    let messages = shown.lines().filter(|line| line.starts_with("swirl: ")).count();
    assert_eq!(messages, 1, "{arguments:?}: {shown}");
    assert!(shown.contains(found), "{arguments:?}: {shown}, expected {found}");
}
