//! Compiles SH-4 code to host code: an accelerator for the interpreter in `sh4`.
//!
//! The interpreter is the definition. A *region* is a set of decoded blocks that direct branches connect. A
//! hot region is compiled. Compiled code keeps the guest's registers in the host's and accesses plain memory
//! directly. It exits in front of an operation that it does not do; the interpreter continues there. So
//! exceptions, faults and counts are implemented once.
//!
//! ```
//! use sh4::{Cpu, Settings, Stop, flat::FlatBus};
//! use sh4_recompiler::{Options, Recompiler};
//!
//! let mut bus = FlatBus::new(0x0C00_0000, 0x1000);
//! // mov #100,r0; dt r0; bf .-2; sleep
//! bus.load(0x0C00_0000, &[0x64, 0xE0, 0x10, 0x40, 0xFD, 0x8B, 0x1B, 0x00]);
//! let mut cpu = Cpu::new(Settings::default());
//! cpu.pc = 0x8C00_0000;
//! let run = match Recompiler::new(Options { hot: 10 }) {
//!     Ok(mut recompiler) => cpu.run_accelerated(&mut bus, None, 1_000, &mut recompiler),
//!     Err(_) => cpu.run(&mut bus, None, 1_000, &mut ()),
//! };
//! assert_eq!((run.stop, run.executed, cpu.r[0]), (Stop::Sleep, 202, 0));
//! ```

#[cfg(target_arch = "x86_64")]
mod block_profile;
#[cfg(target_arch = "x86_64")]
mod compile;
#[cfg(target_arch = "x86_64")]
mod compiled;
#[cfg(target_arch = "x86_64")]
mod emit;
#[cfg(target_arch = "x86_64")]
mod engine;
#[cfg(target_arch = "x86_64")]
mod host;
#[cfg(target_arch = "x86_64")]
mod region;
#[cfg(target_arch = "x86_64")]
mod registers;
#[cfg(target_arch = "x86_64")]
mod slots;
#[cfg(not(target_arch = "x86_64"))]
mod unsupported_host;

#[cfg(target_arch = "x86_64")]
pub use engine::Recompiler;
#[cfg(not(target_arch = "x86_64"))]
pub use unsupported_host::Recompiler;

use std::time::Duration;

/// The name of [`Statistics::executed`] in reports.
pub const COMPILED_INSTRUCTIONS: &str = "instructions in compiled code";

/// Options of the recompiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How often the interpreter runs an instruction, on the average of a region, before the region is
    /// compiled. Compiling an instruction takes as long as interpreting some thousands.
    pub hot: u32,
}

impl Options {
    /// For short calls, each of which may be the last: a region is compiled when interpreting it has taken
    /// several times as long as compiling it takes.
    #[must_use]
    pub fn calls() -> Options {
        Options { hot: 200_000 }
    }

    /// For whole programs of the console, most of which runs little: start-up and waiting.
    #[must_use]
    pub fn console() -> Options {
        Options { hot: 4_000 }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options { hot: 1_000 }
    }
}

/// Counts of a recompiler's work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Regions compiled.
    pub regions: u64,
    /// Guest instructions in them.
    pub instructions: u64,
    /// Bytes of host code.
    pub bytes: u64,
    /// Regions discarded because their code has changed.
    pub discarded: u64,
    /// Regions that could not be compiled.
    pub refused: u64,
    /// Calls from compiled code to the bus and the interpreter.
    pub calls: u64,
    /// Time spent compiling.
    pub time: Duration,
    /// Instructions that compiled code has run.
    pub executed: u64,
    /// Entries from the interpreter into compiled code.
    pub entries: u64,
    /// Blocks that the interpreter has offered and runs itself.
    pub declined: u64,
    /// Jumps from one region directly to another.
    pub hops: u64,
    /// Exits from compiled code to the interpreter.
    pub exits: Exits,
}

/// Counts of exits from compiled code to the interpreter, by their reasons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exits {
    /// The run is nearly over: the next event is due.
    pub limit: u64,
    /// A device wants attention, or code was written.
    pub attention: u64,
    /// The code that follows is not compiled.
    pub cold: u64,
    /// An operation that compiled code does not do, or an access that only the interpreter can make.
    pub operation: u64,
    /// The instruction may have changed the mode; most continue in compiled code.
    pub mode: u64,
}

/// The host is not supported; the text says why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the recompiler does not run on this host: {0}")]
pub struct Unsupported(pub(crate) String);
