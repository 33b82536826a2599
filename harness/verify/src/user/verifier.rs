//! Many cases of a user's kernels.

use std::time::Instant;

use thiserror::Error;

use super::compare::Deviation;
use super::debug_info::DebugInfo;
use super::fpscr;
use super::pair::Pair;
use super::program::{Role, function, no_symbol};
use super::report::{Problem, Stopped, UserReport, WorstElement};
use super::run::Function;
use super::spec::{Against, Spec, SpecError, UserKernel};
use crate::{OpenError, Port, Processor, Target};

/// Why nothing could be run.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The specification does not fit the program.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The program cannot be loaded.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The program is for a processor that is not emulated.
    #[error("e_machine is {found}, expected {expected}")]
    Machine {
        /// The file's.
        found: u16,
        /// Those that there are, with their names.
        expected: String,
    },
}

/// If the first cases all reach the limit of instructions, the others are not run.
const ENDLESS_CASES: u64 = 8;
/// Cases whose outputs are checked for ones that the reference does not write.
const UNWRITTEN_CASES: u64 = 4;

/// Runs the kernels of a specification.
#[derive(Debug)]
pub struct UserVerifier {
    processor: Box<dyn Processor>,
    kernels: Vec<Prepared>,
    deadline: Option<Instant>,
}

/// A kernel with its functions in the program.
#[derive(Debug)]
struct Prepared {
    kernel: UserKernel,
    candidate: Function,
    /// `None` if the reference is a built-in one.
    reference: Option<Function>,
    notes: Vec<String>,
}

impl UserVerifier {
    /// The program of `elf` on the target that its header names.
    ///
    /// # Errors
    /// If there is no such target, the program cannot be loaded, or it or its processor lacks something that
    /// `spec` names.
    pub fn new(elf: &[u8], spec: Spec, targets: &[Target]) -> Result<Self, SetupError> {
        let processor = (target(elf, targets)?.open)(elf)?;
        let debug = DebugInfo::of(elf);
        let mut kernels = Vec::new();
        for kernel in &spec.kernels {
            let prepared = prepare(processor.as_ref(), kernel, debug.as_ref());
            let fail = |(line, message)| SpecError {
                file: spec.file.clone(),
                line,
                message,
            };
            kernels.push(prepared.map_err(fail)?);
        }
        Ok(UserVerifier {
            processor,
            kernels,
            deadline: None,
        })
    }

    /// Ends later runs at `deadline`: cases that have not begun by then are left out.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Names of the kernels, in the order of the specification.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(|prepared| prepared.kernel.name.as_str())
    }

    /// The kernels, in the order of the specification.
    pub fn kernels(&self) -> impl Iterator<Item = &UserKernel> {
        self.kernels.iter().map(|prepared| &prepared.kernel)
    }

    /// Runs `cases` cases of kernel `index`, with the seeds from `seed` on; `progress` is called after each.
    pub fn run(&mut self, index: usize, cases: u64, seed: u64, mut progress: impl FnMut()) -> UserReport {
        let deadline = self.deadline;
        let expired = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let prepared = &self.kernels[index];
        let mut pair = Pair {
            processor: self.processor.as_mut(),
            kernel: &prepared.kernel,
            candidate: prepared.candidate,
            reference: prepared.reference,
        };
        let mut report = prepared.report();
        let mut endless = 0;
        for number in 0..cases {
            if expired() {
                report.stopped = Some(Stopped::Time);
                break;
            }
            let failed = one(&mut pair, seed.wrapping_add(number), &mut report, expired);
            progress();
            endless += u64::from(failed == Failed::Endless);
            if endless == ENDLESS_CASES && report.cases == endless && cases > endless {
                report.stopped = Some(Stopped::Instructions { cases: endless });
                break;
            }
        }
        finish(&mut pair, seed, &mut report);
        report
    }
}

/// Finds the functions of `kernel`; the error is a line of the specification and a message.
fn prepare(
    processor: &dyn Processor,
    kernel: &UserKernel,
    debug: Option<&DebugInfo<'_>>,
) -> Result<Prepared, (usize, String)> {
    let mut ports = kernel.ports.iter();
    if let Some((port, line)) = ports.find(|(port, _)| processor.port(*port).is_none()) {
        return Err((*line, format!("the {} has no {port}", processor.name())));
    }
    let mut notes = Vec::new();
    let mut find = |symbol: &str, side, line| {
        let symbols = processor.symbols();
        let entry = symbols
            .address(symbol)
            .ok_or_else(|| (line, no_symbol(symbols, symbol)))?;
        let (mut found, reason) = function(kernel, side, entry, debug);
        match processor.port(Port::Fpscr) {
            None => found.fpscr = None,
            Some(_) => {
                let reasoned = found.fpscr.zip(reason);
                notes.extend(reasoned.map(|(value, reason)| note(value, found.fpscr_key, &reason)));
            }
        }
        Ok(found)
    };
    let candidate = find(&kernel.call, Role::Candidate, kernel.lines[0])?;
    let reference = match &kernel.against {
        Against::Symbol(symbol) => Some(find(symbol, Role::Reference, kernel.lines[1])?),
        Against::Builtin(_) => None,
    };
    Ok(Prepared {
        kernel: kernel.clone(),
        candidate,
        reference,
        notes,
    })
}

/// `against_fpscr = "double, nearest, flush" (scale_c is compiled with -m4)`.
pub(crate) fn note(value: u32, key: &str, reason: &str) -> String {
    format!("{key} = \"{}\" ({reason})", fpscr::words(value))
}

impl Prepared {
    fn report(&self) -> UserReport {
        UserReport {
            name: self.kernel.name.clone(),
            call: self.kernel.call.clone(),
            against: self.kernel.against.to_string(),
            cases: 0,
            failures: 0,
            instructions: 0,
            reference_instructions: 0,
            cycles: None,
            first_problem: None,
            worst: None,
            stopped: None,
            notes: self.notes.clone(),
        }
    }
}

/// How a case failed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failed {
    No,
    Yes,
    /// It reached the limit of instructions.
    Endless,
}

/// Runs the case of `seed` and notes what it gave.
fn one(pair: &mut Pair<'_>, seed: u64, report: &mut UserReport, expired: impl Fn() -> bool) -> Failed {
    report.cases += 1;
    let (failed, worst) = match pair.seeded(seed) {
        Ok(ran) => {
            report.instructions += ran.instructions[0];
            report.reference_instructions += ran.instructions[1];
            (Failed::No, ran.worst)
        }
        Err(failure) => {
            report.failures += 1;
            if report.first_problem.is_none() {
                report.first_problem = Some(pair.problem(seed, failure.what, expired));
            }
            let endless = failure.limit.is_some();
            (if endless { Failed::Endless } else { Failed::Yes }, failure.worst)
        }
    };
    note_worst(report, seed, worst);
    failed
}

/// Keeps the larger deviation.
fn note_worst(report: &mut UserReport, seed: u64, worst: Option<Box<Deviation>>) {
    let Some(worst) = worst else { return };
    let Deviation { size, difference } = *worst;
    if report.worst.as_ref().is_none_or(|worst| size > worst.size) {
        report.worst = Some(WorstElement {
            seed,
            size,
            difference,
        });
    }
}

/// Measures cycles, and looks for outputs that the reference does not write.
fn finish(pair: &mut Pair<'_>, seed: u64, report: &mut UserReport) {
    if report.failures == 0 && report.cases > 0 {
        match pair.cycles() {
            Ok(cycles) => report.cycles = cycles,
            Err(what) => {
                report.failures += 1;
                let problem = Problem::bare(pair.kernel.cycles.seed, format!("cycles: {what}"));
                report.first_problem = Some(problem);
            }
        }
    }
    for name in never_written(pair, seed, report.cases.min(UNWRITTEN_CASES)) {
        report.notes.push(format!(
            "the reference does not write {name}: nothing of it is compared"
        ));
    }
}

/// Outputs that have elements and of which the reference writes nothing, in all of the first cases.
fn never_written(pair: &mut Pair<'_>, seed: u64, cases: u64) -> Vec<String> {
    let cases = (0..cases).filter_map(|number| pair.unwritten(seed.wrapping_add(number)));
    let cases: Vec<[Vec<usize>; 2]> = cases.collect();
    let never = |argument: &usize| {
        let present = cases
            .iter()
            .filter(|[_, present]| present.contains(argument))
            .count();
        let none = cases.iter().filter(|[none, _]| none.contains(argument)).count();
        present > 0 && none == present
    };
    let args = pair.kernel.args.iter().enumerate();
    args.filter(|(index, _)| never(index))
        .map(|(_, arg)| arg.name.clone())
        .collect()
}

/// The target that the program's header names.
fn target<'a>(elf: &[u8], targets: &'a [Target]) -> Result<&'a Target, SetupError> {
    let found = machine::elf_machine(elf).map_err(OpenError::from)?;
    let known = targets.iter().find(|target| target.machine == found);
    known.ok_or_else(|| {
        let name = |target: &Target| format!("{} ({})", target.machine, target.name);
        let expected: Vec<String> = targets.iter().map(name).collect();
        SetupError::Machine {
            found,
            expected: expected.join(" or "),
        }
    })
}
