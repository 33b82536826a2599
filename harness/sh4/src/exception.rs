//! Exceptions and interrupts: names, codes and vectors (SH7750 manual, table 5.2).

use std::fmt;

use crate::{Direction, Interrupt, TlbException};

/// The kinds of reset that a program can distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// EXPEVT 000.
    PowerOn,
    /// EXPEVT 020; also the result of a general exception under SR.BL = 1.
    Manual,
    /// EXPEVT 140: two TLB entries match an address. Apart from the code it equals a manual reset (SH7750
    /// manual 5.6.1).
    TlbMultipleHit,
}

/// An event that makes the program continue at a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Misaligned access, or user mode access to a privileged address: 0E0 for reads and fetches, 100 for
    /// writes.
    AddressError {
        /// The access.
        direction: Direction,
        /// Address for TEA; its page number goes to PTEH.
        address: u32,
    },
    /// Address translation fails: 040 to 0C0, or 140.
    Tlb {
        /// The reason.
        exception: TlbException,
        /// The access.
        direction: Direction,
        /// Address for TEA; its page number goes to PTEH.
        address: u32,
    },
    /// Undefined, or privileged in user mode: 180.
    Illegal,
    /// An illegal instruction in a delay slot, or an instruction that is illegal only in a delay slot: 1A0.
    SlotIllegal,
    /// FPU instruction with SR.FD = 1: 800.
    FpuDisabled,
    /// FPU instruction with SR.FD = 1 in a delay slot: 820.
    SlotFpuDisabled,
    /// Enabled FPU exception, or a denormal operand with DN = 0: 120.
    FpuException,
    /// TRAPA: 160.
    Trapa {
        /// Immediate; TRA becomes four times this value.
        imm: u8,
    },
    /// The user break controller: 1E0.
    UserBreak,
    /// Non-maskable interrupt: INTEVT 1C0.
    Nmi,
    /// Interrupt by level.
    Interrupt(Interrupt),
}

/// An event that was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The event.
    pub event: Event,
    /// SPC.
    pub spc: u32,
    /// Address at which execution continues.
    pub vector: u32,
}

impl Event {
    /// The code in EXPEVT, or in INTEVT for interrupts.
    #[must_use]
    pub const fn code(self) -> u32 {
        match self {
            Event::AddressError {
                direction: Direction::Write,
                ..
            } => 0x100,
            Event::AddressError { .. } => 0x0E0,
            Event::Tlb {
                exception, direction, ..
            } => tlb_code(exception, direction),
            Event::FpuException => 0x120,
            Event::Trapa { .. } => 0x160,
            Event::Illegal => 0x180,
            Event::SlotIllegal => 0x1A0,
            Event::Nmi => 0x1C0,
            Event::UserBreak => 0x1E0,
            Event::FpuDisabled => 0x800,
            Event::SlotFpuDisabled => 0x820,
            Event::Interrupt(Interrupt { code, .. }) => code as u32,
        }
    }

    /// Returns true if the event itself is a reset.
    pub(crate) const fn resets(self) -> bool {
        matches!(
            self,
            Event::Tlb {
                exception: TlbException::MultipleHit,
                ..
            }
        )
    }

    /// Offset of the vector from VBR.
    #[must_use]
    pub const fn vector_offset(self) -> u32 {
        match self {
            Event::Tlb {
                exception: TlbException::Miss,
                ..
            } => 0x400,
            _ if self.is_interrupt() => 0x600,
            _ => 0x100,
        }
    }

    /// Returns true if the code goes to INTEVT and the vector is VBR + 600.
    #[must_use]
    pub const fn is_interrupt(self) -> bool {
        matches!(self, Event::Nmi | Event::Interrupt(_))
    }
}

const fn tlb_code(exception: TlbException, direction: Direction) -> u32 {
    match (exception, direction) {
        (TlbException::Miss, Direction::Write) => 0x060,
        (TlbException::Miss, _) => 0x040,
        (TlbException::InitialWrite, _) => 0x080,
        (TlbException::Protection, Direction::Write) => 0x0C0,
        (TlbException::Protection, _) => 0x0A0,
        (TlbException::MultipleHit, _) => 0x140,
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::AddressError { address, .. } => write!(f, "address error at {address:08X}")?,
            Event::Tlb {
                exception, address, ..
            } => write!(f, "{exception} at {address:08X}")?,
            Event::Illegal => write!(f, "illegal instruction")?,
            Event::SlotIllegal => write!(f, "slot illegal instruction")?,
            Event::FpuDisabled => write!(f, "FPU disabled")?,
            Event::SlotFpuDisabled => write!(f, "slot FPU disabled")?,
            Event::FpuException => write!(f, "FPU exception")?,
            Event::Trapa { imm } => write!(f, "trapa #{imm}")?,
            Event::UserBreak => write!(f, "user break")?,
            Event::Nmi => write!(f, "non-maskable interrupt")?,
            Event::Interrupt(request) => write!(f, "interrupt of level {}", request.level)?,
        }
        write!(f, " ({:03X})", self.code())
    }
}

/// The pending requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Requests {
    /// Set by the owner of the CPU.
    pub(crate) line: Option<Interrupt>,
    /// The bus's line when it was last asked.
    pub(crate) bus: Option<Interrupt>,
    /// The NMI pin has seen an edge.
    pub(crate) nmi: bool,
}

state::fields!(Requests { line, bus, nmi });
