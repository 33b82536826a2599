//! The report of `swirl verify --elf --spec` as text.

use std::path::Path;
use verify::user::{ArrayDifference, InputArray, Problem, UserCycles, UserReport};

/// A row for each kernel, then cycles, remarks and the first problem of each.
pub(super) fn table(reports: &[UserReport], elf: &Path, spec: &Path) -> String {
    let mut text = format!(
        "{:<28} {:<28} {:>8} {:>9} {:>14} {:>14}\n",
        "kernel", "against", "cases", "failures", "instructions", "its reference"
    );
    for r in reports {
        text += &format!(
            "{:<28} {:<28} {:>8} {:>9} {:>14} {:>14}\n",
            r.name, r.against, r.cases, r.failures, r.instructions, r.reference_instructions
        );
    }
    for (report, cycles) in reports.iter().filter_map(|r| Some((r, r.cycles.as_ref()?))) {
        text += &format!("{}: {}\n", report.name, described(cycles));
    }
    for report in reports {
        text += &remarks(report);
    }
    for (report, problem) in reports
        .iter()
        .filter_map(|r| Some((r, r.first_problem.as_ref()?)))
    {
        text += &format!("\n{}", explain(report, problem, elf, spec));
    }
    text
}

/// Why cases were left out, the largest deviation that passed, FPSCR, outputs that nothing is written to.
fn remarks(report: &UserReport) -> String {
    let mut lines = Vec::new();
    if let Some(stopped) = report.stopped {
        lines.push(format!("{stopped} after {} cases", report.cases));
    }
    if let Some(worst) = report.worst.as_ref().filter(|_| report.failures == 0) {
        lines.push(format!(
            "largest deviation, seed {}: {}",
            worst.seed, worst.difference
        ));
    }
    lines.extend(report.notes.iter().cloned());
    let line = |line: String| format!("{}: {line}\n", report.name);
    lines.into_iter().map(line).collect()
}

/// `2600 cycles warm at n = 256, at most 2500 are allowed; its reference 5000`.
pub(super) fn described(cycles: &UserCycles) -> String {
    let mut text = format!("{} cycles {}", cycles.candidate, cycles.caches);
    if !cycles.at.is_empty() {
        text += &format!(" at {}", cycles.at);
    }
    match (cycles.max, cycles.kept()) {
        (Some(max), true) => text += &format!(" of {max}"),
        (Some(max), false) => text += &format!(", at most {max} are allowed"),
        (None, _) => {}
    }
    if let Some(reference) = cycles.reference {
        text += &format!("; its reference {reference}");
    }
    text
}

fn explain(report: &UserReport, problem: &Problem, elf: &Path, spec: &Path) -> String {
    let mut text = format!("{}: seed {}: {}\n", report.name, problem.seed, problem.what);
    text += &format!("  smallest case that fails: {}\n", problem.shrunk);
    if let Some(worst) = &problem.worst {
        text += &format!("  furthest off: {worst}\n");
    }
    for argument in &problem.arguments {
        text += &format!("    {argument}\n");
    }
    for (input, line) in matrices(problem) {
        text += &format!("    {input} {line}\n");
    }
    for line in problem.outputs.iter().flat_map(ArrayDifference::lines) {
        text += &format!("    {line}\n");
    }
    text += &format!(
        "  again: swirl verify --elf {} --spec {} {} --seed {} --cases 1\n",
        elf.display(),
        spec.display(),
        report.name,
        problem.seed
    );
    text
}

/// The lines of inputs that are 4x4 matrices.
fn matrices(problem: &Problem) -> impl Iterator<Item = (&str, String)> {
    let lines = |input: &InputArray| input.matrix();
    let inputs = problem.inputs.iter();
    inputs.flat_map(move |input| lines(input).into_iter().map(|line| (input.name.as_str(), line)))
}
