//! SH4 cycles of a frame, by kernel and by node.

use sh4_kernels::Place;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use verify::{Costs, Metered, Origin};

/// Cycles per sixtieth of a second at 200 MHz.
const FRAME: f64 = 200e6 / 60.0;
/// Maximum number of listed origins; models can have hundreds of nodes.
const ROWS: usize = 24;

/// Returns the share of a frame in percent.
pub(crate) fn share(cycles: u64) -> f64 {
    100.0 * cycles as f64 / FRAME
}

/// Returns the costs of each kernel, by name.
pub(crate) fn by_kernel(metered: &Metered) -> BTreeMap<&'static str, Costs> {
    sums(metered.costs().map(|(_, kernel, costs)| (kernel, costs)))
}

fn sums<K: Ord>(costs: impl Iterator<Item = (K, Costs)>) -> BTreeMap<K, Costs> {
    let mut sums: BTreeMap<K, Costs> = BTreeMap::new();
    for (key, costs) in costs {
        let sum = sums.entry(key).or_default();
        *sum = *sum + costs;
    }
    sums
}

/// Returns short lines for a window: the cycles of all kernels with cold caches, and the ten most expensive
/// kernels.
pub(crate) fn dearest(metered: &Metered) -> Vec<String> {
    let mut kernels: Vec<_> = by_kernel(metered).into_iter().collect();
    kernels.sort_by_key(|(_, costs)| std::cmp::Reverse(costs.cold));
    let sum: u64 = kernels.iter().map(|(_, costs)| costs.cold).sum();
    let head = [
        format!("kernels {sum} cycles"),
        format!("{:.1} percent of a 60th of a second", share(sum)),
    ];
    let row = |(name, costs): &(&str, Costs)| {
        format!(
            "{:>9} {:>5} x {}",
            costs.cold,
            costs.calls,
            name.replace('_', "-")
        )
    };
    head.into_iter().chain(kernels.iter().take(10).map(row)).collect()
}

/// Formats two tables: kernels, and the most expensive origins. With several `frames`, the cycles are means
/// per frame.
pub(crate) fn report(metered: &Metered, frames: u64) -> String {
    let mut text = String::new();
    let kernels = by_kernel(metered);
    let total: Costs = kernels.values().copied().sum();
    heading(&mut text, "kernel");
    for (kernel, costs) in &kernels {
        row(&mut text, kernel, *costs, frames);
    }
    row(&mut text, "all", total, frames);
    let origins = sums(metered.costs().map(|(origin, _, costs)| (origin, costs)));
    let mut dear: Vec<(Origin, Costs)> = origins.into_iter().collect();
    dear.sort_by_key(|(origin, costs)| (std::cmp::Reverse(costs.cold), *origin));
    let rest = dear.split_off(dear.len().min(ROWS));
    dear.sort_by_key(|(origin, _)| *origin);
    heading(&mut text, "node");
    for (origin, costs) in dear {
        row(&mut text, &name(origin), costs, frames);
    }
    if !rest.is_empty() {
        let costs = rest.iter().map(|(_, costs)| *costs).sum();
        row(&mut text, &format!("{} cheaper ones", rest.len()), costs, frames);
    }
    text.push_str(
        "\ncold: empty caches at each call; warm: each call again, with the caches that its first run \
        filled.\nShares are of 1/60 s at 200 MHz. Rust code makes the calls; its time is not counted.\n",
    );
    text
}

fn heading(text: &mut String, what: &str) {
    let _ = writeln!(
        text,
        "\n{what:<28} {:>8} {:>12} {:>12} {:>8} {:>8}",
        "calls", "cycles cold", "cycles warm", "share", "share"
    );
}

fn row(text: &mut String, name: &str, costs: Costs, frames: u64) {
    let mean = |sum: u64| sum.div_ceil(frames.max(1));
    let (cold, warm) = (mean(costs.cold), mean(costs.warm));
    let _ = writeln!(
        text,
        "{name:<28} {:>8} {cold:>12} {warm:>12} {:>6.2} % {:>6.2} %",
        mean(costs.calls),
        share(cold),
        share(warm)
    );
}

fn name(Origin { model, place }: Origin) -> String {
    match (place, model) {
        (Place::Node(node), Some(model)) => format!("model {model}, node {node}"),
        (Place::Node(node), None) => format!("node {node}"),
        (Place::Model(model), _) => format!("model {model}, motion and camera"),
        (Place::Cells, _) => "cells".to_owned(),
        (Place::Frame, _) => "frame".to_owned(),
    }
}
