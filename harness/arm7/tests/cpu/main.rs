//! The interpreter by hand: results worked out from the ARM7DI data sheet, opcodes as binutils assembles
//! them.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

mod exceptions;
mod registers;
mod run;
mod transfers;
