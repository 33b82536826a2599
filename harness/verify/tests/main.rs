//! All tests of this folder as one program, which builds faster than one for each file.

mod arm7;
mod budgets;
mod c_library;
mod entry_state;
mod in_place;
mod kernels;
mod reference;
mod routines;
mod users;
