//! Runs a candidate and its reference on one case.

use super::arrays::{describe, differences, inputs};
use super::builtin::builtin;
use super::case::{Input, UserCase};
use super::compare::{Comparison, Deviation, Difference, compare};
use super::cycles::{UserCycles, measure};
use super::program::Role;
use super::report::Problem;
use super::run::{Failure, Function, MAX_INSTRUCTIONS, Output, call};
use super::shrink::{Trial, shrink};
use super::spec::{Against, UserKernel};
use super::unwritten::{Unwritten, inverted};
use crate::{Processor, RedZoneUse};

/// Default limit for the candidate: instructions for each instruction of the reference.
const LIMIT_RATIO: u64 = 1000;
/// The smallest default limit.
const LEAST_LIMIT: u64 = 100_000;

pub(crate) struct Pair<'a> {
    pub(crate) processor: &'a mut dyn Processor,
    pub(crate) kernel: &'a UserKernel,
    pub(crate) candidate: Function,
    /// `None` for a built-in reference.
    pub(crate) reference: Option<Function>,
}

/// A case that ran.
pub(crate) struct CaseRun {
    /// Instructions of the candidate and of the reference.
    pub(crate) instructions: [u64; 2],
    pub(crate) worst: Option<Box<Deviation>>,
    /// A value that the reference kept below its stack pointer.
    pub(crate) reference_red_zone: Option<RedZoneUse>,
}

/// A case that failed.
pub(crate) struct CaseFailure {
    pub(crate) what: String,
    /// The limit of instructions, if the candidate or the reference reached it.
    pub(crate) limit: Option<u64>,
    pub(crate) worst: Option<Box<Deviation>>,
    /// The function that failed. For a wrong output, the candidate.
    pub(crate) role: Role,
}

impl From<String> for CaseFailure {
    fn from(what: String) -> Self {
        CaseFailure {
            what,
            limit: None,
            worst: None,
            role: Role::Candidate,
        }
    }
}

impl Pair<'_> {
    /// The case of a seed.
    pub(crate) fn seeded(&mut self, seed: u64) -> Result<CaseRun, CaseFailure> {
        self.case(&UserCase::generate(self.kernel, seed)?)
    }

    fn case(&mut self, case: &UserCase) -> Result<CaseRun, CaseFailure> {
        let failed = |side: &str, failure: Failure| CaseFailure {
            what: format!("{side}{failure}"),
            limit: failure.limit(),
            worst: None,
            role: match side {
                "" => Role::Candidate,
                _ => Role::Reference,
            },
        };
        let reference = self.expected(case).map_err(|e| failed("the reference: ", e))?;
        let candidate = self.found(case, &reference).map_err(|e| failed("", e))?;
        let Comparison { first, worst } = compare(self.kernel, &candidate, &reference);
        match first {
            None => Ok(CaseRun {
                instructions: [candidate.instructions, reference.instructions],
                worst,
                reference_red_zone: reference.red_zone,
            }),
            Some(first) => Err(CaseFailure {
                what: self.explained(case, &first, [&candidate, &reference]),
                limit: None,
                worst,
                role: Role::Candidate,
            }),
        }
    }

    fn expected(&mut self, case: &UserCase) -> Result<Output, Failure> {
        match (&self.kernel.against, self.reference) {
            (Against::Builtin(kernel), _) => builtin(kernel, self.kernel, case),
            (Against::Symbol(_), Some(reference)) => call(self.processor, reference, self.kernel, case),
            // `UserVerifier::new` has found every symbol.
            (Against::Symbol(_), None) => Ok(Output::default()),
        }
    }

    fn found(&mut self, case: &UserCase, reference: &Output) -> Result<Output, Failure> {
        let limit = self
            .kernel
            .limit
            .unwrap_or_else(|| default_limit(case, reference));
        let candidate = Function {
            limit,
            ..self.candidate
        };
        call(self.processor, candidate, self.kernel, case)
    }

    /// The first difference, with the names of outputs that one side does not write.
    fn explained(
        &mut self,
        case: &UserCase,
        first: &Difference,
        [candidate, reference]: [&Output; 2],
    ) -> String {
        let other = inverted(self.kernel, case);
        let argument = self.kernel.args.iter().position(|arg| arg.name == first.argument);
        let (Some(argument), true) = (argument, other != *case) else {
            return first.to_string();
        };
        let again = self.expected(&other);
        let unwritten = again.map(|again| Unwritten::of(self.kernel, [case, &other], [reference, &again]));
        if let Ok(unwritten) = unwritten
            && unwritten.element(argument, first.index)
        {
            let rest = match unwritten.all(argument) {
                true => format!(", nor any other element of {}", first.argument),
                false => String::new(),
            };
            return format!("{first}; the reference does not write {}{rest}", first.place());
        }
        let again = self.found(&other, reference);
        let unwritten = again.map(|again| Unwritten::of(self.kernel, [case, &other], [candidate, &again]));
        match unwritten.is_ok_and(|unwritten| unwritten.element(argument, first.index)) {
            true => format!("{first}; the candidate does not write {}", first.place()),
            false => first.to_string(),
        }
    }

    /// Two lists of outputs for the case of `seed`: outputs that the reference leaves unwritten, and outputs
    /// with elements.
    pub(crate) fn unwritten(&mut self, seed: u64) -> Option<[Vec<usize>; 2]> {
        let case = UserCase::generate(self.kernel, seed).ok()?;
        let other = inverted(self.kernel, &case);
        let outputs = [self.expected(&case).ok()?, self.expected(&other).ok()?];
        let unwritten = Unwritten::of(self.kernel, [&case, &other], [&outputs[0], &outputs[1]]);
        let all = 0..self.kernel.args.len();
        let none = all.clone().filter(|argument| unwritten.all(*argument)).collect();
        let present = all.filter(|argument| unwritten.has(*argument)).collect();
        Some([none, present])
    }

    pub(crate) fn cycles(&mut self) -> Result<Option<UserCycles>, String> {
        measure(self.processor, self.candidate, self.reference, self.kernel)
    }

    /// The smallest case that fails, starting from the case of `seed`. Stops trying when `expired` returns
    /// true.
    pub(crate) fn problem(&mut self, seed: u64, mut what: String, expired: impl Fn() -> bool) -> Problem {
        let Ok(case) = UserCase::generate(self.kernel, seed) else {
            return Problem::bare(seed, what);
        };
        let kernel = self.kernel;
        if let Some([input, output]) = aliased(kernel, &case) {
            what += &format!(" (aliased: {output} is at the address of {input})");
        }
        let smallest = shrink(kernel, case, |case| match expired() {
            true => Trial {
                fails: false,
                instructions: 0,
            },
            false => self.trial(case),
        });
        let shrunk = self
            .case(&smallest)
            .err()
            .map_or_else(|| what.clone(), |failure| failure.what);
        let (outputs, worst) = self.difference(&smallest);
        Problem {
            seed,
            shrunk,
            what,
            registers: registers(self.processor, &smallest),
            aliased: aliased(kernel, &smallest),
            arguments: describe(kernel, &smallest),
            inputs: inputs(kernel, &smallest),
            outputs,
            worst,
        }
    }

    fn trial(&mut self, case: &UserCase) -> Trial {
        match self.case(case) {
            Ok(ran) => Trial {
                fails: false,
                instructions: ran.instructions.iter().sum(),
            },
            Err(failure) => Trial {
                fails: true,
                instructions: failure.limit.unwrap_or(0),
            },
        }
    }

    /// The outputs of `case` that differ, and the element with the largest deviation.
    fn difference(&mut self, case: &UserCase) -> (Vec<super::ArrayDifference>, Option<Difference>) {
        let Ok(reference) = self.expected(case) else {
            return Default::default();
        };
        let Ok(candidate) = self.found(case, &reference) else {
            return Default::default();
        };
        let worst = compare(self.kernel, &candidate, &reference).worst;
        let outputs = differences(self.kernel, &candidate, &reference);
        (outputs, worst.map(|worst| worst.difference))
    }
}

/// The registers without an argument that are not 0 at entry.
fn registers(processor: &dyn Processor, case: &UserCase) -> Vec<(String, u32)> {
    let named = processor.free_registers().into_iter().zip(case.garbage.0);
    named
        .map(|(register, word)| (register.name, word & register.bits))
        .filter(|(_, word)| *word != 0)
        .collect()
}

/// The names of the input and output at the same address.
fn aliased(kernel: &UserKernel, case: &UserCase) -> Option<[String; 2]> {
    let (input, output) = case.aliased?;
    Some([input, output].map(|index| kernel.args[index].name.clone()))
}

/// The limit for a candidate: a multiple of the reference's instructions. For a built-in reference, a number
/// of instructions for each byte of the buffers.
fn default_limit(case: &UserCase, reference: &Output) -> u64 {
    let bytes = case.args.iter().map(|input| match input {
        Input::Buffer { bytes, .. } => bytes.len() as u64,
        _ => 0,
    });
    let work = reference.instructions.max(bytes.sum());
    work.saturating_mul(LIMIT_RATIO)
        .clamp(LEAST_LIMIT, MAX_INSTRUCTIONS)
}
