//! `swirl limits`, and the limits of the command itself. Each library has a module `limits` too.

use crate::exit::ExitStatus;
use anyhow::Result;
use serde::Serialize;

/// Maximum size of an input file.
pub(crate) const INPUT_BYTES: u64 = 256 << 20;
/// Maximum depth of folders when searching for cases. It ends the search in a tree that contains itself.
pub(crate) const CASE_DEPTH: usize = 16;
/// Maximum number of frames drawn at once; more are probably a mistake.
pub(crate) const FRAMES: u32 = 100_000;
/// Maximum number of frames in a back-trace.
pub(crate) const TRACE_FRAMES: usize = 64;
/// Maximum number of members read from a structure.
pub(crate) const STRUCTURE_MEMBERS: usize = 1024;
/// Maximum number of listed threads, because a damaged list can have no end.
pub(crate) const THREADS: usize = 256;

/// Maximum bytes of console text that a run stores.
pub(crate) const RUN_TEXT: usize = 256 << 20;

/// Maximum length of a loopback recording in seconds; the program takes eight.
pub(crate) const RECORDING_SECONDS: u32 = 30;
/// Maximum pixels of all frames of a case, which are kept until they are compared.
pub(crate) const CASE_PIXELS: usize = 1 << 26;
/// Maximum number of keys, tables and values in a TOML file. Each takes up to 500 bytes.
pub(crate) const TOML_PARTS: usize = 1 << 17;
/// Maximum bytes of the source files that a listing or a page shows.
pub(crate) const SOURCE_BYTES: u64 = 64 << 20;
/// Maximum characters of a source line in a listing.
pub(crate) const SOURCE_LINE: usize = 1024;

/// Limited quantities and their maximum.
const LIMITS: &[(&str, u64)] = &[
    ("bytes of a file, or of standard input", INPUT_BYTES),
    ("nested folders that are searched for cases", CASE_DEPTH as u64),
    ("frames that one command draws", FRAMES as u64),
    ("frames of a back-trace", TRACE_FRAMES as u64),
    (
        "members of a structure in debug information",
        STRUCTURE_MEMBERS as u64,
    ),
    ("threads of a program", THREADS as u64),
    (
        "bytes of console text that a run keeps; of longer text the last half is kept",
        RUN_TEXT as u64,
    ),
    ("seconds of a loopback recording", RECORDING_SECONDS as u64),
    ("pixels of all frames of a model's case", CASE_PIXELS as u64),
    ("keys, tables and values of a TOML file", TOML_PARTS as u64),
    (
        "bytes of the source files that a listing or a page shows; more files are left out",
        SOURCE_BYTES,
    ),
    (
        "characters of a source line in a listing; a longer one is cut",
        SOURCE_LINE as u64,
    ),
];

/// List the limits on files, programs and requests.
///
/// Input beyond a limit is rejected with its place, or shortened with a warning if the list says so. If a
/// limit has an option in parentheses, it is the default of this option.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  swirl limits\n  swirl limits --json\n\n\
    JSON: [{\"part\": \"ninja\", \"what\": \"nested parentheses in a text file\", \"limit\": 32}]")]
pub(crate) struct Args {
    /// Print the list as JSON.
    #[arg(long)]
    json: bool,
    /// Print the list as a Markdown table.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

#[derive(Serialize)]
struct Row {
    part: &'static str,
    what: &'static str,
    limit: u64,
}

/// Returns all limits, by component.
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

/// Returns the table of docs/reference/limits.md.
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
    /// The page must have the table that `swirl limits --markdown` prints.
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
