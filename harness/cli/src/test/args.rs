//! Options of `swirl test`.

use crate::part::Part;
use crate::setting_options::PlayOptions;
use std::path::PathBuf;

/// Run the regression cases below a directory.
///
/// A case is a directory with a scene.txt (a scene for the PowerVR2 as text and its picture, frame.png) or
/// with a case.toml that says what it is. Frames must be equal to the expected ones in every pixel, unless
/// the case allows some to differ. Each failure is one line with the command that runs it alone; the
/// expected, actual and differing pixels are written side by side below --out, and into one page with --html.
#[derive(clap::Args)]
#[command(after_help = super::help::text())]
pub(crate) struct Args {
    /// A directory of cases, or a case.
    #[arg(default_value = ".")]
    pub(super) directory: PathBuf,
    /// Store the present output as the expected one, and print each changed file.
    #[arg(long)]
    pub(super) update: bool,
    /// Print what --update would change.
    #[arg(long, conflicts_with = "update")]
    pub(super) dry_run: bool,
    /// A page that shows what was expected, what came out and where they differ; one file, opens without a
    /// network.
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// A picture of all frames with their names.
    #[arg(long, value_name = "PNG")]
    pub(super) contact_sheet: Option<PathBuf>,
    /// A report for continuous integration.
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// A summary for a pull request: the cases, and the figures with a budget, as Markdown tables.
    #[arg(long, value_name = "FILE")]
    pub(super) markdown: Option<PathBuf>,
    /// Run the I-th of N parts of the cases, chosen by a hash of their paths.
    #[arg(long, value_name = "I/N", alias = "shard")]
    pub(super) part: Option<Part>,
    /// Print the result as JSON.
    #[arg(long)]
    pub(super) json: bool,
    /// Add up the JSON files of all parts of a run, which --part and --json have printed, and run nothing.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = [
        "directory", "update", "dry_run", "part", "list", "watch", "filter", "html", "contact_sheet",
    ])]
    pub(super) merge: Vec<PathBuf>,
    /// Run the cases whose path below the directory fits: `*` is any text, `?` any character; without either,
    /// paths that contain it. Several times: any of them.
    #[arg(long, value_name = "GLOB")]
    pub(super) filter: Vec<String>,
    /// Print the paths and kinds of the cases, and run none.
    #[arg(long)]
    pub(super) list: bool,
    /// Start no more cases after the first that fails.
    #[arg(long)]
    pub(super) fail_fast: bool,
    /// Run the cases again whenever a file below the directory changes, or one that a case names.
    #[arg(long, conflicts_with_all = ["update", "dry_run", "list"])]
    pub(super) watch: bool,
    /// Cases that run at the same time.
    #[arg(short, long, value_name = "N", default_value_t = 2)]
    pub(super) jobs: usize,
    /// End the command of a case after so many seconds; the case fails.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 60,
        value_parser = clap::value_parser!(u64).range(1..),
    )]
    pub(super) time_limit: u64,
    /// Run cases of strangers: none may run make, or name a file outside its folder, and the directory has
    /// no links. A case that does fails.
    #[arg(long)]
    pub(super) untrusted: bool,
    /// Where failing frames go.
    #[arg(long, value_name = "DIR", default_value = "target/regression")]
    pub(super) out: PathBuf,
    #[command(flatten)]
    pub(super) play: PlayOptions,
}

impl Args {
    /// Whether changes are news and not failures.
    pub(super) fn updates(&self) -> bool {
        self.update || self.dry_run
    }
}
