//! Which engine runs the emulated SH4's code.

use anyhow::{Result, bail};
use clap::ValueEnum;
use machine::Machine;
use sh4_recompiler::{Options, Recompiler};
use verify::{Emulated, Processor};

/// `--engine`. Both come to the same state and the same counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The recompiler where it runs, else the interpreter.
    #[default]
    Auto,
    /// The interpreter.
    Interpreter,
    /// What runs often is compiled for this host.
    Recompiler,
}

impl Engine {
    /// Sets the machine up. `direct` says whether the CPU sees memory without a cache, which the recompiler needs.
    pub(crate) fn prepare(self, machine: &mut Machine, direct: bool) -> Result<()> {
        match (self, direct) {
            (Engine::Interpreter, _) | (Engine::Auto, false) => return Ok(()),
            (Engine::Recompiler, false) => bail!("--engine recompiler knows no caches: --caches coherent"),
            _ => {}
        }
        match Recompiler::new(Options::default()) {
            Ok(recompiler) => machine.accelerate(Box::new(recompiler)),
            Err(why) if self == Engine::Auto => eprintln!("swirl: note: {why}; interpreting"),
            Err(why) => bail!(why),
        }
        Ok(())
    }

    /// The same for the machine that runs kernels; a processor that is none of ours stays as it is.
    pub(crate) fn prepare_kernels(self, emulated: &mut Emulated<dyn Processor>) -> Result<()> {
        match emulated.processor_mut().machine() {
            Some(machine) => self.prepare(machine, true),
            None => Ok(()),
        }
    }
}
