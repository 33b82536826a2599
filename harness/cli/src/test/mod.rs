//! `swirl test`: directories of regression cases.

mod case;
mod diff;
mod font;
mod kinds;
mod sheet;

use crate::chip::Chip;
use crate::{Outcome, junit, output};
use anyhow::{Context, Result, bail};
use case::Case;
use kinds::Verdict;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Run the regression cases below a directory.
///
/// A case is a directory with a scene.txt (a scene for the PowerVR2 as text and its picture, frame.png) or with a
/// case.toml that says what it is. Frames must be equal to the expected ones in every pixel, unless the case allows
/// some to differ. Each failure is one line with the command that runs it alone; the expected, actual and differing
/// pixels are written side by side below --out.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    swirl test tests/data/pvr\n  \
    swirl test tests/data/pvr --contact-sheet out.png --junit report.xml\n  \
    swirl test tests/data/pvr/fog_table --update\n  \
    swirl test tests/data --shard 2/8 -j 4\n\n\
    case.toml:\n  kind = \"frame\"            # frame or scene\n  input = \"model.nj\"\n  \
    textures = [\"model.pvm\"]  # frame: else what lies beside the model\n  \
    frames = [0]               # of the motion\n  size = \"320x240\"\n  yaw = 30.0\n  pitch = 15.0\n  \
    kernels = \"checked\"        # reference, sh4 or checked\n  expect = \"expected\"       # folder of frame_0000.png ...\n  \
    max_different_pixels = 0\n  known_failure = false      # true: the case must fail")]
pub(crate) struct Args {
    /// A directory of cases, or a case.
    directory: PathBuf,
    /// Write what comes out as what is expected.
    #[arg(long)]
    update: bool,
    /// A picture of all frames with their names.
    #[arg(long, value_name = "PNG")]
    contact_sheet: Option<PathBuf>,
    /// A report for continuous integration.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Run the I-th of N parts of the cases, told by a hash of their paths.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Cases that run at the same time.
    #[arg(short, long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Where failing frames go.
    #[arg(long, value_name = "DIR", default_value = "target/regression")]
    out: PathBuf,
    #[command(flatten)]
    chip: Chip,
}

/// `I/N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shard {
    index: u64,
    of: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').map(|(i, n)| (i.parse(), n.parse()));
        match parts {
            Some((Ok(index), Ok(of))) if 1 <= index && index <= of => Ok(Self { index, of }),
            _ => Err("expected I/N with 1 <= I <= N, such as 2/8".to_owned()),
        }
    }
}

impl Shard {
    /// Whether a case is of this part: FNV-1a of its path, so that it does not depend on the machine.
    fn takes(self, name: &str) -> bool {
        let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        // The low bits of FNV are poor in short names.
        (hash ^ hash >> 32) % self.of + 1 == self.index
    }
}

/// A case that was run.
struct Run {
    name: String,
    verdict: Verdict,
    time: Duration,
    frames: Vec<pvr::Image>,
    warnings: Vec<String>,
}

impl Run {
    fn reported(&self) -> junit::Case {
        junit::Case {
            name: self.name.clone(),
            outcome: match &self.verdict {
                Verdict::Passed | Verdict::Updated(_) => junit::Outcome::Passed,
                Verdict::Failed(reason) => junit::Outcome::Failed(reason.clone()),
                Verdict::Skipped(reason) => junit::Outcome::Skipped(reason.clone()),
            },
            time: Some(self.time),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let root = &args.directory;
    let mut cases = case::find(root)?;
    if cases.is_empty() {
        bail!("{}: no case.toml and no scene.txt below it", root.display());
    }
    if let Some(shard) = args.shard {
        cases.retain(|case| shard.takes(&case.name));
    }
    let runs = run_all(&cases, args);
    for run in &runs {
        for warning in &run.warnings {
            eprintln!("{}: warning: {warning}", run.name);
        }
        if let Some(line) = run.verdict.line() {
            println!("{}: {line}", run.name);
            if run.verdict.is_failure() {
                println!("    swirl test {}", root.join(&run.name).display());
            }
        }
    }
    if let Some(path) = &args.contact_sheet {
        let frames: Vec<(&str, &pvr::Image)> = runs
            .iter()
            .flat_map(|run| run.frames.iter().map(|frame| (run.name.as_str(), frame)))
            .collect();
        output::write_png(path, &sheet::contact_sheet(&frames))?;
    }
    if let Some(path) = &args.junit {
        junit::write(path, "swirl", &runs.iter().map(Run::reported).collect::<Vec<_>>())?;
    }
    let count = |what: fn(&Verdict) -> bool| runs.iter().filter(|run| what(&run.verdict)).count();
    let failed = count(Verdict::is_failure);
    println!(
        "{} cases: {} passed, {failed} failed, {} skipped, {} updated",
        runs.len(),
        count(|verdict| matches!(verdict, Verdict::Passed)),
        count(|verdict| matches!(verdict, Verdict::Skipped(_))),
        count(|verdict| matches!(verdict, Verdict::Updated(_))),
    );
    Ok(if failed == 0 {
        Outcome::Done
    } else {
        Outcome::CheckFailed
    })
}

/// Runs the cases on as many threads as asked for; the results stand in the order of the cases.
fn run_all(cases: &[Case], args: &Args) -> Vec<Run> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.clamp(1, 64) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let run = run_one(case, args);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push(run);
                }
            });
        }
    });
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
        frames: Vec::new(),
        warnings: Vec::new(),
    };
    run.verdict = match kinds::draw(case, &args.chip) {
        Err(error) => Verdict::Failed(format!("{error:#}")),
        Ok(kinds::Drawn::Skipped(reason)) => Verdict::Skipped(reason),
        Ok(kinds::Drawn::Frames { frames, warnings }) => {
            let verdict =
                judge(case, &frames, args).unwrap_or_else(|error| Verdict::Failed(format!("{error:#}")));
            run.frames = frames.into_iter().map(|(_, frame)| frame).collect();
            run.warnings = warnings;
            verdict
        }
    };
    run.verdict = run.verdict.with_known_failure(case.known_failure);
    run.time = start.elapsed();
    run
}

/// Compares or writes the expected frames.
fn judge(case: &Case, frames: &[(PathBuf, pvr::Image)], args: &Args) -> Result<Verdict> {
    let mut updated = 0;
    for (path, frame) in frames {
        let expected = match path.exists() {
            true => Some(output::read_png(path)?),
            false => None,
        };
        if args.update {
            if expected.as_ref() != Some(frame) {
                let folder = path.parent().unwrap_or(Path::new("."));
                std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
                output::write_png(path, frame)?;
                updated += 1;
            }
            continue;
        }
        let Some(expected) = expected else {
            return Ok(Verdict::Failed(format!(
                "{}: not there; --update makes it",
                path.display()
            )));
        };
        if let Some(difference) = diff::compare(&expected, frame, case.max_different_pixels) {
            let folder = args.out.join(&case.name);
            difference.write(&folder, path, &expected, frame)?;
            return Ok(Verdict::Failed(format!("{difference}; see {}", folder.display())));
        }
    }
    Ok(match updated {
        0 => Verdict::Passed,
        n => Verdict::Updated(n),
    })
}
