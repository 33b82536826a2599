//! `--engine`: the engine that runs SH4 code.

use anyhow::{Result, bail};
use clap::ValueEnum;
use dreamcast::Dreamcast;
use machine::Machine;
use sh4_recompiler::{Options, Recompiler};
use verify::{Emulated, Processor};

/// `--engine`. Both engines give the same state and counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CpuEngine {
    /// Recompiler if the host supports it, else interpreter. Compiles a kernel only after interpreting it has
    /// taken several times as long as compiling, because kernel calls are short.
    #[default]
    Auto,
    /// Interpreter.
    Interpreter,
    /// Recompiler: compiles frequent code for the host.
    Recompiler,
}

impl CpuEngine {
    /// Sets up a console. `direct` states that the CPU accesses memory without a cache, which the recompiler
    /// requires.
    pub(crate) fn prepare_console(self, console: &mut Dreamcast, direct: bool) -> Result<()> {
        match (self, direct) {
            (CpuEngine::Interpreter, _) | (CpuEngine::Auto, false) => return Ok(()),
            (CpuEngine::Recompiler, false) => bail!(
                "--engine recompiler needs --caches coherent: compiled \
                code has no caches"
            ),
            _ => {}
        }
        match Recompiler::new(Options::console()) {
            Ok(recompiler) => console.accelerate(Box::new(recompiler)),
            Err(_) if self == CpuEngine::Auto => {}
            Err(why) => bail!(why),
        }
        Ok(())
    }

    /// Sets up a machine that runs kernels.
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

    /// Sets up a processor that runs kernels. Processors without an emulated machine stay unchanged.
    pub(crate) fn prepare_kernels(self, emulated: &mut Emulated<dyn Processor>) -> Result<()> {
        match emulated.processor_mut().machine() {
            Some(machine) => self.prepare_calls(machine),
            None => Ok(()),
        }
    }
}
