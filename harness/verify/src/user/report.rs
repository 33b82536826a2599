//! What the cases of a user's kernel gave.

use std::fmt;

use super::arrays::{ArrayDifference, InputArray};
use super::compare::Difference;
use super::cycles::UserCycles;

/// A case that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The case's seed: `--seed SEED --cases 1` runs it alone.
    pub seed: u64,
    /// What was wrong with the case as it was generated.
    pub what: String,
    /// What is wrong with the smallest case that still fails.
    pub shrunk: String,
    /// The registers of that case that hold no argument and are not 0 at entry.
    pub registers: Vec<(String, u32)>,
    /// The input and the output of that case that have one address.
    pub aliased: Option<[String; 2]>,
    /// The arguments of that case, one line each.
    pub arguments: Vec<String>,
    /// The contents of its buffers at entry.
    pub inputs: Vec<InputArray>,
    /// Its outputs that differ.
    pub outputs: Vec<ArrayDifference>,
    /// The element of its outputs that is furthest off.
    pub worst: Option<Difference>,
}

impl Problem {
    /// A problem without a case.
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
    /// The deviation in units of the tolerance; without a tolerance in units in the last place or of the
    /// integer.
    pub size: f64,
    /// Both values.
    pub difference: Difference,
}

/// Why not every case was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The time limit was reached.
    Time,
    /// The first cases all reached the limit of instructions.
    Instructions {
        /// Those cases.
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

/// What the cases gave.
#[derive(Clone, Debug, PartialEq)]
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
    /// The largest deviation of all cases, though it may pass.
    pub worst: Option<WorstElement>,
    /// Why cases were left out.
    pub stopped: Option<Stopped>,
    /// Remarks: FPSCR at entry, outputs that the reference does not write.
    pub notes: Vec<String>,
}

impl UserReport {
    /// Whether cases were run, every one was right, and the limit of cycles was kept.
    pub fn passed(&self) -> bool {
        self.cases > 0 && self.failures == 0 && self.cycles.as_ref().is_none_or(UserCycles::kept)
    }
}
