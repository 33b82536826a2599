//! Compares the interpreter with the Unicorn engine: single random instructions, and whole kernels.
//!
//! `tests/data/arm7/unicorn.txt` records the engine's results for the instructions, because the engine takes
//! minutes to build. The feature `unicorn` runs the engine itself. It checks that the record is current, and
//! `SWIRL_WRITE_RECORD=1` writes it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

#[cfg(feature = "unicorn")]
mod engine;
mod generate;
#[cfg(feature = "unicorn")]
mod kernels;
mod oracle;

use arm7::cpu::psr::Psr;
use arm7::cpu::{Bus, Cpu, CpuSettings};
use generate::{CLASSES, Class, MODES, psr_word};
use oracle::Oracle;
use sh4_kernels::Rng;

/// Bytes of memory for single instructions.
const MEMORY: usize = 0x1_0000;
/// Address of the instruction.
const CODE: u32 = 0x1000;
/// Comparable cases for each class.
const CASES: u32 = 10_000;

/// Memory without an end: it records accesses beyond its size, and the test does not compare such a case.
struct Flat {
    bytes: Vec<u8>,
    outside: bool,
}

impl Flat {
    fn at(&mut self, address: u32) -> usize {
        self.outside |= address as usize >= MEMORY;
        address as usize % MEMORY
    }
}

impl Bus for Flat {
    fn read8(&mut self, address: u32) -> u8 {
        let at = self.at(address);
        self.bytes[at]
    }

    fn read32(&mut self, address: u32) -> u32 {
        let at = self.at(address);
        u32::from_le_bytes(*self.bytes[at..].first_chunk().unwrap())
    }

    fn write8(&mut self, address: u32, value: u8) {
        let at = self.at(address);
        self.bytes[at] = value;
    }

    fn write32(&mut self, address: u32, value: u32) {
        let at = self.at(address);
        self.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
}

/// Registers of all modes, in the form that both sides accept.
#[derive(Debug, PartialEq, Eq)]
struct State {
    pc: u32,
    cpsr: u32,
    /// R0 to R14 of each mode.
    registers: [[u32; 15]; 6],
    spsr: [u32; 6],
}

/// A register: mostly an address in the middle of memory.
fn word(rng: &mut Rng) -> u32 {
    match rng.below(4) {
        0 => rng.word(),
        1 => rng.below(64),
        _ => 0x4000 + 4 * rng.below(0x2000),
    }
}

/// Sets both sides to the same state, in a random mode.
fn randomize(rng: &mut Rng, cpu: &mut Cpu, oracle: &mut impl Oracle) {
    let r0 = psr_word(rng);
    for mode in MODES {
        cpu.set_cpsr(Psr::from_bits(mode));
        oracle.set_cpsr(mode);
        for n in 0..15 {
            let value = if n == 0 { r0 } else { word(rng) };
            cpu.set_register(n, value);
            oracle.set(n, value);
        }
    }
    let cpsr = psr_word(rng);
    cpu.set_cpsr(Psr::from_bits(cpsr));
    oracle.set_cpsr(cpsr);
    cpu.set_register(15, CODE);
}

/// Returns the state of the interpreter.
fn state(cpu: &Cpu) -> State {
    let mut cpu = cpu.clone();
    let (pc, cpsr) = (cpu.register(15), cpu.cpsr().bits());
    let mut state = State {
        pc,
        cpsr,
        registers: [[0; 15]; 6],
        spsr: [0; 6],
    };
    for (at, mode) in MODES.into_iter().enumerate() {
        cpu.set_cpsr(Psr::from_bits(mode));
        state.registers[at] = std::array::from_fn(|n| cpu.register(n));
        state.spsr[at] = cpu.spsr().map_or(0, Psr::bits);
    }
    state
}

/// The interpreter and an oracle, with the same memory.
struct Pair<O> {
    cpu: Cpu,
    flat: Flat,
    oracle: O,
}

impl<O: Oracle> Pair<O> {
    fn new(rng: &mut Rng, mut oracle: O) -> Self {
        let bytes: Vec<u8> = (0..MEMORY).map(|_| rng.word() as u8).collect();
        oracle.write(0, &bytes);
        let flat = Flat {
            bytes,
            outside: false,
        };
        let cpu = Cpu::new(CpuSettings::default());
        Pair { cpu, flat, oracle }
    }

    /// Sets the same SPSRs on both sides: the values of the last case, or new ones.
    fn spsr(&mut self, rng: &mut Rng) {
        for mode in &MODES[1..] {
            let value = psr_word(rng);
            // MSR SPSR_all, R0 in each mode.
            self.cpu.set_cpsr(Psr::from_bits(*mode));
            self.cpu.set_register(0, value);
            self.cpu.set_register(15, CODE);
            self.flat.write32(CODE, 0xE169_F000);
            self.cpu.step(&mut self.flat);
            self.oracle.set_cpsr(*mode);
            self.oracle.set_spsr(value);
        }
    }

    /// Runs one instruction on both sides. Returns false if it cannot be compared.
    fn case(&mut self, rng: &mut Rng, opcode: u32) -> bool {
        self.spsr(rng);
        randomize(rng, &mut self.cpu, &mut self.oracle);
        let in_user = self.cpu.spsr().is_none();
        let reads_spsr = opcode & 0x0FBF_0FFF == 0x010F_0000 || opcode & 0x0FB0_FFF0 == 0x0120_F000;
        if in_user && reads_spsr && opcode >> 22 & 1 != 0 {
            return false;
        }
        self.flat.write32(CODE, opcode);
        self.oracle.write(CODE, &opcode.to_le_bytes());
        let before = state(&self.cpu);
        self.flat.outside = false;
        self.cpu.step(&mut self.flat);
        let comparable = self.oracle.step(CODE) && !self.flat.outside;
        if !comparable {
            self.oracle.write(0, &self.flat.bytes);
            return false;
        }
        self.oracle
            .check(opcode, &before, &state(&self.cpu), &self.flat.bytes);
        true
    }
}

/// Runs the cases of a class and returns the oracle and the memory.
fn run<O: Oracle>((name, generate): Class, seed: u64, oracle: O) -> (O, Vec<u8>) {
    let mut rng = Rng::new(seed);
    let mut pair = Pair::new(&mut rng, oracle);
    let (mut compared, mut tried) = (0, 0);
    while compared < CASES {
        let opcode = generate(&mut rng);
        compared += u32::from(pair.case(&mut rng, opcode));
        tried += 1;
        assert!(
            tried < 20 * CASES,
            "{name}: only {compared} of {tried} were comparable"
        );
    }
    println!("{name}: {compared} of {tried} instructions compared");
    (pair.oracle, pair.flat.bytes)
}

#[test]
fn random_instructions_have_the_recorded_results() {
    let record = oracle::record();
    assert_eq!(record.lines().count(), CLASSES.len());
    for ((seed, of), line) in (1..).zip(CLASSES).zip(record.lines()) {
        let (recorded, memory) = run(of, seed, oracle::Recorded::parse(of.0, line));
        recorded.finish(&memory);
    }
}
