//! Options of `swirl verify`.

use crate::cpu_engine::CpuEngine;
use crate::part::Part;
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use verify::user::Plan;

/// Run SH4 routines on generated inputs and compare their outputs, bit for bit, with references.
///
/// With --elf and --spec: routines of a program, against other functions of the program. Without: the kernels
/// of this project (those of the ARM7 too, where built in), against Rust; their results are also held
/// against the same computation in double precision, within the bound that the kernel states. The same seed
/// gives the same cases. Exit status 1 if anything differs.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    swirl verify --scaffold game.elf xform_fast > xform.toml\n  \
    swirl verify --elf game.elf --spec xform.toml --junit results.xml\n  \
    swirl verify\n  \
    swirl verify transform_points project_points --cases 100000 --seed 7\n  \
    swirl verify --cases 2000 --json\n  \
    swirl verify --cases 100000000 --part 3/8 --json > part-3.json\n  \
    swirl verify --merge part-*.json\n  \
    swirl verify --call model.call.toml\n  \
    swirl verify --elf game.elf --spec xform.toml --list\n  \
    roms/build.sh \"$PWD/out\" && swirl verify transform_points --rom out/kernels.elf\n\n\
    The TOML of --spec, one [[kernel]] after the other (every key: docs/reference/specification.md):\n  \
    call = \"xform_fast\"         symbol, with or without the underscore of C\n  \
    against = \"xform_c\"         symbol of the same ELF, or \"builtin:NAME\"\n  \
    fpscr = \"single, nearest, flush\"     FPSCR at entry of `call`; against_fpscr: of `against`\n      \
    single (PR = 0, code of -m4-single) or double (PR = 1, code of -m4); nearest or zero;\n      \
    flush (DN = 1) or denormals; pairs (SZ = 1). Default: by the compiler's options (-g)\n  \
    returns = \"f32\"             if its result is compared\n  \
    [kernel.args]               in the order of the prototype\n  \
    m   = { in = \"f32[16]\", align = 8, values = \"matrix\" }\n  \
    dst = { out = \"f32[4*n]\", align = 32 }\n  \
    n   = { value = \"u32\", range = \"1..=512\" }\n  \
    x   = { in = \"f32[16]\", reg = \"xmtrx\" }\n  \
    [kernel.check]\n  \
    compare = \"bits\"            or { ulp = N, relative = X, absolute = X }: within the largest of them\n  \
    abi = true                  kept registers; stores and loads outside of buffers, stack and program\n  \
    allow = [\"fpscr.fr\"]        what the ABI forbids and this function may do all the same\n  \
    reads = \"exact\"             or \"line\": loads in the cache lines of buffers; or \"any\"\n  \
    limit = 100000              instructions that a call may take\n  \
    cycles = { cache = \"warm\", at = { n = 256 }, seed = 1, max = 2600 }   on the modelled console\n  \
    alias = [[\"src\", \"dst\"]]    pairs that may lie at one place\n\n\
    Values: finite, special, denormal, bits, matrix, unit3, unit4, permutation, string; range = \"A..=B\", \
    \"A..=B step C\"; file = \"NAME\".\n\n\
    JSON with --elf: {\"elf\", \"spec\", \"seed\", \"cases\", \"part\", \"kernels\": [{\"name\", \"call\", \
    \"against\", \"cases\", \"failures\",\n  \
    \"instructions\", \"reference_instructions\", \"stopped\", \"notes\", \"cycles\": {\"cache\", \"at\", \
    \"candidate\", \"reference\", \"max\"},\n  \
    \"worst\": {\"seed\", \"size\", \"text\", \"place\", \"candidate\", \"expected\", \"ulp\", \"relative\", \
    \"absolute\"},\n  \
    \"first_problem\": {\"seed\", \"text\", \"what\", \"shrunk\", \"registers\", \"aliased\", \"arguments\", \
    \"worst\", \"inputs\": [{\"name\", \"type\", \"elements\"}],\n  \
    \"outputs\": [{\"name\", \"type\", \"candidate\", \"expected\", \"differing\"}]}}]}; elements are bits \
    in hexadecimal\n\n\
    JSON: {\"seed\", \"cases\", \"part\", \"kernels\": [{\"name\", \"processor\", \"cases\", \"mismatches\", \
    \"instructions\", \"worst_share_of_bound\",\n  \
    \"out_of_bound\", \"stopped\", \"first_problem\", \"again\", \"cycles\": {\"seed\", \"cold\", \"warm\", \
    \"budget_cold\", \"budget_warm\"}}]}")]
pub(crate) struct Args {
    /// Kernels by name; all if none is given.
    pub(crate) names: Vec<String>,
    /// A program with the functions that --spec describes.
    #[arg(long, value_name = "FILE")]
    pub(crate) elf: Option<PathBuf>,
    /// The specification: which functions to call and what to compare, TOML.
    #[arg(long, requires = "elf", value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,
    /// The file of one call, which a frame with --kernels checked has written.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "elf", "spec"])]
    pub(crate) call: Option<PathBuf>,
    /// Take the built-in kernels from this ELF file (roms/build.sh FOLDER makes it).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["elf", "call"])]
    pub(crate) rom: Option<PathBuf>,
    /// List the kernels, of --spec if it is given, and run none.
    #[arg(long, conflicts_with_all = ["call", "rom", "junit", "scaffold"])]
    pub(crate) list: bool,
    /// Print a first specification of a function, from its prototype in the program's debug information.
    #[arg(long, num_args = 2, value_names = ["ELF", "SYMBOL"])]
    #[arg(conflicts_with_all = ["names", "elf", "call", "rom", "junit", "json"])]
    pub(crate) scaffold: Option<Vec<PathBuf>>,
    /// Stop after so many seconds; the report says how many cases were run.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) time_limit: Option<u64>,
    /// Write the result as JUnit XML too.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Threads; the report does not depend on them. Default: as many as the machine has.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    jobs: Option<u64>,
    /// Run the I-th of N parts of the cases of each kernel.
    #[arg(long, value_name = "I/N")]
    pub(crate) part: Option<Part>,
    /// Add up the JSON files of all parts of a run, which --part and --json have printed, and run nothing.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    #[arg(conflicts_with_all = ["names", "elf", "spec", "call", "rom", "list", "scaffold", "part"])]
    pub(crate) merge: Vec<PathBuf>,
    /// Cases of each kernel.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) cases: u64,
    /// Seed of the first case; the following ones count up.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// The engine that runs the built-in SH4 kernels; every engine gives the same results. The interpreter
    /// runs functions of --elf, whose loads and stores are checked, and calls whose cycles are counted.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: CpuEngine,
    /// Print the result as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Args {
    /// The cases of this part, and the threads.
    pub(super) fn plan(&self) -> Result<Plan> {
        let range = self.part.map_or(0..self.cases, |part| part.range(self.cases));
        if range.is_empty() {
            bail!(
                "--part {}: --cases {} has fewer cases than parts",
                self.part.map_or(0, |part| part.of),
                self.cases
            );
        }
        let threads = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Plan {
            cases: range.end - range.start,
            seed: self.seed.wrapping_add(range.start),
            jobs: self.jobs.map_or_else(threads, |jobs| jobs as usize),
        })
    }

    /// When the time limit is reached.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let limit = self.time_limit.map(Duration::from_secs)?;
        Instant::now().checked_add(limit)
    }
}
