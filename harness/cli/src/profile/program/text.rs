//! Prints the profile of a program.

use super::measure::Measured;
use super::rows;
use crate::profile::caches_text;
use profile::program::Activity;
use std::fmt::Write as _;

/// Maximum number of rows per table.
const ROWS: usize = 20;

pub(super) fn text(measured: &mut Measured) -> String {
    let mut out = String::new();
    head(&mut out, measured);
    activities(&mut out, measured);
    frames(&mut out, measured);
    functions(&mut out, measured);
    tree(&mut out, measured);
    lines(&mut out, measured);
    data(&mut out, measured);
    out += &measured.sound.text();
    unattributed(&mut out, measured);
    foot(&mut out, measured);
    out
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn milliseconds(cycles: u64, hz: u64) -> f64 {
    1e3 * cycles as f64 / hz as f64
}

fn head(out: &mut String, measured: &Measured) {
    let result = &measured.result;
    let cycles = result.cycles();
    let (first, last) = measured.frames.range().unwrap_or_default();
    let _ = writeln!(
        out,
        "{}: frames {first} to {last}, {cycles} cycles, {:.3} ms, {} renders",
        measured.title,
        milliseconds(cycles, measured.hz),
        measured.renders,
    );
    let instructions = result.profile.counts.instructions;
    let busy = result.profile.cycles().0;
    let _ = writeln!(
        out,
        "{instructions} instructions in {busy} cycles of execution, {:.2} a cycle",
        instructions as f64 / busy.max(1) as f64
    );
    let _ = writeln!(
        out,
        "{} frames without a new render; at most {} bytes to the tile accelerator in a frame; {} KiB of RAM \
         and {} KiB of video memory in use",
        measured.frames.missed,
        measured.frames.most_ta_bytes,
        measured.memory.ram_bytes() >> 10,
        measured.memory.vram_bytes() >> 10,
    );
    let (ccr, written) = measured.ccr;
    let why = match written {
        true => "as the program has set it",
        false => "the program has not written it; a loader leaves 0, both caches off: --ccr 0",
    };
    let _ = writeln!(out, "CCR = {ccr:08x} ({}), {why}", caches_text(ccr));
    if let Some(ended) = &measured.ended {
        let _ = writeln!(out, "the program ended before the last frame: {ended}");
    }
}

fn activities(out: &mut String, measured: &Measured) {
    let (all, cycles) = (measured.result.activities, measured.result.cycles());
    let frames = measured.frames.count.max(1);
    let _ = writeln!(out, "\nwhere the time goes          cycles        %   ms a frame");
    for (activity, spent) in Activity::ALL.iter().zip(all).filter(|(_, spent)| *spent > 0) {
        let _ = writeln!(
            out,
            "{:<33} {spent:>12} {:>6.2} {:>9.3}",
            activity.text(),
            percent(spent, cycles),
            milliseconds(spent, measured.hz) / frames as f64
        );
    }
    let _ = writeln!(out, "{:<33} {:>12}", "sum", all.iter().sum::<u64>());
}

fn frames(out: &mut String, measured: &Measured) {
    let _ = writeln!(
        out,
        "\nheaviest frames   work ms   of ms  operand misses  code misses  first function"
    );
    for frame in measured.frames.heaviest.iter().map(|row| &row.sum) {
        let function = frame.functions.first();
        let name = function.map_or("", |row| measured.result.functions.name(row.function));
        let _ = writeln!(
            out,
            "{:>15} {:>9.3} {:>7.3} {:>15} {:>12}  {name}",
            frame.number,
            milliseconds(frame.work(), measured.hz),
            milliseconds(frame.cycles, measured.hz),
            frame.misses,
            frame.instruction_misses,
        );
    }
}

fn functions(out: &mut String, measured: &mut Measured) {
    let cycles = measured.result.cycles();
    let rows = rows::functions(measured);
    let _ = writeln!(
        out,
        "\n      cycles      % instructions  operand misses  code misses  function"
    );
    for row in rows.iter().take(ROWS).map(|row| &row.costs) {
        let _ = writeln!(
            out,
            "{:>12} {:>6.2} {:>12} {:>15} {:>12}  {}",
            row.cycles,
            percent(row.cycles, cycles),
            row.instructions,
            row.operand_misses,
            row.instruction_misses,
            row.name
        );
    }
    let rest: u64 = rows.iter().skip(ROWS).map(|row| row.costs.cycles).sum();
    if rest > 0 {
        let others = rows.len() - ROWS;
        let _ = writeln!(
            out,
            "{rest:>12} {:>6.2} {:>42}  {others} others",
            percent(rest, cycles),
            ""
        );
    }
}

fn tree(out: &mut String, measured: &Measured) {
    let cycles = measured.result.profile.cycles().0;
    let rows = rows::tree(measured, cycles / 50);
    let _ = writeln!(
        out,
        "\nwith callees      %          own  call tree, 2 % of execution or more"
    );
    for row in rows.iter().take(2 * ROWS) {
        let _ = writeln!(
            out,
            "{:>12} {:>6.2} {:>12}  {:indent$}{}",
            row.inclusive,
            percent(row.inclusive, cycles),
            row.own,
            "",
            row.name,
            indent = 2 * row.depth
        );
    }
}

fn lines(out: &mut String, measured: &mut Measured) {
    let cycles = measured.result.cycles();
    let rows = rows::lines(measured);
    if rows.is_empty() {
        let _ = writeln!(out, "\nno source lines: the file has no debug information");
        return;
    }
    let _ = writeln!(out, "\n      cycles      %  operand misses  line");
    for row in rows.iter().take(ROWS) {
        let _ = writeln!(
            out,
            "{:>12} {:>6.2} {:>15}  {}:{} ({})",
            row.costs.cycles,
            percent(row.costs.cycles, cycles),
            row.costs.operand_misses,
            row.file,
            row.line,
            row.function
        );
    }
}

fn data(out: &mut String, measured: &Measured) {
    let _ = writeln!(out, "\nstall cycles      misses  owner of the data");
    for row in rows::owners(measured).iter().take(ROWS) {
        let _ = writeln!(
            out,
            "{:>12} {:>11}  {:08x} {}",
            row.stalled, row.misses, row.address, row.name
        );
    }
    let rows = rows::data(measured);
    let _ = writeln!(
        out,
        "\nstall cycles      misses    accesses  data, in ranges of 4 KiB"
    );
    for row in rows.iter().take(ROWS / 2) {
        let _ = writeln!(
            out,
            "{:>12} {:>11} {:>11}  {:08x} {}",
            row.stalled, row.misses, row.accesses, row.address, row.owner
        );
    }
}

/// Prints the costs without an exact attribution, omitting zeros.
fn unattributed(out: &mut String, measured: &mut Measured) {
    let all = rows::unattributed(measured);
    let rows = [
        (all.no_symbol, "cycles in the program's code without a symbol"),
        (all.outside_program, "cycles in code outside the program's file"),
        (all.no_source_line, "cycles in code without a source line"),
        (
            all.unknown_threads,
            "cycles of threads that began before the measurement",
        ),
        (all.unknown_data, "stall cycles of data at an unknown address"),
        (
            all.untracked_calls,
            "calls that exceed the size of the call tree: their cycles count for their callers",
        ),
        (
            all.unmatched_returns,
            "returns without a known call: the cycles after them count for the function that returned",
        ),
        (
            all.abandoned_calls,
            "calls that ended because an outer call returned",
        ),
    ];
    let _ = writeln!(out, "\nnot attributed, or not to one function");
    for (count, text) in rows.iter().filter(|(count, _)| *count > 0) {
        let _ = writeln!(out, "{count:>12}  {text}");
    }
    if rows.iter().all(|(count, _)| *count == 0) {
        let _ = writeln!(out, "{:>12}  all cycles have a function and a source line", 0);
    }
}

fn foot(out: &mut String, measured: &Measured) {
    let result = &measured.result;
    let (sum, clock) = (result.cycles(), measured.clock);
    let _ = writeln!(
        out,
        "\nThe parts sum to {sum} cycles; the console's clock advanced by {clock}."
    );
    if let Some(pc) = result.profile.changed_code {
        let _ = writeln!(
            out,
            "The code at {pc:08x} changed while it ran: its lines are those of the last code there."
        );
    }
    let _ = writeln!(
        out,
        "{:.2} s of the host for {:.2} s of the console.",
        measured.seconds,
        clock as f64 / measured.hz as f64
    );
}
