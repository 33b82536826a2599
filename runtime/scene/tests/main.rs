//! All tests of this folder as one program, which builds faster than one for each file.

mod drawing;
mod motions;
mod sprites;
mod streams;
mod trees;
