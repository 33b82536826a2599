//! `swirl verify`: verifies kernels and routines of programs against their references.

mod args;
mod cycles;
mod elf;
mod elf_json;
mod elf_report;
mod kernels;
mod merge;

pub(crate) use args::Args;

use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use crate::processors::TARGETS;
use crate::{input, kernel_call};
use anyhow::{Context, Result, bail};
use clap::ArgMatches;
use std::path::Path;
use verify::user;

pub(crate) fn run(args: &Args, matches: &ArgMatches) -> Result<ExitStatus> {
    warn_unused(args, GivenOptions(matches));
    if !args.merge.is_empty() {
        return merge::run(args);
    }
    if let Some([elf, symbol]) = args.scaffold.as_deref() {
        return scaffold(elf, symbol);
    }
    if let (Some(elf), Some(spec)) = (&args.elf, &args.spec) {
        return elf::run(args, elf, spec);
    }
    if let Some(elf) = &args.elf {
        bail!(
            "{}: --elf needs --spec FILE; swirl verify --scaffold {} SYMBOL > FILE writes an initial one",
            elf.display(),
            elf.display()
        );
    }
    if let Some(path) = &args.call {
        return kernel_call::run(path);
    }
    kernels::run(args)
}

/// Options for running cases.
const CASES: [&str; 6] = ["cases", "seed", "time_limit", "engine", "jobs", "part"];

fn warn_unused(args: &Args, given: GivenOptions<'_>) {
    let runs_nothing = args.scaffold.is_some() || args.list || !args.merge.is_empty();
    given.warn(
        runs_nothing,
        &CASES,
        "on --scaffold, --list and --merge, which run no cases",
    );
    let is_call = args.call.is_some();
    given.warn(is_call, &CASES, "on --call, which is one call with its inputs");
    given.warn(is_call, &["json", "junit"], "on --call, which prints one line");
    let is_elf = args.elf.is_some();
    given.warn(
        is_elf,
        &["engine"],
        "on --elf: the interpreter runs its functions",
    );
}

/// Prints an initial specification.
fn scaffold(elf: &Path, symbol: &Path) -> Result<ExitStatus> {
    let text = user::scaffold(&input::read(elf)?, &symbol.to_string_lossy(), &TARGETS);
    print!("{}", text.with_context(|| elf.display().to_string())?);
    Ok(ExitStatus::Done)
}
