//! Random instructions of ARMv3 that the engine executes in the same way as the chip.
//!
//! The generator leaves out instructions for which the engine's ARMv4 differs: R15 with a shift by a
//! register, stored R15, comparisons with R15 as destination, MUL with Rd = Rm, a stored base that is written
//! back, an empty list, and the S bit with write-back. The hand-written tests of the interpreter cover those.

use arm7::cpu::psr::mode;
use sh4_kernels::Rng;

/// Modes with separate registers; system code shares the user's.
pub(crate) const MODES: [u32; 6] = [
    mode::USER,
    mode::FIQ,
    mode::IRQ,
    mode::SUPERVISOR,
    mode::ABORT,
    mode::UNDEFINED,
];

/// A class of instructions: name, generator.
pub(crate) type Class = (&'static str, fn(&mut Rng) -> u32);

pub(crate) const CLASSES: [Class; 9] = [
    ("data, immediate", data_immediate),
    ("data, shift by a constant", data_constant),
    ("data, shift by a register", data_register),
    ("multiply", multiply),
    ("PSR", psr),
    ("LDR, STR", single),
    ("LDM, STM", block),
    ("SWP", swap),
    ("branch", branch),
];

/// Mostly always; sometimes each other condition, but never the last one.
fn condition(rng: &mut Rng) -> u32 {
    let other = rng.below(15);
    (if rng.below(2) == 0 { 14 } else { other }) << 28
}

fn field(rng: &mut Rng, low: u32, below: u32) -> u32 {
    rng.below(below) << low
}

/// Operation, S, Rn and a destination that is not R15. Unused fields are 0: the engine refuses others.
fn data(rng: &mut Rng, below_rn: u32) -> u32 {
    let op = rng.below(16);
    let (compares, moves) = ((8..12).contains(&op), op == 13 || op == 15);
    let set_flags = if compares { 1 } else { rng.below(2) };
    let rn = if moves { 0 } else { field(rng, 16, below_rn) };
    let rd = if compares { 0 } else { field(rng, 12, 15) };
    condition(rng) | op << 21 | set_flags << 20 | rn | rd
}

fn data_immediate(rng: &mut Rng) -> u32 {
    data(rng, 16) | 1 << 25 | rng.below(1 << 12)
}

fn data_constant(rng: &mut Rng) -> u32 {
    data(rng, 16) | field(rng, 7, 32) | field(rng, 5, 4) | rng.below(16)
}

fn data_register(rng: &mut Rng) -> u32 {
    data(rng, 15) | field(rng, 8, 15) | field(rng, 5, 4) | 1 << 4 | rng.below(15)
}

fn multiply(rng: &mut Rng) -> u32 {
    let (rd, rm) = (rng.below(15), rng.below(14));
    let rm = if rm >= rd { rm + 1 } else { rm };
    let accumulate = rng.below(2);
    let rn = if accumulate == 0 { 0 } else { field(rng, 12, 15) };
    let rest = accumulate << 21 | field(rng, 20, 2) | field(rng, 8, 15);
    condition(rng) | rd << 16 | rn | rest | 0x90 | rm
}

/// MRS, or MSR by a field mask; R0 holds a valid word for both registers.
fn psr(rng: &mut Rng) -> u32 {
    let spsr = field(rng, 22, 2);
    if rng.below(2) == 0 {
        return condition(rng) | 0x010F_0000 | spsr | field(rng, 12, 15);
    }
    let mask = [0b0001, 0b1000, 0b1001][rng.below(3) as usize] << 16;
    condition(rng) | 0x0120_F000 | spsr | mask
}

/// A word for MSR: any flags, and any valid mode.
pub(crate) fn psr_word(rng: &mut Rng) -> u32 {
    let mode = MODES[rng.below(6) as usize];
    rng.word() & 0xF000_00C0 | mode
}

/// Rn is below R13 and usually holds an address. A store of R15 is left out.
fn single(rng: &mut Rng) -> u32 {
    let register_offset = rng.below(2);
    let offset = match register_offset {
        0 => rng.below(1 << 12) & if rng.below(3) == 0 { 0xFFF } else { 0xFFC },
        _ => field(rng, 7, 32) | field(rng, 5, 4) | rng.below(15),
    };
    let how = field(rng, 20, 32);
    condition(rng)
        | 0x0400_0000
        | register_offset << 25
        | how
        | field(rng, 16, 15)
        | field(rng, 12, 15)
        | offset
}

fn block(rng: &mut Rng) -> u32 {
    let (load, psr) = (rng.below(2), rng.below(2));
    let write_back = (1 - psr) * rng.below(2);
    let rn = rng.below(15);
    // The list of a store with write-back does not contain the base.
    let out = if load == 0 && write_back == 1 { 1 << rn } else { 0 };
    let list = (rng.word() & 0x7FFF & !out) | if rn == 0 { 2 } else { 1 };
    let how = field(rng, 23, 4) | psr << 22 | write_back << 21 | load << 20;
    condition(rng) | 0x0800_0000 | how | rn << 16 | list
}

fn swap(rng: &mut Rng) -> u32 {
    let registers = field(rng, 16, 15) | field(rng, 12, 15) | rng.below(15);
    condition(rng) | 0x0100_0090 | field(rng, 22, 2) | registers
}

/// An offset of up to 1 KiB.
fn branch(rng: &mut Rng) -> u32 {
    let offset = rng.below(512).wrapping_sub(256) & 0x00FF_FFFF;
    condition(rng) | 0x0A00_0000 | field(rng, 24, 2) | offset
}
