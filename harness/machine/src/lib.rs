//! A machine around the SH-4: memory, store queues, ELF loading, calling symbols by the SH C ABI.
//!
//! The calls resemble those of the Unicorn engine: map memory ([`Memory::map`]), write and read it
//! ([`Memory::write`],
//! [`Memory::read`]), set and get registers (the fields of [`Machine::cpu`]), run ([`Machine::emu_start`]),
//! and observe
//! every instruction ([`Machine::emu_start_hooked`]). [`Machine::call`] calls a function as C code does, and
//! checks that it keeps the registers that the ABI preserves.
//!
//! ```
//! use machine::Machine;
//!
//! let mut machine = Machine::new();
//! // add r5,r4; rts; mov r4,r0
//! machine.memory_mut().write(0x8C01_0000, &[0x5C, 0x34, 0x0B, 0x00, 0x43, 0x60])?;
//! let called = machine.call(0x8C01_0000, &[40, 2], 100)?;
//! assert_eq!((called.result, called.instructions), (42, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cache;
mod cached;
mod call;
pub mod dcload;
mod elf;
mod memory;
mod peripherals;
mod red_zone;

pub use cached::{Backing, Cached};
pub use call::{CallError, Called, Entry, KeptRegisters};
pub use elf::{ElfError, Image, Segment, Symbols, code_sections, elf_machine};
pub use memory::{Memory, MemoryError};
pub use peripherals::{OnChipPeripherals, register_name};
pub use red_zone::{RedZone, RedZoneLoad};
pub use sh4::{Access, Direction, Observer, Retired, Stop};

use cache::{OperandCache, ccr};
use sh4::accelerate::Accelerator;
use sh4::{Cpu, DoublesOnly, Settings, SinglesOnly};
use std::fmt;

/// OCE, CB, ICE: the value after KallistiOS has written 090D (docs/hardware/sh4.md, "State at the start of a
/// program").
const KALLISTI_CCR: u32 = 0x0105;

/// CPU, memory and the names in it.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The CPU; its registers are public.
    pub cpu: Cpu,
    memory: Memory,
    symbols: Symbols,
    caches: CacheMode,
    accelerator: AcceleratorSlot,
}

/// The accelerator, if there is one. Its compiled code belongs to one memory, so a copy of the machine has
/// none.
#[derive(Default)]
struct AcceleratorSlot(Option<Box<dyn Accelerator<Memory> + Send>>);

impl Clone for AcceleratorSlot {
    fn clone(&self) -> AcceleratorSlot {
        AcceleratorSlot(None)
    }
}

impl fmt::Debug for AcceleratorSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "accelerated"
        } else {
            "interpreted"
        })
    }
}

/// How the CPU sees memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheMode {
    /// Without a cache: what is stored is in memory at once. Default, and faster.
    #[default]
    Coherent,
    /// Through the operand cache, as CCR says: what is stored is in memory once it is written back. A program
    /// that forgets to write back before something else reads memory is caught.
    Cached,
}

/// How a run ended, with names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// Instructions executed.
    pub instructions: u64,
    /// Why it ended.
    pub stop: Stop,
    /// Program counter at the end.
    pub pc: u32,
    /// The program counter, or that of the fault, as `symbol+offset`.
    pub place: String,
}

/// Where a run stopped: the instruction at fault, or the program counter.
fn place(stop: &Stop, pc: u32) -> u32 {
    match stop {
        Stop::Fault(fault) => fault.pc,
        Stop::Reset { pc, .. } => *pc,
        _ => pc,
    }
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pc = place(&self.stop, self.pc);
        write!(
            f,
            "{} (at {pc:08x}, {}, after {} instructions)",
            self.stop, self.place, self.instructions
        )
    }
}

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}

impl Machine {
    /// R15 at a call without arguments on the stack: below the last page of RAM.
    pub const STACK: u32 = call::STACK;

    /// A machine with empty RAM; the CPU in the state of KallistiOS programs (FPSCR 00040000).
    ///
    /// FPU codes that are undefined under the present PR stop the run: a routine must not rely on them.
    #[must_use]
    pub fn new() -> Self {
        Self::with(Settings {
            singles_only: SinglesOnly::Stop,
            doubles_only: DoublesOnly::Stop,
            ..Settings::default()
        })
    }

    /// The same with other switches for the CPU.
    #[must_use]
    pub fn with(settings: Settings) -> Self {
        let mut cpu = Cpu::new(settings);
        cpu.set_fpscr(call::FPSCR);
        Self {
            cpu,
            memory: Memory::new(),
            symbols: Symbols::default(),
            caches: CacheMode::default(),
            accelerator: AcceleratorSlot::default(),
        }
    }

    /// The memory. Under [`CacheMode::Cached`] this is what DMA sees: dirty lines are not in it.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The memory, to be written.
    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// The symbols of what was loaded last.
    #[must_use]
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// Chooses how the CPU sees memory. Turning caches on sets CCR to 00000105 as KallistiOS leaves it: both
    /// caches on, P0 and P1 copied back. Turning them off writes everything back.
    ///
    /// # Errors
    /// If a dirty line has no memory behind it.
    pub fn set_caches(&mut self, mode: CacheMode) -> Result<(), MemoryError> {
        self.write_back_caches()?;
        if mode == CacheMode::Cached {
            self.memory.cache.set_ccr(KALLISTI_CCR);
        }
        self.caches = mode;
        Ok(())
    }

    /// Writes all dirty lines back and leaves the operand cache empty, so that CPU and host see the same
    /// memory.
    ///
    /// # Errors
    /// If a dirty line has no memory behind it.
    pub fn write_back_caches(&mut self) -> Result<(), MemoryError> {
        if !self.memory.cache.is_used() {
            return Ok(());
        }
        let ram = self.memory.cache.has(ccr::ORA);
        for index in OperandCache::indices().filter(|index| !ram || index & 0x80 == 0) {
            if let Some((address, data)) = self.memory.cache.clean(index) {
                self.memory.write(address, &data)?;
            }
            self.memory.cache.line(index).valid = false;
        }
        self.memory.cache.emptied();
        Ok(())
    }

    /// A byte as the CPU would read it, without any effect: for debuggers. Memory, dirty lines and on-chip
    /// RAM; registers are not read.
    pub fn peek(&mut self, address: u32) -> Option<u8> {
        if let Some(byte) = self.held(address) {
            return Some(*byte);
        }
        self.memory.read(address, 1).ok().map(|bytes| bytes[0])
    }

    /// Writes a byte where [`Machine::peek`] reads it, in the cache and in memory; false if there is neither.
    pub fn poke(&mut self, address: u32, value: u8) -> bool {
        let held = self.held(address).map(|byte| *byte = value).is_some();
        self.memory.write(address, &[value]).is_ok() || held
    }

    fn held(&mut self, address: u32) -> Option<&mut u8> {
        if let Some((line, offset)) = self.memory.cache.ram(address) {
            return Some(&mut self.memory.cache.line(line).data[offset]);
        }
        match self.caches {
            CacheMode::Coherent => None,
            CacheMode::Cached => self.memory.cache.held(address),
        }
    }

    /// Loads a program: segments into memory, symbols, program counter at its entry.
    ///
    /// # Errors
    /// If a segment lies outside the memory.
    pub fn load(&mut self, image: &Image) -> Result<(), MemoryError> {
        for segment in &image.segments {
            self.memory.write(segment.address, &segment.bytes)?;
            let filled = segment.bytes.len() as u32;
            if segment.size > filled {
                self.memory
                    .fill(segment.address + filled, segment.size - filled, 0)?;
            }
        }
        self.symbols = image.symbols.clone();
        self.cpu.pc = image.entry;
        Ok(())
    }

    /// Lets `accelerator` run code where the CPU sees memory without caches, and no observer is there. A copy
    /// of the machine has no accelerator.
    pub fn accelerate(&mut self, accelerator: Box<dyn Accelerator<Memory> + Send>) {
        self.accelerator = AcceleratorSlot(Some(accelerator));
    }

    /// Runs from `begin` to `until`, or until `count` instructions have run or something stops the program.
    pub fn emu_start(&mut self, begin: u32, until: Option<u32>, count: u64) -> Halt {
        self.emu_start_hooked(begin, until, count, &mut ())
    }

    /// The same, with every instruction that has run shown to `observer`.
    pub fn emu_start_hooked<O: Observer>(
        &mut self,
        begin: u32,
        until: Option<u32>,
        count: u64,
        observer: &mut O,
    ) -> Halt {
        self.start(begin, until, count, sh4::enabled(observer))
    }

    /// Not generic, so that the CPU's operations on this memory are compiled once.
    fn start(
        &mut self,
        begin: u32,
        until: Option<u32>,
        count: u64,
        observer: Option<&mut dyn Observer>,
    ) -> Halt {
        self.cpu.pc = begin;
        let run = match self.caches {
            CacheMode::Coherent => match &mut self.accelerator.0 {
                Some(accelerator) if observer.is_none() => {
                    let (memory, accelerator) = (&mut self.memory, &mut **accelerator);
                    self.cpu.run_accelerated(memory, until, count, accelerator)
                }
                _ => self.cpu.run_observed(&mut self.memory, until, count, observer),
            },
            CacheMode::Cached => {
                let mut cached = Cached::new(&mut self.memory);
                self.cpu.run_observed(&mut cached, until, count, observer)
            }
        };
        let place = self.symbols.describe(place(&run.stop, self.cpu.pc));
        Halt {
            instructions: run.executed,
            stop: run.stop,
            pc: self.cpu.pc,
            place,
        }
    }
}
