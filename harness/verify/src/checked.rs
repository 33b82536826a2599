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
            let (reference, candidate) = match (arg, copy) {
                (Arg::WordsMut(words), Copy::Words(copy)) => (&words[..], &copy[..]),
                (Arg::TileAccelerator(blocks), Copy::Blocks(start, copy)) => {
                    (blocks[*start..].as_flattened(), copy.as_flattened())
                }
                _ => continue,
            };
            tally.words += reference.len() as u64;
            compare(kernel, call, argument, reference, candidate)?;
        }
        Ok(())
    }
}

/// The first difference between two outputs; a missing word is told as 0xFFFFFFFF.
pub(crate) fn compare(
    kernel: &'static Kernel,
    call: u64,
    argument: usize,
    reference: &[u32],
    candidate: &[u32],
) -> Result<(), Mismatch> {
    let length = reference.len().max(candidate.len());
    let Some(index) = (0..length).find(|i| reference.get(*i) != candidate.get(*i)) else {
        return Ok(());
    };
    let word = |words: &[u32]| words.get(index).copied().unwrap_or(u32::MAX);
    Err(Mismatch {
        kernel: kernel.name,
        call,
        argument,
        name: kernel.params.get(argument).map_or("", |param| param.name),
        index,
        reference: word(reference),
        candidate: word(candidate),
    })
}
