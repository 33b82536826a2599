//! `roms/demo.elf`: on the emulated console, the demo must show the pictures of `swirl demo`, frame by frame.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use sh4_kernels::Reference;
use sh4_kernels::crc32::crc32;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Frames of a stroke.
const STROKE: u16 = 60;

fn roms() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms"))
}

/// Returns the output of the command.
fn swirl(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_swirl"))
        .args(args)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn rom() -> String {
    roms().join("demo.elf").display().to_string()
}

/// Returns the CRC of each frame's picture, as the program prints it.
fn printed(text: &str) -> Vec<u32> {
    let pictures = text.lines().filter_map(|line| line.strip_prefix("picture "));
    pictures
        .map(|crc| u32::from_str_radix(crc, 16).unwrap())
        .collect()
}

/// Returns the CRC of a picture in the console's memory format: words of 0888.
fn picture_crc(rgba: &[u8]) -> u32 {
    let pixels = rgba.as_chunks::<4>().0.iter();
    let words: Vec<u32> = pixels
        .map(|[red, green, blue, _]| u32::from_le_bytes([*blue, *green, *red, 0]))
        .collect();
    crc32(&mut Reference, 0, &words, 4 * words.len()).unwrap()
}

#[test]
fn the_console_shows_the_frames_of_the_demo() {
    let mut demo = swirl::Demo::new().unwrap();
    let expected: Vec<u32> = (0..STROKE)
        .map(|frame| {
            demo.seek(frame);
            picture_crc(&demo.frame(&mut Reference).unwrap())
        })
        .collect();
    let text = swirl(&["run", "--frames", "300", "--check", "all", &rom()]);
    // The CPU makes a frame's lists while the chip draws the previous frame.
    assert!(text.contains("event 3\ntime 12\nframe 11\n"), "{text}");
    let found = printed(&text);
    let different = expected.iter().zip(&found).filter(|(a, b)| a != b).count();
    println!("{} frames, {different} different", found.len());
    assert_eq!(found, expected);
}

/// A screenshot of the console must equal, byte for byte, the picture of `swirl demo` for the last printed
/// frame.
#[test]
fn a_screenshot_of_the_console_is_the_picture_of_the_demo() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let mut shown = Vec::new();
    for vblank in ["30", "101", "200"] {
        let (found, expected) = (file("found.png"), file("expected.png"));
        let screenshot = format!("{vblank}={found}");
        let text = swirl(&["run", &rom(), "--frames", vblank, "--screenshot", &screenshot]);
        let mut numbers = text.lines().filter_map(|line| line.strip_prefix("frame "));
        let number = numbers.next_back().unwrap().to_owned();
        swirl(&[
            "demo",
            "--frame",
            &number,
            "--cases",
            "1",
            "--no-window",
            "--output",
            &expected,
        ]);
        let same = std::fs::read(found).unwrap() == std::fs::read(expected).unwrap();
        assert!(same, "vertical blank {vblank}, frame {number}");
        shown.push(number);
    }
    println!("frames {shown:?} are equal");
    shown.dedup();
    assert_eq!(shown.len(), 3);
}

/// The CRC of a file's picture.
fn file_crc(path: &Path) -> u32 {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut rgba).unwrap();
    picture_crc(&rgba)
}

/// In the first stroke the program reads each picture for its CRC. Afterwards it must draw 60 pictures per
/// second.
#[test]
fn each_vertical_blank_shows_the_next_frame() {
    let folder = tempfile::tempdir().unwrap();
    let blanks = 280..300;
    let picture = |blank| folder.path().join(format!("{blank}.png"));
    let wanted: Vec<String> = blanks
        .clone()
        .map(|blank| format!("--screenshot={blank}={}", picture(blank).display()))
        .collect();
    let program = rom();
    let mut args = vec!["run", &program, "--frames", "300"];
    args.extend(wanted.iter().map(String::as_str));
    let frames = printed(&swirl(&args));
    assert_eq!(frames.len(), usize::from(STROKE));
    let shown: Vec<usize> = blanks
        .map(|blank| {
            let crc = file_crc(&picture(blank));
            frames.iter().position(|frame| *frame == crc).unwrap()
        })
        .collect();
    println!("{shown:?}");
    assert!(
        shown
            .windows(2)
            .all(|pair| pair[1] == (pair[0] + 1) % frames.len())
    );
}

#[test]
fn the_program_holds_the_files_of_the_demo() {
    let [motion, shapes] = swirl::demo_motions().unwrap();
    let [sprite, streams] = swirl::demo_cells().unwrap();
    let [skin, sand, swirl] = swirl::demo_textures().unwrap();
    for (name, bytes) in [
        ("shark.nj", swirl::demo_model().unwrap()),
        ("shark.njm", motion),
        ("shark.njs", shapes),
        ("swirl.spj", sprite),
        ("swirl.csj", streams),
        ("skin.pvr", skin),
        ("sand.pvr", sand),
        ("swirl.pvr", swirl),
    ] {
        let held = std::fs::read(roms().join("src/demo").join(name)).unwrap();
        assert!(
            held == bytes,
            "{name} is not current: swirl demo --assets writes it"
        );
    }
}
