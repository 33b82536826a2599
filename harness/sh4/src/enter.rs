//! Entry of exceptions and interrupts, and resets.
//!
//! On entry SR goes to SSR, the return address to SPC, and R15 to SGR; then MD, RB and BL are set (SH7750
//! manual 5.2.2 to 5.2.4). RTE undoes it.

use crate::cpu::sr;
use crate::exception::{Event, Reset, Taken};
use crate::{Cpu, Exceptions, Interrupt, Stop};

/// Program counter after a reset.
pub(crate) const RESET_VECTOR: u32 = 0xA000_0000;
/// SR after a reset: privileged, bank 1, blocked, all interrupts masked.
const RESET_SR: u32 = 0x7000_00F0;
/// FPSCR after a reset: DN = 1, RM = 1 (SH7750 manual 2.2.5).
const RESET_FPSCR: u32 = 0x0004_0001;

impl Cpu {
    /// Sets the CPU's own interrupt line, which keeps its state until the next call. The bus has another line
    /// ([`Bus::interrupt`](crate::Bus::interrupt)). The CPU takes the request with the higher level.
    pub fn set_irq(&mut self, request: Option<Interrupt>) {
        self.requests.line = request;
        self.refresh_key();
    }

    /// Records an edge on the NMI pin: one interrupt that ignores SR.IMASK. It waits while SR.BL = 1
    /// (ICR.NMIB = 0).
    pub fn raise_nmi(&mut self) {
        self.requests.nmi = true;
        self.refresh_key();
    }

    /// Returns the interrupt that the CPU would accept before the next instruction. SR.BL does not block
    /// interrupts during SLEEP (SH7750 manual 9.3.2).
    #[must_use]
    pub fn pending_interrupt(&self) -> Option<Event> {
        if !self.accepts_interrupt() {
            return None;
        }
        if self.requests.nmi {
            return Some(Event::Nmi);
        }
        let requests = [self.requests.line, self.requests.bus].into_iter().flatten();
        requests.max_by_key(|request| request.level).map(Event::Interrupt)
    }

    /// Returns true if [`Cpu::pending_interrupt`] returns an interrupt. Called after each change of SR, so it
    /// must be fast: it compares levels and builds no event.
    pub(crate) fn accepts_interrupt(&self) -> bool {
        let level = |request: Option<Interrupt>| request.map_or(0, |request| u32::from(request.level));
        let highest = level(self.requests.line).max(level(self.requests.bus));
        let requested = self.requests.nmi || highest > self.status >> 4 & 15;
        requested && (self.status & sr::BL == 0 || self.asleep)
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

    /// Enters `event` if the settings take exceptions, with the current program counter as SPC; otherwise
    /// stops. A general exception under SR.BL = 1 becomes a manual reset (SH7750 manual 5.4), and so does a
    /// TLB multiple hit. A reset stops the run, because it ends the program.
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
        } else if self.status & sr::BL != 0 && !(self.asleep && event.is_interrupt()) {
            self.reset(Reset::Manual);
        } else {
            return Ok(self.enter(event));
        }
        Err(Stop::Reset { event, pc })
    }

    fn enter(&mut self, event: Event) -> Taken {
        self.asleep = false;
        self.raised_at = self.pc;
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
