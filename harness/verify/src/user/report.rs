//! What the cases of a user's kernel gave.

use super::case::{Input, UserCase};
use super::cycles::UserCycles;
use super::spec::{ArgKind, UserKernel};
use crate::Element;

/// A case that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The case's seed: `--seed SEED --cases 1` runs it alone.
    pub seed: u64,
    /// What was wrong with the case as it was generated.
    pub what: String,
    /// What is wrong with the smallest case that still fails.
    pub shrunk: String,
    /// The arguments of that case, one line each.
    pub arguments: Vec<String>,
}

impl Problem {
    /// The case that was to be measured could not be.
    pub(crate) fn of_cycles(seed: u64, what: String) -> Problem {
        let what = format!("cycles: {what}");
        Problem {
            seed,
            shrunk: what.clone(),
            what,
            arguments: Vec::new(),
        }
    }
}

/// What the cases gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserReport {
    /// The kernel's name in the specification.
    pub name: String,
    /// The candidate's symbol.
    pub call: String,
    /// What it was compared with.
    pub against: String,
    /// Cases that were run.
    pub cases: u64,
    /// Cases that differ, break the ABI, or do not return.
    pub failures: u64,
    /// Instructions of the candidate in all cases.
    pub instructions: u64,
    /// Instructions of the reference; 0 for a built-in one.
    pub reference_instructions: u64,
    /// What one case costs, where time is modelled.
    pub cycles: Option<UserCycles>,
    /// The first failing case.
    pub first_problem: Option<Problem>,
}

impl UserReport {
    /// Whether every case was right, and the limit of cycles was kept.
    pub fn passed(&self) -> bool {
        self.failures == 0 && self.cycles.as_ref().is_none_or(UserCycles::kept)
    }
}

/// Elements of a buffer that are shown.
const SHOWN: usize = 8;

/// One line an argument: name, place, elements.
pub(crate) fn describe(kernel: &UserKernel, case: &UserCase) -> Vec<String> {
    kernel
        .args
        .iter()
        .zip(&case.args)
        .enumerate()
        .map(|(index, (arg, input))| {
            let element = match &arg.kind {
                ArgKind::Buffer(buffer) if buffer.values.is_none() => {
                    return format!("{} = (output)", arg.name);
                }
                ArgKind::Buffer(buffer) => buffer.element,
                ArgKind::Value { element, .. } => *element,
                ArgKind::Xmtrx { .. } => Element::F32,
                ArgKind::TileAccelerator => Element::U32,
            };
            let alias = match case.aliased {
                Some((input, output)) if output == index => {
                    format!(", at the place of {}", kernel.args[input].name)
                }
                _ => String::new(),
            };
            match input {
                Input::Value(bits) => format!("{} = {}", arg.name, element.show(*bits)),
                Input::TileAccelerator => format!("{} = (store queues)", arg.name),
                Input::Buffer { bytes, skew } => {
                    let count = bytes.len() / element.size();
                    let shown: Vec<String> = (0..count.min(SHOWN))
                        .map(|i| element.show(element.bits(bytes, i)))
                        .collect();
                    let more = if count > SHOWN {
                        format!(", … {count} in all")
                    } else {
                        String::new()
                    };
                    let place = if *skew == 0 {
                        String::new()
                    } else {
                        format!(", {skew} bytes above a multiple of 32")
                    };
                    format!("{} = [{}{more}]{place}{alias}", arg.name, shown.join(", "))
                }
            }
        })
        .collect()
}
