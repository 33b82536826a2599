//! Runs many generated cases of one kernel.

use crate::checked::compare;
use crate::parallel::in_order;
use crate::user::Plan;
use crate::{Emulated, Garbage, Processor, RomError, SH4, Target};
use sh4_kernels::{Kernel, KernelError, Kernels, Reference, Rng};
use std::time::Instant;

/// Result of the cases of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Kernel.
    pub kernel: &'static str,
    /// The processor that ran it.
    pub processor: &'static str,
    /// Cases that were run.
    pub cases: u64,
    /// Cases that failed on the processor, or gave other outputs than the reference.
    pub mismatches: u64,
    /// Cases in which the processor's result differs from the exact result, computed in `f64`, by more than
    /// the kernel's bound.
    pub out_of_bound: u64,
    /// Largest error of any word, as a share of its bound.
    pub worst_share: f64,
    /// Instructions executed by the processor.
    pub instructions: u64,
    /// True if the deadline was reached before all cases were run.
    pub stopped: bool,
    /// The first problem, with the seed of its case.
    pub first_problem: Option<String>,
    /// Seed and number of consecutive cases that reproduce the first problem.
    pub again: Option<(u64, u64)>,
}

/// Number of cases of a unit. A unit of cases runs consecutively on one machine.
const UNIT_CASES: u64 = 4096;
/// Maximum number of units of a kernel.
const MAX_UNITS: u64 = 1000;

/// Runs cases of kernels on several threads. `open` creates a verifier with a new machine for the kernel at
/// an index of `kernels`. Every unit of cases begins with a new machine, so that reports depend neither on
/// the number of threads nor on other kernels.
///
/// # Errors
/// If `open` fails.
pub fn run_kernels<E: Send>(
    kernels: &[&'static Kernel],
    plan: Plan,
    open: impl Fn(usize) -> Result<Verifier, E> + Sync,
    progress: impl Fn(&'static str) + Sync,
) -> Result<Vec<Report>, E> {
    let size = UNIT_CASES.max(plan.cases.div_ceil(MAX_UNITS));
    let count = plan.cases.div_ceil(size).max(1);
    let units: Vec<(usize, u64)> = (0..kernels.len())
        .flat_map(|kernel| (0..count).map(move |index| (kernel, index * size)))
        .collect();
    let unit = |index: usize| {
        let (number, start) = units[index];
        let kernel = kernels[number];
        let (count, seed) = (
            plan.cases.saturating_sub(start).min(size),
            plan.seed.wrapping_add(start),
        );
        let mut report = open(number)?.run(kernel, count, seed, |_| progress(kernel.name));
        if let (Some((first, 1)), Some(problem)) = (report.again, &mut report.first_problem)
            && first != seed
            && open(number)?.run(kernel, 1, first, |_| {}).passed()
        {
            *problem += &format!(
                ", but only after the preceding cases from seed {seed} on: the kernel keeps state outside of \
             its arguments"
            );
            report.again = Some((seed, first.wrapping_sub(seed) + 1));
        }
        Ok(report)
    };
    let reports = in_order(plan.jobs, units.len(), || Ok(()), |(), index| unit(index))?;
    let mut merged: Vec<Report> = Vec::new();
    for ((kernel, _), report) in units.iter().zip(reports) {
        match merged.get_mut(*kernel) {
            Some(all) => all.add(report?),
            None => merged.push(report?),
        }
    }
    Ok(merged)
}

impl Report {
    /// Returns true if cases were run and all were correct.
    pub fn passed(&self) -> bool {
        self.cases > 0 && self.mismatches == 0 && self.out_of_bound == 0
    }

    /// Adds the report of the next cases.
    fn add(&mut self, next: Report) {
        self.cases += next.cases;
        self.mismatches += next.mismatches;
        self.out_of_bound += next.out_of_bound;
        self.worst_share = self.worst_share.max(next.worst_share);
        self.instructions += next.instructions;
        self.stopped |= next.stopped;
        if self.first_problem.is_none() {
            (self.first_problem, self.again) = (next.first_problem, next.again);
        }
    }
}

/// Runs kernels on generated inputs.
#[derive(Debug)]
pub struct Verifier {
    emulated: Emulated<dyn Processor>,
    deadline: Option<Instant>,
}

impl From<Emulated<dyn Processor>> for Verifier {
    fn from(emulated: Emulated<dyn Processor>) -> Self {
        Self {
            emulated,
            deadline: None,
        }
    }
}

impl Verifier {
    /// Returns a verifier with an SH4 and its ROM.
    ///
    /// # Errors
    /// See [`Emulated::new`].
    pub fn new() -> Result<Self, RomError> {
        Self::open(&SH4)
    }

    /// Returns a verifier with the target's processor and its ROM.
    ///
    /// # Errors
    /// See [`Emulated::open`].
    pub fn open(target: &Target) -> Result<Self, RomError> {
        Ok(Emulated::open(target)?.into())
    }

    /// Sets a time at which runs end: they skip the cases that have not begun by then.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// The processor that runs the kernels.
    pub(crate) fn processor_mut(&mut self) -> &mut dyn Processor {
        self.emulated.processor_mut()
    }

    /// The first problem of `cases` cases with consecutive seeds from `seed` on.
    pub(crate) fn first_problem(&mut self, kernel: &'static Kernel, cases: u64, seed: u64) -> Option<String> {
        (0..cases).find_map(|case| self.run(kernel, 1, seed.wrapping_add(case), |_| {}).first_problem)
    }

    /// Runs `cases` cases of `kernel` with consecutive seeds from `seed` on. Calls `progress` after each
    /// case.
    pub fn run(
        &mut self,
        kernel: &'static Kernel,
        cases: u64,
        seed: u64,
        mut progress: impl FnMut(u64),
    ) -> Report {
        let mut report = Report {
            kernel: kernel.name,
            processor: self.emulated.processor().name(),
            cases: 0,
            mismatches: 0,
            out_of_bound: 0,
            worst_share: 0.0,
            instructions: 0,
            stopped: false,
            first_problem: None,
            again: None,
        };
        let start = self.emulated.instructions();
        for case in 0..cases {
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                report.stopped = true;
                break;
            }
            let seed = seed.wrapping_add(case);
            if let Err(problem) = self.case(kernel, case, seed, &mut report) {
                report.mismatches += 1;
                report
                    .first_problem
                    .get_or_insert_with(|| format!("seed {seed}: {problem}"));
            }
            report.cases += 1;
            if report.first_problem.is_some() && report.again.is_none() {
                report.again = Some((seed, 1));
            }
            progress(case);
        }
        report.instructions = self.emulated.instructions() - start;
        report
    }

    fn case(
        &mut self,
        kernel: &'static Kernel,
        call: u64,
        seed: u64,
        report: &mut Report,
    ) -> Result<(), KernelError> {
        let before = (kernel.generate)(&mut Rng::new(seed));
        let (mut expected, mut found) = (before.clone(), before.clone());
        Reference.call(kernel, &mut expected.args())?;
        self.emulated.set_garbage(Garbage::of(seed));
        self.emulated.call(kernel, &mut found.args())?;
        for (argument, (reference, candidate)) in expected.0.iter().zip(&found.0).enumerate() {
            compare(kernel, call, argument, reference.written(), candidate.written())?;
        }
        let deviation = (kernel.deviation)(&before, &found);
        report.worst_share = report.worst_share.max(deviation.worst);
        if !deviation.within() {
            report.out_of_bound += 1;
            report.first_problem.get_or_insert_with(|| {
                format!(
                    "seed {seed}: word {} is {:.2} times its bound from the f64 result",
                    deviation.index, deviation.worst
                )
            });
        }
        Ok(())
    }
}
