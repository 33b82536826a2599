//! The README's tables: every cell is worked out from samples written by hand (`tests/data/rows`), each with
//! its bytes, the same as text, and the values.
//!
//! `SWIRL_WRITE_TABLES=1 cargo test -p swirl-ninja --test rows` writes the tables into the README.

// A failed unwrap or panic in a helper, too, is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
mod macros;
mod proof;
mod sample;
mod tables;
mod values;
