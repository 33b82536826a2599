//! The interface through which the verifier uses a processor.
//!
//! [`Processor`] provides memory, an address range for buffers, and calls. Guard zones, generated cases,
//! shrinking and reports work with every implementation. A [`Target`] describes a processor's ELF files and
//! its built-in kernels.

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
    /// Name in reports.
    fn name(&self) -> &'static str;

    /// Symbols of the program.
    fn symbols(&self) -> &Symbols;

    /// The emulated SH4 machine; `None` for a processor that cannot use an accelerator.
    fn machine(&mut self) -> Option<&mut Machine> {
        None
    }

    /// Range of memory for arguments, apart from the program and the stack.
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

    /// Restores memory and registers to their state after loading.
    ///
    /// # Errors
    /// If the program does not fit the memory.
    fn reload(&mut self) -> Result<(), MemoryError>;

    /// The registers that [`Call::garbage`] fills, in its order. Arguments overwrite some of them.
    fn free_registers(&self) -> Vec<FreeRegister>;

    /// Names of the registers that a function must keep, for [`Call::allow`].
    fn kept_registers(&self) -> Vec<String>;

    /// Calls a function by the processor's C ABI.
    ///
    /// # Errors
    /// If it does not return or changes a register that it must keep.
    fn call(&mut self, call: &Call<'_>) -> Result<Returned, CallFailure>;

    /// Cycles of `call` on the modelled console; `None` if the processor has no model of time. Does not check
    /// stores.
    ///
    /// # Errors
    /// See [`Processor::call`].
    fn cycles(&mut self, _call: &Call<'_>, _caches: Caches) -> Result<Option<u64>, CallFailure> {
        Ok(None)
    }

    /// The address of `port`, or 0 if the port is a set of registers. `None` if the processor has no such
    /// port.
    fn port(&self, _port: Port) -> Option<u32> {
        None
    }

    /// Returns the words that the last call wrote to `port`.
    fn take(&mut self, _port: Port) -> Vec<u32> {
        Vec::new()
    }
}

/// The parameters of one call.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Address of the function.
    pub entry: u32,
    /// Arguments in the order of the prototype.
    pub args: &'a [Argument],
    /// The type of the result, if it has one.
    pub returns: Option<Element>,
    /// Ranges in which the function may store, apart from its stack: address and length. With `None`, stores
    /// are not checked.
    pub writable: Option<&'a [(u32, u32)]>,
    /// Ranges from which the function may load, apart from `writable`, its stack and the program. With
    /// `None`, loads are not checked. Checking loads requires checking stores.
    pub readable: Option<&'a [(u32, u32)]>,
    /// Checks that the function preserves the registers required by the ABI.
    pub keeps: bool,
    /// Names of preserved registers that this function may change nevertheless.
    pub allow: &'a [String],
    /// The contents of the registers that hold no argument, in the order of [`Processor::free_registers`].
    pub garbage: &'a Garbage,
    /// Limit of instructions; a call that reaches it has failed.
    pub max_instructions: u64,
    /// FPSCR at entry, on processors that have it.
    pub fpscr: Option<u32>,
    /// XF0 to XF15 at entry, on processors that have them; garbage if `None`.
    pub xmtrx: Option<[u32; 16]>,
    /// True if the processor checks neither stores nor the use of memory below the stack pointer. This is
    /// faster, but [`Processor::reload`] then does not know all changes.
    pub unwatched: bool,
}

impl<'a> Call<'a> {
    /// Creates a call of `entry` with `args`. The call checks kept registers, but not loads and stores. It
    /// has no limit of instructions.
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

/// The contents at entry of all registers and stack words that hold no argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Garbage(pub [u32; Garbage::WORDS]);

impl Garbage {
    /// Number of words: at least as many as any processor has free registers.
    pub const WORDS: usize = 64;

    /// Words that contain their index, for calls in which the entry state does not matter.
    pub(crate) const FIXED: Garbage = {
        let (mut words, mut at) = ([0; Garbage::WORDS], 0);
        while at < Garbage::WORDS {
            words[at] = 0x4A5A_0000 | at as u32;
            at += 1;
        }
        Garbage(words)
    };

    /// Creates the garbage of a seed: mostly random bits, sometimes limits of integers, infinities and NaNs.
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

/// A register, or a part of one, that is undefined at the entry of a function by the ABI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeRegister {
    /// Name in reports.
    pub name: String,
    /// The bits that are undefined.
    pub bits: u32,
}

/// An argument in a register or on the stack; a pointer is a [`Element::U32`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Type in the prototype.
    pub element: Element,
    /// Bits of the value.
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
    /// The bits of the result, if the call requested one.
    pub result: Option<u64>,
    /// The first value that the function stored below its stack pointer and loaded again, if there is one.
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

/// The reason why a call failed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CallFailure {
    /// The function did not return, or changed a register that it must keep. Contains the processor's
    /// message.
    #[error("{0}")]
    Broken(String),
    /// The function reached the limit of instructions. Contains the processor's message.
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
    /// The function stored outside of `writable`.
    #[error("stored {} bytes at {:08x}, at {}", .0.size, .0.address, .0.place)]
    Stray(Stray),
    /// The function loaded from outside of `readable`.
    #[error("loaded {} bytes from {:08x}, at {}", .0.size, .0.address, .0.place)]
    StrayLoad(Stray),
    /// The function made a stray access, and later failed for another reason.
    #[error("{0}; then it failed: {1}")]
    StrayThen(Box<CallFailure>, Box<CallFailure>),
}

/// An access outside of every buffer and of the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The address of the access.
    pub address: u32,
    /// Size in bytes.
    pub size: u8,
    /// The instruction: address and symbol.
    pub place: String,
}

/// An input or output of a kernel apart from memory and arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// The tile accelerator's input, which a kernel writes through the store queues.
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

/// A function that creates a processor with a program, from the bytes of an ELF file.
pub type Open = fn(&[u8]) -> Result<Box<dyn Processor>, OpenError>;

/// A kind of processor, with its ELF files and its built-in kernels.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Name in reports.
    pub name: &'static str,
    /// `e_machine` of its ELF files.
    pub machine: u16,
    /// The built-in kernels that it runs.
    pub kernels: &'static [&'static Kernel],
    /// The image that contains these kernels; it is compiled in.
    pub rom: Rom<'static>,
    /// Creates a processor with the program of an ELF file.
    pub open: Open,
}

/// An image with kernels.
#[derive(Clone, Copy, Debug)]
pub struct Rom<'a> {
    /// Name of the file.
    pub name: &'a str,
    /// The bytes of the ELF file.
    pub bytes: &'a [u8],
}

/// The reason why a program cannot be loaded.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The file cannot be read.
    #[error(transparent)]
    Elf(#[from] ElfError),
    /// The program does not fit the machine.
    #[error("{0}; link the program to RAM, as with -Wl,--build-id=none,-Ttext=0x8c010000 for the SH4")]
    Memory(MemoryError),
    /// The program leaves no memory for the arguments.
    #[error("the program ends at {end:08x} and leaves no memory for arguments up to {stack:08x}")]
    TooLarge {
        /// The address after the program.
        end: u32,
        /// The lowest address of the stack.
        stack: u32,
    },
    /// The processor cannot run the program. Contains the processor's message.
    #[error("{0}")]
    Refused(String),
}

// The error is not a `source`, because the message already contains its text.
impl From<MemoryError> for OpenError {
    fn from(error: MemoryError) -> Self {
        OpenError::Memory(error)
    }
}
