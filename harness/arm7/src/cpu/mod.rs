//! An interpreter of the ARM7DI (ARMv3): registers, instructions, exceptions and cycles.
//!
//! The definition is the ARM7DI data sheet (ARM DDI 0027D). `decode` names an instruction and its operands;
//! `execute` and `transfer` say what it means. What lies around the core is a [`Bus`].
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
mod waiting;

use decoded::DecodeCache;
use psr::{Psr, mode};
use registers::Registers;
use waiting::Round;

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

    /// Whether all accesses since the last call would give and leave the same if they were made again at
    /// once. A bus that says so lets [`Cpu::run`] skip rounds of waiting loops.
    fn quiet(&mut self) -> bool {
        false
    }
}

/// Clock cycles of the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cycles(pub u64);

settings::settings! {
    /// Doubtful behaviour of the core.
    pub struct CpuSettings;

    choices:
    /// The effect of LDM and STM with an empty register list on the ARM7. The data sheet leaves it open.
    EmptyList empty_list: Medium,
        "measured on the ARM7TDMI of the Game Boy Advance (GBATEK, \"ARM Opcodes: Memory: Block Data \
        Transfer\")" {
        /// R15 is transferred and the base moves by 40h bytes.
        PcAnd64 = "pc_and_64",
        /// No register is transferred and the base stays.
        Nothing = "nothing",
    }

    /// The result of MUL on the ARM7 when its destination is its first operand (Rd = Rm), which the data
    /// sheet forbids.
    SameRegisterMultiply same_register_multiply: Medium,
        "ARM7DI data sheet, \"Multiply and multiply-accumulate\"" {
        /// Zero. An MLA, whose result the data sheet calls meaningless, gives the product and sum.
        Zero = "zero",
        /// The product, as on later cores.
        Product = "product",
    }
}

/// Exception vectors (data sheet, "Exceptions").
mod vector {
    pub(super) const RESET: u32 = 0x00;
    pub(super) const UNDEFINED: u32 = 0x04;
    pub(super) const SOFTWARE: u32 = 0x08;
    pub(super) const IRQ: u32 = 0x18;
    pub(super) const FIQ: u32 = 0x1C;
}

/// The refill of the pipeline after a change of R15, beside the instruction's own cycles: 1S + 1N. The bits
/// above [`CYCLES`] tell that R15 changed: without a change the next address needs no look at R15.
const REFILL: u32 = 2 + (CYCLES + 1);
/// The bits of an instruction's cost that are cycles.
const CYCLES: u32 = 0xFFFF;

/// The core, with its decoded instructions.
#[derive(Clone, Debug, Default)]
pub struct Cpu {
    core: Core,
    decoded: DecodeCache,
}

/// What instructions work on.
#[derive(Clone, Debug, Default)]
struct Core {
    registers: Registers,
    settings: CpuSettings,
}

impl Cpu {
    /// A core after reset.
    pub fn new(settings: CpuSettings) -> Self {
        Cpu {
            core: Core {
                settings,
                ..Core::default()
            },
            ..Cpu::default()
        }
    }

    /// Resets the core (data sheet, "Exceptions"): supervisor mode, both interrupts disabled, R15 = 0. Other
    /// registers stay; R14 and SPSR of supervisor mode, which the data sheet calls undefined, take R15 and
    /// CPSR.
    pub fn reset(&mut self) {
        let (pc, cpsr) = (self.core.registers.r[15], self.core.registers.cpsr);
        self.core.registers.set_cpsr(Psr::RESET);
        self.core.registers.set_spsr(cpsr);
        self.core.registers.r[14] = pc;
        self.core.registers.r[15] = vector::RESET;
    }

    /// Register `n`, 0 to 15, as the current mode sees it. R15 is the address of the next instruction.
    pub fn register(&self, n: usize) -> u32 {
        self.core.registers.r[n & 15]
    }

    /// Sets register `n`, 0 to 15. Bits 1 and 0 of R15 are dropped.
    pub fn set_register(&mut self, n: usize, value: u32) {
        self.core.registers.r[n & 15] = if n & 15 == 15 { value & !3 } else { value };
    }

    /// CPSR.
    pub fn cpsr(&self) -> Psr {
        self.core.registers.cpsr
    }

    /// Sets CPSR and with it the register bank.
    pub fn set_cpsr(&mut self, cpsr: Psr) {
        self.core.registers.set_cpsr(cpsr);
    }

    /// SPSR of the current mode; none in user mode.
    pub fn spsr(&self) -> Option<Psr> {
        self.core.registers.spsr()
    }

    /// Takes a pending interrupt, or executes one instruction.
    #[inline]
    pub fn step<B: Bus>(&mut self, bus: &mut B) -> Cycles {
        let mut pc = self.core.registers.r[15];
        let cycles = self.step_at(&mut pc, bus);
        self.core.registers.r[15] = pc;
        Cycles(cycles.into())
    }

    /// Steps until `budget` cycles have gone; the last step may exceed them. Gives the cycles that have gone.
    pub fn run<B: Bus>(&mut self, bus: &mut B, budget: Cycles) -> Cycles {
        let mut pc = self.core.registers.r[15];
        let mut gone = 0;
        let mut last = Round::default();
        while gone < budget.0 {
            let before = pc;
            gone += u64::from(self.step_at(&mut pc, bus));
            if pc <= before {
                let round = Round::of(&self.core, pc, gone);
                gone += round.skip(&last, budget.0, bus.quiet());
                last = round;
            }
        }
        self.core.registers.r[15] = pc;
        Cycles(gone)
    }

    /// One step at `pc`, which takes the address of the next; R15 is stale afterwards.
    #[inline(always)]
    fn step_at<B: Bus>(&mut self, pc: &mut u32, bus: &mut B) -> u32 {
        if let Some(cycles) = self.core.interrupt(pc, bus) {
            return cycles;
        }
        let instruction = self.decoded.get(*pc, bus.fetch(*pc));
        if !instruction.condition.holds(self.core.registers.cpsr.nzcv()) {
            *pc = pc.wrapping_add(4);
            return 1;
        }
        self.core.registers.r[15] = pc.wrapping_add(8);
        let cost = self.core.execute(&instruction.operation, bus);
        *pc = match cost > CYCLES {
            true => self.core.registers.r[15],
            false => pc.wrapping_add(4),
        };
        cost & CYCLES
    }
}

impl Core {
    /// FIQ before IRQ (data sheet, "Exceptions"), between instructions. R14 is the next address and 4.
    #[inline(always)]
    fn interrupt<B: Bus>(&mut self, pc: &mut u32, bus: &B) -> Option<u32> {
        let cpsr = self.registers.cpsr;
        let (entered, vector, disables) = match () {
            () if bus.fiq() && !cpsr.fiq_disabled() => (mode::FIQ, vector::FIQ, Psr::I | Psr::F),
            () if bus.irq() && !cpsr.irq_disabled() => (mode::IRQ, vector::IRQ, Psr::I),
            () => return None,
        };
        self.enter(entered, disables, pc.wrapping_add(4));
        *pc = vector;
        Some((1 + REFILL) & CYCLES)
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
        self.registers.r[15] = address & !3;
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
