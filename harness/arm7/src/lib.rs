//! The ARM7 of the Dreamcast's sound block: an ARM7DI, which is ARMv3.
//!
//! `cpu` is the interpreter: the core with a [`cpu::Bus`] around it, with cycles and interrupts. It needs
//! nothing else.
//!
//! The feature `programs` (on by default) adds what runs and checks single programs. [`Arm7`] is a core with
//! 2 MiB of sound RAM at 0, the sound chip's registers from 00800000 on as [`SoundRegisters`], a program from
//! an ELF file, and a run with limits and named [`Stop`]s. It implements `verify::Processor`; [`ARM7`] makes
//! it a target of the verifier for its own kernels (`roms/aica.elf`) and those of users' programs. Such a run
//! refuses instructions that later architectures added, by name and address.
//!
//! The feature `unicorn` adds nothing to the library. It builds the Unicorn engine (GPL-2.0; needs cmake, a C
//! compiler and libclang) for the test that compares the interpreter with it.

pub mod cpu;

#[cfg(feature = "programs")]
mod abi;
#[cfg(feature = "programs")]
pub mod armv3;
#[cfg(feature = "programs")]
mod call;
#[cfg(feature = "programs")]
mod disasm;
#[cfg(feature = "programs")]
mod elf;
#[cfg(feature = "programs")]
mod engine;
#[cfg(feature = "programs")]
mod kernels;
#[cfg(feature = "programs")]
mod memory;
#[cfg(feature = "programs")]
mod sound_registers;
#[cfg(feature = "programs")]
mod target;

#[cfg(feature = "programs")]
pub use {
    disasm::disassemble,
    elf::{ProgramError, parse},
    engine::{Arm7, Halt, Stop},
    kernels::{KERNELS, adpcm_decode, mix_stereo, resample_linear, ring_copy},
    sound_registers::{Access, Recorder, SoundRegisters},
    target::ARM7,
};
