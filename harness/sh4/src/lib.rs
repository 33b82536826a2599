//! The SH-4 CPU: one instruction table, decode, execute, disassemble.
//!
//! [`Cpu`] owns the registers and accesses memory through a [`Bus`]. [`decode`] turns an opcode into an
//! operation, and `exec` executes it. Both are generated from [`TABLE`](table::TABLE). The crate contains no
//! machine, no timing and no file format. A cycle model observes the CPU as an [`Observer`].
//!
//! ```
//! use sh4::{Cpu, Settings, Stop, flat::FlatBus};
//!
//! let mut bus = FlatBus::new(0x0C00_0000, 0x1000);
//! bus.load(0x0C00_0000, &[0x01, 0xE0, 0x02, 0x70, 0x1B, 0x00]); // mov #1,r0; add #2,r0; sleep
//! let mut cpu = Cpu::new(Settings::default());
//! cpu.pc = 0x8C00_0000;
//! let run = cpu.run(&mut bus, None, 100, &mut ());
//! assert_eq!((run.stop, run.executed, cpu.r[0]), (Stop::Sleep, 3, 3));
//! ```
//!
//! Source: SH7750 hardware manual. Where it is silent or contradicts itself, a setting in [`Settings`]
//! selects the behaviour, and docs/hardware/sh4.md lists the evidence.

pub mod accelerate;
mod block;
mod bus;
mod context;
mod counters;
mod cpu;
pub mod debug;
mod decode;
mod direction;
mod disasm;
mod dispatch;
mod enter;
mod exception;
mod exec;
pub mod flat;
mod memory;
mod mmu;
mod observer;
mod onchip;
mod run;
mod settings;
mod stop;
pub mod table;
mod tap;
mod translated;
mod translation;
mod traps;
pub mod ubc;
pub mod watch;
mod watched;

pub use crate::settings::{
    DoublesOnly, Exceptions, InexactTrap, MacLongSaturation, MacWordFlag, OddSign, Settings, SinglesOnly,
    SubTrapSign, TrapSumBias, UrcBoundary,
};
pub use bus::{Bus, BusError, CacheOperation, Interrupt, MarkedMemory, OnChipRam, TimedRead, Window};
pub use counters::PerformanceSource;
pub use cpu::{Cpu, FPSCR_MASK, SR_MASK, fpscr, sr};
pub use decode::{Mode, Op, decode};
pub use direction::Direction;
pub use disasm::disassemble;
pub use exception::{Event, Reset, Taken};
pub use mmu::{Mmu, MmuRegister, TlbEntry, TlbException};
pub use observer::{Access, Observer, Retired, RetiredBlock, enabled};
pub use run::Run;
pub use stop::{CauseText, Fault, FaultKind, Stop};
#[doc(hidden)]
pub use translation::Translation;
