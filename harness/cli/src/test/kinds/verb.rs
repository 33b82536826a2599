//! Runs cases of other verbs: the command executes itself in the case's folder.

use crate::test::again::quoted;
use crate::test::case::Case;
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::io::Read;
use std::process::{Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Polling interval for a running command.
const PAUSE: Duration = Duration::from_millis(5);

/// A command line of `swirl` to run in the case's folder.
pub(super) struct Verb {
    command: Command,
    line: String,
    limit: Duration,
    /// Shell command that changes to this folder.
    enter: String,
}

impl Verb {
    pub(super) fn new(case: &Case, verb: &str) -> Result<Self> {
        let program = std::env::current_exe().context("the path of this program")?;
        let mut command = Command::new(program);
        command.arg(verb).current_dir(&case.folder);
        Ok(Self {
            command,
            line: format!("swirl {verb}"),
            limit: case.time_limit,
            enter: format!("cd {} && ", quoted(case.folder.as_os_str())),
        })
    }

    /// Adds a word.
    pub(super) fn arg(&mut self, word: impl AsRef<OsStr>) -> &mut Self {
        self.line += &format!(" {}", quoted(word.as_ref()));
        self.command.arg(word);
        self
    }

    /// Adds an option if it has a value.
    pub(super) fn option(&mut self, name: &str, value: Option<impl AsRef<OsStr>>) -> &mut Self {
        match value {
            Some(value) => self.arg(name).arg(value),
            None => self,
        }
    }

    /// Returns exit status, standard output and standard error.
    pub(super) fn output(&mut self) -> Result<Output> {
        let failed = "this program cannot run itself";
        let piped = self
            .command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = piped.spawn().context(failed)?;
        let readers = (child.stdout.take().map(all_of), child.stderr.take().map(all_of));
        let deadline = Instant::now() + self.limit;
        let status = loop {
            if let Some(status) = child.try_wait().context(failed)? {
                break Some(status);
            }
            if Instant::now() >= deadline {
                child.kill().context(failed)?;
                child.wait().context(failed)?;
                break None;
            }
            std::thread::sleep(PAUSE);
        };
        let text = |reader: Option<JoinHandle<Vec<u8>>>| reader.and_then(|reader| reader.join().ok());
        let (stdout, stderr) = (text(readers.0), text(readers.1));
        let (stdout, stderr) = (stdout.unwrap_or_default(), stderr.unwrap_or_default());
        match status {
            Some(status) => Ok(Output {
                status,
                stdout,
                stderr,
            }),
            None => bail!(
                "{}{}: stopped after {} s (--time-limit)\n{}{}",
                self.enter,
                self.line,
                self.limit.as_secs(),
                String::from_utf8_lossy(&stdout),
                String::from_utf8_lossy(&stderr)
            ),
        }
    }

    /// Returns standard output if the exit status is 0, else an error with the printed text.
    pub(super) fn run(mut self) -> Result<(Vec<u8>, Vec<String>)> {
        let Output {
            status,
            stdout,
            stderr,
        } = self.output()?;
        let warnings = String::from_utf8_lossy(&stderr);
        if !status.success() {
            let found = String::from_utf8_lossy(&stdout);
            let told = commands_from(&self.enter, &format!("{found}{warnings}"));
            bail!("{}{}: {status}\n{told}", self.enter, self.line);
        }
        Ok((stdout, warnings.lines().map(str::to_owned).collect()))
    }
}

/// Reads a pipe to its end on another thread, so that the command never waits for a reader.
fn all_of(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // On an error, the bytes read before it are used.
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

/// Inserts `enter` before each line that is a command.
fn commands_from(enter: &str, text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let command = line.trim_start();
        let indent = &line[..line.len() - command.len()];
        let before = if command.starts_with("swirl ") { enter } else { "" };
        format!("{indent}{before}{command}")
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn commands_begin_in_the_folder() {
        let text = "wrong\n  swirl verify --seed 1\nswirls\n";
        let expected = "wrong\n  cd a && swirl verify --seed 1\nswirls\n";
        assert_eq!(super::commands_from("cd a && ", text), expected);
    }
}
