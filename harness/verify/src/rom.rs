//! The ROMs with the kernels.

use thiserror::Error;

use crate::processor::{OpenError, Processor, Rom, Target};

/// `roms/kernels.elf`, built by `roms/build.sh` from `sh4-kernels/asm`.
pub const KERNELS_ELF: &[u8] = roms::KERNELS_ELF;

/// The reason why a ROM cannot be used.
#[derive(Debug, Error)]
pub enum RomError {
    /// The file is damaged, or does not fit the machine.
    #[error("{0}: {1}")]
    Open(String, OpenError),
    /// The ROM lacks a kernel of the manifest.
    #[error("{0}: no symbol {1}; run roms/build.sh")]
    Symbol(String, &'static str),
}

/// Checks that the ROM has every kernel of the target's manifest.
pub(crate) fn check<P: Processor + ?Sized>(
    target: &Target,
    rom: &Rom<'_>,
    processor: &P,
) -> Result<(), RomError> {
    let missing = |symbol: &&str| processor.symbols().address(symbol).is_none();
    match target.kernels.iter().map(|kernel| kernel.symbol).find(missing) {
        None => Ok(()),
        Some(symbol) => Err(RomError::Symbol(rom.name.to_owned(), symbol)),
    }
}
