//! Checks opcodes against ARMv3, the instruction set of the ARM7DI (ARM7DI data sheet, chapter 4; for later
//! instructions, the ARM architecture reference manual).

use std::fmt;

/// Reason why an instruction is not executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// An instruction of a later architecture: its name and the architecture.
    Later(&'static str, &'static str),
    /// A coprocessor instruction. The sound block has no coprocessor, so it is undefined.
    Coprocessor,
    /// An instruction that is undefined in ARMv3 and has no name in later architectures.
    Undefined,
    /// An instruction with a result that the data sheet leaves open.
    Unpredictable(&'static str),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Later(name, since) => write!(f, "{name} is {since}; the ARM7DI is ARMv3"),
            Refusal::Coprocessor => {
                f.write_str("a coprocessor instruction; the sound block has no coprocessor")
            }
            Refusal::Undefined => f.write_str("undefined in ARMv3"),
            Refusal::Unpredictable(what) => write!(f, "{what} has no defined result"),
        }
    }
}

/// Bits of `opcode` from `high` down to `low`.
fn bits(opcode: u32, high: u32, low: u32) -> u32 {
    opcode >> low & ((1 << (high - low + 1)) - 1)
}

fn bit(opcode: u32, at: u32) -> bool {
    opcode >> at & 1 != 0
}

const PC: u32 = 15;

/// Returns `None` if `opcode` has a defined result on an ARMv3.
pub fn check(opcode: u32) -> Option<Refusal> {
    if bits(opcode, 31, 28) == 0xF {
        return Some(Refusal::Later("condition 1111 (BLX, PLD and others)", "ARMv5"));
    }
    match bits(opcode, 27, 25) {
        0b000 if bit(opcode, 4) && bit(opcode, 7) => multiply_or_later(opcode),
        0b000 | 0b001 => data_processing(opcode),
        0b011 if bit(opcode, 4) => Some(Refusal::Later("a media instruction", "ARMv6")),
        0b010 | 0b011 => None,
        0b100 if opcode & 0xFFFF == 0 => Some(Refusal::Unpredictable("an empty register list")),
        0b100 => None,
        0b101 => None,
        0b110 => Some(Refusal::Coprocessor),
        _ if bit(opcode, 24) => None, // SWI
        _ => Some(Refusal::Coprocessor),
    }
}

/// Checks opcodes with bits 7 and 4 set: multiplication, swap, and the transfers of ARMv4 and later.
fn multiply_or_later(opcode: u32) -> Option<Refusal> {
    match (bits(opcode, 6, 5), bits(opcode, 24, 20)) {
        (0, 0b00000..=0b00011) => None,                             // MUL, MLA
        (0, 0b10000 | 0b10100) if bits(opcode, 11, 8) == 0 => None, // SWP, SWPB
        (0, 0b00100) => Some(Refusal::Later("UMAAL", "ARMv6")),
        (0, 0b00110) => Some(Refusal::Later("MLS", "ARMv6T2")),
        (0, 0b01000..=0b01111) => Some(Refusal::Later(LONG[bits(opcode, 22, 21) as usize], "ARMv3M")),
        (0, 0b11000..=0b11111) => Some(Refusal::Later("LDREX or STREX", "ARMv6")),
        (0, _) => Some(Refusal::Undefined),
        (1, load) => Some(Refusal::Later(
            if load & 1 != 0 { "LDRH" } else { "STRH" },
            "ARMv4",
        )),
        (2, load) if load & 1 != 0 => Some(Refusal::Later("LDRSB", "ARMv4")),
        (2, _) => Some(Refusal::Later("LDRD", "ARMv5TE")),
        (_, load) if load & 1 != 0 => Some(Refusal::Later("LDRSH", "ARMv4")),
        _ => Some(Refusal::Later("STRD", "ARMv5TE")),
    }
}

/// Names by bits 22 and 21.
const LONG: [&str; 4] = ["UMULL", "UMLAL", "SMULL", "SMLAL"];

fn data_processing(opcode: u32) -> Option<Refusal> {
    let compares = bits(opcode, 24, 23) == 0b10;
    match compares && !bit(opcode, 20) {
        true => status_or_later(opcode),
        false => None,
    }
}

/// Checks the encodings of comparisons without S: MRS, MSR, and instructions of later architectures.
fn status_or_later(opcode: u32) -> Option<Refusal> {
    let (select, field) = (bits(opcode, 22, 21), bits(opcode, 19, 16));
    if bit(opcode, 25) {
        return match (select, field) {
            (0b00, _) => Some(Refusal::Later("MOVW", "ARMv6T2")),
            (0b10, _) => Some(Refusal::Later("MOVT", "ARMv6T2")),
            (0b01, 0) => Some(Refusal::Later("NOP or another hint", "ARMv6K")),
            _ => None, // MSR of an immediate
        };
    }
    match (bits(opcode, 7, 4), select) {
        (0, 0b00 | 0b10) if field == PC && bits(opcode, 11, 0) == 0 => None, // MRS
        (0, 0b01 | 0b11) if bits(opcode, 15, 8) == 0xF0 => None,             // MSR
        (1, 0b01) => Some(Refusal::Later("BX", "ARMv4T")),
        (1, 0b11) => Some(Refusal::Later("CLZ", "ARMv5")),
        (2, 0b01) => Some(Refusal::Later("BXJ", "ARMv5TEJ")),
        (3, 0b01) => Some(Refusal::Later("BLX", "ARMv5")),
        (5, _) => Some(Refusal::Later("saturating addition", "ARMv5TE")),
        (7, 0b01) => Some(Refusal::Later("BKPT", "ARMv5")),
        (8.., _) => Some(Refusal::Later("halfword multiplication", "ARMv5TE")),
        _ => Some(Refusal::Undefined),
    }
}
