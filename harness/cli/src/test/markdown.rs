//! `--markdown`: the summary for a pull request.

use super::runner::{Run, Verdict};
use crate::plural::plural;
use std::fmt::Write as _;

/// Maximum number of lines of a reason.
const LINES: usize = 20;

/// Returns the measurements with a budget, the failed cases, and the number of passed cases.
pub(super) fn summary(runs: &[Run]) -> String {
    let failed: Vec<&Run> = runs.iter().filter(|run| run.failed()).collect();
    let mut text = format!("**{}, {} failed**\n", plural(runs.len(), "case"), failed.len());
    if runs.iter().any(|run| !run.budgets.is_empty()) {
        text += "\n| case | figure | found | budget | of it | |\n|---|---|---:|---:|---:|---|\n";
    }
    for run in runs {
        for figure in &run.budgets {
            let part = 100.0 * figure.found as f64 / figure.budget.max(1) as f64;
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {part:.1} % | {} |",
                cell(&run.name),
                cell(&figure.name),
                figure.found,
                figure.budget,
                if figure.exceeded() { "**exceeded**" } else { "kept" }
            );
        }
    }
    if !failed.is_empty() {
        text += "\n| failed case | reason |\n|---|---|\n";
    }
    for run in failed {
        if let Verdict::Failed(reason) = &run.verdict {
            let mut lines: Vec<String> = reason.lines().take(LINES).map(|line| cell(line.trim())).collect();
            if reason.lines().count() > LINES {
                lines.push("…".to_owned());
            }
            let _ = writeln!(text, "| {} | {} |", cell(&run.name), lines.join("<br>"));
        }
    }
    text
}

/// Escapes text for a Markdown table cell.
fn cell(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('|', "\\|")
        .replace('<', "&lt;")
}
