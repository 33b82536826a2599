//! The record layer held to bytes computed by hand, to real files, and to damage.
#![allow(clippy::unwrap_used, clippy::panic)]

mod corpus;
mod damage;
mod format;
