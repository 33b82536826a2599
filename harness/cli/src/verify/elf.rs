//! `swirl verify --elf --spec`: the kernels of a user's program.

use super::args::Args;
use crate::exit::ExitStatus;
use crate::processors::TARGETS;
use crate::progress::Progress;
use crate::{input, junit};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::path::Path;
use verify::user::{Problem, Spec, UserCycles, UserReport, UserVerifier};

#[derive(Serialize)]
struct Json<'a> {
    elf: String,
    spec: String,
    seed: u64,
    kernels: Vec<JsonKernel<'a>>,
}

#[derive(Serialize)]
struct JsonKernel<'a> {
    name: &'a str,
    call: &'a str,
    against: &'a str,
    cases: u64,
    failures: u64,
    instructions: u64,
    reference_instructions: u64,
    cycles: Option<JsonCycles<'a>>,
    first_problem: Option<JsonProblem<'a>>,
}

#[derive(Serialize)]
struct JsonCycles<'a> {
    cache: String,
    at: &'a str,
    candidate: u64,
    reference: Option<u64>,
    max: Option<u64>,
}

#[derive(Serialize)]
struct JsonProblem<'a> {
    seed: u64,
    what: &'a str,
    shrunk: &'a str,
    arguments: &'a [String],
}

/// Runs the kernels that `args.names` chooses, or all.
pub(crate) fn run(args: &Args, elf: &Path, spec: &Path) -> Result<ExitStatus> {
    let text = input::read_text(spec)?;
    let program = input::read(elf)?;
    let spec_read = Spec::parse(&text, spec, &TARGETS)?;
    let mut verifier =
        UserVerifier::new(&program, spec_read, &TARGETS).with_context(|| elf.display().to_string())?;
    let chosen = chosen(&verifier, &args.names)?;
    let progress = Progress::new(args.cases * chosen.len() as u64);
    let mut reports = Vec::new();
    for (index, name) in chosen {
        reports.push(verifier.run(index, args.cases, args.seed, || progress.tick(&name)));
    }
    progress.finish();
    if args.json {
        print_json(args.seed, elf, spec, &reports)?;
    } else {
        print!("{}", table(&reports, elf, spec));
    }
    if let Some(path) = &args.junit {
        junit::write(path, &spec.display().to_string(), &junit_cases(&reports))?;
    }
    Ok(ExitStatus::of(reports.iter().all(UserReport::passed)))
}

fn chosen(verifier: &UserVerifier, names: &[String]) -> Result<Vec<(usize, String)>> {
    let known: Vec<String> = verifier.names().map(str::to_owned).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        bail!(
            "no kernel {name} in the specification; there are {}",
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

fn table(reports: &[UserReport], elf: &Path, spec: &Path) -> String {
    let mut text = format!(
        "{:<28} {:<28} {:>8} {:>9} {:>14} {:>14}\n",
        "kernel", "against", "cases", "failures", "instructions", "its reference"
    );
    for r in reports {
        text += &format!(
            "{:<28} {:<28} {:>8} {:>9} {:>14} {:>14}\n",
            r.name, r.against, r.cases, r.failures, r.instructions, r.reference_instructions
        );
    }
    for (report, cycles) in reports.iter().filter_map(|r| Some((r, r.cycles.as_ref()?))) {
        text += &format!("{}: {}\n", report.name, described(cycles));
    }
    for (report, problem) in reports
        .iter()
        .filter_map(|r| Some((r, r.first_problem.as_ref()?)))
    {
        text += &format!("\n{}", explain(report, problem, elf, spec));
    }
    text
}

/// `2600 cycles warm at n = 256, at most 2500 are allowed; its reference 5000`.
fn described(cycles: &UserCycles) -> String {
    let mut text = format!("{} cycles {}", cycles.candidate, cycles.caches);
    if !cycles.at.is_empty() {
        text += &format!(" at {}", cycles.at);
    }
    match (cycles.max, cycles.kept()) {
        (Some(max), true) => text += &format!(" of {max}"),
        (Some(max), false) => text += &format!(", at most {max} are allowed"),
        (None, _) => {}
    }
    if let Some(reference) = cycles.reference {
        text += &format!("; its reference {reference}");
    }
    text
}

fn explain(report: &UserReport, problem: &Problem, elf: &Path, spec: &Path) -> String {
    let mut text = format!("{}: seed {}: {}\n", report.name, problem.seed, problem.what);
    text += &format!("  smallest case that fails: {}\n", problem.shrunk);
    for argument in &problem.arguments {
        text += &format!("    {argument}\n");
    }
    text += &format!(
        "  again: swirl verify --elf {} --spec {} {} --seed {} --cases 1\n",
        elf.display(),
        spec.display(),
        report.name,
        problem.seed
    );
    text
}

fn print_json(seed: u64, elf: &Path, spec: &Path, reports: &[UserReport]) -> Result<()> {
    let kernels = reports.iter().map(|r| JsonKernel {
        name: &r.name,
        call: &r.call,
        against: &r.against,
        cases: r.cases,
        failures: r.failures,
        instructions: r.instructions,
        reference_instructions: r.reference_instructions,
        cycles: r.cycles.as_ref().map(|cycles| JsonCycles {
            cache: cycles.caches.to_string(),
            at: &cycles.at,
            candidate: cycles.candidate,
            reference: cycles.reference,
            max: cycles.max,
        }),
        first_problem: r.first_problem.as_ref().map(|p| JsonProblem {
            seed: p.seed,
            what: &p.what,
            shrunk: &p.shrunk,
            arguments: &p.arguments,
        }),
    });
    let json = Json {
        elf: elf.display().to_string(),
        spec: spec.display().to_string(),
        seed,
        kernels: kernels.collect(),
    };
    println!("{}", serde_json::to_string_pretty(&json)?);
    Ok(())
}

fn junit_cases(reports: &[UserReport]) -> Vec<junit::Case> {
    let failure = |r: &UserReport| {
        if let Some(cycles) = r.cycles.as_ref().filter(|cycles| !cycles.kept()) {
            return Some(described(cycles));
        }
        let problem = r.first_problem.as_ref()?;
        let arguments = problem.arguments.join("\n");
        Some(format!(
            "seed {}: {}\n{}\n{arguments}",
            problem.seed, problem.what, problem.shrunk
        ))
    };
    let case = |r: &UserReport| junit::Case {
        name: r.name.clone(),
        outcome: junit::CaseResult::unless(failure(r)),
        time: None,
    };
    reports.iter().map(case).collect()
}
