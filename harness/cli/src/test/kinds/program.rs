//! Checks whole programs: runs `swirl run`, and compares exit code, console text, pictures and cycles.

use super::verb::Verb;
use super::{CaseOutput, Kind, budget};
use crate::output;
use crate::plural::plural;
use crate::setting_options::SetOptions;
use crate::test::artifact::{Artifact, Content};
use crate::test::case::{Case, File, MakeTarget};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

pub(super) const KIND: Kind = Kind {
    name: "program",
    keys: &[
        "input",
        "make",
        "script",
        "state",
        "limit",
        "exit_code",
        "console",
        "contains",
        "frames",
        "end_picture",
        "audio",
        "audio_tolerance",
        "silent",
        "max",
        "checks",
        "options",
        "max_different_pixels",
        "budget",
    ],
    run,
};

/// Default limit in frames: one minute.
const FRAMES: u64 = 3600;
/// Maximum number of lines of the program's text in a failure.
const LINES: usize = 10;
/// Lock for `make`, which must not run in parallel, although cases do.
static MAKING: Mutex<()> = Mutex::new(());

fn run(case: &Case, _: &SetOptions) -> Result<CaseOutput> {
    if let Some(make) = &case.file.make {
        build(case, make)?;
    }
    let pictures = tempfile::tempdir().context("a temporary folder")?;
    let (result, mut warnings) = run_program(case, pictures.path())?;
    let problems = [
        check_end(case, &result),
        check_text(case, &result),
        check_cycles(case, &result),
        check_rules(&result),
        check_silence(case, &result),
    ];
    let problems: Vec<String> = problems
        .into_iter()
        .filter_map(|checked| checked.err().map(|problem| format!("{problem:#}")))
        .collect();
    if !problems.is_empty() {
        return Ok(CaseOutput {
            warnings,
            problem: Some(format!("{}\n{}", problems.join("\n"), last_lines(&result))),
            screen: output::read_png(&pictures.path().join(SCREEN)).ok(),
            ..CaseOutput::default()
        });
    }
    let folder = case.expect("expected");
    let artifacts = artifacts(case, &folder, pictures.path(), &result)?;
    let budgets = match &case.file.budget {
        Some(_) if case.file.state.is_some() => {
            bail!("budget: found state, expected none: a state file has no cycle model")
        }
        Some(budget) => {
            let (budgets, more) = budget::measure(case, budget)?;
            warnings.extend(more);
            budgets
        }
        None => Vec::new(),
    };
    Ok(CaseOutput {
        folder: (!artifacts.is_empty()).then_some(folder),
        artifacts,
        warnings,
        budgets,
        ..CaseOutput::default()
    })
}

/// Name of the sound file.
const SOUND: &str = "sound.wav";
/// Name of the picture of the screen at the end.
const SCREEN: &str = "end.png";

fn build(case: &Case, make: &MakeTarget) -> Result<()> {
    let _alone = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let line = format!("make -C {} {}", make.folder.display(), make.target);
    let output = Command::new("make")
        .arg("-C")
        .arg(&make.folder)
        .arg(&make.target)
        .current_dir(&case.folder)
        .output()
        .with_context(|| line.clone())?;
    if !output.status.success() {
        let text = [output.stdout, output.stderr].concat();
        bail!("{line}: {}\n{}", output.status, String::from_utf8_lossy(&text));
    }
    Ok(())
}

/// Returns the frames of the case, as whole numbers.
fn frames(case: &Case) -> Result<Vec<u64>> {
    let frames = case.file.frames.clone().unwrap_or_default();
    let whole = |frame: f32| match frame {
        1.0..=16_777_216.0 if frame.fract() == 0.0 => Ok(frame as u64),
        _ => bail!("frames: found {frame}, expected whole numbers from 1 on"),
    };
    frames.into_iter().map(whole).collect()
}

fn picture_name(frame: u64) -> String {
    format!("frame_{frame:04}.png")
}

/// Returns the rules that the program must not break, as for `--deny`. By default all.
fn denied(file: &File) -> Option<String> {
    match &file.checks {
        None => Some("all".to_owned()),
        Some(rules) => Some(rules.list().join(",")).filter(|rules| !rules.is_empty()),
    }
}

/// Runs the program and returns the result as JSON, and the warnings.
fn run_program(case: &Case, pictures: &Path) -> Result<(Value, Vec<String>)> {
    let file = &case.file;
    let mut verb = Verb::new(case, "run")?;
    verb.arg(case.input()?).arg("--json");
    verb.option("--input", file.script.as_ref());
    verb.option("--load-state", file.state.as_ref());
    let limit = file.limit.clone().unwrap_or_default();
    let (few, seconds) = (limit.frames, limit.seconds);
    let few = few.or(seconds.is_none().then_some(FRAMES));
    verb.option("--frames", few.map(|frames| frames.to_string()));
    verb.option("--seconds", seconds.map(|seconds| seconds.to_string()));
    for frame in frames(case)? {
        let path = pictures.join(picture_name(frame));
        verb.arg("--screenshot")
            .arg(format!("{frame}={}", path.display()));
    }
    verb.arg("--screenshot")
        .arg(format!("end={}", pictures.join(SCREEN).display()));
    let hears = file.audio.is_some() || file.silent.is_some();
    verb.option("--audio", hears.then(|| pictures.join(SOUND)));
    verb.option("--deny", denied(file));
    for word in &file.options {
        verb.arg(word);
    }
    let output = verb.output()?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let Ok(result) = serde_json::from_slice(&output.stdout) else {
        bail!("swirl run: {}\n{told}", output.status);
    };
    Ok((result, told.lines().map(str::to_owned).collect()))
}

fn text<'a>(result: &'a Value, key: &str) -> &'a str {
    result[key].as_str().unwrap_or_default()
}

/// Returns the last lines that the program printed.
fn last_lines(result: &Value) -> String {
    let console: Vec<&str> = text(result, "console").lines().collect();
    let lines = console[console.len().saturating_sub(LINES)..].join("\n    ");
    format!("the program's last lines:\n    {lines}")
}

/// Checks the end of the run: the exit code, or a limit if the case states no exit code.
fn check_end(case: &Case, result: &Value) -> Result<()> {
    let (ended, code) = (text(result, "ended"), result["exit_code"].as_i64());
    let expected = case.file.exit_code;
    let is_right = match code {
        Some(code) => code == i64::from(expected.unwrap_or(0)),
        None => expected.is_none() && matches!(ended, "reached" | "text" | "sleep" | "menu" | "reset"),
    };
    if is_right {
        return Ok(());
    }
    let found = match code {
        Some(code) => format!("exit code {code}"),
        None => format!("{ended} {}", text(result, "fault")),
    };
    let trace = back_trace(result);
    let expected = expected.map_or("an exit code of 0 or the limit".to_owned(), |code| {
        format!("exit code {code}")
    });
    bail!("found {}, expected {expected}{trace}", found.trim_end())
}

/// Returns the functions and lines of a back-trace.
fn back_trace(result: &Value) -> String {
    let frames = result["failure"]["frames"].as_array();
    let line = |frame: &Value| {
        let place = frame["places"]
            .as_array()
            .and_then(|places| places.last())
            .cloned();
        let place = place.unwrap_or_default();
        let at = place["file"]
            .as_str()
            .map(|file| format!(" {file}:{}", place["line"]));
        format!(
            "\n    {} {}{}",
            text(frame, "address"),
            text(frame, "symbol"),
            at.unwrap_or_default()
        )
    };
    frames.map_or_else(String::new, |frames| frames.iter().map(line).collect())
}

fn check_text(case: &Case, result: &Value) -> Result<()> {
    let console = text(result, "console");
    match case
        .file
        .contains
        .iter()
        .find(|wanted| !console.contains(wanted.as_str()))
    {
        Some(missing) => bail!("the program did not print {missing:?}{}", lost_text(result)),
        None => Ok(()),
    }
}

/// Describes the part of the text that was not searched, if any.
fn lost_text(result: &Value) -> String {
    result["console_lost"].as_u64().map_or_else(String::new, |lost| {
        format!(
            " in its last text ({lost} bytes before it are lost; options = [\"--until\", TEXT] searches \
            all)"
        )
    })
}

fn check_cycles(case: &Case, result: &Value) -> Result<()> {
    let cycles = result["cycles"].as_u64().unwrap_or(0);
    match case.file.max {
        Some(max) if cycles > max => bail!("{cycles} cycles, expected at most {max}"),
        _ => Ok(()),
    }
}

/// Checks that no rule of the checks is broken.
fn check_rules(result: &Value) -> Result<()> {
    let reports = result["checks"]["reports"].as_array();
    let denied: Vec<String> = reports
        .into_iter()
        .flatten()
        .filter(|report| report["denied"] == true)
        .map(report_text)
        .collect();
    match denied.is_empty() {
        true => Ok(()),
        false => bail!(
            "{} of the checks (`swirl checks` explains the rules; options = [\"--allow\", \"RULE@FUNCTION\"] \
            ignores one, checks = [] all):{}",
            plural(denied.len(), "report"),
            denied.concat()
        ),
    }
}

/// Checks whether the sound is silent as expected.
fn check_silence(case: &Case, result: &Value) -> Result<()> {
    match (case.file.silent, result["audio"]["silent"].as_bool()) {
        (Some(expected), Some(found)) if expected != found => {
            let found = if found { "silence" } else { "sound" };
            bail!("found {found}, expected silent = {expected}")
        }
        _ => Ok(()),
    }
}

/// Formats a report of the checks in two lines.
fn report_text(report: &Value) -> String {
    let place = &report["place"];
    let line = place["file"]
        .as_str()
        .map(|file| format!(" {file}:{}", place["line"]));
    format!(
        "\n    {} at {} {}{}\n      {}",
        text(report, "rule"),
        text(place, "address"),
        text(place, "symbol"),
        line.unwrap_or_default(),
        text(report, "detail")
    )
}

fn artifacts(case: &Case, folder: &Path, pictures: &Path, result: &Value) -> Result<Vec<Artifact>> {
    let mut artifacts = Vec::new();
    for frame in frames(case)? {
        let made: PathBuf = pictures.join(picture_name(frame));
        if !made.exists() {
            bail!("frame {frame}: the program ended at frame {}", result["frames"]);
        }
        artifacts.push(Artifact {
            path: folder.join(picture_name(frame)),
            content: Content::Picture {
                image: output::read_png(&made)?,
                allowed: case.file.max_different_pixels,
            },
        });
    }
    if case.file.end_picture {
        artifacts.push(Artifact {
            path: folder.join(SCREEN),
            content: Content::Picture {
                image: output::read_png(&pictures.join(SCREEN))?,
                allowed: case.file.max_different_pixels,
            },
        });
    }
    if let Some(audio) = &case.file.audio {
        let bytes = crate::input::read(&pictures.join(SOUND))?;
        artifacts.push(Artifact {
            path: case.folder.join(audio),
            content: Content::Sound {
                samples: aica::wav::parse(&bytes).context("the sound of swirl run")?,
                tolerance: case.file.audio_tolerance,
            },
        });
    }
    if case.file.console {
        artifacts.push(Artifact {
            path: folder.join("console.txt"),
            content: Content::Bytes(text(result, "console").as_bytes().to_vec()),
        });
    }
    Ok(artifacts)
}
