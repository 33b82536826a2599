//! All tests of this folder as one program, which builds faster than one for each file.

mod blocks;
mod definition;
mod pipeline;
mod table;
