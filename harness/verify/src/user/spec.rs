//! The specification: TOML in, checked descriptions out, with the line of whatever is wrong.

mod raw;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use sh4_kernels::{Kernel, Kind, find};
use thiserror::Error;
use toml::Spanned;

use super::element::Element;
use super::expr::Expr;
use super::generate::{NAMED, Values};
use raw::{RawArg, RawCheck, RawCompare, RawFile, RawKernel};

/// What is wrong with a specification.
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
    /// FPSCR at entry of the candidate.
    pub fpscr: u32,
    /// FPSCR at entry of a reference that is a symbol; compiled C may want another than a kernel.
    pub against_fpscr: u32,
    /// Arguments in the order of the prototype.
    pub(crate) args: Vec<ArgSpec>,
    /// The type of the result that is compared.
    pub(crate) returns: Option<Element>,
    pub(crate) compare: Compare,
    /// Whether kept registers and writes are checked.
    pub(crate) abi: bool,
    /// Pairs of arguments (index of the input, index of the output) that may lie at one place.
    pub(crate) alias: Vec<(usize, usize)>,
    /// Lines of `call` and `against`, for symbols that are missing.
    pub(crate) lines: [usize; 2],
}

/// What a candidate is compared with.
#[derive(Clone, Debug)]
pub enum Against {
    /// A symbol of the same ELF.
    Symbol(String),
    /// The Rust reference of a kernel of ours.
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

/// When two outputs count as equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    /// Every bit.
    Bits,
    /// At most so many representable numbers apart; integers still by every bit. NaN equals NaN.
    Ulp(u64),
}

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
    /// The types in which the arguments of the prototype travel; a pointer is a word. XMTRX is none of them.
    pub(crate) fn travelling(&self) -> impl Iterator<Item = Option<Element>> {
        self.args.iter().map(|arg| match &arg.kind {
            ArgKind::Value { element, .. } => Some(*element),
            ArgKind::Xmtrx { .. } => None,
            ArgKind::Buffer(_) | ArgKind::TileAccelerator => Some(Element::U32),
        })
    }
}

impl Spec {
    /// Reads a specification; files that it names lie beside it.
    ///
    /// # Errors
    /// The line of a word that is unknown, missing or does not fit.
    pub fn parse(text: &str, path: &Path) -> Result<Self, SpecError> {
        let reader = Reader {
            text,
            file: path.display().to_string(),
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
        };
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
            file: reader.file,
        })
    }
}

struct Reader<'a> {
    text: &'a str,
    file: String,
    folder: PathBuf,
}

impl Reader<'_> {
    fn line(&self, span: &Range<usize>) -> usize {
        let before = self.text.as_bytes().get(..span.start).unwrap_or_default();
        1 + before.iter().filter(|b| **b == b'\n').count()
    }

    fn fail(&self, span: Range<usize>, message: impl Into<String>) -> SpecError {
        SpecError {
            file: self.file.clone(),
            line: self.line(&span),
            message: message.into(),
        }
    }

    fn at<T>(&self, spanned: &Spanned<T>, message: impl Into<String>) -> SpecError {
        self.fail(spanned.span(), message)
    }

    fn kernel(&self, raw: &Spanned<RawKernel>) -> Result<UserKernel, SpecError> {
        let k = raw.as_ref();
        let args = k
            .args
            .0
            .iter()
            .map(|(name, arg)| self.arg(name, arg))
            .collect::<Result<Vec<_>, _>>()?;
        self.counts_are_known(k, &args)?;
        let check = k.check.as_ref();
        if let Some(cycles) = check.and_then(|c| c.cycles.as_ref()) {
            return Err(self.at(cycles, "cycles are not limited here yet; remove this line"));
        }
        let against = self.against(&k.against, &args)?;
        let fpscr = k.fpscr.as_ref().map_or(Ok(FPSCR), |text| self.fpscr(text))?;
        let kernel = UserKernel {
            name: k.name.clone().unwrap_or_else(|| k.call.as_ref().clone()),
            call: k.call.as_ref().clone(),
            against_fpscr: k
                .against_fpscr
                .as_ref()
                .map_or(Ok(fpscr), |text| self.fpscr(text))?,
            fpscr,
            returns: k.returns.as_ref().map(|text| self.element(text)).transpose()?,
            compare: check
                .and_then(|c| c.compare.as_ref())
                .map_or(Ok(Compare::Bits), |c| self.compare(c))?,
            abi: check.and_then(|c| c.abi).unwrap_or(true),
            alias: check.map_or(Ok(Vec::new()), |c| self.alias(c, &args))?,
            lines: [self.line(&k.call.span()), self.line(&k.against.span())],
            args,
            against,
        };
        if let (Against::Builtin(_), true) = (
            &kernel.against,
            kernel.returns.is_some() || !kernel.alias.is_empty(),
        ) {
            return Err(self.at(&k.against, "a builtin has no `returns` and no `alias`"));
        }
        let silent = kernel.returns.is_none() && !kernel.args.iter().any(|a| a.kind.is_output());
        match silent {
            true => Err(self.at(raw, "nothing to compare: no `out`, no `inout`, no `returns`")),
            false => Ok(kernel),
        }
    }

    fn arg(&self, name: &str, spanned: &Spanned<RawArg>) -> Result<ArgSpec, SpecError> {
        let raw = spanned.as_ref();
        let forms = [&raw.input, &raw.out, &raw.inout, &raw.value];
        let given: Vec<(usize, &Spanned<String>)> = forms
            .iter()
            .enumerate()
            .filter_map(|(i, f)| Some((i, f.as_ref()?)))
            .collect();
        let [(form, kind)] = given[..] else {
            return Err(self.at(
                spanned,
                format!("{name}: exactly one of in, out, inout, value is expected"),
            ));
        };
        let kind = match form {
            3 => self.value(name, raw, kind)?,
            1 if kind.as_ref() == "ta" => ArgKind::TileAccelerator,
            _ if raw.reg.is_some() => self.xmtrx(name, raw, kind, form)?,
            _ => ArgKind::Buffer(self.buffer(name, raw, kind, form)?),
        };
        Ok(ArgSpec {
            name: name.to_owned(),
            kind,
        })
    }

    fn value(&self, name: &str, raw: &RawArg, kind: &Spanned<String>) -> Result<ArgKind, SpecError> {
        let element = self.element(kind)?;
        if let Some(align) = &raw.align {
            return Err(self.at(align, format!("{name}: a value has no alignment")));
        }
        let values = self.values(name, raw, element)?.unwrap_or(Values::Finite);
        Ok(ArgKind::Value { element, values })
    }

    fn xmtrx(
        &self,
        name: &str,
        raw: &RawArg,
        kind: &Spanned<String>,
        form: usize,
    ) -> Result<ArgKind, SpecError> {
        let known = raw.reg.as_ref().is_some_and(|reg| reg.as_ref() == "xmtrx");
        if !known || kind.as_ref() != "f32[16]" || raw.align.is_some() {
            let expected = "`reg = \"xmtrx\"` with `f32[16]` and no align";
            return Err(self.at(
                kind,
                format!("{name}: the only register to be named is {expected}"),
            ));
        }
        let values = self.values(name, raw, Element::F32)?;
        let values = if form == 1 {
            None
        } else {
            Some(values.unwrap_or(Values::Matrix))
        };
        Ok(ArgKind::Xmtrx {
            values,
            written: form != 0,
        })
    }

    fn buffer(
        &self,
        name: &str,
        raw: &RawArg,
        kind: &Spanned<String>,
        form: usize,
    ) -> Result<Buffer, SpecError> {
        let text = kind.as_ref();
        let (element, count) = text
            .strip_suffix(']')
            .and_then(|t| t.split_once('['))
            .ok_or_else(|| {
                self.at(
                    kind,
                    format!("{name}: `{text}` is no buffer; expected like `f32[4*n]`"),
                )
            })?;
        let element = Element::named(element.trim()).ok_or_else(|| {
            self.at(
                kind,
                format!("{name}: no type `{element}`; there are {}", Element::names()),
            )
        })?;
        let count = Expr::parse(count).map_err(|why| self.at(kind, format!("{name}: {why}")))?;
        let values = self.values(name, raw, element)?;
        let written = form != 0;
        if form == 1 && values.is_some() {
            return Err(self.at(
                kind,
                format!("{name}: an `out` holds garbage at entry; use `inout` to fill it"),
            ));
        }
        let values = if form == 1 {
            None
        } else {
            Some(values.unwrap_or(Values::Finite))
        };
        let align = match &raw.align {
            None => element.size().min(4) as u32,
            Some(align) if align.as_ref().is_power_of_two() && *align.as_ref() <= 4096 => *align.as_ref(),
            Some(align) => {
                let found = align.as_ref();
                return Err(self.at(
                    align,
                    format!("{name}: align = {found}; a power of two up to 4096 is expected"),
                ));
            }
        };
        Ok(Buffer {
            element,
            count,
            align,
            values,
            written,
        })
    }

    fn element(&self, text: &Spanned<String>) -> Result<Element, SpecError> {
        Element::named(text.as_ref()).ok_or_else(|| {
            self.at(
                text,
                format!("no type `{}`; there are {}", text.as_ref(), Element::names()),
            )
        })
    }

    fn values(&self, name: &str, raw: &RawArg, element: Element) -> Result<Option<Values>, SpecError> {
        let (values, place) = match (&raw.values, &raw.range, &raw.from) {
            (None, None, None) => return Ok(None),
            (Some(text), None, None) => (self.named(name, text)?, text.span()),
            (None, Some(text), None) => (self.range(name, text, element)?, text.span()),
            (None, None, Some(file)) => (self.bytes(name, file)?, file.span()),
            (Some(text), ..) | (_, Some(text), _) => {
                return Err(self.at(
                    text,
                    format!("{name}: only one of values, range, file is expected"),
                ));
            }
        };
        match values.fit(element) {
            true => Ok(Some(values)),
            false => Err(self.fail(place, format!("{name}: these values do not fit its type"))),
        }
    }

    fn named(&self, name: &str, text: &Spanned<String>) -> Result<Values, SpecError> {
        let found = NAMED.iter().find(|(n, ..)| n == text.as_ref());
        found.map(|(_, values, _)| values.clone()).ok_or_else(|| {
            let known: Vec<String> = NAMED.iter().map(|(n, _, what)| format!("{n} ({what})")).collect();
            self.at(
                text,
                format!(
                    "{name}: no values `{}`; there are {}",
                    text.as_ref(),
                    known.join(", ")
                ),
            )
        })
    }

    /// `low..=high` or, of integers, `low..=high step n`; both ends included.
    fn range(&self, name: &str, text: &Spanned<String>, element: Element) -> Result<Values, SpecError> {
        let found = text.as_ref();
        let bad = || {
            self.at(
                text,
                format!(
                    "{name}: `{found}` is no range of its type; expected like `1..=512` or `4..=64 step 4`"
                ),
            )
        };
        let (low, high) = found.split_once("..=").ok_or_else(bad)?;
        if element.is_float() {
            let number = |t: &str| t.trim().parse::<f64>().ok().filter(|v| v.is_finite());
            let (low, high) = number(low)
                .zip(number(high))
                .filter(|(l, h)| l <= h)
                .ok_or_else(bad)?;
            return Ok(Values::Floats(low, high));
        }
        let (high, step) = high.split_once("step").unwrap_or((high, "1"));
        let step = integer(step).filter(|step| *step > 0).ok_or_else(bad)?;
        let (low, high) = integer(low)
            .zip(integer(high))
            .filter(|(l, h)| l <= h)
            .ok_or_else(bad)?;
        Ok(Values::Integers(low, high, step))
    }

    fn bytes(&self, name: &str, file: &Spanned<String>) -> Result<Values, SpecError> {
        let path = self.folder.join(file.as_ref());
        match std::fs::read(&path) {
            Ok(bytes) if !bytes.is_empty() => Ok(Values::Bytes(bytes)),
            Ok(_) => Err(self.at(file, format!("{name}: {} is empty", path.display()))),
            Err(error) => Err(self.at(file, format!("{name}: {}: {error}", path.display()))),
        }
    }

    /// Counts use integer values with a range: only those have a bounded size.
    fn counts_are_known(&self, raw: &RawKernel, args: &[ArgSpec]) -> Result<(), SpecError> {
        let sized = |name: &str| {
            args.iter().any(|a| {
                a.name == name
                    && matches!(
                        &a.kind,
                        ArgKind::Value {
                            values: Values::Integers(..),
                            ..
                        }
                    )
            })
        };
        for (arg, (_, raw)) in args.iter().zip(&raw.args.0) {
            let ArgKind::Buffer(buffer) = &arg.kind else {
                continue;
            };
            if let Some(name) = buffer.count.names().into_iter().find(|name| !sized(name)) {
                let expected = "an integer value with a range";
                return Err(self.at(
                    raw,
                    format!("{}: its count uses `{name}`, which is not {expected}", arg.name),
                ));
            }
        }
        Ok(())
    }

    fn against(&self, text: &Spanned<String>, args: &[ArgSpec]) -> Result<Against, SpecError> {
        let Some(name) = text.as_ref().strip_prefix("builtin:") else {
            return Ok(Against::Symbol(text.as_ref().clone()));
        };
        let kernel = find(name).ok_or_else(|| {
            let known: Vec<&str> = sh4_kernels::KERNELS.iter().map(|k| k.name).collect();
            self.at(
                text,
                format!("no builtin `{name}`; there are {}", known.join(", ")),
            )
        })?;
        let expected: Vec<String> = kernel
            .params
            .iter()
            .map(|p| format!("{}: {}", p.name, wanted(p.kind)))
            .collect();
        let fits = args.len() == kernel.params.len()
            && args
                .iter()
                .zip(kernel.params)
                .all(|(arg, param)| suits(&arg.kind, param.kind));
        match fits {
            true => Ok(Against::Builtin(kernel)),
            false => Err(self.at(text, format!("builtin:{name} takes {}", expected.join("; ")))),
        }
    }

    /// Words of the FPSCR's settings, or its 32 bits in hexadecimal.
    fn fpscr(&self, text: &Spanned<String>) -> Result<u32, SpecError> {
        if let Some(hex) = text.as_ref().strip_prefix("0x") {
            return u32::from_str_radix(hex, 16)
                .map_err(|_| self.at(text, format!("`{}` is no 32-bit number", text.as_ref())));
        }
        let mut value = 0;
        for word in text.as_ref().split(',').map(str::trim) {
            value |= FPSCR_WORDS
                .iter()
                .find(|(name, _)| *name == word)
                .map(|(_, bits)| *bits)
                .ok_or_else(|| {
                    let known = FPSCR_WORDS.map(|(name, _)| name).join(", ");
                    self.at(
                        text,
                        format!("fpscr: no word `{word}`; there are {known}, or hexadecimal like 0x00040000"),
                    )
                })?;
        }
        Ok(value)
    }

    fn compare(&self, raw: &Spanned<RawCompare>) -> Result<Compare, SpecError> {
        match raw.as_ref() {
            RawCompare::Ulp { ulp } => Ok(Compare::Ulp(*ulp)),
            RawCompare::Word(word) if word == "bits" => Ok(Compare::Bits),
            RawCompare::Word(word) => Err(self.at(
                raw,
                format!("compare: `{word}`; expected \"bits\" or {{ ulp = N }}"),
            )),
        }
    }

    fn alias(&self, check: &RawCheck, args: &[ArgSpec]) -> Result<Vec<(usize, usize)>, SpecError> {
        let buffer = |name: &str, written: bool| {
            args.iter()
                .position(|a| a.name == name && matches!(&a.kind, ArgKind::Buffer(b) if b.written == written))
        };
        check
            .alias
            .iter()
            .map(|pair| {
                let [input, output] = pair.as_ref();
                let places = buffer(input, false).zip(buffer(output, true));
                places.ok_or_else(|| {
                    self.at(
                        pair,
                        "alias: expected the names of an `in` and of an `out` or `inout`",
                    )
                })
            })
            .collect()
    }
}

/// Round to nearest, DN = 1, single precision: KallistiOS programs.
const FPSCR: u32 = 0x0004_0000;

/// Words of `fpscr` and the bits that they set.
const FPSCR_WORDS: [(&str, u32); 9] = [
    ("single", 0),
    ("double", 1 << 19),
    ("nearest", 0),
    ("round-nearest", 0),
    ("zero", 1),
    ("round-zero", 1),
    ("flush", 1 << 18),
    ("denormals", 0),
    ("pairs", 1 << 20),
];

fn integer(text: &str) -> Option<i64> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// A built-in's parameter in the words of a specification.
fn wanted(kind: Kind) -> &'static str {
    match kind {
        Kind::Words => "in, 4-byte elements",
        Kind::Halfwords => "in, 2-byte elements",
        Kind::WordsMut => "out or inout, 4-byte elements",
        Kind::Value => "value, u32, i32 or f32 as its bits in u32",
        Kind::TileAccelerator => "out = \"ta\"",
    }
}

fn suits(arg: &ArgKind, param: Kind) -> bool {
    match (arg, param) {
        (ArgKind::Buffer(b), Kind::Words) => !b.written && b.element.size() == 4,
        (ArgKind::Buffer(b), Kind::Halfwords) => !b.written && b.element.size() == 2,
        (ArgKind::Buffer(b), Kind::WordsMut) => b.written && b.element.size() == 4,
        (ArgKind::Value { element, .. }, Kind::Value) => !element.is_float() && element.size() == 4,
        (ArgKind::TileAccelerator, Kind::TileAccelerator) => true,
        _ => false,
    }
}

/// Values by name, as counts see them.
pub(crate) type Counts = BTreeMap<String, i64>;
