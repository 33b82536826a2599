//! `swirl limits`, and the limits of the command itself. Each library has its own in a module of this name.

use crate::exit::ExitStatus;
use anyhow::Result;
use serde::Serialize;

/// Largest file that is read.
pub(crate) const INPUT_BYTES: u64 = 256 << 20;
/// Folders below which no cases are looked for, by depth: a tree that refers to itself must end.
pub(crate) const CASE_DEPTH: usize = 16;
/// More frames than this at once are a slip of the hand.
pub(crate) const FRAMES: u32 = 100_000;
/// Most frames of a back-trace.
pub(crate) const TRACE_FRAMES: usize = 64;
/// Most members read of a structure.
pub(crate) const STRUCTURE_MEMBERS: usize = 1024;
/// Most threads listed: a damaged list must end.
pub(crate) const THREADS: usize = 256;

/// Bytes of a program's console text that a run keeps.
pub(crate) const RUN_TEXT: usize = 256 << 20;

/// What is limited, and its largest number.
const LIMITS: &[(&str, u64)] = &[
    ("bytes of a file, or of standard input", INPUT_BYTES),
    ("nested folders in which cases are looked for", CASE_DEPTH as u64),
    ("frames that one command draws", FRAMES as u64),
    ("frames of a back-trace", TRACE_FRAMES as u64),
    (
        "members of a structure in debug information",
        STRUCTURE_MEMBERS as u64,
    ),
    ("threads of a program", THREADS as u64),
    (
        "bytes of console text that a run keeps; of more the last half is kept",
        RUN_TEXT as u64,
    ),
];

/// List the limits on what files, programs and users may ask for.
///
/// Input beyond a limit is refused with the place, or cut with a warning where the list says so. A limit with
/// an option in parentheses is the default of this option.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  swirl limits\n  swirl limits --json\n\n\
    JSON: [{\"part\": \"ninja\", \"what\": \"nested parentheses in a text file\", \"limit\": 32}]")]
pub(crate) struct Args {
    /// Print the list as JSON.
    #[arg(long)]
    json: bool,
    /// Print it as a table in Markdown.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

#[derive(Serialize)]
struct Row {
    part: &'static str,
    what: &'static str,
    limit: u64,
}

/// All limits, by the part that has them.
fn rows() -> impl Iterator<Item = Row> {
    let parts = [
        ("command", LIMITS),
        ("ninja", ninja::LIMITS),
        ("pvr", pvr::LIMITS),
        ("fbx", fbx::LIMITS),
        ("convert", convert::LIMITS),
        ("scene", scene::LIMITS),
        ("machine", machine::LIMITS),
        ("dreamcast", dreamcast::LIMITS),
        ("verify", verify::LIMITS),
    ];
    let rows = |(part, limits): (&'static str, &'static [(&'static str, u64)])| {
        limits.iter().map(move |(what, limit)| Row {
            part,
            what,
            limit: *limit,
        })
    };
    parts.into_iter().flat_map(rows)
}

/// The table of docs/reference/limits.md.
fn markdown() -> String {
    let rows = rows().map(|row| format!("| `{}` | {} | {} |\n", row.part, row.what, row.limit));
    format!(
        "| part | what | limit |\n|---|---|---:|\n{}",
        rows.collect::<String>()
    )
}

pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows().collect::<Vec<_>>())?);
    } else if args.markdown {
        print!("{}", markdown());
    } else {
        for row in rows() {
            println!("{:<10} {:>12}  {}", row.part, row.limit, row.what);
        }
    }
    Ok(ExitStatus::Done)
}

#[cfg(test)]
mod tests {
    /// The page has the table that `swirl limits --markdown` prints.
    #[test]
    fn the_page_lists_every_limit() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/limits.md");
        let page = std::fs::read_to_string(path).unwrap();
        let table = super::markdown();
        assert!(
            page.contains(&table),
            "docs/reference/limits.md: expected\n{table}"
        );
    }
}
