//! Many cases of a user's kernels.

use machine::Symbols;
use thiserror::Error;

use super::builtin::builtin;
use super::case::UserCase;
use super::compare::difference;
use super::cycles::{UserCycles, measure};
use super::report::{Problem, UserReport, describe};
use super::run::{Function, Output, call};
use super::shrink::shrink;
use super::spec::{Against, Spec, SpecError, UserKernel};
use crate::processor::{OpenError, Processor, Target};

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

/// Runs the kernels of a specification.
#[derive(Debug)]
pub struct UserVerifier {
    processor: Box<dyn Processor>,
    /// Kernels with the addresses of the candidate and, if it is a symbol, of the reference.
    kernels: Vec<(UserKernel, u32, Option<u32>)>,
}

impl UserVerifier {
    /// The program of `elf` on the target that its header names.
    ///
    /// # Errors
    /// If there is no such target, the program cannot be loaded, or it or its processor lacks something that `spec`
    /// names.
    pub fn new(elf: &[u8], spec: Spec, targets: &[Target]) -> Result<Self, SetupError> {
        let processor = (target(elf, targets)?.open)(elf)?;
        let fail = |line, message| SpecError {
            file: spec.file.clone(),
            line,
            message,
        };
        let address = |symbol: &str, line| {
            let alike = || alike(processor.symbols(), symbol);
            processor
                .symbols()
                .address(symbol)
                .ok_or_else(|| fail(line, format!("no symbol `{symbol}` in the program{}", alike())))
        };
        let mut kernels = Vec::new();
        for kernel in &spec.kernels {
            let mut ports = kernel.ports.iter();
            if let Some((port, line)) = ports.find(|(port, _)| processor.port(*port).is_none()) {
                let message = format!("the {} has no {port}", processor.name());
                return Err(fail(*line, message).into());
            }
            let candidate = address(&kernel.call, kernel.lines[0])?;
            let reference = match &kernel.against {
                Against::Symbol(symbol) => Some(address(symbol, kernel.lines[1])?),
                Against::Builtin(_) => None,
            };
            kernels.push((kernel.clone(), candidate, reference));
        }
        Ok(UserVerifier { processor, kernels })
    }

    /// Names of the kernels, in the order of the specification.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(|(kernel, ..)| kernel.name.as_str())
    }

    /// Runs `cases` cases of kernel `index`, with the seeds from `seed` on; `progress` is called after each.
    pub fn run(&mut self, index: usize, cases: u64, seed: u64, mut progress: impl FnMut()) -> UserReport {
        let (kernel, candidate, reference) = &self.kernels[index];
        let mut pair = Pair {
            processor: self.processor.as_mut(),
            kernel,
            candidate: *candidate,
            reference: *reference,
        };
        let mut report = UserReport {
            name: kernel.name.clone(),
            call: kernel.call.clone(),
            against: kernel.against.to_string(),
            cases: 0,
            failures: 0,
            instructions: 0,
            reference_instructions: 0,
            cycles: None,
            first_problem: None,
        };
        for number in 0..cases {
            let seed = seed.wrapping_add(number);
            report.cases += 1;
            match pair.seeded(seed) {
                Ok([candidate, reference]) => {
                    report.instructions += candidate;
                    report.reference_instructions += reference;
                }
                Err(what) => {
                    report.failures += 1;
                    if report.first_problem.is_none() {
                        report.first_problem = Some(pair.problem(seed, what));
                    }
                }
            }
            progress();
        }
        if report.failures == 0 {
            match pair.cycles() {
                Ok(cycles) => report.cycles = cycles,
                Err(what) => {
                    report.failures += 1;
                    report.first_problem = Some(Problem::of_cycles(kernel.cycles.seed, what));
                }
            }
        }
        report
    }
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

/// A candidate and its reference.
struct Pair<'a> {
    processor: &'a mut dyn Processor,
    kernel: &'a UserKernel,
    candidate: u32,
    reference: Option<u32>,
}

impl Pair<'_> {
    /// The case of a seed: the instructions of both sides, or what is wrong.
    fn seeded(&mut self, seed: u64) -> Result<[u64; 2], String> {
        self.case(&UserCase::generate(self.kernel, seed)?)
    }

    fn case(&mut self, case: &UserCase) -> Result<[u64; 2], String> {
        let reference = self
            .expected(case)
            .map_err(|failure| format!("the reference: {failure}"))?;
        let candidate = Function {
            entry: self.candidate,
            fpscr: self.kernel.fpscr,
        };
        let candidate =
            call(self.processor, candidate, self.kernel, case).map_err(|failure| failure.to_string())?;
        match difference(self.kernel, &candidate, &reference) {
            None => Ok([candidate.instructions, reference.instructions]),
            Some(difference) => Err(difference.to_string()),
        }
    }

    fn expected(&mut self, case: &UserCase) -> Result<Output, super::Failure> {
        match (&self.kernel.against, self.reference) {
            (Against::Builtin(kernel), _) => builtin(kernel, self.kernel, case),
            (Against::Symbol(_), entry) => {
                let reference = Function {
                    entry: entry.unwrap_or_default(),
                    fpscr: self.kernel.against_fpscr,
                };
                call(self.processor, reference, self.kernel, case)
            }
        }
    }

    fn cycles(&mut self) -> Result<Option<UserCycles>, String> {
        let candidate = Function {
            entry: self.candidate,
            fpscr: self.kernel.fpscr,
        };
        let reference = self.reference.map(|entry| Function {
            entry,
            fpscr: self.kernel.against_fpscr,
        });
        measure(self.processor, candidate, reference, self.kernel)
    }

    fn problem(&mut self, seed: u64, what: String) -> Problem {
        let Ok(case) = UserCase::generate(self.kernel, seed) else {
            return Problem {
                seed,
                shrunk: what.clone(),
                what,
                arguments: Vec::new(),
            };
        };
        let kernel = self.kernel;
        let smallest = shrink(kernel, case, |candidate| self.case(candidate).is_err());
        Problem {
            seed,
            shrunk: self.case(&smallest).err().unwrap_or_else(|| what.clone()),
            what,
            arguments: describe(kernel, &smallest),
        }
    }
}

/// Symbols that hold `name` or that it holds, for a message.
fn alike(symbols: &Symbols, name: &str) -> String {
    let bare = name.trim_start_matches('_').to_lowercase();
    let close = |symbol: &str| {
        let symbol = symbol.trim_start_matches('_').to_lowercase();
        symbol.len() > 2 && (symbol.contains(&bare) || bare.contains(&symbol))
    };
    let found: Vec<&str> = symbols
        .iter()
        .map(|(_, s)| s)
        .filter(|s| close(s))
        .take(5)
        .collect();
    if found.is_empty() {
        String::new()
    } else {
        format!("; there are {}", found.join(", "))
    }
}
