//! Two runs side by side.

use anyhow::{Context, Result};
use profile::Report;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// `1%` as 0.01.
pub(crate) fn percentage(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>();
    let number = number.ok().filter(|value| value.is_finite() && *value >= 0.0);
    number
        .map(|value| value / 100.0)
        .ok_or_else(|| format!("found {text}, expected a percentage such as 1%"))
}

/// The report of an earlier run.
pub(crate) fn read(path: &Path) -> Result<Report> {
    let name = || format!("{}", path.display());
    let text = std::fs::read_to_string(path).with_context(name)?;
    serde_json::from_str(&text).with_context(|| format!("{}: not what --json prints", path.display()))
}

pub(crate) struct Comparison {
    pub(crate) text: String,
    /// Whether the cycles grew by more than is allowed.
    pub(crate) exceeded: bool,
}

/// The totals, and every instruction whose cost changed.
pub(crate) fn compare(before: &Report, after: &Report, allowed: f64) -> Comparison {
    let growth = after.cycles as f64 / (before.cycles.max(1)) as f64 - 1.0;
    let exceeded = growth > allowed;
    let mut text = format!(
        "baseline {}: {} cycles, now {} ({:+.2} %, {:.2} % allowed)\n",
        before.title,
        before.cycles,
        after.cycles,
        100.0 * growth,
        100.0 * allowed
    );
    let mut rows: BTreeMap<(&str, u64, &str), [u64; 2]> = BTreeMap::new();
    for (side, report) in [before, after].into_iter().enumerate() {
        for (key, cycles) in by_place(report) {
            rows.entry(key).or_default()[side] += cycles;
        }
    }
    for ((function, offset, instruction), [old, new]) in rows.iter().filter(|(_, [old, new])| old != new) {
        let _ = writeln!(
            text,
            "  {old:>10} -> {new:>10}  {function}+{offset:#x}  {instruction}"
        );
    }
    Comparison { text, exceeded }
}

/// Cycles by function, offset from the first instruction of it that ran, and instruction: two builds may lie at
/// different addresses.
fn by_place(report: &Report) -> Vec<((&str, u64, &str), u64)> {
    let mut starts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut places = Vec::new();
    for site in &report.listing {
        let start = *starts.entry(&site.function).or_insert(site.address);
        let offset = u64::from(site.address - start);
        places.push((
            (site.function.as_str(), offset, site.instruction.as_str()),
            site.cycles,
        ));
    }
    places
}
