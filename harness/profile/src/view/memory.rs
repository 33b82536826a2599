//! Prints statistics on caches, prefetches and the bus.

use super::{Paint, percent};
use crate::places::Places;
use crate::profile::Profile;
use std::fmt::Write as _;
use timing::memory::Region;

/// Maximum number of listed conflicts.
const CONFLICTS: usize = 16;

/// Prints misses by address range, use of prefetches, conflicts, and the bus.
#[must_use]
pub fn memory(profile: &Profile, places: &Places, paint: Paint) -> String {
    let stats = &profile.memory;
    let mut text = format!(
        "{:<8} {:<26} {:>12} {:>10} {:>12} {:>10} {:>14}\n",
        "range", "what", "reads", "misses", "writes", "misses", "cycles frozen"
    );
    for (range, counts) in stats.ranges() {
        let (range, name) = match range {
            u32::MAX => ("others".to_owned(), ""),
            range => (format!("{range:08x}"), Region::of(range).name()),
        };
        let _ = writeln!(
            text,
            "{range:<8} {name:<26} {:>12} {:>10} {:>12} {:>10} {}",
            counts.reads,
            counts.read_misses,
            counts.writes,
            counts.write_misses,
            paint.heat(
                counts.stalled,
                profile.cycles().0,
                &format!("{:>14}", counts.stalled)
            )
        );
    }
    prefetches(&mut text, profile, places, paint);
    conflicts(&mut text, profile);
    let _ = writeln!(
        text,
        "\nbus: busy {} cycles ({:.0} %); {} line fills, {} written back, {} store queues sent; \
         {} open rows met, {} opened; {} turns",
        stats.bus_busy,
        percent(stats.bus_busy, profile.cycles().0),
        stats.operand_fills + stats.instruction_misses,
        stats.write_backs,
        stats.queue_flushes,
        stats.row_hits,
        stats.row_misses,
        stats.turns
    );
    text
}

fn prefetches(text: &mut String, profile: &Profile, places: &Places, paint: Paint) {
    let all = profile.memory.prefetches();
    if all.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n{:<30} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "prefetch at", "executed", "in time", "too late", "too early", "dropped"
    );
    for (pc, counts) in all {
        let _ = writeln!(
            text,
            "{:<30} {:>10} {:>10} {} {} {:>10}",
            places.describe(pc),
            counts.issued,
            counts.useful,
            paint.heat(counts.late, counts.issued, &format!("{:>10}", counts.late)),
            paint.heat(counts.lost, counts.issued, &format!("{:>10}", counts.lost)),
            counts.redundant
        );
    }
    let _ = writeln!(
        text,
        "too late: used before the line was there; too early: evicted before any use, or not needed; \
         dropped: the line was there already"
    );
}

fn conflicts(text: &mut String, profile: &Profile) {
    let all = profile.memory.conflicts();
    let repeated: Vec<_> = all.iter().filter(|conflict| conflict.count > 1).collect();
    if repeated.is_empty() {
        return;
    }
    let _ = writeln!(text, "\nlines that evict each other:");
    for conflict in repeated.iter().take(CONFLICTS) {
        let _ = writeln!(
            text,
            "  {:08x} evicted by {:08x}, {} times",
            conflict.victim, conflict.evictor, conflict.count
        );
    }
    if repeated.len() > CONFLICTS {
        let _ = writeln!(text, "  and {} more", repeated.len() - CONFLICTS);
    }
}
