//! All tests of this folder as one program, which builds faster than one for each file.

#![cfg(target_arch = "x86_64")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

mod checklist;
mod equality;
mod hot;
mod programs;
#[path = "common/random.rs"]
mod random;
mod soundness;
mod sst;
mod surroundings;
mod waiting;
