//! Calling a function by the SH C ABI.
//!
//! Arguments are 32-bit words: the first four in R4 to R7, the rest on the stack from R15 upwards. R0 is the result. A
//! function keeps R8 to R15, FR12 to FR15, FPSCR and GBR, and returns to PR. Floats in registers are not passed: the
//! kernels take them as words.

use crate::{Halt, Machine, MemoryError, Stop};
use thiserror::Error;

/// FPSCR at a call: round to nearest, DN = 1, single precision, single moves, bank 0; as KallistiOS starts programs.
pub(crate) const FPSCR: u32 = 0x0004_0000;
/// Where a called function returns to: a place in RAM below every program, which is never executed.
const RETURN: u32 = 0x8C00_8000;
/// Top of the stack: below the last page of RAM.
const STACK: u32 = 0x8CFF_F000;
/// Bytes of an argument.
const WORD: u32 = 4;

/// A call that returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Called {
    /// R0.
    pub result: u32,
    /// Instructions executed.
    pub instructions: u64,
}

/// A call that went wrong.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CallError {
    /// It did not come back.
    #[error("{name} did not return: {halt}")]
    Halt {
        /// The function.
        name: String,
        /// Where and why it stopped.
        halt: Halt,
    },
    /// It came back with a register changed that it has to keep.
    #[error("{name} returned with {register} changed from {before:08x} to {after:08x}")]
    Register {
        /// The function.
        name: String,
        /// The register.
        register: String,
        /// Its value at the call.
        before: u32,
        /// Its value at the return.
        after: u32,
    },
    /// The arguments do not fit the stack.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl Machine {
    /// Calls the function at `entry` with `args`, for at most `max_instructions`.
    ///
    /// The operand cache is empty at the call, so that the function sees what the host has written; it is not
    /// written back behind it.
    ///
    /// Registers that a function keeps hold values of their own at the call, so that a change shows.
    ///
    /// # Errors
    /// If it does not return, or returns with a kept register changed.
    pub fn call(&mut self, entry: u32, args: &[u32], max_instructions: u64) -> Result<Called, CallError> {
        self.write_back_caches()?;
        let stacked = args.get(4..).unwrap_or_default();
        let stack = STACK.wrapping_sub(WORD.wrapping_mul(stacked.len() as u32));
        for (i, word) in stacked.iter().enumerate() {
            self.memory_mut().write(
                stack.wrapping_add(WORD.wrapping_mul(i as u32)),
                &word.to_le_bytes(),
            )?;
        }
        let cpu = &mut self.cpu;
        for (register, word) in cpu.r.iter_mut().skip(4).zip(&args[..args.len().min(4)]) {
            *register = *word;
        }
        for i in 8..15 {
            cpu.r[i] = 0x5A5A_0000 | i as u32;
        }
        for i in 12..16 {
            cpu.fr[i] = 0x4A4A_0000 | i as u32;
        }
        cpu.r[15] = stack;
        cpu.pr = RETURN;
        cpu.set_fpscr(FPSCR);
        let before = self.kept();
        let halt = self.emu_start(entry, Some(RETURN), max_instructions);
        let name = || self.symbols().describe(entry);
        if halt.stop != Stop::Until {
            return Err(CallError::Halt { name: name(), halt });
        }
        for ((register, before), (_, after)) in before.into_iter().zip(self.kept()) {
            if before != after {
                return Err(CallError::Register {
                    name: name(),
                    register,
                    before,
                    after,
                });
            }
        }
        Ok(Called {
            result: self.cpu.r[0],
            instructions: halt.instructions,
        })
    }

    /// What a function keeps.
    fn kept(&self) -> Vec<(String, u32)> {
        let cpu = &self.cpu;
        let general = (8..16).map(|i| (format!("r{i}"), cpu.r[i]));
        let float = (12..16).map(|i| (format!("fr{i}"), cpu.fr[i]));
        // The cause and flag fields of FPSCR (bits 17-12 and 6-2) are results, not settings.
        let fpscr = ("fpscr".to_owned(), cpu.fpscr() & !0x0003_F07C);
        general
            .chain(float)
            .chain([("gbr".to_owned(), cpu.gbr), fpscr])
            .collect()
    }
}
