//! `swirl verify`: the SH4 kernels against their references.

use crate::Outcome;
use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use sh4_kernels::{KERNELS, Kernel, find};
use std::time::Instant;
use verify::{Report, Verifier};

/// Run the SH4 kernels on generated inputs and compare every output bit with the Rust references.
///
/// Each result is also held against the same computation in double precision, within the bound that the kernel states.
/// The same seed gives the same cases. Exit status 1 if anything differs.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    swirl verify\n  \
    swirl verify transform_points project_points --cases 100000 --seed 7\n  \
    swirl verify --cases 2000 --json\n\n\
    JSON: {\"seed\", \"kernels\": [{\"name\", \"cases\", \"mismatches\", \"instructions\", \"worst_share_of_bound\",\n  \
    \"out_of_bound\", \"first_problem\"}]}")]
pub(crate) struct Args {
    /// Kernels by name; all if none is given.
    names: Vec<String>,
    /// Cases of each kernel.
    #[arg(long, default_value_t = 1000)]
    cases: u64,
    /// Seed of the first case; the following ones count up.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json {
    seed: u64,
    kernels: Vec<JsonKernel>,
}

#[derive(Serialize)]
struct JsonKernel {
    name: &'static str,
    cases: u64,
    mismatches: u64,
    instructions: u64,
    worst_share_of_bound: f64,
    out_of_bound: u64,
    first_problem: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let kernels = chosen(&args.names)?;
    let mut verifier = Verifier::new()?;
    let progress = Progress::new(args.cases * kernels.len() as u64);
    let mut reports = Vec::new();
    for kernel in kernels {
        reports.push(verifier.run(kernel, args.cases, args.seed, |_| progress.tick(kernel.name)));
    }
    progress.bar.finish_and_clear();
    if args.json {
        print_json(args.seed, &reports)?;
    } else {
        print!("{}", table(&reports));
    }
    let passed = reports.iter().all(Report::passed);
    Ok(if passed {
        Outcome::Done
    } else {
        Outcome::CheckFailed
    })
}

/// A bar on a terminal, once the work has taken a second.
struct Progress {
    bar: ProgressBar,
    start: Instant,
}

impl Progress {
    fn new(length: u64) -> Self {
        let style = ProgressStyle::with_template("{msg:28} {bar:40} {pos}/{len}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden()).with_style(style);
        Self {
            bar,
            start: Instant::now(),
        }
    }

    fn tick(&self, kernel: &'static str) {
        self.bar.inc(1);
        if self.bar.is_hidden()
            && self.bar.position().is_multiple_of(256)
            && self.start.elapsed().as_secs() >= 1
        {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        if !self.bar.is_hidden() {
            self.bar.set_message(kernel);
        }
    }
}

fn chosen(names: &[String]) -> Result<Vec<&'static Kernel>> {
    if names.is_empty() {
        return Ok(KERNELS.to_vec());
    }
    let mut kernels = Vec::new();
    for name in names {
        match find(name) {
            Some(kernel) => kernels.push(kernel),
            None => {
                let known: Vec<&str> = KERNELS.iter().map(|kernel| kernel.name).collect();
                bail!("no kernel {name}; there are {}", known.join(", "));
            }
        }
    }
    Ok(kernels)
}

/// A row for each kernel.
pub(crate) fn table(reports: &[Report]) -> String {
    let mut text = format!(
        "{:<28} {:>8} {:>11} {:>14} {:>12}\n",
        "kernel", "cases", "mismatches", "instructions", "f64 bound"
    );
    for report in reports {
        let share = if report.out_of_bound > 0 {
            format!("{} beyond", report.out_of_bound)
        } else {
            format!("{:.0} %", report.worst_share * 100.0)
        };
        text += &format!(
            "{:<28} {:>8} {:>11} {:>14} {:>12}\n",
            report.kernel, report.cases, report.mismatches, report.instructions, share
        );
        if let Some(problem) = &report.first_problem {
            text += &format!("  {problem}\n");
        }
    }
    text
}

fn print_json(seed: u64, reports: &[Report]) -> Result<()> {
    let kernels = reports.iter().map(|report| JsonKernel {
        name: report.kernel,
        cases: report.cases,
        mismatches: report.mismatches,
        instructions: report.instructions,
        worst_share_of_bound: report.worst_share,
        out_of_bound: report.out_of_bound,
        first_problem: report.first_problem.clone(),
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
