//! `swirl verify --elf --spec`: verifies functions of a program.

use super::args::Args;
use super::elf_json;
use super::elf_report::table;
use crate::exit::ExitStatus;
use crate::processors::TARGETS;
use crate::progress::Progress;
use crate::{input, junit};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::Path;
use verify::did_you_mean;
use verify::user::{Spec, UserVerifier};

/// Runs the kernels that `args.names` selects, or all.
pub(super) fn run(args: &Args, elf: &Path, spec: &Path) -> Result<ExitStatus> {
    let text = input::read_toml(spec)?;
    let program = input::read(elf)?;
    let spec_read = Spec::parse(&text, spec, &TARGETS)?;
    let mut verifier =
        UserVerifier::new(&program, spec_read, &TARGETS).with_context(|| elf.display().to_string())?;
    let chosen = chosen(&verifier, &args.names)?;
    if args.list {
        return list(args, &verifier, &chosen);
    }
    verifier.set_deadline(args.deadline());
    let plan = args.plan()?;
    let progress = Progress::new(plan.cases.saturating_mul(chosen.len() as u64));
    let indices: Vec<usize> = chosen.iter().map(|(index, _)| *index).collect();
    let reports = verifier.run_all(&indices, plan, |name| progress.tick(name))?;
    progress.finish();
    let json = elf_json::of(args, elf, spec, &reports)?;
    show(args, &json)
}

/// Prints a report and writes it as JUnit XML.
pub(super) fn show(args: &Args, json: &Value) -> Result<ExitStatus> {
    let kernels = json["kernels"].as_array().map_or(&[][..], Vec::as_slice);
    if args.json {
        println!("{}", serde_json::to_string_pretty(json)?);
    } else {
        print!("{}", table(kernels));
    }
    if let Some(path) = &args.junit {
        let cases: Vec<junit::Case> = kernels.iter().map(junit_case).collect();
        junit::write(path, json["spec"].as_str().unwrap_or_default(), &cases)?;
    }
    Ok(ExitStatus::of(kernels.iter().all(passed)))
}

fn chosen(verifier: &UserVerifier, names: &[String]) -> Result<Vec<(usize, String)>> {
    let known: Vec<String> = verifier.names().map(str::to_owned).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        bail!(
            "no kernel {name} in the specification{}; there are {}",
            did_you_mean(name, known.iter().map(String::as_str)).unwrap_or_default(),
            known.join(", ")
        );
    }
    let wanted = |name: &String| names.is_empty() || names.contains(name);
    Ok(known
        .into_iter()
        .enumerate()
        .filter(|(_, name)| wanted(name))
        .collect())
}

/// Prints the kernels with their functions.
fn list(args: &Args, verifier: &UserVerifier, chosen: &[(usize, String)]) -> Result<ExitStatus> {
    let kernels = verifier.kernels().enumerate();
    let kernels = kernels.filter(|(index, _)| chosen.iter().any(|(wanted, _)| wanted == index));
    if args.json {
        elf_json::list(kernels.map(|(_, kernel)| kernel))?;
        return Ok(ExitStatus::Done);
    }
    println!("{:<28} {:<28} against", "kernel", "call");
    for (_, kernel) in kernels {
        println!("{:<28} {:<28} {}", kernel.name, kernel.call, kernel.against);
    }
    Ok(ExitStatus::Done)
}

/// Returns the reason why a kernel did not pass.
fn failure(kernel: &Value) -> Option<String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if kernel["cycles"]["kept"] == false {
        return text(&kernel["cycles"]["text"]);
    }
    text(&kernel["first_problem"]["text"])
        .or_else(|| text(&kernel["stopped"]).filter(|_| kernel["cases"] == 0))
}

/// Returns whether cases were run, all of them passed, and the limit of cycles was kept.
fn passed(kernel: &Value) -> bool {
    kernel["cases"] != 0 && kernel["failures"] == 0 && kernel["cycles"]["kept"] != false
}

fn junit_case(kernel: &Value) -> junit::Case {
    junit::Case {
        name: kernel["name"].as_str().unwrap_or_default().to_owned(),
        outcome: junit::CaseResult::unless(failure(kernel)),
        time: None,
    }
}
