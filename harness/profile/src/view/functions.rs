//! A table of functions.

use super::{Paint, percent};
use crate::places::Places;
use crate::profile::Profile;
use crate::site::Costs;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use timing::Cause;

/// Maximum number of listed functions.
const MAX: usize = 40;

/// Prints one line per function, most expensive first: own cycles, cycles with callees, calls, main loss.
#[must_use]
pub fn functions(profile: &Profile, places: &Places, paint: Paint) -> String {
    let mut own: BTreeMap<(u32, String), Costs> = BTreeMap::new();
    for site in profile.sites.iter().filter(|site| site.costs.instructions > 0) {
        own.entry(places.function(site.pc)).or_default().add(&site.costs);
    }
    let mut calls: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for ((_, entry), edge) in profile.calls.edges() {
        let sum = calls.entry(places.function(entry).0).or_default();
        (sum.0, sum.1) = (sum.0 + edge.count, sum.1 + edge.costs.cycles);
    }
    let mut rows: Vec<_> = own.into_iter().collect();
    rows.sort_by_key(|(_, costs)| std::cmp::Reverse(costs.cycles));
    let whole = profile.cycles().0;
    let mut text = format!(
        "{:>12} {:>6} {:>12} {:>10} {:>12}  {:<32} lost most\n",
        "cycles", "%", "with callees", "calls", "instructions", "function"
    );
    for ((start, name), costs) in rows.iter().take(MAX) {
        let (count, all) = calls.get(start).copied().unwrap_or((0, costs.cycles));
        let _ = writeln!(
            text,
            "{} {:>6.1} {:>12} {count:>10} {:>12}  {name:<32} {}",
            paint.heat(costs.cycles, whole, &format!("{:>12}", costs.cycles)),
            percent(costs.cycles, whole),
            all.max(costs.cycles).min(whole),
            costs.instructions,
            chief(costs)
        );
    }
    if rows.len() > MAX {
        let _ = writeln!(text, "... {} more functions", rows.len() - MAX);
    }
    text
}

/// Returns the cause with the most lost slots.
fn chief(costs: &Costs) -> String {
    let of = |cause: &Cause| costs.lost[*cause as usize];
    let chief = Cause::ALL
        .iter()
        .copied()
        .max_by_key(of)
        .filter(|cause| of(cause) > 0);
    chief.map_or_else(String::new, |cause| format!("{} {}", cause.key(), of(&cause)))
}
