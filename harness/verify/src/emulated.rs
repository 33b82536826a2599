//! Running the assembly.
//!
//! A call lays its buffers out in guest memory, each aligned as the kernel asks and with a guard zone on either side,
//! calls the symbol by the SH C ABI, and takes the outputs back. A kernel that writes into a guard zone, or into what
//! it may only read, is as wrong as one with a wrong result.

use crate::RomError;
use crate::rom;
use machine::{Machine, MemoryError, Observer};
use sh4_kernels::{Arg, Kernel, KernelError, Kernels};
use std::fmt;

/// Where buffers go: the second MiB of RAM, cached.
const ARENA: u32 = 0x8C10_0000;
/// What is there for them: the rest below the stack.
const ARENA_BYTES: u32 = 14 << 20;
/// Bytes on either side of a buffer that must stay as they are.
const GUARD: u32 = 32;
/// What they hold.
const GUARD_BYTE: u8 = 0xA5;
/// A store queue address that leads to the tile accelerator's polygon input at 10000000.
const TA_QUEUE: u32 = 0xE000_0000;
/// QACR0 and QACR1 for that: bits 28-26 of the address in bits 4-2.
const TA_QACR: u32 = 0x10;
/// No kernel runs longer: a call is one chunk of one model.
const MAX_INSTRUCTIONS: u64 = 500_000_000;

/// The kernels in the emulated SH4.
#[derive(Debug)]
pub struct Emulated {
    machine: Machine,
    instructions: u64,
}

/// An argument's place in guest memory.
struct Placed {
    address: u32,
    bytes: u32,
}

impl Emulated {
    /// A machine with the ROM.
    ///
    /// # Errors
    /// If the ROM is damaged or does not hold every kernel.
    pub fn new() -> Result<Self, RomError> {
        let mut machine = Machine::new();
        machine.load(&rom::image()?)?;
        machine.memory_mut().set_qacr([TA_QACR; 2]);
        Ok(Self {
            machine,
            instructions: 0,
        })
    }

    /// Instructions that all calls so far have executed.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// The machine that runs the kernels.
    pub fn machine_mut(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// Runs `kernel` once, with every instruction shown to `observer`.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn call_hooked<O: Observer>(
        &mut self,
        kernel: &'static Kernel,
        args: &mut [Arg<'_>],
        observer: &mut O,
    ) -> Result<(), KernelError> {
        self.run(kernel, args, observer)
            .map_err(|failure| KernelError::Execution {
                kernel: kernel.name,
                message: failure.to_string(),
            })
    }

    fn run<O: Observer>(
        &mut self,
        kernel: &'static Kernel,
        args: &mut [Arg<'_>],
        observer: &mut O,
    ) -> Result<(), Failure> {
        let entry = self
            .machine
            .symbols()
            .address(kernel.symbol)
            .ok_or(Failure::Symbol(kernel.symbol))?;
        let mut placed = Vec::new();
        let mut words = Vec::new();
        let mut next = ARENA;
        for (arg, param) in args.iter().zip(kernel.params) {
            let place = match arg {
                Arg::Words(data) => self.place(&mut next, bytes_of(data), param.align)?,
                Arg::WordsMut(data) => self.place(&mut next, bytes_of(data), param.align)?,
                Arg::Halfwords(data) => self.place(
                    &mut next,
                    data.iter().flat_map(|half| half.to_le_bytes()).collect(),
                    param.align,
                )?,
                Arg::Value(value) => Placed {
                    address: *value,
                    bytes: 0,
                },
                Arg::TileAccelerator(_) => Placed {
                    address: TA_QUEUE,
                    bytes: 0,
                },
            };
            words.push(place.address);
            placed.push(place);
        }
        let called = self
            .machine
            .call_hooked(entry, &words, MAX_INSTRUCTIONS, observer)?;
        self.instructions += called.instructions;
        for (index, (arg, place)) in args.iter_mut().zip(&placed).enumerate() {
            self.take_back(
                arg,
                place,
                kernel.params.get(index).map_or("", |param| param.name),
            )?;
        }
        Ok(())
    }

    /// Copies an argument between two guard zones.
    fn place(&mut self, next: &mut u32, data: Vec<u8>, align: u32) -> Result<Placed, Failure> {
        let bytes = u32::try_from(data.len()).unwrap_or(u32::MAX);
        let address = (*next + GUARD).next_multiple_of(align.max(1));
        let end = address.checked_add(bytes).and_then(|end| end.checked_add(GUARD));
        let Some(end) = end.filter(|end| *end <= ARENA + ARENA_BYTES) else {
            return Err(Failure::TooLarge(data.len()));
        };
        let memory = self.machine.memory_mut();
        memory.fill(address - GUARD, GUARD, GUARD_BYTE)?;
        memory.write(address, &data)?;
        memory.fill(address + bytes, GUARD, GUARD_BYTE)?;
        *next = end;
        Ok(Placed { address, bytes })
    }

    fn take_back(&mut self, arg: &mut Arg<'_>, place: &Placed, name: &'static str) -> Result<(), Failure> {
        if let Arg::TileAccelerator(blocks) = arg {
            blocks.append(&mut self.machine.memory_mut().take_ta());
            return Ok(());
        }
        if place.bytes == 0 {
            return Ok(());
        }
        let memory = self.machine.memory();
        for zone in [place.address - GUARD, place.address + place.bytes] {
            if memory.read(zone, GUARD)?.iter().any(|byte| *byte != GUARD_BYTE) {
                return Err(Failure::Outside(name));
            }
        }
        let after = memory.read(place.address, place.bytes)?;
        match arg {
            Arg::WordsMut(data) => {
                for (word, bytes) in data.iter_mut().zip(after.as_chunks::<4>().0) {
                    *word = u32::from_le_bytes(*bytes);
                }
            }
            Arg::Words(data) if bytes_of(data) != after => return Err(Failure::ReadOnly(name)),
            Arg::Halfwords(data)
                if !data
                    .iter()
                    .flat_map(|h| h.to_le_bytes())
                    .eq(after.iter().copied()) =>
            {
                return Err(Failure::ReadOnly(name));
            }
            _ => {}
        }
        Ok(())
    }
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

impl Kernels for Emulated {
    fn call(&mut self, kernel: &'static Kernel, args: &mut [Arg<'_>]) -> Result<(), KernelError> {
        self.call_hooked(kernel, args, &mut ())
    }
}

/// Why a call failed.
enum Failure {
    Symbol(&'static str),
    TooLarge(usize),
    Outside(&'static str),
    ReadOnly(&'static str),
    Memory(MemoryError),
    Call(machine::CallError),
}

impl From<MemoryError> for Failure {
    fn from(error: MemoryError) -> Self {
        Self::Memory(error)
    }
}

impl From<machine::CallError> for Failure {
    fn from(error: machine::CallError) -> Self {
        Self::Call(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbol(symbol) => write!(f, "no symbol {symbol} in the ROM"),
            Self::TooLarge(bytes) => {
                write!(f, "an argument of {bytes} bytes does not fit the guest's memory")
            }
            Self::Outside(name) => write!(f, "wrote outside of argument {name}"),
            Self::ReadOnly(name) => write!(f, "wrote to argument {name}, which is read only"),
            Self::Memory(error) => error.fmt(f),
            Self::Call(error) => error.fmt(f),
        }
    }
}
