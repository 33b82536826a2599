//! Interpreter tests with results from the ARM7DI data sheet and opcodes assembled by binutils.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

mod exceptions;
mod registers;
mod run;
mod transfers;
