//! SH-4 kernels of the project: assembly, cycles, inputs, and comparison with their references.

use crate::Failure;
use crate::reply::Reply;
use machine::Image;
use profile::{Places, Profiler, view};
use serde::{Deserialize, Serialize};
use sh4_kernels::{Case, KERNELS, Kernel, Kernels as _, Kind, Rng, Value, find};
use timing::Setup;
use verify::{Checked, Emulated, KERNELS_ELF, QACR, Verifier};

/// Maximum number of cases of one request.
const MOST_CASES: u64 = 10_000;
/// Maximum number of words of one input.
const MOST_WORDS: usize = 1 << 20;

/// A call of a kernel.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct KernelCall {
    /// Name of the kernel.
    name: String,
    /// Seed of the generated inputs.
    seed: u64,
    /// Input of each parameter as hexadecimal words, separated by white space. An empty text keeps the
    /// generated input.
    inputs: Vec<String>,
    /// Measures with caches that a previous run has filled.
    warm: bool,
}

#[derive(Serialize)]
struct KernelInfo {
    name: &'static str,
    summary: &'static str,
}

/// An argument of a call.
#[derive(Serialize)]
struct ArgumentInfo {
    name: &'static str,
    /// Set for arguments that the kernel reads.
    input: bool,
    /// Hexadecimal words before and after the call.
    before: String,
    after: Option<String>,
}

#[derive(Serialize)]
struct CallReport {
    cycles: u64,
    instructions: u64,
    /// Difference from the reference; `None` if all words are equal.
    difference: Option<String>,
    compared: u64,
    arguments: Vec<ArgumentInfo>,
    summary: String,
    listing: String,
    timeline: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VerifyReport {
    cases: u64,
    mismatches: u64,
    out_of_bound: u64,
    instructions: u64,
    first_problem: Option<String>,
}

fn kernel(name: &str) -> Result<&'static Kernel, Failure> {
    find(name).ok_or_else(|| Failure::new(format!("found kernel {name:?}, expected a name of the list")))
}

/// Lists the kernels.
pub(crate) fn list() -> Result<Reply, Failure> {
    let info = |kernel: &&Kernel| KernelInfo {
        name: kernel.name,
        summary: kernel.summary,
    };
    Reply::new(&KERNELS.iter().map(info).collect::<Vec<_>>(), Vec::new())
}

/// Calls a kernel under the cycle model, and compares it with its reference.
pub(crate) fn call(given: &KernelCall) -> Result<Reply, Failure> {
    let kernel = kernel(&given.name)?;
    let case = inputs(kernel, given)?;
    let mut emulated = Emulated::new()?;
    let mut profiler = Profiler::new(Setup {
        qacr: QACR,
        ..Setup::default()
    });
    let before = emulated.machine_mut().clone();
    if given.warm {
        emulated.call_hooked(kernel, &mut case.clone().args(), &mut profiler)?;
        *emulated.machine_mut() = before;
        profiler.restart();
    }
    let mut after = case.clone();
    emulated.call_hooked(kernel, &mut after.args(), &mut profiler)?;
    let profile = profiler.finish();
    let mut checked = Checked::new()?;
    let compared = checked.call(kernel, &mut case.clone().args());
    let image = Image::parse(KERNELS_ELF)?;
    let places = Places::new(image.symbols.iter());
    let paint = view::Paint::Plain;
    let report = CallReport {
        cycles: profile.cycles().0,
        instructions: profile.counts.instructions,
        difference: compared.err().map(|error| error.to_string()),
        compared: checked.tally(kernel.name).words,
        arguments: arguments(kernel, &case, &after),
        summary: view::summary(&profile, kernel.name, paint),
        listing: view::listing(&profile, &places, paint) + "\n" + &view::legend(&profile),
        timeline: view::timeline(&profile, &places, view::Part::Loop, paint),
    };
    Reply::new(&report, Vec::new())
}

/// Compares a kernel with its reference on generated inputs with consecutive seeds.
pub(crate) fn verify(name: &str, seed: u64, cases: u64) -> Result<Reply, Failure> {
    let kernel = kernel(name)?;
    if !(1..=MOST_CASES).contains(&cases) {
        return Err(Failure::new(format!(
            "found {cases} cases, expected 1 to {MOST_CASES}"
        )));
    }
    let report = Verifier::new()?.run(kernel, cases, seed, |_| {});
    let report = VerifyReport {
        cases: report.cases,
        mismatches: report.mismatches,
        out_of_bound: report.out_of_bound,
        instructions: report.instructions,
        first_problem: report.first_problem,
    };
    Reply::new(&report, Vec::new())
}

/// Returns the generated case of the seed, with the given inputs in it.
fn inputs(kernel: &'static Kernel, given: &KernelCall) -> Result<Case, Failure> {
    let mut case = (kernel.generate)(&mut Rng::new(given.seed));
    for ((param, value), text) in kernel.params.iter().zip(&mut case.0).zip(&given.inputs) {
        if text.trim().is_empty() {
            continue;
        }
        let words = words(param.name, text)?;
        match value {
            // The other arguments count the words, so their number is fixed.
            Value::Words(old) | Value::WordsMut(old) if old.len() == words.len() => *old = words,
            Value::Halfwords(old) if old.len() == words.len() => {
                let halves = words.into_iter().map(u16::try_from).collect::<Result<_, _>>();
                *old = halves.map_err(|_| wrong(param.name, "a word of more than 16 bits", "16 bits"))?;
            }
            Value::Value(old) if words.len() == 1 => *old = words[0],
            Value::TileAccelerator(_) => {}
            Value::Words(old) | Value::WordsMut(old) => {
                return Err(number(param.name, words.len(), old.len()));
            }
            Value::Halfwords(old) => return Err(number(param.name, words.len(), old.len())),
            Value::Value(_) => return Err(number(param.name, words.len(), 1)),
        }
    }
    Ok(case)
}

fn wrong(name: &str, found: &str, expected: &str) -> Failure {
    Failure::new(format!("{name}: found {found}, expected {expected}"))
}

fn number(name: &str, found: usize, expected: usize) -> Failure {
    wrong(name, &format!("{found} words"), &expected.to_string())
}

fn words(name: &str, text: &str) -> Result<Vec<u32>, Failure> {
    let parse = |word: &str| {
        u32::from_str_radix(word, 16).map_err(|_| wrong(name, &format!("{word:?}"), "hexadecimal words"))
    };
    text.split_whitespace().take(MOST_WORDS).map(parse).collect()
}

fn arguments(kernel: &'static Kernel, before: &Case, after: &Case) -> Vec<ArgumentInfo> {
    let both = before.0.iter().zip(&after.0);
    let info = |(param, (before, after)): (&sh4_kernels::Param, (&Value, &Value))| ArgumentInfo {
        name: param.name,
        input: param.kind != Kind::TileAccelerator,
        before: hexadecimal(before),
        after: (before != after).then(|| hexadecimal(after)),
    };
    kernel.params.iter().zip(both).map(info).collect()
}

fn hexadecimal(value: &Value) -> String {
    let join = |words: Vec<String>| words.join(" ");
    match value {
        Value::Words(words) | Value::WordsMut(words) => {
            join(words.iter().map(|word| format!("{word:08x}")).collect())
        }
        Value::Halfwords(halves) => join(halves.iter().map(|half| format!("{half:04x}")).collect()),
        Value::Value(value) => format!("{value:08x}"),
        Value::TileAccelerator(blocks) => {
            let words = blocks.as_flattened().iter();
            join(words.map(|word| format!("{word:08x}")).collect())
        }
    }
}
