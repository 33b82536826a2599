//! Compares the pipeline with the manual's examples.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

#[path = "common/assemble.rs"]
mod assemble;

use assemble::assemble;
use sh4::table::flag;
use timing::{Insn, Parameters, Pipeline};

/// Expected cycle, if given, the instruction, and whether it is a taken branch.
type Line = (Option<u64>, String, bool);

fn cases(text: &str) -> Vec<(&str, Vec<Line>)> {
    let mut cases: Vec<(&str, Vec<Line>)> = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(title) = line.strip_prefix("= ") {
            cases.push((title, Vec::new()));
            continue;
        }
        let (cycle, rest) = line.split_once(' ').unwrap();
        let (count, rest) = match rest.split_once("x ") {
            Some((count, rest)) if count.parse::<usize>().is_ok() => (count.parse().unwrap(), rest),
            _ => (1, rest),
        };
        let taken = rest.ends_with(" taken");
        let text = rest.trim_end_matches(" taken").to_owned();
        let lines = &mut cases.last_mut().unwrap().1;
        lines.extend((0..count).map(|_| (cycle.parse().ok(), text.clone(), taken)));
    }
    cases
}

/// Returns the cycles in which the instructions issue.
fn issue(lines: &[Line], parameters: &Parameters) -> Vec<u64> {
    let mut pipeline = Pipeline::new(parameters);
    let mut slot = false;
    let issue = |(_, text, taken): &Line| {
        let (opcode, op) = assemble(text);
        let insn = Insn::new(op.id, op.n, op.m, opcode, parameters);
        let cycle = pipeline.issue(&insn, 0, slot, *taken).cycle;
        slot = op.row().unwrap().has(flag::DELAYED);
        cycle
    };
    lines.iter().map(issue).collect()
}

fn hold(text: &str) -> (usize, usize) {
    let cases = cases(text);
    let mut right = 0;
    for (title, lines) in &cases {
        let found = issue(lines, &Parameters::default());
        let expected: Vec<u64> = lines
            .iter()
            .zip(&found)
            .map(|(line, found)| line.0.unwrap_or(*found))
            .collect();
        if found == expected {
            right += 1;
        } else {
            println!("{title}: issued in {found:?}, expected {expected:?}");
        }
    }
    (right, cases.len())
}

#[test]
fn golden_sequences() {
    let (right, all) = hold(include_str!("data/golden.txt"));
    println!("golden sequences: {right} of {all}");
    assert_eq!((right, all), (23, 23));
}

#[test]
fn special_rules() {
    let (right, all) = hold(include_str!("data/rules.txt"));
    println!("special rules: {right} of {all}");
    assert_eq!(right, all);
}
