//! What is compared with what, and when both count as equal: `against`, `fpscr`, `[kernel.check]`.

use sh4_kernels::Kind;
use toml::Spanned;

use super::super::cycles::CycleCheck;
use super::raw::{RawCheck, RawCompare, RawCycles};
use super::reader::Reader;
use super::{Against, ArgKind, ArgSpec, Compare, SpecError};
use crate::Caches;

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
    pub(super) fn fpscr(&self, text: &Spanned<String>) -> Result<u32, SpecError> {
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

    pub(super) fn compare(&self, raw: &Spanned<RawCompare>) -> Result<Compare, SpecError> {
        match raw.as_ref() {
            RawCompare::Ulp { ulp } => Ok(Compare::Ulp(*ulp)),
            RawCompare::Word(word) if word == "bits" => Ok(Compare::Bits),
            RawCompare::Word(word) => Err(self.at(
                raw,
                format!("compare: `{word}`; expected \"bits\" or {{ ulp = N }}"),
            )),
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
                format!("cycles: `{name}` is no integer value among the arguments"),
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
