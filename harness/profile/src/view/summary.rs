//! The summary: time, pairing, and the highest bound.

use super::{Paint, bar, percent, provenance};
use crate::bounds::Bounds;
use crate::limits::NOT_MODELLED;
use crate::profile::Profile;
use std::fmt::Write as _;

/// Maximum width of a bar, in characters.
const BAR: usize = 30;

/// Prints cycles, pairing, the bounds and the largest losses.
#[must_use]
pub fn summary(profile: &Profile, title: &str, paint: Paint) -> String {
    let mut text = String::new();
    let (cycles, counts) = (profile.cycles().0, &profile.counts);
    let seconds = cycles as f64 / (f64::from(profile.setup.parameters.cpu_khz) * 1000.0);
    let head = paint.strong(&format!("{title}: {cycles} cycles"));
    let _ = writeln!(text, "{head} ({:.3} us)", seconds * 1e6);
    if let Some([low, high]) = profile.interval
        && low != high
    {
        let _ = writeln!(
            text,
            "  between {low} and {high}, depending on unmeasured constants of the pipeline"
        );
    }
    if profile.interval.is_none() && profile.chain.is_some() {
        let _ = writeln!(
            text,
            "  runs of this length have no interval for unmeasured constants"
        );
    }
    let ipc = counts.instructions as f64 / cycles.max(1) as f64;
    let _ = writeln!(
        text,
        "  {} instructions, {:.2} a cycle; {} pairs: {:.0} % of the instructions issued as one of two",
        counts.instructions,
        ipc,
        counts.pairs,
        percent(2 * counts.pairs, counts.instructions)
    );
    bounds(&mut text, profile, cycles, paint);
    let ledger = &profile.ledger;
    let slots = profile.cycles().slots();
    let _ = writeln!(text, "\nissue slots");
    let row = |name: &str, count: u64| {
        let share = percent(count, slots);
        format!("  {name:<52} {count:>12} {share:>5.1} %")
    };
    let (used, length) = (row("used", ledger.used), bar(ledger.used, slots, BAR));
    let _ = writeln!(text, "{used} {}", paint.used(&length));
    for (cause, lost) in ledger.ranked() {
        let row = row(&format!("lost: {}", cause.text()), lost);
        let _ = writeln!(text, "{row} {}", paint.cause(cause, &bar(lost, slots, BAR)));
    }
    let rests = provenance(profile);
    if !rests.is_empty() {
        let _ = writeln!(text, "\n{}", rests.join("\n"));
    }
    text
}

fn bounds(text: &mut String, profile: &Profile, cycles: u64, paint: Paint) {
    let bounds = Bounds::of(profile);
    let binding = bounds.binding();
    let shown = bounds.all().into_iter().filter(|bound| bound.cycles != Some(0));
    let shown: Vec<String> = shown
        .map(|bound| match bound.cycles {
            Some(cycles) => format!("{} {cycles}", bound.name),
            None => format!("{} not followed", bound.name),
        })
        .collect();
    let _ = writeln!(text, "  bounds: {}", shown.join(", "));
    let gap = 100.0 * (cycles as f64 / binding.cycles.unwrap_or(0).max(1) as f64 - 1.0);
    let _ = writeln!(
        text,
        "  highest bound: {}; the run takes {gap:.0} % more",
        paint.strong(binding.name)
    );
}

/// Prints the list of the model's limits.
#[must_use]
pub fn unmodelled() -> String {
    let mut text = String::from("not modelled:\n");
    for line in NOT_MODELLED {
        let _ = writeln!(text, "  {line}");
    }
    text
}
