//! `swirl profile`: where the cycles of a kernel or a program go.

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

/// Say where every cycle of an SH4 kernel, of a function in an ELF file, or of a whole program went.
///
/// The model has the two-way pipeline with its latencies and locks, both caches, SDRAM rows, store queues and
/// the bus. A kernel gets the arguments of one generated case. A function gets the words of --arg. A program
/// runs from its entry until SLEEP. Every report ends with what is not modelled.
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
    With --frames, --baseline compares cycles of work a frame: of the program and its interrupt handlers.\n\
    CSV for --compare: CODE,EVENT,COUNT with the code in hexadecimal, as --view events lists them.")]
pub(crate) struct Args {
    /// A kernel of this project, or with --spec one of the specification.
    #[arg(required_unless_present_any = ["elf", "set"])]
    name: Option<String>,
    /// The kernel as assembled into this ELF file (roms/build.sh FOLDER), and not as it is built in.
    #[arg(long, value_name = "FILE", requires = "name", conflicts_with = "elf")]
    rom: Option<PathBuf>,
    /// An ELF file of your own.
    #[arg(long)]
    elf: Option<PathBuf>,
    /// Run the ELF program on the whole console, and measure from vertical blank A to vertical blank B.
    #[arg(long, value_name = "A..B", requires = "elf", value_parser = program::frame_range,
        conflicts_with_all = ["name", "call", "spec", "region", "count", "what_if"])]
    frames: Option<program::FrameRange>,
    /// With --frames: what the controllers do, as for `swirl run`.
    #[arg(long, value_name = "FILE", requires = "frames")]
    input: Option<PathBuf>,
    /// With --frames: a folder that the program reads as /pc.
    #[arg(long, value_name = "DIR", requires = "frames")]
    files: Option<PathBuf>,
    /// The TOML that `swirl verify --elf` uses: the kernel gets the arguments that verification gives it.
    #[arg(
        long,
        requires = "elf",
        requires = "name",
        conflicts_with = "call",
        value_name = "FILE"
    )]
    spec: Option<PathBuf>,
    /// With --spec: what the kernel is compared with, instead of the kernel.
    #[arg(long, requires = "spec")]
    reference: bool,
    /// The function to call in it, with or without the leading underscore; the whole program if absent.
    #[arg(long, requires = "elf")]
    call: Option<String>,
    /// A 32-bit argument of that function, decimal or 0x hexadecimal; four in registers, the rest on the
    /// stack.
    #[arg(long = "arg", requires = "call", value_parser = place::number)]
    args: Vec<u32>,
    /// Seed of the kernel's generated arguments: 1, or what the specification's `cycles` says.
    #[arg(long, requires = "name")]
    seed: Option<u64>,
    /// What to print; several with commas between.
    #[arg(long, value_delimiter = ',', default_value = "summary")]
    view: Vec<View>,
    /// What the timeline shows: an iteration of the most repeated loop, all, or the last way from one place
    /// to another: FROM..TO, symbols, symbol+offset or addresses.
    #[arg(long, value_name = "loop|all|FROM..TO", default_value = "loop")]
    timeline: String,
    /// The caches at the start: empty, left by one whole run before, or only one of them left so.
    #[arg(long, default_value = "cold")]
    cache: Cache,
    /// Value of CCR at the start: cache modes. KallistiOS has 0x105; a loader leaves 0, both caches off. With
    /// --frames until the program writes CCR.
    #[arg(long, default_value = "0x105", value_parser = place::number)]
    ccr: u32,
    /// Measure only from one place to another: FROM..TO, symbols, symbol+offset or addresses; or NAME for the
    /// labels NAME_begin and NAME_end.
    #[arg(long)]
    region: Option<String>,
    /// Look at the run under another condition, NAME=VALUE: one of the model's open figures, align, mode,
    /// ccr, swap. `--set help` lists them.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Run again under another condition and print both totals and the difference; conditions as for --set,
    /// several that hold together with commas between. May be given several times.
    #[arg(long, value_name = "NAME=VALUE", value_parser = what_if::WhatIf::parse)]
    what_if: Vec<what_if::WhatIf>,
    /// Print everything as JSON instead.
    #[arg(long)]
    json: bool,
    /// Write the result for another tool, as KIND=FILE: callgrind, folded, svg, speedscope, perfetto, konata,
    /// csv (instructions), frames (with --frames: a row a frame), markdown (with --frames: a summary, beside
    /// that of --baseline if given), tables (CSV files of every view into a folder), events (CSV for
    /// --compare), json, html.
    #[arg(long, value_parser = export::Export::parse)]
    export: Vec<export::Export>,
    /// With --frames and --export html: show source files below this folder too, not only below the working
    /// folder; may be given several times.
    #[arg(long, value_name = "DIR")]
    sources: Vec<PathBuf>,
    /// Only totals, ledger, events and memory: several times faster, the same figures.
    #[arg(long, conflicts_with_all = ["region", "baseline"])]
    count: bool,
    /// Kept for scripts: the interpreter counts, and both engines have the same figures.
    #[arg(long, hide = true, default_value = "auto", requires = "count")]
    engine: CpuEngine,
    /// Compare the hardware's events with counts from a console, read from a CSV file.
    #[arg(long)]
    compare: Option<PathBuf>,
    /// Compare with the JSON of an earlier run, instruction by instruction; with --frames, the cycles of work
    /// a frame, the devices' figures and the functions.
    #[arg(long)]
    baseline: Option<PathBuf>,
    /// With --baseline: exit status 1 if the cycles grew by more than this, such as 1%.
    #[arg(long, requires = "baseline", default_value = "0%", value_parser = baseline::percentage)]
    fail_above: f64,
    /// Give up after so many instructions.
    #[arg(long, default_value_t = 1_000_000_000)]
    max_instructions: u64,
    /// Colour: on a terminal unless NO_COLOR is set, always, or never.
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
    /// For standard output. A variable NO_COLOR that is not empty forbids colour (no-color.org).
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
    Summary,
    Listing,
    /// The dearest functions.
    Functions,
    Timeline,
    Ledger,
    Memory,
    Events,
}

/// `--cache`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Cache {
    /// Both empty.
    Cold,
    /// As one run leaves them.
    Warm,
    /// Code is there, data is not.
    CodeWarm,
    /// Data is there, code is not.
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
        bail!(
            "--count does not say where the cycles went: leave it away for --view listing or timeline, and \
             for --export"
        );
    }
    let baseline = args.baseline.as_deref().map(baseline::read).transpose()?;
    let measured = args.compare.as_deref().map(measured).transpose()?;
    let base = changes(args)?;
    let mut target = Target::open(args, &base)?;
    let profile = run::run(&mut target, args)?;
    what_if::warn_of_swaps(&target, &profile);
    let others = what_if::run_all(args, &base)?;
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
    Ok(ExitStatus::of(!comparison.exceeded))
}

/// Warns of options without effect on the output, or on the run.
fn warn_unused(args: &Args, given: GivenOptions<'_>) {
    given.warn(
        args.json,
        &["view", "compare"],
        "with --json, which has everything",
    );
    given.warn(
        args.count,
        &["timeline"],
        "with --count, which does not say where the cycles went",
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
        "without --frames and --export html, whose page shows sources",
    );
    let is_plain_elf = args.elf.is_some() && args.spec.is_none();
    given.warn(
        is_plain_elf,
        &["seed"],
        "on --elf without --spec: no arguments are generated",
    );
}

/// What `--set` asks for.
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

/// The name of the caches' state at the start.
fn cache(args: &Args) -> String {
    let value = args.cache.to_possible_value();
    value.map_or(String::new(), |value| value.get_name().to_owned())
}

/// The caches that a value of CCR turns on.
fn caches_text(ccr: u32) -> &'static str {
    match (ccr & 1 != 0, ccr & 1 << 8 != 0) {
        (true, true) => "both caches on",
        (true, false) => "the instruction cache off",
        (false, true) => "the operand cache off",
        (false, false) => "both caches off",
    }
}

/// The views that were asked for, the comparisons, and what they rest on.
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
