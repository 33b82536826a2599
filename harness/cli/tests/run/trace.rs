//! `swirl run --trace` and `--clock`.

use super::{swirl, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const SPIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/console/spin.elf");

fn run(args: &[&str]) -> Value {
    let output = swirl(&[&["run", SPIN, "--frames", "20", "--json"], args].concat());
    assert_eq!(
        output.status.code(),
        Some(0),
        "{args:?}: {}",
        text(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_trace_has_rows_and_changes_no_time() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("spin-trace.json");
    let path = file.display().to_string();
    let traced = run(&["--trace", &path]);
    for engine in ["interpreter", "recompiler"] {
        let plain = run(&["--clock", "model", "--engine", engine]);
        for key in ["cycles", "instructions", "renders"] {
            assert_eq!(traced[key], plain[key], "{key}, {engine}");
        }
    }
    let trace: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let mut names = BTreeMap::new();
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for event in events {
        let row = event["tid"].as_u64();
        match event["ph"].as_str().unwrap() {
            "M" if event["name"] == "thread_name" => {
                names.insert(row, event["args"]["name"].as_str().unwrap());
            }
            "M" => {}
            _ => {
                assert!(event["ts"].as_f64() >= Some(0.0), "{event}");
                *counts.entry(names[&row]).or_default() += 1;
            }
        }
    }
    assert_eq!(counts["render"], traced["renders"].as_u64().unwrap());
    for row in [
        "vertical blank",
        "interrupts",
        "TA lists",
        "ISP",
        "functions, thread 0",
    ] {
        assert!(counts[row] >= 19, "{row}: {counts:?}");
    }
}

#[test]
fn a_trace_needs_the_model() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-trace.json");
    let path = file.display().to_string();
    let output = swirl(&["run", SPIN, "--clock", "fast", "--trace", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("cycle model"),
        "{}",
        text(&output.stderr)
    );
}
