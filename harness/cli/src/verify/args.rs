//! Options of `swirl verify`.

use crate::cpu_engine::CpuEngine;
use crate::part::Part;
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use verify::user::Plan;

/// Run SH4 routines on generated inputs and compare their outputs, bit for bit, with references.
///
/// With --elf and --spec: verifies routines of a program against other functions of the program. Otherwise:
/// verifies the kernels of this project (including the built-in ARM7 kernels) against Rust references. Their
/// results are also compared with a computation in double precision, within the bound that the kernel states.
/// The same seed gives the same cases. The exit status is 1 if any result differs.
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
    allow = [\"fpscr.fr\"]        violations of the ABI that are accepted for this function\n  \
    reads = \"exact\"             or \"line\": loads in the cache lines of buffers; or \"any\"\n  \
    limit = 100000              instructions that a call may take\n  \
    cycles = { cache = \"warm\", at = { n = 256 }, seed = 1, max = 2600 }   on the modelled console\n  \
    alias = [[\"src\", \"dst\"]]    pairs that may have the same address\n\n\
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
    /// Kernels to verify, by name; by default all.
    pub(crate) names: Vec<String>,
    /// Program with the functions that --spec describes.
    #[arg(long, value_name = "FILE")]
    pub(crate) elf: Option<PathBuf>,
    /// Specification (TOML) of the functions to call and the results to compare.
    #[arg(long, requires = "elf", value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,
    /// File with a single call, as written by `swirl render --kernels checked`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "elf", "spec"])]
    pub(crate) call: Option<PathBuf>,
    /// ELF file with the kernels to use instead of the built-in ones (roms/build.sh FOLDER builds it).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["elf", "call"])]
    pub(crate) rom: Option<PathBuf>,
    /// List the kernels, or the kernels of --spec, without running them.
    #[arg(long, conflicts_with_all = ["call", "rom", "junit", "scaffold"])]
    pub(crate) list: bool,
    /// Print an initial specification of a function, from its prototype in the program's debug information.
    #[arg(long, num_args = 2, value_names = ["ELF", "SYMBOL"])]
    #[arg(conflicts_with_all = ["names", "elf", "call", "rom", "junit", "json"])]
    pub(crate) scaffold: Option<Vec<PathBuf>>,
    /// Time limit in seconds; the report states the number of cases that were run.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) time_limit: Option<u64>,
    /// Write the result as JUnit XML, too.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Number of threads; the report does not depend on it. By default all of the machine's.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    jobs: Option<u64>,
    /// Run the I-th of N parts of the cases of each kernel.
    #[arg(long, value_name = "I/N")]
    pub(crate) part: Option<Part>,
    /// Merge the JSON files of all parts of a run, printed with --part and --json, without running cases.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    #[arg(conflicts_with_all = ["names", "elf", "spec", "call", "rom", "list", "scaffold", "part"])]
    pub(crate) merge: Vec<PathBuf>,
    /// Number of cases per kernel.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) cases: u64,
    /// Seed of the first case; each following case adds 1.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Engine for the built-in SH4 kernels; all engines give the same results.
    ///
    /// The interpreter always runs functions of --elf, which have checked loads and stores, and calls with
    /// counted cycles.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: CpuEngine,
    /// Print the result as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Args {
    /// Returns this part's cases, and the number of threads.
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

    /// Returns the time at which the time limit is reached.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let limit = self.time_limit.map(Duration::from_secs)?;
        Instant::now().checked_add(limit)
    }
}
