//! JSON report of `swirl verify --elf --spec`.

use super::args::Args;
use super::elf_report;
use anyhow::Result;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use verify::Element;
use verify::user::{ArrayDifference, Difference, InputArray, Problem, UserCycles, UserKernel, UserReport};

#[derive(Serialize)]
struct Json<'a> {
    elf: String,
    spec: String,
    seed: u64,
    cases: u64,
    part: Option<String>,
    kernels: Vec<JsonKernel<'a>>,
}

#[derive(Serialize)]
struct JsonKernel<'a> {
    name: &'a str,
    call: &'a str,
    against: &'a str,
    cases: u64,
    failures: u64,
    instructions: u64,
    reference_instructions: u64,
    stopped: Option<String>,
    notes: &'a [String],
    cycles: Option<JsonCycles<'a>>,
    worst: Option<JsonElement>,
    first_problem: Option<JsonProblem<'a>>,
}

#[derive(Serialize)]
struct JsonCycles<'a> {
    text: String,
    kept: bool,
    cache: String,
    at: &'a str,
    candidate: u64,
    reference: Option<u64>,
    max: Option<u64>,
}

#[derive(Serialize)]
struct JsonProblem<'a> {
    seed: u64,
    /// Text of the problem, as printed without --json.
    text: String,
    what: &'a str,
    shrunk: &'a str,
    registers: BTreeMap<&'a str, String>,
    aliased: Option<&'a [String; 2]>,
    arguments: &'a [String],
    worst: Option<JsonElement>,
    inputs: Vec<JsonInput<'a>>,
    outputs: Vec<JsonOutput<'a>>,
}

/// The element with the largest deviation. A deviation of infinity is null, because JSON has no infinity.
#[derive(Serialize)]
struct JsonElement {
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// Deviation in units of the tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<f64>,
    text: String,
    place: String,
    candidate: Option<String>,
    expected: Option<String>,
    ulp: Option<u64>,
    relative: Option<f64>,
    absolute: Option<f64>,
}

#[derive(Serialize)]
struct JsonInput<'a> {
    name: &'a str,
    r#type: &'static str,
    elements: Vec<String>,
}

#[derive(Serialize)]
struct JsonOutput<'a> {
    name: &'a str,
    r#type: &'static str,
    candidate: Vec<String>,
    expected: Vec<String>,
    differing: &'a [usize],
}

#[derive(Serialize)]
struct JsonListed<'a> {
    name: &'a str,
    call: &'a str,
    against: String,
}

/// Returns the reports as JSON.
pub(super) fn of(args: &Args, elf: &Path, spec: &Path, reports: &[UserReport]) -> Result<Value> {
    let json = Json {
        elf: elf.display().to_string(),
        spec: spec.display().to_string(),
        seed: args.seed,
        cases: args.cases,
        part: args.part.map(|part| part.to_string()),
        kernels: reports.iter().map(|report| kernel(report, elf, spec)).collect(),
    };
    Ok(serde_json::to_value(json)?)
}

/// Prints the kernels of a specification.
pub(super) fn list<'a>(kernels: impl Iterator<Item = &'a UserKernel>) -> Result<()> {
    let listed = kernels.map(|kernel| JsonListed {
        name: &kernel.name,
        call: &kernel.call,
        against: kernel.against.to_string(),
    });
    println!("{}", serde_json::to_string_pretty(&listed.collect::<Vec<_>>())?);
    Ok(())
}

fn kernel<'a>(r: &'a UserReport, elf: &Path, spec: &Path) -> JsonKernel<'a> {
    JsonKernel {
        name: &r.name,
        call: &r.call,
        against: &r.against,
        cases: r.cases,
        failures: r.failures,
        instructions: r.instructions,
        reference_instructions: r.reference_instructions,
        stopped: r.stopped.map(|stopped| stopped.to_string()),
        notes: &r.notes,
        cycles: r.cycles.as_ref().map(cycles),
        worst: r.worst.as_ref().map(|worst| JsonElement {
            seed: Some(worst.seed),
            size: Some(worst.size).filter(|size| size.is_finite()),
            ..element(&worst.difference)
        }),
        first_problem: r
            .first_problem
            .as_ref()
            .map(|p| problem(p, elf_report::explain(r, p, elf, spec))),
    }
}

fn cycles(cycles: &UserCycles) -> JsonCycles<'_> {
    JsonCycles {
        text: elf_report::described(cycles),
        kept: cycles.within_limit(),
        cache: cycles.caches.to_string(),
        at: &cycles.at,
        candidate: cycles.candidate,
        reference: cycles.reference,
        max: cycles.max,
    }
}

fn problem(p: &Problem, text: String) -> JsonProblem<'_> {
    let registers = p.registers.iter();
    JsonProblem {
        text,
        registers: registers
            .map(|(name, word)| (name.as_str(), format!("{word:08x}")))
            .collect(),
        aliased: p.aliased.as_ref(),
        seed: p.seed,
        what: &p.what,
        shrunk: &p.shrunk,
        arguments: &p.arguments,
        worst: p.worst.as_ref().map(element),
        inputs: p.inputs.iter().map(input).collect(),
        outputs: p.outputs.iter().map(output).collect(),
    }
}

fn element(difference: &Difference) -> JsonElement {
    let finite = |number: f64| number.is_finite().then_some(number);
    let bits = |bits: Option<u64>| bits.map(|bits| hexadecimal(difference.element, bits));
    JsonElement {
        seed: None,
        size: None,
        text: difference.to_string(),
        place: difference.place(),
        candidate: bits(difference.candidate),
        expected: bits(difference.reference),
        ulp: difference.distance.ulp,
        relative: finite(difference.distance.relative),
        absolute: finite(difference.distance.absolute),
    }
}

fn input(array: &InputArray) -> JsonInput<'_> {
    JsonInput {
        name: &array.name,
        r#type: array.element.name(),
        elements: all(array.element, &array.elements),
    }
}

fn output(array: &ArrayDifference) -> JsonOutput<'_> {
    JsonOutput {
        name: &array.name,
        r#type: array.element.name(),
        candidate: all(array.element, &array.candidate),
        expected: all(array.element, &array.reference),
        differing: &array.differing,
    }
}

fn all(element: Element, bits: &[u64]) -> Vec<String> {
    bits.iter().map(|bits| hexadecimal(element, *bits)).collect()
}

fn hexadecimal(element: Element, bits: u64) -> String {
    format!("{bits:0width$x}", width = 2 * element.size())
}
