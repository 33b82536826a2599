//! The ROM with the kernels.

use machine::{ElfError, Image};
use thiserror::Error;

/// `roms/kernels.elf`, as `roms/build.sh` makes it from `sh4-kernels/asm`.
pub const KERNELS_ELF: &[u8] = include_bytes!("../../../roms/kernels.elf");

/// Why the ROM cannot be used.
#[derive(Debug, Error)]
pub enum RomError {
    /// The file is damaged.
    #[error("roms/kernels.elf: {0}")]
    Elf(#[from] ElfError),
    /// It does not fit the machine.
    #[error("roms/kernels.elf: {0}")]
    Memory(#[from] machine::MemoryError),
    /// A kernel of the manifest is not in it.
    #[error("roms/kernels.elf: no symbol {0}; run roms/build.sh")]
    Symbol(&'static str),
}

/// The ROM's image, with every kernel of the manifest in it.
pub(crate) fn image() -> Result<Image, RomError> {
    let image = Image::parse(KERNELS_ELF)?;
    for kernel in sh4_kernels::KERNELS {
        if image.symbols.address(kernel.symbol).is_none() {
            return Err(RomError::Symbol(kernel.symbol));
        }
    }
    Ok(image)
}
