//! Interpreter tests with results from the ARM7DI data sheet and opcodes assembled by binutils.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

mod exceptions;
mod registers;
mod run;
mod transfers;
