//! Draws a part of the run: one row per instruction, one column per cycle.

use super::{escaped, ledger};
use crate::places::Places;
use crate::profile::Profile;
use crate::view::{CHOICES, Part, Timeline, TimelineRow, fits, free_slots, group_name, group_names, short};
use std::fmt::Write as _;

/// Maximum number of drawn columns.
const WIDEST: u64 = 256;
/// Pixels: width of a cycle, height of a row, x of the first cycle, width of the reasons.
const CELL: u64 = 12;
const HEIGHT: usize = 16;
const LEFT: u64 = 270;
const RIGHT: u64 = 260;

pub(super) fn write(page: &mut String, profile: &Profile, places: &Places, part: Part) {
    page.push_str("<section id=timeline><h2>Timeline</h2>\n");
    match Timeline::of(profile, places, part) {
        Err(why) => {
            let _ = writeln!(page, "<p>{}</p>", escaped(&why));
        }
        Ok(Timeline { title, rows, length }) => {
            let _ = writeln!(page, "<p>{}</p>", escaped(&title));
            drawing(page, &rows, length.min(WIDEST));
            free(page, &rows, length);
            let _ = writeln!(page, "<p>{}</p>", escaped(CHOICES));
        }
    }
    page.push_str("</section>\n");
}

fn drawing(page: &mut String, rows: &[TimelineRow], length: u64) {
    // The last stages extend into the next iteration.
    let columns = length + 8;
    let (width, height) = (LEFT + columns * CELL + RIGHT, (rows.len() + 2) * HEIGHT);
    let _ = writeln!(
        page,
        "<div class=scroll><svg width=\"{width}\" height=\"{height}\">"
    );
    for cycle in 0..=length {
        let (x, dark) = (LEFT + cycle * CELL, cycle % 5 == 0);
        let colour = if dark { "#bbb" } else { "#eee" };
        let _ = writeln!(
            page,
            "<line x1=\"{x}\" x2=\"{x}\" y1=\"{HEIGHT}\" y2=\"{height}\" stroke=\"{colour}\"/>"
        );
        if dark {
            let _ = writeln!(page, "<text x=\"{x}\" y=\"12\">{cycle}</text>");
        }
    }
    let drawn = rows.iter().take_while(|row| row.cycle < length);
    for (row, line) in drawn.zip(1..) {
        instruction(page, row, line * HEIGHT, LEFT + columns * CELL);
    }
    page.push_str("</svg></div>\n");
}

fn instruction(page: &mut String, row: &TimelineRow, top: usize, right: u64) {
    let base = top + HEIGHT - 4;
    let _ = writeln!(
        page,
        "<text x=\"0\" y=\"{base}\">{:08x} {} {}</text>",
        row.pc,
        group_name(row.group),
        escaped(short(&row.text))
    );
    let frozen = row.frozen.min(row.cycle);
    let from = LEFT + (row.cycle - frozen) * CELL;
    if frozen > 0 {
        let _ = writeln!(
            page,
            "<rect x=\"{from}\" y=\"{top}\" width=\"{}\" height=\"{HEIGHT}\" fill=\"#e8b0a8\"/>",
            frozen * CELL
        );
    }
    for (letter, column) in row.stages.chars().zip(row.cycle..) {
        let x = LEFT + column * CELL;
        let _ = writeln!(
            page,
            "<rect x=\"{x}\" y=\"{top}\" width=\"{CELL}\" height=\"{}\" fill=\"{}\"/>\
             <text x=\"{}\" y=\"{base}\">{letter}</text>",
            HEIGHT - 1,
            fill(letter),
            x + 3
        );
    }
    if let Some(cause) = row.cause {
        let _ = writeln!(
            page,
            "<rect x=\"{right}\" y=\"{}\" width=\"8\" height=\"8\" fill=\"{}\"/>\
             <text x=\"{}\" y=\"{base}\">{}</text>",
            top + 4,
            ledger::colour(cause),
            right + 12,
            escaped(&row.wait)
        );
    }
}

/// Returns the colour of a stage: decode, integer, memory or FPU.
fn fill(stage: char) -> &'static str {
    match stage {
        'D' => "#9dc7a4",
        'M' => "#f0cf8e",
        '0'..='3' | 'F' | 'm' => "#b5c4ea",
        _ => "#dddddd",
    }
}

fn free(page: &mut String, rows: &[TimelineRow], length: u64) {
    let (free, empty) = free_slots(rows, length);
    let _ = writeln!(
        page,
        "<p>{} cycles with one instruction, {empty} with none.</p>\n<ul>",
        free.len()
    );
    for slot in free {
        let _ = writeln!(
            page,
            "<li>cycle {}: {} could pair with {}</li>",
            slot.cycle,
            group_name(slot.beside),
            group_names(&fits(slot.beside))
        );
    }
    page.push_str("</ul>\n");
}
