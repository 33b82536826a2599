//! The ASCII forms over whole texts: real models to text and back, the samples of the specifications, a C
//! compiler's opinion, damaged texts, dialects.

// A failed unwrap or panic in a helper, too, is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;

mod comments;
mod compiler;
mod corpus;
mod damage;
mod dialects;
mod flags;
mod made;
mod seeds;
mod streams;
mod tables;
