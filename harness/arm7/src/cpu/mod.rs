//! An interpreter of the ARM7DI (ARMv3): registers, instructions, exceptions and cycles.
//!
//! The definition is the ARM7DI data sheet (ARM DDI 0027D). `decode` names an instruction and its operands;
//! `execute` and
//! `transfer` say what it means. What lies around the core is a [`Bus`].
//!
//! Not modelled: the pipeline's prefetch (a store to one of the next two instructions takes effect at once),
//! aborts (the sound block has none), coprocessors, the 26-bit modes beyond their register banks, the
//! external latency of interrupts.

mod alu;
pub mod decode;
mod decoded;
mod execute;
pub mod psr;
mod registers;
mod transfer;

use decoded::DecodeCache;
use psr::{Psr, mode};
use registers::Registers;

/// What lies around the core. Word addresses are multiples of 4: bits 1 and 0 do not leave the core.
pub trait Bus {
    /// A byte.
    fn read8(&mut self, address: u32) -> u8;

    /// A word.
    fn read32(&mut self, address: u32) -> u32;

    /// Stores a byte.
    fn write8(&mut self, address: u32, value: u8);

    /// Stores a word.
    fn write32(&mut self, address: u32, value: u32);

    /// An opcode.
    fn fetch(&mut self, address: u32) -> u32 {
        self.read32(address)
    }

    /// Whether the FIQ line is active.
    fn fiq(&self) -> bool {
        false
    }

    /// Whether the IRQ line is active.
    fn irq(&self) -> bool {
        false
    }
}

/// Clock cycles of the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cycles(pub u64);

/// What LDM and STM do with an empty register list, which the data sheet leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyList {
    /// R15 is transferred and the base moves by 40h bytes. Evidence: measured on the ARM7TDMI of the Game Boy
    /// Advance (GBATEK, "ARM Opcodes: Memory: Block Data Transfer"). Confidence for the ARM7DI: medium.
    #[default]
    PcAnd64,
    /// Nothing is transferred and the base stays. Evidence: none; the simplest alternative. Confidence: low.
    Nothing,
}

/// What MUL gives when its destination is its first operand (Rd = Rm), which the data sheet forbids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SameRegisterMultiply {
    /// Zero. Evidence: ARM7DI data sheet, "Multiply and multiply-accumulate", which says so. Confidence:
    /// medium. An MLA, whose result that section calls meaningless, gives the product and sum.
    #[default]
    Zero,
    /// The product. Evidence: later cores. Confidence: low.
    Product,
}

/// Doubtful behaviour of the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuSettings {
    /// LDM and STM without registers.
    pub empty_list: EmptyList,
    /// MUL with Rd = Rm.
    pub same_register_multiply: SameRegisterMultiply,
}

/// Exception vectors (data sheet, "Exceptions").
mod vector {
    pub(super) const RESET: u32 = 0x00;
    pub(super) const UNDEFINED: u32 = 0x04;
    pub(super) const SOFTWARE: u32 = 0x08;
    pub(super) const IRQ: u32 = 0x18;
    pub(super) const FIQ: u32 = 0x1C;
}

/// The refill of the pipeline after a change of R15, beside the instruction's own cycles: 1S + 1N.
const REFILL: u32 = 2;

/// The core.
#[derive(Clone, Debug, Default)]
pub struct Cpu {
    registers: Registers,
    settings: CpuSettings,
    decoded: DecodeCache,
}

impl Cpu {
    /// A core after reset.
    pub fn new(settings: CpuSettings) -> Self {
        Cpu {
            settings,
            ..Cpu::default()
        }
    }

    /// Resets the core (data sheet, "Exceptions"): supervisor mode, both interrupts disabled, R15 = 0. Other
    /// registers stay; R14 and SPSR of supervisor mode, which the data sheet calls undefined, take R15 and
    /// CPSR.
    pub fn reset(&mut self) {
        let (pc, cpsr) = (self.registers.r[15], self.registers.cpsr);
        self.registers.set_cpsr(Psr::RESET);
        self.registers.set_spsr(cpsr);
        self.registers.r[14] = pc;
        self.registers.r[15] = vector::RESET;
    }

    /// Register `n`, 0 to 15, as the current mode sees it. R15 is the address of the next instruction.
    pub fn register(&self, n: usize) -> u32 {
        self.registers.r[n & 15]
    }

    /// Sets register `n`, 0 to 15. Bits 1 and 0 of R15 are dropped.
    pub fn set_register(&mut self, n: usize, value: u32) {
        self.registers.r[n & 15] = if n & 15 == 15 { value & !3 } else { value };
    }

    /// CPSR.
    pub fn cpsr(&self) -> Psr {
        self.registers.cpsr
    }

    /// Sets CPSR and with it the register bank.
    pub fn set_cpsr(&mut self, cpsr: Psr) {
        self.registers.set_cpsr(cpsr);
    }

    /// SPSR of the current mode; none in user mode.
    pub fn spsr(&self) -> Option<Psr> {
        self.registers.spsr()
    }

    /// Takes a pending interrupt, or executes one instruction.
    #[inline]
    pub fn step<B: Bus>(&mut self, bus: &mut B) -> Cycles {
        Cycles(self.step_cycles(bus).into())
    }

    /// Steps until `budget` cycles have gone; the last step may exceed them. Gives the cycles that have gone.
    pub fn run<B: Bus>(&mut self, bus: &mut B, budget: Cycles) -> Cycles {
        let mut gone = 0;
        while gone < budget.0 {
            gone += u64::from(self.step_cycles(bus));
        }
        Cycles(gone)
    }

    #[inline]
    fn step_cycles<B: Bus>(&mut self, bus: &mut B) -> u32 {
        if let Some(cycles) = self.interrupt(bus) {
            return cycles;
        }
        let at = self.registers.r[15];
        let instruction = self.decoded.get(at, bus.fetch(at));
        self.registers.r[15] = at.wrapping_add(8);
        let cycles = match instruction.condition.holds(self.registers.cpsr.nzcv()) {
            true => self.execute(instruction.operation, bus),
            false => 1,
        };
        // A change of R15 leaves the target and 4 there.
        self.registers.r[15] = self.registers.r[15].wrapping_sub(4);
        cycles
    }

    /// FIQ before IRQ (data sheet, "Exceptions"), between instructions.
    #[inline]
    fn interrupt<B: Bus>(&mut self, bus: &B) -> Option<u32> {
        let cpsr = self.registers.cpsr;
        let (entered, vector, disables) = match () {
            () if bus.fiq() && !cpsr.fiq_disabled() => (mode::FIQ, vector::FIQ, Psr::I | Psr::F),
            () if bus.irq() && !cpsr.irq_disabled() => (mode::IRQ, vector::IRQ, Psr::I),
            () => return None,
        };
        let link = self.registers.r[15].wrapping_add(4);
        self.enter(entered, disables, link);
        self.registers.r[15] = vector;
        Some(1 + REFILL)
    }

    /// SPSR_mode = CPSR, CPSR = mode with interrupts disabled, R14_mode = link (data sheet, "Exceptions").
    fn enter(&mut self, mode: u32, disables: u32, link: u32) {
        let old = self.registers.cpsr;
        let new = old.with(mode | disables, 0x1F | disables);
        self.registers.set_cpsr(new);
        self.registers.set_spsr(old);
        self.registers.r[14] = link;
    }

    /// An exception that the running instruction takes: R14 is the address of the instruction after it.
    fn trap(&mut self, mode: u32, vector: u32) {
        let link = self.registers.r[15].wrapping_sub(4);
        self.enter(mode, Psr::I, link);
        self.branch(vector);
    }

    /// Goes on at `address` after the running instruction.
    #[inline]
    fn branch(&mut self, address: u32) {
        self.registers.r[15] = (address & !3).wrapping_add(4);
    }

    /// Register `n` within an instruction.
    #[inline]
    fn get(&self, n: u8) -> u32 {
        self.registers.r[usize::from(n & 15)]
    }

    /// Sets register `n` within an instruction; R15 branches. Gives the cycles that this takes beside the
    /// instruction's.
    #[inline]
    fn set(&mut self, n: u8, value: u32) -> u32 {
        if n == 15 {
            self.branch(value);
            return REFILL;
        }
        self.registers.r[usize::from(n & 15)] = value;
        0
    }
}
