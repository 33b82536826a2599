//! Compiles SH-4 code to host code: an accelerator for the interpreter in `sh4`.
//!
//! The interpreter defines all results. A *region* is a set of decoded blocks connected by direct branches.
//! The recompiler compiles hot regions. Compiled code keeps guest registers in host registers and accesses
//! memory directly. Before an operation that it does not implement, it exits to the interpreter. Exceptions,
//! faults and counts therefore have one implementation.
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
    /// Average number of times that the interpreter runs each instruction of a region before the region is
    /// compiled. Compiling one instruction takes as long as interpreting several thousand.
    pub hot: u32,
}

impl Options {
    /// Options for short calls of functions. A region is compiled once interpreting it has taken several
    /// times as long as compiling it would.
    #[must_use]
    pub fn calls() -> Options {
        Options { hot: 200_000 }
    }

    /// Options for whole programs of the console. Most of their code is start-up code, which runs rarely.
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
    /// Guest instructions in compiled regions.
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
    /// Instructions executed by compiled code.
    pub executed: u64,
    /// Entries from the interpreter into compiled code.
    pub entries: u64,
    /// Blocks that the recompiler left to the interpreter.
    pub declined: u64,
    /// Direct jumps between regions.
    pub hops: u64,
    /// Exits from compiled code to the interpreter.
    pub exits: Exits,
}

/// Counts of exits from compiled code to the interpreter, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exits {
    /// The next event is due within the next blocks.
    pub limit: u64,
    /// A device has changed the next event or an interrupt request, or code was written.
    pub attention: u64,
    /// The next block is not compiled.
    pub cold: u64,
    /// The next operation or access is left to the interpreter.
    pub operation: u64,
    /// An instruction may have changed the CPU mode. Most such exits continue in another region.
    pub mode: u64,
}

/// Reason for which the recompiler does not support this host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the recompiler does not run on this host: {0}")]
pub struct Unsupported(pub(crate) String);
