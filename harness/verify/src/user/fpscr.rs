//! FPSCR at entry: its words in a specification, the value for a program, and advice.

use super::debug_info::DebugInfo;

/// Words of `fpscr` and `against_fpscr`, and the bits that they set.
pub(crate) const WORDS: [(&str, u32); 9] = [
    ("single", 0),
    ("double", PR),
    ("nearest", 0),
    ("round-nearest", 0),
    ("zero", 1),
    ("round-zero", 1),
    ("flush", DN),
    ("denormals", 0),
    ("pairs", SZ),
];

pub(crate) const DN: u32 = 1 << 18;
const PR: u32 = 1 << 19;
const SZ: u32 = 1 << 20;
const RM: u32 = 3;

/// FPSCR at entry of a function, and the reason for its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EntryFpscr {
    /// `None` on a processor without FPSCR.
    pub(crate) value: Option<u32>,
    /// `None` if the specification gives the value.
    pub(crate) reason: Option<String>,
}

/// Reads the words of a setting, or 32 bits in hexadecimal. The error describes the problem.
pub(crate) fn parse(text: &str) -> Result<u32, String> {
    if let Some(hex) = text.strip_prefix("0x") {
        return u32::from_str_radix(hex, 16).map_err(|_| format!("fpscr: `{text}` is not a 32-bit number"));
    }
    text.split(',').map(str::trim).try_fold(0, |value, word| {
        let bits = WORDS
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, bits)| *bits);
        bits.map(|bits| value | bits).ok_or_else(|| unknown(word))
    })
}

fn unknown(word: &str) -> String {
    let known = WORDS.map(|(name, _)| name);
    let hint = crate::did_you_mean(word, known).unwrap_or_default();
    format!(
        "fpscr: no word `{word}`{hint}; there are {}, or hexadecimal like 0x00040000",
        known.join(", ")
    )
}

/// The words for `value`.
pub(crate) fn words(value: u32) -> String {
    let precision = if value & PR == 0 { "single" } else { "double" };
    let rounding = if value & RM == 1 { "zero" } else { "nearest" };
    let denormals = if value & DN == 0 { "denormals" } else { "flush" };
    let pairs = if value & SZ == 0 { "" } else { ", pairs" };
    format!("{precision}, {rounding}, {denormals}{pairs}")
}

/// Returns FPSCR for the function `symbol` at `entry`. The sources, in order: `given` by the specification,
/// the compiler's options, `otherwise`, single precision.
pub(crate) fn at_entry(
    [given, otherwise]: [Option<u32>; 2],
    entry: u32,
    symbol: &str,
    debug: Option<&DebugInfo<'_>>,
) -> EntryFpscr {
    let reasoned = |value, reason: String| EntryFpscr {
        value: Some(value),
        reason: Some(reason),
    };
    if given.is_some() {
        return EntryFpscr {
            value: given,
            reason: None,
        };
    }
    let producer = debug.and_then(|debug| debug.producer(entry));
    match (producer.as_deref().and_then(precision), otherwise) {
        (Some((true, option)), _) => reasoned(PR | DN, format!("{symbol} is compiled with {option}")),
        (Some((false, option)), _) => reasoned(DN, format!("{symbol} is compiled with {option}")),
        (None, Some(value)) => reasoned(value, "the same as `fpscr`".to_owned()),
        (None, None) => reasoned(DN, "the default".to_owned()),
    }
}

/// Returns true if code from GCC with the options in `producer` needs PR = 1 at entry, and the option that
/// decides.
///
/// GCC manual, SH options: `-m4` assumes that the FPU is in double-precision mode by default, `-m4-single`
/// and `-m4-single-only` that it is in single-precision mode. e_flags of the ELF header is the same for all
/// of them.
fn precision(producer: &str) -> Option<(bool, &str)> {
    let options = producer.split_whitespace();
    let mut fpu =
        options.filter(|o| matches!(o.split_at_checked(3), Some(("-m4", rest)) if !rest.contains("nofpu")));
    let option = fpu.next_back()?;
    Some((!option.contains("-single"), option))
}

/// Advice for a function that failed with `at_entry` in FPSCR; `key` is the specification's key for it.
pub(crate) fn advice(at_entry: u32, key: &str) -> String {
    // If DN is 0, a denormal operand stops the instruction. Otherwise the precision is wrong.
    let other = words(if at_entry & DN == 0 {
        at_entry | DN
    } else {
        at_entry ^ PR
    });
    format!(
        "FPSCR at entry was `{}`; try `{key} = \"{other}\"` in the specification",
        words(at_entry)
    )
}

#[cfg(test)]
mod tests {
    use super::{DN, PR, SZ, advice, parse, precision, words};

    #[test]
    fn words_and_bits() {
        for (text, value) in [
            ("single, nearest, flush", DN),
            ("double,zero", PR | 1),
            ("pairs", SZ),
            ("0x00140001", 0x0014_0001),
        ] {
            assert_eq!(parse(text), Ok(value), "{text}");
            assert_eq!(parse(&words(value)), Ok(value), "{text}");
        }
        assert!(parse("singel").unwrap_err().contains("did you mean `single`?"));
        assert!(parse("0x1g").is_err());
        assert!(advice(DN, "against_fpscr").contains("against_fpscr = \"double, nearest, flush\""));
    }

    #[test]
    fn compilers_options() {
        for (producer, expected) in [
            ("GNU C17 12.2.0 -m4 -ml -g -O2", Some((true, "-m4"))),
            ("GNU C17 15.2.0 -ml -m4-single -O2", Some((false, "-m4-single"))),
            (
                "GNU C17 13.2.0 -m4-single-only -mfsrra",
                Some((false, "-m4-single-only")),
            ),
            ("GNU C17 13.2.0 -m4-nofpu", None),
            ("GNU AS 2.40", None),
        ] {
            assert_eq!(precision(producer), expected, "{producer}");
        }
    }
}
