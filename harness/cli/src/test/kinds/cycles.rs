//! Checks cycles of a kernel or a function: runs `swirl profile`, and compares with an earlier run, a limit,
//! or both.

use super::verb::Verb;
use super::{CaseOutput, Kind};
use crate::profile::baseline;
use crate::setting_options::SetOptions;
use crate::test::artifact::{Artifact, Content};
use crate::test::case::Case;
use anyhow::{Context, Result, bail};
use profile::Report;

pub(super) const KIND: Kind = Kind {
    name: "cycles",
    keys: &[
        "input",
        "call",
        "arguments",
        "name",
        "seed",
        "cache",
        "max",
        "fail_above",
        "options",
    ],
    run,
};

fn run(case: &Case, _: &SetOptions) -> Result<CaseOutput> {
    let file = &case.file;
    if file.input.is_some() == file.name.is_some() {
        bail!("expected either name (of a built-in kernel) or input (an ELF file)");
    }
    let mut verb = Verb::new(case, "profile")?;
    verb.option("--elf", file.input.as_ref())
        .option("--call", file.call.as_ref())
        .option("--seed", file.seed.map(|n| n.to_string()))
        .option("--cache", file.cache.as_ref());
    for argument in &file.arguments {
        let word = u32::try_from(*argument).or_else(|_| i32::try_from(*argument).map(i32::cast_unsigned));
        let word = word.with_context(|| format!("argument {argument}, expected 32 bits"))?;
        verb.option("--arg", Some(word.to_string()));
    }
    for word in file.options.iter().chain(&file.name) {
        verb.arg(word);
    }
    verb.arg("--json");
    let (json, warnings) = verb.run()?;
    let report: Report = serde_json::from_slice(&json).context("the report of profile")?;
    if let Some(max) = file.max.filter(|max| report.cycles > *max) {
        bail!("{} cycles, at most {max} are allowed", report.cycles);
    }
    Ok(CaseOutput {
        artifacts: artifact(case, report, json)?.into_iter().collect(),
        folder: None,
        warnings,
        ..CaseOutput::default()
    })
}

/// Returns the report for comparison. Without `max`, or with a permitted growth, an earlier run is required.
fn artifact(case: &Case, report: Report, json: Vec<u8>) -> Result<Option<Artifact>> {
    let allowed = case.file.fail_above.as_deref();
    if allowed.is_none() && case.file.max.is_some() {
        return Ok(None);
    }
    let allowed = baseline::percentage(allowed.unwrap_or("0%")).map_err(anyhow::Error::msg);
    Ok(Some(Artifact {
        path: case.expect("cycles.json"),
        content: Content::Cycles {
            report: Box::new(report),
            json,
            allowed: allowed.context("fail_above")?,
        },
    }))
}
