//! Reports of the checks, and their text.

use crate::plural::plural;
use dreamcast::checks::{Rule, Severity};
use serde::Serialize;

/// A place in the program.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CodePlace {
    pub(crate) address: String,
    /// `symbol+offset`.
    pub(crate) symbol: String,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
}

/// A finding with its names.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CheckReport {
    pub(crate) rule: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) function: String,
    pub(crate) place: CodePlace,
    pub(crate) called_from: Vec<CodePlace>,
    pub(crate) detail: String,
    pub(crate) addresses: Vec<CodePlace>,
    pub(crate) frame: u64,
    pub(crate) cycle: u64,
    pub(crate) count: u64,
    pub(crate) console: &'static str,
    pub(crate) mend: &'static str,
    pub(crate) denied: bool,
}

/// What the checks found in a run.
#[derive(Debug, Serialize)]
pub(crate) struct CheckResults {
    pub(crate) rules: Vec<&'static str>,
    pub(crate) reports: Vec<CheckReport>,
    /// Reports that `--allow` and the suppressions left out.
    pub(crate) allowed: usize,
    /// Broken rules at places beyond those that are remembered.
    pub(crate) more: u64,
}

impl CheckResults {
    /// Whether a rule of `--deny` was broken.
    pub(crate) fn fails(&self) -> bool {
        self.reports.iter().any(|report| report.denied)
    }

    /// The reports on standard error.
    pub(crate) fn print(&self) {
        for report in &self.reports {
            eprint!("{}", report.text());
        }
        if self.more > 0 {
            eprintln!("swirl: note: {} more reports at other places", self.more);
        }
        let reports = plural(self.reports.len(), "report");
        let rules = plural(self.rules.len(), "rule");
        eprintln!("swirl: {reports}, {} allowed, {rules} checked", self.allowed);
    }
}

impl CodePlace {
    fn text(&self) -> String {
        let line = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!(", {file}:{line}"),
            _ => String::new(),
        };
        format!("{} ({}){line}", self.address, self.symbol)
    }
}

impl CheckReport {
    fn text(&self) -> String {
        let mut text = format!(
            "swirl: {}: {} at {}\n",
            self.severity,
            self.rule,
            self.place.text()
        );
        text += &format!("  {}\n", self.detail);
        for address in &self.addresses {
            text += &format!("  {} is {}\n", address.address, address.symbol);
        }
        for caller in &self.called_from {
            text += &format!("  called from {}\n", caller.text());
        }
        let times = if self.count == 1 { "once" } else { "times" };
        let count = if self.count == 1 {
            String::new()
        } else {
            format!("{} ", grouped(self.count))
        };
        text += &format!(
            "  {count}{times}, first in frame {}, cycle {}\n",
            self.frame,
            grouped(self.cycle)
        );
        text += &format!("  a console: {}\n  to mend: {}\n", self.console, self.mend);
        text
    }
}

/// A number with commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let (head, rest) = digits.split_at(first);
    let groups = rest.as_bytes().chunks(3).map(String::from_utf8_lossy);
    let head = (!head.is_empty()).then(|| head.into());
    head.into_iter().chain(groups).collect::<Vec<_>>().join(",")
}

/// The worst severity of a rule's name, for SARIF.
pub(super) fn severity(name: &str) -> Severity {
    Rule::named(name).map_or(Severity::Warning, |rule| rule.info().severity)
}
