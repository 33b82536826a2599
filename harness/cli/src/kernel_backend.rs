//! `--kernels`: selects the implementation of the kernels.

use crate::cpu_engine::CpuEngine;
use anyhow::{Result, bail};
use clap::ValueEnum;
use sh4_kernels::{Kernels, Reference};
use verify::{Checked, Emulated, Failed, Metered};

/// `--kernels`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum KernelBackend {
    /// Rust references.
    #[default]
    Reference,
    /// SH4 assembly in the emulated SH4.
    Sh4,
    /// Both implementations, compared bit for bit. The first difference ends the command with status 1.
    Checked,
}

impl KernelBackend {
    /// Creates an instance. With `cycles`, it times every call.
    pub(crate) fn start(self, cycles: bool) -> Result<RunningBackend> {
        Ok(match (self, cycles) {
            (Self::Reference, false) => RunningBackend::Reference(Reference),
            (Self::Reference, true) => {
                bail!("--cycles counts SH4 cycles: use --kernels sh4 or checked")
            }
            (Self::Sh4, false) => RunningBackend::Sh4(emulated()?),
            (Self::Sh4, true) => RunningBackend::Metered(Metered::new()?),
            (Self::Checked, false) => RunningBackend::Checked(emulated()?.into()),
            (Self::Checked, true) => RunningBackend::CheckedMetered(Metered::new()?.into()),
        })
    }
}

/// Creates an emulated SH4 that compiles frequent code.
fn emulated() -> Result<Emulated> {
    let mut emulated = Emulated::new()?;
    CpuEngine::Auto.prepare_calls(emulated.machine_mut())?;
    Ok(emulated)
}

/// An instance of a [`KernelBackend`].
#[derive(Debug)]
pub(crate) enum RunningBackend {
    Reference(Reference),
    Sh4(Emulated),
    Checked(Checked),
    Metered(Metered),
    CheckedMetered(Checked<Metered>),
}

impl RunningBackend {
    pub(crate) fn kernels(&mut self) -> &mut dyn Kernels {
        match self {
            Self::Reference(kernels) => kernels,
            Self::Sh4(kernels) => kernels,
            Self::Checked(kernels) => kernels,
            Self::Metered(kernels) => kernels,
            Self::CheckedMetered(kernels) => kernels,
        }
    }

    /// Returns the timed costs, if calls were timed.
    pub(crate) fn metered(&self) -> Option<&Metered> {
        match self {
            Self::Metered(metered) => Some(metered),
            Self::CheckedMetered(checked) => Some(checked.candidate()),
            Self::Reference(_) | Self::Sh4(_) | Self::Checked(_) => None,
        }
    }

    /// Returns the first call with a difference.
    pub(crate) fn failed(&self) -> Option<&Failed> {
        match self {
            Self::Checked(checked) => checked.failed(),
            Self::CheckedMetered(checked) => checked.failed(),
            Self::Reference(_) | Self::Sh4(_) | Self::Metered(_) => None,
        }
    }
}

/// Returns whether SH4 and reference disagreed. This is a failed check, not bad input.
pub(crate) fn is_mismatch(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let cause = cause.downcast_ref::<player::Error>();
        cause.is_some_and(|cause| cause.mismatch().is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;
    use scene::SceneError;
    use sh4_kernels::{KernelError, Mismatch};

    #[test]
    fn a_difference_is_told_from_bad_input_through_all_its_context() {
        let at = |cause| SceneError::At {
            node: 1,
            offset: 52,
            list: "plist",
            chunk: 2,
            cause: Box::new(cause),
        };
        let wrap = |error: SceneError| {
            let result: player::Result<()> = Err(error.into());
            result
                .context("NJCM, model 0")
                .context("file.nj")
                .expect_err("an error")
        };
        let mismatch = Mismatch {
            kernel: "sincos",
            call: 3,
            argument: 2,
            name: "out",
            index: 1,
            reference: 1,
            candidate: 2,
        };
        let error = wrap(at(SceneError::Kernel(KernelError::Mismatch(mismatch))));
        assert!(is_mismatch(&error));
        let text = format!("{error:#}");
        assert_eq!(text.matches("sincos").count(), 1, "{text}");
        assert!(text.contains("node 1 at 0x34, plist chunk 2"), "{text}");
        assert!(!is_mismatch(&wrap(at(SceneError::EmptySlot { slot: 7 }))));
    }
}
