//! Exports each view as a CSV table.

use super::csv::{csv, quoted};
use crate::bounds::Bounds;
use crate::places::Places;
use crate::profile::Profile;
use crate::view::{fits, free_slots, group_name, group_names, hottest_loop, rows};
use std::fmt::Write as _;
use timing::Cause;

/// Returns file names and CSV texts: summary, ledger, listing, timeline, free_slots, ranges, prefetches,
/// conflicts, events.
#[must_use]
pub fn tables(profile: &Profile, places: &Places) -> Vec<(&'static str, String)> {
    let (timeline, free) = timeline(profile);
    vec![
        ("summary.csv", summary(profile)),
        ("ledger.csv", ledger(profile)),
        ("listing.csv", csv(profile, places)),
        ("timeline.csv", timeline),
        ("free_slots.csv", free),
        ("ranges.csv", ranges(profile)),
        ("prefetches.csv", prefetches(profile, places)),
        ("conflicts.csv", conflicts(profile)),
        ("events.csv", profile.events.csv()),
    ]
}

fn summary(profile: &Profile) -> String {
    let bounds = Bounds::of(profile);
    let memory = &profile.memory;
    let mut text = String::from("figure,value\n");
    let mut row = |name: &str, value: u64| {
        let _ = writeln!(text, "{name},{value}");
    };
    row("cycles", profile.cycles().0);
    row("instructions", profile.counts.instructions);
    row("pairs", profile.counts.pairs);
    for bound in bounds.all() {
        if let Some(cycles) = bound.cycles {
            row(&format!("bound_{}", bound.key), cycles);
        }
    }
    if let Some([low, high]) = profile.interval {
        row("cycles_low", low.0);
        row("cycles_high", high.0);
    }
    row("row_hits", memory.row_hits);
    row("row_misses", memory.row_misses);
    row("turns", memory.turns);
    row("write_backs", memory.write_backs);
    row("queue_flushes", memory.queue_flushes);
    text
}

fn ledger(profile: &Profile) -> String {
    let mut text = format!("cause,slots,idle_cycles\nused,{},0\n", profile.ledger.used);
    for cause in Cause::ALL {
        let idle = profile.ledger.idle[*cause as usize];
        let _ = writeln!(text, "{},{},{idle}", cause.key(), profile.ledger.of(*cause));
    }
    text
}

/// Returns two tables for one iteration of the hottest loop: its instructions, and its free slots.
fn timeline(profile: &Profile) -> (String, String) {
    let mut text = String::from("address,group,instruction,cycle,stages,wait,frozen\n");
    let mut free = String::from("cycle,beside,fits\n");
    let found = hottest_loop(profile).and_then(|site| rows(profile, site));
    let Some((rows, length)) = found else {
        return (text, free);
    };
    for row in &rows {
        let _ = writeln!(
            text,
            "{:#010x},{},{},{},{},{},{}",
            row.pc,
            group_name(row.group),
            quoted(&row.text),
            row.cycle,
            row.stages,
            quoted(&row.wait),
            row.frozen
        );
    }
    for slot in free_slots(&rows, length).0 {
        let _ = writeln!(
            free,
            "{},{},{}",
            slot.cycle,
            group_name(slot.beside),
            quoted(&group_names(&fits(slot.beside)))
        );
    }
    (text, free)
}

fn ranges(profile: &Profile) -> String {
    let mut text = String::from("address,reads,read_misses,writes,write_misses,frozen\n");
    for (address, counts) in profile.memory.ranges() {
        let _ = writeln!(
            text,
            "{address:#010x},{},{},{},{},{}",
            counts.reads, counts.read_misses, counts.writes, counts.write_misses, counts.stalled
        );
    }
    text
}

fn prefetches(profile: &Profile, places: &Places) -> String {
    let mut text = String::from("address,place,executed,in_time,too_late,too_early,dropped\n");
    for (pc, counts) in profile.memory.prefetches() {
        let _ = writeln!(
            text,
            "{pc:#010x},{},{},{},{},{},{}",
            quoted(&places.describe(pc)),
            counts.issued,
            counts.useful,
            counts.late,
            counts.lost,
            counts.redundant
        );
    }
    text
}

fn conflicts(profile: &Profile) -> String {
    let mut text = String::from("victim,evictor,count\n");
    for conflict in profile.memory.conflicts() {
        let _ = writeln!(
            text,
            "{:#010x},{:#010x},{}",
            conflict.victim, conflict.evictor, conflict.count
        );
    }
    text
}
