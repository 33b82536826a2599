//! `--video`, `--record-input` and `--set`.

use super::{swirl, text};
use std::path::Path;

fn rom(name: &str) -> String {
    format!("{}/../../roms/console/{name}.elf", env!("CARGO_MANIFEST_DIR"))
}

fn run(args: &[&str]) {
    let output = swirl(&[&["run"], args].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

/// Returns the first picture of a PNG, animated or not.
fn pixels(path: &Path) -> (Vec<u8>, Option<u32>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let frames = reader
        .info()
        .animation_control()
        .map(|control| control.num_frames);
    // All further pictures must decode too, with valid checksums.
    for _ in 1..frames.unwrap_or(1) {
        let mut more = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut more).unwrap();
    }
    (pixels, frames)
}

#[test]
fn videos_hold_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (shot, apng) = (format!("6={}", path("shot.png")), path("a.apng"));
    run(&[
        &rom("spin"),
        "--frames",
        "12",
        "--video",
        &apng,
        "--video-every",
        "6",
        "--screenshot",
        &shot,
    ]);
    let (first, frames) = pixels(Path::new(&apng));
    assert_eq!(frames, Some(2));
    assert_eq!(
        first,
        pixels(Path::new(&path("shot.png"))).0,
        "the first picture is that of frame 6"
    );
    let y4m = path("a.y4m");
    run(&[&rom("spin"), "--frames", "3", "--video", &y4m]);
    let bytes = std::fs::read(&y4m).unwrap();
    let header = b"YUV4MPEG2 W640 H480 F60000:1001 Ip A1:1 C444\n";
    assert!(bytes.starts_with(header));
    assert_eq!(bytes.len(), header.len() + 3 * (6 + 640 * 480 * 3));
    let gif = path("a.gif");
    run(&[&rom("spin"), "--frames", "12", "--video", &gif]);
    let mut decoder = gif::DecodeOptions::new()
        .read_info(std::fs::File::open(&gif).unwrap())
        .unwrap();
    let (mut pictures, mut hundredths) = (0, 0);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        pictures += 1;
        hundredths += frame.delay;
    }
    // 6 pictures of 2/59.94 s.
    assert_eq!((pictures, hundredths), (6, 20));
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 4, "nothing is left behind");
}

#[test]
fn a_video_without_pictures_and_other_kinds_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let gif = folder.path().join("a.gif");
    let output = swirl(&["run", &rom("exceptions"), "--video", gif.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("before the first picture"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let output = swirl(&["run", &rom("spin"), "--video", "a.mp4"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains(".gif, .apng or .y4m"),
        "{}",
        text(&output.stderr)
    );
}

/// Recorded input must repeat the script's run, to the bit.
#[test]
fn recorded_input_repeats_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(
        path("keys.txt"),
        "5..9 hold down # twice\n12..14 hold down\n20 press x\n900 press start\n",
    )
    .unwrap();
    let shot = |name: &str| format!("18={}", path(name));
    let menu = rom("menu");
    run(&[
        &menu,
        "--frames",
        "30",
        "--input",
        &path("keys.txt"),
        "--record-input",
        &path("again.txt"),
        "--screenshot",
        &shot("a.png"),
    ]);
    let again = std::fs::read_to_string(path("again.txt")).unwrap();
    assert_eq!(
        again,
        "5 a press down\n9 a release down\n12 a press down\n14 a release down\n20 a press x\n"
    );
    run(&[
        &menu,
        "--frames",
        "30",
        "--input",
        &path("again.txt"),
        "--screenshot",
        &shot("b.png"),
    ]);
    assert_eq!(
        std::fs::read(path("a.png")).unwrap(),
        std::fs::read(path("b.png")).unwrap()
    );
}

#[test]
fn switches_are_listed_set_and_refused() {
    let listed = text(&swirl(&["console-settings"]).stdout);
    assert!(
        listed.contains("  maple_time ") && listed.contains("*bytes  millisecond"),
        "{listed}"
    );
    assert!(
        listed.contains("Evidence: ") && listed.contains("  medium  "),
        "{listed}"
    );
    let set = swirl(&[
        "console-settings",
        "--json",
        "--set",
        "maple_time=millisecond",
        "--set",
        "open_bus=0xff",
    ]);
    let json: serde_json::Value = serde_json::from_slice(&set.stdout).unwrap();
    let row = |name: &str| {
        json["switches"]
            .as_array()
            .unwrap()
            .iter()
            .find(|row| row["name"] == name)
            .unwrap()
            .clone()
    };
    assert_eq!(
        (&row("maple_time")["current"], &row("maple_time")["default"]),
        (&"millisecond".into(), &"bytes".into())
    );
    assert_eq!(
        (&row("open_bus")["current"], &row("open_bus")["range"][1]),
        (&"255".into(), &0xFFFF_FFFFu32.into())
    );
    for (set, wanted) in [
        ("maple_tim=bytes", "did you mean `maple_time`"),
        ("maple_time=byte", "did you mean `bytes`"),
        ("open_bus=-1", "a number from 0 to 4294967295"),
        ("open_bus", "expected NAME=VALUE"),
    ] {
        let output = swirl(&["run", &rom("tmu"), "--set", set]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(wanted), "{}", text(&output.stderr));
    }
}

/// A setting must affect the console: reads of area 2, which has no device, return the value of open_bus.
#[test]
fn a_switch_of_the_chip_changes_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let picture = |name: &str, pvr: &[&str]| {
        let path = folder.path().join(name);
        let shot = format!("6={}", path.display());
        let spin = rom("spin");
        run(&[&[spin.as_str(), "--frames", "8", "--screenshot", &shot], pvr].concat());
        pixels(&path).0
    };
    let default = picture("default.png", &[]);
    assert!(picture("same.png", &["--pvr", "texel_offset=half_texel"]) == default);
    assert!(picture("other.png", &["--pvr", "texel_offset=refsw_2020"]) != default);
}

/// Bob must show one field with doubled lines; progressive modes must stay unchanged.
#[test]
fn deinterlacing_needs_fields() {
    let folder = tempfile::tempdir().unwrap();
    let picture = |name: &str, options: &[&str]| {
        let path = folder.path().join(name);
        let shot = format!("6={}", path.display());
        let spin = rom("spin");
        run(&[&[spin.as_str(), "--frames", "8", "--screenshot", &shot], options].concat());
        pixels(&path).0
    };
    let default = picture("default.png", &[]);
    assert!(picture("weave.png", &["--deinterlace", "weave"]) == default);
    assert!(picture("bob.png", &["--deinterlace", "bob"]) == default);
}

#[test]
fn a_switch_changes_the_run() {
    // mov.l to r1; mov.l @r1,r0; sleep
    let code = [0xD101, 0x6012, 0x001B, 0x0009, 0x0000, 0x0800];
    let out = text(&super::run(&code, &["--set", "open_bus=0x12345678"]).stdout);
    assert!(out.contains("r0 12345678"), "{out}");
}
