//! One iteration of the most repeated loop, cycle by cycle.

use super::Paint;
use super::free::{PAIRING, fits, free_slots, name, names};
use crate::places::{Places, instruction};
use crate::profile::Profile;
use crate::step::Step;
use sh4::table::{Group, TABLE};
use std::fmt::Write as _;
use timing::Cause;
use timing::Insn;
use timing::memory::Stall;
use timing::resource;
use timing::table;

/// One instruction of an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineRow {
    /// Its address.
    pub pc: u32,
    /// Its text.
    pub text: String,
    /// Pairing group.
    pub group: Group,
    /// Cycle of issue, the iteration's first being 0.
    pub cycle: u64,
    /// A letter for each cycle from issue on: the stages it passes.
    pub stages: String,
    /// The cause of its delay, and the slots lost.
    pub wait: String,
    /// The chief cause of that, if it lost a slot.
    pub cause: Option<Cause>,
    /// Cycles for which memory froze the CPU at it.
    pub frozen: u64,
}

/// The index of the site that begins the most repeated loop, if there is one.
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

/// The rows of the last whole iteration of the loop that begins at `site`, and its length in cycles.
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

/// The cause that cost the most slots.
fn cause(step: &Step, stall: &Stall) -> Option<Cause> {
    let stalls = stall.parts().map(|(cause, cycles)| (cause, 2 * cycles));
    let waits = [
        (step.cause, u64::from(step.lost)),
        (Cause::Pair, u64::from(step.unpaired)),
    ];
    let all = waits.into_iter().chain(stalls).filter(|(_, slots)| *slots > 0);
    Some(all.max_by_key(|(_, slots)| *slots)?.0)
}

/// The letters of an instruction's stages.
pub(crate) fn stage_letters(insn: &Insn) -> String {
    stages(table::timing(insn.id).map_or(0, |row| row.pattern), insn.issue)
}

/// The stages of a pattern: D decode, E EX, X SX, N NA, M MA, S write-back, 0 to 3 and F the FPU's, m its
/// multiplier.
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

/// Cycles that are drawn.
const WIDEST: u64 = 160;

/// One iteration of the most repeated loop, in its last, settled state.
#[must_use]
pub fn timeline(profile: &Profile, places: &Places, paint: Paint) -> String {
    let Some(site) = hottest_loop(profile) else {
        return "no loop ran twice: there is no iteration to show\n".to_owned();
    };
    let head = &profile.sites[site as usize];
    let Some((rows, length)) = rows(profile, site) else {
        return format!(
            "the loop at {:08x} ended too long before the end of the run to be shown\n",
            head.pc
        );
    };
    let mut text = format!(
        "loop at {:08x} <{}>, {} iterations; the last whole one: {length} cycles, {} instructions\n\n",
        head.pc,
        places.describe(head.pc),
        head.looped + 1,
        rows.len()
    );
    let width = length.min(WIDEST) as usize + 8;
    let _ = writeln!(text, "{:34} {}", "", ruler(width));
    for row in &rows {
        if row.cycle >= WIDEST {
            let _ = writeln!(text, "  ... beyond cycle {WIDEST}");
            break;
        }
        let frozen = "*".repeat(row.frozen.min(WIDEST) as usize);
        let indent = (row.cycle - row.frozen.min(row.cycle)) as usize;
        let chart = format!("{}{frozen}{}", ".".repeat(indent), row.stages);
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
    free(&mut text, &rows, length, paint);
    text += "\nD decode  E X N M S integer stages  0-3 F the FPU's  m multiplier  * frozen by memory\n";
    text
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

/// The text of an instruction without its remark.
pub(crate) fn short(text: &str) -> &str {
    text.split(" !").next().unwrap_or(text)
}

/// The count of free slots, and the groups that would fit.
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
                "  beside {} in {}: {} would fit",
                name(kind),
                cycles.join(" "),
                names(&fits(kind))
            );
            let _ = writeln!(text, "{}", paint.used(&line));
        }
    }
}
