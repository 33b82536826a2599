//! Cases that are what another verb does: the command runs itself in the case's folder.

use crate::test::case::Case;
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::process::{Command, Output};

/// A command line of `swirl`.
pub(super) struct Verb {
    command: Command,
    line: String,
}

impl Verb {
    pub(super) fn new(case: &Case, verb: &str) -> Result<Self> {
        let program = std::env::current_exe().context("the path of this program")?;
        let mut command = Command::new(program);
        command.arg(verb).current_dir(&case.folder);
        Ok(Self {
            command,
            line: format!("swirl {verb}"),
        })
    }

    /// Adds a word.
    pub(super) fn arg(&mut self, word: impl AsRef<OsStr>) -> &mut Self {
        self.line += &format!(" {}", word.as_ref().display());
        self.command.arg(word);
        self
    }

    /// Adds an option and its value, if there is one.
    pub(super) fn option(&mut self, name: &str, value: Option<impl AsRef<OsStr>>) -> &mut Self {
        match value {
            Some(value) => self.arg(name).arg(value),
            None => self,
        }
    }

    /// Exit status, standard output and standard error.
    pub(super) fn output(mut self) -> Result<Output> {
        self.command.output().context("this program cannot run itself")
    }

    /// Standard output, if the exit status is 0; else an error with what was printed.
    pub(super) fn run(mut self) -> Result<(Vec<u8>, Vec<String>)> {
        let Output {
            status,
            stdout,
            stderr,
        } = self.command.output().context("this program cannot run itself")?;
        let warnings = String::from_utf8_lossy(&stderr);
        if !status.success() {
            let found = String::from_utf8_lossy(&stdout);
            bail!("{}: {status}\n{found}{warnings}", self.line);
        }
        Ok((stdout, warnings.lines().map(str::to_owned).collect()))
    }
}
