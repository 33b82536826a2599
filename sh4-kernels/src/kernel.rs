//! Kernels, their parameters, and the trait that runs them.

use crate::{Arg, Case, Deviation, Rng, Signature};
use thiserror::Error;

/// Kind of a parameter in the kernel's C prototype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Pointer to read-only words.
    Words,
    /// Pointer to read-only 16-bit words.
    Halfwords,
    /// Pointer to words that the kernel writes, and may read.
    WordsMut,
    /// A 32-bit value.
    Value,
    /// Pointer into the store queues that lead to the tile accelerator.
    TileAccelerator,
}

/// One parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name in the prototype.
    pub name: &'static str,
    /// Kind of parameter.
    pub kind: Kind,
    /// Alignment in bytes that the kernel requires.
    pub align: u32,
}

impl Param {
    /// Read-only words; 4-byte aligned.
    pub const fn words(name: &'static str) -> Self {
        Self {
            name,
            kind: Kind::Words,
            align: 4,
        }
    }

    /// Read-only half-words; 2-byte aligned.
    pub const fn halfwords(name: &'static str) -> Self {
        Self {
            name,
            kind: Kind::Halfwords,
            align: 2,
        }
    }

    /// Written words; 4-byte aligned.
    pub const fn words_mut(name: &'static str) -> Self {
        Self {
            name,
            kind: Kind::WordsMut,
            align: 4,
        }
    }

    /// A value.
    pub const fn value(name: &'static str) -> Self {
        Self {
            name,
            kind: Kind::Value,
            align: 4,
        }
    }

    /// The store queues.
    pub const fn tile_accelerator(name: &'static str) -> Self {
        Self {
            name,
            kind: Kind::TileAccelerator,
            align: 32,
        }
    }

    /// Returns the parameter with another alignment.
    pub const fn aligned(self, align: u32) -> Self {
        Self { align, ..self }
    }
}

/// A row of the manifest.
///
/// [`Kernel::budget`] is its cycle limit.
pub struct Kernel {
    /// Name of the assembly and the Rust file.
    pub name: &'static str,
    /// Symbol in the ROM, with the leading underscore of C.
    pub symbol: &'static str,
    /// Description for reports, one line.
    pub summary: &'static str,
    /// Parameters of the prototype: SH C ABI, the first four in R4-R7, the rest on the stack.
    pub params: &'static [Param],
    /// Straightforward definition of the result, bit for bit.
    pub reference: fn(&mut [Arg<'_>]) -> Result<(), Signature>,
    /// Generates the arguments of one call.
    pub generate: fn(&mut Rng) -> Case,
    /// Compares a call (arguments before, arguments after) with the same computation in `f64`.
    pub deviation: fn(&Case, &Case) -> Deviation,
}

impl Kernel {
    /// Creates the error for arguments that do not fit.
    pub(crate) fn signature(&self, what: &'static str) -> Signature {
        Signature {
            kernel: self.name,
            what,
        }
    }

    /// Checks a matrix of 16 words, and `n` vectors of three words, `stride` words apart.
    pub(crate) fn check_vectors(
        &self,
        matrix: usize,
        src: usize,
        stride: usize,
        n: usize,
    ) -> Result<(), Signature> {
        if matrix < 16 {
            return Err(self.signature("a matrix has 16 words"));
        }
        let needed = n
            .saturating_sub(1)
            .checked_mul(stride)
            .and_then(|words| words.checked_add(3));
        if n > 0 && needed.is_none_or(|words| words > src) {
            return Err(self.signature("src is too short"));
        }
        Ok(())
    }
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.name)
            .field("symbol", &self.symbol)
            .finish_non_exhaustive()
    }
}

/// First difference between two runs of one call.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{kernel}: call {call}, argument {argument} ({name}), word {index}: reference {reference:#010x}, SH4 \
     {candidate:#010x}"
)]
pub struct Mismatch {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Number of the call or case, counted from 0.
    pub call: u64,
    /// Index of the argument.
    pub argument: usize,
    /// Name of the argument.
    pub name: &'static str,
    /// Index of the word in the argument.
    pub index: usize,
    /// Bits of the reference.
    pub reference: u32,
    /// Bits of the other run.
    pub candidate: u32,
}

/// Reason why a call gave no result.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum KernelError {
    /// The caller's arguments do not fit.
    #[error(transparent)]
    Signature(#[from] Signature),
    /// The SH4's result differs from the reference.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// The emulated SH4 stopped, or broke its calling convention.
    #[error("{kernel}: {message}")]
    Execution {
        /// Name of the kernel.
        kernel: &'static str,
        /// Description, with program counter and address.
        message: String,
    },
}

/// Part of a frame for which calls are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The frame itself, outside models and cells.
    #[default]
    Frame,
    /// The model with this index as a whole: its motions, the camera, the lights.
    Model(usize),
    /// The node with this index, of the model that was entered last.
    Node(usize),
    /// Cell sprites.
    Cells,
}

/// An implementation of the kernels.
pub trait Kernels {
    /// Runs `kernel` once; `args` then contains the outputs.
    ///
    /// # Errors
    /// See [`KernelError`]. After an error the contents of output arguments are unspecified.
    fn call(&mut self, kernel: &'static Kernel, args: &mut [Arg<'_>]) -> Result<(), KernelError>;

    /// Sets the model or node for which the following calls are made.
    fn enter(&mut self, _place: Place) {}
}

/// Implementation that runs the Rust references.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

impl Kernels for Reference {
    fn call(&mut self, kernel: &'static Kernel, args: &mut [Arg<'_>]) -> Result<(), KernelError> {
        Ok((kernel.reference)(args)?)
    }
}
