//! Measurements in the JSON of a program's profile, for budgets and comparisons.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Maximum number of functions in a comparison.
const FUNCTIONS: usize = 20;

/// Measurements of a profile.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measurements {
    pub(crate) program: String,
    pub(crate) frames: u64,
    /// Work cycles in all frames, and in the heaviest one.
    pub(crate) work: u64,
    pub(crate) heaviest: u64,
    pub(crate) missed_frames: u64,
    /// Maximum bytes per frame sent to the tile accelerator.
    pub(crate) ta_bytes: u64,
    pub(crate) ram_bytes: u64,
    pub(crate) vram_bytes: u64,
    pub(crate) functions: BTreeMap<String, FunctionCycles>,
}

/// Cycles of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FunctionCycles {
    pub(crate) all: u64,
    pub(crate) most_in_frame: u64,
}

/// Reads a number from the JSON.
fn number(value: &Value, key: &str) -> Result<u64> {
    value[key]
        .as_u64()
        .with_context(|| format!("{key}: found {}, expected a whole number", value[key]))
}

/// Reads a list from the JSON.
fn list<'a>(value: &'a Value, key: &str) -> Result<&'a [Value]> {
    let list = value[key].as_array().map(Vec::as_slice);
    list.with_context(|| format!("{key}: expected a list, as `swirl profile --frames --json` prints it"))
}

impl Measurements {
    /// Reads the measurements from the JSON of a profile.
    ///
    /// # Errors
    /// If it is no output of `swirl profile --frames --json`.
    pub(crate) fn of(json: &Value) -> Result<Measurements> {
        let frames = number(json, "frame_count")?;
        if frames == 0 {
            bail!("frame_count: found 0, expected at least one frame");
        }
        let mut functions: BTreeMap<String, FunctionCycles> = BTreeMap::new();
        for row in list(json, "functions")? {
            let name = row["name"].as_str().context("functions: expected names")?;
            // Two static functions can have the same name.
            let sum = functions.entry(name.to_owned()).or_default();
            let most = row["most_in_frame"].as_u64().unwrap_or(0);
            sum.all = sum.all.saturating_add(number(row, "cycles")?);
            sum.most_in_frame = sum.most_in_frame.saturating_add(most);
        }
        Ok(Measurements {
            program: json["program"].as_str().unwrap_or_default().to_owned(),
            frames,
            work: number(json, "work")?,
            heaviest: number(json, "most_work")?,
            missed_frames: number(json, "missed_frames")?,
            ta_bytes: number(json, "most_ta_bytes")?,
            ram_bytes: number(json, "ram_bytes")?,
            vram_bytes: number(json, "vram_bytes")?,
            functions,
        })
    }

    /// Work cycles per frame, rounded down.
    pub(crate) fn mean(&self) -> u64 {
        self.work / self.frames.max(1)
    }

    /// Returns a function's cycles, by its name with or without the leading underscore.
    pub(crate) fn function(&self, name: &str) -> Option<FunctionCycles> {
        let all = &self.functions;
        all.get(name).or_else(|| all.get(&format!("_{name}"))).copied()
    }

    /// Returns the measurements with their names.
    fn rows(&self) -> [(&'static str, u64); 6] {
        [
            ("cycles of work a frame", self.mean()),
            ("cycles of work, heaviest frame", self.heaviest),
            ("missed frames", self.missed_frames),
            ("bytes to the tile accelerator, most in a frame", self.ta_bytes),
            ("bytes of RAM in use", self.ram_bytes),
            ("bytes of video memory in use", self.vram_bytes),
        ]
    }

    /// Returns each function's cycles per frame, most expensive first.
    fn functions_by_cost(&self) -> Vec<(&str, u64)> {
        let frames = self.frames.max(1);
        let all = self.functions.iter();
        let mut all: Vec<(&str, u64)> = all.map(|(name, row)| (name.as_str(), row.all / frames)).collect();
        all.sort_by_key(|(name, cycles)| (std::cmp::Reverse(*cycles), *name));
        all
    }
}

/// Returns the growth from one number to another; 0.1 is 10 %.
fn growth(before: u64, after: u64) -> f64 {
    after as f64 / before.max(1) as f64 - 1.0
}

/// Comparison of two profiles.
pub(crate) struct Comparison {
    before: Measurements,
    after: Measurements,
    allowed: f64,
}

impl Comparison {
    /// Compares two profiles. `allowed` is the permitted growth of work cycles per frame.
    pub(crate) fn new(before: Measurements, after: Measurements, allowed: f64) -> Comparison {
        Comparison {
            before,
            after,
            allowed,
        }
    }

    fn growth(&self) -> f64 {
        // Computed without rounding.
        let mean = |measurements: &Measurements| measurements.work as f64 / measurements.frames.max(1) as f64;
        mean(&self.after) / mean(&self.before).max(1.0) - 1.0
    }

    /// Returns whether the work cycles per frame grew by more than permitted.
    pub(crate) fn exceeded(&self) -> bool {
        self.growth() > self.allowed
    }

    /// Returns the functions with changed cycles per frame, largest change first: name, before, after.
    fn functions(&self) -> Vec<(&str, u64, u64)> {
        let mut rows: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
        for (place, measurements) in [&self.before, &self.after].into_iter().enumerate() {
            for (name, cycles) in measurements.functions_by_cost() {
                rows.entry(name).or_default()[place] = cycles;
            }
        }
        let all = rows
            .into_iter()
            .map(|(name, [before, after])| (name, before, after));
        let mut changed: Vec<_> = all.filter(|(_, before, after)| before != after).collect();
        changed.sort_by_key(|(name, before, after)| (std::cmp::Reverse(before.abs_diff(*after)), *name));
        changed
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "baseline {}: {} cycles of work a frame, now {} ({:+.2} %, {:.2} % allowed)\n",
            self.before.program,
            self.before.mean(),
            self.after.mean(),
            100.0 * self.growth(),
            100.0 * self.allowed
        );
        for ((name, before), (_, after)) in self.before.rows().into_iter().zip(self.after.rows()).skip(1) {
            if before != after {
                let _ = writeln!(text, "  {before:>10} -> {after:>10}  {name}");
            }
        }
        for (name, before, after) in self.functions().into_iter().take(FUNCTIONS) {
            let _ = writeln!(text, "  {before:>10} -> {after:>10}  {name}, a frame");
        }
        text
    }

    /// Returns Markdown tables for a pull request.
    pub(crate) fn markdown(&self) -> String {
        let mut text = format!("### {}\n\n", self.after.program);
        let word = if self.exceeded() { "exceeded" } else { "kept" };
        let _ = writeln!(
            text,
            "Cycles of work a frame: {:+.2} %, {:.2} % allowed: {word}.\n\n\
             | figure | before | now | change |\n|---|---:|---:|---:|",
            100.0 * self.growth(),
            100.0 * self.allowed
        );
        let row = |text: &mut String, name: &str, before: u64, after: u64| {
            let change = match before {
                0 => String::from("-"),
                _ => format!("{:+.2} %", 100.0 * growth(before, after)),
            };
            let _ = writeln!(text, "| {name} | {before} | {after} | {change} |");
        };
        for ((name, before), (_, after)) in self.before.rows().into_iter().zip(self.after.rows()) {
            row(&mut text, name, before, after);
        }
        for (name, before, after) in self.functions().into_iter().take(FUNCTIONS) {
            row(
                &mut text,
                &format!("{}, cycles a frame", code(name)),
                before,
                after,
            );
        }
        text
    }
}

/// Compares measurements with themselves, as text and as tables.
pub(crate) fn compare_text(text: &str) -> Result<String> {
    let measurements = Measurements::of(&serde_json::from_str(text)?)?;
    let comparison = Comparison::new(measurements.clone(), measurements, 0.0);
    Ok(comparison.text() + &comparison.markdown())
}

/// Returns Markdown tables for a pull request, without an earlier run.
pub(crate) fn markdown(measurements: &Measurements) -> String {
    let mut text = format!("### {}\n\n| figure | value |\n|---|---:|\n", measurements.program);
    for (name, value) in measurements.rows() {
        let _ = writeln!(text, "| {name} | {value} |");
    }
    for (name, cycles) in measurements.functions_by_cost().into_iter().take(FUNCTIONS) {
        let _ = writeln!(text, "| {}, cycles a frame | {cycles} |", code(name));
    }
    text
}

/// Formats a name as code in a Markdown table cell.
pub(crate) fn code(name: &str) -> String {
    format!("`{}`", name.replace('`', "'").replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Measurements};
    use serde_json::json;

    fn measurements(work: [u64; 2], draw: u64) -> Measurements {
        let json = json!({
            "program": "a.elf", "missed_frames": 1, "ram_bytes": 4096, "vram_bytes": 8192,
            "frame_count": 2, "work": work[0] + work[1], "most_work": work[1], "most_ta_bytes": work[1] / 10,
            "functions": [{ "name": "_draw", "cycles": draw, "most_in_frame": draw - 1 },
                { "name": "(sleep)", "cycles": 7 }],
        });
        Measurements::of(&json).unwrap_or_else(|error| unreachable!("{error:#}"))
    }

    #[test]
    fn growth_is_that_of_the_work_a_frame() {
        let before = measurements([100, 300], 60);
        assert_eq!((before.mean(), before.heaviest, before.ta_bytes), (200, 300, 30));
        assert_eq!(before.function("draw").map(|row| row.most_in_frame), Some(59));
        let compare = |after, allowed| Comparison::new(before.clone(), after, allowed);
        assert!(!compare(measurements([100, 300], 60), 0.0).exceeded());
        assert!(compare(measurements([100, 305], 64), 0.01).exceeded());
        let kept = compare(measurements([100, 303], 64), 0.01);
        assert!(!kept.exceeded());
        assert!(
            kept.text().contains("30 ->         32  _draw, a frame"),
            "{}",
            kept.text()
        );
        assert!(
            kept.markdown()
                .contains("| cycles of work a frame | 200 | 201 | +0.50 % |"),
            "{}",
            kept.markdown()
        );
    }

    #[test]
    fn other_json_is_refused() {
        for wrong in [
            json!({}),
            json!([]),
            json!({ "frame_count": 0 }),
            json!({ "frame_count": 1, "work": -1, "functions": [] }),
        ] {
            assert!(Measurements::of(&wrong).is_err(), "{wrong}");
        }
    }
}
