//! `swirl profile --elf FILE --frames A..B`.

use super::{swirl, text, told};
use serde_json::Value;
use std::path::Path;

const SPIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/console/spin.elf");

fn sum(rows: &Value, key: &str) -> u64 {
    let rows = rows.as_array().unwrap();
    rows.iter().map(|row| row[key].as_u64().unwrap()).sum()
}

#[test]
fn the_parts_of_a_program_are_its_clock() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("program");
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let exports = [
        format!("html={}", path("spin.html")),
        format!("frames={}", path("frames.csv")),
        format!("folded={}", path("spin.folded")),
    ];
    let mut args = vec!["profile", "--elf", SPIN, "--frames", "10..20", "--json"];
    exports
        .iter()
        .for_each(|export| args.extend(["--export", export.as_str()]));
    let json: Value = serde_json::from_str(&told(&args)).unwrap();
    let clock = json["clock"].as_u64().unwrap();
    assert_eq!(json["cycles"], clock);
    assert_eq!(sum(&json["functions"], "cycles"), clock);
    assert_eq!(sum(&json["frames"], "cycles"), clock);
    let activities = json["activities"].as_object().unwrap();
    assert_eq!(activities.values().filter_map(Value::as_u64).sum::<u64>(), clock);
    assert!(
        activities["wait_vblank"].as_u64() > Some(clock / 2),
        "{activities:?}"
    );

    let csv = std::fs::read_to_string(folder.join("frames.csv")).unwrap();
    assert_eq!(csv.lines().count(), 11);
    let folded = std::fs::read_to_string(folder.join("spin.folded")).unwrap();
    let cost = |line: &str| {
        line.rsplit(' ')
            .next()
            .and_then(|cycles| cycles.parse::<u64>().ok())
    };
    let own: u64 = folded.lines().filter_map(cost).sum();
    let without = sum(&json["frames"], "without_instructions");
    assert_eq!(own + without, clock);
    let page = std::fs::read_to_string(folder.join("spin.html")).unwrap();
    assert!(
        !page.contains("http") && page.contains("send_cube"),
        "a page of its own"
    );
}

#[test]
fn frames_that_cannot_be_measured_are_errors() {
    for (frames, expected) in [
        ("20..10", "expected A..B"),
        ("x", "expected A..B"),
        ("1000000..1000001", "ended in frame"),
    ] {
        let elf = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/console/tmu.elf");
        let output = swirl(&["profile", "--elf", elf, "--frames", frames]);
        assert_eq!(output.status.code(), Some(2), "{frames}");
        let error = text(&output.stderr);
        assert!(error.contains(expected), "{frames}: {error}");
    }
}
