//! Options of `swirl verify`.

use crate::cpu_engine::CpuEngine;
use std::path::PathBuf;

/// Run the kernels of the SH4 (and of the ARM7, where built in) on generated inputs and compare every output bit with the Rust references.
///
/// Each result is also held against the same computation in double precision, within the bound that the kernel states.
/// The same seed gives the same cases. Exit status 1 if anything differs.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    swirl verify\n  \
    swirl verify transform_points project_points --cases 100000 --seed 7\n  \
    swirl verify --cases 2000 --json\n  \
    swirl verify --elf game.elf --spec xform.toml --junit results.xml\n  \
    swirl verify --call model.call.toml\n  \
    roms/build.sh \"$PWD/out\" && swirl verify transform_points --rom out/kernels.elf\n\n\
    The TOML of --spec, one [[kernel]] after the other:\n  \
    call = \"xform_fast\"         symbol, with or without the underscore of C\n  \
    against = \"xform_c\"         symbol of the same ELF, or \"builtin:NAME\"\n  \
    fpscr = \"single, nearest, flush\"   and against_fpscr where the reference wants another\n  \
    returns = \"f32\"             if its result is compared\n  \
    [kernel.args]               in the order of the prototype\n  \
    m   = { in = \"f32[16]\", align = 8, values = \"matrix\" }\n  \
    dst = { out = \"f32[4*n]\", align = 32 }\n  \
    n   = { value = \"u32\", range = \"1..=512\" }\n  \
    x   = { in = \"f32[16]\", reg = \"xmtrx\" }\n  \
    [kernel.check]\n  \
    compare = \"bits\"            or { ulp = 1 }\n  \
    abi = true                  kept registers, stores outside of outputs and stack\n  \
    cycles = { cache = \"warm\", at = { n = 256 }, seed = 1, max = 2600 }   on the modelled console\n  \
    alias = [[\"src\", \"dst\"]]    pairs that may lie at one place\n\n\
    Values: finite, special, denormal, bits, matrix, unit3, unit4, permutation; range = \"A..=B\", \"A..=B step C\"; file = \"NAME\".\n\n\
    JSON with --elf: {\"elf\", \"spec\", \"seed\", \"kernels\": [{\"name\", \"call\", \"against\", \"cases\", \"failures\",\n  \
    \"instructions\", \"reference_instructions\", \"cycles\": {\"cache\", \"at\", \"candidate\", \"reference\", \"max\"},\n  \
    \"first_problem\": {\"seed\", \"what\", \"shrunk\", \"arguments\"}}]}\n\n\
    JSON: {\"seed\", \"kernels\": [{\"name\", \"processor\", \"cases\", \"mismatches\", \"instructions\", \"worst_share_of_bound\",\n  \
    \"out_of_bound\", \"first_problem\", \"cycles\": {\"seed\", \"cold\", \"warm\", \"budget_cold\", \"budget_warm\"}}]}")]
pub(crate) struct Args {
    /// Kernels by name; all if none is given.
    pub(crate) names: Vec<String>,
    /// A program of yours, with the kernels that --spec describes.
    #[arg(long, requires = "spec", value_name = "FILE")]
    pub(crate) elf: Option<PathBuf>,
    /// What to call and what to compare: a TOML file.
    #[arg(long, requires = "elf", value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,
    /// One call that a frame with --kernels checked stopped at, and left in this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "elf", "spec"])]
    pub(crate) call: Option<PathBuf>,
    /// Our kernels, but as assembled into this ELF file (roms/build.sh FOLDER) and not as they are built in.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["elf", "call"])]
    pub(crate) rom: Option<PathBuf>,
    /// Write the result as JUnit XML too.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Cases of each kernel.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) cases: u64,
    /// Seed of the first case; the following ones count up.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// What runs our SH4 kernels; both engines come to the same results. Routines of --elf, whose stores are watched, and calls
    /// whose cycles are counted are the interpreter's.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: CpuEngine,
    /// Print the result as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
