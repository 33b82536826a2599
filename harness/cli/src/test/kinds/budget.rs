//! Checks budgets of a program's frames: runs `swirl profile --frames` and compares each measurement with its
//! limit.

use super::verb::Verb;
use crate::profile::program::measurements::Measurements;
use crate::test::case::{Budget, BudgetResult, Case};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;

/// Returns the measurements that the case's budget limits, and the profile's warnings.
pub(super) fn measure(case: &Case, budget: &Budget) -> Result<(Vec<BudgetResult>, Vec<String>)> {
    let limits = limits(budget);
    if limits.is_empty() && budget.functions.is_empty() {
        bail!("budget: found only frames, expected at least one limit");
    }
    let mut verb = Verb::new(case, "profile")?;
    verb.option("--elf", Some(case.input()?))
        .option("--frames", Some(&budget.frames))
        .option("--input", case.file.script.as_ref())
        .option("--files", files(&case.file.options)?)
        .arg("--json");
    let (json, warnings) = verb.run()?;
    let json: Value = serde_json::from_slice(&json).context("the report of profile")?;
    let ended = json["ended"].as_str();
    if let Some(ended) = ended {
        bail!(
            "budget: the program ended before the last of frames {}: {ended}",
            budget.frames
        );
    }
    let found = Measurements::of(&json).context("the report of profile")?;
    let measure = |(name, limit, value): &(&str, u64, fn(&Measurements) -> u64)| BudgetResult {
        name: (*name).to_owned(),
        found: value(&found),
        budget: *limit,
    };
    let mut measured: Vec<BudgetResult> = limits.iter().map(measure).collect();
    for (name, limit) in &budget.functions {
        let Some(function) = found.function(name) else {
            bail!("budget: no function {name} ran in frames {}", budget.frames);
        };
        measured.push(BudgetResult {
            name: format!("{name}, cycles in a frame"),
            found: function.most_in_frame,
            budget: *limit,
        });
    }
    Ok((measured, warnings))
}

type Measure = fn(&Measurements) -> u64;
type Limit = (&'static str, u64, Measure);

/// Returns the given limits, except those for functions.
fn limits(budget: &Budget) -> Vec<Limit> {
    let all: [(&str, Option<u64>, Measure); 5] = [
        ("cycles of work in a frame", budget.frame_cycles, |found| {
            found.heaviest
        }),
        ("missed frames", budget.missed_frames, |found| found.missed_frames),
        (
            "bytes to the tile accelerator in a frame",
            budget.ta_bytes,
            |found| found.ta_bytes,
        ),
        ("bytes of RAM in use", budget.ram_bytes, |found| found.ram_bytes),
        ("bytes of video memory in use", budget.vram_bytes, |found| {
            found.vram_bytes
        }),
    ];
    let given = all.into_iter();
    given
        .filter_map(|(name, limit, value)| Some((name, limit?, value)))
        .collect()
}

/// Returns the folder of `--files` in the options of run. `swirl profile` has no other option of `swirl run`.
fn files(options: &[String]) -> Result<Option<&OsStr>> {
    match options {
        [] => Ok(None),
        [name, folder] if name == "--files" => Ok(Some(Path::new(folder).as_os_str())),
        _ => bail!(
            "budget: found options = [{}], expected none or [\"--files\", DIR]: swirl profile --frames has \
            no other options of swirl run",
            options.join(", ")
        ),
    }
}
