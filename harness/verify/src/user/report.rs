//! Results of the cases of a user's kernel.

use std::fmt;

use super::arrays::{ArrayDifference, InputArray};
use super::compare::Difference;
use super::cycles::UserCycles;

/// A case that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The seed of the case: `--seed SEED --cases 1` repeats it.
    pub seed: u64,
    /// The problem in the generated case.
    pub what: String,
    /// The problem in the smallest case that still fails.
    pub shrunk: String,
    /// The registers of the smallest case that hold no argument and are not 0 at entry.
    pub registers: Vec<(String, u32)>,
    /// Names of the input and the output that share an address in the smallest case.
    pub aliased: Option<[String; 2]>,
    /// The arguments of the smallest case, one line each.
    pub arguments: Vec<String>,
    /// The contents of its buffers at entry.
    pub inputs: Vec<InputArray>,
    /// The outputs with differences.
    pub outputs: Vec<ArrayDifference>,
    /// The output element with the largest deviation.
    pub worst: Option<Difference>,
}

impl Problem {
    /// Creates a problem without a case.
    pub(crate) fn bare(seed: u64, what: String) -> Problem {
        Problem {
            seed,
            shrunk: what.clone(),
            what,
            registers: Vec::new(),
            aliased: None,
            arguments: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            worst: None,
        }
    }
}

/// The element with the largest deviation of all cases.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstElement {
    /// The case's seed.
    pub seed: u64,
    /// The deviation in units of the tolerance. Without a tolerance, the unit is the last place of a float or
    /// 1 of an integer.
    pub size: f64,
    /// Both values.
    pub difference: Difference,
}

/// The reason why not every case was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The time limit was reached.
    Time,
    /// The first cases all reached the limit of instructions.
    Instructions {
        /// Number of these cases.
        cases: u64,
    },
    /// The reference failed.
    Reference,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Reference => write!(f, "stopped: the reference failed"),
            Stopped::Time => write!(f, "stopped by the time limit"),
            Stopped::Instructions { cases } => {
                write!(
                    f,
                    "stopped: the first {cases} cases all reached the limit of instructions"
                )
            }
        }
    }
}

/// Results of all cases.
#[derive(Clone, Debug, PartialEq)]
pub struct UserReport {
    /// The kernel's name in the specification.
    pub name: String,
    /// The candidate's symbol.
    pub call: String,
    /// The symbol or built-in reference that it was compared with.
    pub against: String,
    /// Cases that were run.
    pub cases: u64,
    /// Cases that differ, break the ABI, or do not return.
    pub failures: u64,
    /// Instructions of the candidate in all cases.
    pub instructions: u64,
    /// Instructions of the reference; 0 for a built-in one.
    pub reference_instructions: u64,
    /// The cycles of one case, on a processor with a model of time.
    pub cycles: Option<UserCycles>,
    /// The first failing case.
    pub first_problem: Option<Problem>,
    /// The largest deviation of all cases, even if it passes.
    pub worst: Option<WorstElement>,
    /// Reason why some cases were not run.
    pub stopped: Option<Stopped>,
    /// Remarks: FPSCR at entry, outputs that the reference does not write.
    pub notes: Vec<String>,
}

impl UserReport {
    /// Returns true if cases were run, all were correct, and the candidate was within the limit of cycles.
    pub fn passed(&self) -> bool {
        self.cases > 0 && self.failures == 0 && self.cycles.as_ref().is_none_or(UserCycles::within_limit)
    }
}
