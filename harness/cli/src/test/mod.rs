//! `swirl test`: directories of regression cases.

mod again;
mod args;
mod artifact;
mod case;
mod diff;
mod glob;
mod help;
mod html;
mod kinds;
mod markdown;
mod merge;
mod runner;
mod sheet;
mod sound;
mod untrusted;
mod watch;

use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use crate::plural::plural;
use crate::{junit, output};
pub(crate) use again::quoted;
use anyhow::{Result, bail};
pub(crate) use args::Args;
use case::Case;
use clap::ArgMatches;
use runner::{Run, Verdict};
use std::time::Duration;

pub(crate) fn run(args: &Args, matches: &ArgMatches) -> Result<ExitStatus> {
    let given = GivenOptions(matches);
    if !args.merge.is_empty() {
        return merge::run(args);
    }
    if args.watch {
        return watch::run(args, given);
    }
    run_once(args, given)
}

/// Reads the text of a `case.toml`.
pub(crate) fn parse_case(text: &str) -> Result<()> {
    case::parse(text, kinds::find).map(drop)
}

fn cases(args: &Args) -> Result<Vec<Case>> {
    let root = &args.directory;
    if args.untrusted {
        untrusted::check_folder(root)?;
    }
    let mut cases = case::find(root, kinds::find)?;
    if cases.is_empty() {
        bail!(
            "{}: found no case.toml or scene.txt below it, expected at least one",
            root.display()
        );
    }
    cases
        .retain(|case| args.filter.is_empty() || args.filter.iter().any(|glob| glob::fits(glob, &case.name)));
    if cases.is_empty() {
        bail!(
            "{}: no case matches --filter {}",
            root.display(),
            args.filter.join(" or ")
        );
    }
    for case in &mut cases {
        case.play.clone_from(&args.play.play);
        case.time_limit = Duration::from_secs(args.time_limit);
        if args.untrusted && case.problem.is_none() {
            let text = std::fs::read_to_string(case.folder.join("case.toml")).unwrap_or_default();
            case.problem = untrusted::problem(&text);
        }
    }
    if let Some(part) = args.part {
        cases.retain(|case| part.takes(&case.name));
    }
    Ok(cases)
}

fn run_once(args: &Args, given: GivenOptions<'_>) -> Result<ExitStatus> {
    let cases = cases(args)?;
    warn_unused(args, given, &cases);
    if args.list {
        for case in &cases {
            println!("{} ({})", case.name, case.kind.name);
        }
        return Ok(ExitStatus::Done);
    }
    args.play.settings()?;
    let runs = runner::run_all(&cases, args);
    if args.json {
        println!(
            "{}",
            serde_json::to_string_pretty(&merge::json(args, cases.len(), &runs))?
        );
        write_reports(&runs, args)?;
        return Ok(ExitStatus::of(!runs.iter().any(Run::failed)));
    }
    for run in &runs {
        tell(run, args);
    }
    write_reports(&runs, args)?;
    let count = |what: fn(&Verdict) -> bool| runs.iter().filter(|run| what(&run.verdict)).count();
    let failed = count(|verdict| matches!(verdict, Verdict::Failed(_)));
    let left = match cases.len() - runs.len() {
        0 => String::new(),
        left => format!(", {left} not run"),
    };
    println!(
        "{}: {} passed, {failed} failed, {} {}{left}",
        plural(cases.len(), "case"),
        count(|verdict| matches!(verdict, Verdict::Passed)),
        count(|verdict| matches!(verdict, Verdict::Updated(_))),
        if args.update { "updated" } else { "to be updated" },
    );
    Ok(ExitStatus::of(failed == 0))
}

/// Warns of options without effect on the cases.
fn warn_unused(args: &Args, given: GivenOptions<'_>, cases: &[Case]) {
    let has_none = |key: &str| !cases.iter().any(|case| case.kind.keys.contains(&key));
    let on = |what: &str| format!("on {}: no case {what}", args.directory.display());
    given.warn(has_none("play"), &["play"], &on("plays anything"));
    let of_chip = ["pvr", "set", "contact_sheet"];
    given.warn(has_none("pvr"), &of_chip, &on("draws a frame"));
}

/// Prints warnings, failures and changes of a case.
fn tell(run: &Run, args: &Args) {
    for warning in &run.warnings {
        eprintln!("{}: warning: {warning}", run.name);
    }
    match &run.verdict {
        Verdict::Passed => {}
        Verdict::Failed(reason) => {
            println!("{}: FAILED: {reason}", run.name);
            println!("    {}", again::line(args, &run.name));
        }
        Verdict::Updated(_) => {
            for change in &run.changes {
                println!("{}: {}: {}", run.name, change.path.display(), change.what);
            }
        }
    }
}

fn write_reports(runs: &[Run], args: &Args) -> Result<()> {
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
    if let Some(path) = &args.markdown {
        output::write(path, markdown::summary(runs).as_bytes())?;
    }
    if let Some(path) = &args.html {
        output::write(path, html::page(args, runs)?.as_bytes())?;
    }
    Ok(())
}
