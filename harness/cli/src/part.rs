//! `--part I/N`: runs a part of the work, and merges the JSON of parts.

use anyhow::{Result, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ops::Range;
use std::str::FromStr;

/// Part `I` of `N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) index: u64,
    pub(crate) of: u64,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').map(|(i, n)| (i.parse(), n.parse()));
        match parts {
            Some((Ok(index), Ok(of))) if 1 <= index && index <= of => Ok(Self { index, of }),
            _ => Err("expected I/N with 1 <= I <= N, such as 2/8".to_owned()),
        }
    }
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl Part {
    /// Returns whether a case belongs to this part. Uses the FNV-1a hash of its path, which is the same on
    /// all machines.
    pub(crate) fn takes(self, name: &str) -> bool {
        let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        // The low bits of FNV vary little for short names.
        (hash ^ hash >> 32) % self.of + 1 == self.index
    }

    /// Returns this part's range of `count` items.
    pub(crate) fn range(self, count: u64) -> Range<u64> {
        let until = |index: u64| (u128::from(count) * u128::from(index) / u128::from(self.of)) as u64;
        until(self.index - 1)..until(self.index)
    }
}

/// Checks that the reports are all parts of one run without repetition, and sorts them. The values of `keys`
/// must be equal in all.
pub(crate) fn complete(reports: &mut [(String, Value)], keys: &[&str]) -> Result<()> {
    let mut seen = BTreeSet::new();
    let mut all = None;
    for (name, report) in &*reports {
        let part = report["part"].as_str().and_then(|part| part.parse::<Part>().ok());
        let Some(part) = part else {
            bail!("{name}: found no `part`, expected the JSON of a run with --part");
        };
        if *all.get_or_insert(part.of) != part.of {
            bail!("{name}: part {part}, expected one of {}", all.unwrap_or(part.of));
        }
        if !seen.insert(part.index) {
            bail!("{name}: part {part} appears twice, expected once");
        }
    }
    let missing: Vec<String> = (1..=all.unwrap_or(0))
        .filter(|index| !seen.contains(index))
        .take(10)
        .map(|index| index.to_string())
        .collect();
    if !missing.is_empty() {
        let (numbers, are) = if missing.len() == 1 {
            ("number", "is")
        } else {
            ("numbers", "are")
        };
        bail!(
            "--merge: of {} parts, {numbers} {} {are} missing",
            all.unwrap_or(0),
            missing.join(", ")
        );
    }
    if let Some(((first, head), rest)) = reports.split_first() {
        for (name, report) in rest {
            if let Some(key) = keys.iter().find(|key| report[**key] != head[**key]) {
                bail!(
                    "{name}: {key} is {}, expected {} as in {first}",
                    report[*key],
                    head[*key]
                );
            }
        }
    }
    reports.sort_by_key(|(_, report)| {
        report["part"]
            .as_str()
            .and_then(|part| part.parse::<Part>().ok())
            .map(|part| part.index)
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Part, complete};
    use serde_json::json;

    #[test]
    fn parts_cover_everything_once() {
        for (count, of) in [(10, 3), (2, 5), (u64::MAX, 7)] {
            let ranges: Vec<_> = (1..=of).map(|index| Part { index, of }.range(count)).collect();
            assert_eq!((ranges[0].start, ranges[of as usize - 1].end), (0, count));
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
        assert!(
            ["0/2", "3/2", "1", "a/b"]
                .iter()
                .all(|text| text.parse::<Part>().is_err())
        );
    }

    #[test]
    fn reports_of_other_runs_are_refused() {
        let report = |part: &str, seed: u64| (part.to_owned(), json!({"part": part, "seed": seed}));
        let error = |mut reports: Vec<_>| complete(&mut reports, &["seed"]).unwrap_err().to_string();
        assert!(error(vec![report("1/2", 1)]).contains("of 2 parts, number 2 is missing"));
        assert!(error(vec![report("1/2", 1), report("1/2", 1)]).contains("twice"));
        assert!(error(vec![report("1/2", 1), report("2/2", 2)]).contains("seed is 2, expected 1"));
        let mut fine = vec![report("2/2", 1), report("1/2", 1)];
        complete(&mut fine, &["seed"]).unwrap();
        assert_eq!(fine[0].0, "1/2");
    }
}
