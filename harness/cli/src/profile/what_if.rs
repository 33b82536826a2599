//! `--what-if`: repeats the run with changes.

use super::change::{Change, objection};
use super::target::Target;
use super::{Args, run};
use anyhow::{Context, Result};
use profile::{JsonComparison, Profile};
use std::fmt::Write as _;
use timing::Cause;

/// Changes from the command line.
#[derive(Clone, Debug)]
pub(super) struct WhatIf {
    pub(super) text: String,
    pub(super) changes: Vec<Change>,
}

impl WhatIf {
    /// Parses changes separated by commas.
    pub(super) fn parse(text: &str) -> Result<WhatIf, String> {
        let changes = super::change::parse(text)?;
        Ok(WhatIf {
            text: text.to_owned(),
            changes,
        })
    }
}

/// Changes with the totals of their run. A profile takes up to a kilobyte for each instruction, so it is not
/// kept.
pub(super) struct WhatIfRun {
    text: String,
    cycles: u64,
    /// Causes that changed most.
    causes: String,
}

/// Runs the target with each set of changes, in addition to `base`.
pub(super) fn run_all(args: &Args, base: &[Change], unchanged: &Profile) -> Result<Vec<WhatIfRun>> {
    args.what_if
        .iter()
        .map(|what_if| one(args, base, unchanged, what_if))
        .collect()
}

fn one(args: &Args, base: &[Change], unchanged: &Profile, what_if: &WhatIf) -> Result<WhatIfRun> {
    let changes = [base, &what_if.changes].concat();
    let context = || format!("--what-if {}", what_if.text);
    let mut target = Target::open(args, &changes).with_context(context)?;
    let profile = run::run(&mut target, args).with_context(context)?;
    warn_of_swaps(&target, &profile);
    Ok(WhatIfRun {
        text: what_if.text.clone(),
        cycles: profile.cycles().0,
        causes: causes(unchanged, &profile),
    })
}

/// Warns of each exchange that changes the program's results.
pub(super) fn warn_of_swaps(target: &Target, profile: &Profile) {
    for address in &target.swapped {
        if let Some(why) = objection(profile, *address) {
            let place = target.places.describe(*address);
            eprintln!("swirl: warning: swap at {address:08x} ({place}): {why}");
        }
    }
}

/// Returns a table of totals, differences, and the causes that changed most.
pub(super) fn table(base: &Profile, outcomes: &[WhatIfRun]) -> String {
    let cycles = base.cycles().0;
    let mut text = format!(
        "{:<36} {:>12} {:>10} {:>9}  slots lost more or less\n{:<36} {cycles:>12}\n",
        "what if", "cycles", "more", "", "unchanged"
    );
    for outcome in outcomes {
        let now = outcome.cycles;
        let share = 100.0 * (now as f64 / cycles.max(1) as f64 - 1.0);
        let _ = writeln!(
            text,
            "{:<36} {now:>12} {:>+10} {share:>+7.2} %  {}",
            outcome.text,
            now.cast_signed() - cycles.cast_signed(),
            outcome.causes
        );
    }
    text
}

/// Maximum number of causes to print.
const SHOWN: usize = 4;

fn causes(before: &Profile, after: &Profile) -> String {
    let change = |cause: Cause| after.ledger.of(cause).cast_signed() - before.ledger.of(cause).cast_signed();
    let mut all: Vec<(Cause, i64)> = Cause::ALL.iter().map(|cause| (*cause, change(*cause))).collect();
    all.retain(|(_, slots)| *slots != 0);
    all.sort_by_key(|(_, slots)| std::cmp::Reverse(slots.unsigned_abs()));
    let parts: Vec<String> = all
        .iter()
        .take(SHOWN)
        .map(|(cause, slots)| format!("{} {slots:+}", cause.key()))
        .collect();
    parts.join(", ")
}

/// Returns the comparisons for JSON.
pub(super) fn json(base: &Profile, outcomes: &[WhatIfRun]) -> Vec<JsonComparison> {
    let cycles = base.cycles().0;
    let comparison = |outcome: &WhatIfRun| {
        let now = outcome.cycles;
        JsonComparison {
            what_if: outcome.text.clone(),
            cycles: now,
            difference: now.cast_signed() - cycles.cast_signed(),
        }
    };
    outcomes.iter().map(comparison).collect()
}
