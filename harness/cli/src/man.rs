//! `swirl man`: writes manual pages.

use crate::exit::ExitStatus;
use crate::output;
use anyhow::{Context, Result};
use clap::Command;
use std::path::PathBuf;

/// Write manual pages into a folder: swirl.1, and swirl-VERB.1 for each verb.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    swirl man ~/.local/share/man/man1\n  \
    swirl man pages && man ./pages/swirl-run.1")]
pub(crate) struct Args {
    /// Folder for the pages.
    folder: PathBuf,
}

pub(crate) fn run(args: &Args, mut command: Command) -> Result<ExitStatus> {
    command.build();
    let is_listed = |verb: &&Command| !verb.is_hide_set();
    let verbs: Vec<Command> = command.get_subcommands().filter(is_listed).cloned().collect();
    let pages = verbs.len();
    write(args, "swirl.1", command)?;
    for verb in verbs.into_iter().filter(|verb| verb.get_name() != "help") {
        let name = format!("swirl-{}", verb.get_name());
        write(args, &format!("{name}.1"), verb.disable_help_subcommand(true))?;
    }
    println!("{}: {pages} pages", args.folder.display());
    Ok(ExitStatus::Done)
}

fn write(args: &Args, name: &str, command: Command) -> Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .with_context(|| name.to_owned())?;
    output::write(&args.folder.join(name), &page)
}
