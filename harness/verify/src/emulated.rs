//! Runs the assembly kernels.
//!
//! A call places its buffers in guest memory, each with the alignment of the kernel and a guard zone on each
//! side. It calls the symbol by the processor's C ABI and reads the outputs back. A kernel fails if it gives
//! a wrong result or writes into a guard zone or a read-only buffer.

use machine::{Image, Machine, MemoryError, Observer};
use sh4_kernels::{Arg, Kernel, KernelError, Kernels};
use thiserror::Error;

use crate::arena::{Arena, BufferPlace, PlaceError};
use crate::processor::{
    Argument, Call, CallFailure, Garbage, Port, Processor, Returned, Rom, SH4, Sh4, Target,
};
use crate::rom::{RomError, check};

/// The kernels on an emulated processor.
#[derive(Debug)]
pub struct Emulated<P: Processor + ?Sized = Sh4> {
    instructions: u64,
    max_instructions: u64,
    /// FPSCR at entry; `None` for the processor's default.
    fpscr: Option<u32>,
    /// Indices of an input and of the output at the same address.
    in_place: Option<(usize, usize)>,
    /// Contents at entry of the registers that hold no argument.
    garbage: Garbage,
    processor: Box<P>,
}

/// Limit of instructions per call. A call processes one chunk of one model, so no kernel takes more.
const MAX_INSTRUCTIONS: u64 = 500_000_000;

impl Emulated {
    /// Returns an SH4 with the ROM.
    ///
    /// # Errors
    /// If the ROM is damaged or does not hold every kernel.
    pub fn new() -> Result<Self, RomError> {
        Self::with_rom(&SH4.rom)
    }

    /// Returns an SH4 with another ROM than the built-in one.
    ///
    /// # Errors
    /// If the ROM is damaged or does not hold every kernel.
    pub fn with_rom(rom: &Rom<'_>) -> Result<Self, RomError> {
        let open = || Sh4::new(Image::parse(rom.bytes)?);
        let processor = open().map_err(|error| RomError::Open(rom.name.to_owned(), error))?;
        check(&SH4, rom, &processor)?;
        Ok(Self {
            processor: Box::new(processor),
            instructions: 0,
            max_instructions: MAX_INSTRUCTIONS,
            fpscr: None,
            in_place: None,
            garbage: Garbage::FIXED,
        })
    }

    /// The machine that runs the kernels.
    pub fn machine_mut(&mut self) -> &mut Machine {
        self.processor.machine_mut()
    }

    /// Runs `kernel` once and passes every instruction to `observer`.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn call_hooked<O: Observer>(
        &mut self,
        kernel: &'static Kernel,
        args: &mut [Arg<'_>],
        observer: &mut O,
    ) -> Result<(), KernelError> {
        self.run(kernel, args, |sh4, call| sh4.call_hooked(call, observer))
    }
}

impl Emulated<dyn Processor> {
    /// Returns the target's processor with its ROM.
    ///
    /// # Errors
    /// If the processor is not emulated, or the ROM does not contain every kernel.
    pub fn open(target: &Target) -> Result<Self, RomError> {
        Self::open_rom(target, &target.rom)
    }

    /// Returns the target's processor with another ROM than its own.
    ///
    /// # Errors
    /// See [`Emulated::open`].
    pub fn open_rom(target: &Target, rom: &Rom<'_>) -> Result<Self, RomError> {
        let processor =
            (target.open)(rom.bytes).map_err(|error| RomError::Open(rom.name.to_owned(), error))?;
        check(target, rom, processor.as_ref())?;
        Ok(Self {
            processor,
            instructions: 0,
            max_instructions: MAX_INSTRUCTIONS,
            fpscr: None,
            in_place: None,
            garbage: Garbage::FIXED,
        })
    }
}

impl<P: Processor + ?Sized> Emulated<P> {
    /// Number of instructions executed in all calls.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Sets FPSCR at entry of later calls.
    pub fn set_fpscr(&mut self, fpscr: u32) {
        self.fpscr = Some(fpscr);
    }

    /// Puts output `output` of later calls at the address of input `input`. The input must precede the output
    /// and have the same size.
    pub fn set_in_place(&mut self, pair: Option<(usize, usize)>) {
        self.in_place = pair;
    }

    /// Sets, for later calls, the contents at entry of the registers that hold no argument.
    pub fn set_garbage(&mut self, garbage: Garbage) {
        self.garbage = garbage;
    }

    /// Sets the limit of instructions of a call.
    pub fn set_max_instructions(&mut self, instructions: u64) {
        self.max_instructions = instructions;
    }

    /// The processor that runs the kernels.
    pub fn processor(&self) -> &P {
        &self.processor
    }

    /// The processor that runs the kernels, mutable.
    pub fn processor_mut(&mut self) -> &mut P {
        &mut self.processor
    }

    fn run(
        &mut self,
        kernel: &'static Kernel,
        args: &mut [Arg<'_>],
        call: impl FnOnce(&mut P, &Call<'_>) -> Result<Returned, CallFailure>,
    ) -> Result<(), KernelError> {
        self.attempt(kernel, args, call)
            .map_err(|failure| KernelError::Execution {
                kernel: kernel.name,
                message: failure.to_string(),
            })
    }

    fn attempt(
        &mut self,
        kernel: &'static Kernel,
        args: &mut [Arg<'_>],
        call: impl FnOnce(&mut P, &Call<'_>) -> Result<Returned, CallFailure>,
    ) -> Result<(), Failure> {
        let entry = self.processor.symbols().address(kernel.symbol);
        let entry = entry.ok_or(Failure::Symbol(kernel.symbol))?;
        let mut arena = Arena::of(self.processor.as_ref());
        let mut placed = Vec::new();
        for (index, (arg, param)) in args.iter().zip(kernel.params).enumerate() {
            let shared = self.in_place.filter(|(_, output)| *output == index);
            placed.push(match arg {
                _ if shared.is_some() => shared
                    .and_then(|(input, _)| placed.get(input))
                    .copied()
                    .unwrap_or_default(),
                Arg::Value(value) => at(*value),
                Arg::TileAccelerator(_) => at(self.tile_accelerator(param.name)?),
                _ => arena.place(self.processor.as_mut(), &bytes_of(arg), param.align, 0)?,
            });
        }
        let words: Vec<Argument> = placed.iter().map(|p| Argument::word(p.address)).collect();
        let how = Call {
            max_instructions: self.max_instructions,
            fpscr: self.fpscr,
            garbage: &self.garbage,
            ..Call::new(entry, &words)
        };
        let called = call(&mut self.processor, &how)?;
        self.instructions += called.instructions;
        for (index, (arg, place)) in args.iter_mut().zip(&placed).enumerate() {
            let name = kernel.params.get(index).map_or("", |param| param.name);
            let shared = self.in_place.is_some_and(|(input, _)| input == index);
            self.read_back(arg, place, name, shared)?;
        }
        Ok(())
    }

    fn tile_accelerator(&self, name: &'static str) -> Result<u32, Failure> {
        let port = self.processor.port(Port::TileAccelerator);
        port.ok_or(Failure::Port(name, self.processor.name()))
    }

    /// Copies an output back. Checks that an input has not changed, unless an output shares its address.
    fn read_back(
        &mut self,
        arg: &mut Arg<'_>,
        place: &BufferPlace,
        name: &'static str,
        shared: bool,
    ) -> Result<(), Failure> {
        if let Arg::TileAccelerator(blocks) = arg {
            let words = self.processor.take(Port::TileAccelerator);
            blocks.extend_from_slice(words.as_chunks().0);
            return Ok(());
        }
        if place.bytes == 0 {
            return Ok(());
        }
        let after = place
            .take(self.processor.as_ref())?
            .map_err(|_| Failure::Outside(name))?;
        match arg {
            Arg::WordsMut(data) => {
                for (word, bytes) in data.iter_mut().zip(after.as_chunks().0) {
                    *word = u32::from_le_bytes(*bytes);
                }
            }
            read_only if !shared && *bytes_of(read_only) != *after => return Err(Failure::ReadOnly(name)),
            _ => {}
        }
        Ok(())
    }
}

fn at(address: u32) -> BufferPlace {
    BufferPlace { address, bytes: 0 }
}

/// The bytes of a buffer in memory; empty for other arguments.
fn bytes_of(arg: &Arg<'_>) -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
    match arg {
        Arg::Words(data) => words(data),
        Arg::WordsMut(data) => words(data),
        Arg::Halfwords(data) => data.iter().flat_map(|half| half.to_le_bytes()).collect(),
        Arg::Value(_) | Arg::TileAccelerator(_) => Vec::new(),
    }
}

impl<P: Processor + ?Sized> Kernels for Emulated<P> {
    fn call(&mut self, kernel: &'static Kernel, args: &mut [Arg<'_>]) -> Result<(), KernelError> {
        self.run(kernel, args, |processor, call| processor.call(call))
    }
}

/// The reason why a call failed.
#[derive(Debug, Error)]
enum Failure {
    #[error("no symbol {0} in the ROM")]
    Symbol(&'static str),
    #[error("argument {0}: the {1} has no tile accelerator")]
    Port(&'static str, &'static str),
    #[error("wrote outside of argument {0}")]
    Outside(&'static str),
    #[error("wrote to argument {0}, which is read only")]
    ReadOnly(&'static str),
    #[error(transparent)]
    Place(#[from] PlaceError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error(transparent)]
    Call(#[from] CallFailure),
}
