//! Exceptions and interrupts: what they are called, and how the chip enters them.
//!
//! Codes and vectors: SH7750 manual, table 5.2. On entry SR goes to SSR, the address to return to goes to
//! SPC, R15 to SGR, and MD, RB and BL are set (5.2.2 to 5.2.4); RTE undoes it.

use std::fmt;

use crate::cpu::sr;
use crate::stop::{Direction, Fault, FaultKind, Stop};
use crate::{Cpu, Exceptions, TlbException};

/// Where a reset goes.
pub(crate) const RESET_VECTOR: u32 = 0xA000_0000;
/// SR after a reset: privileged, bank 1, blocked, all interrupts masked.
const RESET_SR: u32 = 0x7000_00F0;
/// FPSCR after a reset: DN = 1, RM = 1 (SH7750 manual 2.2.5).
const RESET_FPSCR: u32 = 0x0004_0001;

/// The resets that a program can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// EXPEVT 000.
    PowerOn,
    /// EXPEVT 020; also what a general exception under SR.BL = 1 becomes.
    Manual,
    /// EXPEVT 140: two TLB entries match an address. All else is as in a manual reset (SH7750 manual 5.6.1).
    TlbMultipleHit,
}

/// An interrupt request: what the interrupt controller puts on the CPU's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// 1 to 15; accepted if greater than SR.IMASK.
    pub level: u8,
    /// What INTEVT is to hold: 200 + 20n for IRL code n, 400 for TMU0 and so on.
    pub code: u16,
}

/// Something that takes the program to a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Misaligned, or out of reach for user mode: 0E0 for reads and fetches, 100 for writes.
    AddressError {
        /// The access.
        direction: Direction,
        /// Goes to TEA, its page number to PTEH.
        address: u32,
    },
    /// Address translation fails: 040 to 0C0, or 140.
    Tlb {
        /// Why.
        exception: TlbException,
        /// The access.
        direction: Direction,
        /// Goes to TEA, its page number to PTEH.
        address: u32,
    },
    /// Undefined, or privileged in user mode: 180.
    Illegal,
    /// The same in a delay slot, or what may not stand in one: 1A0.
    SlotIllegal,
    /// FPU instruction with SR.FD = 1: 800.
    FpuDisabled,
    /// The same in a delay slot: 820.
    SlotFpuDisabled,
    /// Enabled FPU exception, or a denormal operand with DN = 0: 120.
    FpuException,
    /// TRAPA: 160.
    Trapa {
        /// Goes to TRA, times 4.
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
    /// What happened.
    pub event: Event,
    /// SPC.
    pub spc: u32,
    /// Where execution goes on.
    pub vector: u32,
}

impl Event {
    /// What a fault is on the chip; nothing if the chip has no exception for it.
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

    /// What EXPEVT holds, or INTEVT for interrupts.
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

    /// Whether the event is a reset by itself.
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
    const fn vector_offset(self) -> u32 {
        match self {
            Event::Tlb {
                exception: TlbException::Miss,
                ..
            } => 0x400,
            _ if self.is_interrupt() => 0x600,
            _ => 0x100,
        }
    }

    /// Whether the code goes to INTEVT and the vector is VBR + 600.
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

/// The requests that wait for the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Requests {
    /// Set by the owner of the CPU.
    line: Option<Interrupt>,
    /// The bus's line when it was last asked.
    pub(crate) bus: Option<Interrupt>,
    nmi: bool,
}

impl Cpu {
    /// The interrupt line, beside the bus's own ([`Bus::interrupt`](crate::Bus::interrupt)): stays as it is
    /// until it is set again. Of two requests the higher level counts.
    pub fn set_irq(&mut self, request: Option<Interrupt>) {
        self.requests.line = request;
        self.refresh_key();
    }

    /// An edge on the NMI pin: one interrupt, whatever SR.IMASK says. It waits while SR.BL = 1 (ICR.NMIB = 0).
    pub fn raise_nmi(&mut self) {
        self.requests.nmi = true;
        self.refresh_key();
    }

    /// The interrupt that would be accepted before the next instruction.
    #[must_use]
    pub fn pending_interrupt(&self) -> Option<Event> {
        if self.status & sr::BL != 0 {
            return None;
        }
        if self.requests.nmi {
            return Some(Event::Nmi);
        }
        let mask = self.status >> 4 & 15;
        let requests = [self.requests.line, self.requests.bus].into_iter().flatten();
        let highest = requests.max_by_key(|request| request.level)?;
        (u32::from(highest.level) > mask).then_some(Event::Interrupt(highest))
    }

    /// Puts the CPU in the state after a reset. Registers that the chip leaves undefined keep their values.
    pub fn reset(&mut self, kind: Reset) {
        self.set_sr(RESET_SR);
        self.set_fpscr(RESET_FPSCR);
        self.vbr = 0;
        self.pc = RESET_VECTOR;
        self.expevt = match kind {
            Reset::PowerOn => 0,
            Reset::Manual => 0x20,
            Reset::TlbMultipleHit => 0x140,
        };
        self.requests.nmi = false;
        self.mmu.reset();
        self.ubc.reset(kind);
        self.refresh_key();
    }

    /// Enters `event`, whose SPC is the present program counter, if exceptions are taken; else stops.
    /// A general exception under SR.BL = 1 is a manual reset (SH7750 manual 5.4), and a TLB multiple hit is one too.
    /// A reset stops the run, since it ends the program.
    pub(crate) fn raise(&mut self, event: Event) -> Result<Taken, Stop> {
        if self.settings().exceptions == Exceptions::Stop {
            return Err(Stop::Exception(event));
        }
        let pc = self.pc;
        if let Event::Tlb { address, .. } = event
            && event.resets()
        {
            self.mmu.note_address(address);
            self.reset(Reset::TlbMultipleHit);
        } else if self.status & sr::BL != 0 {
            self.reset(Reset::Manual);
        } else {
            return Ok(self.enter(event));
        }
        Err(Stop::Reset { event, pc })
    }

    fn enter(&mut self, event: Event) -> Taken {
        (self.ssr, self.spc, self.sgr) = (self.sr(), self.pc, self.r[15]);
        if event == Event::Nmi {
            self.requests.nmi = false;
        }
        match event {
            Event::Trapa { imm } => self.tra = u32::from(imm) << 2,
            Event::AddressError { address, .. } | Event::Tlb { address, .. } => {
                self.mmu.note_address(address);
            }
            _ => {}
        }
        if event.is_interrupt() {
            self.intevt = event.code();
        } else {
            self.expevt = event.code();
        }
        self.set_sr(self.sr() | sr::MD | sr::RB | sr::BL);
        let debug = event == Event::UserBreak && self.ubc.uses_dbr();
        self.pc = if debug {
            self.dbr
        } else {
            self.vbr.wrapping_add(event.vector_offset())
        };
        Taken {
            event,
            spc: self.spc,
            vector: self.pc,
        }
    }
}
