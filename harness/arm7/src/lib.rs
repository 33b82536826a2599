//! The ARM7 of the Dreamcast's sound block, on the Unicorn engine.
//!
//! `Arm7` is the machine: 2 MiB of sound RAM at 0, the AICA's registers from 00800000 on as an `Aica`, a program
//! from an ELF file, and a run with limits and named `Stop`s. It implements `verify::Processor`, so that
//! `ARM7` makes it a target of the verifier: its own kernels (`roms/aica.elf`) and those of users' programs.
//!
//! The chip's core is an ARM7DI: ARMv3. Unicorn's nearest model is the SA-1100 (ARMv4), so `armv3` looks at every
//! instruction before it runs and refuses what an ARMv3 does not have or what the model gets wrong, and word
//! transfers at unaligned addresses are done here, as the chip does them.
//!
//! Everything stands behind the feature `unicorn`, which is off by default: the engine needs cmake, a C compiler and
//! libclang to build, and it is licensed under the GPL-2.0, which then holds for the whole binary.
#![cfg(feature = "unicorn")]

mod abi;
mod aica;
pub mod armv3;
mod call;
mod disasm;
mod elf;
mod engine;
mod kernels;
mod transfer;

pub use aica::{Access, Aica, Recorder};
pub use disasm::disassemble;
pub use elf::{ProgramError, parse};
pub use engine::{Arm7, Halt, Stop};
pub use kernels::{KERNELS, adpcm_decode, mix_stereo, resample_linear, ring_copy};

use verify::{OpenError, Rom, Target};

/// `roms/aica.elf`, as `roms/build.sh` makes it from `roms/src/arm7`.
pub const AICA_ELF: &[u8] = include_bytes!("../../../roms/aica.elf");

/// The ARM7 as a target of the verifier.
pub const ARM7: Target = Target {
    name: "ARM7",
    machine: 40,
    kernels: KERNELS,
    rom: Rom {
        name: "roms/aica.elf",
        bytes: AICA_ELF,
    },
    open: |elf| {
        let image = parse(elf).map_err(|error| OpenError::Refused(error.to_string()))?;
        let arm7 = Arm7::new(image).map_err(OpenError::Refused)?;
        Ok(Box::new(arm7))
    },
};
