//! Reads the contents of an argument: `values`, `range`, `file`.

use toml::Spanned;

use super::super::generate::{NAMED, Values};
use super::SpecError;
use super::raw::RawArg;
use super::reader::Reader;
use crate::{Element, did_you_mean};

impl Reader {
    /// Reads the values of an argument; `None` if the specification gives none. They must fit `element`.
    pub(super) fn values(
        &self,
        name: &str,
        raw: &RawArg,
        element: Element,
    ) -> Result<Option<Values>, SpecError> {
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
                    "{name}: no values `{}`{}; there are {}",
                    text.as_ref(),
                    did_you_mean(text.as_ref(), NAMED.map(|(name, ..)| name)).unwrap_or_default(),
                    known.join(", ")
                ),
            )
        })
    }

    /// Reads `low..=high`, or for integers also `low..=high step n`; both ends are included.
    fn range(&self, name: &str, text: &Spanned<String>, element: Element) -> Result<Values, SpecError> {
        let found = text.as_ref();
        let bad = || {
            self.at(
                text,
                format!(
                    "{name}: found `{found}`; expected a range of its type such as `1..=512` or \
                     `4..=64 step 4`"
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
        let path = self.in_folder(file.as_ref());
        // Reads only regular files, because a device or a pipe may be endless.
        if path.exists() && !path.is_file() {
            return Err(self.at(file, format!("{name}: {}: not a file", path.display())));
        }
        match std::fs::read(&path) {
            Ok(bytes) if !bytes.is_empty() => Ok(Values::Bytes(bytes)),
            Ok(_) => Err(self.at(file, format!("{name}: {} is empty", path.display()))),
            Err(error) => Err(self.at(file, format!("{name}: {}: {error}", path.display()))),
        }
    }
}

fn integer(text: &str) -> Option<i64> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}
