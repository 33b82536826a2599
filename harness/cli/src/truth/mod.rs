//! `swirl truth`: compares reports of the program `roms/truth.elf` with predictions, to decide switches.

mod compare;
mod loopback;
mod predict;
mod report;
mod switches;
mod vmu;

use crate::exit::ExitStatus;
use crate::{input, output};
use anyhow::{Context, Result};
use clap::Subcommand;
use compare::Verdict;
use predict::Predictions;
use report::{End, Report};
use std::path::{Path, PathBuf};
use switches::Owner;

/// Compare a console with the emulated one: predictions and captures of roms/truth.elf.
///
/// The program roms/truth.elf runs on a console and prints a report of its observations. Each switch for
/// uncertain hardware behaviour should change at least one line of the report.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl truth run\n  swirl truth run --set fipr_model=exact\n  \
    swirl truth compare capture.txt\n  \
    swirl truth compare capture.txt --part cpu --part pvr\n  swirl truth report vmu.bin -o capture.txt\n  \
    swirl truth settings capture.txt -o console.txt\n  swirl truth switches\n  \
    swirl truth switches --markdown switches.md"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print the program's report on the emulated console.
    Run {
        /// Set a switch of the CPU, the console, the PowerVR2 or the sound block, or a parameter of the cycle
        /// model.
        ///
        /// `swirl truth switches` lists them. May be given several times.
        #[arg(long, value_name = "NAME=VALUE")]
        set: Vec<String>,
    },
    /// Print for each switch whether a capture confirms it, refutes it or leaves it open.
    ///
    /// The exit status is 1 if the capture differs from the prediction, or its CRC is wrong.
    Compare {
        /// Capture: the program's output, the memory of a VMU (128 KiB), or the file from it.
        file: PathBuf,
        #[command(flatten)]
        wanted: SwitchFilter,
    },
    /// Print only the report of a capture, as text.
    Report {
        /// Capture: the program's output, the memory of a VMU (128 KiB), or the file from it.
        file: PathBuf,
        /// Output file; by default standard output.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Write the switches that match a capture best, as lines NAME=VALUE.
    Settings {
        /// Capture: the program's output, the memory of a VMU (128 KiB), or the file from it.
        file: PathBuf,
        #[command(flatten)]
        wanted: SwitchFilter,
        /// Output file; by default standard output.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Compare a recording of a console's sound output with the prediction.
    ///
    /// The console plays roms/console/loopback.elf. The exit status is 1 if a section's level or frequency
    /// differs.
    Loopback {
        /// Recording: a WAV file with two channels of 16 or 24 bits, at most 30 seconds.
        file: PathBuf,
        /// Set a switch of the sound block for the prediction. May be given several times.
        #[arg(long, value_name = "NAME=VALUE")]
        set: Vec<String>,
    },
    /// List all switches with their choices, and the experiments that distinguish them.
    ///
    /// The exit status is 1 if a switch has neither an experiment nor a reason for having none, or has both.
    Switches {
        /// Write a Markdown table of claims, evidence and experiments.
        #[arg(long, value_name = "FILE")]
        markdown: Option<PathBuf>,
        #[command(flatten)]
        wanted: SwitchFilter,
    },
}

/// Selection of switches. The program runs once per choice of each switch.
#[derive(clap::Args)]
struct SwitchFilter {
    /// Try only the switches of these components, which is faster. May be given several times.
    #[arg(long, value_name = "PART", value_enum)]
    part: Vec<Owner>,
}

impl Args {
    /// Returns the capture's path.
    pub(crate) fn inputs_mut(&mut self) -> Vec<&mut PathBuf> {
        match &mut self.action {
            Action::Compare { file, .. }
            | Action::Report { file, .. }
            | Action::Settings { file, .. }
            | Action::Loopback { file, .. } => vec![file],
            Action::Run { .. } | Action::Switches { .. } => Vec::new(),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    match &args.action {
        Action::Run { set } => {
            let mut config = predict::config();
            set.iter()
                .try_for_each(|asked| switches::set_text(&mut config, asked))?;
            print!("{}", predict::output(config)?);
            Ok(ExitStatus::Done)
        }
        Action::Compare { file, wanted } => compare(file, &wanted.part),
        Action::Report { file, output } => {
            let (text, _) = read(file)?;
            write(output.as_deref(), &report::lines(&text))?;
            Ok(ExitStatus::Done)
        }
        Action::Settings { file, wanted, output } => settings(file, &wanted.part, output.as_deref()),
        Action::Loopback { file, set } => loopback::run(file, set),
        Action::Switches { markdown, wanted } => list(markdown.as_deref(), &wanted.part),
    }
}

/// Reads a capture, and compares it with an empty report.
pub(crate) fn read_capture(text: &str) -> Result<Vec<String>> {
    let capture = Report::parse(text)?;
    let none = Report {
        observations: std::collections::BTreeMap::new(),
        end: End::Missing,
    };
    Ok(compare::differences(&none, &capture))
}

/// Reads a capture and its report. Warns if its last line does not match.
pub(crate) fn read(file: &Path) -> Result<(String, Report)> {
    let name = || file.display().to_string();
    let mut bytes = input::read(file)?;
    if vmu::is_image(&bytes) {
        bytes = vmu::read_file(&bytes).with_context(name)?;
    }
    // A serial line adds noise before the report; a file of a VMU has a header before it, and zeros after it.
    // No line of the report contains invalid UTF-8.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let report = Report::parse(&text).with_context(name)?;
    match report.end {
        End::Whole => {}
        End::Missing => eprintln!(
            "swirl: warning: {}: found no line 'end': the report is incomplete",
            name()
        ),
        End::Different { said, found } => eprintln!(
            "swirl: warning: {}: found {:08x} lines with CRC {:08x}, expected {:08x} lines with CRC {:08x} \
            by the line 'end': the capture was changed",
            name(),
            found[0],
            found[1],
            said[0],
            said[1]
        ),
    }
    Ok((text, report))
}

/// Writes to a file, or prints.
fn write(path: Option<&Path>, text: &str) -> Result<()> {
    match path {
        Some(path) => output::write(path, text.as_bytes()),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

fn words(report: &Report, name: &str) -> String {
    match report.observations.get(name) {
        Some(values) => {
            let values: Vec<String> = values.iter().map(|value| format!("{value:08x}")).collect();
            values.join(" ")
        }
        None => "no value".to_owned(),
    }
}

fn compare(file: &Path, parts: &[Owner]) -> Result<ExitStatus> {
    let (text, capture) = read(file)?;
    let config = predict::config_of(&text);
    let predicted = predict::report(config)?;
    let different = compare::differences(&predicted, &capture);
    for name in &different {
        let (found, expected) = (words(&capture, name), words(&predicted, name));
        println!("different {name}: found {found}, predicted {expected}");
    }
    let mut counts = [0; 3];
    for predictions in predict::each(config, switches::of(parts, config))? {
        let switch = &predictions.switch;
        let text = match compare::verdict(&predictions, 0, &capture) {
            Verdict::Confirmed => {
                counts[0] += 1;
                format!("confirmed: {}", switch.choices[0])
            }
            Verdict::Refuted(choice) => {
                counts[1] += 1;
                format!("refuted: {choice} fits, {} does not", switch.choices[0])
            }
            Verdict::Open(why) => {
                counts[2] += 1;
                format!("open: {}", why_open(switch.name, why))
            }
        };
        println!("{} {text}", switch.name);
    }
    let [confirmed, refuted, open] = counts;
    println!(
        "{} lines, {} different; {confirmed} switches confirmed, {refuted} refuted, {open} open",
        capture.observations.len(),
        different.len()
    );
    Ok(ExitStatus::of(different.is_empty() && capture.end == End::Whole))
}

fn why_open(name: &str, why: String) -> String {
    switches::reason(name).map_or(why, str::to_owned)
}

/// Maximum number of rounds. A switch can become decidable after another one was decided.
const ROUNDS: usize = 4;

fn settings(file: &Path, parts: &[Owner], path: Option<&Path>) -> Result<ExitStatus> {
    let (text, capture) = read(file)?;
    let mut config = predict::config_of(&text);
    let mut chosen: Vec<(&'static str, String)> = Vec::new();
    let mut undecided = switches::of(parts, config);
    let mut different = compare::differences(&predict::report(config)?, &capture).len();
    for _ in 0..ROUNDS {
        if different == 0 {
            break;
        }
        let before = chosen.len();
        let mut again = Vec::new();
        for predictions in predict::each(config, std::mem::take(&mut undecided))? {
            match compare::verdict(&predictions, 0, &capture) {
                Verdict::Refuted(choice) => {
                    switches::set(&mut config, predictions.switch.name, &choice)?;
                    chosen.push((predictions.switch.name, choice));
                }
                Verdict::Open(_) => again.push(predictions.switch),
                Verdict::Confirmed => {}
            }
        }
        if chosen.len() == before {
            break;
        }
        undecided = again;
        different = compare::differences(&predict::report(config)?, &capture).len();
    }
    let mut text = format!(
        "# {} lines, {different} still different\n",
        capture.observations.len()
    );
    for (name, choice) in chosen {
        text += &format!("{name}={choice}\n");
    }
    write(path, &text)?;
    Ok(ExitStatus::Done)
}

fn list(markdown: Option<&Path>, parts: &[Owner]) -> Result<ExitStatus> {
    let all = predict::each(predict::config(), switches::of(parts, predict::config()))?;
    let mut table =
        "| switch | claim | choices | evidence | confidence | experiment |\n|---|---|---|---|---|---|\n"
            .to_owned();
    let (mut wrong, mut told) = (0, 0);
    for predictions in &all {
        let is_distinguished = predictions.distinguished() == predictions.switch.choices.len();
        told += usize::from(is_distinguished);
        wrong += usize::from(is_distinguished == switches::reason(predictions.switch.name).is_some());
        println!("{}", row(predictions));
        table += &markdown_row(predictions);
    }
    println!(
        "{} switches, {told} distinguished, {wrong} with neither or both",
        all.len()
    );
    if let Some(path) = markdown {
        output::write(path, table.as_bytes())?;
    }
    Ok(ExitStatus::of(wrong == 0))
}

fn row(predictions: &Predictions) -> String {
    let switch = &predictions.switch;
    let choices = switch.choices.len();
    let head = format!(
        "{}: {} of {choices} choices distinguished",
        switch.name,
        predictions.distinguished()
    );
    let experiments = predictions.experiments();
    match (switches::reason(switch.name), experiments.is_empty()) {
        (Some(reason), true) => format!("{head}; no experiment: {reason}"),
        (Some(reason), false) => format!("{head} by {}; {reason}", experiments.join(", ")),
        (None, true) => format!("{head}; no experiment and no reason"),
        (None, false) => format!("{head} by {}", experiments.join(", ")),
    }
}

fn markdown_row(predictions: &Predictions) -> String {
    let switch = &predictions.switch;
    let experiment = match switches::reason(switch.name) {
        Some(reason) => format!("none: {reason}"),
        None => predictions.experiments().join(", "),
    };
    format!(
        "| `{}` | {} | {} | {} | {} | {experiment} |\n",
        switch.name,
        switch.row.about,
        switch.choices.join(", "),
        switch.row.evidence,
        switch.row.confidence
    )
}
