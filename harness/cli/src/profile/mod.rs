//! `swirl profile`: where the cycles of a kernel or a program go.

pub(crate) mod baseline;
mod export;
mod run;
mod target;

use crate::Outcome;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use profile::events::read_csv;
use profile::{Profile, Report, view};
use std::path::PathBuf;
use target::Target;

/// Say where every cycle of an SH4 kernel, of a function in an ELF file, or of a whole program went.
///
/// The model has the two-way pipeline with its latencies and locks, both caches, SDRAM rows, store queues and the bus.
/// A kernel gets the arguments of one generated case. A function gets the words of --arg. A program runs from its
/// entry until SLEEP. Every report ends with what is not modelled.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    swirl profile transform_points --view timeline\n  \
    swirl profile project_points --cache warm --view listing,ledger --set fsrra_latency=5\n  \
    swirl profile --elf game.elf --call update_physics --arg 0x8c200000 --arg 64 --json\n  \
    swirl profile --elf game.elf --export callgrind=callgrind.out.game --export html=game.html\n  \
    swirl profile submit_strip --json > base.json; swirl profile submit_strip --baseline base.json --fail-above 1%\n\n\
    Exit status 1 if --baseline is exceeded; 2 if the code cannot be run to its end.\n\
    CSV for --compare: CODE,EVENT,COUNT with the code in hexadecimal, as --view events lists them.")]
pub(crate) struct Args {
    /// A kernel of this project.
    #[arg(conflicts_with = "elf", required_unless_present = "elf")]
    name: Option<String>,
    /// An ELF file of your own.
    #[arg(long)]
    elf: Option<PathBuf>,
    /// The function to call in it, with or without the leading underscore; the whole program if absent.
    #[arg(long, requires = "elf")]
    call: Option<String>,
    /// A 32-bit argument of that function, decimal or 0x hexadecimal; four in registers, the rest on the stack.
    #[arg(long = "arg", requires = "call", value_parser = target::number)]
    args: Vec<u32>,
    /// Seed of the kernel's generated arguments.
    #[arg(long, default_value_t = 1, conflicts_with = "elf")]
    seed: u64,
    /// What to print; several with commas between.
    #[arg(long, value_delimiter = ',', default_value = "summary")]
    view: Vec<View>,
    /// The caches at the start: empty, left by one whole run before, or only one of them left so.
    #[arg(long, default_value = "cold")]
    cache: Cache,
    /// Value of CCR: cache modes. KallistiOS has 0x105.
    #[arg(long, default_value = "0x105", value_parser = target::number)]
    ccr: u32,
    /// Measure only from one place to another: FROM..TO, symbols, symbol+offset or addresses.
    #[arg(long)]
    region: Option<String>,
    /// What if: another value for one of the model's open figures, as NAME=VALUE. `--set help` lists them.
    #[arg(long = "set")]
    set: Vec<String>,
    /// What if: the instruction at this place changes places with the next.
    #[arg(long)]
    swap: Vec<String>,
    /// Print everything as JSON instead.
    #[arg(long)]
    json: bool,
    /// Write the result for another tool, as KIND=FILE: callgrind, folded, svg, speedscope, perfetto, konata, csv
    /// (instructions), events (CSV for --compare), json, html.
    #[arg(long, value_parser = export::Export::parse)]
    export: Vec<export::Export>,
    /// Only totals, ledger, events and memory: several times faster, the same figures.
    #[arg(long, conflicts_with_all = ["region", "baseline"])]
    count: bool,
    /// Compare the hardware's events with counts from a console, read from a CSV file.
    #[arg(long)]
    compare: Option<PathBuf>,
    /// Compare with the JSON of an earlier run, instruction by instruction.
    #[arg(long)]
    baseline: Option<PathBuf>,
    /// With --baseline: exit status 1 if the cycles grew by more than this, such as 1%.
    #[arg(long, requires = "baseline", default_value = "0%", value_parser = baseline::percentage)]
    fail_above: f64,
    /// Give up after so many instructions.
    #[arg(long, default_value_t = 1_000_000_000)]
    max_instructions: u64,
}

/// `--view`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum View {
    Summary,
    Listing,
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

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    if args.set.iter().any(|set| set == "help") {
        print!("{}", target::parameters());
        return Ok(Outcome::Done);
    }
    let places = [View::Listing, View::Timeline];
    if args.count && (!args.export.is_empty() || args.view.iter().any(|view| places.contains(view))) {
        bail!("--count does not say where the cycles went: leave it away for listing, timeline and exports");
    }
    let baseline = args.baseline.as_deref().map(baseline::read).transpose()?;
    let measured = match &args.compare {
        Some(path) => {
            let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
            Some(read_csv(&text).with_context(|| format!("{}", path.display()))?)
        }
        None => None,
    };
    let mut target = Target::open(args)?;
    let profile = run::run(&mut target, args)?;
    let cache = args
        .cache
        .to_possible_value()
        .map_or(String::new(), |value| value.get_name().to_owned());
    let report = Report::new(&profile, &target.places, &target.title, &cache);
    for export in &args.export {
        export.write(&profile, &target, &report)?;
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", text(args, &profile, &target));
        if let Some(measured) = &measured {
            print!("\n{}", view::compare(&profile.events, measured));
        }
    }
    let Some(baseline) = baseline else {
        return Ok(Outcome::Done);
    };
    let comparison = baseline::compare(&baseline, &report, args.fail_above);
    if args.json {
        eprint!("{}", comparison.text);
    } else {
        print!("\n{}", comparison.text);
    }
    Ok(if comparison.exceeded {
        Outcome::CheckFailed
    } else {
        Outcome::Done
    })
}

/// The views that were asked for, and what they rest on.
fn text(args: &Args, profile: &Profile, target: &Target) -> String {
    let views = args.view.iter().map(|which| match which {
        View::Summary => view::summary(profile, &target.title),
        View::Listing => view::listing(profile, &target.places),
        View::Timeline => view::timeline(profile, &target.places),
        View::Ledger => view::ledger(profile),
        View::Memory => view::memory(profile, &target.places),
        View::Events => view::events(&profile.events),
    });
    let mut parts: Vec<String> = views.collect();
    parts.push(view::unmodelled());
    parts.join("\n")
}

/// A run that says nothing would be taken for a fast one.
fn check(profile: &Profile, target: &Target) -> Result<()> {
    if let Some(pc) = profile.changed_code {
        bail!(
            "{}: the code at {pc:08x} ({}) changed while it ran: its costs cannot be told apart",
            target.title,
            target.places.describe(pc)
        );
    }
    if profile.entered == 0 {
        bail!("{}: execution never came to the region", target.title);
    }
    Ok(())
}
