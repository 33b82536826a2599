//! `swirl verify`: the kernels of every processor against their references.

use crate::costs::{self, KernelCost};
use crate::cpu_engine::Engine;
use crate::targets::{RomFile, TARGETS};
use crate::{Outcome, junit};
use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use sh4_kernels::Kernel;
use std::path::PathBuf;
use std::time::Instant;
use verify::{Emulated, Report, SH4, Target, Verifier};

/// Run the kernels of the SH4 (and of the ARM7, where built in) on generated inputs and compare every output bit with the Rust references.
///
/// Each result is also held against the same computation in double precision, within the bound that the kernel states.
/// The same seed gives the same cases. Exit status 1 if anything differs.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    swirl verify\n  \
    swirl verify transform_points project_points --cases 100000 --seed 7\n  \
    swirl verify --cases 2000 --json\n  \
    swirl verify --elf game.elf --spec xform.toml --junit results.xml\n  \
    swirl verify --call model.call.toml\n  \
    roms/build.sh \"$PWD/out\" && swirl verify transform_points --rom out/kernels.elf\n\n\
    The TOML of --spec, one [[kernel]] after the other:\n  \
    call = \"xform_fast\"         symbol, with or without the underscore of C\n  \
    against = \"xform_c\"         symbol of the same ELF, or \"builtin:NAME\"\n  \
    fpscr = \"single, nearest, flush\"   and against_fpscr where the reference wants another\n  \
    returns = \"f32\"             if its result is compared\n  \
    [kernel.args]               in the order of the prototype\n  \
    m   = { in = \"f32[16]\", align = 8, values = \"matrix\" }\n  \
    dst = { out = \"f32[4*n]\", align = 32 }\n  \
    n   = { value = \"u32\", range = \"1..=512\" }\n  \
    x   = { in = \"f32[16]\", reg = \"xmtrx\" }\n  \
    [kernel.check]\n  \
    compare = \"bits\"            or { ulp = 1 }\n  \
    abi = true                  kept registers, stores outside of outputs and stack\n  \
    cycles = { cache = \"warm\", at = { n = 256 }, seed = 1, max = 2600 }   on the modelled console\n  \
    alias = [[\"src\", \"dst\"]]    pairs that may lie at one place\n\n\
    Values: finite, special, denormal, bits, matrix, unit3, unit4, permutation; range = \"A..=B\", \"A..=B step C\"; file = \"NAME\".\n\n\
    JSON with --elf: {\"elf\", \"spec\", \"seed\", \"kernels\": [{\"name\", \"call\", \"against\", \"cases\", \"failures\",\n  \
    \"instructions\", \"reference_instructions\", \"cycles\": {\"cache\", \"at\", \"candidate\", \"reference\", \"max\"},\n  \
    \"first_problem\": {\"seed\", \"what\", \"shrunk\", \"arguments\"}}]}\n\n\
    JSON: {\"seed\", \"kernels\": [{\"name\", \"processor\", \"cases\", \"mismatches\", \"instructions\", \"worst_share_of_bound\",\n  \
    \"out_of_bound\", \"first_problem\", \"cycles\": {\"seed\", \"cold\", \"warm\", \"budget_cold\", \"budget_warm\"}}]}")]
pub(crate) struct Args {
    /// Kernels by name; all if none is given.
    pub(crate) names: Vec<String>,
    /// A program of yours, with the kernels that --spec describes.
    #[arg(long, requires = "spec", value_name = "FILE")]
    pub(crate) elf: Option<PathBuf>,
    /// What to call and what to compare: a TOML file.
    #[arg(long, requires = "elf", value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,
    /// One call that a frame with --kernels checked stopped at, and left in this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "elf", "spec"])]
    pub(crate) call: Option<PathBuf>,
    /// Our kernels, but as assembled into this ELF file (roms/build.sh FOLDER) and not as they are built in.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["elf", "call"])]
    pub(crate) rom: Option<PathBuf>,
    /// Write the result as JUnit XML too.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Cases of each kernel.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) cases: u64,
    /// Seed of the first case; the following ones count up.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// What runs our SH4 kernels; both engines come to the same results. Routines of --elf, whose stores are watched, and calls
    /// whose cycles are counted are the interpreter's.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: Engine,
    /// Print the result as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

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
    first_problem: Option<String>,
    cycles: Option<KernelCost>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    if let (Some(elf), Some(spec)) = (&args.elf, &args.spec) {
        return crate::verify_elf::run(args, elf, spec);
    }
    if let Some(path) = &args.call {
        return crate::call_file::run(path);
    }
    let rom = args.rom.as_deref().map(RomFile::read).transpose()?;
    let mut kernels = chosen(&args.names)?;
    if let Some(rom) = &rom {
        kernels.retain(|(target, _)| *target == rom.target.name);
    }
    let progress = Progress::new(args.cases * kernels.len() as u64);
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
        for (_, kernel) in mine {
            reports.push(verifier.run(kernel, args.cases, args.seed, |_| progress.tick(kernel.name)));
        }
    }
    progress.finish();
    let costs = costs::measure(&reports, rom.as_ref().map_or(SH4.rom, RomFile::rom))?;
    if args.json {
        print_json(args.seed, &reports, &costs)?;
    } else {
        print!("{}{}", table(&reports), costs::table(&costs));
    }
    if let Some(path) = &args.junit {
        let case = |report: &Report| junit::Case {
            name: report.kernel.to_owned(),
            outcome: junit::Outcome::unless(report.first_problem.clone()),
            time: None,
        };
        junit::write(path, "kernels", &reports.iter().map(case).collect::<Vec<_>>())?;
    }
    Ok(Outcome::of(reports.iter().all(Report::passed)))
}

/// A bar on a terminal, once the work has taken a second.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
}

impl Progress {
    pub(crate) fn new(length: u64) -> Self {
        let style = ProgressStyle::with_template("{msg:28} {bar:40} {pos}/{len}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden()).with_style(style);
        Self {
            bar,
            start: Instant::now(),
        }
    }

    pub(crate) fn tick(&self, kernel: &str) {
        self.bar.inc(1);
        if self.bar.is_hidden() && self.start.elapsed().as_secs() >= 1 {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        if !self.bar.is_hidden() {
            self.bar.set_message(kernel.to_owned());
        }
    }
}

impl Progress {
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
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
        let known: Vec<&str> = all.iter().map(|(_, kernel)| kernel.name).collect();
        bail!("no kernel {name}; there are {}", known.join(", "));
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
