//! A machine around the SH-4: memory, store queues, ELF loading, and function calls by the SH C ABI.
//!
//! The functions resemble those in the Unicorn engine. [`Memory::map`] maps memory; [`Memory::write`] and
//! [`Memory::read`] access it. The fields of [`Machine::cpu`] are the registers. [`Machine::emu_start`] runs
//! code, and [`Machine::emu_start_hooked`] also reports every instruction. [`Machine::call`] calls a function
//! like C code does, and checks that it keeps the registers that the ABI preserves.
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
mod limits;
mod listing;
mod memory;
mod names;
mod peripherals;
mod red_zone;

pub use cached::{Backing, Cached};
pub use call::{CallError, Called, Entry, KeptRegisters};
pub use elf::{ElfError, Image, Segment, Symbols, code_sections, elf_machine};
pub use limits::LIMITS;
pub use listing::{Listing, ListingLine};
pub use memory::{Memory, MemoryError};
pub use names::{demangle, shown_name};
pub use peripherals::{OnChipPeripherals, register_name};
pub use red_zone::{RedZone, RedZoneLoad};
pub use sh4::{Access, Direction, Observer, Retired, Stop};

use cache::{OperandCache, ccr};
use sh4::accelerate::Accelerator;
use sh4::{Cpu, DoublesOnly, Settings, SinglesOnly};
use std::fmt;

/// CCR in KallistiOS programs: OCE, CB and ICE. KallistiOS writes 090D, whose other bits read 0
/// (docs/hardware/sh4.md, "State at the start of a program").
const KALLISTI_CCR: u32 = 0x0105;

/// CPU, memory and symbols.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The CPU; its registers are public.
    pub cpu: Cpu,
    memory: Memory,
    symbols: Symbols,
    caches: CacheMode,
    accelerator: AcceleratorSlot,
}

/// Optional accelerator. Its compiled code belongs to one memory, so a copy of the machine has no
/// accelerator.
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

/// Cache model between the CPU and memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheMode {
    /// No cache: a store changes memory immediately. This is the default and the faster mode.
    #[default]
    Coherent,
    /// The operand cache, as CCR configures it: stored data reach memory when written back. This mode exposes
    /// programs that omit a necessary write-back.
    Cached,
}

/// Result of a run, with symbol names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// Instructions executed.
    pub instructions: u64,
    /// Reason for the end.
    pub stop: Stop,
    /// Program counter at the end.
    pub pc: u32,
    /// Location as `symbol+offset`: the faulting instruction, or the program counter.
    pub place: String,
}

/// Address of the faulting instruction, or the program counter.
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

/// Returns the CPU in the state of KallistiOS programs.
fn cpu(settings: Settings) -> Cpu {
    let mut cpu = Cpu::new(settings);
    cpu.set_fpscr(call::FPSCR);
    cpu
}

impl Machine {
    /// R15 at a call without stack arguments: below the last page of RAM.
    pub const STACK: u32 = call::STACK;

    /// Creates a machine with empty RAM and the CPU in the state of KallistiOS programs (FPSCR 00040000).
    ///
    /// FPU opcodes that are undefined under the current PR stop the run, because a routine must not rely on
    /// them.
    #[must_use]
    pub fn new() -> Self {
        Self::with(Settings {
            singles_only: SinglesOnly::Stop,
            doubles_only: DoublesOnly::Stop,
            ..Settings::default()
        })
    }

    /// Creates a machine with other settings for the CPU.
    #[must_use]
    pub fn with(settings: Settings) -> Self {
        Self {
            cpu: cpu(settings),
            memory: Memory::new(),
            symbols: Symbols::default(),
            caches: CacheMode::default(),
            accelerator: AcceleratorSlot::default(),
        }
    }

    /// Resets the CPU, the caches, the store queues and the on-chip peripherals. CCR becomes 0. RAM, mapped
    /// regions, symbols and the [`CacheMode`] stay.
    pub fn reset(&mut self) {
        self.cpu = cpu(*self.cpu.settings());
        self.memory.reset();
    }

    /// The memory as DMA sees it. With [`CacheMode::Cached`] it lacks the data of dirty lines.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Mutable access to the memory.
    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Symbols of the program loaded last.
    #[must_use]
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// Selects the cache model. Writes all dirty lines back first. [`CacheMode::Cached`] sets CCR to
    /// 00000105, its value in KallistiOS programs: both caches on, copy-back for P0 and P1.
    ///
    /// # Errors
    /// Fails if a dirty line's address has no memory.
    pub fn set_caches(&mut self, mode: CacheMode) -> Result<(), MemoryError> {
        self.write_back_caches()?;
        if mode == CacheMode::Cached {
            self.memory.cache.set_ccr(KALLISTI_CCR);
        }
        self.caches = mode;
        Ok(())
    }

    /// Writes all dirty lines back and empties the operand cache, so that CPU and host see the same memory.
    ///
    /// # Errors
    /// Fails if a dirty line's address has no memory.
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
        self.memory.cache.note_empty();
        Ok(())
    }

    /// Reads a byte from the CPU's view without side effects, for debuggers: memory, dirty lines and on-chip
    /// RAM, but no registers.
    pub fn peek(&mut self, address: u32) -> Option<u8> {
        if let Some(byte) = self.held(address) {
            return Some(*byte);
        }
        self.memory.read(address, 1).ok().map(|bytes| bytes[0])
    }

    /// Writes the byte that [`Machine::peek`] reads, in the cache and in memory; false if neither contains
    /// it.
    pub fn poke(&mut self, address: u32, value: u8) -> bool {
        let held = self.held(address).map(|byte| *byte = value).is_some();
        self.memory.write(address, &[value]).is_ok() || held
    }

    fn held(&mut self, address: u32) -> Option<&mut u8> {
        if let Some((line, offset)) = self.memory.cache.ram(address) {
            return Some(&mut self.memory.cache.data(line)[offset]);
        }
        match self.caches {
            CacheMode::Coherent => None,
            CacheMode::Cached => self.memory.cache.held(address),
        }
    }

    /// Loads a program: copies the segments into memory, keeps the symbols, and sets the program counter to
    /// the entry address.
    ///
    /// # Errors
    /// Fails if a segment is outside the memory.
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

    /// Installs `accelerator`. It runs code only in the mode without caches and without an observer. A copy
    /// of the machine has no accelerator.
    pub fn accelerate(&mut self, accelerator: Box<dyn Accelerator<Memory> + Send>) {
        self.accelerator = AcceleratorSlot(Some(accelerator));
    }

    /// Runs from `begin` to `until`, for at most `count` instructions, or until the program stops.
    pub fn emu_start(&mut self, begin: u32, until: Option<u32>, count: u64) -> Halt {
        self.emu_start_hooked(begin, until, count, &mut ())
    }

    /// Runs like [`Machine::emu_start`], and reports every executed instruction to `observer`.
    pub fn emu_start_hooked<O: Observer>(
        &mut self,
        begin: u32,
        until: Option<u32>,
        count: u64,
        observer: &mut O,
    ) -> Halt {
        self.start(begin, until, count, sh4::enabled(observer))
    }

    /// Runs code. This function is not generic, so that the CPU's code for this memory is compiled only once.
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
