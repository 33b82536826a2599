//! The ARM7 as a target of the verifier.

use verify::{OpenError, Rom, Target};

use crate::{Arm7, KERNELS, parse};

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
        let refused = |why: String| OpenError::Refused(why);
        let image = parse(elf).map_err(|error| refused(error.to_string()))?;
        let arm7 = Arm7::new(image).map_err(|error| refused(error.to_string()))?;
        Ok(Box::new(arm7))
    },
};
