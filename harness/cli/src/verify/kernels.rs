//! The kernels of this build against their references.

use super::args::Args;
use super::cycles::{self, KernelCost};
use crate::exit::ExitStatus;
use crate::junit;
use crate::processors::{RomFile, TARGETS};
use crate::progress::Progress;
use anyhow::{Result, bail};
use serde::Serialize;
use sh4_kernels::Kernel;
use verify::{Emulated, Report, SH4, Target, Verifier, did_you_mean_or_all};

#[derive(Serialize)]
struct Json {
    seed: u64,
    kernels: Vec<JsonKernel>,
}

#[derive(Serialize)]
struct JsonKernel {
    name: &'static str,
    processor: &'static str,
    cases: u64,
    mismatches: u64,
    instructions: u64,
    worst_share_of_bound: f64,
    out_of_bound: u64,
    stopped: bool,
    first_problem: Option<String>,
    cycles: Option<KernelCost>,
}

pub(super) fn run(args: &Args) -> Result<ExitStatus> {
    let rom = args.rom.as_deref().map(RomFile::read).transpose()?;
    let mut kernels = chosen(&args.names)?;
    if let Some(rom) = &rom {
        kernels.retain(|(target, _)| *target == rom.target.name);
    }
    if args.list {
        return list(args, &kernels);
    }
    let deadline = args.deadline();
    let progress = Progress::new(args.cases.saturating_mul(kernels.len() as u64));
    let mut reports = Vec::new();
    for target in &TARGETS {
        let mut mine = kernels.iter().filter(|(of, _)| *of == target.name).peekable();
        if mine.peek().is_none() {
            continue;
        }
        let rom = rom.as_ref().map_or(target.rom, RomFile::rom);
        let mut emulated = Emulated::open_rom(target, &rom)?;
        args.engine.prepare_kernels(&mut emulated)?;
        let mut verifier = Verifier::from(emulated);
        verifier.set_deadline(deadline);
        for (_, kernel) in mine {
            reports.push(verifier.run(kernel, args.cases, args.seed, |_| progress.tick(kernel.name)));
        }
    }
    progress.finish();
    let costs = cycles::measure(&reports, rom.as_ref().map_or(SH4.rom, RomFile::rom))?;
    if args.json {
        print_json(args.seed, &reports, &costs)?;
    } else {
        print!("{}{}", table(&reports), cycles::table(&costs));
    }
    if let Some(path) = &args.junit {
        let case = |report: &Report| junit::Case {
            name: report.kernel.to_owned(),
            outcome: junit::CaseResult::unless(report.first_problem.clone()),
            time: None,
        };
        junit::write(path, "kernels", &reports.iter().map(case).collect::<Vec<_>>())?;
    }
    Ok(ExitStatus::of(reports.iter().all(Report::passed)))
}

/// Prints the kernels: processor, name, summary and parameters.
fn list(args: &Args, kernels: &[(&'static str, &'static Kernel)]) -> Result<ExitStatus> {
    let listed = kernels.iter().map(|(processor, kernel)| JsonListed {
        name: kernel.name,
        processor,
        summary: kernel.summary,
        parameters: kernel.params.iter().map(|param| param.name).collect(),
    });
    if args.json {
        println!("{}", serde_json::to_string_pretty(&listed.collect::<Vec<_>>())?);
        return Ok(ExitStatus::Done);
    }
    println!("{:<5} {:<28} {:<52} parameters", "on", "kernel", "summary");
    for kernel in listed {
        let parameters = kernel.parameters.join(", ");
        println!(
            "{:<5} {:<28} {:<52} {parameters}",
            kernel.processor, kernel.name, kernel.summary
        );
    }
    Ok(ExitStatus::Done)
}

#[derive(Serialize)]
struct JsonListed {
    name: &'static str,
    processor: &'static str,
    summary: &'static str,
    parameters: Vec<&'static str>,
}

/// Kernels with the names of their processors, in the order of the targets.
fn chosen(names: &[String]) -> Result<Vec<(&'static str, &'static Kernel)>> {
    let of = |target: &Target| {
        let name = target.name;
        target.kernels.iter().map(move |kernel| (name, *kernel))
    };
    let all: Vec<(&str, &'static Kernel)> = TARGETS.iter().flat_map(of).collect();
    let bare = |name: &str| name.strip_prefix('_').unwrap_or(name).to_owned();
    let unknown = |name: &&String| !all.iter().any(|(_, kernel)| kernel.name == bare(name));
    if let Some(name) = names.iter().find(unknown) {
        // A kernel of two processors has one name.
        let mut known: Vec<&str> = Vec::new();
        for (_, kernel) in &all {
            if !known.contains(&kernel.name) {
                known.push(kernel.name);
            }
        }
        bail!("no kernel {name}{}", did_you_mean_or_all(name, &known));
    }
    let wanted = |kernel: &Kernel| names.is_empty() || names.iter().any(|name| bare(name) == kernel.name);
    Ok(all.into_iter().filter(|(_, kernel)| wanted(kernel)).collect())
}

/// A row for each kernel.
pub(crate) fn table(reports: &[Report]) -> String {
    let mut text = format!(
        "{:<5} {:<28} {:>8} {:>11} {:>14} {:>12}\n",
        "on", "kernel", "cases", "mismatches", "instructions", "f64 bound"
    );
    for report in reports {
        let share = if report.out_of_bound > 0 {
            format!("{} beyond", report.out_of_bound)
        } else {
            format!("{:.0} %", report.worst_share * 100.0)
        };
        text += &format!(
            "{:<5} {:<28} {:>8} {:>11} {:>14} {:>12}\n",
            report.processor, report.kernel, report.cases, report.mismatches, report.instructions, share
        );
        if let Some(problem) = &report.first_problem {
            text += &format!("  {problem}\n");
        }
        if report.stopped {
            text += &format!("  stopped by the time limit after {} cases\n", report.cases);
        }
    }
    text
}

fn print_json(seed: u64, reports: &[Report], costs: &[KernelCost]) -> Result<()> {
    let kernels = reports.iter().map(|report| JsonKernel {
        name: report.kernel,
        processor: report.processor,
        cases: report.cases,
        mismatches: report.mismatches,
        instructions: report.instructions,
        worst_share_of_bound: report.worst_share,
        out_of_bound: report.out_of_bound,
        stopped: report.stopped,
        first_problem: report.first_problem.clone(),
        cycles: KernelCost::of(costs, report.kernel),
    });
    println!(
        "{}",
        serde_json::to_string_pretty(&Json {
            seed,
            kernels: kernels.collect()
        })?
    );
    Ok(())
}
