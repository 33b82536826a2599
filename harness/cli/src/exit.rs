//! The exit status of a verb: 0 done, 1 a check failed, 2 bad usage or bad input.

use std::process::ExitCode;

/// Result of a verb that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// No check failed: 0.
    Done,
    /// A check failed: 1.
    CheckFailed,
}

impl ExitStatus {
    /// Returns the status of a verb that checks something.
    pub(crate) fn of(passed: bool) -> Self {
        if passed {
            ExitStatus::Done
        } else {
            ExitStatus::CheckFailed
        }
    }
}

/// Prints the error of a verb that could not run to its end, and returns the process's exit code.
pub(crate) fn code(result: anyhow::Result<ExitStatus>) -> ExitCode {
    match result {
        Ok(ExitStatus::Done) => ExitCode::SUCCESS,
        Ok(ExitStatus::CheckFailed) => ExitCode::from(1),
        Err(error) => {
            eprintln!("swirl: {error:#}");
            ExitCode::from(2)
        }
    }
}
