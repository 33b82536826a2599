//! Prints the ledger of slots.

use super::{Paint, percent};
use crate::profile::Profile;
use std::fmt::Write as _;
use timing::Cause;

/// Prints slots and whole cycles for every cause. The slots sum to twice the cycles.
#[must_use]
pub fn ledger(profile: &Profile, paint: Paint) -> String {
    let ledger = &profile.ledger;
    let slots = profile.cycles().slots();
    let mut text = format!(
        "{:<46} {:>14} {:>7} {:>14}\n",
        "issue slots", "slots", "%", "idle cycles"
    );
    let line = |name: &str, count: u64, idle: u64| {
        format!("{name:<46} {count:>14} {:>7.2} {idle:>14}", percent(count, slots))
    };
    let _ = writeln!(text, "{}", paint.used(&line("used", ledger.used, 0)));
    for cause in Cause::ALL {
        let (lost, idle) = (ledger.of(*cause), ledger.idle[*cause as usize]);
        let row = line(cause.text(), lost, idle);
        let painted = if lost == 0 {
            paint.faint(&row)
        } else {
            paint.cause(*cause, &row)
        };
        let _ = writeln!(text, "{painted}");
    }
    let _ = writeln!(
        text,
        "{:<46} {:>14}         = 2 x {} cycles",
        "sum",
        ledger.used + ledger.all_lost(),
        profile.cycles()
    );
    text
}
