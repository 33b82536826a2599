//! All tests of this folder as one program, which builds faster than one for each file.

mod checklist;
mod equality;
mod hot;
mod programs;
#[path = "common/random.rs"]
mod random;
mod soundness;
mod sst;
mod surroundings;
