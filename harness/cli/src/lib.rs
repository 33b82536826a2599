//! The command `swirl`: one file a verb, and the demo for its bench.
//!
//! Exit status 0: done. 1: a check failed. 2: bad usage or bad input. Results go to standard output, progress and
//! warnings to standard error.

// First: its macros are for all that follow.
#[macro_use]
mod say;

mod assets;
mod call_file;
mod cells;
mod chip;
mod convert;
mod convert_export;
mod convert_fbx;
mod convert_ninja;
mod convert_texture;
mod costs;
mod cpu_engine;
mod demo;
mod disasm;
mod drawing;
mod engine;
mod film;
mod font;
mod frame;
mod frame_costs;
mod info;
mod input;
mod inspect;
mod junit;
mod motions;
mod output;
mod palettes;
mod pictures;
mod profile;
mod render;
mod run;
mod scenes;
mod screen;
mod shot;
mod subject;
mod targets;
mod test;
mod verify;
mod verify_elf;
mod view;
mod views;

pub use demo::{Demo, demo_model, demo_motions};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "swirl", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Demo(demo::Args),
    Info(info::Args),
    Convert(convert::Args),
    Render(Box<render::Args>),
    View(view::Args),
    Test(test::Args),
    Verify(verify::Args),
    Disasm(disasm::Args),
    PvrSettings(chip::Args),
    Run(run::Args),
    Profile(Box<profile::Args>),
}

/// Runs the command line.
#[must_use]
pub fn run() -> ExitCode {
    let matches = Cli::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|e| e.exit());
    let result = match cli.verb {
        Verb::Demo(args) => demo::run(&args),
        Verb::Info(args) => info::run(&args),
        Verb::Convert(args) => convert::run(&args, matches.subcommand_matches("convert").unwrap_or(&matches)),
        Verb::Render(args) => render::run(&args),
        Verb::View(args) => view::run(&args),
        Verb::Test(args) => test::run(&args),
        Verb::Verify(args) => verify::run(&args),
        Verb::PvrSettings(args) => chip::run(&args),
        Verb::Disasm(args) => disasm::run(&args),
        Verb::Run(args) => run::run(&args),
        Verb::Profile(args) => profile::run(&args),
    };
    let result = match say::finish() {
        Some(error) => result.and(Err(anyhow::anyhow!("standard output: {error}"))),
        None => result,
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::CheckFailed) => ExitCode::from(1),
        Err(error) => {
            eprintln!("swirl: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// What a verb that could do its work found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Everything in order.
    Done,
    /// A check failed: exit status 1.
    CheckFailed,
}

impl Outcome {
    /// Of checks.
    fn of(passed: bool) -> Self {
        if passed {
            Outcome::Done
        } else {
            Outcome::CheckFailed
        }
    }
}
