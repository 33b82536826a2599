//! Calling a function by the SH C ABI.
//!
//! [`Machine::call`] passes 32-bit words: the first four in R4 to R7, the rest on the stack from R15 upwards.
//! R0 is the
//! result. [`Machine::call_with`] takes any registers and an observer. A function keeps R8 to R15, FR12 to
//! FR15, GBR, VBR, DBR, the other register bank, the settings in FPSCR and the mode bits of SR, and returns
//! to PR.

use crate::{Halt, Machine, MemoryError, Observer, Stop};
use thiserror::Error;

/// FPSCR at a call: round to nearest, DN = 1, single precision, single moves, bank 0; as KallistiOS starts
/// programs.
pub(crate) const FPSCR: u32 = 0x0004_0000;
/// Where a called function returns to: a place in RAM below every program, which is never executed.
const RETURN: u32 = 0x8C00_8000;
/// Top of the stack: below the last page of RAM.
pub(crate) const STACK: u32 = 0x8CFF_F000;
/// Bytes of an argument.
const WORD: u32 = 4;

/// The registers at the entry of a function. [`Machine::call_with`] sets PR and R15.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// R0 to R7.
    pub r: [u32; 8],
    /// FR0 to FR11.
    pub fr: [u32; 12],
    /// XF0 to XF15.
    pub xf: [u32; 16],
    /// FPSCR.
    pub fpscr: u32,
    /// Bytes on the stack from R15 upwards.
    pub stack: Vec<u8>,
    /// Whether a kept register that changed is an error.
    pub keeps: bool,
}

/// A call that returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Called {
    /// R0.
    pub result: u32,
    /// Instructions executed.
    pub instructions: u64,
}

/// A call that failed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CallError {
    /// The function did not return.
    #[error("{name} did not return: {halt}")]
    Halt {
        /// The function.
        name: String,
        /// Where and why it stopped.
        halt: Halt,
    },
    /// The function returned with a changed register that it has to keep.
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
        self.call_hooked(entry, args, max_instructions, &mut ())
    }

    /// The same, with every instruction that has run shown to `observer`.
    ///
    /// # Errors
    /// See [`Machine::call`].
    pub fn call_hooked<O: Observer>(
        &mut self,
        entry: u32,
        args: &[u32],
        max_instructions: u64,
        observer: &mut O,
    ) -> Result<Called, CallError> {
        let at = self.entry(args);
        self.call_with(entry, &at, max_instructions, observer)
    }

    /// The registers at the entry of a function with words as its arguments.
    #[must_use]
    pub fn entry(&self, args: &[u32]) -> Entry {
        let mut at = Entry {
            r: *self.cpu.r.first_chunk().unwrap_or(&[0; 8]),
            fr: *self.cpu.fr.first_chunk().unwrap_or(&[0; 12]),
            xf: self.cpu.xf,
            fpscr: FPSCR,
            stack: args.iter().skip(4).flat_map(|word| word.to_le_bytes()).collect(),
            keeps: true,
        };
        for (register, word) in at.r[4..].iter_mut().zip(args) {
            *register = *word;
        }
        at
    }

    /// Calls the function at `entry` in the state `at`, with every instruction shown to `observer`.
    ///
    /// # Errors
    /// If it does not return, or returns with a kept register changed though `at.keeps` asks for them.
    pub fn call_with<O: Observer>(
        &mut self,
        entry: u32,
        at: &Entry,
        max_instructions: u64,
        observer: &mut O,
    ) -> Result<Called, CallError> {
        self.write_back_caches()?;
        let bytes = at.stack.len().next_multiple_of(WORD as usize) as u32;
        let stack = STACK.wrapping_sub(bytes);
        self.memory_mut().write(stack, &at.stack)?;
        let cpu = &mut self.cpu;
        cpu.set_fpscr(at.fpscr);
        cpu.r[..8].copy_from_slice(&at.r);
        cpu.fr[..12].copy_from_slice(&at.fr);
        cpu.xf = at.xf;
        for i in 8..15 {
            cpu.r[i] = 0x5A5A_0000 | i as u32;
        }
        for i in 12..16 {
            cpu.fr[i] = 0x4A4A_0000 | i as u32;
        }
        cpu.r[15] = stack;
        cpu.pr = RETURN;
        let before = self.kept();
        let halt = self.emu_start_hooked(entry, Some(RETURN), max_instructions, observer);
        let name = || self.symbols().describe(entry);
        if halt.stop != Stop::Until {
            return Err(CallError::Halt { name: name(), halt });
        }
        let after = self.kept();
        let changed = (0..KEPT).find(|&index| before[index] != after[index]);
        if let Some(index) = changed.filter(|_| at.keeps) {
            return Err(CallError::Register {
                name: name(),
                register: kept_name(index),
                before: before[index],
                after: after[index],
            });
        }
        Ok(Called {
            result: self.cpu.r[0],
            instructions: halt.instructions,
        })
    }

    /// What a function keeps, in the order of [`kept_name`].
    fn kept(&self) -> [u32; KEPT] {
        let cpu = &self.cpu;
        // The cause and flag fields of FPSCR (bits 17-12 and 6-2) are results, not settings.
        let fpscr = cpu.fpscr() & !0x0003_F07C;
        // MD, RB, BL, FD and IMASK; the rest of SR is scratch.
        let sr = cpu.sr() & 0x7000_80F0;
        let control = [cpu.gbr, cpu.vbr, cpu.dbr, sr, fpscr];
        let all = [&cpu.r[8..], &cpu.fr[12..], &cpu.r_bank, &control];
        let mut kept = [0; KEPT];
        for (to, from) in kept.iter_mut().zip(all.into_iter().flatten()) {
            *to = *from;
        }
        kept
    }
}

/// R8 to R15, FR12 to FR15, the other bank's R0 to R7, and five more.
const KEPT: usize = 8 + 4 + 8 + CONTROL.len();
const CONTROL: [&str; 5] = ["gbr", "vbr", "dbr", "sr", "fpscr"];

/// The name of a register that a function keeps.
fn kept_name(index: usize) -> String {
    match index {
        0..8 => format!("r{}", 8 + index),
        8..12 => format!("fr{}", 4 + index),
        12..20 => format!("r{}_bank", index - 12),
        _ => CONTROL[index - 20].to_owned(),
    }
}
