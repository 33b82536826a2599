//! Changes to a run: `--set` and `--what-if`.

use super::place::number;
use profile::{Profile, dependence};
use std::fmt::Write as _;
use timing::{Parameters, Table, likely};

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// New value of an uncertain parameter of the model.
    Parameter(String, String),
    /// Moves the code by this number of bytes.
    Align(u32),
    /// New value of CCR.
    Ccr(u32),
    /// Bits of CCR to clear and to set.
    Mode(u32, u32),
    /// Exchanges the instruction at an address with the next one.
    Swap(String),
}

/// Cache modes: bits of CCR to clear, and bits to set (SH7750 manual 4.2).
const MODES: [(&str, u32, u32); 9] = [
    ("oix", 0, 1 << 7),
    ("iix", 0, 1 << 15),
    ("ora", 0, 1 << 5),
    ("plain", 1 << 5 | 1 << 7 | 1 << 15, 0),
    ("write-through", 1 << 2, 1 << 1),
    ("copy-back", 1 << 1, 1 << 2),
    ("no-operand-cache", 1, 0),
    ("no-instruction-cache", 1 << 8, 0),
    ("no-caches", 1 | 1 << 8, 0),
];

/// Upper limit of `align`. Smaller values already cover every position within a cache line.
const ALIGN_BELOW: u32 = 64;

/// Parses changes separated by commas.
pub(super) fn parse(text: &str) -> Result<Vec<Change>, String> {
    text.split(',').map(|one| change(one.trim())).collect()
}

fn change(text: &str) -> Result<Change, String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("{text}: expected NAME=VALUE; {}", known()))?;
    match name {
        "align" => number(value)
            .ok()
            .filter(|by| *by < ALIGN_BELOW && by.is_multiple_of(2))
            .map(Change::Align)
            .ok_or_else(|| format!("align={value}: expected an even number of bytes below {ALIGN_BELOW}")),
        "ccr" => Ok(Change::Ccr(number(value)?)),
        "mode" => mode(value),
        "swap" => Ok(Change::Swap(value.to_owned())),
        _ => {
            let name = name.strip_prefix("timing.").unwrap_or(name);
            Parameters::default()
                .set(name, value)
                .map_err(|error| format!("{error}; {}", known()))?;
            Ok(Change::Parameter(name.to_owned(), value.to_owned()))
        }
    }
}

fn mode(word: &str) -> Result<Change, String> {
    let found = MODES.iter().find(|(name, ..)| *name == word);
    found
        .map(|(_, clear, set)| Change::Mode(*clear, *set))
        .ok_or_else(|| {
            let names: Vec<&str> = MODES.iter().map(|(name, ..)| *name).collect();
            format!("mode={word}: expected {}", names.join(", "))
        })
}

fn known() -> String {
    "besides the model's parameters, align, mode, ccr and swap can be set".to_owned()
}

/// Returns the reason why the exchanged instructions at `address` compute another result. Uses the
/// instructions that the run executed.
pub(super) fn objection(profile: &Profile, address: u32) -> Option<String> {
    let site = |pc| {
        let found = profile.sites.iter().find(|site| site.pc == pc);
        found.filter(|site| site.costs.instructions > 0)
    };
    let Some((first, second)) = site(address).zip(site(address.wrapping_add(2))) else {
        return Some("neither instruction ran".to_owned());
    };
    if first.costs.instructions != second.costs.instructions {
        return Some("other code jumps to the second instruction".to_owned());
    }
    dependence(&first.insn, &second.insn)
}

/// Returns the help for `--set`: uncertain parameters of the model, and other changes.
pub(super) fn help() -> String {
    let mut text = String::new();
    for row in Parameters::default().rows() {
        let [low, high] = likely(&row).map(|value| row.text(value));
        let _ = writeln!(
            text,
            "{} = {} ({low} to {high}; confidence {})\n    {} {}",
            row.name,
            row.text(row.default),
            row.confidence,
            row.about,
            row.evidence
        );
    }
    let modes: Vec<&str> = MODES.iter().map(|(name, ..)| *name).collect();
    let _ = writeln!(
        text,
        "align = 0 (even, below {ALIGN_BELOW})\n    Moves the code up by this number of bytes, and its \
        literals by a multiple of 4.\nmode = {}\n    Bits of CCR: how the caches are indexed, used and \
        written through.\nccr = VALUE\n    All of CCR.\nswap = PLACE\n    Swaps the instruction at \
        symbol, symbol+offset or address with the next instruction.",
        modes.join(" | ")
    );
    text
}

#[cfg(test)]
mod tests {
    use super::{Change, parse};

    #[test]
    fn changes_are_told_apart() {
        let swap = Change::Swap("f+2".to_owned());
        assert_eq!(parse("align=2, swap=f+2"), Ok(vec![Change::Align(2), swap]));
        assert_eq!(parse("mode=oix"), Ok(vec![Change::Mode(0, 0x80)]));
        assert_eq!(parse("ccr=0x105"), Ok(vec![Change::Ccr(0x105)]));
        for (bad, expected) in [
            ("align=3", "even"),
            ("mode=fast", "write-through"),
            ("fsrra_latency=x", "0 to 64 cycles"),
            ("speed=1", "no setting 'speed'"),
            ("align", "NAME=VALUE"),
        ] {
            let error = parse(bad).unwrap_err();
            assert!(error.contains(expected), "{bad}: {error}");
        }
    }
}
