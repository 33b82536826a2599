//! A profile as text for the terminal.

mod event;
mod free;
mod functions;
mod ledger;
mod legend;
mod listing;
mod memory;
mod paint;
mod provenance;
mod summary;
mod timeline;
mod timeline_row;

pub use event::{compare, events};
pub use free::{Free, fits, free_slots};
pub(crate) use free::{name as group_name, names as group_names};
pub use functions::functions;
pub use ledger::ledger;
pub use legend::legend;
pub use listing::listing;
pub use memory::memory;
pub use paint::Paint;
pub use provenance::provenance;
pub use summary::{summary, unmodelled};
pub use timeline::{CHOICES, Part, Timeline, hottest_loop, rows, timeline};
pub(crate) use timeline::{short, stage_letters};
pub use timeline_row::TimelineRow;

/// Returns `part` of `whole` in per cent.
pub(crate) fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        100.0 * part as f64 / whole as f64
    }
}

/// Draws a bar of up to `width` characters.
pub(crate) fn bar(part: u64, whole: u64, width: usize) -> String {
    let filled = (percent(part, whole) / 100.0 * width as f64).round() as usize;
    "#".repeat(filled.min(width))
}
