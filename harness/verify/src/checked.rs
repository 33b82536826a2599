//! Compares a kernel with its reference, call by call.

use crate::{Emulated, RomError};
use sh4_kernels::{Arg, Case, Kernel, KernelError, Kernels, Mismatch, Place, Reference};
use std::collections::BTreeMap;

/// Numbers of compared calls and words of one kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Calls.
    pub calls: u64,
    /// Output words that were compared.
    pub words: u64,
}

/// The arguments of a call that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The kernel's name.
    pub kernel: &'static str,
    /// Arguments at the call.
    pub case: Case,
}

/// Runs every call on the reference and on `K`, the emulated SH4. The first difference is an error.
#[derive(Debug)]
pub struct Checked<K = Emulated> {
    candidate: K,
    tallies: BTreeMap<&'static str, Tally>,
    failed: Option<Failed>,
}

impl Checked {
    /// Compares the kernels of the ROM, on an emulated machine, with the references.
    ///
    /// # Errors
    /// See [`Emulated::new`].
    pub fn new() -> Result<Self, RomError> {
        Emulated::new().map(Self::from)
    }
}

impl<K: Kernels> From<K> for Checked<K> {
    fn from(candidate: K) -> Self {
        Self {
            candidate,
            tallies: BTreeMap::new(),
            failed: None,
        }
    }
}

impl<K> Checked<K> {
    /// The numbers of compared calls, by kernel.
    pub fn tally(&self, kernel: &str) -> Tally {
        self.tallies.get(kernel).copied().unwrap_or_default()
    }

    /// The last call that failed.
    pub fn failed(&self) -> Option<&Failed> {
        self.failed.as_ref()
    }

    /// The implementation that is compared with the references.
    pub fn candidate(&self) -> &K {
        &self.candidate
    }
}

impl<K: Kernels> Checked<K> {
    fn compared(
        &mut self,
        kernel: &'static Kernel,
        args: &mut [Arg<'_>],
        mut found: Case,
    ) -> Result<(), KernelError> {
        let sent: Vec<usize> = args.iter().map(sent).collect();
        Reference.call(kernel, args)?;
        self.candidate.call(kernel, &mut found.args())?;
        let tally = self.tallies.entry(kernel.name).or_default();
        let call = tally.calls;
        tally.calls += 1;
        for (argument, (arg, value)) in args.iter().zip(&found.0).enumerate() {
            let reference = match arg {
                Arg::WordsMut(words) => &words[..],
                Arg::TileAccelerator(blocks) => blocks[sent[argument]..].as_flattened(),
                Arg::Words(_) | Arg::Halfwords(_) | Arg::Value(_) => continue,
            };
            tally.words += reference.len() as u64;
            compare(kernel, call, argument, reference, value.written())?;
        }
        Ok(())
    }
}

/// Number of blocks that the tile accelerator has already received.
fn sent(arg: &Arg<'_>) -> usize {
    match arg {
        Arg::TileAccelerator(blocks) => blocks.len(),
        _ => 0,
    }
}

impl<K: Kernels> Kernels for Checked<K> {
    fn call(&mut self, kernel: &'static Kernel, args: &mut [Arg<'_>]) -> Result<(), KernelError> {
        let case = Case::of(args);
        let compared = self.compared(kernel, args, case.clone());
        if compared.is_err() {
            let kernel = kernel.name;
            self.failed = Some(Failed { kernel, case });
        }
        compared
    }

    fn enter(&mut self, place: Place) {
        self.candidate.enter(place);
    }
}

/// Returns the first difference between two outputs. A missing word differs from every word; it is reported
/// as 0xFFFFFFFF.
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
