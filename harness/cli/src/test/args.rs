//! Options of `swirl test`.

use crate::pvr_options::PvrOptions;
use std::path::PathBuf;
use std::str::FromStr;

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
    /// Run the I-th of N parts of the cases, told by a hash of their paths.
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
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
    /// Where failing frames go.
    #[arg(long, value_name = "DIR", default_value = "target/regression")]
    pub(super) out: PathBuf,
    #[command(flatten)]
    pub(super) chip: PvrOptions,
    /// Rules of playing for all cases, after their own; as --play of render.
    #[arg(long, value_name = "PRESET|NAME=CHOICE|MODE")]
    pub(super) play: Vec<String>,
}

impl Args {
    /// Whether changes are news and not failures.
    pub(super) fn updates(&self) -> bool {
        self.update || self.dry_run
    }
}

/// `I/N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shard {
    pub(super) index: u64,
    pub(super) of: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').map(|(i, n)| (i.parse(), n.parse()));
        match parts {
            Some((Ok(index), Ok(of))) if 1 <= index && index <= of => Ok(Self { index, of }),
            _ => Err("expected I/N with 1 <= I <= N, such as 2/8".to_owned()),
        }
    }
}

impl Shard {
    /// Whether a case is of this part: FNV-1a of its path, so that it does not depend on the machine.
    pub(super) fn takes(self, name: &str) -> bool {
        let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        // The low bits of FNV are poor in short names.
        (hash ^ hash >> 32) % self.of + 1 == self.index
    }
}
