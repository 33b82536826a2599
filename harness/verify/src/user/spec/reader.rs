//! Converts raw TOML to a checked specification.

use std::ops::Range;
use std::path::{Path, PathBuf};

use sh4_kernels::Kernel;
use toml::Spanned;

use super::super::cycles::CycleCheck;
use super::super::expr::Expr;
use super::super::generate::Values;
use super::raw::{RawArg, RawKernel};
use super::{Against, ArgKind, ArgSpec, Buffer, Compare, Reads, SpecError, UserKernel};
use crate::limits::ARGUMENTS;
use crate::{Element, Port};

pub(super) struct Reader {
    file: String,
    folder: PathBuf,
    /// Offsets of the line ends.
    line_ends: Vec<usize>,
    /// Kernels that `builtin:` can name.
    pub(super) builtins: Vec<&'static Kernel>,
}

impl Reader {
    pub(super) fn new(text: &str, path: &Path, builtins: Vec<&'static Kernel>) -> Self {
        Reader {
            file: path.display().to_string(),
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
            line_ends: text.match_indices('\n').map(|(offset, _)| offset).collect(),
            builtins,
        }
    }

    /// Returns the path of a file that the specification names. Paths are relative to the specification's
    /// folder.
    pub(super) fn in_folder(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn line(&self, span: &Range<usize>) -> usize {
        1 + self.line_ends.partition_point(|end| *end < span.start)
    }

    /// Creates an error with the line of `span`.
    pub(super) fn fail(&self, span: Range<usize>, message: impl Into<String>) -> SpecError {
        SpecError {
            file: self.file.clone(),
            line: self.line(&span),
            message: message.into(),
        }
    }

    /// Creates an error with the line of `spanned`.
    pub(super) fn at<T>(&self, spanned: &Spanned<T>, message: impl Into<String>) -> SpecError {
        self.fail(spanned.span(), message)
    }

    pub(super) fn kernel(&self, raw: &Spanned<RawKernel>) -> Result<UserKernel, SpecError> {
        let k = raw.as_ref();
        if let Some((name, first)) = k.args.0.get(ARGUMENTS) {
            let found = k.args.0.len();
            return Err(self.at(
                first,
                format!("{name}: {found} arguments, expected at most {ARGUMENTS}"),
            ));
        }
        let args = k
            .args
            .0
            .iter()
            .map(|(name, arg)| self.arg(name, arg))
            .collect::<Result<Vec<_>, _>>()?;
        self.counts_are_known(k, &args)?;
        let check = k.check.as_ref();
        let cycles = check
            .and_then(|c| c.cycles.as_ref())
            .map_or(Ok(CycleCheck::default()), |cycles| self.cycles(cycles, &args))?;
        let allow = check.map_or(&[][..], |check| &check.allow);
        if let (Some(first), Some(false)) = (allow.first(), check.and_then(|check| check.abi)) {
            return Err(self.at(first, "allow: has no effect with `abi = false`"));
        }
        let against = self.against(&k.against, &args)?;
        let fpscr = k.fpscr.as_ref().map(|text| self.fpscr(text)).transpose()?;
        let against_fpscr = k
            .against_fpscr
            .as_ref()
            .map(|text| self.fpscr(text))
            .transpose()?;
        let kernel = UserKernel {
            name: k.name.clone().unwrap_or_else(|| k.call.as_ref().clone()),
            call: k.call.as_ref().clone(),
            against_fpscr,
            fpscr,
            ports: self.ports(k, &args),
            returns: k.returns.as_ref().map(|text| self.element(text)).transpose()?,
            compare: check
                .and_then(|c| c.compare.as_ref())
                .map_or(Ok(Compare::default()), |c| self.compare(c))?,
            abi: check.and_then(|c| c.abi).unwrap_or(true),
            allow: allow.iter().map(|word| word.as_ref().clone()).collect(),
            allow_lines: allow.iter().map(|word| self.line(&word.span())).collect(),
            reads: check
                .and_then(|c| c.reads.as_ref())
                .map_or(Ok(Reads::default()), |word| self.reads(word))?,
            limit: check
                .and_then(|c| c.limit.as_ref())
                .map(|limit| self.limit(limit))
                .transpose()?,
            alias: check.map_or(Ok(Vec::new()), |c| self.alias(c, &args))?,
            lines: [self.line(&k.call.span()), self.line(&k.against.span())],
            args,
            against,
            cycles,
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

    /// Lists the ports that a kernel needs, each with its line.
    fn ports(&self, raw: &RawKernel, args: &[ArgSpec]) -> Vec<(Port, usize)> {
        let port = |kind: &ArgKind| match kind {
            ArgKind::TileAccelerator => Some(Port::TileAccelerator),
            ArgKind::Xmtrx { .. } => Some(Port::Xmtrx),
            ArgKind::Buffer(_) | ArgKind::Value { .. } => None,
        };
        let named = args.iter().zip(&raw.args.0);
        let arguments = named.filter_map(|(arg, (_, raw))| Some((port(&arg.kind)?, self.line(&raw.span()))));
        let words = [&raw.fpscr, &raw.against_fpscr].into_iter().flatten();
        let registers = words.map(|text| (Port::Fpscr, self.line(&text.span())));
        arguments.chain(registers).collect()
    }

    fn arg(&self, name: &str, spanned: &Spanned<RawArg>) -> Result<ArgSpec, SpecError> {
        let raw = spanned.as_ref();
        // The index of a form identifies it: 0 is `in`, 1 `out`, 2 `inout`, 3 `value`.
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
            return Err(self.at(kind, format!("{name}: the only supported register is {expected}")));
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
                    format!("{name}: found `{text}`; expected a buffer such as `f32[4*n]`"),
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

    /// Checks that counts use only integer values with a range, because buffers need a bounded size.
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
            if let Some(name) = buffer.count.names().find(|name| !sized(name)) {
                let expected = "an integer value with a range";
                return Err(self.at(
                    raw,
                    format!("{}: its count uses `{name}`, which is not {expected}", arg.name),
                ));
            }
        }
        Ok(())
    }
}
