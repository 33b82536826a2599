//! `swirl verify`: kernels and routines of programs against their references.

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
    effects(args, GivenOptions(matches))?;
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
            "{}: --elf needs --spec FILE; swirl verify --scaffold {} SYMBOL > FILE writes a first one",
            elf.display(),
            elf.display()
        );
    }
    if let Some(path) = &args.call {
        return kernel_call::run(path);
    }
    kernels::run(args)
}

/// Options of running cases.
const CASES: [&str; 6] = ["cases", "seed", "time_limit", "engine", "jobs", "part"];

fn effects(args: &Args, given: GivenOptions<'_>) -> Result<()> {
    given.refuse(
        args.scaffold.is_some(),
        &CASES,
        "on --scaffold, which runs nothing",
    )?;
    given.refuse(!args.merge.is_empty(), &CASES, "on --merge, which runs nothing")?;
    given.refuse(args.list, &CASES, "on --list, which runs nothing")?;
    given.refuse(
        args.call.is_some(),
        &CASES,
        "on --call, which is one call with its inputs",
    )?;
    given.refuse(
        args.call.is_some(),
        &["json", "junit"],
        "on --call, which prints one line",
    )?;
    given.refuse(
        args.elf.is_some(),
        &["engine"],
        "on --elf: the interpreter runs its functions",
    )
}

/// Prints a first specification.
fn scaffold(elf: &Path, symbol: &Path) -> Result<ExitStatus> {
    let text = user::scaffold(&input::read(elf)?, &symbol.to_string_lossy(), &TARGETS);
    print!("{}", text.with_context(|| elf.display().to_string())?);
    Ok(ExitStatus::Done)
}
