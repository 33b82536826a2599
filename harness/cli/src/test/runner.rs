//! Runs cases and compares their output.

use super::args::Args;
use super::artifact::{Artifact, Change};
use super::case::{self, BudgetResult, Case, CaseOutput};
use crate::progress::Progress;
use crate::{junit, output};
use anyhow::{Context, Result, anyhow};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Result of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    Failed(String),
    /// Number of expected files that were written or removed, or would be.
    Updated(usize),
}

impl Verdict {
    /// Inverts the verdict of a known failure, which must fail.
    fn with_known_failure(self, known: bool) -> Self {
        match (known, self) {
            (true, Self::Failed(_)) => Self::Passed,
            (true, Self::Passed) => Self::Failed("a known failure passes: remove known_failure".to_owned()),
            (_, verdict) => verdict,
        }
    }
}

/// A case with its result.
pub(super) struct Run {
    pub(super) name: String,
    pub(super) verdict: Verdict,
    pub(super) time: Duration,
    /// Screen at the end of a failed program.
    pub(super) screen: Option<pvr::Image>,
    /// Differences from the expected output.
    pub(super) changes: Vec<Change>,
    pub(super) frames: Vec<pvr::Image>,
    pub(super) warnings: Vec<String>,
    /// Measurements with their budgets.
    pub(super) budgets: Vec<BudgetResult>,
}

impl Run {
    pub(super) fn failed(&self) -> bool {
        matches!(self.verdict, Verdict::Failed(_))
    }

    pub(super) fn reported(&self) -> junit::Case {
        junit::Case {
            name: self.name.clone(),
            outcome: match &self.verdict {
                Verdict::Passed | Verdict::Updated(_) => junit::CaseResult::Passed,
                Verdict::Failed(reason) => junit::CaseResult::Failed(reason.clone()),
            },
            time: Some(self.time),
        }
    }
}

/// Runs the cases on the requested number of threads. Returns results in the order of the cases.
pub(super) fn run_all(cases: &[Case], args: &Args) -> Vec<Run> {
    let progress = Progress::new(cases.len() as u64);
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.clamp(1, 64) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let run = run_one(case, args);
                    progress.tick(&case.name);
                    stop.fetch_or(args.fail_fast && run.failed(), Ordering::Relaxed);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push(run);
                }
            });
        }
    });
    progress.finish();
    let mut runs = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    runs.sort_by(|a, b| a.name.cmp(&b.name));
    runs
}

fn run_one(case: &Case, args: &Args) -> Run {
    let start = Instant::now();
    let mut run = Run {
        name: case.name.clone(),
        verdict: Verdict::Passed,
        time: Duration::ZERO,
        screen: None,
        changes: Vec::new(),
        frames: Vec::new(),
        warnings: Vec::new(),
        budgets: Vec::new(),
    };
    let made = match &case.problem {
        Some(problem) => Err(anyhow!("{problem}")),
        None => (case.kind.run)(case, &args.play.chip),
    };
    let verdict = made.and_then(|made| judge(case, made, args, &mut run));
    run.verdict = verdict
        .unwrap_or_else(|error| Verdict::Failed(format!("{error:#}")))
        .with_known_failure(case.file.known_failure);
    run.time = start.elapsed();
    run
}

/// Compares the output with the expected one, or stores it.
fn judge(case: &Case, made: CaseOutput, args: &Args, run: &mut Run) -> Result<Verdict> {
    run.warnings = made.warnings;
    run.budgets = made.budgets;
    let out = case::below(&args.out, &case.name);
    if let Some(problem) = made.problem {
        let shown = match &made.screen {
            Some(screen) => {
                let path = out.join("screen.png");
                std::fs::create_dir_all(&out).with_context(|| format!("{}", out.display()))?;
                output::write_png(&path, screen)?;
                format!("\nthe screen at the end: {}", path.display())
            }
            None => String::new(),
        };
        run.screen = made.screen;
        return Ok(Verdict::Failed(format!("{problem}{shown}")));
    }
    let stale = stale(made.folder.as_deref(), &made.artifacts)?;
    for artifact in &made.artifacts {
        let Some(change) = artifact.change(args.updates())? else {
            continue;
        };
        run.changes.push(change);
        if args.update {
            artifact.accept()?;
        } else if !args.updates() {
            artifact.keep(&out)?;
        }
    }
    run.frames = made
        .artifacts
        .iter()
        .filter_map(|artifact| artifact.picture().cloned())
        .collect();
    for change in stale {
        if args.update {
            std::fs::remove_file(&change.path).with_context(|| format!("{}", change.path.display()))?;
        }
        run.changes.push(change);
    }
    let exceeded: Vec<String> = run
        .budgets
        .iter()
        .filter(|figure| figure.exceeded())
        .map(over)
        .collect();
    if !exceeded.is_empty() {
        return Ok(Verdict::Failed(exceeded.join("; ")));
    }
    Ok(match &run.changes[..] {
        [] => Verdict::Passed,
        changes if args.updates() => Verdict::Updated(changes.len()),
        [first, rest @ ..] => Verdict::Failed(failure(first, rest.len(), &out)),
    })
}

/// Describes a measurement over its budget.
fn over(figure: &BudgetResult) -> String {
    format!(
        "{}: {}, the budget is {}",
        figure.name, figure.found, figure.budget
    )
}

fn failure(first: &Change, more: usize, out: &Path) -> String {
    let file = first.path.file_name().unwrap_or_default().display();
    let more = match more {
        0 => String::new(),
        1 => " (and 1 other file)".to_owned(),
        n => format!(" (and {n} other files)"),
    };
    format!("{file}: {}{more}; see {}", first.what, out.display())
}

/// Returns expected files that no case produces.
fn stale(folder: Option<&Path>, artifacts: &[Artifact]) -> Result<Vec<Change>> {
    let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
        return Ok(Vec::new());
    };
    let names = output::files(folder)?.into_iter();
    let paths = names.map(|name| folder.join(name));
    Ok(paths
        .filter(|path| artifacts.iter().all(|artifact| artifact.path != *path))
        .map(|path| Change {
            path,
            what: "expected, but the run did not write it; --update removes it from the expected files"
                .to_owned(),
            pictures: None,
            sounds: None,
        })
        .collect())
}
