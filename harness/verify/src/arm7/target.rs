//! The ARM7 as a target of the verifier.

use crate::{OpenError, Rom, Target};

use super::{Arm7, KERNELS, parse};

/// The ARM7 as a target of the verifier.
pub const ARM7: Target = Target {
    name: "ARM7",
    machine: 40,
    kernels: KERNELS,
    rom: Rom {
        name: "roms/aica.elf",
        bytes: roms::AICA_ELF,
    },
    open: |elf| {
        let refused = |why: String| OpenError::Refused(why);
        let image = parse(elf).map_err(|error| refused(error.to_string()))?;
        let arm7 = Arm7::new(image).map_err(|error| refused(error.to_string()))?;
        Ok(Box::new(arm7))
    },
};
