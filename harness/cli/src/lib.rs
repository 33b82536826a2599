//! The command `swirl`: a folder or file per verb, modules that verbs share, and the demo for its benchmark.
//!
//! Exit status 0: done. 1: a check failed. 2: bad usage or bad input. Results go to standard output, progress
//! and warnings to standard error.

// Comes first, because its macros are in scope only for modules after it.
#[macro_use]
mod console;

// Modules that verbs share.
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
mod part;
mod plural;
mod processors;
mod progress;
mod setting_options;
mod signals;
mod sources;
pub mod untrusted;

// Verbs.
mod completions;
mod convert;
mod demo;
mod disasm;
mod info;
mod limits;
mod man;
mod profile;
mod render;
mod run;
mod settings;
mod test;
mod truth;
mod verify;
mod view;

pub use demo::{Demo, demo_cells, demo_model, demo_motions, demo_textures};

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "swirl", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Run(run::Args),
    Test(test::Args),
    Verify(verify::Args),
    Profile(Box<profile::Args>),
    Disasm(disasm::Args),
    Info(info::Args),
    Convert(convert::Args),
    Render(Box<render::Args>),
    View(view::Args),
    Demo(demo::Args),
    Truth(truth::Args),
    Checks(run::checks::ListArgs),
    Settings(settings::Args),
    ConsoleSettings(settings::OldArgs),
    PvrSettings(settings::OldArgs),
    PlaySettings(settings::OldArgs),
    Limits(limits::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Verb {
    /// Returns the paths of a verb's input files, in which `-` stands for standard input.
    fn inputs(&mut self) -> Vec<&mut PathBuf> {
        match self {
            Verb::Info(args) => vec![&mut args.file],
            Verb::Convert(args) => args.inputs_mut().iter_mut().collect(),
            Verb::Render(args) => vec![&mut args.file],
            Verb::View(args) => vec![&mut args.file],
            Verb::Run(args) => vec![&mut args.program],
            Verb::Truth(args) => args.inputs_mut(),
            _ => Vec::new(),
        }
    }

    /// Gives outputs on standard output an extension, and reserves standard output for them.
    fn resolve_outputs(&mut self) -> Result<()> {
        let on_standard_output = match self {
            Verb::Convert(args) => args.resolve_output()?,
            Verb::Render(args) => args.resolve_output(),
            Verb::Demo(args) => args.resolve_output(),
            _ => false,
        };
        if on_standard_output {
            console::keep_for_file();
        }
        Ok(())
    }

    fn resolve(&mut self) -> Result<()> {
        // Updated cases replace files that this command has read.
        if matches!(self, Verb::Test(_)) {
            output::allow_replacing();
        }
        self.inputs().into_iter().try_for_each(input::resolve)?;
        self.resolve_outputs()
    }
}

/// Returns the matches of the verb, which show the given options.
fn own(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, own)| own)
}

/// Runs the command line.
#[must_use]
pub fn run() -> ExitCode {
    let matches = Cli::command().get_matches();
    let mut cli = Cli::from_arg_matches(&matches).unwrap_or_else(|e| e.exit());
    signals::install();
    let result = cli.verb.resolve().and_then(|()| dispatch(&cli.verb, &matches));
    let result = match result {
        Err(error) if error.is::<console::BrokenPipe>() => Ok(exit::ExitStatus::Done),
        result => result,
    };
    let result = match console::finish() {
        Some(error) => result.and(Err(anyhow::anyhow!("standard output: {error}"))),
        None => result,
    };
    exit::code(result)
}

fn dispatch(verb: &Verb, matches: &ArgMatches) -> Result<exit::ExitStatus> {
    let own = own(matches);
    match verb {
        Verb::Demo(args) => demo::run(args),
        Verb::Info(args) => info::run(args),
        Verb::Convert(args) => convert::run(args, own),
        Verb::Render(args) => render::run(args, own),
        Verb::View(args) => view::run(args, own),
        Verb::Test(args) => test::run(args, own),
        Verb::Verify(args) => verify::run(args, own),
        Verb::Settings(args) => settings::run(args),
        Verb::ConsoleSettings(args) => settings::run_old("console", args),
        Verb::PvrSettings(args) => settings::run_old("pvr", args),
        Verb::PlaySettings(args) => settings::run_old("play", args),
        Verb::Limits(args) => limits::run(args),
        Verb::Disasm(args) => disasm::run(args, own),
        Verb::Run(args) => run::run(args, own),
        Verb::Profile(args) => profile::run(args, own),
        Verb::Checks(args) => run::checks::list(args),
        Verb::Truth(args) => truth::run(args),
        Verb::Completions(args) => completions::run(args, Cli::command()),
        Verb::Man(args) => man::run(args, Cli::command()),
    }
}

/// Parses the words after `swirl`, for tests of documentation. Unless `whole` is set, required arguments can
/// be missing.
///
/// # Errors
/// Returns the first line of clap's message.
pub fn check_command_line(words: &[String], whole: bool) -> std::result::Result<(), String> {
    let all = std::iter::once("swirl").chain(words.iter().map(String::as_str));
    match Cli::command().try_get_matches_from(all) {
        Ok(_) => Ok(()),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(()),
            ErrorKind::MissingRequiredArgument | ErrorKind::TooFewValues if !whole => Ok(()),
            // An option whose value is omitted.
            ErrorKind::InvalidValue if !whole && error.to_string().contains("a value is required") => Ok(()),
            _ => Err(error.to_string().lines().next().unwrap_or_default().to_owned()),
        },
    }
}

/// Returns the verbs with the texts that follow their help, which contain examples.
#[must_use]
pub fn help_examples() -> Vec<(String, String)> {
    let command = Cli::command();
    let verbs = command.get_subcommands();
    let examples =
        |verb: &clap::Command| Some((verb.get_name().to_owned(), verb.get_after_help()?.to_string()));
    verbs.filter_map(examples).collect()
}

/// Returns the listed verbs with their long help texts, for tests of the wording.
#[must_use]
pub fn help_texts() -> Vec<(String, String)> {
    let mut command = Cli::command();
    let verbs = command.get_subcommands_mut().filter(|verb| !verb.is_hide_set());
    let texts = verbs.map(|verb| (verb.get_name().to_owned(), verb.render_long_help().to_string()));
    texts.collect()
}
