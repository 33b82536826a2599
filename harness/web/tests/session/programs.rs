//! Programs and discs on the console.

use super::{fail, perform, root, session};
use serde_json::{Value, json};
use web::Session;

#[test]
fn a_program_runs_as_on_the_console() {
    let mut session = session(&["roms/console/spin.elf"]);
    perform(
        &mut session,
        json!({ "request": "open-program", "program": "spin.elf" }),
        &[],
    );
    perform(&mut session, json!({ "request": "run", "frames": 59 }), &[]);
    let (ran, data) = perform(&mut session, json!({ "request": "run", "frames": 1 }), &[]);
    let bytes = std::fs::read(root().join("roms/console/spin.elf")).expect("a program");
    let mut console = dreamcast::Dreamcast::new(dreamcast::Config::default());
    console
        .load(&machine::Image::parse(&bytes).expect("an ELF file"))
        .expect("it fits");
    let until = dreamcast::Until {
        frame: 60,
        ..dreamcast::Until::FOREVER
    };
    assert_eq!(console.run(until), dreamcast::Ended::Frame);
    assert_eq!(
        (&ran["frame"], &ran["instructions"]),
        (&json!(60), &json!(console.cpu.retired()))
    );
    assert!(data == console.picture().rgba);
}

#[test]
fn input_is_recorded_and_replayed() {
    let pad = json!({ "buttons": 4, "stick": [255, 128], "triggers": [0, 9] });
    let mut session = session(&["roms/console/menu.elf"]);
    perform(
        &mut session,
        json!({ "request": "open-program", "program": "menu.elf" }),
        &[],
    );
    perform(&mut session, json!({ "request": "run", "frames": 10 }), &[]);
    let (_, first) = perform(
        &mut session,
        json!({ "request": "run", "frames": 20, "pad": pad }),
        &[],
    );
    let (recording, _) = perform(&mut session, json!({ "request": "recording" }), &[]);
    assert_eq!(recording, "10 a press a\n10 a stick 255 128\n10 a triggers 0 9\n");
    let open = json!({ "request": "open-program", "program": "menu.elf", "input": recording });
    perform(&mut session, open, &[]);
    let (_, again) = perform(&mut session, json!({ "request": "run", "frames": 30 }), &[]);
    assert!(first == again);
}

#[test]
fn sound_follows_the_picture() {
    let mut session = session(&["roms/console/tones.elf"]);
    let open = json!({ "request": "open-program", "program": "tones.elf", "audio": true });
    perform(&mut session, open, &[]);
    let (ran, data) = perform(&mut session, json!({ "request": "run", "frames": 60 }), &[]);
    let samples = ran["samples"].as_u64().expect("a number");
    // A second has 44,100 samples.
    assert!((43_000..45_000).contains(&samples), "{samples}");
    let pixels = ran["width"].as_u64().expect("a width") * ran["height"].as_u64().expect("a height");
    assert_eq!(data.len() as u64, 4 * (pixels + samples));
}

#[test]
fn broken_rules_have_functions() {
    let mut session = session(&["roms/checks/dma_dirty_line.elf"]);
    let open = json!({ "request": "open-program", "program": "dma_dirty_line.elf", "checks": ["all"] });
    perform(&mut session, open, &[]);
    let (ran, _) = perform(&mut session, json!({ "request": "run", "frames": 10 }), &[]);
    let (findings, _) = perform(&mut session, json!({ "request": "findings" }), &[]);
    assert_eq!(
        ran["findings"].as_u64(),
        findings.as_array().map(|list| list.len() as u64)
    );
    assert_eq!(findings[0]["rule"], "dma-dirty-line");
    let place = &findings[0]["place"];
    assert!(
        place["symbol"]
            .as_str()
            .is_some_and(|symbol| symbol.contains("start_g2")),
        "{findings}"
    );
    // The program has debug information, which names the line.
    let elf = std::fs::read(root().join("roms/checks/dma_dirty_line.elf")).expect("a program");
    let mut places = profile::Places::default();
    places.set_lines(profile::source_lines(&elf).expect("debug information"));
    let address = u32::from_str_radix(place["address"].as_str().expect("an address"), 16).expect("digits");
    assert_eq!(
        place["line"].as_u64(),
        places.line(address).map(|line| u64::from(line.line))
    );
}

#[test]
fn code_is_listed_by_symbol_address_and_pc() {
    let mut session = session(&["roms/console/spin.elf"]);
    perform(
        &mut session,
        json!({ "request": "open-program", "program": "spin.elf" }),
        &[],
    );
    perform(&mut session, json!({ "request": "run", "frames": 2 }), &[]);
    let mut list = |place: &str| {
        perform(
            &mut session,
            json!({ "request": "disassemble", "place": place }),
            &[],
        )
        .0
    };
    let main = list("main");
    let lines = main["lines"].as_array().expect("lines");
    assert_eq!(main["function"], lines[0]["symbol"]);
    let first = lines[0]["text"].as_str().expect("text");
    assert_eq!(list(&first[..8]), main);
    let here = list("");
    let next = |line: &&Value| line["next"] == true;
    assert_eq!(
        here["lines"]
            .as_array()
            .expect("lines")
            .iter()
            .filter(next)
            .count(),
        1
    );
    let error = fail(
        &mut session,
        json!({ "request": "disassemble", "place": "nothing" }),
        &[],
    );
    assert_eq!(
        error,
        "found \"nothing\", expected a function of the program or an address in hexadecimal"
    );
}

#[test]
fn a_profile_counts_the_cycles_of_its_frames() {
    let mut session = session(&["roms/console/spin.elf"]);
    perform(
        &mut session,
        json!({ "request": "open-program", "program": "spin.elf" }),
        &[],
    );
    perform(&mut session, json!({ "request": "run", "frames": 5 }), &[]);
    let profile = |continues: bool| json!({ "request": "profile", "continues": continues });
    assert_eq!(perform(&mut session, profile(true), &[]).0, Value::Null);
    perform(&mut session, json!({ "request": "run", "frames": 10 }), &[]);
    let (report, _) = perform(&mut session, profile(false), &[]);
    let frames = report["frames"].as_array().expect("frames");
    assert_eq!((frames.len(), &frames[0]["number"]), (10, &json!(5)));
    let number = |value: &Value| value.as_u64().expect("a number");
    let all: u64 = frames.iter().map(|frame| number(&frame["cycles"])).sum();
    assert_eq!(all, number(&report["cycles"]));
    for frame in frames {
        let activities = frame["activities"].as_object().expect("activities");
        assert_eq!(
            activities.values().map(number).sum::<u64>(),
            number(&frame["cycles"])
        );
    }
    // The roots contain all cycles with instructions, and callers contain their callees.
    let calls = report["calls"].as_array().expect("calls");
    let roots = calls.iter().filter(|call| call["parent"].is_null());
    let roots: u64 = roots.map(|call| number(&call["cycles"])).sum();
    assert!(roots > 0 && roots <= all, "{roots} of {all}");
    for call in calls {
        if let Some(parent) = call["parent"].as_u64() {
            assert!(number(&calls[parent as usize]["cycles"]) >= number(&call["cycles"]));
        }
    }
    // The measurement has ended.
    perform(&mut session, json!({ "request": "run", "frames": 1 }), &[]);
    assert_eq!(perform(&mut session, profile(false), &[]).0, Value::Null);
}

/// Sectors of file 7, which exists only as this formula: an IP.BIN and zeros.
fn read_slice(file: u32, offset: u64, buffer: &mut [u8]) -> bool {
    buffer.fill(0);
    if offset == 0 {
        buffer[..16].copy_from_slice(b"SEGA SEGAKATANA ");
    }
    file == 7
}

/// The page keeps tracks of any size. The first error shows that the IP.BIN was read.
#[test]
fn tracks_are_read_by_slices() {
    let mut session = Session::new(read_slice);
    let sheet = b"2\n1 0 4 2048 track01.iso 0\n2 45000 4 2048 track02.iso 0\n";
    let add = json!({ "request": "add-file", "name": "disc.gdi" });
    perform(&mut session, add, sheet);
    let track = |name: &str, number: u32, sectors: u64| {
        let bytes = 2048 * sectors;
        json!({ "request": "add-slices", "name": name, "number": number, "bytes": bytes })
    };
    perform(&mut session, track("track01.iso", 7, 300), &[]);
    let (info, _) = perform(&mut session, track("track02.iso", 7, 500_000), &[]);
    assert_eq!(info["bytes"], 1_024_000_000);
    let open = json!({ "request": "open-program", "program": "disc.gdi" });
    let error = fail(&mut session, open.clone(), &[]);
    let start = "disc.gdi: the disc does not boot: ";
    assert!(
        error.starts_with(start) && !error.contains("no IP.BIN"),
        "{error}"
    );
    perform(&mut session, track("track02.iso", 8, 500_000), &[]);
    let error = fail(&mut session, open, &[]);
    let cause = "track02.iso: the browser cannot read 2048 bytes from offset 0; the file may have changed";
    assert!(error.starts_with(start) && error.contains(cause), "{error}");
}

/// A GDI file of three tracks. The disc has no program, so the error comes from its contents.
#[test]
fn a_disc_is_read_from_its_tracks() {
    let mut session = Session::default();
    let files: [(&str, Vec<u8>); 3] = [
        (
            "disc.gdi",
            b"2\n1 0 4 2048 track01.iso 0\n2 45000 4 2048 TRACK02.iso 0\n".to_vec(),
        ),
        ("track01.iso", vec![0; 2048 * 4]),
        ("track02.iso", vec![0; 2048 * 20]),
    ];
    let open = json!({ "request": "open-program", "program": "disc.gdi" });
    for (count, expected) in [
        (1, "track01.iso: no such file"),
        (
            3,
            "disc.gdi: the disc does not boot: found no IP.BIN in the track's first sector, expected SEGA \
             SEGAKATANA",
        ),
    ] {
        for (name, bytes) in &files[..count] {
            perform(
                &mut session,
                json!({ "request": "add-file", "name": name }),
                bytes,
            );
        }
        assert_eq!(fail(&mut session, open.clone(), &[]), expected);
    }
}

#[test]
fn a_visual_memory_goes_in_and_out() {
    let mut session = session(&["roms/console/spin.elf"]);
    let memory: Vec<u8> = (0..128 << 10).map(|n| n as u8).collect();
    let open = json!({ "request": "open-program", "program": "spin.elf" });
    perform(&mut session, open.clone(), &memory);
    let (ran, _) = perform(&mut session, json!({ "request": "run", "frames": 1 }), &[]);
    assert_eq!(ran["vmuChanged"], false);
    assert!(perform(&mut session, json!({ "request": "vmu" }), &[]).1 == memory);
    assert_eq!(
        fail(&mut session, open, &memory[1..]),
        "visual memory: found 131071 bytes, expected 131072"
    );
}

#[test]
fn a_program_finds_what_it_has_saved() {
    let mut session = session(&["roms/console/saves.elf"]);
    let mut memory = Vec::new();
    for text in ["runs 1\n", "runs 2\n"] {
        perform(
            &mut session,
            json!({ "request": "open-program", "program": "saves.elf" }),
            &memory,
        );
        let (ran, _) = perform(&mut session, json!({ "request": "run", "frames": 2 }), &[]);
        assert_eq!((&ran["text"], &ran["vmuChanged"]), (&json!(text), &json!(true)));
        assert_eq!(ran["end"], "the program ended with exit code 0");
        memory = perform(&mut session, json!({ "request": "vmu" }), &[]).1;
    }
}
