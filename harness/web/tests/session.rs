//! Requests as the page makes them.

use serde_json::{Value, json};
use std::path::Path;
use web::{MOST_BYTES, Session};

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn perform(session: &mut Session, request: Value, data: &[u8]) -> (Value, Vec<u8>) {
    let reply = session.perform(&request.to_string(), data).expect("a reply");
    (serde_json::from_str(&reply.json).expect("JSON"), reply.data)
}

fn fail(session: &mut Session, request: Value, data: &[u8]) -> String {
    session
        .perform(&request.to_string(), data)
        .expect_err("an error")
        .0
}

/// A session with files of the repository, by their last names.
fn session(files: &[impl AsRef<str>]) -> Session {
    let mut session = Session::default();
    for file in files {
        let bytes = std::fs::read(root().join(file.as_ref())).expect("a file of the repository");
        let name = Path::new(file.as_ref())
            .file_name()
            .expect("a name")
            .to_string_lossy();
        perform(
            &mut session,
            json!({ "request": "add-file", "name": name }),
            &bytes,
        );
    }
    session
}

#[test]
fn a_model_is_drawn_as_the_player_draws_it() {
    let mut session = session(
        &["shark.nj", "shark.njm", "skin.pvr", "sand.pvr", "swirl.pvr"]
            .map(|name| format!("roms/src/demo/{name}")),
    );
    let open = json!({ "request": "open-model", "model": "shark.nj", "motion": "shark.njm" });
    let (info, _) = perform(&mut session, open, &[]);
    assert_eq!(info["textures"][0]["missing"], false);
    let (drawn, data) = perform(
        &mut session,
        json!({ "request": "draw", "frame": 3.0, "wireframe": true }),
        &[],
    );
    let mut assets = player::Assets::new(root().join("roms/src/demo/shark.nj"));
    let motion = root().join("roms/src/demo/shark.njm");
    assets.motion = Some(motion.to_str().expect("a path").parse().expect("a motion"));
    let mut direct =
        player::Player::open(&player::Disk, &assets, &player::Options::default()).expect("a model");
    let expected = direct.draw(3.0, &mut player::Reference).expect("a picture").image;
    assert_eq!(info["length"], direct.length());
    let (pixels, edges) = data.split_at(640 * 480 * 4);
    assert!(pixels == expected.rgba);
    assert_eq!(
        edges.len() as u64,
        drawn["edges"].as_u64().expect("a number") * 16
    );
    assert!(!edges.is_empty());
    // Another camera, and all nodes hidden.
    let (_, turned) = perform(
        &mut session,
        json!({ "request": "draw", "orbit": [90.0, 0.0], "zoom": 2.0 }),
        &[],
    );
    let hidden = vec![true; info["models"][0].as_array().expect("nodes").len()];
    let (_, empty) = perform(
        &mut session,
        json!({ "request": "draw", "hidden": [hidden] }),
        &[],
    );
    assert!(turned != pixels && empty != pixels && turned != empty);
    assert!(empty.chunks(4).all(|pixel| pixel == &empty[..4]));
    let (size, texels) = perform(&mut session, json!({ "request": "texture", "index": 0 }), &[]);
    let pixels = size["width"].as_u64().expect("a width") * size["height"].as_u64().expect("a height");
    assert_eq!(texels.len() as u64, 4 * pixels);
}

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

#[test]
fn kernels_are_called_and_verified() {
    let mut session = Session::default();
    let (kernels, _) = perform(&mut session, json!({ "request": "kernels" }), &[]);
    assert_eq!(kernels.as_array().map(Vec::len), Some(sh4_kernels::KERNELS.len()));
    let call = |inputs: Value, warm: bool| {
        json!({
            "request": "call-kernel", "name": "transform_points", "seed": 1, "inputs": inputs, "warm": warm
        })
    };
    let (cold, _) = perform(&mut session, call(json!([]), false), &[]);
    assert!(cold["difference"].is_null() && cold["compared"].as_u64() > Some(0));
    assert!(cold["listing"].as_str().is_some_and(|text| text.contains("ftrv")));
    let (warm, _) = perform(&mut session, call(json!([]), true), &[]);
    assert!(warm["cycles"].as_u64() < cold["cycles"].as_u64());
    // The inputs of the reply are accepted, and others change the result.
    let inputs: Vec<String> = cold["arguments"]
        .as_array()
        .expect("arguments")
        .iter()
        .map(|argument| argument["before"].as_str().expect("words").to_owned())
        .collect();
    assert_eq!(perform(&mut session, call(json!(inputs), false), &[]).0, cold);
    let other = inputs[0].replacen(&inputs[0][..8], "40000000", 1);
    let (changed, _) = perform(&mut session, call(json!([other]), false), &[]);
    assert!(changed["difference"].is_null() && changed["arguments"] != cold["arguments"]);
    let error = fail(&mut session, call(json!(["1 2"]), false), &[]);
    assert!(error.contains("found 2 words, expected 16"), "{error}");
    let error = fail(&mut session, call(json!(["x"]), false), &[]);
    assert!(error.contains("expected hexadecimal words"), "{error}");
    let verify = json!({ "request": "verify-kernel", "name": "sincos", "seed": 3, "cases": 20 });
    let (report, _) = perform(&mut session, verify, &[]);
    assert_eq!((&report["cases"], &report["mismatches"]), (&json!(20), &json!(0)));
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

#[test]
fn errors_name_the_file() {
    let mut session = session(&["roms/src/demo/shark.nj"]);
    let shark = std::fs::read(root().join("roms/src/demo/shark.nj")).expect("a model");
    let add = |name: &str| json!({ "request": "add-file", "name": name });
    perform(&mut session, add("cut.nj"), &shark[..5000]);
    perform(&mut session, add("words.bin"), b"PK\x03\x04");
    let error = fail(
        &mut session,
        json!({ "request": "open-model", "model": "cut.nj" }),
        &[],
    );
    assert!(error.starts_with("cut.nj: "), "{error}");
    let error = fail(
        &mut session,
        json!({ "request": "open-program", "program": "shark.nj" }),
        &[],
    );
    assert_eq!(
        error,
        "shark.nj: found a Ninja model, expected a program or a disc"
    );
    let error = fail(
        &mut session,
        json!({ "request": "open-program", "program": "absent.elf" }),
        &[],
    );
    assert_eq!(error, "absent.elf: no such file");
    assert_eq!(
        fail(&mut session, json!({ "request": "draw" }), &[]),
        "no model is open"
    );
    assert!(session.perform("{", &[]).is_err());
    // The session still works.
    perform(
        &mut session,
        json!({ "request": "open-model", "model": "shark.nj" }),
        &[],
    );
    perform(&mut session, json!({ "request": "draw" }), &[]);
}

#[test]
fn files_together_have_a_limit() {
    let mut session = session(&["roms/src/demo/shark.nj"]);
    let large = vec![0; MOST_BYTES];
    let add = json!({ "request": "add-file", "name": "large.bin" });
    let error = fail(&mut session, add.clone(), &large);
    let size = std::fs::metadata(root().join("roms/src/demo/shark.nj"))
        .expect("a model")
        .len();
    let sum = size + MOST_BYTES as u64;
    assert_eq!(
        error,
        format!("large.bin: found {sum} bytes in all files together, expected at most {MOST_BYTES}")
    );
    perform(&mut session, json!({ "request": "clear" }), &[]);
    perform(&mut session, add, &large);
}
