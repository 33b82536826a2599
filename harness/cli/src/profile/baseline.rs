//! Compares two runs.

use super::pairing::pair;
use crate::input;
use anyhow::{Context, Result};
use profile::{JsonSite, Report};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

/// Parses `1%` as 0.01.
pub(crate) fn percentage(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>();
    let number = number.ok().filter(|value| value.is_finite() && *value >= 0.0);
    number
        .map(|value| value / 100.0)
        .ok_or_else(|| format!("found {text}, expected a percentage such as 1%"))
}

/// Reads the report of an earlier run.
pub(crate) fn read(path: &Path) -> Result<Report> {
    let text = input::read_text(path)?;
    serde_json::from_str(&text)
        .with_context(|| format!("{}: expected the JSON of swirl profile --json", path.display()))
}

/// Compares a report with itself.
pub(crate) fn compare_text(text: &str) -> Result<String> {
    let report: Report = serde_json::from_str(text)?;
    Ok(compare(&report, &report, 0.0).text)
}

pub(crate) struct Comparison {
    pub(crate) text: String,
    /// Set if the cycles grew by more than permitted.
    pub(crate) exceeded: bool,
}

/// Compares totals, and lists all instructions that have another cost, are new, or are gone.
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
    let differ = [(&before.title, &after.title), (&before.cache, &after.cache)];
    for (old, new) in differ.into_iter().filter(|(old, new)| old != new) {
        let _ = writeln!(text, "  {old} before, {new} now");
    }
    for (old, new) in functions(before, after) {
        let mut rows = String::new();
        for (old, new) in pair(&old, &new, |a, b| operation(a) == operation(b)) {
            row(&mut rows, old, new);
        }
        if !rows.is_empty() {
            let name = |sites: &[&JsonSite]| sites.first().map_or("-", |site| &site.function).to_owned();
            let _ = writeln!(text, "  {} -> {}", name(&old), name(&new));
            text += &rows;
        }
    }
    Comparison { text, exceeded }
}

/// Returns an instruction without the target address of a branch or literal, because two builds can have
/// different addresses.
fn operation(site: &JsonSite) -> &str {
    let text = site.instruction.split(" !").next().unwrap_or_default();
    text.split("0x").next().unwrap_or_default()
}

fn row(text: &mut String, old: Option<&&JsonSite>, new: Option<&&JsonSite>) {
    let cycles =
        |site: Option<&&JsonSite>| site.map_or_else(|| "-".to_owned(), |site| site.cycles.to_string());
    if old.map(|site| site.cycles) == new.map(|site| site.cycles) {
        return;
    }
    let Some(shown) = new.or(old) else { return };
    let _ = writeln!(
        text,
        "  {:>10} -> {:>10}  {:08x}  {:<34} {}",
        cycles(old),
        cycles(new),
        shown.address,
        shown.instruction,
        causes(old, new)
    );
}

/// Lists the causes of lost issue slots with changed counts, and the changes.
fn causes(old: Option<&&JsonSite>, new: Option<&&JsonSite>) -> String {
    let lost =
        |site: Option<&&JsonSite>, cause: &String| site.and_then(|s| s.lost.get(cause).copied()).unwrap_or(0);
    let known = [old, new].into_iter().flatten().flat_map(|site| site.lost.keys());
    let mut names: Vec<&String> = known.collect();
    names.sort();
    names.dedup();
    let changes = names.into_iter().filter_map(|cause| {
        let change = i128::from(lost(new, cause)) - i128::from(lost(old, cause));
        (change != 0).then(|| format!("{cause} {change:+}"))
    });
    changes.collect::<Vec<_>>().join(", ")
}

type Sites<'a> = Vec<&'a JsonSite>;

/// Pairs the functions of both runs: equal names first, the others in order.
fn functions<'a>(before: &'a Report, after: &'a Report) -> Vec<(Sites<'a>, Sites<'a>)> {
    let (old, new) = (by_function(before), by_function(after));
    let place = |(index, sites): (usize, &Sites<'a>)| (sites[0].function.as_str(), index);
    let places: HashMap<&str, usize> = new.iter().enumerate().map(place).collect();
    let mut new: Vec<Option<Sites<'a>>> = new.into_iter().map(Some).collect();
    let mut pairs = Vec::new();
    let mut alone = Vec::new();
    for sites in old {
        let same = places.get(sites[0].function.as_str());
        match same.and_then(|index| new[*index].take()) {
            Some(other) => pairs.push((sites, other)),
            None => alone.push(sites),
        }
    }
    let mut alone = alone.into_iter();
    for sites in new.into_iter().flatten() {
        pairs.push((alone.next().unwrap_or_default(), sites));
    }
    pairs.extend(alone.map(|sites| (sites, Vec::new())));
    pairs
}

/// Groups the instructions by function, in the order of the listing.
fn by_function(report: &Report) -> Vec<Sites<'_>> {
    let mut all: Vec<Sites<'_>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for site in &report.listing {
        let place = *places.entry(site.function.as_str()).or_insert(all.len());
        match all.get_mut(place) {
            Some(sites) => sites.push(site),
            None => all.push(vec![site]),
        }
    }
    all
}
