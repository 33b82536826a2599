//! The command from outside, for all test binaries.

#![allow(dead_code, reason = "not every binary uses everything")]
#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use std::process::{Command, Output};

/// Runs the command, without a display and without wishes about colours.
pub(crate) fn swirl(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_swirl"))
        .args(args)
        .env_remove("DISPLAY")
        .env_remove("NO_COLOR")
        .output()
        .unwrap()
}

/// What it has said.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
