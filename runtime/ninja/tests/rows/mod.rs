//! Checks the README's tables. Every cell is derived from hand-written samples (`tests/data/rows`); each has
//! bytes, text and values.
//!
//! `SWIRL_WRITE_TABLES=1 cargo test -p swirl-ninja --test tests rows::` writes the tables into the README.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

mod macros;
mod proof;
mod sample;
mod tables;
mod values;
