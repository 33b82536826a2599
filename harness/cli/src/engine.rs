//! Which implementation of the kernels draws.

use anyhow::Result;
use clap::ValueEnum;
use sh4_kernels::{Kernels, Reference};
use verify::{Checked, Emulated};

/// `--kernels`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The Rust references.
    #[default]
    Reference,
    /// The SH4 assembly, in the emulated SH4.
    Sh4,
    /// Both, every result compared bit for bit; the first difference ends the command with status 1.
    Checked,
}

impl Engine {
    /// A new instance.
    pub(crate) fn start(self) -> Result<Box<dyn Kernels>> {
        Ok(match self {
            Self::Reference => Box::new(Reference),
            Self::Sh4 => Box::new(Emulated::new()?),
            Self::Checked => Box::new(Checked::new()?),
        })
    }
}
