//! All tests of this folder as one program, which builds faster than one for each file.

mod bench;
mod checks;
mod counters;
mod model;
mod programs;
mod sequences;
mod snapshot;
mod waiting;
