//! Parses places in a program.

use anyhow::{Context, Result, bail};
use machine::Image;
use profile::view::Part;
use std::collections::BTreeMap;
use verify::did_you_mean_symbol;

/// Functions or objects of an ELF file: start, end and name.
pub(super) type Ranges = BTreeMap<u32, (u32, String)>;

/// Demangles C++ names.
pub(super) fn with_shown_names(mut ranges: Ranges) -> Ranges {
    for (_, name) in ranges.values_mut() {
        *name = machine::shown_name(name);
    }
    ranges
}

/// Parses a 32-bit number, decimal or with 0x hexadecimal.
pub(super) fn number(text: &str) -> Result<u32, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("found {text}, expected a 32-bit number, decimal or 0x hexadecimal"))
}

/// Parses `symbol`, `symbol+offset` or an address.
pub(super) fn address(text: &str, image: &Image) -> Result<u32> {
    if let Ok(address) = number(text) {
        return Ok(address);
    }
    if let Some(address) = image.symbols.address(text) {
        return Ok(address);
    }
    let (symbol, offset) = text.rsplit_once('+').unwrap_or((text, "0"));
    let start = image.symbols.address(symbol).with_context(|| {
        let hint = did_you_mean_symbol(symbol, &image.symbols);
        format!("no symbol {symbol} or _{symbol}{hint}")
    })?;
    let offset = number(offset).map_err(anyhow::Error::msg)?;
    Ok(start.wrapping_add(offset))
}

/// Parses `FROM..TO`, or `NAME` for the labels `NAME_begin` and `NAME_end`.
pub(super) fn region(text: &str, image: &Image) -> Result<(u32, u32)> {
    let labels = (format!("{text}_begin"), format!("{text}_end"));
    let (from, to) = match text.split_once("..") {
        Some(ends) => ends,
        None => (labels.0.as_str(), labels.1.as_str()),
    };
    let find = |place| {
        address(place, image).with_context(|| {
            format!("--region {text}: expected FROM..TO, or the NAME of labels NAME_begin and NAME_end")
        })
    };
    Ok((find(from)?, find(to)?))
}

/// Parses the value of `--timeline`.
pub(super) fn part(text: &str, image: &Image) -> Result<Part> {
    let Some((from, to)) = text.split_once("..") else {
        return match text {
            "loop" => Ok(Part::Loop),
            "all" => Ok(Part::All),
            _ => bail!("--timeline {text}: expected loop, all or FROM..TO"),
        };
    };
    let find = |place| address(place, image).with_context(|| format!("--timeline {text}"));
    Ok(Part::Range(find(from)?, find(to)?))
}

#[cfg(test)]
mod tests {
    use super::{address, number, region};
    use machine::Image;

    #[test]
    fn places_have_three_forms() -> anyhow::Result<()> {
        let image = Image::parse(verify::KERNELS_ELF)?;
        let start = image.symbols.address("sincos").unwrap_or_default();
        assert_eq!(address("sincos", &image)?, start);
        assert_eq!(address("_sincos+0x4", &image)?, start + 4);
        assert_eq!(address("0x8c010000", &image)?, 0x8C01_0000);
        assert_eq!(region("sincos..sincos+6", &image)?, (start, start + 6));
        let missing = region("sincos", &image).unwrap_err();
        assert!(
            format!("{missing:#}").contains("no symbol sincos_begin"),
            "{missing:#}"
        );
        assert!(number("12x").is_err());
        Ok(())
    }
}
