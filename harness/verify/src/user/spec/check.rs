//! Reads the reference, FPSCR and checks: `against`, `fpscr`, `[kernel.check]`.

use sh4_kernels::Kind;
use toml::{Spanned, Table, Value};

use super::super::cycles::CycleCheck;
use super::super::fpscr;
use super::raw::{RawCheck, RawCycles};
use super::reader::Reader;
use super::{Against, ArgKind, ArgSpec, Compare, Reads, SpecError};
use crate::{Caches, did_you_mean};

impl Reader {
    pub(super) fn against(&self, text: &Spanned<String>, args: &[ArgSpec]) -> Result<Against, SpecError> {
        let Some(name) = text.as_ref().strip_prefix("builtin:") else {
            return Ok(Against::Symbol(text.as_ref().clone()));
        };
        let wanted_name = name.strip_prefix('_').unwrap_or(name);
        let found = self.builtins.iter().copied().find(|k| k.name == wanted_name);
        let kernel = found.ok_or_else(|| {
            let known: Vec<&str> = self.builtins.iter().map(|k| k.name).collect();
            self.at(
                text,
                format!(
                    "no builtin `{name}`{}; there are {}",
                    did_you_mean(name, known.iter().copied()).unwrap_or_default(),
                    known.join(", ")
                ),
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
    pub(super) fn fpscr(&self, text: &Spanned<String>) -> Result<u32, SpecError> {
        fpscr::parse(text.as_ref()).map_err(|message| self.at(text, message))
    }

    pub(super) fn compare(&self, raw: &Spanned<Value>) -> Result<Compare, SpecError> {
        let compare = match raw.as_ref() {
            Value::String(word) if word == "bits" => Some(Compare::default()),
            Value::Table(table) => tolerances(table),
            _ => None,
        };
        compare.ok_or_else(|| {
            let found = found(raw.as_ref());
            self.at(raw, format!("compare: found {found}; expected {COMPARISONS}"))
        })
    }

    pub(super) fn reads(&self, word: &Spanned<String>) -> Result<Reads, SpecError> {
        match word.as_ref().as_str() {
            "exact" => Ok(Reads::Exact),
            "line" => Ok(Reads::Line),
            "any" => Ok(Reads::Any),
            other => {
                let expected = "expected \"exact\", \"line\" or \"any\"";
                Err(self.at(word, format!("reads: found \"{}\"; {expected}", clipped(other))))
            }
        }
    }

    pub(super) fn limit(&self, limit: &Spanned<u64>) -> Result<u64, SpecError> {
        match *limit.as_ref() {
            0 => Err(self.at(limit, "limit: found 0; expected at least one instruction")),
            instructions => Ok(instructions),
        }
    }

    pub(super) fn cycles(&self, raw: &Spanned<RawCycles>, args: &[ArgSpec]) -> Result<CycleCheck, SpecError> {
        let given = raw.as_ref();
        let caches = match given.cache.as_deref() {
            None | Some("warm") => Caches::Warm,
            Some("cold") => Caches::Cold,
            Some(word) => {
                let message = format!("cycles: cache = \"{word}\"; expected \"cold\" or \"warm\"");
                return Err(self.at(raw, message));
            }
        };
        let integer = |name: &String| {
            let mut args = args.iter();
            args.any(|a| {
                a.name == *name && matches!(&a.kind, ArgKind::Value { element, .. } if !element.is_float())
            })
        };
        if let Some(name) = given.at.keys().find(|name| !integer(name)) {
            return Err(self.at(
                raw,
                format!("cycles: `{name}` is not an integer value among the arguments"),
            ));
        }
        Ok(CycleCheck {
            caches,
            at: given.at.clone(),
            seed: given.seed.unwrap_or(1),
            max: given.max,
        })
    }

    pub(super) fn alias(&self, check: &RawCheck, args: &[ArgSpec]) -> Result<Vec<(usize, usize)>, SpecError> {
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

/// The valid forms of `compare`.
const COMPARISONS: &str = "\"bits\", or a table with one or more of `ulp = N`, `relative = X`, \
     `absolute = X`, such as { ulp = 1, absolute = 1e-6 } (an element passes if it is within \
     the largest of them)";

/// Returns the tolerances in `table`; `None` if it is empty or has an unknown key or an invalid value.
fn tolerances(table: &Table) -> Option<Compare> {
    let mut compare = Compare::default();
    for (key, value) in table {
        match key.as_str() {
            "ulp" => compare.ulp = Some(u64::try_from(value.as_integer()?).ok()?),
            "relative" => compare.relative = Some(tolerance(value)?),
            "absolute" => compare.absolute = Some(tolerance(value)?),
            _ => return None,
        }
    }
    (!compare.is_bits()).then_some(compare)
}

fn tolerance(value: &Value) -> Option<f64> {
    let number = value
        .as_float()
        .or_else(|| value.as_integer().map(|integer| integer as f64))?;
    (number.is_finite() && number > 0.0).then_some(number)
}

/// Formats an invalid value for a message, shortened.
fn found(value: &Value) -> String {
    match value {
        Value::String(word) => format!("\"{}\"", clipped(word)),
        Value::Table(table) => {
            let entry = |(key, value): (&String, &Value)| match value {
                Value::Integer(number) => format!("{key} = {number}"),
                Value::Float(number) => format!("{key} = {number}"),
                other => format!("{key} = ({})", other.type_str()),
            };
            clipped(&format!(
                "{{ {} }}",
                table.iter().map(entry).collect::<Vec<_>>().join(", ")
            ))
        }
        other => other.type_str().to_owned(),
    }
}

/// Returns the start of a text for a message.
fn clipped(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(CLIPPED) {
        Some((end, _)) => format!("{}…", &one_line[..end]),
        None => one_line,
    }
}

/// Maximum number of characters of a text that a message repeats.
const CLIPPED: usize = 60;

/// Describes a built-in's parameter in the terms of a specification.
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
