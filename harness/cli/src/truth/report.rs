//! The report of `roms/truth.elf` (docs/hardware/truth.md, "Report").

use crate::console::quoted;
use anyhow::{Result, bail};
use std::collections::BTreeMap;

/// Supported version of the report.
const VERSION: u32 = 1;

/// A report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    /// Values of each observation, by name.
    pub(crate) observations: BTreeMap<String, Vec<u32>>,
    pub(crate) end: End,
}

/// Returns whether an observation is a duration, in ticks of timer 0 or in CPU cycles.
pub(crate) fn is_time(name: &str) -> bool {
    ["time.", "cycles.", "pair."]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// Returns whether two observations differ. Times of long loops differ if they deviate by more than 0.5 %,
/// because the position of refreshes depends on everything before. Times of the sound block differ by more
/// than 1 %: it advances in samples, and the shortest time is 128 samples.
pub(crate) fn differ(name: &str, first: Option<&Vec<u32>>, second: Option<&Vec<u32>>) -> bool {
    let part = match name {
        _ if name.starts_with("cycles.many") => 200,
        _ if name.starts_with("time.aica") => 100,
        _ => return first != second,
    };
    let (Some(first), Some(second)) = (first, second) else {
        return first != second;
    };
    let apart = |(a, b): (&u32, &u32)| a.abs_diff(*b) > a / part;
    first.len() != second.len() || first.iter().zip(second).any(apart)
}

/// Returns the lines of the report in a capture.
pub(crate) fn lines(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_end_matches('\r'));
    let lines = lines.filter(|line| matches!(line.split(' ').next(), Some("truth" | "obs" | "end")));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// End of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Count and CRC match.
    Whole,
    /// The line has another count or CRC than the report's lines.
    Different { said: [u32; 2], found: [u32; 2] },
    /// The line is missing.
    Missing,
}

impl Report {
    /// Parses a report. Skips lines that do not begin with `truth`, `obs` or `end`: a loader's own messages,
    /// and names of experiments.
    ///
    /// # Errors
    /// States the line, the found and the expected content.
    pub(crate) fn parse(text: &str) -> Result<Report> {
        let mut observations = BTreeMap::new();
        let mut crc = Crc::default();
        let mut end = End::Missing;
        let mut has_version = false;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_end_matches('\r');
            let number = number + 1;
            let mut words = line.split(' ');
            match words.next() {
                Some("truth") => {
                    let found = values(words, number)?;
                    if found != [VERSION] {
                        bail!(
                            "line {number}: found '{}', expected version {VERSION:08x}",
                            quoted(line)
                        );
                    }
                    if has_version {
                        bail!("line {number}: found a second report, expected one");
                    }
                    has_version = true;
                    crc.add_line(line);
                }
                Some("obs") => {
                    let name = words.next().unwrap_or_default();
                    if !has_version || name.is_empty() || end != End::Missing {
                        bail!(
                            "line {number}: found '{}', expected it between 'truth' and 'end'",
                            quoted(line)
                        );
                    }
                    crc.add_line(line);
                    if observations
                        .insert(name.to_owned(), values(words, number)?)
                        .is_some()
                    {
                        bail!(
                            "line {number}: found {} again, expected each name once",
                            quoted(name)
                        );
                    }
                }
                Some("end") => {
                    let said = match *values(words, number)? {
                        [count, crc] => [count, crc],
                        _ => bail!(
                            "line {number}: found '{}', expected 'end COUNT CRC'",
                            quoted(line)
                        ),
                    };
                    let found = [observations.len() as u32, crc.value()];
                    end = if said == found {
                        End::Whole
                    } else {
                        End::Different { said, found }
                    };
                }
                _ => {}
            }
        }
        if !has_version {
            bail!("found no line 'truth {VERSION:08x}', expected the output of roms/truth.elf");
        }
        Ok(Report { observations, end })
    }
}

/// Parses words of eight hexadecimal digits.
fn values<'a>(words: impl Iterator<Item = &'a str>, number: usize) -> Result<Vec<u32>> {
    let value = |word: &str| match u32::from_str_radix(word, 16) {
        Ok(value) if word.len() == 8 => Ok(value),
        _ => bail!(
            "line {number}: found '{}', expected eight hexadecimal digits",
            quoted(word)
        ),
    };
    words.map(value).collect()
}

/// CRC-32, as in zlib.
struct Crc(u32);

impl Default for Crc {
    fn default() -> Self {
        Crc(u32::MAX)
    }
}

impl Crc {
    fn add_line(&mut self, line: &str) {
        for byte in line.bytes().chain([b'\n']) {
            self.0 ^= u32::from(byte);
            for _ in 0..8 {
                self.0 = self.0 >> 1 ^ if self.0 & 1 == 1 { 0xEDB8_8320 } else { 0 };
            }
        }
    }

    fn value(&self) -> u32 {
        !self.0
    }
}
