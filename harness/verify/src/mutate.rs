//! Tests the verifier: flips single bits of a kernel's code. The verifier must catch each mutant that
//! computes a different result.
//!
//! A mutant is caught if the cases of an ordinary run show a problem. The test runs all other mutants on ten
//! times as many additional cases. A mutant that fails only there has survived, which is a failure of the
//! verifier. A mutant that never fails has no visible effect (padding, an unused field of an opcode, an
//! equivalent instruction) and does not count.

use machine::{Image, Segment};
use sh4_kernels::{Kernel, Rng};
use std::fmt;

use crate::emulated::Emulated;
use crate::processor::{OpenError, Processor, Target};
use crate::rom::RomError;
use crate::verifier::Verifier;

/// Number of mutants and cases.
#[derive(Clone, Copy, Debug)]
pub struct Mutate {
    /// Number of mutants with a different result to find, if the code has that many.
    pub changed: usize,
    /// Cases of an ordinary run.
    pub cases: u64,
    /// Seed for the choice of bits.
    pub seed: u64,
}

/// One flipped bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flip {
    /// Address of the byte.
    pub address: u32,
    /// Number of the bit.
    pub bit: u8,
}

/// Results of a kernel's mutants.
#[derive(Clone, Debug, Default)]
pub struct Mutants {
    /// Mutants that the cases caught.
    pub caught: usize,
    /// Mutants that only the additional cases caught, with their problems.
    pub survivors: Vec<(Flip, String)>,
    /// Mutants without a visible effect.
    pub unseen: Vec<Flip>,
}

impl Mutants {
    /// Number of mutants that compute a different result.
    pub fn changed(&self) -> usize {
        self.caught + self.survivors.len()
    }
}

/// The mutants of all kernels of a processor.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Kernels by name.
    pub kernels: Vec<(&'static str, Mutants)>,
}

impl Survey {
    /// Flips bits in all kernels of the target.
    ///
    /// # Errors
    /// See [`mutate()`].
    pub fn of(target: &Target, how: Mutate) -> Result<Self, RomError> {
        let one = |kernel: &&'static Kernel| Ok((kernel.name, mutate(target, kernel, how)?));
        let kernels = target.kernels.iter().map(one).collect::<Result<_, _>>()?;
        Ok(Self { kernels })
    }

    /// Returns the number of caught mutants, and of all mutants that compute a different result.
    pub fn caught(&self) -> (usize, usize) {
        let sum = |of: fn(&Mutants) -> usize| self.kernels.iter().map(|(_, mutants)| of(mutants)).sum();
        (sum(|mutants| mutants.caught), sum(Mutants::changed))
    }
}

impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, mutants) in &self.kernels {
            writeln!(
                f,
                "{name}: {} of {} mutants caught, {} change nothing, survivors {:x?}",
                mutants.caught,
                mutants.changed(),
                mutants.unseen.len(),
                mutants.survivors
            )?;
        }
        let (caught, changed) = self.caught();
        write!(f, "mutants: {caught} of {changed} caught")
    }
}

/// Flips bits of `kernel`'s code, one at a time, until enough mutants compute a different result.
///
/// # Errors
/// If the target's ROM cannot be opened.
pub fn mutate(target: &Target, kernel: &'static Kernel, how: Mutate) -> Result<Mutants, RomError> {
    let mut emulated = Emulated::open(target)?;
    let code = code(target, kernel)?;
    let limit = limit(&mut emulated, kernel, how);
    emulated.set_max_instructions(limit);
    let mut verifier = Verifier::from(emulated);
    let mut mutants = Mutants::default();
    for flip in flips(&code, how.seed) {
        if mutants.changed() >= how.changed {
            break;
        }
        let processor = verifier.processor_mut();
        if processor.reload().and_then(|()| toggle(processor, flip)).is_err() {
            continue;
        }
        if verifier.first_problem(kernel, how.cases, 1).is_some() {
            mutants.caught += 1;
        } else if let Some(problem) = verifier.first_problem(kernel, 10 * how.cases, OTHER_CASES) {
            mutants.survivors.push((flip, problem));
        } else {
            mutants.unseen.push(flip);
        }
    }
    Ok(mutants)
}

/// Seed for cases that an ordinary run does not have.
const OTHER_CASES: u64 = 1 << 32;

/// Returns all bits of the code in an order that depends on the seed.
fn flips(code: &std::ops::Range<u32>, seed: u64) -> Vec<Flip> {
    let mut flips: Vec<Flip> = code
        .clone()
        .flat_map(|address| (0..8).map(move |bit| Flip { address, bit }))
        .collect();
    let mut rng = Rng::new(seed);
    for i in (1..flips.len()).rev() {
        flips.swap(i, rng.below(i as u32 + 1) as usize);
    }
    flips
}

fn toggle(processor: &mut dyn Processor, flip: Flip) -> Result<(), machine::MemoryError> {
    let byte = processor.read(flip.address, 1)?[0];
    processor.write(flip.address, &[byte ^ 1 << flip.bit])
}

/// Returns the instruction limit of one call: the instructions of the original kernel in all cases, plus
/// 1000. A mutant that reaches it counts as hanging.
fn limit(emulated: &mut Emulated<dyn Processor>, kernel: &'static Kernel, how: Mutate) -> u64 {
    let before = emulated.instructions();
    for seed in 0..how.cases {
        let mut case = (kernel.generate)(&mut Rng::new(1 + seed));
        // Errors are ignored here, because the verifier reports them.
        let _ = sh4_kernels::Kernels::call(emulated, kernel, &mut case.args());
    }
    (emulated.instructions() - before).saturating_add(1000)
}

/// Returns the range from the kernel's symbol to the next kernel's symbol, or to the end of the code.
fn code(target: &Target, kernel: &Kernel) -> Result<std::ops::Range<u32>, RomError> {
    let image = Image::parse_for(target.rom.bytes, target.machine, target.name)
        .map_err(|error| RomError::Open(target.rom.name.to_owned(), OpenError::Elf(error)))?;
    let address = |symbol| image.symbols.address(symbol);
    let start =
        address(kernel.symbol).ok_or_else(|| RomError::Symbol(target.rom.name.to_owned(), kernel.symbol))?;
    let inside = |s: &&Segment| s.executable && start.wrapping_sub(s.address) < s.size;
    let end = image
        .segments
        .iter()
        .find(inside)
        .map_or(start, |s| s.address + s.size);
    let others = target.kernels.iter().filter_map(|k| address(k.symbol));
    Ok(start..others.filter(|other| *other > start).min().unwrap_or(end))
}
