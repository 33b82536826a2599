//! The machine for one program: the CPU core and the sound block's memory.

use std::fmt;

use machine::{Image, MemoryError, Symbols};

use super::memory::{Memory, in_ram};
use super::sound_registers::SoundRegisters;
use super::stop::Stop;
use arm7::armv3::{self, Refusal};
use arm7::cpu::decode::{Operation, decode};
use arm7::cpu::psr::Psr;
use arm7::cpu::{Cpu, CpuSettings, Cycles};

/// `b .`: sound programs execute it to wait for an interrupt, which this machine does not have.
const ENDLESS: u32 = 0xEAFF_FFFE;

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// Instructions executed.
    pub instructions: u64,
    /// The reason for the end.
    pub stop: Stop,
    /// The address of the last instruction.
    pub pc: u32,
    /// This address as `symbol+offset`.
    pub place: String,
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Halt { stop, pc, place, .. } = self;
        write!(
            f,
            "{stop} (at {pc:08x}, {place}, after {} instructions)",
            self.instructions
        )
    }
}

/// The ARM7 with a program.
#[derive(Debug)]
pub struct Arm7 {
    cpu: Cpu,
    pub(crate) memory: Memory,
    pub(crate) image: Image,
    cycles: Cycles,
}

impl Arm7 {
    /// A machine with `image` loaded and a [`Recorder`](super::Recorder) for the sound chip's registers.
    ///
    /// # Errors
    /// If the program does not fit the memory.
    pub fn new(image: Image) -> Result<Self, MemoryError> {
        let mut arm7 = Arm7 {
            cpu: Cpu::new(CpuSettings::default()),
            memory: Memory::default(),
            image,
            cycles: Cycles(0),
        };
        arm7.load()?;
        Ok(arm7)
    }

    /// Replaces the registers of the sound chip.
    pub fn set_sound_registers(&mut self, registers: Box<dyn SoundRegisters>) {
        self.memory.registers = registers;
    }

    /// The registers of the sound chip.
    pub fn sound_registers(&mut self) -> &mut dyn SoundRegisters {
        self.memory.registers.as_mut()
    }

    /// Symbols of the program.
    pub fn symbols(&self) -> &Symbols {
        &self.image.symbols
    }

    /// Entry address of the program.
    pub fn entry(&self) -> u32 {
        self.image.entry
    }

    /// Register `n`: R0 to R15.
    pub fn register(&self, n: u32) -> u32 {
        self.cpu.register(n as usize)
    }

    /// Sets register `n`.
    pub fn set_register(&mut self, n: u32, value: u32) {
        self.cpu.set_register(n as usize, value);
    }

    /// Cycles of the last run (ARM7DI data sheet, "Instruction speeds"; no wait states).
    pub fn cycles(&self) -> Cycles {
        self.cycles
    }

    /// `size` bytes of sound RAM at `address`.
    ///
    /// # Errors
    /// If not all of the range is sound RAM.
    pub fn read(&self, address: u32, size: u32) -> Result<&[u8], MemoryError> {
        in_ram(address, size)?;
        Ok(&self.memory.ram[address as usize..(address + size) as usize])
    }

    /// Copies `bytes` to sound RAM at `address`.
    ///
    /// # Errors
    /// If not all of the range is sound RAM.
    pub fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), MemoryError> {
        in_ram(address, u32::try_from(bytes.len()).unwrap_or(u32::MAX))?;
        self.memory.ram[address as usize..][..bytes.len()].copy_from_slice(bytes);
        self.memory.mark(address, bytes.len() as u32);
        Ok(())
    }

    /// Copies the program into memory.
    pub(crate) fn load(&mut self) -> Result<(), MemoryError> {
        for segment in &self.image.segments {
            in_ram(segment.address, segment.size)?;
            let place = &mut self.memory.ram[segment.address as usize..][..segment.size as usize];
            let (bytes, zeros) = place.split_at_mut(segment.bytes.len().min(place.len()));
            bytes.copy_from_slice(&segment.bytes[..bytes.len()]);
            zeros.fill(0);
        }
        Ok(())
    }

    /// Runs from `begin` to `until`, until `count` instructions have run, or until an error stops the
    /// program. With `idle`, a branch to itself also stops it.
    pub fn run(&mut self, begin: u32, until: u32, count: u64, idle: bool) -> Halt {
        self.memory.begin();
        self.cycles = Cycles(0);
        let mut instructions = 0;
        let stop = match begin & 3 {
            0 => {
                self.cpu.set_register(15, begin);
                self.run_to(until, count, idle, &mut instructions)
            }
            _ => Stop::Refused(begin, THUMB),
        };
        let pc = self.memory.pc.unwrap_or(begin);
        Halt {
            instructions,
            stop,
            pc,
            place: self.image.symbols.describe(pc),
        }
    }

    fn run_to(&mut self, until: u32, count: u64, idle: bool, executed: &mut u64) -> Stop {
        loop {
            let pc = self.cpu.register(15);
            if pc == until {
                return Stop::Until;
            }
            let Some(opcode) = self.memory.opcode(pc) else {
                return Stop::unmapped("fetch", pc, 4);
            };
            self.memory.pc = Some(pc);
            if *executed >= count {
                return Stop::Limit;
            }
            if let Some(stop) = self.before(opcode) {
                return stop;
            }
            *executed += 1;
            if idle && opcode == ENDLESS {
                return Stop::Idle;
            }
            self.cycles.0 += self.cpu.step(&mut self.memory).0;
            if let Some(fault) = self.memory.fault.take() {
                return fault;
            }
        }
    }

    /// Returns the reason why the machine does not execute `opcode`, if there is one.
    fn before(&self, opcode: u32) -> Option<Stop> {
        if let Some(refusal) = armv3::check(opcode) {
            return Some(Stop::Refused(opcode, refusal));
        }
        let instruction = decode(opcode);
        let traps = instruction.operation == Operation::SoftwareInterrupt
            && instruction.condition.holds(self.cpu.cpsr().nzcv());
        traps.then_some(Stop::SoftwareInterrupt)
    }

    /// Sets CPSR to its value after reset. This must precede changes to registers, because the mode selects
    /// their bank.
    pub(crate) fn reset_mode(&mut self) {
        self.cpu.set_cpsr(Psr::RESET);
    }

    /// CPSR.
    pub fn cpsr(&self) -> Psr {
        self.cpu.cpsr()
    }
}

/// An entry that is not a multiple of four.
const THUMB: Refusal = Refusal::Later("an entry at an odd address (Thumb)", "ARMv4T");
