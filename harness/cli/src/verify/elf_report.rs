//! Text report of `swirl verify --elf --spec`.

use crate::test::quoted;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;
use verify::user::{ArrayDifference, InputArray, Problem, UserCycles, UserReport};

/// Returns a row per kernel, followed by cycles, remarks and the first problem of each.
pub(super) fn table(kernels: &[Value]) -> String {
    let mut text = format!(
        "{:<28} {:<28} {:>8} {:>9} {:>14} {:>14}\n",
        "kernel", "against", "cases", "failures", "instructions", "its reference"
    );
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for k in kernels {
        text += &format!(
            "{:<28} {:<28} {:>8} {:>9} {:>14} {:>14}\n",
            word(&k["name"]),
            word(&k["against"]),
            k["cases"].to_string(),
            k["failures"].to_string(),
            k["instructions"].to_string(),
            k["reference_instructions"].to_string()
        );
    }
    for kernel in kernels {
        if let Some(cycles) = kernel["cycles"]["text"].as_str() {
            text += &format!("{}: {cycles}\n", word(&kernel["name"]));
        }
    }
    for kernel in kernels {
        text += &remarks(kernel);
    }
    for problem in kernels
        .iter()
        .filter_map(|kernel| kernel["first_problem"]["text"].as_str())
    {
        text += &format!("\n{problem}");
    }
    text
}

/// Returns remarks: the reason for skipped cases, the largest deviation that passed, FPSCR, unwritten
/// outputs.
fn remarks(kernel: &Value) -> String {
    let mut lines = Vec::new();
    if let Some(stopped) = kernel["stopped"].as_str() {
        lines.push(format!("{stopped} after {} cases", kernel["cases"]));
    }
    let worst = &kernel["worst"];
    if let Some(text) = worst["text"].as_str().filter(|_| kernel["failures"] == 0) {
        lines.push(format!("largest deviation, seed {}: {text}", worst["seed"]));
    }
    let notes = kernel["notes"].as_array().into_iter().flatten();
    lines.extend(notes.filter_map(|note| note.as_str().map(str::to_owned)));
    let name = kernel["name"].as_str().unwrap_or_default();
    lines.iter().map(|line| format!("{name}: {line}\n")).collect()
}

/// Formats cycles: `2600 cycles warm at n = 256, at most 2500 are allowed; its reference 5000`.
pub(super) fn described(cycles: &UserCycles) -> String {
    let mut text = format!("{} cycles {}", cycles.candidate, cycles.caches);
    if !cycles.at.is_empty() {
        text += &format!(" at {}", cycles.at);
    }
    match (cycles.max, cycles.within_limit()) {
        (Some(max), true) => text += &format!(" of {max}"),
        (Some(max), false) => text += &format!(", at most {max} are allowed"),
        (None, _) => {}
    }
    if let Some(reference) = cycles.reference {
        text += &format!("; its reference {reference}");
    }
    text
}

/// Explains the first problem of a kernel.
pub(super) fn explain(report: &UserReport, problem: &Problem, elf: &Path, spec: &Path) -> String {
    let mut text = format!("{}: seed {}: {}\n", report.name, problem.seed, problem.what);
    text += &format!("  smallest case that fails: {}\n", problem.shrunk);
    if let Some(worst) = &problem.worst {
        text += &format!("  furthest off: {worst}\n");
    }
    if let Some([input, output]) = &problem.aliased {
        text += &format!("  aliased: {output} is at the address of {input}\n");
    }
    for argument in &problem.arguments {
        text += &format!("    {argument}\n");
    }
    if !problem.registers.is_empty() {
        let named = problem
            .registers
            .iter()
            .map(|(name, word)| format!("{name} = {word:08x}"));
        let named: Vec<String> = named.collect();
        text += &format!("    at entry: {}; other free registers 0\n", named.join(", "));
    }
    for (input, line) in matrices(problem) {
        text += &format!("    {input} {line}\n");
    }
    for line in problem.outputs.iter().flat_map(ArrayDifference::lines) {
        text += &format!("    {line}\n");
    }
    text += &format!(
        "  again: swirl verify --elf {} --spec {} {} --seed {} --cases 1\n",
        quoted(elf.as_os_str()),
        quoted(spec.as_os_str()),
        quoted(OsStr::new(&report.name)),
        problem.seed
    );
    text
}

/// Returns the lines of inputs that are 4x4 matrices.
fn matrices(problem: &Problem) -> impl Iterator<Item = (&str, String)> {
    let lines = |input: &InputArray| input.matrix();
    let inputs = problem.inputs.iter();
    inputs.flat_map(move |input| lines(input).into_iter().map(|line| (input.name.as_str(), line)))
}
