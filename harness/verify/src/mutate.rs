//! A test of the verifier: single bits of a kernel's code are flipped, and the verifier must catch each
//! mutant that computes something else.
//!
//! A mutant is caught if the cases of an ordinary run show a problem. One that they miss is tried on ten
//! times as many other cases: if those show a problem, it survived, which is what must not happen; if they do
//! not, its bit changes nothing that can be seen (padding, an unused field of an opcode, an equivalent
//! instruction), and it does not count.

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
    /// Mutants that compute something else, at least, if the code has as many.
    pub changed: usize,
    /// Cases of an ordinary run.
    pub cases: u64,
    /// Seed of the choice of bits.
    pub seed: u64,
}

/// One flipped bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flip {
    /// The byte.
    pub address: u32,
    /// Its bit.
    pub bit: u8,
}

/// Results of a kernel's mutants.
#[derive(Clone, Debug, Default)]
pub struct Mutants {
    /// Mutants that the cases noticed.
    pub caught: usize,
    /// Those that only other cases noticed, with what those saw.
    pub survivors: Vec<(Flip, String)>,
    /// Those that nothing noticed.
    pub unseen: Vec<Flip>,
}

impl Mutants {
    /// Mutants that compute something else.
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
    /// Goes through the target's kernels.
    ///
    /// # Errors
    /// See [`mutate()`].
    pub fn of(target: &Target, how: Mutate) -> Result<Self, RomError> {
        let one = |kernel: &&'static Kernel| Ok((kernel.name, mutate(target, kernel, how)?));
        let kernels = target.kernels.iter().map(one).collect::<Result<_, _>>()?;
        Ok(Self { kernels })
    }

    /// Mutants that were caught, and all that compute something else.
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

/// Flips bits of `kernel`'s code, one at a time, until enough mutants compute something else.
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

/// Seed of the cases that an ordinary run does not have.
const OTHER_CASES: u64 = 1 << 32;

/// All bits of the code in an order of the seed's.
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

/// What the unharmed kernel takes for all cases, several times over: a mutant that takes more hangs.
fn limit(emulated: &mut Emulated<dyn Processor>, kernel: &'static Kernel, how: Mutate) -> u64 {
    let before = emulated.instructions();
    for seed in 0..how.cases {
        let mut case = (kernel.generate)(&mut Rng::new(1 + seed));
        // What fails here fails in the verifier, which says so.
        let _ = sh4_kernels::Kernels::call(emulated, kernel, &mut case.args());
    }
    (emulated.instructions() - before).saturating_add(1000)
}

/// From the kernel's symbol to the next kernel's, or to the end of the code.
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
