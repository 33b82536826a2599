//! Misses by range, use of prefetches, conflicts.

use super::escaped;
use crate::places::Places;
use crate::profile::Profile;
use std::fmt::Write as _;
use timing::memory::Region;

/// Maximum number of rows in the table of conflicts.
const CONFLICTS: usize = 32;

pub(super) fn write(page: &mut String, profile: &Profile, places: &Places) {
    page.push_str("<section id=memory><h2>Memory</h2>\n<table>\n");
    head(
        page,
        &[
            "range",
            "what",
            "reads",
            "misses",
            "writes",
            "misses",
            "cycles frozen",
        ],
    );
    for (range, counts) in profile.memory.ranges() {
        let (range, what) = match range {
            u32::MAX => ("others".to_owned(), ""),
            range => (format!("{range:08x}"), Region::of(range).name()),
        };
        let numbers = [
            counts.reads,
            counts.read_misses,
            counts.writes,
            counts.write_misses,
            counts.stalled,
        ];
        row(page, &[&range, what], &numbers);
    }
    page.push_str("</table>\n");
    prefetches(page, profile, places);
    conflicts(page, profile);
    page.push_str("</section>\n");
}

fn prefetches(page: &mut String, profile: &Profile, places: &Places) {
    let all = profile.memory.prefetches();
    if all.is_empty() {
        return;
    }
    page.push_str("<h2>Prefetches</h2>\n<table>\n");
    head(
        page,
        &["at", "executed", "in time", "too late", "too early", "dropped"],
    );
    for (pc, counts) in all {
        let numbers = [
            counts.issued,
            counts.useful,
            counts.late,
            counts.lost,
            counts.redundant,
        ];
        row(page, &[&places.describe(pc)], &numbers);
    }
    page.push_str("</table>\n");
}

fn conflicts(page: &mut String, profile: &Profile) {
    let all = profile.memory.conflicts();
    let repeated: Vec<_> = all.iter().filter(|conflict| conflict.count > 1).collect();
    if repeated.is_empty() {
        return;
    }
    page.push_str("<h2>Lines that evict each other</h2>\n<table>\n");
    head(page, &["line", "evicted by", "times"]);
    for conflict in repeated.iter().take(CONFLICTS) {
        let lines = [
            format!("{:08x}", conflict.victim),
            format!("{:08x}", conflict.evictor),
        ];
        row(page, &[&lines[0], &lines[1]], &[conflict.count]);
    }
    page.push_str("</table>\n");
    if repeated.len() > CONFLICTS {
        let _ = writeln!(page, "<p>and {} more</p>", repeated.len() - CONFLICTS);
    }
}

fn head(page: &mut String, names: &[&str]) {
    page.push_str("<tr>");
    for name in names {
        let _ = write!(page, "<th>{name}</th>");
    }
    page.push_str("</tr>\n");
}

fn row(page: &mut String, texts: &[&str], numbers: &[u64]) {
    page.push_str("<tr>");
    for text in texts {
        let _ = write!(page, "<td class=t>{}</td>", escaped(text));
    }
    for number in numbers {
        let _ = write!(page, "<td>{number}</td>");
    }
    page.push_str("</tr>\n");
}
