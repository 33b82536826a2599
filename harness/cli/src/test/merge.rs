//! `swirl test --json` and `--merge`: builds the report of a run from the JSON of its parts.

use super::args::Args;
use super::runner::{Run, Verdict};
use super::{again, markdown};
use crate::exit::ExitStatus;
use crate::plural::plural;
use crate::{input, junit, output, part};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::time::Duration;

/// Returns the JSON of a run. Omits times, which depend on the machine.
pub(super) fn json(args: &Args, cases: usize, runs: &[Run]) -> Value {
    let row = |run: &Run| {
        let (result, reason) = match &run.verdict {
            Verdict::Passed => ("passed", None),
            Verdict::Failed(reason) => ("failed", Some(reason)),
            Verdict::Updated(_) => ("updated", None),
        };
        let budgets = run.budgets.iter();
        let budgets = budgets.map(|b| json!({"name": b.name, "found": b.found, "budget": b.budget}));
        json!({
            "name": run.name,
            "result": result,
            "reason": reason,
            "again": run.failed().then(|| again::line(args, &run.name)),
            "warnings": run.warnings,
            "budgets": budgets.collect::<Vec<_>>(),
        })
    };
    json!({
        "directory": args.directory.display().to_string(),
        "part": args.part.map(|part| part.to_string()),
        "not_run": cases - runs.len(),
        "cases": runs.iter().map(row).collect::<Vec<_>>(),
    })
}

pub(super) fn run(args: &Args) -> Result<ExitStatus> {
    let mut reports = Vec::new();
    for path in &args.merge {
        let name = path.display().to_string();
        let report: Value = serde_json::from_str(&input::read_text(path)?).with_context(|| name.clone())?;
        reports.push((name, report));
    }
    part::complete(&mut reports, &["directory"])?;
    let mut cases: Vec<Value> = Vec::new();
    for (name, report) in &reports {
        let rows = report["cases"].as_array();
        cases.extend(
            rows.with_context(|| format!("{name}: found no `cases`"))?
                .iter()
                .cloned(),
        );
    }
    cases.sort_by_key(text_of("name"));
    let directory = reports.first().map(|(_, report)| report["directory"].clone());
    let not_run: u64 = reports
        .iter()
        .filter_map(|(_, report)| report["not_run"].as_u64())
        .sum();
    let all = json!({"directory": directory, "part": null, "not_run": not_run, "cases": cases});
    let failed: Vec<&Value> = cases.iter().filter(|case| case["result"] == "failed").collect();
    if args.json {
        println!("{}", serde_json::to_string_pretty(&all)?);
    } else {
        for case in &failed {
            println!("{}: FAILED: {}", text_of("name")(case), text_of("reason")(case));
            println!("    {}", text_of("again")(case));
        }
        println!(
            "{}: {} failed, {not_run} not run",
            plural(cases.len(), "case"),
            failed.len()
        );
    }
    if let Some(path) = &args.junit {
        let reported = |case: &Value| junit::Case {
            name: text_of("name")(case),
            outcome: junit::CaseResult::unless((case["result"] == "failed").then(|| text_of("reason")(case))),
            time: None::<Duration>,
        };
        junit::write(path, "swirl", &cases.iter().map(reported).collect::<Vec<_>>())?;
    }
    if let Some(path) = &args.markdown {
        let runs: Vec<Run> = cases.iter().map(Run::from_json).collect();
        output::write(path, markdown::summary(&runs).as_bytes())?;
    }
    Ok(ExitStatus::of(failed.is_empty()))
}

fn text_of(key: &'static str) -> impl Fn(&Value) -> String {
    move |value| value[key].as_str().unwrap_or_default().to_owned()
}

impl Run {
    /// Reads a case that another process ran.
    fn from_json(case: &Value) -> Run {
        let figure = |row: &Value| super::case::BudgetResult {
            name: text_of("name")(row),
            found: row["found"].as_u64().unwrap_or(0),
            budget: row["budget"].as_u64().unwrap_or(0),
        };
        Run {
            name: text_of("name")(case),
            verdict: match case["result"].as_str() {
                Some("failed") => Verdict::Failed(text_of("reason")(case)),
                Some("updated") => Verdict::Updated(1),
                _ => Verdict::Passed,
            },
            time: Duration::ZERO,
            screen: None,
            changes: Vec::new(),
            frames: Vec::new(),
            warnings: Vec::new(),
            budgets: case["budgets"]
                .as_array()
                .into_iter()
                .flatten()
                .map(figure)
                .collect(),
        }
    }
}
