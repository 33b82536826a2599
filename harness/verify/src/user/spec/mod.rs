//! Reads a specification in TOML and checks it. Every error names its line.

mod check;
mod raw;
mod reader;
mod values;

use std::collections::BTreeMap;
use std::path::Path;

use sh4_kernels::Kernel;
use thiserror::Error;

use super::cycles::CycleCheck;
use super::expr::Expr;
use super::generate::Values;
use crate::{Element, Port, Target};
use raw::RawFile;
use reader::Reader;

/// An error in a specification.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{file}:{line}: {message}")]
pub struct SpecError {
    /// The file's name as given.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// The found and the expected value.
    pub message: String,
}

/// A specification file.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Kernels in the order of the file.
    pub kernels: Vec<UserKernel>,
    /// The file's name, for messages.
    pub file: String,
}

/// One kernel to verify.
#[derive(Clone, Debug)]
pub struct UserKernel {
    /// Name for reports; the symbol if the file gives no name.
    pub name: String,
    /// The candidate's symbol.
    pub call: String,
    /// The reference.
    pub against: Against,
    /// FPSCR at entry of the candidate, if the file gives it.
    pub fpscr: Option<u32>,
    /// FPSCR at entry of the reference, if it is a symbol and the file gives a value. A reference in compiled
    /// C may need another value than the candidate.
    pub against_fpscr: Option<u32>,
    /// Arguments in the order of the prototype.
    pub(crate) args: Vec<ArgSpec>,
    /// The type of the result that is compared.
    pub(crate) returns: Option<Element>,
    pub(crate) compare: Compare,
    /// True if kept registers, loads and stores are checked.
    pub(crate) abi: bool,
    /// Exceptions from the ABI that a function may use: registers by name, `red-zone`.
    pub(crate) allow: Vec<String>,
    /// Lines of the names in `allow`.
    pub(crate) allow_lines: Vec<usize>,
    pub(crate) reads: Reads,
    /// Limit of instructions of a call, if the file gives it.
    pub(crate) limit: Option<u64>,
    /// Pairs of arguments (index of the input, index of the output) that may have the same address.
    pub(crate) alias: Vec<(usize, usize)>,
    /// The case for the count of cycles, and the limit of cycles.
    pub(crate) cycles: CycleCheck,
    /// Ports that the processor must have, and the lines that name them.
    pub(crate) ports: Vec<(Port, usize)>,
    /// Lines of `call` and `against`, for messages about missing symbols.
    pub(crate) lines: [usize; 2],
}

/// The reference of a candidate.
#[derive(Clone, Debug)]
pub enum Against {
    /// A symbol of the same ELF.
    Symbol(String),
    /// The Rust reference of a built-in kernel.
    Builtin(&'static Kernel),
}

impl std::fmt::Display for Against {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Against::Symbol(symbol) => f.write_str(symbol),
            Against::Builtin(kernel) => write!(f, "builtin:{}", kernel.name),
        }
    }
}

/// Tolerances for comparing elements. Elements are equal if they are within any of them. Without a tolerance,
/// every bit must be equal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Compare {
    /// Maximum distance of floats in units in the last place; NaN equals NaN.
    pub(crate) ulp: Option<u64>,
    /// Absolute difference of floats, divided by the reference.
    pub(crate) relative: Option<f64>,
    /// Absolute difference of floats and integers.
    pub(crate) absolute: Option<f64>,
}

impl Compare {
    /// Returns true if every bit must be equal.
    pub(crate) fn is_bits(self) -> bool {
        self == Compare::default()
    }
}

/// Memory from which a function may load, in addition to its stack and the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Reads {
    /// The function's buffers.
    #[default]
    Exact,
    /// The cache lines that hold its buffers.
    Line,
    /// All memory.
    Any,
}

impl Reads {
    /// Returns address and length of the memory that a function may load for a buffer of `bytes` bytes at
    /// `address`.
    pub(crate) fn around(self, address: u32, bytes: u32) -> (u32, u32) {
        if self != Reads::Line || bytes == 0 {
            return (address, bytes);
        }
        let start = address & !(LINE - 1);
        let end = (address + bytes).next_multiple_of(LINE);
        (start, end - start)
    }
}

/// Bytes of a cache line of the SH4.
const LINE: u32 = 32;

/// One argument.
#[derive(Clone, Debug)]
pub(crate) struct ArgSpec {
    pub(crate) name: String,
    pub(crate) kind: ArgKind,
}

#[derive(Clone, Debug)]
pub(crate) enum ArgKind {
    /// A pointer to elements.
    Buffer(Buffer),
    /// A number in a register or on the stack.
    Value { element: Element, values: Values },
    /// A pointer into the store queues, which send to the tile accelerator. The verifier compares the sent
    /// words.
    TileAccelerator,
    /// XF0 to XF15, which are not part of the prototype.
    Xmtrx {
        /// Contents at entry; garbage if `None`.
        values: Option<Values>,
        /// True if the contents are compared.
        written: bool,
    },
}

impl ArgKind {
    /// Returns true if the argument holds results of the call.
    fn is_output(&self) -> bool {
        match self {
            ArgKind::Buffer(buffer) => buffer.written,
            ArgKind::TileAccelerator => true,
            ArgKind::Xmtrx { written, .. } => *written,
            ArgKind::Value { .. } => false,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    pub(crate) element: Element,
    pub(crate) count: Expr,
    /// Minimum alignment in bytes. Many cases use addresses with this alignment but no larger one.
    pub(crate) align: u32,
    /// Contents at entry; garbage if `None`.
    pub(crate) values: Option<Values>,
    /// True if the function may write the buffer, which is then compared.
    pub(crate) written: bool,
}

impl UserKernel {
    /// Returns true if `allow` contains `word`.
    pub(crate) fn allows(&self, word: &str) -> bool {
        self.allow.iter().any(|allowed| allowed == word)
    }

    /// Returns the types of the arguments in the prototype; a pointer is a word. `None` for XMTRX, which is
    /// not part of the prototype.
    pub(crate) fn prototype_types(&self) -> impl Iterator<Item = Option<Element>> {
        self.args.iter().map(|arg| match &arg.kind {
            ArgKind::Value { element, .. } => Some(*element),
            ArgKind::Xmtrx { .. } => None,
            ArgKind::Buffer(_) | ArgKind::TileAccelerator => Some(Element::U32),
        })
    }
}

impl Spec {
    /// Reads a specification. Paths in it are relative to its folder. `builtin:` selects a kernel of
    /// `targets`.
    ///
    /// # Errors
    /// If a key or value is unknown, missing or invalid. The error names its line.
    pub fn parse(text: &str, path: &Path, targets: &[Target]) -> Result<Self, SpecError> {
        let builtins = targets.iter().flat_map(|t| t.kernels).copied().collect();
        let reader = Reader::new(text, path, builtins);
        let raw: RawFile = toml::from_str(text)
            .map_err(|error| reader.fail(error.span().unwrap_or(0..0), error.message()))?;
        let kernels = raw
            .kernel
            .iter()
            .map(|k| reader.kernel(k))
            .collect::<Result<Vec<_>, _>>()?;
        if kernels.is_empty() {
            return Err(reader.fail(0..0, "no [[kernel]]"));
        }
        Ok(Spec {
            kernels,
            file: path.display().to_string(),
        })
    }
}

/// Integer arguments by name, for evaluating counts.
pub(crate) type Counts = BTreeMap<String, i64>;
