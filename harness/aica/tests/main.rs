//! All tests of this folder as one program, which builds faster than one for each file.

mod mixing;
mod programs;
mod random;
mod registers;
mod sound;
