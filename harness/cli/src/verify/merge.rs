//! `swirl verify --merge`: builds the report of a run from the JSON of its parts.

use super::args::Args;
use super::{elf, kernels};
use crate::exit::ExitStatus;
use crate::{input, part};
use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Counts to sum.
const SUMS: [&str; 6] = [
    "cases",
    "failures",
    "mismatches",
    "out_of_bound",
    "instructions",
    "reference_instructions",
];

pub(super) fn run(args: &Args) -> Result<ExitStatus> {
    let mut reports = Vec::new();
    for path in &args.merge {
        let name = path.display().to_string();
        let report: Value = serde_json::from_str(&input::read_text(path)?).with_context(|| name.clone())?;
        reports.push((name, report));
    }
    part::complete(&mut reports, &["elf", "spec", "seed", "cases"])?;
    let mut reports = reports.into_iter();
    let Some((_, mut all)) = reports.next() else {
        bail!("--merge: no file");
    };
    for (name, next) in reports {
        add(&mut all, &next).with_context(|| name)?;
    }
    all["part"] = Value::Null;
    match all["elf"].is_string() {
        true => elf::show(args, &all),
        false => kernels::show(args, &all),
    }
}

/// Adds the next part.
fn add(all: &mut Value, next: &Value) -> Result<()> {
    let found = next["kernels"].as_array().context("found no `kernels`")?;
    let known = all["kernels"].as_array_mut().context("found no `kernels`")?;
    let key = |kernel: &Value| [kernel["name"].clone(), kernel["processor"].clone()];
    if known.iter().map(key).ne(found.iter().map(key)) {
        bail!("its kernels differ from the kernels of the first part");
    }
    known
        .iter_mut()
        .zip(found)
        .for_each(|(all, next)| add_kernel(all, next));
    Ok(())
}

fn add_kernel(all: &mut Value, next: &Value) {
    // A run ends when the reference fails, so later parts do not count.
    let stopped = all["stopped"].as_str().unwrap_or_default();
    if stopped.contains("reference failed") {
        return;
    }
    for key in SUMS {
        if let (Some(a), Some(b)) = (all[key].as_u64(), next[key].as_u64()) {
            all[key] = a.saturating_add(b).into();
        }
    }
    let larger = |a: &Value, b: &Value| b.as_f64() > a.as_f64();
    if larger(&all["worst_share_of_bound"], &next["worst_share_of_bound"]) {
        all["worst_share_of_bound"] = next["worst_share_of_bound"].clone();
    }
    if all["worst"].is_null() || larger(&all["worst"]["size"], &next["worst"]["size"]) {
        all["worst"] = next["worst"].clone();
    }
    if all["first_problem"].is_null() {
        all["first_problem"] = next["first_problem"].clone();
        all["again"] = next["again"].clone();
    }
    if all["stopped"].is_null() || all["stopped"] == false {
        all["stopped"] = next["stopped"].clone();
    }
    // Only kernels without a failed case have cycles.
    let wrong = ["failures", "mismatches", "out_of_bound"];
    match wrong.iter().all(|key| all[*key].as_u64().unwrap_or(0) == 0) {
        true if all["cycles"].is_null() => all["cycles"] = next["cycles"].clone(),
        true => {}
        false => all["cycles"] = Value::Null,
    }
    if let (Some(notes), Some(more)) = (all["notes"].as_array_mut(), next["notes"].as_array()) {
        let new = more
            .iter()
            .filter(|note| !notes.contains(note))
            .cloned()
            .collect::<Vec<_>>();
        notes.extend(new);
    }
}
