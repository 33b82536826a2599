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

/// A build that thrashes the cache must exceed the previous build's frames, in both summaries.
#[test]
fn frames_are_compared_with_a_baseline() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("frames-baseline");
    std::fs::create_dir_all(&folder).unwrap();
    let base = folder.join("base.json");
    let frames = ["profile", "--frames", "10..20", "--elf"];
    std::fs::write(&base, told(&[&frames[..], &[SPIN, "--json"]].concat())).unwrap();
    let baseline = format!("--baseline={}", base.display());
    let same = told(&[&frames[..], &[SPIN, &baseline]].concat());
    assert!(same.contains("(+0.00 %, 0.00 % allowed)"), "{same}");
    let summary = folder.join("summary.md");
    let markdown = format!("--export=markdown={}", summary.display());
    let thrash = SPIN.replace("spin.elf", "spin_thrash.elf");
    let more = [thrash.as_str(), &baseline, "--fail-above=5%", &markdown];
    let output = swirl(&[&frames[..], &more].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("  thrash, a frame"));
    let summary = std::fs::read_to_string(summary).unwrap();
    assert!(summary.contains("5.00 % allowed: exceeded."), "{summary}");
    assert!(
        summary.contains("| `thrash`, cycles a frame | 0 | 245306 | - |"),
        "{summary}"
    );
    std::fs::write(&base, "{\"frames\": []}").unwrap();
    let output = swirl(&[&frames[..], &[SPIN, &baseline]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("base.json: expected the JSON of swirl profile --frames --json"));
}

/// The events of frames must cover the clock except SLEEP, and be compared with counts from a file.
#[test]
fn events_of_frames_are_compared() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("frames-events");
    std::fs::create_dir_all(&folder).unwrap();
    let events = folder.join("events.csv");
    let export = format!("--export=events={}", events.display());
    let frames = ["profile", "--elf", SPIN, "--frames", "10..20"];
    let json: Value = serde_json::from_str(&told(&[&frames[..], &[&export, "--json"]].concat())).unwrap();
    let sleep = json["functions"].as_array().unwrap();
    let sleep = sleep.iter().find(|row| row["name"] == "(sleep)").unwrap()["cycles"]
        .as_u64()
        .unwrap();
    let awake = json["clock"].as_u64().unwrap() - sleep;
    let csv = std::fs::read_to_string(&events).unwrap();
    assert!(csv.contains(&format!("23,elapsed,{awake}\n")), "{csv}");
    assert!(csv.contains("16,interrupt,30\n"), "{csv}");
    // Typical hand-written format: a comment and a header before the counts.
    let head = "# a console, frames 10 to 19\n\ncode,event,count\n";
    std::fs::write(
        &events,
        format!("{head}23,elapsed,{}\n16,interrupt,30\n", awake * 2),
    )
    .unwrap();
    let compare = format!("--compare={}", events.display());
    let shown = told(&[&frames[..], &[&compare]].concat());
    assert!(shown.contains("-50.0 %") && shown.contains("+0.0 %"), "{shown}");
    std::fs::write(&events, "23,elapsed,x\n").unwrap();
    let output = swirl(&[&frames[..], &[&compare]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("events.csv: line 1"));
}

/// The table that exceeds the cache must own the misses, and all misses must have an owner.
#[test]
fn misses_have_owners() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("frames-owners");
    let tables = format!("--export=tables={}", folder.display());
    let thrash = SPIN.replace("spin.elf", "spin_thrash.elf");
    let json = told(&[
        "profile", "--elf", &thrash, "--frames", "10..20", &tables, "--json",
    ]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let owners = &json["data_owners"];
    assert_eq!(owners[0]["name"], "table");
    assert!(owners[0]["misses"].as_u64() > Some(40_000), "{owners}");
    assert_eq!(sum(owners, "misses"), sum(&json["functions"], "operand_misses"));
    let csv = std::fs::read_to_string(folder.join("data.csv")).unwrap();
    assert!(
        csv.contains(",\"table\",") && csv.contains("\"(stack)\""),
        "{csv}"
    );
}

/// `tones` in its first second: one channel, which the SH4 plays, and the ring of the effect DSP.
#[test]
fn the_sound_block_has_a_table() {
    let elf = SPIN.replace("spin.elf", "tones.elf");
    let args = ["profile", "--elf", &elf, "--frames", "0..90"];
    let json: Value = serde_json::from_str(&told(&[&args[..], &["--json"]].concat())).unwrap();
    let sound = &json["sound"];
    assert_eq!(sound["arm7"]["load"], Value::Null);
    assert_eq!(sound["channels"]["most"], 1);
    let mean = sound["channels"]["mean"].as_f64().unwrap();
    assert!((0.3..0.9).contains(&mean), "{mean}");
    let plays = sound["plays"].as_array().unwrap();
    let words = plays
        .iter()
        .find(|row| row["start"] == 0x10000 && row["format"] == "16-bit");
    // The tone, the envelope, pan, filter and echo.
    assert_eq!(words.unwrap()["plays"], 5);
    assert_eq!(words.unwrap()["bytes"], 4410);
    let areas = sound["ram"].as_array().unwrap();
    assert_eq!(sum(&sound["ram"], "bytes"), 2 << 20);
    let uses = |start: u64| {
        let inside = |area: &&Value| {
            let first = area["start"].as_u64().unwrap();
            (first..first + area["bytes"].as_u64().unwrap()).contains(&start)
        };
        areas.iter().find(inside).unwrap()["uses"].clone()
    };
    assert_eq!(uses(0), serde_json::json!(["zero"]));
    assert_eq!(uses(0x12000), serde_json::json!(["samples"]));
    assert_eq!(uses(0x80000), serde_json::json!(["dsp_ring"]));
    let text = told(&args);
    assert!(
        text.contains("sound block: ARM7 held in reset")
            && text.contains("adpcm-stream")
            && text.contains("dsp ring"),
        "{text}"
    );
    // The console program `aica` starts the ARM7.
    let elf = SPIN.replace("spin.elf", "aica.elf");
    let text = told(&["profile", "--elf", &elf, "--frames", "0..4", "--json"]);
    let json: Value = serde_json::from_str(&text).unwrap();
    let load = json["sound"]["arm7"]["load"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&load), "{load}");
    let areas = json["sound"]["ram"].as_array().unwrap();
    assert_eq!(areas[0]["uses"], serde_json::json!(["arm7_code"]));
}
