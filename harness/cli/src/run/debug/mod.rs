//! Examines failed programs: registers, back-trace, threads, last branches, and the reason for waiting.

mod branches;
mod failure;
mod info;
pub(crate) mod kos;
mod registers;
mod unwind;

pub(crate) use branches::{Branch, TailRecorder, WaitActivity};
pub(crate) use failure::{Failure, Tracer, function_of, is_abort, peek_word, threads};
pub(crate) use info::{DebugInfo, Place};
pub(crate) use registers::Registers;
pub(crate) use unwind::{Frame, Source, Unwinder};
