//! Supported processors of programs.

use crate::input;
use anyhow::{Context, Result};

use std::path::Path;
use verify::arm7::ARM7;
use verify::{Rom, Target};

/// All targets.
pub(crate) static TARGETS: [Target; 2] = [verify::SH4, ARM7];

/// A file with kernels of this project that replaces the built-in image.
pub(crate) struct RomFile {
    pub(crate) target: &'static Target,
    name: String,
    bytes: Vec<u8>,
}

impl RomFile {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let bytes = input::read(path)?;
        // e_machine follows the 16 bytes of e_ident and e_type.
        let machine = bytes
            .get(18..20)
            .map(|half| u16::from_le_bytes([half[0], half[1]]));
        let target = TARGETS.iter().find(|target| Some(target.machine) == machine);
        let target = target.with_context(|| format!("{name}: no ELF file for the SH4 or the ARM7"))?;
        Ok(Self { target, name, bytes })
    }

    pub(crate) fn rom(&self) -> Rom<'_> {
        Rom {
            name: &self.name,
            bytes: &self.bytes,
        }
    }
}

/// `e_machine` of ARM files.
pub(crate) const EM_ARM: u16 = 40;
