//! The sound block's ARM7 as a processor of the verifier.
//!
//! [`Arm7`] is a CPU core with 2 MiB of sound RAM at 0, the sound chip's registers from 00800000 on
//! ([`SoundRegisters`]), and a program from an ELF file. It implements [`Processor`](crate::Processor). A run
//! has limits, and ends with a [`Stop`] that gives the reason. An instruction of a later architecture stops
//! the run, with its name and address.
//!
//! [`ARM7`] is the target for the verifier. It runs the built-in kernels (`roms/aica.elf`) and the kernels of
//! users' programs.

mod abi;
mod call;
mod disasm;
mod elf;
mod engine;
mod kernels;
mod memory;
mod sound_registers;
mod stop;
mod target;

pub use disasm::disassemble;
pub use elf::{ProgramError, parse};
pub use engine::{Arm7, Halt};
pub use kernels::{KERNELS, adpcm_decode, mix_stereo, resample_linear, ring_copy};
pub use sound_registers::{Access, Recorder, SoundRegisters};
pub use stop::Stop;
pub use target::ARM7;
