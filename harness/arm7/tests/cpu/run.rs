//! A core with memory, ready to execute a few instructions.

use arm7::cpu::psr::{Psr, mode};
use arm7::cpu::{Bus, Cpu, CpuSettings};

pub(crate) const N: u32 = 1 << 31;
pub(crate) const Z: u32 = 1 << 30;
pub(crate) const C: u32 = 1 << 29;
pub(crate) const V: u32 = 1 << 28;
/// Address of the instructions.
pub(crate) const CODE: u32 = 0x100;

/// 4 KiB of memory, repeated, and the interrupt lines.
#[derive(Clone)]
pub(crate) struct Flat {
    pub(crate) bytes: [u8; 0x1000],
    /// True if the bus reports when it is quiet.
    pub(crate) tells: bool,
    changed: bool,
    pub(crate) fiq: bool,
    pub(crate) irq: bool,
}

impl Flat {
    pub(crate) fn word(&self, address: u32) -> u32 {
        let at = address as usize % 0x1000;
        u32::from_le_bytes(*self.bytes[at..].first_chunk().unwrap())
    }
}

impl Bus for Flat {
    fn read8(&mut self, address: u32) -> u8 {
        self.bytes[address as usize % 0x1000]
    }

    fn read32(&mut self, address: u32) -> u32 {
        assert_eq!(address & 3, 0, "word address");
        self.word(address)
    }

    fn write8(&mut self, address: u32, value: u8) {
        let place = &mut self.bytes[address as usize % 0x1000];
        self.changed |= *place != value;
        *place = value;
    }

    fn write32(&mut self, address: u32, value: u32) {
        assert_eq!(address & 3, 0, "word address");
        let at = address as usize % 0x1000;
        self.changed |= self.word(address) != value;
        self.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    fn fiq(&self) -> bool {
        self.fiq
    }

    fn irq(&self) -> bool {
        self.irq
    }

    fn quiet(&mut self) -> bool {
        self.tells && !std::mem::take(&mut self.changed)
    }
}

/// A core in supervisor mode, ready to execute `code`.
pub(crate) struct Run {
    pub(crate) cpu: Cpu,
    pub(crate) bus: Flat,
}

impl Run {
    pub(crate) fn new(code: &[u32]) -> Self {
        Run::with(CpuSettings::default(), code)
    }

    pub(crate) fn with(settings: CpuSettings, code: &[u32]) -> Self {
        let mut cpu = Cpu::new(settings);
        cpu.reset();
        cpu.set_register(15, CODE);
        let mut bus = Flat {
            bytes: [0; 0x1000],
            tells: false,
            changed: false,
            fiq: false,
            irq: false,
        };
        for (at, opcode) in code.iter().enumerate() {
            bus.write32(CODE + 4 * at as u32, *opcode);
        }
        Run { cpu, bus }
    }

    pub(crate) fn set(mut self, n: usize, value: u32) -> Self {
        self.cpu.set_register(n, value);
        self
    }

    pub(crate) fn memory(mut self, address: u32, words: &[u32]) -> Self {
        for (at, word) in words.iter().enumerate() {
            self.bus.write32(address + 4 * at as u32, *word);
        }
        self
    }

    pub(crate) fn cpsr(mut self, bits: u32) -> Self {
        self.cpu.set_cpsr(Psr::from_bits(bits));
        self
    }

    /// Sets SPSR of the current mode, by MSR SPSR_all, R0.
    pub(crate) fn spsr(mut self, bits: u32) -> Self {
        let (r0, code, pc) = (self.cpu.register(0), self.bus.word(0), self.cpu.register(15));
        self.bus.write32(0, 0xE169_F000);
        self.cpu.set_register(0, bits);
        self.cpu.set_register(15, 0);
        self.cpu.step(&mut self.bus);
        self.bus.write32(0, code);
        self.cpu.set_register(0, r0);
        self.cpu.set_register(15, pc);
        self
    }

    /// Executes one instruction; returns its cycles.
    pub(crate) fn step(&mut self) -> u64 {
        self.cpu.step(&mut self.bus).0
    }

    pub(crate) fn steps(mut self, n: usize) -> Self {
        (0..n).for_each(|_| {
            self.step();
        });
        self
    }

    pub(crate) fn get(&self, n: usize) -> u32 {
        self.cpu.register(n)
    }

    pub(crate) fn flags(&self) -> u32 {
        self.cpu.cpsr().bits() & (N | Z | C | V)
    }
}

pub(crate) const SVC: u32 = mode::SUPERVISOR | Psr::I | Psr::F;
