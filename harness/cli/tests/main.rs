//! All tests of this folder as one program, which builds faster than one for each file.

mod arm;
mod c_library;
mod c_programs;
mod cases;
mod chip;
mod command;
mod common;
mod cpp_names;
mod demo_rom;
mod hostile;
mod killed;
mod pictures;
mod profile;
mod recipe;
mod run;
mod template;
mod truth;
mod truth_screen;
mod truth_vmu;
mod verify_cases;
mod verify_users;
mod view;
