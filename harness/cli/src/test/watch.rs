//! `--watch`: repeats the cases whenever a file changes. Polls times and sizes of files, which works on every
//! system.

use super::{Args, cases, run_once};
use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Polling interval.
const PAUSE: Duration = Duration::from_millis(300);
/// Maximum depth of folders, and maximum number of files to poll.
const MOST: (usize, usize) = (16, 100_000);

type Files = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Runs the cases until the process ends.
pub(super) fn run(args: &Args, given: GivenOptions<'_>) -> Result<ExitStatus> {
    loop {
        let before = files(args);
        crate::output::begin_again();
        if let Err(error) = run_once(args, given) {
            eprintln!("swirl: {error:#}");
        }
        eprintln!("watching {} for changes; Ctrl-C ends", args.directory.display());
        crate::console::flush();
        // A change during the run also starts the next run.
        while files(args) == before {
            std::thread::sleep(PAUSE);
        }
    }
}

/// Returns the files that the cases depend on, except files that a run writes.
fn files(args: &Args) -> Files {
    let reports = [&args.html, &args.junit, &args.markdown, &args.contact_sheet]
        .into_iter()
        .flatten();
    let written: Vec<PathBuf> = reports
        .chain([&args.out])
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let mut found = Files::new();
    add(&args.directory, 0, &written, &mut found);
    for path in cases(args).iter().flatten().flat_map(super::case::Case::paths) {
        add(&path, 0, &written, &mut found);
    }
    found
}

fn add(path: &Path, depth: usize, written: &[PathBuf], found: &mut Files) {
    let Ok(about) = std::fs::metadata(path) else {
        return;
    };
    if depth > MOST.0 || found.len() >= MOST.1 || is_written(path, written) {
        return;
    }
    if !about.is_dir() {
        found.insert(path.to_owned(), (about.modified().ok(), about.len()));
        return;
    }
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        add(&entry.path(), depth + 1, written, found);
    }
}

fn is_written(path: &Path, written: &[PathBuf]) -> bool {
    path.canonicalize().is_ok_and(|path| written.contains(&path))
}
