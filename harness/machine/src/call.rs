//! Calls of functions by the SH C ABI.
//!
//! [`Machine::call`] passes 32-bit words: the first four in R4 to R7, the rest on the stack from R15 upwards.
//! R0 is the result. [`Machine::call_with`] takes the values of all registers and an observer. A function
//! returns to PR. It keeps R8 to R15, FR12 to FR15, GBR, VBR, DBR, the other register bank, the settings in
//! FPSCR and the mode bits of SR.

use crate::{Halt, Machine, MemoryError, Observer, Stop};
use sh4::{FPSCR_MASK, SR_MASK, fpscr, sr};
use thiserror::Error;

/// FPSCR at a call: round to nearest, DN = 1, single precision, single moves, bank 0. KallistiOS starts
/// programs in this state.
pub(crate) const FPSCR: u32 = 0x0004_0000;
/// Return address of called functions. A run ends there. It is in RAM below every program.
const RETURN: u32 = 0x8C00_8000;
/// Top of the stack: below the last page of RAM.
pub(crate) const STACK: u32 = 0x8CFF_F000;
/// Bytes of an argument.
const WORD: u32 = 4;

/// The registers at the entry of a function. [`Machine::call_with`] sets PR and R15.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// R0 to R14.
    pub r: [u32; 15],
    /// FR0 to FR15.
    pub fr: [u32; 16],
    /// XF0 to XF15.
    pub xf: [u32; 16],
    /// MACH and MACL.
    pub mac: [u32; 2],
    /// FPUL.
    pub fpul: u32,
    /// The bits of SR in [`Entry::FREE_SR`].
    pub sr: u32,
    /// FPSCR.
    pub fpscr: u32,
    /// Bytes on the stack from R15 upwards: the stack arguments.
    pub stack: Vec<u8>,
    /// Initial bytes on the stack below R15.
    pub below: Vec<u8>,
    /// Registers that the function must keep.
    pub keeps: KeptRegisters,
}

impl Entry {
    /// Bits of SR that the ABI leaves undefined at the entry of a function: M, Q, S and T.
    pub const FREE_SR: u32 = sr::M | sr::Q | sr::S | sr::T;
    /// Bits of FPSCR that are results, not settings: the cause and flag fields.
    pub const FREE_FPSCR: u32 = 0x3F << fpscr::CAUSE_SHIFT | 0x1F << fpscr::FLAG_SHIFT;

    /// Values of R0 to R15 at the entry.
    #[must_use]
    pub fn general(&self) -> [u32; 16] {
        std::array::from_fn(|i| self.r.get(i).copied().unwrap_or_else(|| self.stack_pointer()))
    }

    /// R15 at the entry.
    fn stack_pointer(&self) -> u32 {
        STACK.wrapping_sub(self.stack.len().next_multiple_of(WORD as usize) as u32)
    }
}

/// Result of a call that returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Called {
    /// R0.
    pub result: u32,
    /// Instructions executed.
    pub instructions: u64,
}

/// Reason why a call failed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CallError {
    /// The function did not return.
    #[error("{name} did not return: {halt}")]
    Halt {
        /// The function.
        name: String,
        /// Location and reason of the stop.
        halt: Halt,
    },
    /// The function returned with a changed register that it must keep.
    #[error("{name} returned with {register} changed from {before:08x} to {after:08x}{}",
        fields_text(register, *before, *after))]
    Register {
        /// The function.
        name: String,
        /// The register.
        register: String,
        /// Value at the call.
        before: u32,
        /// Value at the return.
        after: u32,
    },
    /// The arguments do not fit the stack.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl Machine {
    /// Calls the function at `entry` with `args`, for at most `max_instructions`.
    ///
    /// The call first writes back and empties the operand cache, so that the function sees the host's writes.
    /// Lines that the function makes dirty stay in the cache.
    ///
    /// Registers that a function must keep have distinct values at the call, so that changes are visible.
    ///
    /// # Errors
    /// Fails if the function does not return, or returns with a changed register that it must keep.
    pub fn call(&mut self, entry: u32, args: &[u32], max_instructions: u64) -> Result<Called, CallError> {
        self.call_hooked(entry, args, max_instructions, &mut ())
    }

    /// Calls the function like [`Machine::call`], and reports every executed instruction to `observer`.
    ///
    /// # Errors
    /// Fails under the conditions of [`Machine::call`].
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

    /// Returns the registers at the entry of a function with the given arguments.
    #[must_use]
    pub fn entry(&self, args: &[u32]) -> Entry {
        let cpu = &self.cpu;
        let mut at = Entry {
            r: std::array::from_fn(|i| if i < 8 { cpu.r[i] } else { 0x5A5A_0000 | i as u32 }),
            fr: std::array::from_fn(|i| if i < 12 { cpu.fr[i] } else { 0x4A4A_0000 | i as u32 }),
            xf: cpu.xf,
            mac: [cpu.mach, cpu.macl],
            fpul: cpu.fpul,
            sr: cpu.sr(),
            fpscr: FPSCR,
            stack: args.iter().skip(4).flat_map(|word| word.to_le_bytes()).collect(),
            below: Vec::new(),
            keeps: KeptRegisters::ALL,
        };
        for (register, word) in at.r[4..].iter_mut().zip(args) {
            *register = *word;
        }
        at
    }

    /// Calls the function at `entry` with the registers and the stack of `at`. Reports every executed
    /// instruction to `observer`.
    ///
    /// # Errors
    /// Fails if the function does not return, or returns with a changed register of `at.keeps`.
    pub fn call_with<O: Observer>(
        &mut self,
        entry: u32,
        at: &Entry,
        max_instructions: u64,
        observer: &mut O,
    ) -> Result<Called, CallError> {
        self.write_back_caches()?;
        let stack = at.stack_pointer();
        self.memory_mut().write(stack, &at.stack)?;
        let below = stack.wrapping_sub(at.below.len() as u32);
        self.memory_mut().write(below, &at.below)?;
        let cpu = &mut self.cpu;
        cpu.set_sr(cpu.sr() & !Entry::FREE_SR | at.sr & Entry::FREE_SR);
        cpu.set_fpscr(at.fpscr);
        cpu.r[..15].copy_from_slice(&at.r);
        cpu.fr = at.fr;
        cpu.xf = at.xf;
        [cpu.mach, cpu.macl] = at.mac;
        cpu.fpul = at.fpul;
        cpu.r[15] = stack;
        cpu.pr = RETURN;
        let before = self.kept(at.fpscr);
        let halt = self.emu_start_hooked(entry, Some(RETURN), max_instructions, observer);
        let name = || self.symbols().describe(entry);
        if halt.stop != Stop::Until {
            return Err(CallError::Halt { name: name(), halt });
        }
        let after = self.kept(at.fpscr);
        let differs = |index: &usize| (before[*index] ^ after[*index]) & !at.keeps.ignored[*index] != 0;
        if let Some(index) = (0..KEPT).find(differs) {
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

    /// Values of the registers that a function must keep, in the order of [`kept_name`]. FR12 to FR15 come
    /// from the bank that `entry_fpscr` selects, so a changed FPSCR.FR changes only the value of FPSCR.
    fn kept(&self, entry_fpscr: u32) -> [u32; KEPT] {
        let cpu = &self.cpu;
        let floats = match (cpu.fpscr() ^ entry_fpscr) & fpscr::FR {
            0 => &cpu.fr[12..],
            _ => &cpu.xf[12..],
        };
        let settings = cpu.fpscr() & FPSCR_MASK & !Entry::FREE_FPSCR;
        let mode = cpu.sr() & SR_MASK & !Entry::FREE_SR;
        let control = [cpu.gbr, cpu.vbr, cpu.dbr, mode, settings];
        let all = [&cpu.r[8..], floats, &cpu.r_bank, &control];
        let mut kept = [0; KEPT];
        for (to, from) in kept.iter_mut().zip(all.into_iter().flatten()) {
            *to = *from;
        }
        kept
    }
}

/// Number of registers that a function must keep: R8 to R15, FR12 to FR15, R0 to R7 of the other bank, and
/// [`CONTROL`].
const KEPT: usize = 8 + 4 + 8 + CONTROL.len();
const CONTROL: [&str; 5] = ["gbr", "vbr", "dbr", "sr", "fpscr"];

/// Name of a register that a function must keep.
fn kept_name(index: usize) -> String {
    match index {
        0..8 => format!("r{}", 8 + index),
        8..12 => format!("fr{}", 4 + index),
        12..20 => format!("r{}_bank", index - 12),
        _ => CONTROL[index - 20].to_owned(),
    }
}

/// Fields of SR and FPSCR that a function must keep: register, name, bits.
const FIELDS: [(&str, &str, u32); 15] = [
    ("sr", "md", sr::MD),
    ("sr", "rb", sr::RB),
    ("sr", "bl", sr::BL),
    ("sr", "fd", sr::FD),
    ("sr", "imask", 0xF0),
    ("fpscr", "fr", fpscr::FR),
    ("fpscr", "sz", fpscr::SZ),
    ("fpscr", "pr", fpscr::PR),
    ("fpscr", "dn", fpscr::DN),
    ("fpscr", "ev", 1 << 11),
    ("fpscr", "ez", 1 << 10),
    ("fpscr", "eo", 1 << 9),
    ("fpscr", "eu", 1 << 8),
    ("fpscr", "ei", 1 << 7),
    ("fpscr", "rm", fpscr::RM),
];

/// Names the fields of SR or FPSCR that differ: ` (fpscr.fr 0 to 1)`. Empty for other registers.
fn fields_text(register: &str, before: u32, after: u32) -> String {
    let changed = FIELDS
        .iter()
        .filter(|(of, _, bits)| *of == register && (before ^ after) & bits != 0);
    let text = changed.map(|(of, name, bits)| {
        let value = |word: u32| (word & bits) >> bits.trailing_zeros();
        format!("{of}.{name} {} to {}", value(before), value(after))
    });
    let text: Vec<String> = text.collect();
    match text.is_empty() {
        true => String::new(),
        false => format!(" ({})", text.join(", ")),
    }
}

/// Set of registers that a function must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptRegisters {
    /// Mask of bits that may change, for each register in the order of [`kept_name`].
    ignored: [u32; KEPT],
}

impl KeptRegisters {
    /// All registers that the ABI preserves.
    pub const ALL: KeptRegisters = KeptRegisters { ignored: [0; KEPT] };
    /// The empty set.
    pub const NONE: KeptRegisters = KeptRegisters {
        ignored: [u32::MAX; KEPT],
    };

    /// Names accepted by [`KeptRegisters::without`]: registers, and fields of SR and FPSCR such as
    /// `fpscr.fr`.
    pub fn names() -> impl Iterator<Item = String> {
        let fields = FIELDS.iter().map(|(of, name, _)| format!("{of}.{name}"));
        (0..KEPT).map(kept_name).chain(fields)
    }

    /// Returns the set without the register `name`; `None` for an unknown name.
    #[must_use]
    pub fn without(mut self, name: &str) -> Option<KeptRegisters> {
        let (register, field) = match name.split_once('.') {
            Some((register, field)) => (register, Some(field)),
            None => (name, None),
        };
        let bits = match field {
            None => u32::MAX,
            Some(field) => {
                FIELDS
                    .iter()
                    .find(|(of, name, _)| *of == register && *name == field)?
                    .2
            }
        };
        let index = (0..KEPT).find(|index| kept_name(*index) == register)?;
        self.ignored[index] |= bits;
        Some(self)
    }
}
