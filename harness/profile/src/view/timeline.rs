//! Prints a part of a run cycle by cycle: an iteration of a loop, or any range.

use super::Paint;
use super::free::{PAIRING, fits, free_slots, name, names};
use super::timeline_row::TimelineRow;
use crate::places::{Places, instruction};
use crate::profile::Profile;
use crate::step::Step;
use sh4::table::TABLE;
use std::fmt::Write as _;
use timing::Cause;
use timing::Insn;
use timing::memory::Stall;
use timing::resource;
use timing::table;

/// Part of a run for a timeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// An iteration of the loop with the most repetitions. In a run without loops, all instructions.
    #[default]
    Loop,
    /// The last instructions of the run.
    All,
    /// The last execution from one address to another.
    Range(u32, u32),
}

/// A part of a run, instruction by instruction.
#[derive(Clone, Debug)]
pub struct Timeline {
    /// Description of the part.
    pub title: String,
    /// Instructions of the part.
    pub rows: Vec<TimelineRow>,
    /// Length in cycles.
    pub length: u64,
}

/// A hint for selecting another part.
pub const CHOICES: &str = "--timeline loop, all or FROM..TO shows another part; \
    --region FROM..TO keeps the steps of a part of a long run";

impl Timeline {
    /// Returns the part of the run, or the reason why it is missing.
    ///
    /// # Errors
    /// If no instruction of the part is among the last steps.
    pub fn of(profile: &Profile, places: &Places, part: Part) -> Result<Timeline, String> {
        match part {
            Part::Loop => iteration(profile, places).map_or_else(|| straight(profile, places, Part::All), Ok),
            part => straight(profile, places, part),
        }
    }
}

/// The loop with the most repetitions among the loops with a recorded iteration.
fn iteration(profile: &Profile, places: &Places) -> Option<Timeline> {
    let sites = (0_u32..).zip(&profile.sites);
    let mut heads: Vec<_> = sites.filter(|(_, site)| site.looped > 1).collect();
    heads.sort_by_key(|(_, site)| std::cmp::Reverse(site.looped));
    let hottest = heads.first()?.1.pc;
    // Tries at most 64 loops, because each search scans all steps.
    let found = heads
        .iter()
        .take(64)
        .find_map(|(i, site)| Some((site, rows(profile, *i)?)));
    let (head, (rows, length)) = found?;
    let mut title = format!(
        "loop at {:08x} <{}>, {} iterations; the last whole one: {length} cycles, {} instructions",
        head.pc,
        places.describe(head.pc),
        head.looped + 1,
        rows.len()
    );
    if head.pc != hottest {
        title += &format!("; the loop at {hottest:08x} ran more often, but too long before the end");
    }
    Some(Timeline { title, rows, length })
}

fn straight(profile: &Profile, places: &Places, part: Part) -> Result<Timeline, String> {
    let steps: Vec<(Step, Stall)> = profile.steps.iter().map(|(step, stall)| (*step, stall)).collect();
    let pc = |step: &Step| profile.sites[step.site as usize].pc;
    let (first, end) = match part {
        Part::Range(from, to) => {
            let first = steps
                .iter()
                .rposition(|(step, _)| pc(step) == from)
                .ok_or_else(|| {
                    format!(
                        "{} is not among the last {} instructions; {CHOICES}",
                        places.describe(from),
                        steps.len()
                    )
                })?;
            let end = steps[first + 1..].iter().position(|(step, _)| pc(step) == to);
            (first, end.map_or(steps.len(), |end| first + 1 + end))
        }
        _ => (0, steps.len()),
    };
    let shown = &steps[first..end];
    let Some((start, _)) = shown.first() else {
        return Err(format!("no instruction ran; {CHOICES}"));
    };
    let start = start.cycle - start.frozen.min(start.cycle);
    let last = steps
        .get(end)
        .or(steps.last())
        .map_or(start, |(step, _)| step.cycle);
    let length = (last - start).max(1);
    let rows: Vec<TimelineRow> = shown
        .iter()
        .map(|(step, stall)| row(profile, step, stall, start))
        .collect();
    let title = format!(
        "{} instructions from {:08x} <{}>, {length} cycles to the issue of the last",
        rows.len(),
        rows[0].pc,
        places.describe(rows[0].pc)
    );
    Ok(Timeline { title, rows, length })
}

/// Returns the site that begins the loop with the most repetitions, if there is one.
#[must_use]
pub fn hottest_loop(profile: &Profile) -> Option<u32> {
    let heads = profile
        .sites
        .iter()
        .enumerate()
        .filter(|(_, site)| site.looped > 1);
    let hottest = heads.max_by_key(|(_, site)| site.looped)?;
    Some(hottest.0 as u32)
}

/// Returns the rows of the last whole iteration of the loop that begins at `site`, and its length in cycles.
#[must_use]
pub fn rows(profile: &Profile, site: u32) -> Option<(Vec<TimelineRow>, u64)> {
    let steps = profile.steps.iteration(site)?;
    let (next, steps) = steps.split_last()?;
    let start = steps.first()?.0.cycle;
    let rows = steps
        .iter()
        .map(|(step, stall)| row(profile, step, stall, start))
        .collect();
    Some((rows, next.0.cycle - start))
}

fn row(profile: &Profile, step: &Step, stall: &Stall, start: u64) -> TimelineRow {
    let site = &profile.sites[step.site as usize];
    TimelineRow {
        pc: site.pc,
        text: instruction(site.opcode, site.pc, site.insn.id),
        group: TABLE[site.insn.id as usize].group,
        cycle: step.cycle - start,
        stages: stage_letters(&site.insn),
        wait: wait(step, stall),
        cause: cause(step, stall),
        frozen: step.frozen,
    }
}

fn wait(step: &Step, stall: &Stall) -> String {
    let mut parts = Vec::new();
    if step.unpaired {
        parts.push("pair 1".to_owned());
    }
    if step.lost > 0 {
        let register = step.register.map(|bit| format!(" {}", resource::name(bit)));
        parts.push(format!(
            "{}{} {}",
            step.cause.key(),
            register.unwrap_or_default(),
            step.lost
        ));
    }
    parts.extend(
        stall
            .parts()
            .map(|(cause, cycles)| format!("{} {}", cause.key(), 2 * cycles)),
    );
    parts.join(", ")
}

/// The cause with the most lost slots.
fn cause(step: &Step, stall: &Stall) -> Option<Cause> {
    let stalls = stall.parts().map(|(cause, cycles)| (cause, 2 * cycles));
    let waits = [
        (step.cause, u64::from(step.lost)),
        (Cause::Pair, u64::from(step.unpaired)),
    ];
    let all = waits.into_iter().chain(stalls).filter(|(_, slots)| *slots > 0);
    Some(all.max_by_key(|(_, slots)| *slots)?.0)
}

/// Returns the stages of an instruction as letters.
pub(crate) fn stage_letters(insn: &Insn) -> String {
    stages(table::timing(insn.id).map_or(0, |row| row.pattern), insn.issue)
}

/// Returns the stages of a pattern as letters: D decode, E EX, X SX, N NA, M MA, S write-back, 0 to 3 and F
/// for the FPU, m for its multiplier.
fn stages(pattern: u8, issue: u8) -> String {
    let decode = "D".repeat(usize::from(issue));
    let rest = match pattern {
        2 | 10..=12 | 17..=19 | 22 | 23 | 25 | 27 | 29 | 31 => "EMS".to_owned(),
        3 => "XMS".to_owned(),
        5..=7 | 20 | 21 => "XMS".to_owned(),
        14..=16 | 24 => "EXX".to_owned(),
        28 => "mmF".to_owned(),
        32 | 33 => "E111".to_owned(),
        34 | 35 => "mmm2F".to_owned(),
        36 => "12F".to_owned(),
        37 => format!("12{}12F", "3".repeat(7)),
        38 => "112F".to_owned(),
        39 => "1111112F".to_owned(),
        40 => "12F".to_owned(),
        41 => format!("112{}1112F", "3".repeat(17)),
        42 => "012F".to_owned(),
        43 => "0000111F".to_owned(),
        _ => "ENS".to_owned(),
    };
    decode + &rest
}

/// Maximum number of drawn cycles.
const WIDEST: u64 = 160;

/// Maximum number of drawn rows.
const MAX_ROWS: usize = 400;

/// Prints a part of the run cycle by cycle, with the stages of each instruction.
#[must_use]
pub fn timeline(profile: &Profile, places: &Places, part: Part, paint: Paint) -> String {
    let found = match Timeline::of(profile, places, part) {
        Ok(found) => found,
        Err(why) => return format!("{why}\n"),
    };
    let Timeline { title, rows, length } = &found;
    let mut text = format!("{title}\n");
    let mut base = None;
    for row in rows.iter().take(MAX_ROWS) {
        let begin = row.cycle - row.frozen.min(row.cycle);
        let page = match base {
            Some(base) if row.cycle < base + WIDEST => base,
            _ => {
                let width = length.saturating_sub(begin).min(WIDEST) as usize + 8;
                let _ = writeln!(text, "\n{:>33} {}", page_name(begin), ruler(width));
                begin
            }
        };
        base = Some(page);
        line(
            &mut text,
            row,
            page,
            length.saturating_sub(page).min(WIDEST) as usize + 8,
            paint,
        );
    }
    if rows.len() > MAX_ROWS {
        let _ = writeln!(text, "... {} more instructions", rows.len() - MAX_ROWS);
    }
    free(&mut text, rows, *length, paint);
    text += "\nD decode  E X N M S integer stages  0-3 F the FPU's  m multiplier  * frozen by memory\n";
    stage_table(&mut text, rows);
    let _ = writeln!(text, "\n{CHOICES}");
    text
}

/// Names a page by its first cycle. Empty for the first page.
fn page_name(begin: u64) -> String {
    match begin {
        0 => String::new(),
        begin => format!("from cycle {begin}"),
    }
}

fn line(text: &mut String, row: &TimelineRow, base: u64, width: usize, paint: Paint) {
    let frozen = row.frozen.min(WIDEST).min(row.cycle - base);
    let indent = (row.cycle - base - frozen) as usize;
    let chart = format!(
        "{}{}{}",
        ".".repeat(indent),
        "*".repeat(frozen as usize),
        row.stages
    );
    let _ = writeln!(
        text,
        "{:08x} {:<2} {:<22} {chart:<width$} {}",
        row.pc,
        name(row.group),
        short(&row.text),
        row.cause
            .map_or_else(String::new, |cause| paint.cause(cause, &row.wait))
    );
}

/// Letters of stages, and their column headings.
const STAGES: [(&str, &str); 9] = [
    ("D", "D"),
    ("EXN", "EX"),
    ("M", "MA"),
    ("S", "S"),
    ("0", "F0"),
    ("1", "F1"),
    ("2", "F2"),
    ("3", "F3"),
    ("m", "mul"),
];

/// Prints the number of cycles that each instruction occupies each stage, and the sums. FS and the write-back
/// of the FPU are `F`.
fn stage_table(text: &mut String, rows: &[TimelineRow]) {
    let count =
        |row: &TimelineRow, letters: &str| row.stages.chars().filter(|c| letters.contains(*c)).count();
    let _ = write!(text, "\nstages, cycles {:19}", "");
    STAGES.iter().for_each(|(_, head)| {
        let _ = write!(text, "{head:>5}");
    });
    let mut sums = [0; STAGES.len()];
    let mut known = std::collections::BTreeSet::new();
    for row in rows {
        let counts = STAGES.map(|(letters, _)| count(row, letters));
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        if known.len() < MAX_ROWS && known.insert(row.pc) {
            let _ = write!(text, "\n{:08x} {:<25}", row.pc, short(&row.text));
            cells(text, &counts);
        }
    }
    let _ = write!(text, "\n{:<34}", "all");
    cells(text, &sums);
    text.push('\n');
}

fn cells(text: &mut String, counts: &[usize]) {
    for count in counts {
        let _ = match count {
            0 => write!(text, "{:>5}", "-"),
            count => write!(text, "{count:>5}"),
        };
    }
}

fn ruler(width: usize) -> String {
    let digit = |i: usize| {
        if i.is_multiple_of(10) {
            char::from(b'0' + (i / 10 % 10) as u8)
        } else {
            '\''
        }
    };
    (0..width)
        .map(|i| if i % 5 == 0 { digit(i) } else { ' ' })
        .collect()
}

/// Returns the text of an instruction without its comment.
pub(crate) fn short(text: &str) -> &str {
    text.split(" !").next().unwrap_or(text)
}

/// Prints the number of free slots, and the groups that could use them.
fn free(text: &mut String, rows: &[TimelineRow], length: u64, paint: Paint) {
    let (free, empty) = free_slots(rows, length);
    let _ = writeln!(
        text,
        "\n{} cycles with one instruction, {empty} with none",
        free.len()
    );
    for kind in PAIRING {
        let cycles: Vec<String> = free
            .iter()
            .filter(|slot| slot.beside == kind)
            .map(|slot| slot.cycle.to_string())
            .collect();
        if !cycles.is_empty() {
            let line = format!(
                "  {} issued alone in {}: could pair with {}",
                name(kind),
                cycles.join(" "),
                names(&fits(kind))
            );
            let _ = writeln!(text, "{}", paint.used(&line));
        }
    }
}
