//! Kernels, their parameters, and the trait that runs them.

use crate::{Arg, Case, Deviation, Rng, Signature};
use thiserror::Error;

/// Kind of a parameter in the kernel's C prototype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Pointer to words that are only read.
    Words,
    /// Pointer to 16-bit words that are only read.
    Halfwords,
    /// Pointer to words that are written, and possibly read.
    WordsMut,
    /// A 32-bit value.
    Value,
    /// Pointer into the store queues, leading to the tile accelerator.
    TileAccelerator,
}

/// One parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name in the prototype.
    pub name: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// Alignment that the kernel needs, in bytes.
    pub align: u32,
}

impl Param {
    /// Words that are read; 4-byte aligned.
    pub const fn words(name: &'static str) -> Self {
        Self {
            name,
            kind: Kind::Words,
            align: 4,
        }
    }

    /// Half-words that are read; 2-byte aligned.
    pub const fn halfwords(name: &'static str) -> Self {
        Self {
            name,
            kind: Kind::Halfwords,
            align: 2,
        }
    }

    /// Words that are written; 4-byte aligned.
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

    /// The same with another alignment.
    pub const fn aligned(self, align: u32) -> Self {
        Self { align, ..self }
    }
}

/// A row of the manifest.
///
/// [`Kernel::budget`] is the limit of its cycles.
pub struct Kernel {
    /// Name of the pair of files.
    pub name: &'static str,
    /// Symbol in the ROM, with the leading underscore of C.
    pub symbol: &'static str,
    /// One line for reports.
    pub summary: &'static str,
    /// The prototype: SH C ABI, first four in R4-R7, the rest on the stack.
    pub params: &'static [Param],
    /// The naive definition of the result, bit for bit.
    pub reference: fn(&mut [Arg<'_>]) -> Result<(), Signature>,
    /// Makes the arguments of one call.
    pub generate: fn(&mut Rng) -> Case,
    /// Compares a call (arguments before, arguments after) with the same computation in `f64`.
    pub deviation: fn(&Case, &Case) -> Deviation,
}

impl Kernel {
    /// The error for arguments that do not fit.
    pub(crate) fn signature(&self, what: &'static str) -> Signature {
        Signature {
            kernel: self.name,
            what,
        }
    }

    /// A matrix of 16 words, and `n` vectors of three words, `stride` words apart.
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

/// The first difference between two runs of one call.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{kernel}: call {call}, argument {argument} ({name}), word {index}: reference {reference:#010x}, SH4 \
     {candidate:#010x}"
)]
pub struct Mismatch {
    /// Kernel.
    pub kernel: &'static str,
    /// Number of the call or case, counted from 0.
    pub call: u64,
    /// Index of the argument.
    pub argument: usize,
    /// Its name.
    pub name: &'static str,
    /// Index of the word in the argument.
    pub index: usize,
    /// The reference's bits.
    pub reference: u32,
    /// The other's bits.
    pub candidate: u32,
}

/// Why a call gave no result.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum KernelError {
    /// The caller's arguments do not fit.
    #[error(transparent)]
    Signature(#[from] Signature),
    /// The SH4's result is not the reference's.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// The emulated SH4 stopped, or broke its calling convention.
    #[error("{kernel}: {message}")]
    Execution {
        /// Kernel.
        kernel: &'static str,
        /// What happened, with program counter and address.
        message: String,
    },
}

/// The part of a frame that calls are made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// No model, no cells.
    #[default]
    Frame,
    /// The model of this number as a whole: its motions, the camera, the lights.
    Model(usize),
    /// A node, by its index, of the model that was named last.
    Node(usize),
    /// Cell sprites.
    Cells,
}

/// An implementation of the kernels.
pub trait Kernels {
    /// Runs `kernel` once; outputs are in `args` afterwards.
    ///
    /// # Errors
    /// See [`KernelError`]. After an error the contents of output arguments are unspecified.
    fn call(&mut self, kernel: &'static Kernel, args: &mut [Arg<'_>]) -> Result<(), KernelError>;

    /// Sets the model or node that the following calls are made for.
    fn enter(&mut self, _place: Place) {}
}

/// Runs the Rust references.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

impl Kernels for Reference {
    fn call(&mut self, kernel: &'static Kernel, args: &mut [Arg<'_>]) -> Result<(), KernelError> {
        Ok((kernel.reference)(args)?)
    }
}
