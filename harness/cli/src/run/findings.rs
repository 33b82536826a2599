//! Reports of the checks, and their text form.

use crate::plural::plural;
use dreamcast::checks::{Rule, Severity};
use serde::Serialize;

/// A place in the program.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CodePlace {
    pub(crate) address: String,
    /// Symbol with offset.
    pub(crate) symbol: String,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
}

/// A finding with names.
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
    /// Other places in the function that break the rule.
    pub(crate) also_at: Vec<CodePlace>,
    pub(crate) console: &'static str,
    pub(crate) mend: &'static str,
    pub(crate) denied: bool,
}

/// Results of the checks of a run.
#[derive(Debug, Serialize)]
pub(crate) struct CheckResults {
    pub(crate) rules: Vec<&'static str>,
    pub(crate) reports: Vec<CheckReport>,
    /// Number of reports ignored by `--allow` and the suppressions.
    pub(crate) allowed: usize,
    /// Number of broken rules at places for which the console stores no report.
    pub(crate) more: u64,
    /// True if rules of the caches were checked, and the program never turned the caches on.
    #[serde(skip)]
    pub(crate) caches_off: bool,
}

/// Merges the reports for each rule and function. Code that breaks a rule once often does so repeatedly with
/// the same pointer.
pub(super) fn grouped_by_function(reports: Vec<CheckReport>) -> Vec<CheckReport> {
    let mut grouped: Vec<CheckReport> = Vec::new();
    for report in reports {
        let same = |known: &&mut CheckReport| known.rule == report.rule && known.function == report.function;
        match grouped.iter_mut().find(same) {
            Some(known) => {
                known.count += report.count;
                known.denied |= report.denied;
                known.also_at.push(report.place);
            }
            None => grouped.push(report),
        }
    }
    grouped
}

/// Merges runs of equal rows into one row with a count.
fn folded<T: PartialEq>(rows: impl IntoIterator<Item = T>) -> Vec<(T, usize)> {
    let mut folded: Vec<(T, usize)> = Vec::new();
    for row in rows {
        match folded.last_mut() {
            Some((last, times)) if *last == row => *times += 1,
            _ => folded.push((row, 1)),
        }
    }
    folded
}

impl CheckResults {
    /// Returns whether a rule of `--deny` was broken.
    pub(crate) fn fails(&self) -> bool {
        self.reports.iter().any(|report| report.denied)
    }

    /// Prints the reports to standard error.
    pub(crate) fn print(&self) {
        for report in &self.reports {
            eprint!("{}", report.text());
        }
        if self.more > 0 {
            eprintln!("swirl: note: {} more reports at other places", self.more);
        }
        if self.caches_off {
            eprintln!(
                "swirl: note: the program never wrote CCR, so its caches stayed off: the rules of the group \
                cache tested no access"
            );
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
        if let [first, rest @ ..] = &self.also_at[..] {
            let more = match rest.len() {
                0 => String::new(),
                count => format!(" and {} more of its places", count),
            };
            text += &format!("  also at {}{more}\n", first.text());
        }
        for (caller, times) in folded(self.called_from.iter().map(CodePlace::text)) {
            let times = if times > 1 {
                format!("  [{times} times]")
            } else {
                String::new()
            };
            text += &format!("  called from {caller}{times}\n");
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

/// Formats a number with commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let (head, rest) = digits.split_at(first);
    let groups = rest.as_bytes().chunks(3).map(String::from_utf8_lossy);
    let head = (!head.is_empty()).then(|| head.into());
    head.into_iter().chain(groups).collect::<Vec<_>>().join(",")
}

/// Returns the worst severity of a rule, for SARIF.
pub(super) fn severity(name: &str) -> Severity {
    Rule::named(name).map_or(Severity::Warning, |rule| rule.info().severity)
}
