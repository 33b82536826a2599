//! The tests of this folder as one program, which builds faster than one for each file. `memory.rs` is the
//! exception.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

mod ascii;
mod cached_polygons;
mod common;
mod corpus;
mod damage;
mod files;
mod poly_chunks;
mod random_trees;
mod rows;
mod samples;
mod vertex_chunks;
