//! The ASCII forms over whole texts: real models to text and back, the samples of the specifications, a C compiler's
//! opinion, damaged texts, dialects.

#[path = "../common/mod.rs"]
mod common;

mod compiler;
mod corpus;
mod damage;
mod dialects;
mod made;
mod seeds;
