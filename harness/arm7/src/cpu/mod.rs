//! Interpreter of the ARM7DI (ARMv3): registers, instructions, exceptions and cycles.
//!
//! The ARM7DI data sheet (ARM DDI 0027D) defines the behaviour. `decode` names an instruction and its
//! operands; `execute` and `transfer` perform it. A [`Bus`] connects the core to memory and devices.
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

/// Memory and devices around the core. Word addresses are multiples of 4: the core does not output bits 1 and
/// 0.
pub trait Bus {
    /// Reads a byte.
    fn read8(&mut self, address: u32) -> u8;

    /// Reads a word.
    fn read32(&mut self, address: u32) -> u32;

    /// Stores a byte.
    fn write8(&mut self, address: u32, value: u8);

    /// Stores a word.
    fn write32(&mut self, address: u32, value: u32);

    /// Fetches an opcode.
    fn fetch(&mut self, address: u32) -> u32 {
        self.read32(address)
    }

    /// True if the FIQ line is active.
    fn fiq(&self) -> bool {
        false
    }

    /// True if the IRQ line is active.
    fn irq(&self) -> bool {
        false
    }

    /// True if an immediate repetition of all accesses since the last call would have the same results and no
    /// further effects. [`Cpu::run`] can then skip iterations of waiting loops.
    fn quiet(&mut self) -> bool {
        false
    }
}

/// Clock cycles of the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cycles(pub u64);

state::fields!(Cycles(cycles));

settings::settings! {
    /// Settings for uncertain behaviour of the core.
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
        /// MUL gives zero. MLA gives the product plus its addend; the data sheet calls this result
        /// meaningless.
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

/// Cost of refilling the pipeline after a change of R15, in addition to the instruction's own cycles: 1S +
/// 1N. A bit above [`CYCLES`] signals the change. If it is 0, the next instruction follows in memory.
const REFILL: u32 = 2 + (CYCLES + 1);
/// Bits of an instruction's cost that are cycles.
const CYCLES: u32 = 0xFFFF;

/// The core, with its cache of decoded instructions.
#[derive(Clone, Debug, Default)]
pub struct Cpu {
    core: Core,
    decoded: DecodeCache,
    waited: u64,
}

state::fields!(Cpu { core } keep { decoded, waited });

/// State that instructions access.
#[derive(Clone, Debug, Default)]
struct Core {
    registers: Registers,
    settings: CpuSettings,
    /// Address of the first instruction that took the undefined instruction trap.
    undefined: Option<u32>,
}

state::fields!(Core { registers } keep { settings, undefined });

impl Cpu {
    /// Creates a core after reset.
    pub fn new(settings: CpuSettings) -> Self {
        Cpu {
            core: Core {
                settings,
                ..Core::default()
            },
            ..Cpu::default()
        }
    }

    /// Resets the core (data sheet, "Exceptions"): supervisor mode, both interrupts disabled, R15 = 0. R14
    /// and SPSR of supervisor mode, which the data sheet calls undefined, receive R15 and CPSR. Other
    /// registers do not change.
    pub fn reset(&mut self) {
        let (pc, cpsr) = (self.core.registers.r[15], self.core.registers.cpsr);
        self.core.registers.set_cpsr(Psr::RESET);
        self.core.registers.set_spsr(cpsr);
        self.core.registers.r[14] = pc;
        self.core.registers.r[15] = vector::RESET;
    }

    /// Value of register `n`, 0 to 15, in the current mode. R15 is the address of the next instruction.
    pub fn register(&self, n: usize) -> u32 {
        self.core.registers.r[n & 15]
    }

    /// Sets register `n`, 0 to 15. Bits 1 and 0 of R15 are dropped.
    pub fn set_register(&mut self, n: usize, value: u32) {
        self.core.registers.r[n & 15] = if n & 15 == 15 { value & !3 } else { value };
    }

    /// Value of CPSR.
    pub fn cpsr(&self) -> Psr {
        self.core.registers.cpsr
    }

    /// Sets CPSR and switches to the registers of its mode.
    pub fn set_cpsr(&mut self, cpsr: Psr) {
        self.core.registers.set_cpsr(cpsr);
    }

    /// SPSR of the current mode; `None` in user mode.
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

    /// Cycles of [`Self::run`] in iterations of loops that left registers and memory unchanged. A saved state
    /// does not have them.
    pub fn waited(&self) -> Cycles {
        Cycles(self.waited)
    }

    /// Address of the first instruction that took the undefined instruction trap. A saved state does not have
    /// it.
    pub fn first_undefined(&self) -> Option<u32> {
        self.core.undefined
    }

    /// Executes steps until `budget` cycles have passed; the last step may exceed it. Returns the cycles that
    /// have passed.
    pub fn run<B: Bus>(&mut self, bus: &mut B, budget: Cycles) -> Cycles {
        let mut pc = self.core.registers.r[15];
        let mut gone = 0;
        let mut last = Round::default();
        while gone < budget.0 {
            let before = pc;
            gone += u64::from(self.step_at(&mut pc, bus));
            if pc <= before {
                let mut round = Round::of(&self.core, pc, gone);
                if let Some(cycles) = round.repeats(&last, bus.quiet()) {
                    let skipped = budget.0.saturating_sub(gone) / cycles * cycles;
                    gone += skipped;
                    round.skip(skipped);
                    self.waited += cycles + skipped;
                }
                last = round;
            }
        }
        self.core.registers.r[15] = pc;
        Cycles(gone)
    }

    /// Executes one step at `pc` and stores the next address there; R15 is stale afterwards.
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
    /// Takes FIQ before IRQ (data sheet, "Exceptions"), between instructions. R14 is the next address plus 4.
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

    /// Takes an exception in the current instruction: R14 is the address of the instruction after it.
    fn trap(&mut self, mode: u32, vector: u32) {
        let link = self.registers.r[15].wrapping_sub(4);
        self.enter(mode, Psr::I, link);
        self.branch(vector);
    }

    /// Continues at `address` after the current instruction.
    #[inline]
    fn branch(&mut self, address: u32) {
        self.registers.r[15] = address & !3;
    }

    /// Value of register `n` within an instruction.
    #[inline]
    fn get(&self, n: u8) -> u32 {
        self.registers.r[usize::from(n & 15)]
    }

    /// Sets register `n` within an instruction; R15 branches. Returns the additional cycles.
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
