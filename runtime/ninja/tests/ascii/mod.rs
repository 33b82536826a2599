//! Tests of the ASCII forms with whole texts: real models to text and back, the specifications' samples, a C
//! compiler, damaged texts, dialects.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

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
