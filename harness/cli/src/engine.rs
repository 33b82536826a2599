//! Which implementation of the kernels draws.

use crate::cpu_engine;
use anyhow::{Result, bail};
use clap::ValueEnum;
use sh4_kernels::{Kernels, Reference};
use verify::{Checked, Emulated, Failed, Metered};

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
    /// A new instance; with `cycles` one that times every call.
    pub(crate) fn start(self, cycles: bool) -> Result<Running> {
        Ok(match (self, cycles) {
            (Self::Reference, false) => Running::Reference(Reference),
            (Self::Reference, true) => {
                bail!("--cycles asks what the SH4 needs: use --kernels sh4 or checked")
            }
            (Self::Sh4, false) => Running::Sh4(emulated()?),
            (Self::Sh4, true) => Running::Metered(Metered::new()?),
            (Self::Checked, false) => Running::Checked(emulated()?.into()),
            (Self::Checked, true) => Running::CheckedMetered(Metered::new()?.into()),
        })
    }
}

/// The emulated SH4, which compiles what has run for long.
fn emulated() -> Result<Emulated> {
    let mut emulated = Emulated::new()?;
    cpu_engine::Engine::Auto.prepare_calls(emulated.machine_mut())?;
    Ok(emulated)
}

/// An instance of an [`Engine`].
#[derive(Debug)]
pub(crate) enum Running {
    Reference(Reference),
    Sh4(Emulated),
    Checked(Checked),
    Metered(Metered),
    CheckedMetered(Checked<Metered>),
}

impl Running {
    pub(crate) fn kernels(&mut self) -> &mut dyn Kernels {
        match self {
            Self::Reference(kernels) => kernels,
            Self::Sh4(kernels) => kernels,
            Self::Checked(kernels) => kernels,
            Self::Metered(kernels) => kernels,
            Self::CheckedMetered(kernels) => kernels,
        }
    }

    /// What was timed, if it was.
    pub(crate) fn metered(&self) -> Option<&Metered> {
        match self {
            Self::Metered(metered) => Some(metered),
            Self::CheckedMetered(checked) => Some(checked.candidate()),
            Self::Reference(_) | Self::Sh4(_) | Self::Checked(_) => None,
        }
    }

    /// The call that differed, if one did.
    pub(crate) fn failed(&self) -> Option<&Failed> {
        match self {
            Self::Checked(checked) => checked.failed(),
            Self::CheckedMetered(checked) => checked.failed(),
            Self::Reference(_) | Self::Sh4(_) | Self::Metered(_) => None,
        }
    }
}
