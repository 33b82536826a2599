//! The instruction set, with one row for each instruction. Decoding, disassembly and dispatch are generated
//! from it.
//!
//! Source: SH7750 manual, sections 7 (instruction set) and 8.3 (groups), and the SH-4A additions FSRRA and
//! FSCA which this chip has. The rows cover 59,001 of the 65,536 opcodes; only FPU rows overlap, and FPSCR's
//! SZ or PR selects one of the two.

mod address;
mod rows;

use crate::Direction;
pub use address::{AddressMode, AddressRegister};
pub(crate) use rows::with_instructions;

/// Groups of instructions for pairing in the two-way pipeline (SH7750 manual, table 8.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Moves and compares, which pair with every group except CO.
    MT,
    /// One-step integer operations.
    EX,
    /// Branches by displacement.
    BR,
    /// Loads, stores and register moves of the FPU.
    LS,
    /// FPU arithmetic.
    FE,
    /// Instructions that issue without a partner.
    CO,
}

/// The state of FPSCR in which a row is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Always.
    Any,
    /// PR = 0, single precision.
    Pr0,
    /// PR = 1, double precision.
    Pr1,
    /// SZ = 0, FMOV moves 32 bits.
    Sz0,
    /// SZ = 1, FMOV moves 64 bits.
    Sz1,
}

/// The conversion of a pattern's `i` or `d` bits to the immediate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Immediate {
    /// The row has no immediate.
    None,
    /// 8 bits, sign extended.
    Signed,
    /// 8 bits, zero extended.
    Unsigned,
    /// Zero extended, in bytes.
    Disp1,
    /// Zero extended, times 2.
    Disp2,
    /// Zero extended, times 4.
    Disp4,
    /// The address PC + 4 + 2d.
    PcWord,
    /// The address (PC & ~3) + 4 + 4d.
    PcLong,
    /// The address PC + 4 + 2d, d of 8 bits, signed.
    Branch8,
    /// The address PC + 4 + 2d, d of 12 bits, signed.
    Branch12,
}

/// Properties that decoding and the run loop need, as a bit set.
pub mod flag {
    /// No property.
    pub const PLAIN: u8 = 0;
    /// May continue at an address other than the next instruction's.
    pub const BRANCH: u8 = 1;
    /// Has a delay slot.
    pub const DELAYED: u8 = 2;
    /// Returns control to the caller: TRAPA, SLEEP.
    pub const LAST: u8 = 4;
    /// May change what later opcodes mean (PR, SZ, FD, MD).
    pub const MODE: u8 = 8;
    /// Illegal in a delay slot.
    pub const NO_SLOT: u8 = 16;
    /// Illegal in user mode.
    pub const PRIVILEGED: u8 = 32;
    /// Needs SR.FD = 0.
    pub const FPU: u8 = 64;
    /// May write memory.
    pub const STORE: u8 = 128;
    /// A branch with a delay slot.
    pub const JUMP: u8 = BRANCH | DELAYED | NO_SLOT;
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Name of the instruction.
    pub id: Id,
    /// 16 characters, bit 15 first: `0`, `1`, or the letter of a field.
    pub pattern: &'static str,
    /// Mnemonic and operands as in the manual.
    pub syntax: &'static str,
    /// Pairing group.
    pub group: Group,
    /// Required FPSCR state.
    pub variant: Variant,
    /// Immediate form.
    pub immediate: Immediate,
    /// Data accesses, in order.
    pub memory: &'static [MemoryOperand],
    /// See [`flag`].
    pub flags: u8,
}

/// A data access of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryOperand {
    /// 1, 2, 4 or 8; 32 for PREF and the cache instructions, which affect a whole line.
    pub bytes: u8,
    /// Read or write, as observers see it. PREF is a read, the cache instructions are writes.
    pub direction: Direction,
}

/// The entries of the memory column.
#[allow(non_upper_case_globals, reason = "the entries are words of the table")]
mod memory {
    use super::{Direction, MemoryOperand};

    const fn read(bytes: u8) -> MemoryOperand {
        MemoryOperand {
            bytes,
            direction: Direction::Read,
        }
    }

    const fn write(bytes: u8) -> MemoryOperand {
        MemoryOperand {
            bytes,
            direction: Direction::Write,
        }
    }

    macro_rules! columns {
        ($($name:ident [$($operand:expr),*];)+) => {$(
            pub(super) const $name: &[MemoryOperand] = &[$($operand),*];
        )+};
    }

    columns! {
        No [];
        R1 [read(1)];
        R2 [read(2)];
        R4 [read(4)];
        R8 [read(8)];
        R32 [read(32)];
        W1 [write(1)];
        W2 [write(2)];
        W4 [write(4)];
        W8 [write(8)];
        W32 [write(32)];
        RW1 [read(1), write(1)];
        RR2 [read(2), read(2)];
        RR4 [read(4), read(4)];
    }
}

impl Row {
    /// Returns true if the row has any bit of `flags`.
    #[must_use]
    pub const fn has(&self, flags: u8) -> bool {
        self.flags & flags != 0
    }

    /// Number of the row's data accesses.
    #[must_use]
    pub const fn accesses(&self) -> usize {
        self.memory.len()
    }

    /// Bytes and direction of the data access `which`, in the order of [`Row::memory`]. 0 bytes if the access
    /// does not exist.
    #[must_use]
    pub fn access(&self, which: usize) -> (u8, Direction) {
        let operand = self.memory.get(which).copied();
        operand.map_or((0, Direction::Read), |operand| (operand.bytes, operand.direction))
    }
}

/// Defines [`Id`] and [`TABLE`].
macro_rules! define_table {
    ($(
        $name:ident $pattern:literal $syntax:literal $group:ident $variant:ident $immediate:ident
        $memory:ident $($flag:ident)|+;
    )+) => {
        /// An instruction's name: the name of its operation in `exec`.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Id {
            $(#[doc = $syntax] $name,)+
            /// Not an instruction: a place in a decoded block where execution raises a fault.
            illegal,
            /// Not an instruction: BT that skips only the next operation. The CPU runs that operation in both
            /// cases. If BT is taken, the CPU then restores the register that the operation wrote.
            skip_if_true,
            /// Not an instruction: BF that skips only the next operation, like [`Id::skip_if_true`].
            skip_if_false,
        }

        /// The instruction set. A row's position is its `id as usize`.
        pub const TABLE: &[Row] = &[$(Row {
            id: Id::$name,
            pattern: $pattern,
            syntax: $syntax,
            group: Group::$group,
            variant: Variant::$variant,
            immediate: Immediate::$immediate,
            memory: memory::$memory,
            flags: $(flag::$flag)|+,
        },)+];
    };
}

with_instructions!(define_table);
