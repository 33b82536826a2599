//! The hardware's events.

use super::escaped;
use crate::profile::Profile;
use std::fmt::Write as _;
use timing::events::EVENTS;

pub(super) fn write(page: &mut String, profile: &Profile) {
    page.push_str(
        "<section id=events><h2>Events of the performance counters</h2>\n<table>\n\
         <tr><th class=t>code</th><th class=t>event</th><th>count</th></tr>\n",
    );
    for (event, count) in EVENTS.iter().zip(profile.events.0) {
        let unit = if event.cycles { " cycles" } else { "" };
        let _ = writeln!(
            page,
            "<tr><td class=t>{:02X}</td><td class=t>{}</td><td>{count}{unit}</td></tr>",
            event.code,
            escaped(event.text)
        );
    }
    page.push_str("</table></section>\n");
}
