//! `--engine`: the engine that runs SH4 code.

use anyhow::{Result, bail};
use clap::ValueEnum;
use dreamcast::Dreamcast;
use machine::Machine;
use sh4_recompiler::{Options, Recompiler};
use verify::{Emulated, Processor};

/// `--engine`. Both come to the same state and the same counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CpuEngine {
    /// The recompiler where it runs, else the interpreter. Calls of kernels, which are short, are compiled
    /// once interpreting them has taken several times as long as compiling would.
    #[default]
    Auto,
    /// The interpreter.
    Interpreter,
    /// What runs often is compiled for this host.
    Recompiler,
}

impl CpuEngine {
    /// Sets up a console. `direct` says whether its CPU sees memory without a cache. The recompiler needs
    /// that.
    pub(crate) fn prepare_console(self, console: &mut Dreamcast, direct: bool) -> Result<()> {
        match (self, direct) {
            (CpuEngine::Interpreter, _) | (CpuEngine::Auto, false) => return Ok(()),
            (CpuEngine::Recompiler, false) => bail!("--engine recompiler knows no caches: --caches coherent"),
            _ => {}
        }
        match Recompiler::new(Options::console()) {
            Ok(recompiler) => console.accelerate(Box::new(recompiler)),
            Err(_) if self == CpuEngine::Auto => {}
            Err(why) => bail!(why),
        }
        Ok(())
    }

    /// The same for a machine that runs kernels.
    pub(crate) fn prepare_calls(self, machine: &mut Machine) -> Result<()> {
        let options = match self {
            CpuEngine::Interpreter => return Ok(()),
            CpuEngine::Auto => Options::calls(),
            CpuEngine::Recompiler => Options::default(),
        };
        match Recompiler::new(options) {
            Ok(recompiler) => machine.accelerate(Box::new(recompiler)),
            Err(_) if self == CpuEngine::Auto => {}
            Err(why) => bail!(why),
        }
        Ok(())
    }

    /// The same for the processor that runs kernels; one that is none of ours stays as it is.
    pub(crate) fn prepare_kernels(self, emulated: &mut Emulated<dyn Processor>) -> Result<()> {
        match emulated.processor_mut().machine() {
            Some(machine) => self.prepare_calls(machine),
            None => Ok(()),
        }
    }
}
