//! The ledger as one bar.

use crate::profile::Profile;
use crate::view::percent;
use std::fmt::Write as _;
use timing::Cause;

/// The colour of used slots.
const USED: &str = "#3a7d44";

/// Returns the colour of a cause: violet to green for the pipeline, yellow to red for memory. Neighbours
/// differ in lightness.
pub(super) fn colour(cause: Cause) -> String {
    let (first, last) = (Cause::InstructionMiss as usize, Cause::End as usize);
    let place = cause as usize;
    let (hue, at) = match cause {
        Cause::End => return "#999999".to_owned(),
        memory if memory.is_memory() => (56 - 62 * (place - first) / (last - first), place - first),
        _ => (270 - 150 * place / first, place),
    };
    format!("hsl({hue},65%,{}%)", 48 + 9 * (at % 3))
}

pub(super) fn write(page: &mut String, profile: &Profile) {
    let slots = profile.cycles().slots();
    let mut parts = vec![("used".to_owned(), USED.to_owned(), profile.ledger.used)];
    for (cause, lost) in profile.ledger.ranked() {
        parts.push((cause.text().to_owned(), colour(cause), lost));
    }
    let _ = writeln!(
        page,
        "<section id=ledger><h2>Issue slots: {slots}, two a cycle</h2>\n<div class=bar>"
    );
    for (name, colour, count) in &parts {
        let share = percent(*count, slots);
        let _ = writeln!(
            page,
            "<div title=\"{name}: {count}\" style=\"width:{share:.2}%;background:{colour}\"></div>"
        );
    }
    page.push_str("</div>\n<p class=key>");
    for (name, colour, count) in &parts {
        let share = percent(*count, slots);
        let _ = write!(
            page,
            "<span><i style=\"background:{colour}\"></i>{name} {count} ({share:.1} %)</span>"
        );
    }
    page.push_str("</p></section>\n");
}
