//! `swirl completions`: completion scripts for shells.

use crate::exit::ExitStatus;
use anyhow::Result;
use clap::Command;
use clap_complete::Shell;

/// Print a shell script that completes verbs, options and their values.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    swirl completions bash > ~/.local/share/bash-completion/completions/swirl\n  \
    swirl completions zsh > ~/.zfunc/_swirl\n  \
    swirl completions fish > ~/.config/fish/completions/swirl.fish")]
pub(crate) struct Args {
    /// Shell to print the script for.
    shell: Shell,
}

pub(crate) fn run(args: &Args, mut command: Command) -> Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "swirl", &mut script);
    crate::console::write_data(&script);
    Ok(ExitStatus::Done)
}
