//! Runs regressions, first inputs and changed copies of first inputs, without libFuzzer.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

use fuzz::{Random, TARGETS, Target};
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs an input. A failure names the input.
fn survives(target: &Target, name: &str, bytes: &[u8]) {
    let survived = std::panic::catch_unwind(|| fuzz::run(target.name, bytes)).is_ok();
    assert!(
        survived,
        "{}: {name} breaks a promise; {} bytes",
        target.name,
        bytes.len()
    );
}

/// A copy with some bytes changed, inserted, removed or doubled.
fn changed(first: &[Vec<u8>], random: &mut Random, longest: usize) -> Vec<u8> {
    let mut bytes = first.get(random.below(first.len())).cloned().unwrap_or_default();
    for _ in 0..1 + random.below(6) {
        let at = random.below(bytes.len() + 1);
        match random.below(5) {
            0 if at < bytes.len() => bytes[at] = random.next() as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 => bytes.insert(at, random.next() as u8),
            3 => bytes.truncate(at),
            _ => {
                let end = (at + random.below(64)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.extend(part);
            }
        }
    }
    bytes.truncate(longest);
    bytes
}

#[test]
fn regressions_and_first_inputs_are_survived() {
    for target in &TARGETS {
        let (known, first) = (fuzz::regressions(target), (target.first)());
        assert!(!first.is_empty(), "{}: no first inputs", target.name);
        for path in &known {
            survives(target, &path.display().to_string(), &std::fs::read(path).unwrap());
        }
        for (number, bytes) in first.iter().enumerate() {
            survives(target, &format!("first input {number}"), bytes);
        }
        println!(
            "{}: {} regressions, {} first inputs",
            target.name,
            known.len(),
            first.len()
        );
    }
}

/// Runs the number of inputs in the table, or `SWIRL_FUZZ_TIMES` times this number. The inputs are the same
/// on each machine. `SWIRL_FUZZ_ONLY=one,two` selects targets.
#[test]
fn changed_inputs_are_survived() {
    let times = std::env::var("SWIRL_FUZZ_TIMES").map_or(1, |text| text.parse().unwrap());
    let only = std::env::var("SWIRL_FUZZ_ONLY").ok();
    let wanted = |target: &&Target| {
        only.as_ref()
            .is_none_or(|only| only.split(',').any(|name| name == target.name))
    };
    for target in TARGETS.iter().filter(wanted) {
        let first = (target.first)();
        let (runs, mut slowest) = (times * target.tried, (Duration::ZERO, 0));
        let begin = Instant::now();
        for seed in 0..runs {
            let input = changed(&first, &mut Random(seed), target.longest);
            let start = Instant::now();
            survives(target, &format!("seed {seed}"), &input);
            slowest = slowest.max((start.elapsed(), seed));
        }
        println!(
            "{}: {runs} inputs, {:.0} a second, the slowest (seed {}) {:.1?}",
            target.name,
            runs as f64 / begin.elapsed().as_secs_f64(),
            slowest.1,
            slowest.0
        );
    }
}

/// Every regression must belong to a target.
#[test]
fn regressions_have_targets() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions");
    let folders = std::fs::read_dir(folder).unwrap();
    for folder in folders
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
    {
        let name = folder.file_name();
        assert!(fuzz::target(&name.to_string_lossy()).is_some(), "{name:?}");
    }
}
