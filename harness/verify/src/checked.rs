//! Both implementations at once.

use crate::{Emulated, RomError};
use sh4_kernels::{Arg, Kernel, KernelError, Kernels, Mismatch, Reference};
use std::collections::BTreeMap;

/// Calls and words compared of one kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Calls.
    pub calls: u64,
    /// Output words that were compared.
    pub words: u64,
    /// Instructions that the SH4 executed.
    pub instructions: u64,
}

/// Runs every call on the emulated SH4 and on the reference; the first difference is an error.
#[derive(Debug)]
pub struct Checked {
    emulated: Emulated,
    tallies: BTreeMap<&'static str, Tally>,
}

impl Checked {
    /// A machine with the ROM, and the references.
    ///
    /// # Errors
    /// See [`Emulated::new`].
    pub fn new() -> Result<Self, RomError> {
        Ok(Self {
            emulated: Emulated::new()?,
            tallies: BTreeMap::new(),
        })
    }

    /// What was compared so far, by kernel.
    pub fn tally(&self, kernel: &str) -> Tally {
        self.tallies.get(kernel).copied().unwrap_or_default()
    }
}

/// A second set of outputs, beginning as the first does.
enum Copy {
    None,
    Words(Vec<u32>),
    /// How many blocks were there before, and those that came.
    Blocks(usize, Vec<[u32; 8]>),
}

impl Kernels for Checked {
    fn call(&mut self, kernel: &'static Kernel, args: &mut [Arg<'_>]) -> Result<(), KernelError> {
        let mut copies: Vec<Copy> = args
            .iter()
            .map(|arg| match arg {
                Arg::WordsMut(words) => Copy::Words(words.to_vec()),
                Arg::TileAccelerator(blocks) => Copy::Blocks(blocks.len(), Vec::new()),
                Arg::Words(_) | Arg::Halfwords(_) | Arg::Value(_) => Copy::None,
            })
            .collect();
        Reference.call(kernel, args)?;
        let mut candidate: Vec<Arg<'_>> = args
            .iter()
            .zip(&mut copies)
            .map(|(arg, copy)| match (arg, copy) {
                (Arg::WordsMut(_), Copy::Words(words)) => Arg::WordsMut(words),
                (Arg::TileAccelerator(_), Copy::Blocks(_, blocks)) => Arg::TileAccelerator(blocks),
                (Arg::Words(words), _) => Arg::Words(words),
                (Arg::Halfwords(halves), _) => Arg::Halfwords(halves),
                (Arg::Value(value), _) => Arg::Value(*value),
                (Arg::WordsMut(_) | Arg::TileAccelerator(_), _) => Arg::Value(0),
            })
            .collect();
        let before = self.emulated.instructions();
        self.emulated.call(kernel, &mut candidate)?;
        drop(candidate);
        let tally = self.tallies.entry(kernel.name).or_default();
        let call = tally.calls;
        tally.calls += 1;
        tally.instructions += self.emulated.instructions() - before;
        for (argument, (arg, copy)) in args.iter().zip(&copies).enumerate() {
            let name = kernel.params.get(argument).map_or("", |param| param.name);
            let (reference, candidate): (Vec<u32>, Vec<u32>) = match (arg, copy) {
                (Arg::WordsMut(words), Copy::Words(copy)) => (words.to_vec(), copy.clone()),
                (Arg::TileAccelerator(blocks), Copy::Blocks(start, copy)) => (
                    blocks[*start..].as_flattened().to_vec(),
                    copy.as_flattened().to_vec(),
                ),
                _ => continue,
            };
            tally.words += reference.len() as u64;
            if let Some((index, reference, candidate)) = first_difference(&reference, &candidate) {
                let kernel = kernel.name;
                return Err(Mismatch {
                    kernel,
                    call,
                    argument,
                    name,
                    index,
                    reference,
                    candidate,
                }
                .into());
            }
        }
        Ok(())
    }
}

/// Index and both words of the first difference; a missing word counts as 0xFFFFFFFF, which no output ends with.
pub(crate) fn first_difference(reference: &[u32], candidate: &[u32]) -> Option<(usize, u32, u32)> {
    let word = |words: &[u32], i: usize| words.get(i).copied();
    let length = reference.len().max(candidate.len());
    (0..length)
        .find(|i| word(reference, *i) != word(candidate, *i))
        .map(|i| {
            (
                i,
                word(reference, i).unwrap_or(u32::MAX),
                word(candidate, i).unwrap_or(u32::MAX),
            )
        })
}
