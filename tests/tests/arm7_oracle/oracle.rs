//! What the interpreter is compared with: the engine, or the record of its results.

use crate::State;
use std::path::PathBuf;

/// A processor with memory that executes the same instructions.
pub(crate) trait Oracle {
    fn set(&mut self, n: usize, value: u32);
    fn set_cpsr(&mut self, value: u32);
    fn set_spsr(&mut self, value: u32);
    fn write(&mut self, address: u32, bytes: &[u8]);

    /// Executes the instruction at `pc`. Returns false if it cannot be compared.
    fn step(&mut self, pc: u32) -> bool;

    /// Compares the interpreter's state and memory after `opcode` with its own.
    fn check(&mut self, opcode: u32, before: &State, after: &State, memory: &[u8]);
}

/// FNV-1a.
pub(crate) struct Hash(u64);

impl Hash {
    pub(crate) fn new() -> Self {
        Hash(0xCBF2_9CE4_8422_2325)
    }

    pub(crate) fn state(&mut self, state: &State) {
        let registers = state.registers.iter().flatten();
        for word in [state.pc, state.cpsr].iter().chain(registers).chain(&state.spsr) {
            self.bytes(&word.to_le_bytes());
        }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
        }
    }

    /// Returns the hash of all states and of the memory at the end.
    pub(crate) fn finish(mut self, memory: &[u8]) -> u64 {
        self.bytes(memory);
        self.0
    }
}

pub(crate) fn record_path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data/arm7/unicorn.txt"))
}

/// A line for each class: hash, steps of the engine that can be compared as hexadecimal digits of four steps
/// each, and the name.
pub(crate) fn record() -> String {
    std::fs::read_to_string(record_path()).unwrap()
}

/// Writes a line of the record.
#[cfg(feature = "unicorn")]
pub(crate) fn line(name: &str, hash: u64, comparable: &[bool]) -> String {
    let digits = comparable.chunks(4).map(|bits| {
        let digit = (0..).zip(bits).map(|(at, bit)| u32::from(*bit) << at).sum();
        char::from_digit(digit, 16).unwrap()
    });
    format!("{hash:016x} {} {name}\n", digits.collect::<String>())
}

/// The results of the engine for a class.
pub(crate) struct Recorded {
    name: String,
    expected: u64,
    comparable: Vec<bool>,
    steps: usize,
    hash: Hash,
}

impl Recorded {
    /// Reads a line of the record.
    pub(crate) fn parse(class: &str, line: &str) -> Self {
        let mut words = line.splitn(3, ' ');
        let expected = u64::from_str_radix(words.next().unwrap(), 16).unwrap();
        let digits = words.next().unwrap().chars().map(|c| c.to_digit(16).unwrap());
        let comparable = digits.flat_map(|digit| (0..4).map(move |at| digit >> at & 1 != 0));
        assert_eq!(words.next(), Some(class));
        Recorded {
            name: class.to_owned(),
            expected,
            comparable: comparable.collect(),
            steps: 0,
            hash: Hash::new(),
        }
    }

    pub(crate) fn finish(self, memory: &[u8]) {
        assert_eq!(
            self.hash.finish(memory),
            self.expected,
            "{}: results differ from the engine's. The feature `unicorn` shows the first such instruction",
            self.name
        );
    }
}

impl Oracle for Recorded {
    fn set(&mut self, _: usize, _: u32) {}
    fn set_cpsr(&mut self, _: u32) {}
    fn set_spsr(&mut self, _: u32) {}
    fn write(&mut self, _: u32, _: &[u8]) {}

    fn step(&mut self, _: u32) -> bool {
        self.steps += 1;
        self.comparable[self.steps - 1]
    }

    fn check(&mut self, _: u32, _: &State, after: &State, _: &[u8]) {
        self.hash.state(after);
    }
}
