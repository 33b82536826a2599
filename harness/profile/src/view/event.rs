//! Prints the CPU's performance events, with or without counts measured on a console.

use std::fmt::Write as _;
use timing::events::{EVENTS, EventCounts, Measured};

/// Prints code, event and count.
#[must_use]
pub fn events(counts: &EventCounts) -> String {
    let mut text = format!("{:<5} {:<36} {:>16}\n", "code", "event", "count");
    for (event, count) in EVENTS.iter().zip(counts.0) {
        let unit = if event.cycles { " cycles" } else { "" };
        let _ = writeln!(text, "{:02X}    {:<36} {count:>16}{unit}", event.code, event.text);
    }
    text
}

/// Prints code, event, measured count, modelled count, and the deviation of the model.
#[must_use]
pub fn compare(counts: &EventCounts, measured: &[Measured]) -> String {
    let mut text = format!(
        "{:<5} {:<36} {:>14} {:>14} {:>10}\n",
        "code", "event", "measured", "modelled", "deviation"
    );
    for one in measured {
        let Some(index) = EVENTS.iter().position(|event| event.code == one.code) else {
            continue;
        };
        let (event, modelled) = (&EVENTS[index], counts.0[index] as f64);
        let deviation = match (one.count == 0.0, modelled == 0.0) {
            (true, true) => "0.0 %".to_owned(),
            (true, false) => "-".to_owned(),
            (false, _) => format!("{:+.1} %", 100.0 * (modelled / one.count - 1.0)),
        };
        let _ = writeln!(
            text,
            "{:02X}    {:<36} {:>14} {modelled:>14} {deviation:>10}",
            event.code, event.text, one.count
        );
    }
    text
}
