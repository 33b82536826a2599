//! Verifies the built-in kernels against their references.

use super::args::Args;
use super::cycles::{self, KernelCost};
use crate::exit::ExitStatus;
use crate::junit;
use crate::processors::{RomFile, TARGETS};
use crate::progress::Progress;
use crate::test::quoted;
use anyhow::{Result, bail};
use serde::Serialize;
use serde_json::Value;
use sh4_kernels::Kernel;
use verify::{Emulated, Report, SH4, Target, Verifier, did_you_mean_or_all, run_kernels};

#[derive(Serialize)]
struct Json {
    seed: u64,
    cases: u64,
    part: Option<String>,
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
    /// Command that repeats the problem.
    again: Option<String>,
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
    let (deadline, plan) = (args.deadline(), args.plan()?);
    let progress = Progress::new(plan.cases.saturating_mul(kernels.len() as u64));
    let open = |index: usize| -> Result<Verifier> {
        let name = kernels.get(index).map_or("", |(target, _)| *target);
        let target = TARGETS.iter().find(|target| target.name == name).unwrap_or(&SH4);
        let rom = rom.as_ref().map_or(target.rom, RomFile::rom);
        let mut emulated = Emulated::open_rom(target, &rom)?;
        args.engine.prepare_kernels(&mut emulated)?;
        let mut verifier = Verifier::from(emulated);
        verifier.set_deadline(deadline);
        Ok(verifier)
    };
    let list: Vec<&'static Kernel> = kernels.iter().map(|(_, kernel)| *kernel).collect();
    let reports = run_kernels(&list, plan, open, |name| progress.tick(name))?;
    progress.finish();
    let costs = cycles::measure(&reports, rom.as_ref().map_or(SH4.rom, RomFile::rom))?;
    show(args, &json(args, &reports, &costs)?)
}

/// Prints a report and writes it as JUnit XML.
pub(super) fn show(args: &Args, json: &Value) -> Result<ExitStatus> {
    let kernels = json["kernels"].as_array().map_or(&[][..], Vec::as_slice);
    if args.json {
        println!("{}", serde_json::to_string_pretty(json)?);
    } else {
        print!("{}{}", rows(kernels), cycles::table(kernels));
    }
    if let Some(path) = &args.junit {
        let case = |kernel: &Value| junit::Case {
            name: kernel["name"].as_str().unwrap_or_default().to_owned(),
            outcome: junit::CaseResult::unless(kernel["first_problem"].as_str().map(str::to_owned)),
            time: None,
        };
        junit::write(path, "kernels", &kernels.iter().map(case).collect::<Vec<_>>())?;
    }
    let passed = |k: &Value| k["cases"] != 0 && k["mismatches"] == 0 && k["out_of_bound"] == 0;
    Ok(ExitStatus::of(kernels.iter().all(passed)))
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

/// Returns kernels with the names of their processors, in the order of the targets.
fn chosen(names: &[String]) -> Result<Vec<(&'static str, &'static Kernel)>> {
    let of = |target: &Target| {
        let name = target.name;
        target.kernels.iter().map(move |kernel| (name, *kernel))
    };
    let all: Vec<(&str, &'static Kernel)> = TARGETS.iter().flat_map(of).collect();
    let bare = |name: &str| name.strip_prefix('_').unwrap_or(name).to_owned();
    let unknown = |name: &&String| !all.iter().any(|(_, kernel)| kernel.name == bare(name));
    if let Some(name) = names.iter().find(unknown) {
        // A kernel can exist for both processors under the same name.
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

/// Returns a row per kernel.
fn rows(kernels: &[Value]) -> String {
    let mut text = format!(
        "{:<5} {:<28} {:>8} {:>11} {:>14} {:>12}\n",
        "on", "kernel", "cases", "mismatches", "instructions", "f64 bound"
    );
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for k in kernels {
        let share = match k["out_of_bound"].as_u64().unwrap_or(0) {
            0 => format!(
                "{:.0} %",
                k["worst_share_of_bound"].as_f64().unwrap_or(0.0) * 100.0
            ),
            beyond => format!("{beyond} beyond"),
        };
        text += &format!(
            "{:<5} {:<28} {:>8} {:>11} {:>14} {:>12}\n",
            word(&k["processor"]),
            word(&k["name"]),
            k["cases"].to_string(),
            k["mismatches"].to_string(),
            k["instructions"].to_string(),
            share
        );
        if let Some(problem) = k["first_problem"].as_str() {
            text += &format!("  {problem}\n");
        }
        if let Some(again) = k["again"].as_str() {
            text += &format!("  again: {again}\n");
        }
        if k["stopped"] == true {
            text += &format!("  stopped by the time limit after {} cases\n", k["cases"]);
        }
    }
    text
}

fn row(report: &Report, rom: &str, costs: &[KernelCost]) -> JsonKernel {
    let again = |(seed, cases): (u64, u64)| {
        format!(
            "swirl verify {}{rom} --seed {seed} --cases {cases}",
            report.kernel
        )
    };
    JsonKernel {
        name: report.kernel,
        processor: report.processor,
        cases: report.cases,
        mismatches: report.mismatches,
        instructions: report.instructions,
        worst_share_of_bound: report.worst_share,
        out_of_bound: report.out_of_bound,
        stopped: report.stopped,
        first_problem: report.first_problem.clone(),
        again: report.again.map(again),
        cycles: KernelCost::of(costs, report.kernel).filter(|_| report.processor == SH4.name),
    }
}

fn json(args: &Args, reports: &[Report], costs: &[KernelCost]) -> Result<Value> {
    let rom = args
        .rom
        .as_ref()
        .map_or(String::new(), |rom| format!(" --rom {}", quoted(rom.as_os_str())));
    Ok(serde_json::to_value(Json {
        seed: args.seed,
        cases: args.cases,
        part: args.part.map(|part| part.to_string()),
        kernels: reports.iter().map(|report| row(report, &rom, costs)).collect(),
    })?)
}
