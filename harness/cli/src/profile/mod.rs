//! `swirl profile`: shows the cost of a kernel or a program, cycle by cycle.

pub(crate) mod baseline;
mod budget;
mod change;
mod export;
mod pairing;
mod place;
pub(crate) mod program;
mod run;
mod target;
mod what_if;

use crate::cpu_engine::CpuEngine;
use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use crate::input;
use anyhow::{Context, Result, bail};
use change::Change;
use clap::{ArgMatches, ValueEnum};
use profile::{Profile, Report, view};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use target::{Code, Target};
use timing::events::{Measured, read_csv};
use view::Paint;

/// Profile a kernel, an ELF function or a whole program, cycle by cycle.
///
/// The model has the two-way pipeline with latencies and locks, both caches, SDRAM rows, store queues and the
/// bus. A kernel gets the arguments of one generated case, a function gets the arguments of --arg. A program
/// runs from its entry until SLEEP. Every report ends with a list of hardware that the model ignores.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    swirl profile transform_points --view timeline\n  \
    swirl profile transform_points --view timeline --timeline transform_points..transform_points+0x20\n  \
    swirl profile project_points --cache warm --view listing,ledger --set fsrra_latency=5\n  \
    swirl profile transform_points --what-if align=2 --what-if swap=transform_points+0xc --what-if \
    mode=oix,fsrra_latency=5\n  \
    swirl profile --elf game.elf --spec kernels.toml xform_fast --cache warm\n  \
    swirl profile --elf game.elf --call update_physics --arg 0x8c200000 --arg 64 --json\n  \
    swirl profile --elf game.elf --export callgrind=callgrind.out.game --export html=game.html\n  \
    swirl profile --elf game.elf --frames 120..180 --export html=game.html --export frames=frames.csv\n  \
    swirl profile --elf game.elf --frames 120..180 --baseline base.json --fail-above 2% --export \
    markdown=summary.md\n  \
    swirl profile submit_strip --json > base.json; swirl profile submit_strip --baseline base.json \
    --fail-above 1%\n\n\
    Exit status 1 if --baseline is exceeded; 2 if the code cannot be run to its end.\n\
    With --frames, --baseline compares cycles of work per frame, in the program and its interrupt handlers.\n\
    CSV for --compare: CODE,EVENT,COUNT with the code in hexadecimal, as --view events lists them.")]
pub(crate) struct Args {
    /// Kernel of this project, or with --spec of the specification.
    #[arg(required_unless_present_any = ["elf", "set"])]
    name: Option<String>,
    /// ELF file with the kernel (roms/build.sh FOLDER), instead of the built-in one.
    #[arg(long, value_name = "FILE", requires = "name", conflicts_with = "elf")]
    rom: Option<PathBuf>,
    /// ELF file of your own program.
    #[arg(long)]
    elf: Option<PathBuf>,
    /// Run the ELF program on the whole console, and measure from vertical blank A to vertical blank B.
    #[arg(long, value_name = "A..B", requires = "elf", value_parser = program::frame_range,
        conflicts_with_all = ["name", "call", "spec", "region", "count", "what_if"])]
    frames: Option<program::FrameRange>,
    /// Script of the controllers' input with --frames, as for `swirl run`.
    #[arg(long, value_name = "FILE", requires = "frames")]
    input: Option<PathBuf>,
    /// Folder that the program sees as /pc, with --frames.
    #[arg(long, value_name = "DIR", requires = "frames")]
    files: Option<PathBuf>,
    /// Specification (TOML) of `swirl verify --elf`: the kernel gets the same arguments as in verification.
    #[arg(
        long,
        requires = "elf",
        requires = "name",
        conflicts_with = "call",
        value_name = "FILE"
    )]
    spec: Option<PathBuf>,
    /// Profile the reference of the kernel instead, with --spec.
    #[arg(long, requires = "spec")]
    reference: bool,
    /// Function to call, with or without the leading underscore. By default the whole program.
    #[arg(long, requires = "elf")]
    call: Option<String>,
    /// 32-bit argument of the function, decimal or 0x hexadecimal. The first four are in registers, the
    /// others on the stack.
    #[arg(long = "arg", requires = "call", value_parser = place::number)]
    args: Vec<u32>,
    /// Seed of the kernel's generated arguments. By default 1, or the seed in the specification's `cycles`.
    #[arg(long, requires = "name")]
    seed: Option<u64>,
    /// Views to print, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "summary")]
    view: Vec<View>,
    /// Part of the run in the timeline: loop (an iteration of the most repeated loop), all, or FROM..TO. The
    /// last path between two places is shown; a place is a symbol, symbol+offset or address.
    #[arg(long, value_name = "loop|all|FROM..TO", default_value = "loop")]
    timeline: String,
    /// State of the caches at the start: empty, filled by one previous run, or only one of them filled.
    #[arg(long, default_value = "cold")]
    cache: Cache,
    /// Value of CCR at the start, which sets the cache modes.
    ///
    /// KallistiOS sets 0x105; a loader leaves 0, with both caches off. With --frames it applies until the
    /// program writes CCR.
    #[arg(long, default_value = "0x105", value_parser = place::number)]
    ccr: u32,
    /// Measure only between two places, FROM..TO. A place is a symbol, symbol+offset or address; NAME stands
    /// for the labels NAME_begin and NAME_end.
    #[arg(long)]
    region: Option<String>,
    /// Change an uncertain parameter of the model or a condition of the run (align, mode, ccr, swap). `--set
    /// help` lists them.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Run again with a change, and print both totals and their difference.
    ///
    /// Takes the same changes as --set; several, separated by commas, apply together. May be given several
    /// times.
    #[arg(long, value_name = "NAME=VALUE", value_parser = what_if::WhatIf::parse)]
    what_if: Vec<what_if::WhatIf>,
    /// Print all results as JSON instead.
    #[arg(long)]
    json: bool,
    /// Write the result for another tool, as KIND=FILE. Kinds: callgrind, folded, svg, speedscope, perfetto,
    /// konata, csv (instructions), json, html, events (CSV for --compare), tables (a folder with a CSV file
    /// per view). With --frames also frames (a row per frame) and markdown (a summary, compared with
    /// --baseline if given).
    #[arg(long, value_parser = export::Export::parse)]
    export: Vec<export::Export>,
    /// Folder of source files to show, in addition to the working folder. With --frames and --export html.
    /// May be given several times.
    #[arg(long, value_name = "DIR")]
    sources: Vec<PathBuf>,
    /// Count only totals, ledger, events and memory: several times faster, with the same results.
    #[arg(long, conflicts_with_all = ["region", "baseline"])]
    count: bool,
    /// No effect; kept for scripts. The interpreter counts, and both engines have the same results.
    #[arg(long, hide = true, default_value = "auto", requires = "count")]
    engine: CpuEngine,
    /// Compare the hardware's events with a console's counts in a CSV file.
    #[arg(long)]
    compare: Option<PathBuf>,
    /// Compare with the JSON of an earlier run, instruction by instruction. With --frames, compare work
    /// cycles per frame, devices and functions.
    #[arg(long)]
    baseline: Option<PathBuf>,
    /// Exit with status 1 if the cycles grew by more than this percentage, with --baseline.
    #[arg(long, requires = "baseline", default_value = "0%", value_parser = baseline::percentage)]
    fail_above: f64,
    /// Maximum number of instructions before giving up.
    #[arg(long, default_value_t = 1_000_000_000)]
    max_instructions: u64,
    /// Use of colour: on a terminal unless NO_COLOR is set, always, or never.
    #[arg(long, default_value = "auto", value_name = "WHEN")]
    color: Color,
}

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Returns the style for standard output. A variable NO_COLOR that is not empty disables colour
    /// (no-color.org).
    fn paint(self) -> Paint {
        let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Color::Always => Paint::Ansi,
            Color::Auto if !forbidden && std::io::stdout().is_terminal() => Paint::Ansi,
            Color::Auto | Color::Never => Paint::Plain,
        }
    }
}

/// `--view`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum View {
    /// Cycles, issue slots used and lost, and bounds.
    Summary,
    /// Cycles and causes of each instruction.
    Listing,
    /// The most expensive functions.
    Functions,
    /// The cycle in which each instruction issued, and the causes of its waits.
    Timeline,
    /// Lost issue slots by cause.
    Ledger,
    /// Caches, buffers and the bus.
    Memory,
    /// Performance events of the chip.
    Events,
}

/// `--cache`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Cache {
    /// Both caches empty.
    Cold,
    /// Both caches filled by a previous run.
    Warm,
    /// Instruction cache filled, operand cache empty.
    CodeWarm,
    /// Operand cache filled, instruction cache empty.
    DataWarm,
}

pub(crate) fn run(args: &Args, matches: &ArgMatches) -> Result<ExitStatus> {
    warn_unused(args, GivenOptions(matches));
    if args.set.iter().any(|set| set == "help") {
        print!("{}", change::help());
        return Ok(ExitStatus::Done);
    }
    if let (Some(frames), Some(elf)) = (args.frames, &args.elf) {
        return program::run(args, elf, frames);
    }
    let places = [View::Listing, View::Timeline, View::Functions];
    if args.count && (!args.export.is_empty() || args.view.iter().any(|view| places.contains(view))) {
        bail!("--count measures only totals: omit it for --view listing or timeline, and for --export");
    }
    let baseline = args.baseline.as_deref().map(baseline::read).transpose()?;
    let measured = args.compare.as_deref().map(measured).transpose()?;
    let base = changes(args)?;
    let mut target = Target::open(args, &base)?;
    let profile = run::run(&mut target, args)?;
    what_if::warn_of_swaps(&target, &profile);
    let others = what_if::run_all(args, &base, &profile)?;
    let mut report = Report::new(&profile, &target.places, &target.title, &cache(args));
    report.what_if.clone_from(&args.set);
    report.comparisons = what_if::json(&profile, &others);
    for export in &args.export {
        export.write(&profile, &target, &report)?;
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!(
            "{}",
            text(args, &profile, &target, &base, measured.as_deref(), &others)
        );
    }
    let Some(baseline) = baseline else {
        return Ok(ExitStatus::Done);
    };
    let comparison = baseline::compare(&baseline, &report, args.fail_above);
    if args.json {
        eprint!("{}", comparison.text);
    } else {
        print!("\n{}", comparison.text);
    }
    if comparison.exceeded {
        eprintln!("swirl: error: more cycles than --fail-above allows: see the comparison with the baseline");
    }
    Ok(ExitStatus::of(!comparison.exceeded))
}

/// Warns of options without effect on the output or the run.
fn warn_unused(args: &Args, given: GivenOptions<'_>) {
    given.warn(
        args.json,
        &["view", "compare"],
        "with --json, which contains all results",
    );
    given.warn(
        args.count,
        &["timeline"],
        "with --count, which measures only totals",
    );
    given.warn(
        args.frames.is_some(),
        &["max_instructions", "cache", "timeline", "color"],
        "with --frames, which measures a run on the whole console",
    );
    let page = |export: &export::Export| export.kind == export::Kind::Html;
    given.warn(
        args.frames.is_none() || !args.export.iter().any(page),
        &["sources"],
        "without --frames and --export html: only this page shows sources",
    );
    let is_plain_elf = args.elf.is_some() && args.spec.is_none();
    given.warn(
        is_plain_elf,
        &["seed"],
        "on --elf without --spec: no arguments are generated",
    );
}

/// Parses the changes of `--set`.
fn changes(args: &Args) -> Result<Vec<Change>> {
    let mut all = Vec::new();
    for set in &args.set {
        all.extend(change::parse(set).map_err(|error| anyhow::anyhow!("--set {error}"))?);
    }
    Ok(all)
}

fn measured(path: &Path) -> Result<Vec<Measured>> {
    let text = input::read_text(path)?;
    read_csv(&text).with_context(|| format!("{}", path.display()))
}

/// Returns the name of the initial cache state.
fn cache(args: &Args) -> String {
    let value = args.cache.to_possible_value();
    value.map_or(String::new(), |value| value.get_name().to_owned())
}

/// Describes the caches that a value of CCR enables.
fn caches_text(ccr: u32) -> &'static str {
    match (ccr & 1 != 0, ccr & 1 << 8 != 0) {
        (true, true) => "both caches on",
        (true, false) => "the instruction cache off",
        (false, true) => "the operand cache off",
        (false, false) => "both caches off",
    }
}

/// Formats the requested views, the comparisons and the conditions of the run.
fn text(
    args: &Args,
    profile: &Profile,
    target: &Target,
    changes: &[Change],
    measured: Option<&[Measured]>,
    others: &[what_if::WhatIfRun],
) -> String {
    let (paint, places) = (args.color.paint(), &target.places);
    let views = args.view.iter().map(|which| match which {
        View::Summary => view::summary(profile, &target.title, paint),
        View::Listing => view::listing(profile, places, paint),
        View::Functions => view::functions(profile, places, paint),
        View::Timeline => view::timeline(profile, places, target.timeline, paint),
        View::Ledger => view::ledger(profile, paint),
        View::Memory => view::memory(profile, places, paint),
        View::Events => view::events(&profile.events),
    });
    let mut parts: Vec<String> = views.collect();
    if matches!(target.code, Code::Program(..)) && args.view == [View::Summary] && !args.count {
        parts.push(view::functions(profile, places, paint));
    }
    let short_names = [View::Listing, View::Functions, View::Timeline];
    if args.view.iter().any(|which| short_names.contains(which)) {
        parts.push(view::legend(profile));
    }
    parts.extend(budget::line(args, target, profile));
    parts.extend(measured.map(|measured| view::compare(&profile.events, measured)));
    if !others.is_empty() {
        parts.push(what_if::table(profile, others));
    }
    let moved = changes
        .iter()
        .any(|change| !matches!(change, Change::Parameter(..)));
    if moved {
        parts.push(format!("under other conditions: {}\n", args.set.join(", ")));
    }
    parts.push(format!(
        "caches at the start: {}, CCR = {:08x} ({})\n",
        cache(args),
        target.ccr,
        caches_text(target.ccr)
    ));
    parts.push(view::unmodelled());
    parts.join("\n")
}
