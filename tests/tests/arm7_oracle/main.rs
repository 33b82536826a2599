//! Compares the interpreter with the Unicorn engine: single random instructions, and whole kernels.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

mod engine;
mod generate;

use ::arm7::cpu::psr::Psr;
use ::arm7::cpu::{Bus, Cpu, CpuSettings};
use engine::{Engine, MODES};
use generate::{CLASSES, Class, psr_word};
use roms::AICA_ELF;
use sh4_kernels::{Rng, Value};
use verify::arm7::{self, Arm7, KERNELS, Stop, parse};

/// Bytes of memory for single instructions.
const MEMORY: usize = 0x1_0000;
/// Address of the instruction.
const CODE: u32 = 0x1000;
/// Comparable cases for each class.
const CASES: u32 = 20_000;

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

/// Flags, I, F and the mode: the bits of a PSR on ARMv3.
const PSR: u32 = 0xF000_00DF;

/// A register: mostly an address in the middle of memory.
fn word(rng: &mut Rng) -> u32 {
    match rng.below(4) {
        0 => rng.word(),
        1 => rng.below(64),
        _ => 0x4000 + 4 * rng.below(0x2000),
    }
}

/// Sets both sides to the same state, in a random mode.
fn randomize(rng: &mut Rng, cpu: &mut Cpu, engine: &mut Engine) {
    let r0 = psr_word(rng);
    for mode in MODES {
        cpu.set_cpsr(Psr::from_bits(mode));
        engine.set_cpsr(mode);
        for n in 0..15 {
            let value = if n == 0 { r0 } else { word(rng) };
            cpu.set_register(n, value);
            engine.set(n, value);
        }
    }
    let cpsr = psr_word(rng);
    cpu.set_cpsr(Psr::from_bits(cpsr));
    engine.set_cpsr(cpsr);
    cpu.set_register(15, CODE);
}

fn ours(cpu: &Cpu) -> State {
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

fn theirs(engine: &mut Engine) -> State {
    let (pc, cpsr) = (engine.get(15), engine.cpsr());
    let mut state = State {
        pc,
        cpsr: cpsr & PSR,
        registers: [[0; 15]; 6],
        spsr: [0; 6],
    };
    for (at, mode) in MODES.into_iter().enumerate() {
        engine.set_cpsr(mode);
        state.registers[at] = std::array::from_fn(|n| engine.get(n));
        state.spsr[at] = if at == 0 { 0 } else { engine.spsr() & PSR };
    }
    state
}

/// Both sides with the same memory.
struct Pair {
    cpu: Cpu,
    flat: Flat,
    engine: Engine,
}

impl Pair {
    fn new(rng: &mut Rng) -> Self {
        let bytes: Vec<u8> = (0..MEMORY).map(|_| rng.word() as u8).collect();
        let mut engine = Engine::new(MEMORY);
        engine.write(0, &bytes);
        let flat = Flat {
            bytes,
            outside: false,
        };
        let cpu = Cpu::new(CpuSettings::default());
        Pair { cpu, flat, engine }
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
            self.engine.set_cpsr(*mode);
            self.engine.set_spsr(value);
        }
    }

    /// Runs one instruction on both sides. Returns false if it cannot be compared.
    fn case(&mut self, rng: &mut Rng, opcode: u32) -> bool {
        self.spsr(rng);
        randomize(rng, &mut self.cpu, &mut self.engine);
        let in_user = self.cpu.spsr().is_none();
        let reads_spsr = opcode & 0x0FBF_0FFF == 0x010F_0000 || opcode & 0x0FB0_FFF0 == 0x0120_F000;
        if in_user && reads_spsr && opcode >> 22 & 1 != 0 {
            return false;
        }
        self.flat.write32(CODE, opcode);
        self.engine.write(CODE, &opcode.to_le_bytes());
        let before = ours(&self.cpu);
        self.flat.outside = false;
        self.cpu.step(&mut self.flat);
        let comparable = self.engine.step(CODE) && !self.flat.outside;
        if !comparable {
            self.engine.write(0, &self.flat.bytes);
            return false;
        }
        let (ours, theirs) = (ours(&self.cpu), theirs(&mut self.engine));
        assert!(
            ours == theirs,
            "{opcode:08x} {}: before {before:x?}\nours {ours:x?}\ntheirs {theirs:x?}",
            arm7::disassemble(opcode)
        );
        let memory = self.engine.memory(MEMORY);
        assert!(memory == self.flat.bytes, "{opcode:08x}: memory differs");
        true
    }
}

fn class((name, generate): Class, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut pair = Pair::new(&mut rng);
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
}

#[test]
fn random_instructions_have_the_engines_results() {
    for (seed, of) in CLASSES.into_iter().enumerate() {
        class(of, seed as u64 + 1);
    }
}

/// Bytes of the machine for programs.
const RAM: usize = 2 << 20;
/// Return address of a kernel, and the top of its stack.
const RETURN: u32 = 0x001F_F000;
/// Address of the buffers.
const BUFFERS: u32 = 0x0001_0000;

/// Places a case: bytes with their addresses, and the argument words.
fn place(case: &[Value]) -> (Vec<(u32, Vec<u8>)>, Vec<u32>) {
    let (mut buffers, mut passed, mut next) = (Vec::new(), Vec::new(), BUFFERS);
    for value in case {
        let bytes: Vec<u8> = match value {
            Value::Value(word) => {
                passed.push(*word);
                continue;
            }
            Value::Words(words) | Value::WordsMut(words) => {
                words.iter().flat_map(|w| w.to_le_bytes()).collect()
            }
            Value::Halfwords(halves) => halves.iter().flat_map(|h| h.to_le_bytes()).collect(),
            other => panic!("{other:?} is no argument of an ARM7 kernel"),
        };
        passed.push(next);
        let end = next + bytes.len() as u32;
        buffers.push((next, bytes));
        next = end.next_multiple_of(32);
    }
    (buffers, passed)
}

/// Both sides with the ROM and a kernel's arguments.
fn prepared(case: &[Value]) -> (Arm7, Engine) {
    let image = parse(AICA_ELF).unwrap();
    let segments: Vec<(u32, Vec<u8>)> = image
        .segments
        .iter()
        .map(|s| (s.address, s.bytes.clone()))
        .collect();
    let (mut arm7, mut engine) = (Arm7::new(image).unwrap(), Engine::new(RAM));
    let (buffers, passed) = place(case);
    let stack: Vec<u8> = passed
        .iter()
        .skip(4)
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let sp = (RETURN - stack.len() as u32) & !7;
    for (address, bytes) in segments.into_iter().chain(buffers).chain([(sp, stack)]) {
        arm7.write(address, &bytes).unwrap();
        engine.write(address, &bytes);
    }
    for n in 0..13 {
        let word = passed.get(n).filter(|_| n < 4).copied();
        arm7.set_register(n as u32, word.unwrap_or(0x5A5A_0000 | n as u32));
    }
    arm7.set_register(13, sp);
    arm7.set_register(14, RETURN);
    (arm7, engine)
}

fn copy_registers(arm7: &Arm7, engine: &mut Engine) {
    engine.set_cpsr(arm7.cpsr().bits());
    (0..15).for_each(|n| engine.set(n, arm7.register(n as u32)));
}

/// Counts of the steps on both sides.
#[derive(Default)]
struct Steps {
    compared: u64,
    /// Transfers at unaligned addresses, which the engine executes differently.
    skipped: u64,
}

/// Runs `entry` on both sides. Compares registers after every instruction, and all memory at the end.
fn kernel(entry: u32, case: &[Value], steps: &mut Steps) {
    let (mut arm7, mut engine) = prepared(case);
    copy_registers(&arm7, &mut engine);
    arm7.set_register(15, entry);
    while arm7.register(15) != RETURN {
        let pc = arm7.register(15);
        let halt = arm7.run(pc, RETURN, 1, false);
        assert!(matches!(halt.stop, Stop::Until | Stop::Limit), "{halt}");
        if !engine.step(pc) {
            copy_registers(&arm7, &mut engine);
            engine.write(0, arm7.read(0, RAM as u32).unwrap());
            steps.skipped += 1;
            continue;
        }
        for n in 0..16 {
            assert_eq!(arm7.register(n as u32), engine.get(n), "r{n} after {pc:08x}");
        }
        assert_eq!(arm7.cpsr().bits(), engine.cpsr() & PSR, "after {pc:08x}");
        steps.compared += 1;
    }
    assert!(
        arm7.read(0, RAM as u32).unwrap() == engine.memory(RAM),
        "memory differs"
    );
}

#[test]
fn kernels_have_the_engines_results() {
    let image = parse(AICA_ELF).unwrap();
    for of in KERNELS {
        let entry = image.symbols.address(of.symbol).unwrap();
        let mut steps = Steps::default();
        for seed in 0..50 {
            kernel(entry, &(of.generate)(&mut Rng::new(seed)).0, &mut steps);
        }
        let Steps { compared, skipped } = steps;
        assert!(
            compared > 500 && skipped < compared,
            "{}: {compared}, {skipped}",
            of.name
        );
        println!(
            "{}: 50 cases, {compared} instructions compared, {skipped} unaligned",
            of.name
        );
    }
}
