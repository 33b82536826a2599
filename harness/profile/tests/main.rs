//! All tests of this folder as one program, which builds faster than one for each file.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

#[path = "common/assemble.rs"]
mod assemble;
mod balance;
mod exports;
mod memory;
mod modes;
mod program;
mod validation;
