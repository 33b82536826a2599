//! Runs many cases of a user's kernels.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use thiserror::Error;

use super::debug_info::DebugInfo;
use super::fpscr;
use super::pair::Pair;
use super::program::{Role, function, no_symbol};
use super::report::{Problem, Stopped, UserReport, WorstElement};
use super::run::{Function, RED_ZONE};
use super::spec::{Against, Spec, SpecError, UserKernel};
use crate::parallel::in_order;
use crate::{OpenError, Port, Processor, RedZoneUse, Target, did_you_mean};

/// The reason why a specification cannot be run.
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
        /// `e_machine` of the file.
        found: u16,
        /// The supported values, with the names of their processors.
        expected: String,
    },
}

/// If this many first cases all reach the limit of instructions, the run skips the other cases.
const ENDLESS_CASES: u64 = 8;
/// Number of cases that are checked for outputs that the reference does not write.
const UNWRITTEN_CASES: u64 = 4;

/// Runs the kernels of a specification.
#[derive(Debug)]
pub struct UserVerifier {
    elf: Vec<u8>,
    target: Target,
    kernels: Vec<Prepared>,
    deadline: Option<Instant>,
}

/// The cases of a run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Cases of each kernel.
    pub cases: u64,
    /// The seed of the first case; each following case has the next number.
    pub seed: u64,
    /// Number of threads.
    pub jobs: usize,
}

/// A kernel with its functions in the program.
#[derive(Debug)]
struct Prepared {
    kernel: UserKernel,
    candidate: Function,
    /// Function of the program; `None` for a built-in reference.
    reference: Option<Function>,
    notes: Vec<String>,
}

/// Cases that one thread runs in sequence.
#[derive(Clone, Copy, Debug)]
struct Unit {
    /// The index of the kernel among the kernels of the run.
    kernel: usize,
    /// Range of case numbers.
    from: u64,
    to: u64,
}

/// Result of the cases of a unit.
#[derive(Debug, Default)]
struct Outcome {
    cases: u64,
    failures: u64,
    instructions: [u64; 2],
    worst: Option<WorstElement>,
    /// Seed and message.
    first: Option<(u64, String)>,
    stopped: Option<Stopped>,
    reference_red_zone: Option<RedZoneUse>,
}

impl UserVerifier {
    /// Loads the program `elf` on the target that its header names.
    ///
    /// # Errors
    /// If there is no target for the program, the program cannot be loaded, or `spec` names a symbol or port
    /// that does not exist.
    pub fn new(elf: &[u8], spec: Spec, targets: &[Target]) -> Result<Self, SetupError> {
        let target = *target(elf, targets)?;
        let processor = (target.open)(elf)?;
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
            elf: elf.to_vec(),
            target,
            kernels,
            deadline: None,
        })
    }

    /// Ends later runs at `deadline`: they skip cases that have not begun by then.
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

    /// Runs `cases` cases of kernel `index` on this thread, with consecutive seeds from `seed` on.
    ///
    /// # Errors
    /// See [`UserVerifier::run_all`].
    pub fn run(&self, index: usize, cases: u64, seed: u64) -> Result<UserReport, OpenError> {
        let plan = Plan { cases, seed, jobs: 1 };
        let mut reports = self.run_all(&[index], plan, |_| {})?;
        Ok(reports.remove(0))
    }

    /// Runs the kernels of `indices`. Calls `progress` with the name of a kernel after each of its cases.
    /// Reports do not depend on the number of threads.
    ///
    /// # Errors
    /// If a thread cannot load the program.
    pub fn run_all(
        &self,
        indices: &[usize],
        plan: Plan,
        progress: impl Fn(&str) + Sync,
    ) -> Result<Vec<UserReport>, OpenError> {
        let kernels: Vec<&Prepared> = indices.iter().map(|index| &self.kernels[*index]).collect();
        let units = units(kernels.len(), plan.cases);
        // For each kernel, the unit in which it stopped. Later units are ignored.
        let last: Vec<AtomicU64> = kernels.iter().map(|_| AtomicU64::new(u64::MAX)).collect();
        let open = || (self.target.open)(&self.elf);
        let outcomes = in_order(plan.jobs, units.len(), open, |processor, index| {
            let unit = units[index];
            let prepared = kernels[unit.kernel];
            let obsolete = || last[unit.kernel].load(Ordering::Relaxed) < unit.from;
            let seed = plan.seed;
            let step = || progress(&prepared.kernel.name);
            let pair = &mut prepared.pair(processor.as_mut());
            let outcome = unit.run(pair, seed, plan.cases, self.deadline, obsolete, step);
            if matches!(
                outcome.stopped,
                Some(Stopped::Reference | Stopped::Instructions { .. })
            ) {
                last[unit.kernel].fetch_min(unit.from, Ordering::Relaxed);
            }
            outcome
        })?;
        let outcomes = units.iter().zip(outcomes);
        let mut merged: Vec<Outcome> = kernels.iter().map(|_| Outcome::default()).collect();
        outcomes.for_each(|(unit, outcome)| merged[unit.kernel].add(outcome));
        in_order(plan.jobs, kernels.len(), open, |processor, index| {
            let prepared = kernels[index];
            let mut report = prepared.report(&merged[index]);
            let pair = &mut prepared.pair(processor.as_mut());
            let expired = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if let Some((seed, what)) = &merged[index].first {
                report.first_problem = Some(pair.problem(*seed, what.clone(), expired));
            }
            finish(pair, plan.seed, &mut report);
            report
        })
    }
}

/// Number of cases of a unit; it does not depend on the number of threads.
const UNIT_CASES: u64 = 128;

/// The units of `cases` cases of each of `kernels` kernels.
fn units(kernels: usize, cases: u64) -> Vec<Unit> {
    let of = |kernel| {
        let count = cases.div_ceil(UNIT_CASES).clamp(1, MAX_UNITS);
        let size = cases.div_ceil(count);
        (0..count).map(move |index| Unit {
            kernel,
            from: index.saturating_mul(size).min(cases),
            to: (index + 1).saturating_mul(size).min(cases),
        })
    };
    (0..kernels).flat_map(of).collect()
}

/// Maximum number of units of a kernel.
const MAX_UNITS: u64 = 10_000;

impl Unit {
    fn run(
        self,
        pair: &mut Pair<'_>,
        seed: u64,
        cases: u64,
        deadline: Option<Instant>,
        obsolete: impl Fn() -> bool,
        progress: impl Fn(),
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let mut endless = 0;
        for number in self.from..self.to {
            if obsolete() {
                break;
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                outcome.stopped = Some(Stopped::Time);
                break;
            }
            let failed = outcome.case(pair, seed.wrapping_add(number));
            progress();
            endless += u64::from(failed == Failed::Endless);
            if failed == Failed::Reference {
                outcome.stopped = Some(Stopped::Reference);
                break;
            }
            if self.from == 0 && endless == ENDLESS_CASES && outcome.cases == endless && cases > endless {
                outcome.stopped = Some(Stopped::Instructions { cases: endless });
                break;
            }
        }
        outcome
    }
}

/// Finds the functions of `kernel`. An error consists of a line of the specification and a message.
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
    let known = || {
        processor
            .kept_registers()
            .into_iter()
            .chain([RED_ZONE.to_owned()])
    };
    for (word, line) in kernel.allow.iter().zip(&kernel.allow_lines) {
        if !known().any(|name| name == *word) {
            let known: Vec<String> = known().collect();
            let hint = did_you_mean(word, known.iter().map(String::as_str)).unwrap_or_default();
            return Err((
                *line,
                format!("allow: no `{word}`{hint}; there are {}", known.join(", ")),
            ));
        }
    }
    Ok(Prepared {
        kernel: kernel.clone(),
        candidate,
        reference,
        notes,
    })
}

/// Returns a note such as `against_fpscr = "double, nearest, flush" (scale_c is compiled with -m4)`.
pub(crate) fn note(value: u32, key: &str, reason: &str) -> String {
    format!("{key} = \"{}\" ({reason})", fpscr::words(value))
}

impl Prepared {
    fn pair<'a>(&'a self, processor: &'a mut dyn Processor) -> Pair<'a> {
        Pair {
            processor,
            kernel: &self.kernel,
            candidate: self.candidate,
            reference: self.reference,
        }
    }

    fn report(&self, outcome: &Outcome) -> UserReport {
        let mut notes = self.notes.clone();
        if let Some(used) = &outcome.reference_red_zone {
            notes.push(format!(
                "the reference keeps a value {} bytes below R15 (stored at {}, loaded at {}), which an \
                 interrupt may overwrite",
                used.below, used.store, used.load
            ));
        }
        UserReport {
            name: self.kernel.name.clone(),
            call: self.kernel.call.clone(),
            against: self.kernel.against.to_string(),
            cases: outcome.cases,
            failures: outcome.failures,
            instructions: outcome.instructions[0],
            reference_instructions: outcome.instructions[1],
            cycles: None,
            first_problem: None,
            worst: outcome.worst.clone(),
            stopped: outcome.stopped,
            notes,
        }
    }
}

/// The kind of failure of a case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failed {
    No,
    Yes,
    /// The case reached the limit of instructions.
    Endless,
    /// The reference failed.
    Reference,
}

impl Outcome {
    /// Runs the case of `seed` and records its result.
    fn case(&mut self, pair: &mut Pair<'_>, seed: u64) -> Failed {
        self.cases += 1;
        let (failed, worst) = match pair.seeded(seed) {
            Ok(ran) => {
                self.instructions[0] += ran.instructions[0];
                self.instructions[1] += ran.instructions[1];
                if self.reference_red_zone.is_none() {
                    self.reference_red_zone = ran.reference_red_zone;
                }
                (Failed::No, ran.worst)
            }
            Err(failure) => {
                self.failures += 1;
                self.first.get_or_insert((seed, failure.what));
                let failed = match (failure.role, failure.limit) {
                    (Role::Reference, _) => Failed::Reference,
                    (_, Some(_)) => Failed::Endless,
                    _ => Failed::Yes,
                };
                (failed, failure.worst)
            }
        };
        self.note_worst(worst.map(|worst| WorstElement {
            seed,
            size: worst.size,
            difference: worst.difference,
        }));
        failed
    }

    /// Records a deviation if it exceeds all earlier ones.
    fn note_worst(&mut self, worst: Option<WorstElement>) {
        let Some(worst) = worst else { return };
        if self.worst.as_ref().is_none_or(|known| worst.size > known.size) {
            self.worst = Some(worst);
        }
    }

    /// Adds the result of the next unit, unless the kernel has already stopped.
    fn add(&mut self, next: Outcome) {
        if matches!(
            self.stopped,
            Some(Stopped::Reference | Stopped::Instructions { .. })
        ) {
            return;
        }
        self.cases += next.cases;
        self.failures += next.failures;
        for (all, more) in self.instructions.iter_mut().zip(next.instructions) {
            *all += more;
        }
        self.note_worst(next.worst);
        self.first = self.first.take().or(next.first);
        self.reference_red_zone = self.reference_red_zone.take().or(next.reference_red_zone);
        self.stopped = next.stopped.or(self.stopped);
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
    if report.stopped == Some(Stopped::Reference) {
        return;
    }
    for name in never_written(pair, seed, report.cases.min(UNWRITTEN_CASES)) {
        report
            .notes
            .push(format!("the reference does not write {name}: it is not compared"));
    }
}

/// Outputs with elements that the reference leaves unwritten in all of the first cases.
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

/// Returns the target that the program's header names.
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
