//! The reasons why a run ends.

use std::fmt;

use sh4_fpu::Cause;

use crate::{BusError, Direction, Event, Mode, TlbException, disassemble};

/// The reason why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The program counter reached the requested address; the instruction there has not run.
    Until,
    /// The instruction limit.
    Limit,
    /// The bus requested the end of the run after a deferred access
    /// ([`Bus::end_deferred`](crate::Bus::end_deferred)). The program counter is after the instruction.
    Yield,
    /// SLEEP without a pending interrupt. The program counter is after SLEEP. The next run continues with the
    /// interrupt as soon as there is one.
    Sleep,
    /// TRAPA under [`Exceptions::Stop`](crate::Exceptions::Stop). The program counter is after TRAPA, and the
    /// caller may carry out the call.
    Trapa {
        /// The 8-bit immediate.
        imm: u8,
    },
    /// An instruction that would raise an exception on the chip; the program counter is the return address of
    /// the exception. Under [`Exceptions::Take`](crate::Exceptions::Take), only faults for which the chip has
    /// no exception.
    Fault(Fault),
    /// An interrupt or a user break under [`Exceptions::Stop`](crate::Exceptions::Stop). The CPU has not
    /// entered it; the program counter is its return address.
    Exception(Event),
    /// An exception that resets the CPU: a general exception while SR.BL = 1 (EXPEVT 020), or a TLB multiple
    /// hit (EXPEVT 140). The program counter is A0000000.
    Reset {
        /// The exception.
        event: Event,
        /// The program counter where it was raised.
        pc: u32,
    },
    /// A breakpoint is at the program counter ([`Cpu::set_breakpoints`](crate::Cpu::set_breakpoints)).
    Breakpoint,
    /// An exception that the CPU would take next
    /// ([`Cpu::catch_exceptions`](crate::Cpu::catch_exceptions)). The program counter is the value that it
    /// would save.
    Caught {
        /// The exception.
        event: Event,
        /// The address of the instruction. In a delay slot, the CPU's own `pc` is the address of the branch.
        pc: u32,
        /// True if the exception resets the CPU.
        resets: bool,
    },
}

/// Cause bits of FPSCR as text: the number, then the names of the set bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CauseText(Cause);

impl CauseText {
    /// The cause field of FPSCR, bits 12 to 17.
    #[must_use]
    pub fn of_fpscr(fpscr: u32) -> Self {
        Self(Cause((fpscr >> 12 & 0x3F) as u8))
    }
}

impl fmt::Display for CauseText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [(Cause, &str); 6] = [
            (Cause::FPU_ERROR, "FPU error: denormal operand with FPSCR.DN = 0"),
            (Cause::INVALID, "invalid operation"),
            (Cause::DIVIDE_BY_ZERO, "division by zero"),
            (Cause::OVERFLOW, "overflow"),
            (Cause::UNDERFLOW, "underflow"),
            (Cause::INEXACT, "inexact"),
        ];
        let set = NAMES.iter().filter(|(bit, _)| self.0.has(*bit));
        let names: Vec<&str> = set.map(|(_, name)| *name).collect();
        write!(f, "{:02X} ({})", self.0.0, names.join(", "))
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Until => write!(f, "reached the requested address"),
            Stop::Limit => write!(f, "reached the instruction limit"),
            Stop::Yield => write!(f, "a device access ended the run"),
            Stop::Sleep => write!(f, "sleep"),
            Stop::Trapa { imm } => write!(f, "trapa #{imm}"),
            Stop::Fault(fault) => fault.fmt(f),
            Stop::Exception(event) => event.fmt(f),
            Stop::Breakpoint => write!(f, "breakpoint"),
            Stop::Caught { event, pc, .. } => write!(f, "{pc:08X}: {event}"),
            Stop::Reset { event, pc } if event.resets() => write!(f, "{pc:08X}: {event}: reset"),
            Stop::Reset { event, pc } => write!(f, "{pc:08X}: {event} with SR.BL = 1: manual reset"),
        }
    }
}

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The bus refused an access.
    Bus {
        /// The access.
        direction: Direction,
        /// The answer of the bus.
        error: BusError,
    },
    /// Address error (EXPEVT 0E0 or 100): not a multiple of the size.
    Misaligned {
        /// The access.
        direction: Direction,
        /// Size of the access in bytes.
        size: u8,
    },
    /// Address error: user mode accessed an address above 7FFFFFFF outside the store queues.
    Forbidden {
        /// The access.
        direction: Direction,
    },
    /// No instruction has this opcode (EXPEVT 180).
    Undefined,
    /// A privileged instruction in user mode (EXPEVT 180).
    Privileged,
    /// An instruction that is illegal in a delay slot (EXPEVT 1A0).
    SlotIllegal,
    /// An FPU opcode that is undefined under the current FPSCR.PR or SZ.
    FpuUndefined,
    /// An FPU instruction with SR.FD = 1 (EXPEVT 800, in a slot 820).
    FpuDisabled,
    /// An enabled FPU exception, or a denormal operand with DN = 0 (EXPEVT 120); destination unchanged.
    FpuException(Cause),
    /// A TLB exception (EXPEVT 040 to 0C0, or 140).
    Tlb {
        /// Reason why the translation fails.
        exception: TlbException,
        /// The access.
        direction: Direction,
    },
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |direction: &Direction| match direction {
            Direction::Read => "read",
            Direction::Write => "write",
            Direction::Fetch => "fetch",
        };
        match self {
            FaultKind::Bus { direction, error } => write!(f, "{} failed, {error}", name(direction)),
            FaultKind::Misaligned { direction, size } => {
                write!(f, "misaligned {} of {size} bytes", name(direction))
            }
            FaultKind::Forbidden { direction } => write!(f, "{} forbidden in user mode", name(direction)),
            FaultKind::Undefined => write!(f, "undefined instruction"),
            FaultKind::Privileged => write!(f, "privileged instruction in user mode"),
            FaultKind::SlotIllegal => write!(f, "illegal instruction in a delay slot"),
            FaultKind::FpuUndefined => write!(f, "FPU instruction undefined under the present PR or SZ"),
            FaultKind::FpuDisabled => write!(f, "FPU instruction with the FPU disabled"),
            FaultKind::FpuException(cause) => write!(f, "FPU exception, cause {}", CauseText(*cause)),
            FaultKind::Tlb { exception, direction } => write!(f, "{exception}, {}", name(direction)),
        }
    }
}

/// An instruction that the CPU could not execute, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of the fault.
    pub kind: FaultKind,
    /// The address of the faulting instruction. In a delay slot, the CPU's own `pc` is the address of the
    /// branch.
    pub pc: u32,
    /// Opcode of the instruction; 0 if the fetch failed.
    pub opcode: u16,
    /// FPSCR.PR and SZ at the time of the fault; they determine the meaning of the opcode.
    pub mode: Mode,
    /// True for an instruction in a delay slot.
    pub in_slot: bool,
    /// The data or fetch address, if there is one.
    pub address: Option<u32>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = disassemble(self.opcode, self.pc, self.mode);
        write!(f, "{:08X}: {:04X} {text}: {}", self.pc, self.opcode, self.kind)?;
        if let Some(address) = self.address {
            write!(f, " at {address:08X}")?;
        }
        if self.in_slot {
            write!(f, " (delay slot)")
        } else {
            Ok(())
        }
    }
}

impl std::error::Error for Fault {}

impl Event {
    /// Returns the chip's exception for a fault; `None` if the chip has no exception for it.
    #[must_use]
    pub fn of(fault: &Fault) -> Option<Event> {
        let at = fault.address.unwrap_or(fault.pc);
        Some(match fault.kind {
            FaultKind::Misaligned { direction, .. } | FaultKind::Forbidden { direction } => {
                Event::AddressError {
                    direction,
                    address: at,
                }
            }
            FaultKind::Tlb { exception, direction } => Event::Tlb {
                exception,
                direction,
                address: at,
            },
            FaultKind::Undefined | FaultKind::Privileged => Event::Illegal,
            FaultKind::SlotIllegal => Event::SlotIllegal,
            FaultKind::FpuDisabled if fault.in_slot => Event::SlotFpuDisabled,
            FaultKind::FpuDisabled => Event::FpuDisabled,
            FaultKind::FpuException(_) => Event::FpuException,
            FaultKind::Bus { .. } | FaultKind::FpuUndefined => return None,
        })
    }
}

/// The reason why an operation leaves its block.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Exit {
    /// The operation is complete, but it has written to code: the decoded operations after it may be out of
    /// date.
    CodeWritten,
    Sleep,
    Trapa(u8),
    Fault(FaultKind, Option<u32>),
}

impl From<FaultKind> for Exit {
    fn from(kind: FaultKind) -> Exit {
        Exit::Fault(kind, None)
    }
}
