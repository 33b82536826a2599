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
#[command(after_help = "Examples:\n  \
    swirl test tests/data/pvr\n  \
    swirl test tests/data/pvr --contact-sheet out.png --junit report.xml\n  \
    swirl test tests/data/pvr/fog_table --update\n  \
    swirl test tests/data --shard 2/8 -j 4 --html report.html\n  \
    swirl test tests/data --dry-run    # what --update would change\n  \
    swirl test tests/data/scene --play original\n\n\
    case.toml, for every kind:\n  \
    kind = \"frame\"            # scene, frame, cells, kernel, cycles, convert or program\n  \
    expect = \"expected\"       # file, or folder of frame_0000.png ..., of what is expected\n  \
    known_failure = false      # true: the case must fail\n\
    scene:\n  input = \"scene.txt\"\n  pvr = [\"flycast\"]         # as --pvr\n  max_different_pixels = 0\n\
    frame:\n  input = \"model.nj\"\n  \
    textures = [\"model.pvm\"]  # else what lies beside the model\n  \
    frames = [0]               # of the motion\n  size = \"320x240\"\n  yaw = 30.0\n  pitch = 15.0\n  \
    kernels = \"checked\"        # reference, sh4 or checked\n  pvr = [\"flycast\"]\n  max_different_pixels \
    = 0\n  \
    motion = \"walk.njm:0\"\n  play = [\"original\"]       # as --play\n\
    cells: keys as for frame, and\n  inputs = [\"walk.csa\"]     # streams and sprite motions\n  \
    cell_space = \"3d\"\n\
    kernel, as swirl verify:\n  input = \"game.elf\"         # without: the built-in kernels\n  spec = \
    \"kernels.toml\"\n  \
    names = [\"scale\"]          # without: all\n  cases = 1000\n  seed = 1\n\
    cycles, as swirl profile; the expected file is cycles.json:\n  input = \"game.elf\"         # or name = \
    \"transform_points\"\n  \
    call = \"scale\"\n  arguments = [0x8c200000, 64]\n  cache = \"warm\"\n  max = 1200                 # \
    cycles; then no file is needed\n  \
    fail_above = \"1%\"          # growth that is allowed\n\
    convert, as swirl convert; the expected folder holds every file that is made:\n  inputs = [\"a.png\", \
    \"b.png\"]  # or input = \"a.png\"\n  \
    output = \"all.pvm\"         # without: several files\n  options = [\"--mipmaps\"]\n\
    program, as swirl run; the expected folder holds frame_0060.png ... and console.txt:\n  \
    input = \"game.elf\"\n  \
    make = { folder = \"..\", target = \"game.elf\" }  # made first\n  \
    script = \"keys.txt\"      # as --input\n  \
    limit = { frames = 600 }   # or seconds = 10.0; without: 3600 frames\n  \
    exit_code = 0              # without: 0, or the limit\n  \
    frames = [60, 120]         # compared as pictures\n  max_different_pixels = 0\n  \
    console = true             # compare all that the program prints\n  \
    contains = [\"PASSED\"]    # what it must print\n  \
    max = 200000000            # cycles\n  \
    options = [\"--cable\", \"rgb\"]")]
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
    /// Run the I-th of N parts of the cases, told by a hash of their paths.
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
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
