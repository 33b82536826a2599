//! The ARM7 of the Dreamcast's sound block: an ARM7DI, which is ARMv3.
//!
//! [`cpu`] is the interpreter: the core with its [`cpu::Bus`], cycles and interrupts. [`armv3`] names the
//! instructions of later architectures. The crate has no dependencies outside the project.

pub mod armv3;
pub mod cpu;
