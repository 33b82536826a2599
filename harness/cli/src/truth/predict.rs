//! Runs of `roms/truth.elf` on our console.

use super::report::Report;
use super::switches::{self, Switch};
use anyhow::{Context, Result, anyhow, bail};
use dreamcast::{Config, Cycles, Dreamcast, Ended, Until};
use machine::Image;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Longest run in seconds of the console's time.
const SECONDS: u64 = 60;

/// What the program prints on a console.
///
/// # Errors
/// If it does not end by itself within [`SECONDS`].
pub(crate) fn output(config: Config) -> Result<String> {
    let mut console = Dreamcast::new(config);
    console.load(&Image::parse(roms::TRUTH_ELF)?)?;
    let limit = Cycles(SECONDS * console.cpu_hz());
    let until = Until {
        time: limit,
        ..Until::FOREVER
    };
    match console.run(until) {
        Ended::Time => bail!("truth.elf: found no end after {SECONDS} s, expected it to end by itself"),
        // A choice may take an instruction for undefined: then the report ends early, and that is its
        // prediction.
        _ => Ok(String::from_utf8_lossy(&console.take_console()).into_owned()),
    }
}

/// The report on a console.
pub(crate) fn report(config: Config) -> Result<Report> {
    Report::parse(&output(config)?).context("truth.elf on the emulated console")
}

/// The reports of a switch's choices, with the other switches as in `base`.
pub(crate) struct Predictions {
    pub(crate) switch: Switch,
    pub(crate) reports: Vec<Report>,
}

impl Predictions {
    /// Names of the observations that are not equal for all choices.
    pub(crate) fn experiments(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .reports
            .iter()
            .flat_map(|report| report.observations.keys().map(String::as_str))
            .collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| {
            let first = self.reports[0].observations.get(*name);
            self.reports
                .iter()
                .any(|report| report.observations.get(*name) != first)
        });
        names
    }

    /// How many choices have a report of their own.
    pub(crate) fn told_apart(&self) -> usize {
        let reports = &self.reports;
        let alone = |at: &usize| {
            let other = |n: &usize| n != at && reports[*n].observations == reports[*at].observations;
            !(0..reports.len()).any(|n| other(&n))
        };
        (0..reports.len()).filter(alone).count()
    }
}

/// Runs the program under each choice of each switch, on all cores. `base` is the default for the other
/// switches.
pub(crate) fn all(base: Config) -> Result<Vec<Predictions>> {
    let base_report = report(base)?;
    let predictions = |switch: &Switch| {
        let report_of = |choice: &String| {
            let mut config = base;
            switches::set(&mut config, switch.name, choice)?;
            if config == base {
                return Ok(base_report.clone());
            }
            report(config).with_context(|| format!("{}={choice}", switch.name))
        };
        switch.choices.iter().map(report_of).collect::<Result<Vec<_>>>()
    };
    let switches = switches::all();
    let next = AtomicUsize::new(0);
    let results = Mutex::new(BTreeMap::new());
    let work = || {
        while let Some((at, switch)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, switches.get(at)?)))
        {
            let reports = predictions(switch);
            if let Ok(mut results) = results.lock() {
                results.insert(at, reports);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let results = results
        .into_inner()
        .map_err(|_| anyhow!("a thread that ran truth.elf ended early"))?;
    let together = |(switch, (_, reports))| {
        Ok(Predictions {
            switch,
            reports: reports?,
        })
    };
    switches.into_iter().zip(results).map(together).collect()
}
