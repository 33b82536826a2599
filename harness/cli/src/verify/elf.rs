//! `swirl verify --elf --spec`: functions of a program against their references.

use super::args::Args;
use super::elf_json;
use super::elf_report::{described, table};
use crate::exit::ExitStatus;
use crate::processors::TARGETS;
use crate::progress::Progress;
use crate::{input, junit};
use anyhow::{Context, Result, bail};
use std::path::Path;
use verify::did_you_mean;
use verify::user::{Spec, UserReport, UserVerifier};

/// Runs the kernels that `args.names` chooses, or all.
pub(super) fn run(args: &Args, elf: &Path, spec: &Path) -> Result<ExitStatus> {
    let text = input::read_text(spec)?;
    let program = input::read(elf)?;
    let spec_read = Spec::parse(&text, spec, &TARGETS)?;
    let mut verifier =
        UserVerifier::new(&program, spec_read, &TARGETS).with_context(|| elf.display().to_string())?;
    let chosen = chosen(&verifier, &args.names)?;
    if args.list {
        return list(args, &verifier, &chosen);
    }
    verifier.set_deadline(args.deadline());
    let progress = Progress::new(args.cases.saturating_mul(chosen.len() as u64));
    let mut reports = Vec::new();
    for (index, name) in chosen {
        reports.push(verifier.run(index, args.cases, args.seed, || progress.tick(&name)));
    }
    progress.finish();
    if args.json {
        elf_json::print(args.seed, elf, spec, &reports)?;
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
