//! The command `swirl`: a folder or file for each verb, modules that verbs share, and the demo for its bench.
//!
//! Exit status 0: done. 1: a check failed. 2: bad usage or bad input. Results go to standard output, progress
//! and warnings to standard error.

// First, because its macros are in scope only for modules that follow.
#[macro_use]
mod console;

// Shared by verbs.
mod assets;
mod cpu_engine;
mod effects;
mod exit;
mod font;
mod frame;
mod input;
mod junit;
mod kernel_backend;
mod kernel_call;
mod output;
mod plural;
mod processors;
mod progress;
mod pvr_options;
mod switch_listing;

// Verbs.
mod console_settings;
mod convert;
mod demo;
mod disasm;
mod info;
mod play_settings;
mod profile;
mod pvr_settings;
mod render;
mod run;
mod test;
mod verify;
mod view;

pub use demo::{Demo, demo_model, demo_motions};

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
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
    PvrSettings(pvr_settings::Args),
    PlaySettings(play_settings::Args),
    ConsoleSettings(console_settings::Args),
    Run(run::Args),
    Profile(Box<profile::Args>),
    Checks(run::checks::ListArgs),
}

/// The matches of the verb: they tell which options the command line holds.
fn own(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, own)| own)
}

/// Runs the command line.
#[must_use]
pub fn run() -> ExitCode {
    let matches = Cli::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|e| e.exit());
    let result = match cli.verb {
        Verb::Demo(args) => demo::run(&args),
        Verb::Info(args) => info::run(&args),
        Verb::Convert(args) => convert::run(&args, own(&matches)),
        Verb::Render(args) => render::run(&args, own(&matches)),
        Verb::View(args) => view::run(&args, own(&matches)),
        Verb::Test(args) => test::run(&args, own(&matches)),
        Verb::Verify(args) => verify::run(&args, own(&matches)),
        Verb::PvrSettings(args) => pvr_settings::run(&args),
        Verb::PlaySettings(args) => play_settings::run(&args),
        Verb::ConsoleSettings(args) => console_settings::run(&args),
        Verb::Disasm(args) => disasm::run(&args, own(&matches)),
        Verb::Run(args) => run::run(&args, own(&matches)),
        Verb::Profile(args) => profile::run(&args, own(&matches)),
        Verb::Checks(args) => run::checks::list(&args),
    };
    let result = match console::finish() {
        Some(error) => result.and(Err(anyhow::anyhow!("standard output: {error}"))),
        None => result,
    };
    exit::code(result)
}

/// Parses the words behind `swirl`, for tests of documentation. Unless the command is `whole`, it may leave
/// out required arguments.
///
/// # Errors
/// The first line of clap's message.
pub fn check_command_line(words: &[String], whole: bool) -> Result<(), String> {
    let all = std::iter::once("swirl").chain(words.iter().map(String::as_str));
    match Cli::command().try_get_matches_from(all) {
        Ok(_) => Ok(()),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(()),
            ErrorKind::MissingRequiredArgument | ErrorKind::TooFewValues if !whole => Ok(()),
            // An option without its value.
            ErrorKind::InvalidValue if !whole && error.to_string().contains("a value is required") => Ok(()),
            _ => Err(error.to_string().lines().next().unwrap_or_default().to_owned()),
        },
    }
}

/// The verbs with the texts behind their help, which hold examples.
#[must_use]
pub fn help_examples() -> Vec<(String, String)> {
    let command = Cli::command();
    let verbs = command.get_subcommands();
    let examples =
        |verb: &clap::Command| Some((verb.get_name().to_owned(), verb.get_after_help()?.to_string()));
    verbs.filter_map(examples).collect()
}
