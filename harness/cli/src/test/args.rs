//! Options of `swirl test`.

use crate::part::Part;
use crate::setting_options::PlayOptions;
use std::path::PathBuf;

/// Run the regression cases below a directory.
///
/// A case is a directory with a scene.txt (a text scene for the PowerVR2, with its picture frame.png), or
/// with a case.toml that describes it. All pixels of a frame must equal the expected ones, unless the case
/// permits differences. Each failure is one line with the command that runs this case. Expected, actual and
/// differing pixels are written below --out, and into one page with --html.
#[derive(clap::Args)]
#[command(after_help = super::help::text())]
pub(crate) struct Args {
    /// Directory of cases, or a single case.
    #[arg(default_value = ".")]
    pub(super) directory: PathBuf,
    /// Store the current output as the expected one, and print each changed file.
    #[arg(long)]
    pub(super) update: bool,
    /// Print the changes that --update would make.
    #[arg(long, conflicts_with = "update")]
    pub(super) dry_run: bool,
    /// Write an HTML page with the expected, actual and differing output. It is one file and needs no
    /// network.
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// Write a picture of all frames with their names.
    #[arg(long, value_name = "PNG")]
    pub(super) contact_sheet: Option<PathBuf>,
    /// Write a JUnit XML report for continuous integration.
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Write a summary for a pull request, as Markdown tables: the cases, and the measurements with a budget.
    #[arg(long, value_name = "FILE")]
    pub(super) markdown: Option<PathBuf>,
    /// Run the I-th of N parts of the cases, chosen by a hash of their paths.
    #[arg(long, value_name = "I/N", alias = "shard")]
    pub(super) part: Option<Part>,
    /// Print the result as JSON.
    #[arg(long)]
    pub(super) json: bool,
    /// Merge the JSON files of all parts of a run, printed with --part and --json, without running cases.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = [
        "directory", "update", "dry_run", "part", "list", "watch", "filter", "html", "contact_sheet",
    ])]
    pub(super) merge: Vec<PathBuf>,
    /// Run only cases whose path below the directory matches: `*` is any text, `?` any character.
    ///
    /// A filter without these characters matches every path that contains it. With several filters, a case
    /// runs if any filter matches.
    #[arg(long, value_name = "GLOB")]
    pub(super) filter: Vec<String>,
    /// Print the paths and kinds of the cases without running them.
    #[arg(long)]
    pub(super) list: bool,
    /// Stop after the first failing case.
    #[arg(long)]
    pub(super) fail_fast: bool,
    /// Run the cases again whenever a file below the directory, or a file named by a case, changes.
    #[arg(long, conflicts_with_all = ["update", "dry_run", "list"])]
    pub(super) watch: bool,
    /// Number of cases that run at the same time.
    #[arg(short, long, value_name = "N", default_value_t = 2)]
    pub(super) jobs: usize,
    /// Time limit in seconds for the command of a case; the case then fails.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 60,
        value_parser = clap::value_parser!(u64).range(1..),
    )]
    pub(super) time_limit: u64,
    /// Run untrusted cases: a case fails if it runs make or names a file outside its folder. The directory
    /// must have no links.
    #[arg(long)]
    pub(super) untrusted: bool,
    /// Folder for the output of failing cases.
    #[arg(long, value_name = "DIR", default_value = "target/regression")]
    pub(super) out: PathBuf,
    #[command(flatten)]
    pub(super) play: PlayOptions,
}

impl Args {
    /// Returns whether changes are reported as updates, not as failures.
    pub(super) fn updates(&self) -> bool {
        self.update || self.dry_run
    }
}
