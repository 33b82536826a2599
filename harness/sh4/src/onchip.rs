//! The on-chip registers that belong to the CPU itself, at their P4 addresses.
//!
//! The CPU first accesses the bus, so that ordinary accesses need no extra check. If the bus leaves an
//! address unmapped, this module handles the access. Cache control, QACR and all peripherals belong to the
//! bus.

use crate::Direction;
use crate::counters::{Counter, EVENT_INSTRUCTIONS};
use crate::mmu::TlbArray;
use crate::stop::{Exit, FaultKind};
use crate::{Bus, BusError, Cpu, MmuRegister, TlbException};

/// Value of PVR (FF000030), the chip identification, on the console's SH7091. It has no PRR.
const PVR: u32 = 0x0402_05C1;

/// A register and the size of its accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Register {
    Mmu(MmuRegister),
    Tlb(TlbArray, u32),
    Tra,
    Expevt,
    Intevt,
    Pvr,
    Basr(bool),
    Bar(bool),
    Bamr(bool),
    Bbr(bool),
    Bdrb,
    Bdmrb,
    Brcr,
    Pmcr(usize),
    PmctrHigh(usize),
    PmctrLow(usize),
}

/// The register at `address` and its size in bytes. The SH7750 manual's appendix A; PVR and the performance
/// counters as KallistiOS uses them.
fn register(address: u32) -> Option<(Register, u8)> {
    Some(match address {
        0xFF00_0000 => (Register::Mmu(MmuRegister::Pteh), 4),
        0xFF00_0004 => (Register::Mmu(MmuRegister::Ptel), 4),
        0xFF00_0008 => (Register::Mmu(MmuRegister::Ttb), 4),
        0xFF00_000C => (Register::Mmu(MmuRegister::Tea), 4),
        0xFF00_0010 => (Register::Mmu(MmuRegister::Mmucr), 4),
        0xFF00_0014 => (Register::Basr(false), 1),
        0xFF00_0018 => (Register::Basr(true), 1),
        0xFF00_0020 => (Register::Tra, 4),
        0xFF00_0024 => (Register::Expevt, 4),
        0xFF00_0028 => (Register::Intevt, 4),
        0xFF00_0030 => (Register::Pvr, 4),
        0xFF00_0034 => (Register::Mmu(MmuRegister::Ptea), 4),
        0xFF00_0084 => (Register::Pmcr(0), 2),
        0xFF00_0088 => (Register::Pmcr(1), 2),
        0xFF10_0004 => (Register::PmctrHigh(0), 4),
        0xFF10_0008 => (Register::PmctrLow(0), 4),
        0xFF10_000C => (Register::PmctrHigh(1), 4),
        0xFF10_0010 => (Register::PmctrLow(1), 4),
        0xFF20_0000 => (Register::Bar(false), 4),
        0xFF20_0004 => (Register::Bamr(false), 1),
        0xFF20_0008 => (Register::Bbr(false), 2),
        0xFF20_000C => (Register::Bar(true), 4),
        0xFF20_0010 => (Register::Bamr(true), 1),
        0xFF20_0014 => (Register::Bbr(true), 2),
        0xFF20_0018 => (Register::Bdrb, 4),
        0xFF20_001C => (Register::Bdmrb, 4),
        0xFF20_0020 => (Register::Brcr, 2),
        _ => (Register::Tlb(TlbArray::at(address)?, address), 4),
    })
}

/// The bits of INTEVT and EXPEVT that can be written.
const CODE_MASK: u32 = 0xFFF;

impl Cpu {
    /// Reads a register after the bus refused the read with `error`.
    #[cold]
    #[inline(never)]
    pub(crate) fn read_own<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        size: u8,
        error: BusError,
    ) -> Result<u64, Exit> {
        match self.own(address, size, error) {
            Ok(register) => Ok(self.read_register(bus, register).into()),
            Err(error) => Err(refused(Direction::Read, address, error)),
        }
    }

    /// Writes a register after the bus refused the write with `error`. The CPU leaves the block after the
    /// instruction, because the write may have enabled breaks and interrupts.
    #[cold]
    #[inline(never)]
    pub(crate) fn write_own<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        size: u8,
        value: u64,
        error: BusError,
    ) -> Result<(), Exit> {
        let register = self
            .own(address, size, error)
            .map_err(|error| refused(Direction::Write, address, error))?;
        if let Register::Tlb(array, address) = register {
            let written = self.mmu.write_array(array, address, value as u32);
            written.map_err(|exception| multiple_hit(exception, address))?;
        }
        self.write_register(bus, register, value as u32);
        self.epoch = u64::MAX;
        self.refresh_key();
        Ok(())
    }

    /// For compiled code: reads `size` bytes of one of the CPU's own registers, at an address that the bus
    /// leaves unmapped. Returns `None` for registers that a clock changes.
    #[must_use]
    pub fn own_register(&self, address: u32, size: u8) -> Option<u32> {
        match self.own(address, size, BusError::Unmapped).ok()? {
            Register::Mmu(register) => Some(self.mmu.register(register)),
            Register::Tra => Some(self.tra),
            Register::Expevt => Some(self.expevt),
            Register::Intevt => Some(self.intevt),
            _ => None,
        }
    }

    /// Writes one of the CPU's own registers, for a debugger, after the bus has refused the write with
    /// `error`; false if there is no such register of this size.
    pub fn write_own_register<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        size: u8,
        value: u32,
        error: BusError,
    ) -> bool {
        self.write_own(bus, address, size, value.into(), error).is_ok()
    }

    fn own(&self, address: u32, size: u8, error: BusError) -> Result<Register, BusError> {
        match register(address) {
            Some((register, width)) if error == BusError::Unmapped => {
                (width == size).then_some(register).ok_or(BusError::Refused)
            }
            _ => Err(error),
        }
    }

    fn read_register<B: Bus>(&mut self, bus: &mut B, register: Register) -> u32 {
        let channel = |second| if second { self.ubc.b } else { self.ubc.a };
        match register {
            Register::Mmu(register) => self.mmu.register(register),
            Register::Tlb(array, address) => self.mmu.read_array(array, address),
            Register::Tra => self.tra,
            Register::Expevt => self.expevt,
            Register::Intevt => self.intevt,
            Register::Pvr => PVR,
            Register::Basr(second) => channel(second).asid.into(),
            Register::Bar(second) => channel(second).address,
            Register::Bamr(second) => channel(second).mask.into(),
            Register::Bbr(second) => channel(second).cycle.into(),
            Register::Bdrb => self.ubc.data,
            Register::Bdmrb => self.ubc.data_mask,
            Register::Brcr => self.ubc.control.into(),
            Register::Pmcr(index) => self.counters[index].control().into(),
            Register::PmctrHigh(index) => (self.count(bus, index) >> 32) as u32,
            Register::PmctrLow(index) => self.count(bus, index) as u32,
        }
    }

    fn write_register<B: Bus>(&mut self, bus: &mut B, register: Register, value: u32) {
        match register {
            Register::Mmu(register) => self.mmu.write(register, value),
            Register::Tra => self.tra = value & 0x3FC,
            Register::Expevt => self.expevt = value & CODE_MASK,
            Register::Intevt => self.intevt = value & CODE_MASK,
            Register::Bdrb => self.ubc.data = value,
            Register::Bdmrb => self.ubc.data_mask = value,
            Register::Brcr => self.ubc.set_control(value as u16),
            Register::Pmcr(index) => self.control_counter(bus, index, value as u16),
            Register::Basr(second) => self.channel(second).asid = value as u8,
            Register::Bar(second) => self.channel(second).address = value,
            Register::Bamr(second) => self.channel(second).mask = value as u8 & 15,
            Register::Bbr(second) => self.channel(second).cycle = value as u16 & 0x7F,
            // The caller has already written the arrays. PVR and the counts are read-only and ignore writes.
            Register::Tlb(..) | Register::Pvr | Register::PmctrHigh(_) | Register::PmctrLow(_) => {}
        }
    }

    fn channel(&mut self, second: bool) -> &mut crate::ubc::Channel {
        if second { &mut self.ubc.b } else { &mut self.ubc.a }
    }

    /// A performance counter's 48 bits.
    fn count<B: Bus>(&mut self, bus: &mut B, index: usize) -> u64 {
        let counter = self.counters[index];
        counter.value(self.source(bus, counter.event()))
    }

    fn control_counter<B: Bus>(&mut self, bus: &mut B, index: usize, value: u16) {
        let mut next = Counter::default();
        next.set_control(value, 0, 0);
        let before = self.source(bus, self.counters[index].event());
        let now = self.source(bus, next.event());
        self.counters[index].set_control(value, before, now);
    }

    /// The count of `event` from its source. Without a source it returns 0 and records the event.
    fn source<B: Bus>(&mut self, bus: &mut B, event: u8) -> u64 {
        match bus.performance_count(event) {
            Some(count) => count,
            None if event == EVENT_INSTRUCTIONS => self.retired,
            None => {
                self.uncounted |= 1 << (event & 63);
                0
            }
        }
    }

    /// The performance events that the program has read and that have no source: bit n is event n. They read
    /// 0.
    #[must_use]
    pub fn uncounted_events(&self) -> u64 {
        self.uncounted & !1
    }
}

/// The exit for an associative write that two TLB entries match.
#[cold]
fn multiple_hit(exception: TlbException, address: u32) -> Exit {
    let direction = Direction::Write;
    Exit::Fault(FaultKind::Tlb { exception, direction }, Some(address))
}

/// The exit for an access that the bus refuses.
#[cold]
pub(crate) fn refused(direction: Direction, address: u32, error: BusError) -> Exit {
    Exit::Fault(FaultKind::Bus { direction, error }, Some(address))
}
