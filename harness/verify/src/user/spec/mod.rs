//! The specification: TOML in, checked descriptions out. Every error names its line.

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
    /// What was found and what was expected.
    pub message: String,
}

/// A specification file.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Kernels in the order of the file.
    pub kernels: Vec<UserKernel>,
    /// The file's name as given, for messages.
    pub file: String,
}

/// One kernel to verify.
#[derive(Clone, Debug)]
pub struct UserKernel {
    /// For reports; the symbol if the file gives none.
    pub name: String,
    /// The candidate's symbol.
    pub call: String,
    /// What it is compared with.
    pub against: Against,
    /// FPSCR at entry of the candidate, if the file gives it.
    pub fpscr: Option<u32>,
    /// FPSCR at entry of a reference that is a symbol, if the file gives it; compiled C may want another than
    /// a kernel.
    pub against_fpscr: Option<u32>,
    /// Arguments in the order of the prototype.
    pub(crate) args: Vec<ArgSpec>,
    /// The type of the result that is compared.
    pub(crate) returns: Option<Element>,
    pub(crate) compare: Compare,
    /// Whether kept registers, loads and stores are checked.
    pub(crate) abi: bool,
    /// What a function may change or use though the ABI forbids it: registers by name, `red-zone`.
    pub(crate) allow: Vec<String>,
    /// The lines of those names.
    pub(crate) allow_lines: Vec<usize>,
    pub(crate) reads: Reads,
    /// Instructions that a call may take, if the file gives them.
    pub(crate) limit: Option<u64>,
    /// Pairs of arguments (index of the input, index of the output) that may lie at one place.
    pub(crate) alias: Vec<(usize, usize)>,
    /// The case whose cycles are counted, and their limit.
    pub(crate) cycles: CycleCheck,
    /// Ports that the processor must have, and the lines that name them.
    pub(crate) ports: Vec<(Port, usize)>,
    /// Lines of `call` and `against`, for symbols that are missing.
    pub(crate) lines: [usize; 2],
}

/// What a candidate is compared with.
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

/// When two elements count as equal: within any of the tolerances, or in every bit if there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Compare {
    /// Representable floats between them; NaN equals NaN.
    pub(crate) ulp: Option<u64>,
    /// Absolute difference of floats, divided by the reference.
    pub(crate) relative: Option<f64>,
    /// Absolute difference of floats and integers.
    pub(crate) absolute: Option<f64>,
}

impl Compare {
    /// Whether every bit has to be equal.
    pub(crate) fn is_bits(self) -> bool {
        self == Compare::default()
    }
}

/// What a function may load from, apart from its stack and the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Reads {
    /// Its buffers.
    #[default]
    Exact,
    /// The cache lines that hold its buffers.
    Line,
    /// Everything.
    Any,
}

impl Reads {
    /// Address and length of what may be loaded for a buffer; nothing of an empty one.
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
    /// A pointer into the store queues that lead to the tile accelerator; what arrives there is compared.
    TileAccelerator,
    /// XF0 to XF15, outside the prototype.
    Xmtrx {
        /// At entry; garbage if `None`.
        values: Option<Values>,
        /// Whether it is compared.
        written: bool,
    },
}

impl ArgKind {
    /// Whether the call's results are here.
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
    /// Bytes; the addresses of cases are multiples of it, and often of no more.
    pub(crate) align: u32,
    /// What it holds at entry; garbage if `None`.
    pub(crate) values: Option<Values>,
    /// Whether it may be written, and is compared.
    pub(crate) written: bool,
}

impl UserKernel {
    /// Whether `allow` has a word.
    pub(crate) fn allows(&self, word: &str) -> bool {
        self.allow.iter().any(|allowed| allowed == word)
    }

    /// The types of the arguments in the prototype; a pointer is a word. XMTRX is not in the prototype.
    pub(crate) fn travelling(&self) -> impl Iterator<Item = Option<Element>> {
        self.args.iter().map(|arg| match &arg.kind {
            ArgKind::Value { element, .. } => Some(*element),
            ArgKind::Xmtrx { .. } => None,
            ArgKind::Buffer(_) | ArgKind::TileAccelerator => Some(Element::U32),
        })
    }
}

impl Spec {
    /// Reads a specification; files that it names lie beside it, built-in references are the targets'
    /// kernels.
    ///
    /// # Errors
    /// The line of a word that is unknown, missing or does not fit.
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

/// Values by name, as counts see them.
pub(crate) type Counts = BTreeMap<String, i64>;
