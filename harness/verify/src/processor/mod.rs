//! The interface of a processor to the verifier.
//!
//! [`Processor`] gives memory, a range for buffers, and calls. Guard zones, generated cases, shrinking and
//! reports work on every implementation. A [`Target`] names a processor's programs and its built-in kernels.

mod abi;
mod dirty;
mod sh4;
mod watch;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use machine::{ElfError, Machine, MemoryError, Symbols};
use sh4_kernels::{Kernel, Rng};
use thiserror::Error;

use crate::{Caches, Element};

pub use sh4::{SH4, Sh4};

/// A processor with a program in its memory.
pub trait Processor: fmt::Debug {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// The names in the program.
    fn symbols(&self) -> &Symbols;

    /// The emulated machine, if it takes an accelerator.
    fn machine(&mut self) -> Option<&mut Machine> {
        None
    }

    /// Memory for arguments, apart from the program and the stack.
    fn arena(&self) -> Range<u32>;

    /// `size` bytes at `address`.
    ///
    /// # Errors
    /// If not all of the range is memory.
    fn read(&self, address: u32, size: u32) -> Result<Cow<'_, [u8]>, MemoryError>;

    /// Copies `bytes` to `address`.
    ///
    /// # Errors
    /// If not all of the range is memory.
    fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), MemoryError>;

    /// Puts memory and registers back as they were after loading.
    ///
    /// # Errors
    /// If the program does not fit the memory.
    fn reload(&mut self) -> Result<(), MemoryError>;

    /// The registers that [`Call::garbage`] fills, in its order. Arguments overwrite some of them.
    fn free_registers(&self) -> Vec<FreeRegister>;

    /// Names of what a function has to keep, for [`Call::allow`].
    fn kept_registers(&self) -> Vec<String>;

    /// Calls a function by the processor's C ABI.
    ///
    /// # Errors
    /// If it does not return or does not keep what it has to keep.
    fn call(&mut self, call: &Call<'_>) -> Result<Returned, CallFailure>;

    /// Cycles of `call` on the modelled console; nothing where time is not modelled. Stores are not watched.
    ///
    /// # Errors
    /// See [`Processor::call`].
    fn cycles(&mut self, _call: &Call<'_>, _caches: Caches) -> Result<Option<u64>, CallFailure> {
        Ok(None)
    }

    /// Where a kernel finds `port`: an address, or 0 for registers. Nothing if the processor has no such
    /// thing.
    fn port(&self, _port: Port) -> Option<u32> {
        None
    }

    /// The words that the last call left at `port`.
    fn take(&mut self, _port: Port) -> Vec<u32> {
        Vec::new()
    }
}

/// The parameters of one call.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The function.
    pub entry: u32,
    /// In the order of the prototype.
    pub args: &'a [Argument],
    /// The type of the result, if it has one.
    pub returns: Option<Element>,
    /// Where it may store, apart from its stack: address and length. `None`: stores are not watched.
    pub writable: Option<&'a [(u32, u32)]>,
    /// Where it may load from, apart from `writable`, its stack and the program. `None`: loads are not
    /// watched. Loads are watched only together with stores.
    pub readable: Option<&'a [(u32, u32)]>,
    /// Whether registers that it has to keep are checked.
    pub keeps: bool,
    /// Registers among them that it may change all the same, by name.
    pub allow: &'a [String],
    /// The contents of the registers that hold no argument, in the order of [`Processor::free_registers`].
    pub garbage: &'a Garbage,
    /// Limit of instructions; a call that reaches it has failed.
    pub max_instructions: u64,
    /// FPSCR at entry, where there is one.
    pub fpscr: Option<u32>,
    /// XF0 to XF15 at entry, where there are such; garbage if `None`.
    pub xmtrx: Option<[u32; 16]>,
    /// Neither stores nor the use of memory below the stack pointer are watched, so that
    /// [`Processor::reload`] does not know of all that changed; faster.
    pub unwatched: bool,
}

impl<'a> Call<'a> {
    /// A call of `entry` with `args`: kept registers are checked, loads and stores are not, instructions are
    /// not limited.
    pub fn new(entry: u32, args: &'a [Argument]) -> Self {
        Call {
            entry,
            args,
            returns: None,
            writable: None,
            readable: None,
            keeps: true,
            allow: &[],
            garbage: &Garbage::FIXED,
            max_instructions: u64::MAX,
            fpscr: None,
            xmtrx: None,
            unwatched: true,
        }
    }
}

/// The contents of everything at the entry of a function that holds no argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Garbage(pub [u32; Garbage::WORDS]);

impl Garbage {
    /// Words: at least as many as any processor has free registers.
    pub const WORDS: usize = 64;

    /// A word that tells its place, for calls whose entry state does not matter.
    pub(crate) const FIXED: Garbage = {
        let (mut words, mut at) = ([0; Garbage::WORDS], 0);
        while at < Garbage::WORDS {
            words[at] = 0x4A5A_0000 | at as u32;
            at += 1;
        }
        Garbage(words)
    };

    /// The garbage of a seed: random bits, and now and then the limits of integers, infinities and NaNs.
    #[must_use]
    pub fn of(seed: u64) -> Garbage {
        let mut rng = Rng::new(seed);
        Garbage(std::array::from_fn(|_| {
            let word = rng.word();
            match word >> 28 {
                0 => [0, 1, u32::MAX, 0x8000_0000][word as usize & 3],
                // Infinity, -infinity, a quiet and a signalling NaN of the SH4.
                1 => [0x7F80_0000, 0xFF80_0000, 0x7F80_0001, 0x7FC0_0000][word as usize & 3],
                _ => rng.word(),
            }
        }))
    }
}

/// A register, or a part of one, that the ABI leaves undefined at the entry of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeRegister {
    /// Its name in reports.
    pub name: String,
    /// The bits that are undefined.
    pub bits: u32,
}

/// An argument in a register or on the stack; a pointer is a [`Element::U32`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its type in the prototype.
    pub element: Element,
    /// Its bits.
    pub bits: u64,
}

impl Argument {
    /// A 32-bit word: an integer or a pointer.
    pub fn word(bits: u32) -> Self {
        Argument {
            element: Element::U32,
            bits: bits.into(),
        }
    }
}

/// A call that returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Returned {
    /// Instructions executed.
    pub instructions: u64,
    /// The bits of the result, if one was asked for.
    pub result: Option<u64>,
    /// The first value that it kept below its stack pointer.
    pub red_zone: Option<RedZoneUse>,
}

/// A value that a function stored below its stack pointer and loaded again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedZoneUse {
    /// The store: address and symbol.
    pub store: String,
    /// The load: address and symbol.
    pub load: String,
    /// Bytes below the stack pointer.
    pub below: u32,
}

/// Why a call failed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CallFailure {
    /// It did not return, or changed a register that it has to keep: the processor's message.
    #[error("{0}")]
    Broken(String),
    /// It reached the limit of instructions: the processor's message.
    #[error("{0}")]
    Limit(String),
    /// An instruction failed because of the settings in FPSCR.
    #[error("{what} (FPSCR was {fpscr:08x})")]
    FpuMode {
        /// The processor's message.
        what: String,
        /// FPSCR at the instruction.
        fpscr: u32,
    },
    /// It stored outside of `writable`.
    #[error("stored {} bytes at {:08x}, at {}", .0.size, .0.address, .0.place)]
    Stray(Stray),
    /// It loaded from outside of `readable`.
    #[error("loaded {} bytes from {:08x}, at {}", .0.size, .0.address, .0.place)]
    StrayLoad(Stray),
    /// It accessed memory as one of these, and failed later.
    #[error("{0}; then it failed: {1}")]
    StrayThen(Box<CallFailure>, Box<CallFailure>),
}

/// An access outside of every buffer and of the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The address of the access.
    pub address: u32,
    /// Bytes.
    pub size: u8,
    /// The instruction: address and symbol.
    pub place: String,
}

/// Input or output of a kernel apart from memory and arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// The tile accelerator's input, through the store queues.
    TileAccelerator,
    /// XF0 to XF15.
    Xmtrx,
    /// The settings of the SH4's floating-point unit.
    Fpscr,
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Port::TileAccelerator => "tile accelerator",
            Port::Xmtrx => "XMTRX",
            Port::Fpscr => "FPSCR",
        })
    }
}

/// Loads the bytes of an ELF file.
pub type Open = fn(&[u8]) -> Result<Box<dyn Processor>, OpenError>;

/// A processor that programs may be for.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name in reports.
    pub name: &'static str,
    /// `e_machine` of its ELF files.
    pub machine: u16,
    /// The built-in kernels that it runs.
    pub kernels: &'static [&'static Kernel],
    /// The image that holds them, compiled in.
    pub rom: Rom<'static>,
    /// Loads the bytes of an ELF file.
    pub open: Open,
}

/// An image with kernels.
#[derive(Clone, Copy, Debug)]
pub struct Rom<'a> {
    /// Its file.
    pub name: &'a str,
    /// The bytes of the ELF file.
    pub bytes: &'a [u8],
}

/// Why a program cannot be loaded.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The file cannot be read.
    #[error(transparent)]
    Elf(#[from] ElfError),
    /// The program does not fit the machine.
    #[error("{0}; link the program to RAM, as with -Wl,--build-id=none,-Ttext=0x8c010000 for the SH4")]
    Memory(MemoryError),
    /// The program takes the memory that the arguments need.
    #[error("the program ends at {end:08x} and leaves no memory for arguments up to {stack:08x}")]
    TooLarge {
        /// The address behind the program.
        end: u32,
        /// Where the stack begins.
        stack: u32,
    },
    /// The processor does not run such programs: its message.
    #[error("{0}")]
    Refused(String),
}

// By hand: the message has the memory's own, which a source would repeat.
impl From<MemoryError> for OpenError {
    fn from(error: MemoryError) -> Self {
        OpenError::Memory(error)
    }
}
