//! Many cases of a user's kernels.

use machine::{ElfError, Image, MemoryError};
use thiserror::Error;

use super::case::UserCase;
use super::compare::difference;
use super::report::{Problem, UserReport, describe};
use super::run::{Bench, Output, builtin};
use super::shrink::shrink;
use super::spec::{Against, Spec, SpecError, UserKernel};

/// Why nothing could be run.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The specification does not fit the program.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The program cannot be read.
    #[error(transparent)]
    Elf(#[from] ElfError),
    /// The program does not fit the machine.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The program takes the memory that the arguments need.
    #[error("the program reaches up to {end:08x}; the arguments of calls lie from 0c780000 on")]
    TooLarge {
        /// Physical address behind the program.
        end: u32,
    },
}

/// Runs the kernels of a specification.
#[derive(Debug)]
pub struct UserVerifier {
    bench: Bench,
    /// Kernels with the addresses of the candidate and, if it is a symbol, of the reference.
    kernels: Vec<(UserKernel, u32, Option<u32>)>,
}

impl UserVerifier {
    /// A machine with the program of `elf`.
    ///
    /// # Errors
    /// If the program cannot be loaded, or lacks a symbol of `spec`.
    pub fn new(elf: &[u8], spec: Spec) -> Result<Self, SetupError> {
        let image = Image::parse(elf)?;
        if let Some(end) = Bench::overlap(&image) {
            return Err(SetupError::TooLarge { end });
        }
        let address = |symbol: &str, line| {
            image.symbols.address(symbol).ok_or_else(|| SpecError {
                file: spec.file.clone(),
                line,
                message: format!("no symbol `{symbol}` in the program{}", alike(&image, symbol)),
            })
        };
        let mut kernels = Vec::new();
        for kernel in &spec.kernels {
            let candidate = address(&kernel.call, kernel.lines[0])?;
            let reference = match &kernel.against {
                Against::Symbol(symbol) => Some(address(symbol, kernel.lines[1])?),
                Against::Builtin(_) => None,
            };
            kernels.push((kernel.clone(), candidate, reference));
        }
        Ok(UserVerifier {
            bench: Bench::new(image)?,
            kernels,
        })
    }

    /// Names of the kernels, in the order of the specification.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(|(kernel, ..)| kernel.name.as_str())
    }

    /// Runs `cases` cases of kernel `index`, with the seeds from `seed` on; `progress` is called after each.
    pub fn run(&mut self, index: usize, cases: u64, seed: u64, mut progress: impl FnMut()) -> UserReport {
        let (kernel, candidate, reference) = &self.kernels[index];
        let mut pair = Pair {
            bench: &mut self.bench,
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
        report
    }
}

/// A candidate and its reference.
struct Pair<'a> {
    bench: &'a mut Bench,
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
        let candidate = self
            .bench
            .call((self.candidate, self.kernel.fpscr), self.kernel, case)
            .map_err(|f| f.to_string())?;
        match difference(self.kernel, &candidate, &reference) {
            None => Ok([candidate.instructions, reference.instructions]),
            Some(difference) => Err(difference.to_string()),
        }
    }

    fn expected(&mut self, case: &UserCase) -> Result<Output, super::Failure> {
        match (&self.kernel.against, self.reference) {
            (Against::Builtin(kernel), _) => builtin(kernel, self.kernel, case),
            (Against::Symbol(_), entry) => {
                let entry = entry.unwrap_or_default();
                self.bench
                    .call((entry, self.kernel.against_fpscr), self.kernel, case)
            }
        }
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
fn alike(image: &Image, name: &str) -> String {
    let bare = name.trim_start_matches('_').to_lowercase();
    let close = |symbol: &str| {
        let symbol = symbol.trim_start_matches('_').to_lowercase();
        symbol.len() > 2 && (symbol.contains(&bare) || bare.contains(&symbol))
    };
    let found: Vec<&str> = image
        .symbols
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
