//! Record tests: bytes computed by hand, real files, and damaged files.
#![allow(clippy::unwrap_used, clippy::panic)]

mod corpus;
mod damage;
mod format;
