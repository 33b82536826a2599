//! `swirl verify`: kernels and routines of programs against their references.

mod args;
mod cycles;
mod elf;
mod kernels;

pub(crate) use args::Args;

use crate::exit::ExitStatus;
use crate::kernel_call;
use anyhow::Result;

pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    if let (Some(elf), Some(spec)) = (&args.elf, &args.spec) {
        return elf::run(args, elf, spec);
    }
    if let Some(path) = &args.call {
        return kernel_call::run(path);
    }
    kernels::run(args)
}
