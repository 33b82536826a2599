//! Runs `roms/truth.elf` on the emulated console.

use super::report::{self, Report};
use super::switches::{self, Owner, Switch};
use crate::cpu_engine::CpuEngine;
use crate::progress::Progress;
use anyhow::{Context, Result, anyhow, bail};
use dreamcast::{Clock, Config, Cycles, Dreamcast, Ended, Until};
use machine::Image;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum run time in seconds of the console.
const SECONDS: u64 = 60;
/// Switch that gives the program a console to print to. Without one it shows a menu and waits for a button.
const LOADER: &str = "dcload";

/// Set of the experiment tables in `roms/src/truth/truth.c`, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Parts(u32);

impl Parts {
    const ALL: Parts = Parts(u32::MAX);
    const CPU: u32 = 1 << 0;
    const CONSOLE: u32 = 1 << 1;
    const DEVICES: u32 = 1 << 2;
    const SCENES: u32 = 1 << 3;
    const TIMING: u32 = 1 << 4;
    /// All mantissas of FSRRA, which take a second of the console's time.
    const LONG: u32 = 1 << 5;
    const LISTS: u32 = 1 << 7;
    const SOUND: u32 = 1 << 8;
    /// Battery-backed clock, which takes a second.
    const CLOCK: u32 = 1 << 9;
    const LAST: u32 = 1 << 10;

    /// Returns the tables whose observations a switch can change.
    fn of(switch: &Switch) -> Parts {
        Parts(match (switch.owner, switch.name) {
            (Owner::Cpu, "fsrra_model") => Parts::CPU | Parts::LONG,
            (Owner::Cpu, _) => Parts::CPU | Parts::LAST,
            (Owner::Console, "cpu_hz") => Parts::CONSOLE | Parts::DEVICES | Parts::CLOCK,
            (Owner::Console, "sound_state") => Parts::SOUND,
            (Owner::Console, _) => Parts::CONSOLE | Parts::DEVICES | Parts::SCENES,
            (Owner::Pvr, _) => Parts::DEVICES | Parts::SCENES | Parts::LISTS,
            (Owner::Aica, _) => Parts::SOUND,
            (Owner::Timing, _) => Parts::TIMING,
        })
    }
}

/// Configuration for predictions, with caches, the cycle model's time and the mixing of sound.
pub(crate) fn config() -> Config {
    Config {
        clock: Clock::Model,
        caches: true,
        audio: true,
        ..Config::default()
    }
}

/// Returns the configuration for predicting a capture: the clock and caches that `swirl run` has printed into
/// it, without mixing. By default [`config`], which is closest to hardware.
pub(crate) fn config_of(capture: &str) -> Config {
    let line = |line: &str| {
        let (clock, caches) = line.trim_end().strip_prefix("clock ")?.split_once(", caches ")?;
        let clock = match clock {
            "fast" => Clock::Fast,
            "model" => Clock::Model,
            _ => return None,
        };
        let caches = match caches {
            "coherent" => false,
            "cached" => true,
            _ => return None,
        };
        Some(Config {
            clock,
            caches,
            ..Config::default()
        })
    };
    capture.lines().find_map(line).unwrap_or_else(config)
}

/// Returns the program's output on a console.
///
/// # Errors
/// If the program does not end within [`SECONDS`].
pub(crate) fn output(config: Config) -> Result<String> {
    output_of(config, Parts::ALL)
}

fn output_of(config: Config, parts: Parts) -> Result<String> {
    let mut console = Dreamcast::new(config);
    console.load(&Image::parse(roms::TRUTH_ELF)?)?;
    if parts != Parts::ALL {
        let address = console.symbols().address("truth_parts");
        let address = address.ok_or_else(|| anyhow!("truth.elf: found no symbol truth_parts"))?;
        for (address, byte) in (address..).zip(parts.0.to_le_bytes()) {
            console.poke(address, byte);
        }
    }
    CpuEngine::Auto.prepare_console(&mut console, !config.caches)?;
    let limit = Cycles(SECONDS * console.cpu_hz());
    let until = Until {
        time: limit,
        ..Until::FOREVER
    };
    match console.run(until) {
        Ended::Time => bail!("truth.elf: still running after {SECONDS} s, expected it to end by itself"),
        // With some choices an instruction is undefined, and the report ends early. The short report is then
        // the prediction.
        _ => Ok(String::from_utf8_lossy(&console.take_console()).into_owned()),
    }
}

/// Runs a program until it ends by itself, and returns its sound.
pub(crate) fn sound(config: Config, program: &[u8]) -> Result<Vec<[i16; 2]>> {
    let mut console = Dreamcast::new(config);
    console.load(&Image::parse(program)?)?;
    CpuEngine::Auto.prepare_console(&mut console, !config.caches)?;
    let until = Until {
        time: Cycles(SECONDS * console.cpu_hz()),
        ..Until::FOREVER
    };
    match console.run(until) {
        Ended::Time => bail!("the program is still running after {SECONDS} s, expected it to end by itself"),
        _ => Ok(console.take_audio()),
    }
}

/// Returns the report on a console.
pub(crate) fn report(config: Config) -> Result<Report> {
    report_of(config, Parts::ALL)
}

fn report_of(config: Config, parts: Parts) -> Result<Report> {
    Report::parse(&output_of(config, parts)?).context("truth.elf on the emulated console")
}

/// Reports for one configuration: the full report, and one for each set of tables that a switch can change.
struct Base {
    config: Config,
    whole: Report,
    parts: BTreeMap<Parts, Report>,
}

impl Base {
    fn new(config: Config, switches: &[Switch]) -> Result<Base> {
        let mut parts = BTreeMap::new();
        for part in switches.iter().map(Parts::of) {
            if let Entry::Vacant(entry) = parts.entry(part) {
                entry.insert(report_of(config, part)?);
            }
        }
        Ok(Base {
            config,
            whole: report(config)?,
            parts,
        })
    }

    /// Returns the full report with a choice of a switch. Runs only the affected tables, and replaces lines
    /// of the full report by lines that differ.
    fn with(&self, switch: &Switch, choice: &str) -> Result<Report> {
        let mut config = self.config;
        switches::set(&mut config, switch.name, choice)?;
        let mut whole = self.whole.clone();
        if config == self.config || switch.name == LOADER {
            return Ok(whole);
        }
        let parts = Parts::of(switch);
        let part = report_of(config, parts).with_context(|| format!("{}={choice}", switch.name))?;
        for (name, values) in &self.parts[&parts].observations {
            match part.observations.get(name) {
                Some(found) if found == values => {}
                Some(found) => {
                    whole.observations.insert(name.clone(), found.clone());
                }
                None => {
                    whole.observations.remove(name);
                }
            }
        }
        Ok(whole)
    }
}

/// Reports for all choices of a switch, with the other switches as in `base`.
pub(crate) struct Predictions {
    pub(crate) switch: Switch,
    pub(crate) reports: Vec<Report>,
}

impl Predictions {
    /// Returns the names of observations that differ from the first choice's.
    pub(crate) fn experiments(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .reports
            .iter()
            .flat_map(|report| report.observations.keys().map(String::as_str))
            .collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| (1..self.reports.len()).any(|other| self.differ(name, 0, other)));
        names
    }

    fn differ(&self, name: &str, first: usize, second: usize) -> bool {
        let values = |choice: usize| self.reports[choice].observations.get(name);
        report::differ(name, values(first), values(second))
    }

    /// Returns the number of distinct reports among the choices.
    pub(crate) fn distinguished(&self) -> usize {
        let names = self.experiments();
        let choices = self.reports.len();
        let is_alone = |at: &usize| {
            let mut others = (0..choices).filter(|other| other != at);
            others.all(|other| names.iter().any(|name| self.differ(name, *at, other)))
        };
        (0..choices).filter(is_alone).count()
    }
}

/// Runs the program with each choice of some switches, on all cores. `base` sets the other switches.
pub(crate) fn each(base: Config, switches: Vec<Switch>) -> Result<Vec<Predictions>> {
    let base = Base::new(base, &switches)?;
    let predictions = |switch: &Switch| {
        let reports = switch.choices.iter().map(|choice| base.with(switch, choice));
        reports.collect::<Result<Vec<_>>>()
    };
    let next = AtomicUsize::new(0);
    let results = Mutex::new((BTreeMap::new(), Progress::new(switches.len() as u64)));
    let work = || {
        while let Some((at, switch)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, switches.get(at)?)))
        {
            let reports = predictions(switch);
            if let Ok(mut results) = results.lock() {
                results.0.insert(at, reports);
                results.1.tick(switch.name);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let (results, progress) = results
        .into_inner()
        .map_err(|_| anyhow!("a thread that ran truth.elf ended early"))?;
    progress.finish();
    let together = |(switch, (_, reports))| {
        Ok(Predictions {
            switch,
            reports: reports?,
        })
    };
    switches.into_iter().zip(results).map(together).collect()
}
