//! `swirl run --trace` and `--clock`.

use super::{program, swirl, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

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
    // Other hosts have one engine.
    let other = if cfg!(target_arch = "x86_64") {
        "recompiler"
    } else {
        "auto"
    };
    for engine in ["interpreter", other] {
        let plain = run(&["--clock", "model", "--engine", engine]);
        for key in ["cycles", "instructions", "renders"] {
            assert_eq!(traced[key], plain[key], "{key}, {engine}");
        }
    }
    let counts = checked(&file);
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

/// Checks a file against the rules of Perfetto's JSON reader. Each row has one name; times are whole
/// nanoseconds; slices of a row are nested or disjoint in the reader's order; each end has a beginning.
/// Returns the number of events by row.
/// end has its beginning. Returns the events by the name of their row.
fn checked(file: &Path) -> BTreeMap<String, u64> {
    let trace: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(trace["displayTimeUnit"], "ns");
    let mut names: BTreeMap<u64, String> = BTreeMap::new();
    let mut slices: BTreeMap<u64, Vec<(i64, i64)>> = BTreeMap::new();
    let mut open: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut processes = 0;
    let time = |event: &Value, key: &str| {
        let nanoseconds = event[key].as_f64().unwrap() * 1e3;
        assert!(
            nanoseconds >= 0.0 && (nanoseconds - nanoseconds.round()).abs() < 1e-3,
            "{event}"
        );
        nanoseconds.round() as i64
    };
    for event in trace["traceEvents"].as_array().unwrap() {
        assert_eq!(event["pid"], 1, "{event}");
        let phase = event["ph"].as_str().unwrap();
        if phase == "M" {
            let name = event["args"]["name"].as_str().map(str::to_owned);
            match event["name"].as_str().unwrap() {
                "process_name" => processes += 1,
                "thread_name" => {
                    let row = event["tid"].as_u64().unwrap();
                    assert_eq!(names.insert(row, name.unwrap()), None, "{event}");
                }
                "thread_sort_index" => assert!(event["args"]["sort_index"].is_u64(), "{event}"),
                other => panic!("metadata {other}"),
            }
            continue;
        }
        if phase == "C" {
            let value = event["args"]["value"].as_f64().unwrap();
            assert!(value >= 0.0 && time(event, "ts") >= 0, "{event}");
            *counts
                .entry(event["name"].as_str().unwrap().to_owned())
                .or_default() += 1;
            continue;
        }
        let row = event["tid"].as_u64().unwrap();
        let name = names
            .get(&row)
            .unwrap_or_else(|| panic!("no name for the row of {event}"));
        *counts.entry(name.clone()).or_default() += 1;
        let at = time(event, "ts");
        match phase {
            "X" => slices.entry(row).or_default().push((at, at + time(event, "dur"))),
            "B" => open.entry(row).or_default().push(at),
            "E" => {
                let begin = open.entry(row).or_default().pop();
                assert!(begin.is_some_and(|begin| begin <= at), "{event}");
            }
            "i" => assert_eq!(event["s"], "t", "{event}"),
            other => panic!("phase {other}"),
        }
        assert!(
            phase == "E" || !event["name"].as_str().unwrap().is_empty(),
            "{event}"
        );
    }
    assert_eq!(processes, 1);
    assert!(
        open.values().all(Vec::is_empty),
        "beginnings without an end: {open:?}"
    );
    for (row, slices) in &mut slices {
        // The reader sorts only by the beginning.
        slices.sort_by_key(|(begin, _)| *begin);
        let mut around: Vec<i64> = Vec::new();
        for (begin, end) in slices {
            while around.last().is_some_and(|outer| *outer <= *begin) {
                around.pop();
            }
            let fits = around.last().is_none_or(|outer| *end <= *outer);
            assert!(fits, "{}: {}: {begin} to {end} ns", file.display(), names[row]);
            around.push(*end);
        }
    }
    counts
}

/// Reads the file with Perfetto's own reader, if it is installed or SWIRL_TRACE_PROCESSOR names it. The
/// reader must report no errors.
fn read_by_perfetto(file: &Path) -> bool {
    let reader = std::env::var("SWIRL_TRACE_PROCESSOR");
    let reader = reader.unwrap_or_else(|_| "trace_processor_shell".to_owned());
    let query = file.with_extension("sql");
    let complaints = "select name, value from stats where severity = 'error' and value > 0;";
    std::fs::write(&query, complaints).unwrap();
    let Ok(output) = Command::new(reader).arg("-q").args([&query, file]).output() else {
        return false;
    };
    let rows = text(&output.stdout);
    assert!(output.status.success() && rows.lines().count() <= 1, "{rows}");
    true
}

/// Traces of programs that use interrupts, exceptions, DMA, lists, Maple and sound.
#[test]
fn traces_keep_the_rules_of_their_reader() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("traces");
    std::fs::create_dir_all(&folder).unwrap();
    let programs = [
        "spin_thrash",
        "lists",
        "dmac",
        "maple",
        "exceptions",
        "aica",
        "g2",
        "tmu",
        "menu",
        "fault",
    ];
    let mut read = 0;
    for name in programs {
        let file = folder.join(format!("{name}.json"));
        let elf = SPIN.replace("spin.elf", &format!("{name}.elf"));
        let path = file.display().to_string();
        let output = swirl(&["run", &elf, "--frames", "12", "--trace", &path]);
        assert!(file.exists(), "{name}: {}", text(&output.stderr));
        let counts = checked(&file);
        assert!(counts["functions, thread 0"] > 0, "{name}: {counts:?}");
        read += u32::from(read_by_perfetto(&file));
    }
    println!(
        "traces: {} checked, {read} of them read by Perfetto",
        programs.len()
    );
}

/// The nine sounds of `tones` on channel 0, and counters in every frame. The ARM7 is held in reset.
#[test]
fn a_trace_shows_the_sound_block() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tones-trace.json");
    let path = file.display().to_string();
    let elf = SPIN.replace("spin.elf", "tones.elf");
    let output = swirl(&["run", &elf, "--trace", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let counts = checked(&file);
    assert_eq!(counts["sound channel 0"], 9, "{counts:?}");
    assert!(
        counts["playing channels"] >= 60 && counts["ARM7 load, %"] >= 60,
        "{counts:?}"
    );
    let trace: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let sounds = events
        .iter()
        .filter(|event| event["tid"] == 32 && event["ph"] == "X");
    let found: Vec<(&str, f64)> = sounds
        .map(|event| (event["name"].as_str().unwrap(), event["dur"].as_f64().unwrap()))
        .collect();
    assert_eq!(found[1].0, "8-bit at 012000, 44100 Hz, loop");
    // 100 ms keyed on, and the release.
    assert!((100_000.0..110_000.0).contains(&found[1].1), "{found:?}");
    let values = |name: &'static str| {
        let named = events.iter().filter(move |event| event["name"] == name);
        named.map(|event| event["args"]["value"].as_f64().unwrap())
    };
    assert!(values("ARM7 load, %").all(|load| load == 0.0));
    assert!(values("playing channels").any(|channels| channels == 1.0));
}

/// Marks with unmatched beginnings and ends: one end too many, and two beginnings without an end.
#[test]
fn marks_that_do_not_match_are_closed() {
    // mov.l bdrb,r0; mov #0,r1; mov.l r1,@r0; mov #5,r1; mov.l r1,@r0; mov #7,r1; mov.l r1,@r0; sleep; nop
    let code = [
        0xD004, 0xE100, 0x2012, 0xE105, 0x2012, 0xE107, 0x2012, 0x001B, 0x0009, 0x0009, 0x0018, 0xFF20,
    ];
    let elf = program(&code);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("marks.json");
    let path = file.display().to_string();
    let output = swirl(&["run", elf.path().to_str().unwrap(), "--trace", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(checked(&file)["marks"], 4);
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
